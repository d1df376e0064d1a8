// Each thread draws a place in one of sixteen buckets, of which each has a counter in global memory and room for a number of elements: no more
// are drawn from a counter than there are elements (guarded_ok, strided_ok), or threads (threads_ok), if it begins at zero. less: room for one
// element less [less]. twice: two places for an element [twice]. steps: places two apart [steps]. again: the counters are not set back from the
// launch before, (kept_ok) they are. From both ends of one list, by two counters in memory that begin at zero (ends_ok), or where the launch before
// has left them (ends_bad).
//@ verdict guarded_ok: race-free
//@ verdict strided_ok: race-free
//@ verdict threads_ok: race-free
//@ verdict less_bad: racy
//@ verdict twice_bad: racy
//@ verdict steps_bad: racy
//@ verdict kept_ok: race-free
//@ verdict again_bad: racy
//@ known-undecided again_bad: the reason names the launch that left the counters as they are
//@ verdict ends_ok: race-free
//@ verdict ends_bad: racy
//@ known-undecided ends_bad: likewise
#include <cstdlib>
#include <cuda_runtime.h>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void guarded_ok(const int *key, int *counts, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i >= n) return;
  int bucket = key[i] & 15;
  out[bucket * n + atomicAdd(&counts[bucket], 1)] = i;
}
__global__ void strided_ok(const int *key, int *counts, int *out, int n) { // expect-clean
  for (int i = thread_number(); i < n; i += gridDim.x * blockDim.x) {
    int bucket = key[i] & 15;
    out[bucket * n + atomicAdd(&counts[bucket], 1)] = i;
  }
}
__global__ void threads_ok(const int *key, int *counts, int *out, int room) { // expect-clean
  int bucket = key[thread_number()] & 15;
  out[bucket * room + atomicAdd(&counts[bucket], 1)] = thread_number();
}
__global__ void less_bad(const int *key, int *counts, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  int bucket = key[i] & 15;
  out[bucket * (n - 1) + atomicAdd(&counts[bucket], 1)] = i; // expect-race[less]
}
__global__ void twice_bad(const int *key, int *counts, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  int bucket = key[i] & 15;
  out[bucket * n + atomicAdd(&counts[bucket], 1)] = i; // expect-race[twice]
  out[bucket * n + atomicAdd(&counts[bucket], 1)] = i; // expect-race[twice]
}
__global__ void steps_bad(const int *key, int *counts, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  int bucket = key[i] & 15;
  out[bucket * n + atomicAdd(&counts[bucket], 2)] = i; // expect-race[steps]
}
__global__ void kept_ok(const int *key, int *counts, int *out, int n) { // expect-clean
  int i = thread_number();
  if (i >= n) return;
  int bucket = key[i] & 15;
  out[bucket * n + atomicAdd(&counts[bucket], 1)] = i;
}
__global__ void again_bad(const int *key, int *counts, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  int bucket = key[i] & 15;
  out[bucket * n + atomicAdd(&counts[bucket], 1)] = i; // expect-race[again]
}

__device__ void fill(const int *key, int *left, int *right, int *out, int n) {
  int i = thread_number();
  if (i >= n) return;
  if (key[i] < 5)
    out[atomicAdd(left, 1)] = i;
  else
    out[n - 1 - atomicAdd(right, 1)] = i;
}
__global__ void ends_ok(const int *key, int *left, int *right, int *out, int n) { fill(key, left, right, out, n); } // expect-clean
__global__ void ends_bad(const int *key, int *left, int *right, int *out, int n) { fill(key, left, right, out, n); }

int main(int argc, char **argv) {
  int n = atoi(argv[1]), blocks = (n + 255) / 256, *key, *counts, *out, *left, *right;
  cudaMalloc(&key, 4096 * sizeof(int));
  cudaMalloc(&counts, 16 * sizeof(int));
  cudaMalloc(&out, 65536 * sizeof(int));
  cudaMalloc(&left, sizeof(int));
  cudaMalloc(&right, sizeof(int));
  auto begin = [=] { cudaMemset(counts, 0, 16 * sizeof(int)); };
  begin();
  guarded_ok<<<blocks, 256>>>(key, counts, out, n);
  begin();
  strided_ok<<<8, 256>>>(key, counts, out, n);
  begin();
  threads_ok<<<16, 256>>>(key, counts, out, 4096);
  begin();
  less_bad<<<blocks, 256>>>(key, counts, out, n);
  begin();
  twice_bad<<<blocks, 256>>>(key, counts, out, n);
  begin();
  steps_bad<<<blocks, 256>>>(key, counts, out, n);
  for (int round = 0; round < argc; round++) {
    begin();
    kept_ok<<<blocks, 256>>>(key, counts, out, n);
  }
  begin();
  for (int round = 0; round < argc; round++)
    again_bad<<<blocks, 256>>>(key, counts, out, n);
  cudaMemset(left, 0, sizeof(int));
  cudaMemset(right, 0, sizeof(int));
  ends_ok<<<blocks, 256>>>(key, left, right, out, n);
  cudaMemset(left, 0, sizeof(int));
  cudaMemset(right, 0, sizeof(int));
  for (int round = 0; round < argc; round++)
    ends_bad<<<blocks, 256>>>(key, left, right, out, n);
  cudaDeviceSynchronize();
}
