// An arithmetic shift rounds down, a division towards zero, and a mask of a negative number is not its remainder.
// parent: for thread 0, (0 - 1) >> 1 is -1, so slot -1 + 2 = 1 is read, which thread 1 writes (bad); -1 + 1 = 0 is its own
// slot (ok). A truncating reading gets both wrong.
// wrap: thread 0 reads s[(0 - 1) & (n - 1)], the last slot of a ring of n (a power of two, at least 2): the slot that
// thread n - 1 writes (bad). (0 - 1) % 2 + 1 = 0 is its own slot (ok).
//@ verdict parent_ok: race-free
//@ verdict parent_bad: racy
//@ verdict wrap_ok: race-free
//@ verdict wrap_bad: racy
__global__ void parent_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 1)
    s[1] = 7;
  if (t == 0)
    out[blockIdx.x] = s[((t - 1) >> 1) + 1];
}

__global__ void parent_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 1)
    s[1] = 7; // expect-race {{-Wintra-warp-race}}
  if (t == 0)
    out[blockIdx.x] = s[((t - 1) >> 1) + 2]; // expect-race {{-Wintra-warp-race}}
}

__global__ void wrap_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t == 0)
    out[blockIdx.x] = s[(t - 1) % 2 + 1];
}

__global__ void wrap_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t; // expect-race {{-Wintra-block-race}}
  if (t == 0)
    out[blockIdx.x] = s[(t - 1) & (blockDim.x - 1)]; // expect-race {{-Wintra-block-race}}
}

int main() {
  int *a;
  cudaMalloc((void **)&a, 4096);
  parent_ok<<<4, 64>>>(a);
  parent_bad<<<4, 64>>>(a);
  wrap_ok<<<4, 64>>>(a);
  wrap_bad<<<4, 64>>>(a);
  return 0;
}
