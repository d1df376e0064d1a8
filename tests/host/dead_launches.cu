// Launches that plainly contradict what was checked before are listed as such, beside others of the same kernel; those
// that happen on some way into a function are not.
#include <cassert>
#include <cstdlib>

__global__ void step(int *a, int n) { a[threadIdx.x] = n; }
__global__ void turn(int *a, int n) { a[threadIdx.x] = n; }

static void choose(int *a, int n, bool is_large) {
  if (is_large) turn<<<1, 64>>>(a, n);
  else turn<<<1, 32>>>(a, n);
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *a;
  cudaMalloc(&a, 4096);
  assert(n > 10);
  if (n == 7) step<<<1, 16>>>(a, n);
  if (n == 17) step<<<1, 8>>>(a, n);
  step<<<1, 4>>>(a, n);
  void *arguments[] = {&a, &n};
  cudaLaunchKernel((void *)step, dim3(2), dim3(4), arguments, 0, 0);
  choose(a, n, true);
  choose(a, n, false);
  return 0;
}

//@ launch: step<<<gridDim.x, blockDim.x>>>
//@ count: 1
//@ has: the conditions on the way to the launch contradict each other
//@ has: launch at dead_launches.cu:19
//@ launch: step<<<2, 4>>>
//@ count: 1
//@ lacks: contradict
//@ launch: step<<<1, 8>>>
//@ count: 1
//@ lacks: contradict
//@ launch: step<<<1, 4>>>
//@ count: 1
//@ launch: turn<<<
//@ count: 2
//@ lacks: contradict
