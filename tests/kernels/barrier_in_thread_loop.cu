// A loop whose number of rounds is the thread's number has a barrier inside, and another one follows: threads wait at
// different places. What comes after is anybody's guess.
//@ verdict stairs_ok: race-free
//@ verdict stairs_bad: undecided
// rows: each warp has rows of its own, each with steps behind barriers, at least one. Where all warps of a block have the same
// number of rows they meet (ok); one row less, and one warp waits behind the loop while others wait in it (bad).
//@ verdict rows_ok: race-free
//@ verdict rows_bad: undecided
__global__ void stairs_ok(int *out, int n) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < n; i++) {
    s[t] += i;
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void stairs_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < t; i++) {
    s[t] += i;
    __syncthreads(); // expect-divergence
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void rows_ok(float *a, int rows, int steps) { // expect-clean
  __shared__ float s[64];
  int warps = blockDim.x / 32, lane = threadIdx.x % 32;
  for (int r = blockIdx.x * warps + threadIdx.x / 32; r < rows; r += gridDim.x * warps)
    for (int i = 0; i < steps; i++) {
      s[threadIdx.x] = a[(r * steps + i) * 32 + lane];
      __syncthreads();
      a[(r * steps + i) * 32 + lane] = s[threadIdx.x ^ 1];
      __syncthreads();
    }
  __syncthreads();
  if (threadIdx.x == 0) s[0] = 1;
}

__global__ void rows_bad(float *a, int rows, int steps) {
  __shared__ float s[64];
  int warps = blockDim.x / 32, lane = threadIdx.x % 32;
  for (int r = blockIdx.x * warps + threadIdx.x / 32; r < rows; r += gridDim.x * warps)
    for (int i = 0; i < steps; i++) {
      s[threadIdx.x] = a[(r * steps + i) * 32 + lane];
      __syncthreads(); // expect-divergence
      a[(r * steps + i) * 32 + lane] = s[threadIdx.x ^ 1];
      __syncthreads(); // expect-divergence
    }
  __syncthreads();
  if (threadIdx.x == 0) s[0] = 1;
}

int main(int argc, char **) {
  int *out;
  cudaMalloc((void **)&out, 8 * 64 * sizeof(int));
  stairs_ok<<<8, 64>>>(out, argc);
  stairs_bad<<<8, 64>>>(out);
  float *a;
  cudaMalloc((void **)&a, 8192 * 7 * 32 * sizeof(float));
  rows_ok<<<argc * 16, 64>>>(a, 8192, 7);
  rows_bad<<<argc * 16, 64>>>(a, 8191, 7);
  return 0;
}
