// A lock that is tried once: the fence behind it stands under the test of whether it was taken, the work under a second test of
// the same (ok). Without the fence (bad); under the contrary (other).
//@ verdict tried_ok: race-free
//@ verdict tried_bad: racy
//@ verdict tried_other: racy
#include <cuda_runtime.h>

__device__ int lock, sum;

__global__ void tried_ok(int n) { // expect-clean
  if (threadIdx.x) return;
  bool got = atomicCAS(&lock, 0, 1) == 0;
  if (got) __threadfence();
  n += blockIdx.x;
  if (got) {
    sum += n;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

__global__ void tried_bad(int n) {
  if (threadIdx.x) return;
  bool got = atomicCAS(&lock, 0, 1) == 0;
  n += blockIdx.x;
  if (got) {
    sum += n; // expect-race[bad] {{cause=missing-acquire-fence}}
    __threadfence();
    atomicExch(&lock, 0);
  }
}

__global__ void tried_other(int n) {
  if (threadIdx.x) return;
  bool got = atomicCAS(&lock, 0, 1) == 0;
  if (!got) __threadfence();
  n += blockIdx.x;
  if (got) {
    sum += n; // expect-race[other] {{cause=missing-acquire-fence}}
    __threadfence();
    atomicExch(&lock, 0);
  }
}

int main() {
  tried_ok<<<8, 32>>>(1);
  tried_bad<<<8, 32>>>(1);
  tried_other<<<8, 32>>>(1);
  return (int)cudaDeviceSynchronize();
}
