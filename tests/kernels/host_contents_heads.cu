// Who begins a run of equal keys writes to the key's place, and learns the key before its own from shared memory: each
// thread leaves its key one place further on, the first one of a block leaves the last key of the block before. Each `_bad`
// twin differs by one thing.
//   heads: the twin's keys are not sorted.
//   first: the twin's blocks leave 0 in place of the key before.
//   fenced: the twin has no barrier between leaving and reading the keys.
//   apart: a thread whose key differs from the one before; the twin asks whether it is the same.
//@ verdict heads_ok: race-free
//@ verdict heads_bad: racy
//@ verdict first_ok: race-free
//@ verdict first_bad: racy
//@ verdict fenced_ok: race-free
//@ verdict fenced_bad: racy
//@ verdict apart_ok: race-free
//@ verdict apart_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>

enum { THREADS = 128 };

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ void heads(const int *key, int *first, int n) {
  __shared__ int before[THREADS + 1];
  int i = thread_number(), own = 0;
  if (i < n) {
    own = key[i];
    before[threadIdx.x + 1] = own;
    if (i > 0 && threadIdx.x == 0) before[0] = key[i - 1];
  }
  __syncthreads();
  if (i < n && (i == 0 || own != before[threadIdx.x])) first[own] = i; // expect-race
}
__global__ void heads_ok(const int *key, int *first, int n) { heads(key, first, n); } // expect-clean
__global__ void heads_bad(const int *key, int *first, int n) { heads(key, first, n); }

__global__ void first_ok(const int *key, int *first, int n) { // expect-clean
  __shared__ int before[THREADS + 1];
  int i = thread_number(), own = i < n ? key[i] : 0;
  before[threadIdx.x + 1] = own;
  if (threadIdx.x == 0) before[0] = i > 0 && i <= n ? key[i - 1] : 0;
  __syncthreads();
  if (i < n && (i == 0 || own != before[threadIdx.x])) first[own] = i;
}
__global__ void first_bad(const int *key, int *first, int n) {
  __shared__ int before[THREADS + 1];
  int i = thread_number(), own = i < n ? key[i] : 0;
  before[threadIdx.x + 1] = own;
  if (threadIdx.x == 0) before[0] = 0;
  __syncthreads();
  if (i < n && (i == 0 || own != before[threadIdx.x])) first[own] = i; // expect-race
}

__device__ void fenced(const int *key, int *first, int n, bool waits) {
  __shared__ int before[THREADS + 1];
  int i = thread_number(), own = 0;
  if (i < n) {
    own = key[i];
    before[threadIdx.x + 1] = own; // expect-race
    if (i > 0 && threadIdx.x == 0) before[0] = key[i - 1];
  }
  if (waits) __syncthreads();
  if (i < n && (i == 0 || own != before[threadIdx.x])) first[own] = i; // expect-race
}
__global__ void fenced_ok(const int *key, int *first, int n) { fenced(key, first, n, true); } // expect-clean
__global__ void fenced_bad(const int *key, int *first, int n) { fenced(key, first, n, false); }

__device__ void apart(const int *key, int *first, int n, bool differs) {
  __shared__ int before[THREADS + 1];
  int i = thread_number(), own = 0;
  if (i < n) {
    own = key[i];
    before[threadIdx.x + 1] = own;
    if (threadIdx.x == 0) before[0] = i > 0 ? key[i - 1] : -1;
  }
  __syncthreads();
  if (i < n && (own != before[threadIdx.x]) == differs) first[own] = i; // expect-race
}
__global__ void apart_ok(const int *key, int *first, int n) { apart(key, first, n, true); } // expect-clean
__global__ void apart_bad(const int *key, int *first, int n) { apart(key, first, n, false); }

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  int n = atoi(argv[1]), blocks = (n + THREADS - 1) / THREADS, *key, *mixed, *out;
  cudaMalloc((void **)&key, n * sizeof(int));
  cudaMalloc((void **)&mixed, n * sizeof(int));
  cudaMalloc((void **)&out, n * 100 * sizeof(int));
  thrust::device_ptr<int> begin(key);
  thrust::sort(begin, begin + n);
  heads_ok<<<blocks, THREADS>>>(key, out, n);
  heads_bad<<<blocks, THREADS>>>(mixed, out, n);
  first_ok<<<blocks, THREADS>>>(key, out, n);
  first_bad<<<blocks, THREADS>>>(key, out, n);
  fenced_ok<<<blocks, THREADS>>>(key, out, n);
  fenced_bad<<<blocks, THREADS>>>(key, out, n);
  apart_ok<<<blocks, THREADS>>>(key, out, n);
  apart_bad<<<blocks, THREADS>>>(key, out, n);
  return 0;
}
