// Each lane of a warp hands its value to its neighbour through shared memory. Since Volta the lanes of a warp run
// independently, so a warp barrier is needed between the write and the read; it is missing here.
//@ verdict smooth: racy
__global__ void smooth(float *data) {
  __shared__ float value[32];
  int lane = threadIdx.x;
  int i = blockIdx.x * 32 + lane;
  value[lane] = data[i];
  // expect-race@-1 {{-Wintra-warp-race}}
  data[i] = 0.5f * (value[lane] + value[(lane + 1) % 32]);
  // expect-race@-1 {{-Wintra-warp-race}}
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
