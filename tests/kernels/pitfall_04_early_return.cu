// Threads beyond the end return before the barrier. Since Volta a barrier waits for all threads that have not exited, so
// it still separates the write from the read. (The read of slots that nobody wrote is another kind of mistake.)
//@ verdict reverse_ok: race-free
//@ verdict reverse_bad: racy
__global__ void reverse_ok(float *g, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = g[i];
  __syncthreads(); // expect-note {{sm_70 and later}}
  g[i] = s[255 - threadIdx.x];
}

__global__ void reverse_bad(float *g, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n)
    return;
  s[threadIdx.x] = g[i]; // expect-race {{-Wintra-block-race}}
  // threads t and 255 - t never belong to one warp
  g[i] = s[255 - threadIdx.x]; // expect-race {{-Wintra-block-race}}
}

int main(int argc, char **) {
  int n = argc;
  float *g;
  cudaMalloc((void **)&g, n * sizeof(float));
  reverse_ok<<<(n + 255) / 256, 256>>>(g, n);
  reverse_bad<<<(n + 255) / 256, 256>>>(g, n);
  return 0;
}
