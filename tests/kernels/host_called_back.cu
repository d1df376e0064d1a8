// What a function of the library calls back sets one of the two pointers that a launch is given to the other (bad), or a third one (ok).
//@ verdict called_ok: race-free
//@ verdict called_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

__device__ void move_on(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race[moved]
}
__global__ void called_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void called_bad(float *to, const float *from) { move_on(to, from); }

static float *mine, *theirs, *third;
static int with_third(const void *, const void *) {
  third = mine;
  return 0;
}
static int with_theirs(const void *, const void *) {
  theirs = mine;
  return 0;
}

int main() {
  int numbers[2] = {2, 1};
  cudaMalloc(&mine, 4096);
  cudaMalloc(&theirs, 4096);
  qsort(numbers, 2, sizeof *numbers, with_third);
  called_ok<<<1, 64>>>(mine, theirs);
  qsort(numbers, 2, sizeof *numbers, with_theirs);
  called_bad<<<1, 64>>>(mine, theirs);
  cudaDeviceSynchronize();
}
