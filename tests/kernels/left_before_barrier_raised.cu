// Who asks for the rule by its name is warned of threads that have returned where others of their block wait (see
// left_before_barrier.cu), whatever the architecture; the kernel stays race-free.
//@ args: -Wbarrier-divergence
//@ verdict guarded: race-free
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
