#!/usr/bin/env bash
# ./dev sweep counts what came of each program. A tool that crashes, hangs or answers nothing is played by a script.
# SPDX-License-Identifier: Apache-2.0
. "$HGRD_ROOT/tests/cli/lib.bash"
command -v python3 >/dev/null || { complain "python3 is missing"; exit 1; }
sweep=$HGRD_ROOT/tests/bench/sweep

# The player: what it does hangs on the name of the file.
cat >player <<'SH'
#!/usr/bin/env bash
for word; do [[ $word == *.cu ]] && file=$word; done
case $file in
*crash*) kill -SEGV $$ ;;
*internal*) echo "hgrd-check: internal error: no such thing" >&2; exit 4 ;;
*deaf*) trap '' TERM; while :; do :; done ;;
*silent*) exit 0 ;;
*flags*) echo "$*" >"${file%.cu}.seen" ;;
esac
echo '{"files":[{"path":"x","ok":true}],"kernels":[],"findings":[],"messages":[],"stats":{}}'
SH
chmod +x player
mkdir -p tree/a tree/b/include tree/Common
touch tree/a/crash.cu tree/a/internal.cu tree/a/silent.cu tree/b/flags.cu
printf 'DIR = include\nCFLAGS := -std=c++14 -I$(DIR) \\\n  -DN=4 -O3 -I/no/such\n' >tree/b/Makefile
run "$sweep" ./player --no-times tree -- -DLAST
status_is 1
has out '^crash +2$'
has out '^no answer +1$'
has out '^no kernels +1$'
has out '^a/internal.cu +internal error: no such thing$'
has out '^a/crash.cu +SIGSEGV$'
has tree/b/flags.seen ' -- -std=c\+\+14 -Itree/b/include -DN=4 -Itree/b -Itree/Common -DLAST$'
cp out first
run "$sweep" ./player --no-times --jobs 1 tree -- -DLAST
same out first

mkdir slow && touch slow/deaf.cu
HGRD_SWEEP_GRACE=1 run "$sweep" ./player --no-times --seconds 0.2 slow
status_is 1
has out '^hang +1$'

run "$sweep" ./player nowhere
status_is 2
has err "no folder 'nowhere'"

# The real tool: one racy, one clean, one that does not compile; together they are one program that does.
[[ -n $HGRD_CHECK ]] || exit 0
mkdir real && cd real
write_samples
echo '__global__ void broken(int *a) { a[0] = nowhere; }' >broken.cu
cd ..
run "$sweep" "$HGRD_CHECK" --no-times --list --findings --json all.json real
status_is 0
has out '^checked +2$'
has out '^does not compile +1$'
has out "^ +1 +1 +use of undeclared identifier '...' +nowhere$"
has out '^race-free +1 +50.0% +1$'
has out '^racy +1 +50.0% +1$'
has out '^racy.cu +shift +inter-block-race +definite +racy.cu:4/4 +a +'
run "$sweep" "$HGRD_CHECK" --no-times --match '^(clean|racy)' --against all.json real
has out '^no verdict differs'
sed -i 's/= a\[i + 1\]/= a[i]/' real/racy.cu
run "$sweep" "$HGRD_CHECK" --no-times --match '^(clean|racy)' --against all.json real
has out '^racy.cu +shift +racy +race-free$'
