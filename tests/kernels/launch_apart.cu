// Launches as an editor formats them, with blanks in their brackets: nvcc takes them. How many blocks there are counts as ever:
// one (one_ok), two (two_bad), and in a template (of). A dimension may stand in braces (braced_ok, braced_bad).
//@ verdict one_ok: race-free
//@ verdict two_bad: racy
//@ verdict of: racy
//@ verdict braced_ok: race-free
//@ verdict braced_bad: racy
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

__global__ void braced_ok(int *a) { // expect-clean
  a[threadIdx.y * 4 + threadIdx.x] = threadIdx.x;
}

__global__ void braced_bad(int *a) {
  a[threadIdx.y * 4 + threadIdx.x] = threadIdx.x; // expect-race
}

int main() {
  int *a;
  int wide = 4;
  cudaMalloc(&a, 1024);
  // clang-format off
  one_ok << <1, 64 >> > (a);
  two_bad<< < 2, 64>> >(a);
  of<2> <<<1, 64 >>  > (a);
  of<0> << <1, 64>>>(a);
  braced_ok<<<1, {wide, 8, 1}, 0, 0>>>(a);
  braced_bad<<<{1, 1, 1}, { 5, 8 }>>>(a);
  // clang-format on
}
