# The numbers of a witness are small: blocks 0 and 1, threads 0 and 1 where these race, the smallest sizes. And they do
# not depend on what else is checked in the same run.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >small.cu <<'CU'
__global__ void pairs(int *a) { a[threadIdx.x / 2] = threadIdx.x; }
__global__ void rows(int *a, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (y < h) a[y * w + x] = 1;
}
__global__ void neighbour(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[i] = a[i + 1];
}
__global__ void reversed(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[n - 1 - i] = a[i];
}
__global__ void padded(int *a, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j <= pitch; j++)
    if (i < n) a[i * pitch + j] = j;
}
__global__ void wrapped(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i % n] = i;
}
__global__ void planes(int *a, int w, int h, int d) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 4 + threadIdx.z;
  if (x < w && z < d) a[(z * h + y) * w + x] = 1;
}
__global__ void shared_step(int *out) {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void triangle(int *a, int n) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  if (i < n && j < n) a[i * (i + 1) / 2 + j] = 1;
}
__global__ void every_block(int *a) { a[threadIdx.x] = blockIdx.x; }
__global__ void masked(int *a) { a[(threadIdx.x + 1) & 63] = threadIdx.x; }
__global__ void stride(int *a, int n, int s) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * s;
  if (i < n) a[i] = 1;
}
void run(int *a, int w, int h, int d, int n, int p) {
  pairs<<<1, 64>>>(a);
  rows<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, w, h);
  neighbour<<<(n + 255) / 256, 256>>>(a, n);
  reversed<<<(n + 127) / 128, 128>>>(a, n);
  padded<<<(n + 127) / 128, 128>>>(a, n, p);
  wrapped<<<4, 64>>>(a, n);
  planes<<<dim3((w + 7) / 8, (h + 7) / 8, (d + 3) / 4), dim3(8, 8, 4)>>>(a, w, h, d);
  shared_step<<<n, 256>>>(a);
  triangle<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, n);
  every_block<<<n, 32>>>(a);
  masked<<<1, 128>>>(a);
  stride<<<(n + 63) / 64, 64>>>(a, n, p);
}
CU
numbers() { # of a file's witnesses: line, and what is said, without warps and lanes
  grep -v "witness: .* between the " out | sed -nE "s/^$1:([0-9]+):[0-9]+: note: witness: /\1: /p" | sed -E 's/ is lane [^;]*//g'
}

cat >expected <<'TEXT'
1: grid (1,1,1), block (64,1,1); thread (1,0,0) of block (0,0,0); thread (0,0,0) of block (0,0,0); both at a[0] (byte 0)
4: grid (1,2,1), block (16,16,1); thread (15,1,0) of block (0,0,0); thread (0,0,0) of block (0,1,0); both at a[16] (byte 64)
4: host values w = 1, h = 17
8: grid (2,1,1), block (256,1,1); thread (0,0,0) of block (1,0,0); thread (255,0,0) of block (0,0,0); both at a[256] (byte 1024)
8: host values n = 258
12: grid (2,1,1), block (128,1,1); thread (0,0,0) of block (1,0,0); thread (0,0,0) of block (0,0,0); both at a[0] (byte 0)
12: host values n = 129
17: grid (2,1,1), block (128,1,1); thread (0,0,0) of block (1,0,0); thread (127,0,0) of block (0,0,0); both at a[128] (byte 512)
17: host values n = 129, pitch = 1, p = 1
17: first thread with iteration of the loop at line 16 = 0; second thread with iteration of the loop at line 16 = 1
21: grid (4,1,1), block (64,1,1); thread (0,0,0) of block (0,0,0); thread (0,0,0) of block (1,0,0); both at a[0] (byte 0)
21: host values n = 1
25: grid (1,1,2), block (8,8,4); thread (0,4,0) of block (0,0,0); thread (0,0,0) of block (0,0,1); both at a[4] (byte 16)
25: host values w = 1, h = 1, d = 5
29: grid (1,1,1), block (256,1,1); thread (128,0,0) of block (0,0,0); thread (127,0,0) of block (0,0,0); both at s[128] (byte 512)
29: host values n = 1
34: grid (2,2,1), block (16,16,1); thread (6,4,0) of block (0,0,0); thread (0,0,0) of block (1,0,0); both at a[16] (byte 64)
34: host values n = 17
36: grid (2,1,1), block (32,1,1); thread (0,0,0) of block (0,0,0); thread (0,0,0) of block (1,0,0); both at a[0] (byte 0)
36: host values n = 2
37: grid (1,1,1), block (128,1,1); thread (64,0,0) of block (0,0,0); thread (0,0,0) of block (0,0,0); both at a[1] (byte 4)
40: grid (2,1,1), block (64,1,1); thread (0,0,0) of block (0,0,0); thread (0,0,0) of block (1,0,0); both at a[0] (byte 0)
40: host values n = 65, s = 0, p = 0
TEXT
run "$HGRD_CHECK" -v small.cu
status_is 1
numbers small.cu >got
same expected got

