// Leaders of two blocks that read things of their own (order_own_numbers.cu), under ScoRD's model. All blocks may be the last one, each by
// its own number (bad); where the number is one for all of them, one block is (ok).
//@ args: --memory-model=scord
//@ verdict own_bad: racy
//@ verdict own_ok: race-free
//@ verdict volatile_bad: racy
//@ verdict readonly_ok: race-free
//@ verdict scalar_bad: racy
//@ verdict scalar_ok: race-free

__global__ void own_bad(int *next, int *count, int *out) {
  __shared__ int last;
  if (threadIdx.x == 0) {
    int want = atomicAdd(next, 1);
    last = atomicAdd(count, 1) == want;
  }
  __syncthreads();
  if (last) out[threadIdx.x] = blockIdx.x; // expect-race(inter-block)
}

__global__ void own_ok(int want, int *next, int *count, int *out) { // expect-clean
  __shared__ int last;
  if (threadIdx.x == 0) {
    atomicAdd(next, 1);
    last = atomicAdd(count, 1) == want;
  }
  __syncthreads();
  if (last) out[threadIdx.x] = blockIdx.x;
}

__global__ void volatile_bad(volatile int *next, int *count, int *out) {
  __shared__ int last;
  if (threadIdx.x == 0) {
    int want = next[blockIdx.x];
    last = atomicAdd(count, 1) == want;
  }
  __syncthreads();
  if (last) out[threadIdx.x] = blockIdx.x; // expect-race(inter-block)
}

__global__ void readonly_ok(const int *next, int *count, int *out) { // expect-clean
  __shared__ int last;
  if (threadIdx.x == 0) {
    int want = next[0];
    last = atomicAdd(count, 1) == want;
  }
  __syncthreads();
  if (last) out[threadIdx.x] = blockIdx.x;
}

__global__ void scalar_bad(volatile int *limit, int *done, float *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    last = atomicAdd(done, 1) == *limit;   // expect-race[limit](inter-block)
    if (blockIdx.x == 0) *limit = 1;       // expect-race[limit](inter-block)
  }
  __syncthreads();
  if (last) out[threadIdx.x] = blockIdx.x; // expect-race(inter-block)
}

__global__ void scalar_ok(const int *limit, int *done, float *out) { // expect-clean
  __shared__ bool last;
  if (threadIdx.x == 0) last = atomicAdd(done, 1) == *limit;
  __syncthreads();
  if (last) out[threadIdx.x] = blockIdx.x;
}

int main() {
  int host[64], *next, *elements, *count, *out;
  float *sums;
  for (int i = 0; i < 64; i++)
    host[i] = i;
  cudaMalloc(&next, 4);
  cudaMalloc(&elements, sizeof host);
  cudaMalloc(&count, 4);
  cudaMalloc(&out, 512);
  cudaMalloc(&sums, 512);
  cudaMemset(next, 0, 4);
  cudaMemcpy(elements, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(count, 0, 4);
  own_bad<<<64, 128>>>(next, count, out);
  cudaMemset(next, 0, 4);
  cudaMemset(count, 0, 4);
  own_ok<<<64, 128>>>(63, next, count, out);
  cudaMemset(count, 0, 4);
  volatile_bad<<<64, 128>>>(elements, count, out);
  cudaMemset(count, 0, 4);
  readonly_ok<<<64, 128>>>(elements, count, out);
  cudaMemset(next, 0, 4);
  cudaMemset(count, 0, 4);
  scalar_bad<<<64, 128>>>(next, count, sums);
  cudaMemset(next, 0, 4);
  cudaMemset(count, 0, 4);
  scalar_ok<<<64, 128>>>(next, count, sums);
  return cudaDeviceSynchronize() != cudaSuccess;
}
