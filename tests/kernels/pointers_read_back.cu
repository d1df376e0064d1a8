// Pointers that the host puts into memory of the device and copies back are what it has put there: the same allocation as the other argument (bad), another one
// (ok). memory: a word; member: in a struct; variable: of a variable of the device, behind launches that write numbers.
//@ verdict memory_ok: race-free
//@ leans memory_ok: !A2
//@ verdict memory_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict variable_ok: race-free
//@ verdict variable_bad: racy
#include <cuda_runtime.h>

struct Pair {
  int n;
  int *a, *b;
};
__device__ int *variable[2];

__global__ void memory_ok(int *a, int *b) { // expect-clean
  a[threadIdx.x] = 1;
  b[63 - threadIdx.x] = 2;
}
__global__ void memory_bad(int *a, int *b) {
  a[threadIdx.x] = 1;      // expect-race[memory]
  b[63 - threadIdx.x] = 2; // expect-race[memory]
}
__global__ void member_ok(int *a, int *b) { // expect-clean
  a[threadIdx.x] = 1;
  b[63 - threadIdx.x] = 2;
}
__global__ void member_bad(int *a, int *b) {
  a[threadIdx.x] = 1;      // expect-race[member]
  b[63 - threadIdx.x] = 2; // expect-race[member]
}
__global__ void variable_ok(int *a, int *b) { // expect-clean
  a[threadIdx.x] = 1;
  b[63 - threadIdx.x] = 2;
}
__global__ void variable_bad(int *a, int *b) {
  a[threadIdx.x] = 1;      // expect-race[variable]
  b[63 - threadIdx.x] = 2; // expect-race[variable]
}

int main() {
  int *a, *b, *back, **word;
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&b, 4096);
  cudaMalloc((void **)&word, 8);
  cudaMemcpy(word, &a, 8, cudaMemcpyHostToDevice);
  cudaMemcpy(&back, word, 8, cudaMemcpyDeviceToHost);
  memory_ok<<<1, 64>>>(b, back);
  memory_bad<<<1, 64>>>(a, back);

  Pair pair = {1, a, b}, *d_pair, copy;
  cudaMalloc((void **)&d_pair, sizeof pair);
  cudaMemcpy(d_pair, &pair, sizeof pair, cudaMemcpyHostToDevice);
  cudaMemcpy(&copy, d_pair, sizeof copy, cudaMemcpyDeviceToHost);
  member_ok<<<1, 64>>>(copy.a, b);
  member_bad<<<1, 64>>>(copy.b, b);

  cudaMemcpyToSymbol(variable, &b, 8, 8);
  int *read;
  cudaMemcpyFromSymbol(&read, variable, 8, 8);
  variable_ok<<<1, 64>>>(a, read);
  variable_bad<<<1, 64>>>(b, read);
}
