// Divergent barrier. kaldi-asr/kaldi, commit bc13196e7: threads beyond the length of the vector leave the kernel before the sum over the
// threads of an element, which has a barrier in each step.
// Before sm_70 a thread that has left does not count as arrived, and the ones that sum up wait for it, or not, as the hardware likes;
// the commit is of 2016. Fixed: all threads stay, and those beyond the end put and take nothing. A group of threads_per_element
// neighbours sums up one element; groups begin at its multiples, so that no thread of a group that has left is read.
//@ args: --arch=sm_60
//@ verdict add_diag_mat_mat: undecided
//@ verdict add_diag_mat_mat_fixed: race-free
#include <cstdlib>

__global__ void add_diag_mat_mat(float alpha, float *v, int dim, const float *m, int columns, const float *n) {
  __shared__ float partial[256];
  int i = blockIdx.x * 256 + threadIdx.x, element = i / 8, sub = i % 8;
  if (element >= dim)
    return;
  float sum = 0;
  for (int j = sub; j < columns; j += 8)
    sum += m[element * columns + j] * n[j * dim + element];
  partial[threadIdx.x] = sum;
  for (int half = 4; half > 0; half /= 2) {
    __syncthreads(); // expect-divergence
    if (sub < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (sub == 0)
    v[element] += alpha * partial[threadIdx.x];
}

__global__ void add_diag_mat_mat_fixed(float alpha, float *v, int dim, const float *m, int columns, const float *n) { // expect-clean
  __shared__ float partial[256];
  int i = blockIdx.x * 256 + threadIdx.x, element = i / 8, sub = i % 8;
  if (element < dim) {
    float sum = 0;
    for (int j = sub; j < columns; j += 8)
      sum += m[element * columns + j] * n[j * dim + element];
    partial[threadIdx.x] = sum;
  }
  for (int half = 4; half > 0; half /= 2) {
    __syncthreads();
    if (sub < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (sub == 0 && element < dim)
    v[element] += alpha * partial[threadIdx.x];
}

int main(int argc, char **argv) {
  int dim = atoi(argv[1]), columns = atoi(argv[2]), blocks = (dim * 8 + 255) / 256;
  float *v, *m, *n;
  cudaMalloc(&v, dim * sizeof(float));
  cudaMalloc(&m, dim * columns * sizeof(float));
  cudaMalloc(&n, columns * dim * sizeof(float));
  add_diag_mat_mat<<<blocks, 256>>>(0.5f, v, dim, m, columns, n);
  add_diag_mat_mat_fixed<<<blocks, 256>>>(0.5f, v, dim, m, columns, n);
}
