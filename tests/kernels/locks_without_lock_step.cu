// The first lane of each warp takes a lock for all of them. From sm_70 on the others may be elsewhere meanwhile [alone], unless
// barriers of the warp stand around what they do under the lock (ok).
//@ args: --arch=70
//@ verdict alone_bad: racy
//@ verdict with_ok: race-free
#include <cuda_runtime.h>

enum { BLOCKS = 4 };

struct Counter {
  int locked;
  volatile int number;
};

__device__ void take(Counter *counter, bool is_mine) {
  if (is_mine)
    while (atomicCAS(&counter->locked, 0, 1) != 0) {
    }
  __threadfence();
}

__device__ void give(Counter *counter, bool is_mine) {
  if (!is_mine) return;
  __threadfence();
  atomicExch(&counter->locked, 0);
}

template <bool TOGETHER> __device__ void count(Counter *counter, int *out) {
  int first = threadIdx.x % 32 == 0;
  take(counter, first);
  if (TOGETHER) __syncwarp();
  int number = counter->number; // expect-race[alone]
  if (TOGETHER) __syncwarp();
  if (first) counter->number = number + 1; // expect-race[alone]
  give(counter, first);
  out[blockIdx.x * blockDim.x + threadIdx.x] = number;
}

__global__ void alone_bad(Counter *counter, int *out) { count<false>(counter, out); }
__global__ void with_ok(Counter *counter, int *out) { count<true>(counter, out); } // expect-clean

int main() {
  int *out;
  Counter *counter;
  cudaMalloc((void **)&out, BLOCKS * 64 * sizeof(int));
  cudaMalloc((void **)&counter, sizeof *counter);
  cudaMemset(counter, 0, sizeof *counter);
  alone_bad<<<BLOCKS, 64>>>(counter, out);
  with_ok<<<BLOCKS, 64>>>(counter, out);
  return 0;
}
