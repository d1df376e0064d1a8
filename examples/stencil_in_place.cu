// One step of heat flow along a rod, in place: a thread overwrites the value that its neighbours still have to read.
// Threads of one block, of one warp and of two blocks are neighbours somewhere, so all three kinds of race are there.
//@ verdict heat_step: racy
__global__ void heat_step(float *u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    u[i] += 0.1f * (u[i - 1] - 2 * u[i] + u[i + 1]);
  // expect-race@-1 {{-Winter-block-race}} expect-race@-1 {{-Wintra-block-race}} expect-race@-1 {{-Wintra-warp-race}}
}

int main() {
  const int n = 10000;
  float *d_u;
  cudaMalloc((void **)&d_u, n * sizeof(float));
  cudaMemset(d_u, 0, n * sizeof(float));
  for (int step = 0; step < 100; step++)
    heat_step<<<(n + 127) / 128, 128>>>(d_u, n);
  cudaDeviceSynchronize();
  cudaFree(d_u);
  return 0;
}
