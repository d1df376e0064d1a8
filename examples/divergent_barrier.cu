// Adds the left neighbour within each block. The barrier stands inside the condition, so in the last block the threads
// beyond the end of the array go round it and run on: what the others wait for is not defined.
//@ verdict add_left: undecided
__global__ void add_left(float *data, int n) {
  __shared__ float value[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  value[t] = 0;
  if (i < n) {
    value[t] = data[i];
    __syncthreads(); // expect-divergence
  }
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
