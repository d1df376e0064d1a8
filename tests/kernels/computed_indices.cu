// Scattering by an index array races if two elements are equal: possible, for what the program is given may hold anything
// (given_bad). If an earlier kernel computed it (ranks here, which differ) or a function of a library whose body is not seen,
// that is no longer any number (after_kernel, after_library): these two are right, but what makes them so is not followed. A
// kernel that computes it only afterwards has no say in it (too_late_bad). In a condition it would not help (branch_bad).
//@ verdict rank: race-free
//@ verdict mark: race-free
//@ verdict given_bad: racy
//@ verdict after_kernel: race-free
//@ known-undecided after_kernel: that ranks differ is not known
//@ verdict after_library: race-free
//@ known-undecided after_library: what an unknown function stores is not known
//@ verdict too_late_bad: racy
//@ verdict single_ok: race-free
//@ verdict branch_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void rank(int *place, const float *x, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, below = 0;
  if (i >= n) return;
  for (int j = 0; j < n; j++)
    below += x[j] < x[i] || (x[j] == x[i] && j < i);
  place[i] = below;
}

__global__ void mark(int *flag, const float *x, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flag[i] = x[i] > 0 ? i % 3 : 0;
}

__global__ void given_bad(float *out, const int *place, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = x[i]; // expect-race
}

__global__ void after_kernel(float *out, const int *place, const float *x, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = x[i];
}

__global__ void after_library(float *out, const int *place, const float *x, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = x[i];
}

__global__ void too_late_bad(float *out, const int *place, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i]] = x[i]; // expect-race
}

__global__ void single_ok(float *out, const int *place, const float *x) { // expect-clean
  if (blockIdx.x * blockDim.x + threadIdx.x == 0) out[place[0]] = x[0];
}

__global__ void branch_bad(float *out, const int *flag, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flag[i]) out[0] = x[i]; // expect-race
}

void sort_permutation(int *place, const float *keys, int n); // of a library

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  if (n < 1) return 1;
  int *given, *ranks, *sorted, *later, *flags, blocks = (n + 255) / 256;
  float *x, *out;
  cudaMalloc(&given, n * sizeof(int));
  cudaMalloc(&ranks, n * sizeof(int));
  cudaMalloc(&sorted, n * sizeof(int));
  cudaMalloc(&later, n * sizeof(int));
  cudaMalloc(&flags, n * sizeof(int));
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  given_bad<<<blocks, 256>>>(out, given, x, n);
  rank<<<blocks, 256>>>(ranks, x, n);
  after_kernel<<<blocks, 256>>>(out, ranks, x, n);
  sort_permutation(sorted, x, n);
  after_library<<<blocks, 256>>>(out, sorted, x, n);
  too_late_bad<<<blocks, 256>>>(out, later, x, n);
  rank<<<blocks, 256>>>(later, x, n);
  single_ok<<<blocks, 256>>>(out, ranks, x);
  mark<<<blocks, 256>>>(flags, x, n);
  branch_bad<<<blocks, 256>>>(out, flags, x, n);
}
