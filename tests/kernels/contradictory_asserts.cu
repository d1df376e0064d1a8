// What the host checks on the way to a launch cannot hold together: the launch never happens. It is dead, and not a proof of
// anything; its twin, whose checks agree, has the race that the kernel has.
//@ verdict shift_dead: dead
//@ verdict shift_bad: racy
//@ verdict shift_folded: dead
//@ verdict shift_nearly: racy
#include <cassert>
#include <cstdlib>

__global__ void shift_dead(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[i] = a[i + 1];
}
__global__ void shift_bad(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[i] = a[i + 1]; // expect-race
}

// Contradictions that plain simplification sees: the launch is gone before it is looked at.
__global__ void shift_folded(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[i] = a[i + 1];
}
__global__ void shift_nearly(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) a[i] = a[i + 1]; // expect-race
}
static void fold(float *a, int n, bool is_small) {
  if (is_small) {
    assert(n > 64);
    if (!is_small) shift_folded<<<4, 32>>>(a, n);
    else shift_nearly<<<4, 32>>>(a, n);
  }
}

int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  float *a;
  cudaMalloc((void **)&a, 4096 * sizeof(float));
  if (n < 100) return 1;
  if (argc > 2) {
    assert(n % 2 == 0);
    shift_bad<<<(n + 255) / 256, 256>>>(a, n);
  } else {
    assert(n < 50);
    shift_dead<<<(n + 255) / 256, 256>>>(a, n);
  }
  fold(a, n, argc == 3);
  return 0;
}
