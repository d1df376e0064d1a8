// Product of matrices with the inner dimension in pieces: blocks with one (x, y) and different z add their products to one tile of C,
// each under the lock of the tile, which thread 0 takes and gives back for its block, with fences and block barriers around.
// Within a block each thread has its own element, as m is a multiple of 16 and the grid has m / 16 columns.
// Broken: no fence before the lock is given back, so that what a block wrote need not be seen by the next: its read [rw]
// and its write [ww] race with another block's write.
//@ pairs: exact
//@ verdict matMul: race-free
//@ verdict matMul_broken: racy
#include <cassert>
#include <cstdlib>

__global__ void matMul(const float *a, const float *b, float *c, int *locks, int n, int m) { // expect-clean
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float part = 0;
  for (int k = blockIdx.z * 16; k < blockIdx.z * 16 + 16; k++)
    part += a[y * n + k] * b[k * m + x];
  int *lock = &locks[blockIdx.y * gridDim.x + blockIdx.x];
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  float old = c[y * m + x];
  c[y * m + x] = old + part;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    atomicExch(lock, 0);
}

__global__ void matMul_broken(const float *a, const float *b, float *c, int *locks, int n, int m) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float part = 0;
  for (int k = blockIdx.z * 16; k < blockIdx.z * 16 + 16; k++)
    part += a[y * n + k] * b[k * m + x];
  int *lock = &locks[blockIdx.y * gridDim.x + blockIdx.x];
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  float old = c[y * m + x];  // expect-race[rw](inter-block) {{cause=missing-fence}}
  c[y * m + x] = old + part; // expect-race[rw](inter-block) {{cause=missing-fence}} expect-race[ww](inter-block) {{cause=missing-fence}}
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    atomicExch(lock, 0);
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]);
  assert(rows % 16 == 0 && n % 16 == 0 && m % 16 == 0);
  assert(rows > 0 && n > 0 && m > 0);
  float *a, *b, *c;
  int *locks;
  cudaMalloc((void **)&a, rows * n * sizeof(float));
  cudaMalloc((void **)&b, n * m * sizeof(float));
  cudaMalloc((void **)&c, rows * m * sizeof(float));
  cudaMalloc((void **)&locks, rows / 16 * (m / 16) * sizeof(int));
  cudaMemset(c, 0, rows * m * sizeof(float));
  cudaMemset(locks, 0, rows / 16 * (m / 16) * sizeof(int));
  dim3 block(16, 16), grid(m / 16, rows / 16, n / 16);
  matMul<<<grid, block>>>(a, b, c, locks, n, m);
  matMul_broken<<<grid, block>>>(a, b, c, locks, n, m);
  return 0;
}