# Two programs, each with its main, one after the other and together.
cp "$HGRD_ROOT"/examples/{histogram_without_atomics,mirror_missing_assert}.cu .
for file in histogram_without_atomics.cu mirror_missing_assert.cu small.cu; do
  run "$HGRD_CHECK" -v $file
  status_is 1
  numbers $file
done >alone
[[ -s alone ]] || complain "no witness"
run "$HGRD_CHECK" -v histogram_without_atomics.cu mirror_missing_assert.cu small.cu
status_is 1
for file in histogram_without_atomics.cu mirror_missing_assert.cu small.cu; do numbers $file; done >together
same alone together

# What memory would have to hold is said of arrays by their names, whether or not the kernel writes them.
cat >contents.cu <<'CU'
__global__ void listed(int *data, int *place, int *count, const int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  place[i] = i;
  data[place[from[i]]] = i;
  data[atomicExch(count, i)] = i;
}
CU
run "$HGRD_CHECK" -v contents.cu
status_is 1
for text in "value of 'place' read at line 4 = " "old value of 'count' at line 5 = " "from\[[0-9]*\] = "; do
  grep -q "needs the memory contents .*$text" out || complain "not told: $text"
done

# A pointer's number says no more than that it is not null; that of an integer in its place is told.
cat >asked.cu <<'CU'
__global__ void by_pointer(int *asked, int n) { if (asked) asked[threadIdx.x / 2] = n + threadIdx.x; }
__global__ void by_number(int *a, int asked, int n) { if (asked) a[threadIdx.x / 2] = n + threadIdx.x; }
void run(int *asked, int n) { by_pointer<<<1, 32>>>(asked, n); }
void run(int *a, int asked, int n) { by_number<<<1, 32>>>(a, asked, n); }
CU
run "$HGRD_CHECK" asked.cu
status_is 1
has out '^asked.cu:1:.*witness: host values n = 0$'
has out '^asked.cu:2:.*witness: host values asked = [0-9-]*[1-9][0-9]*, n = 0$'

# By which way the host came to a vector's bytes is a value of the model, and none that the program names.
cat >ways.cu <<'CU'
#include <cstdlib>
#include <vector>
__global__ void count(const unsigned char *in, unsigned *out, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[in[i]] += 1;
}
int main(int argc, char **argv) {
  size_t n = argc > 1 ? atoi(argv[1]) : 1 << 20;
  std::vector<unsigned char> bytes(n);
  unsigned char *in;
  unsigned *out;
  cudaMalloc(&in, n);
  cudaMalloc(&out, 256 * sizeof(unsigned));
  cudaMemcpy(in, bytes.data(), n, cudaMemcpyHostToDevice);
  count<<<64, 256>>>(in, out, n);
}
CU
run "$HGRD_CHECK" ways.cu
status_is 1
has out 'witness: host values n = [0-9]+, argc = [0-9]+$'

# The iterations are those in which the accesses were made when both threads were run: the last copy alone is not awaited.
for rows in 64 9; do
  sed "s/rows = 64/rows = $rows/" "$HGRD_ROOT/examples/prefetch_not_awaited.cu" >prefetch.cu
  run "$HGRD_CHECK" prefetch.cu
  status_is 1
  loop='iteration of the loop at line 13'
  has out "witness: first thread with $loop = $((rows - 2)); second thread with $loop = $((rows - 1))$"
done

# What stood in a counter before the loop that comes round to the launch is named.
run "$HGRD_CHECK" --kernel='^one_bad$' "$HGRD_ROOT/tests/kernels/order_begun.cu"
status_is 1
has out "needs the memory contents ticket\[0\] = 1$"
