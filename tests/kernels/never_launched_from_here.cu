// The conditions on the way to the launch contradict each other: it never happens, which is no proof of anything.
//@ verdict ghost: dead
#include <cassert>

__global__ void ghost(int *a) {
  a[0] = threadIdx.x;
}

void haunt(int *a, int n) {
  assert(n > 10);
  if (n < 5)
    ghost<<<1, 32>>>(a);
}

int main(int argc, char **) {
  int *a;
  cudaMalloc((void **)&a, sizeof(int));
  haunt(a, argc);
  return 0;
}
