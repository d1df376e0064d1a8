// The loop counter starts at the thread number, but all 256 threads make four rounds, so the barriers inside are reached
// by all (ok). With an end of 1000 the threads from 232 on leave after three rounds and run on to the barrier behind the
// loop: true divergence; then nothing can be said about races (bad).
//@ verdict sweep_ok: race-free
//@ verdict sweep_bad: undecided
__global__ void sweep_ok(const float *g, float *out) { // expect-clean
  __shared__ float s[256];
  int t = threadIdx.x;
  float acc = 0;
  for (int i = t; i < 1024; i += 256) {
    s[i & 255] = g[i];
    __syncthreads();
    acc += s[255 - t];
    __syncthreads();
  }
  s[t] = acc;
  __syncthreads();
  out[blockIdx.x * 256 + t] = s[255 - t];
}

__global__ void sweep_bad(const float *g, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float acc = 0;
  for (int i = t; i < 1000; i += 256) {
    s[i & 255] = g[i];
    __syncthreads(); // expect-divergence
    acc += s[255 - t];
    __syncthreads(); // expect-divergence
  }
  s[t] = acc;
  __syncthreads();
  out[blockIdx.x * 256 + t] = s[255 - t];
}

int main() {
  float *g, *out;
  cudaMalloc((void **)&g, 1 << 20);
  cudaMalloc((void **)&out, 4 * 256 * sizeof(float));
  sweep_ok<<<4, 256>>>(g, out);
  sweep_bad<<<4, 256>>>(g, out);
  return 0;
}
