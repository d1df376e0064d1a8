# --confirm: what is possible or undecided is run; what is seen becomes observed. Nothing is ever run without it.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >program.cu <<'CU'
#include <cstdio>
#include <cstdlib>
// It races if two entries of the table are equal.
__global__ void scatter(int *out, const int *table) {
  out[table[threadIdx.x]] = threadIdx.x; // at: scatter
}
__global__ void fine(int *out) { out[threadIdx.x] = 1; }
int main(int argc, char **argv) {
  int *out, *table, values[64];
  FILE *file = fopen("was_run", "a");
  fclose(file);
  for (int i = 0; i < 64; i++)
    values[i] = argc > 1 ? i % atoi(argv[1]) : i;
  cudaMalloc(&out, sizeof values);
  cudaMalloc(&table, sizeof values);
  cudaMemcpy(table, values, sizeof values, cudaMemcpyHostToDevice);
  scatter<<<1, 64>>>(out, table); // at: launch
  fine<<<1, 64>>>(out);
  puts("said by the program");
  return argc > 2 ? abort(), 1 : 0;
}
CU
at() { grep -n "at: $1\$" program.cu | cut -d: -f1; }
check() { run "$HGRD_CHECK" "$@"; }

check program.cu
status_is 1
has out 'possible race'
[[ ! -e was_run ]] || complain 'the program was run unasked'

# Twice the same entry: seen.
check --confirm=32 program.cu
status_is 1
[[ -e was_run ]] || complain 'the program was not run'
rm -f was_run
has out "^program.cu:$(at scatter):[0-9]+: warning: write.* by thread \([0-9]+,0,0\) of block \(0,0,0\) races with"
has out "observed: grid \(1,1,1\), block \(64,1,1\)"
has out "^program.cu:$(at launch):.*observed in launch 1 of a run: the write comes first and leaves .*hgrd-run --replay="
has_not out 'said by the program|possible race'
check --confirm=32 --format=json program.cu
has out '"certainty": "observed"'
has out '"schedule": "in-order"'
check --confirm=32 --format=sarif program.cu
has out '"certainty": "observed"'
has out '"schedule": "in-order"'

# It is the same finding, seen or not: to a baseline of either kind, and to a comment.
check --write-baseline=possible.baseline program.cu
check --confirm=32 --write-baseline=observed.baseline program.cu
diff possible.baseline observed.baseline >/dev/null || complain 'what is seen changes the fingerprint'
check --confirm=32 --baseline=possible.baseline program.cu
status_is 0
has out '^1 known from the baseline'
sed 's|// at: scatter|// hgrd-suppress(intra-block-race): meant|' program.cu >suppressed.cu
check --confirm=32 suppressed.cu
status_is 0
has out '^1 suppressed'

# All entries differ: not seen, and it stays possible.
check --confirm program.cu
status_is 1
has out 'possible race|may race'
has out 'not seen in 4 runs of the program \(--confirm\), which is no proof'
has_not out 'observed'

# How the runs ended is told.
check '--confirm=64 x' program.cu
status_is 1
has err "warning: --confirm: the run 'in-order' was ended by signal 6"

# Undecided: a function that is not seen is called through a table. Its twin has no race.
cat >undecided.cu <<'CU'
typedef void (*Step)(int *, int);
__device__ void first(int *p, int i) { p[SHIFT(i)] = i; }
__device__ void second(int *p, int i) { p[SHIFT(i)] = i + 1; }
__device__ Step steps[2] = {first, second};
__global__ void run(int *p, int k) { steps[k](p, threadIdx.x); }
int main() {
  int *p;
  cudaMalloc(&p, 4096);
  run<<<1, 64>>>(p, 1);
  return cudaDeviceSynchronize();
}
CU
check --confirm undecided.cu -- '-DSHIFT(i)=0'
status_is 1
has out 'observed in launch 1'
has out '1 racy'
check --confirm undecided.cu -- '-DSHIFT(i)=(i)'
status_is 0
has out 'no race was seen in 4 runs of the program \(--confirm\), which is no proof'
has out '1 undecided'

# Nothing to ask, nothing to run, nothing that can be built.
echo '__global__ void one(int *p) { p[threadIdx.x] = 1; } int main() { int *p; cudaMalloc(&p, 400); one<<<1, 64>>>(p); puts("x"); }' >proved.cu
check --confirm proved.cu -- -include cstdio
status_is 0
has_not out 'confirm'
sed '/^int main/,$d' program.cu >library.cu
check --confirm library.cu
has err 'warning: --confirm: no file defines main: there is nothing to run'
sed 's/^int main/void elsewhere();\n&/; s/puts(/elsewhere(), &/' program.cu >unlinked.cu
check --confirm unlinked.cu
status_is 1
has err "warning: --confirm: the program cannot be built or run"
has err 'elsewhere'
for option in --shard=1/2 --dump=pairs; do
  check --confirm "$option" program.cu
  status_is 2
  has err '^hgrd-check: error: --confirm runs the program'
done
# Who reads somebody's files does not run them.
rm -f was_run
echo 'confirm = 32' >.hgrd-check
check program.cu
status_is 2
has err 'confirm'
[[ ! -e was_run ]] || complain 'a project file had the program run'
