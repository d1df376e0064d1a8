// The write after the loop meets the read of the last round: one thread has left the loop (its counter is past the end),
// the other is still in it. In tail_bad the barrier at the top of the loop protects the rounds from each other but not
// the read of the last round from what follows.
//@ verdict tail_ok: race-free
//@ verdict tail_bad: racy
__global__ void tail_ok(const float *g, float *out, int rounds) { // expect-clean
  __shared__ float s[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int r = 0; r < rounds; r++) {
    __syncthreads();
    s[t] = g[r * 64 + t];
    __syncthreads();
    acc += s[63 - t];
  }
  __syncthreads();
  s[t] = acc;
  out[blockIdx.x * 64 + t] = s[t];
}

__global__ void tail_bad(const float *g, float *out, int rounds) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int r = 0; r < rounds; r++) {
    __syncthreads();
    s[t] = g[r * 64 + t];
    __syncthreads();
    acc += s[63 - t]; // expect-race {{-Wintra-block-race}}
  }
  s[t] = acc; // expect-race {{-Wintra-block-race}}
  out[blockIdx.x * 64 + t] = s[t];
}

int main(int argc, char **) {
  float *g, *out;
  cudaMalloc((void **)&g, 1 << 20);
  cudaMalloc((void **)&out, 4 * 64 * sizeof(float));
  tail_ok<<<4, 64>>>(g, out, argc);
  tail_bad<<<4, 64>>>(g, out, argc);
  return 0;
}
