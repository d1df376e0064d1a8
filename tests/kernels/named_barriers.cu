// Two halves of a block hand over work by a numbered barrier: warps 0 and 1 fill, warps 2 and 3 drain, 128 threads take
// part (ok). Without it nothing orders them (bad).
//@ verdict handover_ok: race-free
//@ verdict handover_bad: racy
//@ known-undecided handover_ok: numbered barriers are not modelled
__global__ void handover_ok(const float *in, float *out) { // expect-clean
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 64) {
    s[t] = in[blockIdx.x * 64 + t];
    asm volatile("bar.sync 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[blockIdx.x * 64 + t - 64] = s[127 - t];
  }
}

__global__ void handover_bad(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 64)
    s[t] = in[blockIdx.x * 64 + t]; // expect-race {{-Wintra-block-race}}
  else
    out[blockIdx.x * 64 + t - 64] = s[127 - t]; // expect-race {{-Wintra-block-race}}
}

int main() {
  float *in, *out;
  cudaMalloc((void **)&in, 8 * 64 * sizeof(float));
  cudaMalloc((void **)&out, 8 * 64 * sizeof(float));
  handover_ok<<<8, 128>>>(in, out);
  handover_bad<<<8, 128>>>(in, out);
  return 0;
}
