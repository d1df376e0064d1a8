// The conditions on the way to the launch contradict each other: it never happens, which is no proof of anything. The
// second kernel is not given the values that the conditions speak of, and is not launched either.
//@ verdict ghost: dead
//@ verdict phantom: dead
//@ known-false-alarm phantom: conditions on values that the launch does not use are dropped
#include <cassert>

__global__ void ghost(int *a, int rows, int cols) {
  a[rows - cols] = threadIdx.x;
}

__global__ void phantom(int *a) {
  a[0] = threadIdx.x;
}

void haunt(int *a, int rows, int cols) {
  assert(rows == cols && cols > 0);
  if (rows > 2 * cols) {
    ghost<<<1, 32>>>(a, rows, cols);
    phantom<<<1, 32>>>(a);
  }
}

int main(int argc, char **argv) {
  int *a;
  cudaMalloc((void **)&a, sizeof(int));
  haunt(a, argc, argv[0][0]);
  return 0;
}
