// Each block sums rows of a matrix. The next row is copied to shared memory while this one is summed: of the two copies that
// are under way, the older one has to be waited for. In the last round there is only one, and to leave one of them
// unfinished is to wait for none.
//@ verdict row_sums: racy
#include <cuda_pipeline.h>

__global__ void row_sums(const float *matrix, float *sums, int rows) {
  __shared__ float row[2][128];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&row[0][t], &matrix[t], sizeof(float));
  __pipeline_commit();
  float sum = 0;
  for (int i = 0; i < rows; i++) {
    if (i + 1 < rows) {
      __pipeline_memcpy_async(&row[(i + 1) % 2][t], &matrix[(i + 1) * 128 + t], sizeof(float));
      // expect-race@-1 {{cause=missing-async-wait}}
      __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += row[i % 2][127 - t];
    // expect-race@-1
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
