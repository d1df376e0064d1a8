// Numbers that the host computes in ways that are not followed, in a program whose code is all there: a race that needs one of them to be what
// it need not be is possible, one that any of them shows, or the number from before the loop, is definite. loop: a variable that a loop changes
// (possible), that races as it begins (definite). call: what a function gives that calls itself. given: what unseen code gives is an input (definite).
//@ verdict loop_possible: racy
//@ verdict loop_definite: racy
//@ verdict call_possible: racy
//@ verdict given_definite: racy
#include <cstdlib>

__global__ void loop_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }  // expect-race[inter-block, possible]
__global__ void loop_definite(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }  // expect-race[inter-block, definite]
__global__ void call_possible(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; }  // expect-race[inter-block, possible]
__global__ void given_definite(int *a, int w) { a[blockIdx.x * w + threadIdx.x] = blockIdx.x; } // expect-race[inter-block, definite]

static int divisor(int a, int b) {
  while (b) {
    int rest = a % b;
    a = b, b = rest;
  }
  return a;
}
static int product(int n) { return n < 2 ? 1 : n * product(n - 1); }

int main(int argc, char **argv) {
  int *a;
  cudaMalloc(&a, 1 << 20);
  loop_possible<<<4, 64>>>(a, divisor(192, 128));
  loop_definite<<<4, 64>>>(a, divisor(32, argc));
  call_possible<<<4, 64>>>(a, product(5));
  given_definite<<<4, 64>>>(a, atoi(argv[1]));
  return cudaDeviceSynchronize();
}
