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
*wrong*)
  echo '{"files":[{"path":"x","ok":true}],"kernels":[],"findings":[],"messages":[{"severity":"error","message":"audit: a run shows it"}],"stats":{}}'
  exit 4
  ;;
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

# By folder, with the host's files: they belong to the program of the kernels beside them, and are none by themselves.
mkdir -p whole/app whole/tools && touch whole/app/{flags.cu,main.cpp,old.c,notes.txt} whole/tools/alone.cpp
run "$sweep" ./player --no-times --by-folder --with-host whole
status_is 0
has out '^# 1 programs, 3 files below whole$'
has whole/app/flags.seen ' whole/app/flags.cu whole/app/main.cpp whole/app/old.c -- '
run "$sweep" ./player --no-times --by-folder whole
has out '^# 1 programs, 1 files below whole$'
run "$sweep" ./player --with-host whole
status_is 2
has err 'give --by-folder as well'

# A proof that a run contradicts is no crash.
mkdir audited && touch audited/{flags,wrong}.cu
run "$sweep" ./player --no-times --audit audited
status_is 1
has out '^contradicted +1$'
has out '^wrong.cu +audit: a run shows it$'
has audited/flags.seen ' --audit audited/flags.cu '

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

# A caller in a C++ file decides; where that file does not compile, the rest is checked for any caller.
mkdir -p pair/app && cat >pair/app/reverse.cu <<'CU'
__global__ void reverse(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) a[i] = a[n - 1 - i];
}
extern "C" void reverse_all(int *a, int n, int block) { reverse<<<1, block>>>(a, n); }
__global__ void every_other(int *a, int step) { a[threadIdx.x * step] = threadIdx.x; }
extern "C" void mark(int *a, int step) { every_other<<<1, 64>>>(a, step); }
CU
cat >pair/app/main.cpp <<'CU'
#include <cuda_runtime.h>
extern "C" void mark(int *a, int step);
extern "C" void reverse_all(int *a, int n, int block);
int main() {
  int *a;
  cudaMalloc((void **)&a, 4096);
  mark(a, 2);
  reverse_all(a, 64, 32);
}
CU
run "$sweep" "$HGRD_CHECK" --no-times --by-folder pair
has out '^racy +1 +50.0%'
run "$sweep" "$HGRD_CHECK" --no-times --by-folder --with-host pair
status_is 0
has out '^checked +1$'
has out '^race-free +2 +100.0%'
sed -i 's/mark(a, 2)/mark(a, 2 + undeclared)/' pair/app/main.cpp
run "$sweep" "$HGRD_CHECK" --no-times --by-folder --with-host pair
has out '^compiles in part +1$'
has out '^racy +1 +50.0%'
