# Changes of the text that mend findings are offered if they are proved: the finding is gone, and nothing has come. For each
# kind there is a twin in which the same change would not do, and none is offered. The files stay as they are.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
reuse_clang

# suggest FILE: the titles and diffs of its fixes in `out`; the file is not touched.
suggest() {
  cp "$1" before.txt
  run "$HGRD_CHECK" -q --suggest-fixes "$@"
  same "$1" before.txt
}
# mends FILE PATTERN: the fix is offered, and a file that is changed by its diff has no finding.
mends() {
  suggest "$1"
  status_is 1 # what was found is told all the same
  has out "proved fix: $2"
  # Findings of one mistake are mended by one change, which stands at each of them.
  sed -n 's/^      | //p' out | awk '/^--- / { n++ } n == 1' >fix.diff
  cp "$1" "fixed_$1"
  patch -s "fixed_$1" fix.diff || complain "the diff of $1 does not apply"
  run "$HGRD_CHECK" -q "fixed_$1"
  status_is 0
}
# stays FILE PATTERN: nothing is offered.
stays() {
  suggest "$1"
  has out "$2"
  has_not out 'proved fix'
}

# ---- barriers
cat >reverse.cu <<'CU'
__global__ void reverse(int *a) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  tile[t] = a[blockIdx.x * 256 + t];
  a[blockIdx.x * 256 + t] = tile[255 - t];
}
int main() {
  int *d;
  cudaMalloc(&d, 1024 * sizeof(int));
  reverse<<<4, 256>>>(d);
}
CU
mends reverse.cu 'insert __syncthreads\(\) before line 5'

# In a branch that some threads do not take no barrier may stand.
sed 's/  tile\[t\] = .*/  if (t < 100) {\n&/; s/255 - t\];/99 - t];\n  }/' reverse.cu >branch.cu
stays branch.cu 'no fix: [0-9]+ changes? tried'

# Between two rounds of a loop; a loop's one statement gets braces.
cat >rounds.cu <<'CU'
__global__ void rounds(int *a) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  tile[t] = a[t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (t < half) tile[t] += tile[t + half];
  if (t == 0) a[0] = tile[0];
}
int main() {
  int *d;
  cudaMalloc(&d, 256 * sizeof(int));
  rounds<<<1, 256>>>(d);
}
CU
mends rounds.cu 'insert __syncthreads\(\) at the end of the loop at line 6'
has fixed_rounds.cu '    \{ if \(t < half\) tile\[t\] \+= tile\[t \+ half\]; __syncthreads\(\); \}'

# Lanes of one warp need no more than a barrier of the warp.
sed 's/256/32/g; s/255/31/' reverse.cu >lanes.cu
mends lanes.cu 'insert __syncwarp\(\) before line 5'

# Through a call: the barrier stands in the kernel, between the two calls.
cat >calls.cu <<'CU'
__device__ void put(int *tile, int value) { tile[threadIdx.x] = value; }
__device__ int take(const int *tile) { return tile[255 - threadIdx.x]; }
__global__ void reverse(int *a) {
  __shared__ int tile[256];
  put(tile, a[threadIdx.x]);
  a[threadIdx.x] = take(tile);
}
int main() {
  int *d;
  cudaMalloc(&d, 256 * sizeof(int));
  reverse<<<1, 256>>>(d);
}
CU
mends calls.cu 'insert __syncthreads\(\) before line 6'

# A barrier that some go round leaves the branch, if what is behind it can be asked for again.
cat >divergent.cu <<'CU'
__global__ void add_left(float *data, int n) {
  __shared__ float value[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < n) {
    value[t] = data[i];
    __syncthreads();
    if (t > 0) data[i] += value[t - 1];
  }
  __syncthreads();
  value[127 - t] = t;
}
int main(int argc, char **argv) {
  float *d;
  cudaMalloc(&d, 4096 * argc);
  add_left<<<8, 128>>>(d, 100 * argc);
}
CU
mends divergent.cu 'split the branch at line 4 around __syncthreads\(\)'
sed 's/    value\[t\] = data\[i\];/&\n    n = 0;/' divergent.cu >changed.cu
stays changed.cu 'no fix'

# ---- the access itself
cat >histogram.cu <<'CU'
__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[data[i]] += 1;
}
int main() {
  unsigned char *data;
  unsigned *bins;
  cudaMalloc(&data, 4096);
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  histogram<<<16, 256>>>(data, bins, 4096);
}
CU
mends histogram.cu 'update by an atomic operation at line 3'
has fixed_histogram.cu 'if \(i < n\) atomicAdd\(&bins\[data\[i\]\], 1\);'
# No atomic operation divides.
sed 's/+= 1/\/= 2/' histogram.cu >divides.cu
stays divides.cu 'no fix'

