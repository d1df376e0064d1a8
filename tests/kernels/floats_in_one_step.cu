// A sum with a product in it may be computed in one step (nvcc's -fmad=true is the default), and compilers move signs out of the way for that: where
// x is not negative, 1 - |x * a| is 1 + x * -a. With a third, as it is rounded, threads 1 and 2 come to one element then (1 - 3 * 0.33333334 is less
// than 0, and rounded down it is -1, as 1 - 6 * 0.33333334 is); in two steps each thread has its own.
//   magnitude: |x * a|; quotient: x * a / -1; turned: |x * a| * -1. direct: a half, of which the product is exact; apart: no sum is made of it.
//@ verdict magnitude_bad: racy
//@ known-undecided magnitude_bad: a run computes in two steps, and shows no race
//@ verdict quotient_bad: racy
//@ known-undecided quotient_bad: a run computes in two steps, and shows no race
//@ verdict turned_bad: racy
//@ known-undecided turned_bad: a run computes in two steps, and shows no race
//@ verdict direct_ok: race-free
//@ verdict apart_ok: race-free
#include <cuda_runtime.h>

__device__ float product(float a) { return (float)(threadIdx.x * 6u) * a; }
__global__ void magnitude_bad(int *o) { o[200 + (int)floorf(1.0f - fabsf((float)(threadIdx.x * 3u) * (1.0f / 3u)))] = threadIdx.x; }
__global__ void quotient_bad(int *o) { o[200 + (int)floorf((float)(threadIdx.x * 3u) * (1.0f / 3u) / -1.0f + 1.0f)] = threadIdx.x; }
__global__ void turned_bad(int *o) { o[200 + (int)floorf(1.0f + fabsf((float)(threadIdx.x * 3u) * (1.0f / 3u)) * -1.0f)] = threadIdx.x; }
__global__ void direct_ok(int *o) { o[200 + (int)floorf(1.0f - product(0.5f))] = threadIdx.x; }   // expect-clean
__global__ void apart_ok(int *o) { o[(int)fabsf((float)(threadIdx.x * 3u) * (1.0f / 3u))] = threadIdx.x; } // expect-clean

int main() {
  int *o;
  cudaMalloc(&o, 4096);
  magnitude_bad<<<1, 32>>>(o);
  quotient_bad<<<1, 32>>>(o);
  turned_bad<<<1, 32>>>(o);
  direct_ok<<<1, 32>>>(o);
  apart_ok<<<1, 32>>>(o);
  cudaDeviceSynchronize();
}
