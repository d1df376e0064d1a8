// Accesses are taken to stay inside of their objects (A7). One that is outside whenever it is made speaks against that: nothing that was refuted
// with it is a proof, and the kernel is undecided. In each pair the object is larger, or the place is inside, in the twin (ok), or that shows a
// race there (racy).
// counter: a second counter behind the first one, of an allocation for one (bad), for two (racy). beyond: behind the end of a shared array (bad),
// in it (ok). below: in front of an allocation (bad), of a pointer into it (ok). last: element n of n bytes (bad), of n + 1 words (racy). variable:
// behind a variable of the device (bad), in it (racy). never: what is outside is behind a condition that no thread fulfils (ok).
// clamped: some threads are inside, and those that meet are outside (bad), or inside (racy).
//@ verdict counter_bad: undecided
//@ verdict counter_racy: racy
//@ verdict beyond_bad: undecided
//@ verdict beyond_ok: race-free
//@ verdict below_bad: undecided
//@ verdict below_ok: race-free
//@ verdict last_bad: undecided
//@ verdict last_racy: racy
//@ verdict variable_bad: undecided
//@ verdict variable_racy: racy
//@ verdict never_ok: race-free
//@ verdict clamped_bad: racy
//@ known-miss clamped_bad: an access that is inside of its object for some threads is taken to be so for all (assumption A7 is named)
//@ verdict clamped_racy: racy
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void counter_bad(int *counts, const int *in) {
  atomicAdd(&counts[0], in[threadIdx.x]);
  counts[1] = in[threadIdx.x];
}
__global__ void counter_racy(int *counts, const int *in) {
  atomicAdd(&counts[0], in[threadIdx.x]);
  counts[1] = in[threadIdx.x]; // expect-race
}

__global__ void beyond_bad(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  s[64 + threadIdx.x / 2] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void beyond_ok(int *out) { // expect-clean
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  s[64 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void below_bad(int *out) { out[(int)threadIdx.x / 2 - 64] = threadIdx.x; }
__global__ void below_ok(int *out) { out[(int)threadIdx.x - 64] = threadIdx.x; } // expect-clean

__global__ void last_bad(int *out, int n) { out[n] = threadIdx.x; }
__global__ void last_racy(int *out, int n) { out[n] = threadIdx.x; } // expect-race

__device__ int few[16];
__global__ void variable_bad() { few[16 + threadIdx.x % 2] = threadIdx.x; }
__global__ void variable_racy() { few[14 + threadIdx.x % 2] = threadIdx.x; } // expect-race

__global__ void never_ok(int *out, int n) { // expect-clean
  if (n > 100) out[200] = threadIdx.x;
  out[threadIdx.x] = threadIdx.x;
}

__global__ void clamped_bad(int *out) { out[min(threadIdx.x, 40u)] = threadIdx.x; } // expect-race
__global__ void clamped_racy(int *out) { out[min(threadIdx.x, 40u)] = threadIdx.x; } // expect-race

int main(int argc, char **argv) {
  int n = atoi(argv[1]), *one, *two, *in, *out;
  if (n < 4) return 1;
  cudaMalloc(&one, sizeof(int));
  cudaMalloc(&two, 2 * sizeof(int));
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  counter_bad<<<1, 64>>>(one, in);
  counter_racy<<<1, 64>>>(two, in);
  beyond_bad<<<1, 64>>>(out);
  beyond_ok<<<1, 64>>>(out);
  below_bad<<<1, 64>>>(out);
  below_ok<<<1, 64>>>(out + 64);
  int *half;
  cudaMalloc(&half, 32 * sizeof(int));
  clamped_bad<<<1, 64>>>(half);
  clamped_racy<<<1, 64>>>(out);
  int *bytes, *words;
  cudaMalloc(&bytes, n);
  cudaMalloc(&words, (n + 1) * sizeof(int));
  last_bad<<<1, 64>>>(bytes, n);
  last_racy<<<1, 64>>>(words, n);
  variable_bad<<<1, 64>>>();
  variable_racy<<<1, 64>>>();
  never_ok<<<1, 64>>>(out, 64);
  cudaDeviceSynchronize();
}
