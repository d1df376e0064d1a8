// Each thread steps through the array by the number of all threads. Stepping by the block size instead, a thread walks
// into the elements of the next block.
// wide: an int stepped by the number of all threads in 64 bits, in one step (ok) or two that make as much; one less (bad).
//@ verdict saxpy_ok: race-free
//@ verdict saxpy_bad: racy
//@ verdict wide_ok: race-free
//@ verdict two_steps_ok: race-free
//@ verdict wide_bad: racy
#include <cstdlib>

__global__ void saxpy_ok(int n, float a, const float *x, float *y) { // expect-clean
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

__global__ void saxpy_bad(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    y[i] = a * x[i] + y[i]; // expect-race {{-Winter-block-race}}
}

__global__ void wide_ok(int n, float *y) { // expect-clean
  size_t all = (size_t)gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
    y[i] = 2 * y[i];
}

__global__ void two_steps_ok(int n, float *y) { // expect-clean
  size_t rest = (size_t)gridDim.x * blockDim.x - 1;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i++, i += rest)
    y[i] = 2 * y[i];
}

__global__ void wide_bad(int n, float *y) {
  size_t all = (size_t)gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all - 1)
    y[i] = 2 * y[i]; // expect-race[next](inter-block,intra-block)
}

int main(int argc, char **argv) {
  int n = argc;
  float *x, *y;
  cudaMalloc((void **)&x, n * sizeof(float));
  cudaMalloc((void **)&y, n * sizeof(float));
  saxpy_ok<<<64, 256>>>(n, 2.0f, x, y);
  saxpy_bad<<<64, 256>>>(n, 2.0f, x, y);
  int groups = atoi(argv[1]), blocks = atoi(argv[2]);
  wide_ok<<<groups * blocks, 256>>>(n, y);
  two_steps_ok<<<groups * blocks, 256>>>(n, y);
  wide_bad<<<groups * blocks, 256>>>(n, y);
  return 0;
}
