// The write after the loop meets the read of the last round: one thread has left the loop (its counter is past the end),
// the other is still in it. In tail_bad the barrier at the top of the loop protects the rounds from each other but not
// the read of the last round from what follows.
//@ verdict tail_ok: race-free
//@ verdict tail_bad: racy
// found: all threads leave a loop with a barrier together, at one of two ways out, and use its counter: it is one number for all. In
// the twin the barrier behind the loop is left out where nothing was found; it was not in any of the rounds before, either.
// left: a loop whose rounds can be counted leaves 128 in `stride`; 127 places apart two threads meet.
//@ verdict found_ok: race-free
//@ verdict found_bad: racy
//@ verdict left_ok: race-free
//@ verdict left_bad: racy
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

__global__ void found_ok(int wanted) { // expect-clean
  __shared__ float s[128];
  int t = threadIdx.x, k;
  for (k = 0; k < 8; k++) {
    if (k == wanted)
      break;
    __syncthreads();
  }
  s[t] = 1;
  __syncthreads();
  s[t + k] = 2;
}

__global__ void found_bad(int wanted) {
  __shared__ float s[128];
  int t = threadIdx.x, k;
  for (k = 0; k < 8; k++) {
    if (k == wanted)
      break;
    __syncthreads();
  }
  s[t] = 1; // expect-race
  if (k < 8)
    __syncthreads();
  s[t + k] = 2; // expect-race
}

__global__ void left_ok(float *out) { // expect-clean
  int stride = 1;
  for (int d = 64; d > 0; d >>= 1)
    stride *= 2;
  float *own = out + blockIdx.x * 64 * 128;
  own[threadIdx.x * stride] = 1;
  own[threadIdx.x * stride + 127] = 2;
}

__global__ void left_bad(float *out) {
  int stride = 1;
  for (int d = 64; d > 0; d >>= 1)
    stride *= 2;
  float *own = out + blockIdx.x * 64 * 128;
  own[threadIdx.x * stride] = 1; // expect-race
  own[threadIdx.x * stride + 128] = 2; // expect-race
}

int main(int argc, char **) {
  float *g, *out;
  cudaMalloc((void **)&g, 1 << 20);
  cudaMalloc((void **)&out, 4 * 64 * sizeof(float));
  tail_ok<<<4, 64>>>(g, out, argc);
  tail_bad<<<4, 64>>>(g, out, argc);
  found_ok<<<4, 64>>>(argc);
  found_bad<<<4, 64>>>(argc);
  left_ok<<<4, 64>>>(out);
  left_bad<<<4, 64>>>(out);
  return 0;
}