# ---- fences, scopes, locks: what tells others, and who learns
cat >fence.cu <<'CU'
__global__ void pass(int *data, int *flag) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 7;
    atomicExch(flag, 1);
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    data[1] = data[0];
  }
}
int main() {
  int *data, *flag;
  cudaMalloc(&data, 64);
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  pass<<<2, 32>>>(data, flag);
}
CU
mends fence.cu 'insert __threadfence\(\) behind line 3'
sed 's/    atomicExch/    __threadfence_block();\n&/' fence.cu >narrow.cu
mends narrow.cu 'use device scope in the block at line 2'
sed 's/    __threadfence();//; s/    atomicExch/    __threadfence();\n&/' fence.cu >acquire.cu
mends acquire.cu 'insert __threadfence\(\) before line 11'
sed 's/while (atomicAdd(flag, 0) == 0)/if (threadIdx.x > 99)/' fence.cu >nobody.cu # who does not wait is not helped by a fence
stays nobody.cu 'no fix'
cat >count.cu <<'CU'
__global__ void count(int *total) { atomicAdd_block(total, 1); }
int main() {
  int *d;
  cudaMalloc(&d, 4);
  count<<<8, 64>>>(d);
}
CU
mends count.cu 'use device scope at line 1'
sed '1i #define ADD atomicAdd_block' count.cu | sed 's/{ atomicAdd_block/{ ADD/' >macro.cu
stays macro.cu 'no fix: no change of the text is known'
cat >lock.cu <<'CU'
__global__ void add(int *lock, int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += blockIdx.x;
    *lock = 0;
  }
}
int main() {
  int *lock, *sum;
  cudaMalloc(&lock, 4);
  cudaMalloc(&sum, 4);
  cudaMemset(lock, 0, 4);
  add<<<8, 64>>>(lock, sum);
}
CU
mends lock.cu 'give the lock back by an atomic operation at line 7'
sed 's/\*lock = 0;/*lock = threadIdx.x;/' lock.cu >value.cu
suggest value.cu # what it gives back is not seen to be free
has_not out 'proved fix: give the lock back'
has out 'proved fix: store by an atomic operation at line 7'

# ---- one thread stores what all store; not where only some come to the store
cat >clear.cu <<'CU'
__global__ void clear(int *found) { *found = 0; }
int main() {
  int *d;
  cudaMalloc(&d, 4);
  clear<<<1, 64>>>(d);
}
CU
suggest clear.cu
has out 'proved fix: let one thread store at line 1'
sed 's/(int \*found) {/(int *found, const int *data) { if (data[threadIdx.x] > 0)/; s/(d)/(d, d + 1)/; s/&d, 4/\&d, 400/' clear.cu >some.cu
stays some.cu 'same value'

# ---- threads beyond the end, and what the host has to guarantee
cat >rows.cu <<'CU'
__global__ void scale(float *image, int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  image[blockIdx.y * width + column] *= 2;
}
void scale_rows(float *d, int width, int height) { scale<<<dim3((width + 255) / 256, height), 256>>>(d, width); }
CU
mends rows.cu 'leave out threads beyond width at line 3'
cat >mirror.cu <<'CU'
#include <cstdlib>
__global__ void mirror(float *a, int rows, int cols) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row < rows && col < row && col < cols) a[col * cols + row] = a[row * cols + col];
}
void run(float *d_a, int rows, int cols) {
  mirror<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(d_a, rows, cols);
}
CU
suggest mirror.cu
has out 'proved if the host guarantees it: assert before the launch at line 7 that rows <= cols'
has out '\| \+#include <cassert>'
has out '\| \+  assert\(rows <= cols\);'

# ---- in JSON, with places; without the option there is no word of fixes
run "$HGRD_CHECK" --suggest-fixes --format=json reverse.cu
status_is 1
has out '"fixesTried": 1'
has out '"title": "insert __syncthreads\(\) before line 5"'
has out '"text": "  __syncthreads\(\);\\n"'
has out '"startLine": 5'
run "$HGRD_CHECK" --format=json reverse.cu
has_not out '"fixes'
run "$HGRD_CHECK" -v --suggest-fixes branch.cu
has err 'note: no fix: insert __syncthreads\(\) before line [0-9]+: .*new finding \(barrier-divergence\)'

# ---- files that are not the user's to change
mkdir -p elsewhere here
sed -n 1,6p reverse.cu >elsewhere/kernel.cuh
{ echo '#include "../elsewhere/kernel.cuh"' && sed -n '7,$p' reverse.cu; } >here/main.cu
stays here/main.cu 'no fix: no change of the text is known'
cp elsewhere/kernel.cuh here/kernel.cuh
sed -i 's|../elsewhere/||' here/main.cu
suggest here/main.cu
has out 'proved fix: insert __syncthreads\(\) before line 5'
has out '\| --- here/kernel.cuh'

# ---- it asks for a whole run
for other in --dump=ir --shard=1/2 -c; do
  run "$HGRD_CHECK" --suggest-fixes $other reverse.cu
  status_is 2 && has err 'leave out --shard'
done

