// A host loop that clears one of several flags before each launch: the one that the kernel of this round waits for (ok), or another one (bad), so
// that a flag is up from the round before. turned: of two flags in turn. swapped: by two pointers that change places.
//@ verdict same_ok: race-free
//@ verdict other_bad: racy
//@ verdict turned_ok: race-free
//@ verdict turned_bad: racy
//@ verdict swapped_ok: race-free
//@ known-undecided swapped_ok: that the flag of this round is the one that was cleared is not followed through the pointers
//@ verdict swapped_bad: racy
#include <cuda_runtime.h>
#include <utility>

__device__ void pass_on(int *data, volatile int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 5; // expect-race[data]
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race[data]
  }
}
__global__ void same_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void other_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void turned_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void turned_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void swapped_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void swapped_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }

static void clear(int *const *flags) {
  for (int i = 0; i < 2; i++)
    cudaMemset(flags[i], 0, 4);
}

int main(int argc, char **argv) {
  int *data, *out, *flags[2], *own[2], *other[2];
  cudaMalloc(&data, 64);
  cudaMalloc(&out, 64);
  for (int i = 0; i < 2; i++) {
    cudaMalloc(&flags[i], 64);
    cudaMalloc(&own[i], 64);
    cudaMalloc(&other[i], 64);
  }
  clear(flags);
  for (int i = 0; i < argc; i++) {
    cudaMemset(flags[0], 0, 4);
    same_ok<<<2, 32>>>(data, flags[0], out);
  }
  clear(flags);
  for (int i = 0; i < argc; i++) {
    cudaMemset(flags[1], 0, 4);
    other_bad<<<2, 32>>>(data, flags[0], out);
  }
  clear(own);
  for (int i = 0; i < argc; i++) {
    cudaMemset(own[i % 2], 0, 4);
    turned_ok<<<2, 32>>>(data, own[i % 2], out);
  }
  clear(own);
  for (int i = 0; i < argc; i++) {
    cudaMemset(own[i % 2], 0, 4);
    turned_bad<<<2, 32>>>(data, own[0], out);
  }
  clear(other);
  int *now = other[0], *next = other[1];
  for (int i = 0; i < argc; i++) {
    cudaMemset(now, 0, 4);
    swapped_ok<<<2, 32>>>(data, now, out);
    std::swap(now, next);
  }
  clear(other);
  for (int i = 0; i < argc; i++) {
    cudaMemset(next, 0, 4);
    swapped_bad<<<2, 32>>>(data, other[0], out);
    std::swap(now, next);
  }
}
