// Adds the left neighbour within each block. The first barrier stands inside the condition, so in the last block the
// threads beyond the end of the array go round it and wait at the second one: who waits for whom is not defined.
//@ verdict add_left: undecided
__global__ void add_left(float *data, float *first, int n) {
  __shared__ float value[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  if (i < n) {
    value[t] = data[i];
    __syncthreads();
    // expect-divergence@-1
    if (t > 0)
      data[i] += value[t - 1];
  }
  __syncthreads();
  if (t == 0)
    first[blockIdx.x] = data[i];
}

int main() {
  const int n = 1000, blocks = (n + 127) / 128;
  float *d_data, *d_first;
  cudaMalloc((void **)&d_data, n * sizeof(float));
  cudaMalloc((void **)&d_first, blocks * sizeof(float));
  cudaMemset(d_data, 0, n * sizeof(float));
  add_left<<<blocks, 128>>>(d_data, d_first, n);
  cudaDeviceSynchronize();
  cudaFree(d_data);
  cudaFree(d_first);
  return 0;
}
