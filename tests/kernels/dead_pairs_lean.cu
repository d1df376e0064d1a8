// Two threads that never come to their accesses together, for what is taken for granted of the launch: the proof says so.
//@ verdict product: race-free
//@ leans product: A1
//@ verdict asserted: race-free
//@ leans asserted: A3
//@ verdict factors: race-free
//@ leans factors: A6
//@ verdict plain: race-free
//@ leans plain: !A1 !A3 !A6
#include <cassert>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void product(int *a, unsigned w, unsigned h) { // expect-clean
  int t = threadIdx.x;
  if (t == 0 || (t == 1 && w && h && w * h == 0)) a[0] = t;
}
__global__ void asserted(int *a, int x, int y) { // expect-clean
  int t = threadIdx.x;
  if ((t == 0 && x > 0) || (t == 1 && y < 0)) a[0] = t;
}
__global__ void factors(int *a, int n) { // expect-clean
  int t = threadIdx.x;
  if (t == 0 || (t == 1 && n < 0)) a[0] = t;
}
__global__ void plain(int *a, int n) { // expect-clean
  int t = threadIdx.x;
  if ((t == 0 && n == 1) || (t == 1 && n == 2)) a[0] = t;
}

int main(int argc, char **argv) {
  int *a, *b;
  int n = atoi(argv[1]), m = atoi(argv[2]), x = atoi(argv[3]), y = atoi(argv[4]);
  cudaMalloc(&a, 400);
  cudaMalloc(&b, 4 * (size_t)(n * m));
  product<<<1, 32>>>(a, (unsigned)n, (unsigned)m);
  plain<<<1, 32>>>(a, argc);
  factors<<<1, 32>>>(b, n);
  assert(x == y);
  asserted<<<1, 32>>>(a, x, y);
  return (int)cudaDeviceSynchronize();
}
