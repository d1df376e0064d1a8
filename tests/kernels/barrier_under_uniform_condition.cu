// A barrier in a branch that all threads of the block take together (a launch parameter, the block number) separates like
// any other. If the condition may be false, nothing separates the write from the read (bad).
//@ verdict maybe_ok: race-free
//@ verdict maybe_bad: racy
//@ verdict by_block_ok: race-free
__global__ void maybe_ok(int *out, int n) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (n > 10) {
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
  }
}

__global__ void maybe_bad(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t; // expect-race {{-Wintra-block-race}}
  if (n > 10)
    __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race {{-Wintra-block-race}}
}

__global__ void by_block_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
  } else {
    out[blockIdx.x * 64 + t] = s[t];
  }
}

int main(int argc, char **) {
  int *out;
  cudaMalloc((void **)&out, 8 * 64 * sizeof(int));
  maybe_ok<<<8, 64>>>(out, argc);
  maybe_bad<<<8, 64>>>(out, argc);
  by_block_ok<<<8, 64>>>(out);
  return 0;
}
