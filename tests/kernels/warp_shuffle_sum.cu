// Sums of warps by shuffles, which need no memory; one element of shared memory for each warp, added up by warp 0 behind a
// barrier (ok) or without it (bad, and only between warps: warp 0 itself wrote element 0).
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void sum_ok(const float *in, float *out, int n) { // expect-clean
  __shared__ float part[32];
  int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  float v = warp_sum(i < n ? in[i] : 0);
  if (t % 32 == 0)
    part[t / 32] = v;
  __syncthreads();
  if (t < 32) {
    v = warp_sum(part[t]);
    if (t == 0)
      out[blockIdx.x] = v;
  }
}

__global__ void sum_bad(const float *in, float *out, int n) {
  __shared__ float part[32];
  int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  float v = warp_sum(i < n ? in[i] : 0);
  if (t % 32 == 0)
    part[t / 32] = v; // expect-race {{-Wintra-block-race}}
  if (t < 32) {
    v = warp_sum(part[t]); // expect-race {{-Wintra-block-race}}
    if (t == 0)
      out[blockIdx.x] = v;
  }
}

int main(int argc, char **) {
  int n = argc;
  float *in, *out;
  cudaMalloc((void **)&in, n * sizeof(float));
  cudaMalloc((void **)&out, (n + 1023) / 1024 * sizeof(float));
  sum_ok<<<(n + 1023) / 1024, 1024>>>(in, out, n);
  sum_bad<<<(n + 1023) / 1024, 1024>>>(in, out, n);
  return 0;
}
