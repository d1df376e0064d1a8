// What the leader of a block reads is its own: leaders of two blocks may have read two things, so that "the one that drew this number"
// is somebody else in each block. Each block waits for a number of its own, which its leader has drawn (own, direct), or read, volatile
// or not, from an element of its own (volatile, readonly), or from one word that a block changes in the meantime (scalar): all blocks
// may be the last one, each by its own number, and all of them write out[]. Where the number is one for all blocks, a parameter or a word
// that nobody writes (ok), each number is drawn once, and one block is the last one. The host fills `next` with 0, 1, 2, ...
//@ verdict own_bad: racy
//@ verdict own_ok: race-free
//@ verdict volatile_bad: racy
//@ verdict readonly_bad: racy
//@ verdict readonly_ok: race-free
//@ verdict direct_bad: racy
//@ verdict direct_ok: race-free
//@ verdict groups_bad: racy
//@ verdict groups_ok: race-free
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

__global__ void readonly_bad(const int *next, int *count, int *out) {
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

// By each leader alone, without shared memory.
__global__ void direct_bad(int *next, int *count, int *out) {
  if (threadIdx.x == 0) {
    int want = atomicAdd(next, 1);
    if (atomicAdd(count, 1) == want) out[0] = blockIdx.x; // expect-race(inter-block)
  }
}

__global__ void direct_ok(int want, int *next, int *count, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd(next, 1);
    if (atomicAdd(count, 1) == want) out[0] = blockIdx.x;
  }
}

// The last block of a group sums up; how many blocks make a group is read by each leader.
__global__ void groups_bad(volatile int *sizes, int *done, float *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int size = sizes[blockIdx.x];
    last = atomicAdd(done, 1) == size - 1;
  }
  __syncthreads();
  if (last) out[threadIdx.x] = 2.0f * threadIdx.x + blockIdx.x; // expect-race(inter-block)
}

__global__ void groups_ok(int size, int *done, float *out) { // expect-clean
  __shared__ bool last;
  if (threadIdx.x == 0) last = atomicAdd(done, 1) == size - 1;
  __syncthreads();
  if (last) out[threadIdx.x] = 2.0f * threadIdx.x + blockIdx.x;
}

// One word for all, which the first block changes between what the leaders of two others read there.
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
  readonly_bad<<<64, 128>>>(elements, count, out);
  cudaMemset(count, 0, 4);
  readonly_ok<<<64, 128>>>(elements, count, out);
  cudaMemset(next, 0, 4);
  cudaMemset(count, 0, 4);
  direct_bad<<<64, 128>>>(next, count, out);
  cudaMemset(next, 0, 4);
  cudaMemset(count, 0, 4);
  direct_ok<<<64, 128>>>(63, next, count, out);
  cudaMemset(count, 0, 4);
  groups_bad<<<64, 128>>>(elements, count, sums);
  cudaMemset(count, 0, 4);
  groups_ok<<<64, 128>>>(64, count, sums);
  cudaMemset(next, 0, 4);
  cudaMemset(count, 0, 4);
  scalar_bad<<<64, 128>>>(next, count, sums);
  cudaMemset(next, 0, 4);
  cudaMemset(count, 0, 4);
  scalar_ok<<<64, 128>>>(next, count, sums);
  return cudaDeviceSynchronize() != cudaSuccess;
}
