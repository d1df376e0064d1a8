// What the kernel reads has been written (A12): that is taken so where some of what it reads has been. A member that nobody fills, or a part of the
// array behind what is filled, holds anything.
//@ verdict member_ok: race-free
//@ leans member_ok: A12
//@ verdict member_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

struct Pair {
  int x, y;
};
__global__ void member_ok(const Pair *t, float *p) { p[t[blockIdx.x].x * 512 + threadIdx.x] += 1; } // expect-clean
__global__ void member_bad(const Pair *t, float *p) { p[t[blockIdx.x].y * 512 + threadIdx.x] += 1; } // expect-race
__global__ void part_ok(const int *t, float *p) { p[t[90 + blockIdx.x] * 512 + threadIdx.x] += 1; } // expect-clean
__global__ void part_bad(const int *t, float *p) { p[t[100 + blockIdx.x] * 512 + threadIdx.x] += 1; } // expect-race

int main() {
  float *p;
  Pair *pairs, *filled = (Pair *)malloc(98 * sizeof(Pair));
  int *table, *numbers = (int *)malloc(198 * sizeof(int));
  cudaMalloc(&p, 400000);
  cudaMalloc(&pairs, 98 * sizeof(Pair));
  cudaMalloc(&table, 198 * sizeof(int));
  for (int c = 0; c < 98; c++)
    filled[c].x = c;
  cudaMemcpy(pairs, filled, 98 * sizeof(Pair), cudaMemcpyHostToDevice);
  for (int c = 0; c < 98; c++)
    numbers[c] = c;
  cudaMemcpy(table, numbers, 198 * sizeof(int), cudaMemcpyHostToDevice);
  member_ok<<<98, 512>>>(pairs, p);
  member_bad<<<98, 512>>>(pairs, p);
  part_ok<<<98, 512>>>(table, p);
  part_bad<<<98, 512>>>(table, p);
}
