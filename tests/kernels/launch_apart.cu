// Launches as an editor formats them, with blanks in their brackets: nvcc takes them. How many blocks there are counts as ever:
// one (one_ok), two (two_bad), and in a template (of_ok, of_bad).
//@ verdict one_ok: race-free
//@ verdict two_bad: racy
//@ verdict of: racy
#include <cuda_runtime.h>

__global__ void one_ok(int *a) { // expect-clean
  a[threadIdx.x] = threadIdx.x + blockIdx.x;
}

__global__ void two_bad(int *a) {
  a[threadIdx.x] = threadIdx.x + blockIdx.x; // expect-race
}

template <int STEP> __global__ void of(int *a) {
  a[threadIdx.x * STEP] = threadIdx.x + blockIdx.x; // expect-race
}

int main() {
  int *a;
  cudaMalloc(&a, 1024);
  // clang-format off
  one_ok << <1, 64 >> > (a);
  two_bad<< < 2, 64>> >(a);
  of<2> <<<1, 64 >>  > (a);
  of<0> << <1, 64>>>(a);
  // clang-format on
}
