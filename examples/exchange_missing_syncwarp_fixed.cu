// The twin of exchange_missing_syncwarp.cu: a warp barrier stands between the write and the read.
//@ verdict smooth: race-free
__global__ void smooth(float *data) { // expect-clean
  __shared__ float value[32];
  int lane = threadIdx.x;
  int i = blockIdx.x * 32 + lane;
  value[lane] = data[i];
  __syncwarp();
  data[i] = 0.5f * (value[lane] + value[(lane + 1) % 32]);
}

int main() {
  const int warps = 128;
  float *d_data;
  cudaMalloc((void **)&d_data, warps * 32 * sizeof(float));
  cudaMemset(d_data, 0, warps * 32 * sizeof(float));
  smooth<<<warps, 32>>>(d_data);
  cudaDeviceSynchronize();
  cudaFree(d_data);
  return 0;
}
