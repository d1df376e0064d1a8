// Two digits of an index change places, where nothing says that the sizes they are taken by are positive but that a launch covers their product
// (A6): in one dimension or, for more blocks than that has, in two of about the root of them. `(n - 1) / 512 + 1` blocks are one for n = 0 too,
// so that the kernel's own test is needed, and that the word which passes it is not negative. Twins: a digit that is left out (lost), and
// as many blocks as the caller says, which cover no product (unsized: nobody knows the signs).
//@ verdict covered: race-free
//@ verdict in_two: race-free
//@ verdict lost: racy
//@ verdict unsized: undecided
#include <cmath>

__device__ int index_of() { return (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x; }
__device__ void turn(int i, const float *x, int size, int layers, float *out) {
  int s = i % size;
  i = i / size;
  int c = i % layers;
  i = i / layers;
  out[i * layers * size + s * layers + c] = x[i * layers * size + c * size + s];
}
__global__ void covered(int n, const float *x, int size, int layers, float *out) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) turn(i, x, size, layers, out);
}
__global__ void in_two(int n, const float *x, int size, int layers, float *out) { // expect-clean
  int i = index_of();
  if (i < n) turn(i, x, size, layers, out);
}
__global__ void lost(int n, const float *x, int size, int layers, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i / size / layers * layers * size + i % size * layers] = x[i]; // expect-race
}
__global__ void unsized(int n, const float *x, int size, int layers, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) turn(i, x, size, layers, out);
}

static dim3 grid_of(size_t n) {
  size_t k = (n - 1) / 512 + 1, x = k, y = 1;
  if (x > 65535) {
    x = ceil(sqrt(k));
    y = (n - 1) / (x * 512) + 1;
  }
  return dim3(x, y, 1);
}
void run(int batch, int layers, int size, int blocks, const float *x, float *out) {
  int n = size * layers * batch;
  covered<<<(n - 1) / 512 + 1, 512>>>(n, x, size, layers, out);
  in_two<<<grid_of(n), 512>>>(n, x, size, layers, out);
  lost<<<(n - 1) / 512 + 1, 512>>>(n, x, size, layers, out);
  unsized<<<blocks, 512>>>(n, x, size, layers, out);
}
