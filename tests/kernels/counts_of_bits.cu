// What counts the bits of a word lies between none and all of them: __clz and __popc of 32 bits are 33 different
// numbers, __popcll of 64 bits 65. Each thread counts how often it has met which number, in a part of its own.
//   leading_ok, set_ok, wide_ok:     a part has that many places.
//   leading_bad, set_bad, wide_bad:  one place less, so that the last number of a part is the first of the next.
//   kept_ok, kept_bad:               the number has passed through shared memory; a part is half as long (bad).
//@ verdict leading_ok: race-free
//@ verdict leading_bad: racy
//@ verdict set_ok: race-free
//@ verdict set_bad: racy
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
#include <cuda_runtime.h>

enum Kind { LEADING, SET, WIDE };
template <Kind KIND> __device__ int number_of(const unsigned long long *x, int i) {
  if (KIND == LEADING) return __clz((unsigned)x[i]);
  if (KIND == SET) return __popc((unsigned)x[i]);
  return __popcll(x[i]);
}
template <Kind KIND, int PLACES> __device__ void meet(const unsigned long long *x, int *met, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  for (int i = 0; i < n; i++)
    met[t * PLACES + number_of<KIND>(x, t * n + i)] += 1; // expect-race[met]
}
__global__ void leading_ok(const unsigned long long *x, int *met, int n) { meet<LEADING, 33>(x, met, n); } // expect-clean
__global__ void leading_bad(const unsigned long long *x, int *met, int n) { meet<LEADING, 32>(x, met, n); }
__global__ void set_ok(const unsigned long long *x, int *met, int n) { meet<SET, 33>(x, met, n); } // expect-clean
__global__ void set_bad(const unsigned long long *x, int *met, int n) { meet<SET, 32>(x, met, n); }
__global__ void wide_ok(const unsigned long long *x, int *met, int n) { meet<WIDE, 65>(x, met, n); } // expect-clean
__global__ void wide_bad(const unsigned long long *x, int *met, int n) { meet<WIDE, 64>(x, met, n); }

template <int PLACES> __device__ void kept(const unsigned *x, int *met) {
  __shared__ int numbers[256];
  int t = blockIdx.x * 256 + threadIdx.x;
  numbers[threadIdx.x] = __popc(x[t]);
  __syncthreads();
  met[t * PLACES + numbers[255 - threadIdx.x]] += 1; // expect-race[kept]
}
__global__ void kept_ok(const unsigned *x, int *met) { kept<33>(x, met); } // expect-clean
__global__ void kept_bad(const unsigned *x, int *met) { kept<16>(x, met); }

int main(int argc, char **argv) {
  unsigned long long *x;
  int *met, n = argc;
  cudaMalloc(&x, 64 * 256 * 8 * n);
  cudaMalloc(&met, 64 * 256 * 66 * 4);
  leading_ok<<<64, 256>>>(x, met, n);
  leading_bad<<<64, 256>>>(x, met, n);
  set_ok<<<64, 256>>>(x, met, n);
  set_bad<<<64, 256>>>(x, met, n);
  wide_ok<<<64, 256>>>(x, met, n);
  wide_bad<<<64, 256>>>(x, met, n);
  kept_ok<<<64, 256>>>((unsigned *)x, met);
  kept_bad<<<64, 256>>>((unsigned *)x, met);
}
