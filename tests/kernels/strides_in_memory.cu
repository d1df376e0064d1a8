// The step of a loop is read from memory that the kernel does not write, in each round: it is one number, which the host has
// set. symbol: in a variable of the device (ok: the number of threads; bad: fewer). constant: in constant memory, as a member
// of a struct (ok, bad likewise). given: in an array that the kernel is given, for each block its own start (ok; bad: the step
// of all is that of one block).
//@ verdict symbol_ok: race-free
//@ verdict symbol_bad: racy
//@ verdict constant_ok: race-free
//@ verdict constant_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
#include <cuda_runtime.h>

__device__ int many, fewer;
struct Shape {
  int width, step;
};
__constant__ Shape shape, narrow;

__global__ void symbol_ok(float *a, int n) { // expect-clean
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += many)
    a[i] = i;
}
__global__ void symbol_bad(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += fewer)
    a[i] = threadIdx.x; // expect-race
}

__global__ void constant_ok(float *a) { // expect-clean
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < shape.width; i += shape.step)
    a[i] = i;
}
__global__ void constant_bad(float *a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < narrow.width; i += narrow.step)
    a[i] = threadIdx.x; // expect-race
}

__global__ void given_ok(float *a, const int *step, int n) { // expect-clean
  for (int i = threadIdx.x; i < n; i += step[0])
    a[blockIdx.x * n + i] = i;
}
__global__ void given_bad(float *a, const int *step, int n) {
  for (int i = threadIdx.x; i < n; i += step[1])
    a[blockIdx.x * n + i] = threadIdx.x; // expect-race
}

void run(float *a, int n) {
  if (n < 1 || n > 100000) return;
  int threads = 100 * 128, few = 100, steps[2] = {128, 100}, *step;
  Shape whole = {n, threads}, part = {n, few};
  cudaMemcpyToSymbol(many, &threads, sizeof(int));
  cudaMemcpyToSymbol(fewer, &few, sizeof(int));
  cudaMemcpyToSymbol(shape, &whole, sizeof whole);
  cudaMemcpyToSymbol(narrow, &part, sizeof part);
  cudaMalloc(&step, sizeof steps);
  cudaMemcpy(step, steps, sizeof steps, cudaMemcpyHostToDevice);
  symbol_ok<<<100, 128>>>(a, n);
  symbol_bad<<<100, 128>>>(a, n);
  constant_ok<<<100, 128>>>(a);
  constant_bad<<<100, 128>>>(a);
  given_ok<<<100, 128>>>(a, step, n);
  given_bad<<<100, 128>>>(a, step, n);
}
