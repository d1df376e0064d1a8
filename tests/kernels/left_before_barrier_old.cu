// Below sm_70 a barrier waits for all threads of the block, also for those that have returned: a mistake, and what the
// barrier would have ordered is open (see left_before_barrier.cu).
//@ args: --arch=sm_60
//@ verdict guarded: undecided
//@ verdict inside: race-free
//@ status: 1
#include <cuda_runtime.h>

__global__ void guarded(const int *x, int *out, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = x[i];
    __syncthreads(); // expect-divergence {{definite}}
    out[i] = s[threadIdx.x ^ 32];
  }
}

__global__ void inside(const int *x, int *out, int n) { // expect-clean
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) s[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x ^ 32];
}

void run(const int *x, int n) {
  if (n < 1) return;
  int *out;
  cudaMalloc(&out, n * sizeof(int));
  guarded<<<(n + 255) / 256, 256>>>(x, out, n);
  inside<<<(n + 255) / 256, 256>>>(x, out, n);
}
