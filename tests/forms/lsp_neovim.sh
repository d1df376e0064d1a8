# The language server in Neovim, without a screen.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/forms/forms.bash" || exit 1
need_judge nvim
export HOME=$work
write_reverse
run nvim --headless -u NONE -i NONE -c "luafile $forms/lsp.lua"
status_is 0 && is_empty out
reverse_is_mended
# A server that is none is noticed.
write_reverse
HGRD_CHECK=/bin/false run timeout 15 nvim --headless -u NONE -i NONE -c "luafile $forms/lsp.lua"
[[ $status -ne 0 ]] || complain 'Neovim takes anything for a server'
