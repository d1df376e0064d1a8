// A library: its functions are given the flag. What they do to it before the launch counts as it does for an array that the program makes.
// One block stores and raises the flag, the other one waits for it.
// cleared: the function sets the flag to zero (ok), or to one (bad). words: the driver fills it with words that are zero (ok), or one (bad).
// given: a function that is in no file is given another array (ok), or the flag itself (bad).
// far: between the fill with zeros (ok), or ones (bad), and the launch lie the branches of checked calls.
//@ verdict cleared_ok: race-free
//@ leans cleared_ok: !A11
//@ verdict cleared_bad: racy
//@ verdict words_ok: race-free
//@ leans words_ok: !A11
//@ verdict words_bad: racy
//@ verdict given_ok: race-free
//@ leans given_ok: A15
//@ verdict given_bad: racy
//@ verdict far_ok: race-free
//@ verdict far_bad: racy
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    cudaError_t error = call;                                                                                \
    if (error != cudaSuccess) {                                                                              \
      printf("%s\n", cudaGetErrorString(error));                                                             \
      return;                                                                                                \
    }                                                                                                        \
  } while (0)

__device__ void pass_on(int *data, int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 5; // expect-race[any]
    __threadfence();
    atomicExch(flag, 77);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race[any]
    atomicExch(flag, 0);
  }
}

__global__ void cleared_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void cleared_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void words_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void words_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void given_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void given_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void far_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void far_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }

extern "C" int sum_over_ranks(const void *from, void *to, size_t count);

void with_cleared(int *data, int *flag, int *out) {
  cudaMemset(flag, 0, 4);
  cleared_ok<<<2, 32>>>(data, flag, out);
}

void with_set(int *data, int *flag, int *out) {
  cudaMemset(flag, 1, 4);
  cleared_bad<<<2, 32>>>(data, flag, out);
}

void with_zero_words(int *data, int *flag, int *out) {
  cuMemsetD32((CUdeviceptr)flag, 0, 1);
  words_ok<<<2, 32>>>(data, flag, out);
}

void with_words(int *data, int *flag, int *out) {
  cuMemsetD32((CUdeviceptr)flag, 1, 1);
  words_bad<<<2, 32>>>(data, flag, out);
}

void with_other(int *data, int *flag, int *out) {
  sum_over_ranks(out, data, 1);
  given_ok<<<2, 32>>>(data, flag, out);
}

void with_flag(int *data, int *flag, int *out) {
  sum_over_ranks(out, flag, 1);
  given_bad<<<2, 32>>>(data, flag, out);
}

void from_far(int *data, int *flag, int *out) {
  CHECK(cudaMemset(flag, 0, 4));
  CHECK(cudaMemset(data, 1, 4));
  CHECK(cudaMemset(out, 1, 4));
  CHECK(cudaDeviceSynchronize());
  far_ok<<<2, 32>>>(data, flag, out);
}

void from_far_set(int *data, int *flag, int *out) {
  CHECK(cudaMemset(flag, 1, 4));
  CHECK(cudaMemset(data, 1, 4));
  CHECK(cudaMemset(out, 1, 4));
  CHECK(cudaDeviceSynchronize());
  far_bad<<<2, 32>>>(data, flag, out);
}
