// A counter of 64 bits of which the lower half is read: with large amounts that half comes round after a few additions, and is what it was.
// claim: who finds zero stores; 64 threads add 1 (ok), a quarter of the half (bad). last: the last of 8 blocks to add sums up; each adds 1 (ok),
// a quarter of the half (bad: the fourth block finds three quarters, and so does the eighth).
//@ verdict claim_ok: race-free
//@ verdict claim_bad: racy
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
#include <cuda_runtime.h>
typedef unsigned long long Counter;

__device__ void claim(Counter *c, int *o, Counter amount) {
  if ((unsigned)atomicAdd(c, amount) == 0) o[0] = threadIdx.x; // expect-race[claim]
}
__global__ void claim_ok(Counter *c, int *o) { claim(c, o, 1); } // expect-clean
__global__ void claim_bad(Counter *c, int *o) { claim(c, o, 0x40000000); }
__device__ void last(Counter *c, int *part, int *o, Counter amount, unsigned wanted) {
  if (threadIdx.x) return;
  part[blockIdx.x] = 1; // expect-race[last]
  __threadfence();
  if ((unsigned)atomicAdd(c, amount) == wanted) {
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += part[i]; // expect-race[last]
    o[0] = sum; // expect-race[sum]
  }
}
__global__ void last_ok(Counter *c, int *part, int *o) { last(c, part, o, 1, 7); } // expect-clean
__global__ void last_bad(Counter *c, int *part, int *o) { last(c, part, o, 0x40000000, 0xc0000000); }

int main() {
  Counter *c;
  int *part, *o;
  cudaMalloc(&c, 32);
  cudaMalloc(&part, 64);
  cudaMalloc(&o, 64);
  cudaMemset(c, 0, 32);
  claim_ok<<<1, 64>>>(c, o);
  claim_bad<<<1, 64>>>(c + 1, o);
  last_ok<<<8, 32>>>(c + 2, part, o);
  last_bad<<<8, 32>>>(c + 3, part, o);
}
