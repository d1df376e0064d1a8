// Copies of the driver are given addresses as numbers: what they bring into an array counts like that of the runtime's copies.
//@ verdict filled_ok: race-free
//@ verdict filled_bad: racy
//@ verdict later_ok: race-free
//@ verdict later_bad: racy
//@ verdict part_bad: racy
//@ verdict tables_ok: race-free
//@ verdict tables_bad: racy
//@ pairs: exact
#include <cuda.h>

__global__ void filled_ok(int *a, const int *ix) { // expect-clean
  a[ix[threadIdx.x]] = threadIdx.x;
}

__global__ void filled_bad(int *a, const int *ix) {
  a[ix[threadIdx.x]] = threadIdx.x; // expect-race {{definite}}
}

__global__ void later_ok(int *a, const int *ix) { // expect-clean
  a[ix[threadIdx.x]] = threadIdx.x;
}

__global__ void later_bad(int *a, const int *ix) {
  a[ix[threadIdx.x]] = threadIdx.x; // expect-race
}

__global__ void part_bad(int *a, const int *ix) {
  a[ix[threadIdx.x]] = threadIdx.x; // expect-race
}

__global__ void tables_ok(int **p) { // expect-clean
  int t = threadIdx.x;
  p[0][t] = t;
  p[1][t + 1] = 2 * t;
}

__global__ void tables_bad(int **p) {
  int t = threadIdx.x;
  p[0][t] = t;         // expect-race[tables] {{definite}}
  p[1][t + 1] = 2 * t; // expect-race[tables] {{definite}}
}

void numbers(int *a) {
  int h[256], z[256] = {}, nines[2] = {9, 9}, *ix;
  for (int i = 0; i < 256; i++)
    h[i] = i;
  CUdeviceptr made;
  cuMemAlloc(&made, sizeof h);
  cuMemcpyHtoD(made, h, sizeof h);
  filled_ok<<<1, 256>>>(a, (int *)made);
  cudaMalloc(&ix, sizeof h);
  cudaMemcpy(ix, h, sizeof h, cudaMemcpyHostToDevice);
  cuMemcpyHtoD((CUdeviceptr)ix, z, sizeof z);
  filled_bad<<<1, 256>>>(a, ix);

  int *kept, *changed, *other;
  cudaMalloc(&kept, sizeof h);
  cudaMalloc(&changed, sizeof h);
  cudaMalloc(&other, sizeof h);
  cudaMemcpy(kept, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(changed, h, sizeof h, cudaMemcpyHostToDevice);
  cuMemcpyHtoDAsync((CUdeviceptr)other, z, sizeof z, 0);
  later_ok<<<1, 256>>>(a, kept);
  cuMemcpyHtoDAsync((CUdeviceptr)changed, z, sizeof z, 0);
  later_bad<<<1, 256>>>(a, changed);

  int *part;
  cudaMalloc(&part, sizeof h);
  cudaMemcpy(part, h, sizeof h, cudaMemcpyHostToDevice);
  CUdeviceptr as_number = (CUdeviceptr)part;
  cuMemcpyHtoD(as_number, nines, sizeof nines);
  part_bad<<<1, 256>>>(a, part);
}

void pointers() {
  int **good, **bad, *x, *y, *h[2];
  cudaMalloc(&x, 4000);
  cudaMalloc(&y, 4000);
  cudaMalloc(&good, sizeof h);
  cudaMalloc(&bad, sizeof h);
  h[0] = x, h[1] = y;
  cuMemcpyHtoD((CUdeviceptr)good, h, sizeof h);
  cudaMemcpy(bad, h, sizeof h, cudaMemcpyHostToDevice);
  tables_ok<<<1, 64>>>(good);
  h[1] = x;
  cuMemcpyHtoD((CUdeviceptr)bad, h, sizeof h);
  tables_bad<<<1, 64>>>(bad);
}

int main() {
  int *a;
  cudaMalloc(&a, 4000);
  numbers(a);
  pointers();
  return 0;
}
