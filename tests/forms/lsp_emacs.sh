# The language server in Emacs with eglot, without a screen.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
need_judge emacs
eglot=(/usr/share/emacs/site-lisp/elpa/eglot-*)
need_judge "${eglot[0]}"
export HOME=$work
write_reverse
run emacs -Q --batch -l "$forms/lsp.el"
status_is 0 && is_empty out
reverse_is_mended
# A server that is none is noticed.
write_reverse
HGRD_CHECK=/bin/false run timeout 15 emacs -Q --batch -l "$forms/lsp.el"
[[ $status -ne 0 ]] || complain 'Emacs with eglot takes anything for a server'
