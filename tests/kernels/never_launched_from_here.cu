// The conditions on the way to the launch contradict each other: it never happens, which is no proof of anything. The
// second kernel is not given the values that the conditions speak of, and is not launched either.
//@ verdict ghost: dead
//@ verdict phantom: dead
//@ verdict twin: racy
#include <cassert>

__global__ void ghost(int *a, int rows, int cols) {
  a[rows - cols] = threadIdx.x;
}

__global__ void phantom(int *a) {
  a[0] = threadIdx.x;
}

__global__ void twin(int *a) {
  a[0] = threadIdx.x; // expect-race
}

void haunt(int *a, int rows, int cols) {
  assert(rows == cols && cols > 0);
  if (rows > 2 * cols) {
    ghost<<<1, 32>>>(a, rows, cols);
    phantom<<<1, 32>>>(a);
  }
  if (rows >= 2 * cols - 1) twin<<<1, 32>>>(a); // one by one
}

int main(int argc, char **argv) {
  int *a;
  cudaMalloc((void **)&a, sizeof(int));
  haunt(a, argc, argv[0][0]);
  return 0;
}