# ---- made in the files: one after the other, and what cannot be mended stays
cat >two.cu <<'CU'
__global__ void two(int *a, unsigned *bins, const unsigned char *data) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  tile[t] = a[blockIdx.x * 256 + t];
  a[blockIdx.x * 256 + t] = tile[255 - t];
  bins[data[t]]++;
  if (t < 100) {
    tile[t] = 1;
    a[blockIdx.x * 256 + t] = tile[99 - t];
  }
}
int main() {
  int *d;
  unsigned char *data;
  unsigned *bins;
  cudaMalloc(&d, 1024 * sizeof(int));
  cudaMalloc(&data, 4096);
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  two<<<4, 256>>>(d, bins, data);
}
CU
cp two.cu original.cu
# What mends two findings is told at both, and costs one trial.
run "$HGRD_CHECK" -q -v --suggest-fixes two.cu
[[ $(grep -c 'proved fix: insert __syncthreads() before line 5' out) -eq 2 ]] || complain 'a fix of two findings'
# The change itself is shown once, and named at the other one; forms for programs have it at both.
[[ $(grep -c '@@ -2,6 +2,7 @@' out) -eq 1 ]] || complain 'one change is shown twice, or not at all'
has out 'two.cu:[0-9]+:.* note: proved fix: insert __syncthreads\(\) before line 5, the change shown at two.cu:[0-9]+$'
run "$HGRD_CHECK" --suggest-fixes --format=json -o two.json --format=html -o two.html two.cu
[[ $(grep -c '"title": "insert __syncthreads() before line 5"' two.json) -eq 2 ]] || complain 'JSON has the change at one finding only'
[[ $(grep -c 'Proved fix: insert __syncthreads() before line 5</summary>' two.html) -eq 1 ]] || complain 'HTML shows one change twice, or not at all'
has two.html 'the change shown at <a href="#finding-[0-9]+">finding [0-9]+</a>'
run "$HGRD_CHECK" --fix=dry-run two.cu
status_is 1 && same two.cu original.cu
has err 'two.cu:4:11: note: can be fixed: insert __syncthreads\(\) before line 5'
sed -n '/^--- two.cu/,$p' out >dry.diff
run "$HGRD_CHECK" --fix=dry-run --format=json two.cu
status_is 1 && has err '^\+\+\+ two.cu' && has_not out '^\+\+\+ '

chmod 640 two.cu
ln -s two.cu link.cu
run "$HGRD_CHECK" --fix link.cu
status_is 1 # what no barrier mends is left
has err 'note: fixed: insert __syncthreads\(\) before line 5'
has err 'note: fixed: update by an atomic operation at line 7'
has out 'link.cu:10:13: warning'
[[ -L link.cu && $(stat -c %a two.cu) == 640 ]] || complain 'a link or a mode was not kept'
cp original.cu patched.cu
patch -s patched.cu dry.diff || complain 'the diff of --fix=dry-run does not apply'
same patched.cu two.cu
[[ $(grep -c __syncthreads two.cu) -eq 2 && $(grep -c atomicAdd two.cu) -eq 1 ]] || complain 'two.cu has other changes'
# Never twice.
cp two.cu once.cu
run "$HGRD_CHECK" --fix two.cu
status_is 1 && same two.cu once.cu && has_not err 'fixed'
# All mended: nothing is left, and that is the status.
run "$HGRD_CHECK" -q --fix reverse.cu
status_is 0 && is_empty out && has reverse.cu '^  __syncthreads\(\);$'
# An assert is for people to put in.
cp mirror.cu before.txt
run "$HGRD_CHECK" --fix mirror.cu
status_is 1 && same mirror.cu before.txt

# A file that must not be written is told, and nothing is lost.
cp original.cu read_only.cu && chmod 444 read_only.cu
run "$HGRD_CHECK" --fix read_only.cu
status_is 2 && same read_only.cu original.cu
has err 'error: read_only.cu is not fixed: it is read-only' && has_not err 'note: fixed'
has out 'read_only.cu:4:11: warning'
[[ -z $(find . -name '*.cu.??????') ]] || complain 'a temporary file is left'
run "$HGRD_CHECK" --fix=perhaps two.cu
status_is 2 && has err "'perhaps' is no way to fix"
run "$HGRD_CHECK" --fix --remap-file=two.cu=original.cu two.cu
status_is 2 && has err 'neither with --remap-file'
run "$HGRD_CHECK" --fix --format=part -o x.part two.cu
status_is 2

# ---- the other forms
run "$HGRD_CHECK" --suggest-fixes --format=sarif lanes.cu
has out '"artifactChanges"' && has out '"insertedContent"' && has out '"deletedRegion"'
run "$HGRD_CHECK" --suggest-fixes --format=gitlab lanes.cu
has out 'Proved fix: insert __syncwarp\(\) before line 5.*```diff'
run "$HGRD_CHECK" --suggest-fixes --format=html lanes.cu
has out '<summary>Proved fix: insert __syncwarp\(\) before line 5</summary>'
