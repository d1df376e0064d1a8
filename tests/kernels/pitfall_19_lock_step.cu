// Before sm_70 the lanes of a warp run in lock step: different instructions on a common path are ordered (ok). That does
// not order one instruction with itself, nor the two arms of a condition (bad).
//@ args: --arch=sm_60
//@ verdict neighbour_ok: race-free
//@ verdict pairs_bad: racy
//@ verdict arms_bad: racy
__global__ void neighbour_ok(int *out) { // expect-clean
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  out[blockIdx.x * 32 + t] = s[(t + 1) % 32];
}

__global__ void pairs_bad(int *out) {
  int t = threadIdx.x;
  out[blockIdx.x * 16 + t / 2] = t; // expect-race {{-Wintra-warp-race}}
}

__global__ void arms_bad(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, v = 0;
  if (t < 16)
    s[t] = t; // expect-race {{-Wintra-warp-race}}
  else
    v = s[t - 16]; // expect-race {{-Wintra-warp-race}}
  out[blockIdx.x * 32 + t] = v;
}

int main() {
  int *out;
  cudaMalloc((void **)&out, 4096);
  neighbour_ok<<<8, 32>>>(out);
  pairs_bad<<<8, 32>>>(out);
  arms_bad<<<8, 32>>>(out);
  return 0;
}
