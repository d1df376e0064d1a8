// The twin of divergent_barrier.cu: all threads of the block pass the barrier.
//@ verdict add_left: race-free
__global__ void add_left(float *data, float *first, int n) { // expect-clean
  __shared__ float value[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  value[t] = i < n ? data[i] : 0;
  __syncthreads();
  if (t > 0 && i < n)
    data[i] += value[t - 1];
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
