// The hash of a thread's number is where it writes. Each step of such a hash is a bijection of 32-bit words: an odd
// multiplier has an inverse modulo 2^32, and x ^ (x >> k), x + (x << k) can be undone bit after bit. So two threads
// write to one place only if their numbers are equal, which they are not. The twins lose bits on the way:
// v >> 16 and v >> 10 are 0 for the threads 0 to 1023. What is loaded may be equal for two
// threads, and then so are the hashes.
//@ verdict mixed_ok: race-free
//@ verdict mixed_bad: racy
//@ verdict steps_ok: race-free
//@ verdict steps_bad: racy
//@ verdict loaded_bad: racy
#include <cuda_runtime.h>

__global__ void mixed_ok(int *place, int n) { // expect-clean
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  unsigned v = j;
  v = ((v >> 16) ^ v) * 0x45d9f3b;
  place[v] = j;
}

__global__ void mixed_bad(int *place, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  unsigned v = j;
  v = (v >> 16) * 0x45d9f3b;
  place[v] = j; // expect-race {{warning: write}}
}

__global__ void steps_ok(int *place, int n) { // expect-clean
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  unsigned v = j;
  v += v << 10;
  v ^= v >> 6;
  v = (v << 7 | v >> 25) + 0x9e3779b9;
  v ^= v << 11;
  v = 17 - v;
  place[v] = j;
}

__global__ void steps_bad(int *place, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  unsigned v = j;
  v >>= 10;
  v ^= v >> 6;
  v = (v << 7 | v >> 25) + 0x9e3779b9;
  v ^= v << 11;
  v = 17 - v;
  place[v] = j; // expect-race {{warning: write}}
}

__device__ unsigned hash(unsigned v) {
  v = ((v >> 16) ^ v) * 0x45d9f3b;
  v = ((v >> 16) ^ v) * 0x45d9f3b;
  return (v >> 16) ^ v;
}

__global__ void loaded_bad(const int *list, int *place, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) place[hash(list[j])] = j; // expect-race {{possible}}
}

void run(const int *list, int *place, int n) {
  if (n < 1) return;
  mixed_ok<<<(n + 255) / 256, 256>>>(place, n);
  mixed_bad<<<(n + 255) / 256, 256>>>(place, n);
  steps_ok<<<(n + 255) / 256, 256>>>(place, n);
  steps_bad<<<(n + 255) / 256, 256>>>(place, n);
  loaded_bad<<<(n + 255) / 256, 256>>>(list, place, n);
}
