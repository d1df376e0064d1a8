# The language server behind a page with Monaco (examples/monaco), in a browser without a screen.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
need_judge node && need_judge chromium && need_judge "$judges/monaco-editor"
export HOME=$work
write_reverse
run node "$forms/monaco.js" "$HGRD_CHECK" reverse.cu
status_is 0 && is_empty out
reverse_is_mended
# A server that is none is noticed, and a file that is no program.
write_reverse
run timeout 60 node "$forms/monaco.js" /bin/false reverse.cu
[[ $status -ne 0 ]] || complain 'the page takes anything for a server'
