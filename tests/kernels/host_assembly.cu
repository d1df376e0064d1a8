// Assembly in host code writes what it names as a result in memory: a number (number_bad), an element of an array that is copied to the device
// (element_bad). One that gives its result in a register writes no memory (register_ok).
//@ verdict number_bad: racy
//@ verdict element_bad: racy
//@ verdict register_ok: race-free
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void number_bad(int *a, int w, int stride) {
  if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = threadIdx.x; // expect-race
}
__global__ void register_ok(int *a, int w, int stride) { // expect-clean
  if (threadIdx.x < w) a[blockIdx.x * stride + threadIdx.x] = threadIdx.x;
}
__global__ void element_bad(int *a, const int *places, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[places[i]] = i; // expect-race
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 1 || n > 1000) return 1;
  int *a, *places, stride = n, other = n, got, *list = new int[n];
  cudaMalloc(&a, 4 << 20);
  cudaMalloc(&places, n * sizeof(int));
  asm volatile("movl $1, %0" : "=r"(got));
  register_ok<<<10, n>>>(a, n, other);
  asm volatile("movl $1, %0" : "=m"(stride));
  number_bad<<<10, n>>>(a, n, stride);
  for (int i = 0; i < n; i++)
    list[i] = i;
  asm volatile("movl $1, %0" : "=m"(list[0]));
  cudaMemcpy(places, list, n * sizeof(int), cudaMemcpyHostToDevice);
  element_bad<<<(n + 255) / 256, 256>>>(a, places, n);
  return got == 1;
}
