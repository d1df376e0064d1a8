// The same sums; in the last round, with one copy under way, none is left unfinished.
//@ verdict row_sums: race-free
#include <cuda_pipeline.h>

__global__ void row_sums(const float *matrix, float *sums, int rows) { // expect-clean
  __shared__ float row[2][128];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&row[0][t], &matrix[t], sizeof(float));
  __pipeline_commit();
  float sum = 0;
  for (int i = 0; i < rows; i++) {
    if (i + 1 < rows) {
      __pipeline_memcpy_async(&row[(i + 1) % 2][t], &matrix[(i + 1) * 128 + t], sizeof(float));
      __pipeline_commit();
    }
    if (i + 1 < rows)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
    __syncthreads();
    sum += row[i % 2][127 - t];
    __syncthreads();
  }
  sums[blockIdx.x * 128 + t] = sum;
}

int main() {
  const int rows = 64, blocks = 4;
  float *d_matrix, *d_sums;
  cudaMalloc((void **)&d_matrix, rows * 128 * sizeof(float));
  cudaMalloc((void **)&d_sums, blocks * 128 * sizeof(float));
  cudaMemset(d_matrix, 0, rows * 128 * sizeof(float));
  row_sums<<<blocks, 128>>>(d_matrix, d_sums, rows);
  cudaDeviceSynchronize();
  cudaFree(d_sums);
  cudaFree(d_matrix);
  return 0;
}
