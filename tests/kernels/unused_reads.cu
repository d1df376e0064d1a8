// A read is an access, whatever becomes of what it reads: no use of the number, a use that only leads to a variable that
// nobody reads, a use on a way that an argument settles. Each `_ok` twin has the barrier.
//@ verdict plain_bad: racy
//@ verdict plain_ok: race-free
//@ verdict larger_bad: racy
//@ verdict larger_ok: race-free
//@ verdict settled_bad: racy
//@ verdict settled_ok: race-free
//@ verdict whole_bad: racy
//@ verdict whole_ok: race-free
#include <cuda_runtime.h>

__device__ int chosen(int mode, int value) {
  if (mode == 2) return value * 2;
  return 7;
}

struct Pair {
  int a, b;
};

__global__ void plain_bad() {
  __shared__ int s[256];
  int mode = 2; // its branch is settled, and what nobody uses may be left out then
  if (mode == 2) s[threadIdx.x] = threadIdx.x; // expect-race(intra-warp)
  int v = s[threadIdx.x ^ 1]; // expect-race(intra-warp)
}
__global__ void plain_ok() { // expect-clean
  __shared__ int s[256];
  int mode = 2; // its branch is settled, and what nobody uses may be left out then
  if (mode == 2) s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int v = s[threadIdx.x ^ 1];
}

__global__ void larger_bad() {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x; // expect-race(intra-warp)
  int v = max(s[threadIdx.x ^ 1] << 1, 7 / 1); // expect-race(intra-warp)
}
__global__ void larger_ok() { // expect-clean
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int v = max(s[threadIdx.x ^ 1] << 1, 7 / 1);
}

__global__ void settled_bad() {
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x; // expect-race(intra-warp)
  int v = chosen(1, s[threadIdx.x ^ 1]); // expect-race(intra-warp)
}
__global__ void settled_ok() { // expect-clean
  __shared__ int s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int v = chosen(1, s[threadIdx.x ^ 1]);
}

__global__ void whole_bad() {
  __shared__ Pair s[256];
  s[threadIdx.x].b = threadIdx.x; // expect-race(intra-warp)
  Pair v = s[threadIdx.x ^ 1]; // expect-race(intra-warp)
}
__global__ void whole_ok() { // expect-clean
  __shared__ Pair s[256];
  s[threadIdx.x].b = threadIdx.x;
  __syncthreads();
  Pair v = s[threadIdx.x ^ 1];
}

int main() {
  plain_bad<<<1, 256>>>();
  plain_ok<<<1, 256>>>();
  larger_bad<<<1, 256>>>();
  larger_ok<<<1, 256>>>();
  settled_bad<<<1, 256>>>();
  settled_ok<<<1, 256>>>();
  whole_bad<<<1, 256>>>();
  whole_ok<<<1, 256>>>();
}
