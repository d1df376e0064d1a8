// What the host checks on the way to a launch cannot hold together: the launch never happens. It is dead, and not a proof of
// anything; its twin, whose checks agree, has the race that the kernel has.
//@ verdict shift_dead: dead
//@ verdict shift_bad: racy
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
  return 0;
}
