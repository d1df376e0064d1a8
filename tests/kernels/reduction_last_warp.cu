// A tree that leaves its last rounds to one warp. Between these rounds a warp barrier is enough, and it is needed: lanes
// run independently. The read of a round is ordered before the write of the same round by a barrier, too.
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
__global__ void sum_ok(const float *in, float *out) { // expect-clean
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 32; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    float v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d >>= 1) {
      __syncwarp();
      s[t] = v;
      __syncwarp();
      v += s[(t + d) % 32];
    }
    if (t == 0)
      out[blockIdx.x] = v;
  }
}

__global__ void sum_bad(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 32; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    float v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d >>= 1) {
      s[t] = v; // expect-race {{-Wintra-warp-race}}
      __syncwarp();
      v += s[(t + d) % 32]; // expect-race {{-Wintra-warp-race}}
    }
    if (t == 0)
      out[blockIdx.x] = v;
  }
}

int main() {
  float *in, *out;
  cudaMalloc((void **)&in, 64 * 256 * sizeof(float));
  cudaMalloc((void **)&out, 64 * sizeof(float));
  sum_ok<<<64, 256>>>(in, out);
  sum_bad<<<64, 256>>>(in, out);
  return 0;
}
