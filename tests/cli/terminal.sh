# What a terminal gets and a file does not: colours, a progress line that is gone in the end, the seconds.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
write_samples
command -v script >/dev/null || { complain "'script' is missing; Debian has it in bsdutils"; exit 1; }
on_terminal() { # on_terminal ARGUMENT...: with both streams on one terminal
  run env -u NO_COLOR TERM=xterm script -qec "$(printf '%q ' "$@")" /dev/null
}
escape=$'\033'
on_terminal "$HGRD_CHECK" racy.cu clean.cu
status_is 1
has out "$escape\[1mracy.cu:4:[0-9]+:$escape\[0m $escape\[1;35mwarning:$escape\[0m "
has out 'compiled 0 of 2 files' && has out 'compiled 2 of 2 files' && has out 'checked [12] of 2: shift'
has out '^2 kernels: 1 race-free, 1 racy, 0 undecided .* in [0-9]+\.[0-9] s'
# What is left on the screen, with what was written over taken out: no progress.
sed -E "s/\r?$//; s/.*\r$escape\[K//" out >screen
has_not screen 'compiled|checked'
on_terminal "$HGRD_CHECK" racy.cu
has_not out 'compiled|checked' # one file needs no progress line
on_terminal "$HGRD_CHECK" -q racy.cu clean.cu
has_not out 'compiled|checked|kernels'
on_terminal env NO_COLOR=1 "$HGRD_CHECK" racy.cu
has_not out "$escape\[1" && has out 'racy.cu:4:[0-9]+: warning: '
on_terminal "$HGRD_CHECK" --color=never racy.cu
has_not out "$escape\[1"
on_terminal "$HGRD_CHECK" --format=json racy.cu
has_not out "$escape"
# No terminal: none of it, unless asked for.
run "$HGRD_CHECK" racy.cu clean.cu
has_not out "$escape" && has_not err 'checked' && has out 'queries\)$'
run env NO_COLOR=1 "$HGRD_CHECK" --color=always racy.cu
has out "$escape\[1;35mwarning:"
# With a build's files as with those that are named; and with one file of many kernels.
printf '[{"directory": "%s", "file": "racy.cu", "command": "clang++ -c racy.cu"}, {"directory": "%s", "file": "clean.cu", "command": "clang++ -c clean.cu"}]' \
  "$PWD" "$PWD" >compile_commands.json
on_terminal "$HGRD_CHECK" -p .
has out 'compiled 2 of 2 files' && has out 'checked 2 of 2: shift'
for k in 1 2 3 4 5 6 7 8 9; do echo "__global__ void k$k(int *a) { a[threadIdx.x] = $k; }"; done >many.cu
on_terminal "$HGRD_CHECK" many.cu
has out 'checked 9 of 9: k' && has_not out compiled
