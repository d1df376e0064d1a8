// Before sm_70 the lanes of a warp run in lock step: different instructions on a common path are ordered (ok). That does
// not order one instruction with itself, nor the two arms of a condition (bad). A case that falls into the next is one side of
// the switch until all ways meet (falls_bad); two conditions after one another meet in between (falls_ok). A lane that has left
// a loop waits for the others behind it (leaves_ok), where they do not go on with other things (leaves_bad).
// A return before a barrier does not count as arrival (exits_bad), if only some threads of a block return (exits_ok).
//@ args: --arch=sm_60
//@ verdict exits_ok: race-free
//@ verdict exits_bad: undecided
//@ verdict neighbour_ok: race-free
//@ verdict pairs_bad: racy
//@ verdict arms_bad: racy
//@ verdict falls_ok: race-free
//@ verdict falls_bad: racy
//@ verdict leaves_ok: race-free
//@ verdict leaves_bad: racy
__global__ void neighbour_ok(int *out) { // expect-clean
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  out[blockIdx.x * 32 + t] = s[(t + 1) % 32];
}

__global__ void exits_ok(int *out, int n) { // expect-clean
  if (blockIdx.x >= n) return;
  out[blockIdx.x * 32 + threadIdx.x] = 1;
  __syncthreads();
  out[blockIdx.x * 32 + (threadIdx.x ^ 1)] = 2;
}

__global__ void exits_bad(int *out, int n) {
  if (threadIdx.x >= n) return;
  out[blockIdx.x * 32 + threadIdx.x] = 1;
  __syncthreads(); // expect-divergence
  out[blockIdx.x * 32 + (threadIdx.x ^ 1)] = 2;
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

__global__ void falls_ok(int *out) { // expect-clean
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  if ((t & 1) == 0)
    s[t] = 1;
  if ((t & 1) == 1)
    s[t - 1] = 2;
  out[blockIdx.x * 32 + t] = t;
}

__global__ void falls_bad(int *out) {
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  switch (t & 1) {
  case 0:
    s[t] = 1; // expect-race {{-Wintra-warp-race}}
  case 1:
    s[t ^ 1] = 2; // expect-race {{-Wintra-warp-race}}
  }
  out[blockIdx.x * 32 + t] = t;
}

__global__ void leaves_ok(int *out, const int *limits) { // expect-clean
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  for (int i = 0; i < limits[t]; i++)
    s[t] = i;
  out[blockIdx.x * 32 + t] = s[31 - t];
}

__global__ void leaves_bad(int *out, const int *limits) {
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  for (int i = 0; i < limits[t]; i++) {
    if (limits[i] == 7) {
      out[blockIdx.x * 32 + t] = s[31 - t]; // expect-race {{-Wintra-warp-race}}
      break;
    }
    s[t] = i; // expect-race
  }
}

int main() {
  int *out, *limits;
  cudaMalloc((void **)&out, 4096);
  cudaMalloc((void **)&limits, 4096);
  neighbour_ok<<<8, 32>>>(out);
  exits_ok<<<8, 32>>>(out, 5);
  exits_bad<<<8, 32>>>(out, 5);
  pairs_bad<<<8, 32>>>(out);
  arms_bad<<<8, 32>>>(out);
  falls_ok<<<8, 32>>>(out);
  falls_bad<<<8, 32>>>(out);
  leaves_ok<<<8, 32>>>(out, limits);
  leaves_bad<<<8, 32>>>(out, limits);
  return 0;
}
