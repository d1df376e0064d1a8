// The barrier at the top of the loop is skipped in the first round, where there is nothing to wait for yet. Going round it
// later is impossible, which only shows on the way from the other barrier (ok). Skipped twice, the read of round 0 meets
// the write of round 1 (bad).
//@ verdict stage_ok: race-free
//@ verdict stage_bad: racy
__global__ void stage_ok(const float *g, float *out, int n) { // expect-clean
  __shared__ float s[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int it = 0; it < n; it++) {
    if (it > 0)
      __syncthreads();
    s[t] = g[it * 64 + t];
    __syncthreads();
    acc += s[63 - t];
  }
  out[blockIdx.x * 64 + t] = acc;
}

__global__ void stage_bad(const float *g, float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int it = 0; it < n; it++) {
    if (it > 1)
      __syncthreads();
    s[t] = g[it * 64 + t]; // expect-race {{-Wintra-block-race}}
    __syncthreads();
    acc += s[63 - t]; // expect-race {{-Wintra-block-race}}
  }
  out[blockIdx.x * 64 + t] = acc;
}

int main(int argc, char **) {
  float *g, *out;
  cudaMalloc((void **)&g, 1 << 20);
  cudaMalloc((void **)&out, 4 * 64 * sizeof(float));
  stage_ok<<<4, 64>>>(g, out, argc);
  stage_bad<<<4, 64>>>(g, out, argc);
  return 0;
}
