// The twin of divergent_barrier.cu: all threads of the block pass the barrier.
//@ verdict add_left: race-free
__global__ void add_left(float *data, int n) { // expect-clean
  __shared__ float value[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  value[t] = i < n ? data[i] : 0;
  __syncthreads();
  float left = t > 0 ? value[t - 1] : 0;
  if (i < n)
    data[i] += left;
}

int main() {
  const int n = 1000;
  float *d_data;
  cudaMalloc((void **)&d_data, n * sizeof(float));
  cudaMemset(d_data, 0, n * sizeof(float));
  add_left<<<(n + 127) / 128, 128>>>(d_data, n);
  cudaDeviceSynchronize();
  cudaFree(d_data);
  return 0;
}
