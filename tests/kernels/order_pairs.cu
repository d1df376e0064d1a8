// A barrier of a row of blocks, made of a flag for each pair of them: thread t of a block sets the flag for block t, and waits for the one
// that block t sets; a barrier of the block stands before that and behind it. What block b has done is known to all threads of another
// block, as thread b of it has waited for that. Each kernel below "line" has one edit.
// pairs: the blocks of one row of the grid share a piece (ok). line: all blocks of the grid do (ok). before: the flags are set before the
// block's barrier (bad). behind: no barrier behind the waits (bad). few: nobody waits for the last block (bad). mixed: all rows share
// their flags (bad). told: no fence before the flag (bad). heard: none behind the wait (bad).
//@ pairs: exact
//@ verdict pairs_ok: race-free
//@ rule pairs_ok: flag
//@ verdict line_ok: race-free
//@ rule line_ok: flag
//@ verdict before_bad: racy
//@ verdict behind_bad: racy
//@ verdict few_bad: racy
//@ verdict mixed_bad: racy
//@ verdict told_bad: racy
//@ verdict heard_bad: racy

const int RANKS = 2;

__device__ volatile unsigned *flag_of(volatile unsigned *flags, int of, int by) {
  return &flags[(blockIdx.x * RANKS + of) * RANKS + by];
}

__device__ void put(int *parts) {
  if (threadIdx.x < 32) parts[blockIdx.x * 64 + blockIdx.y * 32 + threadIdx.x] = threadIdx.x; // expect-race[part](inter-block)
}

__device__ void get(const int *parts, int *out) {
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x] = parts[blockIdx.x * 64 + threadIdx.x]; // expect-race[part](inter-block)
}

__global__ void pairs_ok(int *parts, int *out, volatile unsigned *flags) { // expect-clean
  put(parts);
  __syncthreads();
  if (threadIdx.x < RANKS) {
    __threadfence();
    *flag_of(flags, threadIdx.x, blockIdx.y) = 1;
    while (*flag_of(flags, blockIdx.y, threadIdx.x) == 0)
      ;
    __threadfence();
  }
  __syncthreads();
  get(parts, out);
}

__global__ void line_ok(int *parts, int *out, volatile unsigned *flags) { // expect-clean
  int t = threadIdx.x;
  for (int i = t; i < 256; i += blockDim.x)
    parts[blockIdx.x * 256 + i] = i;
  __syncthreads();
  if (t < gridDim.x) {
    __threadfence();
    flags[t * gridDim.x + blockIdx.x] = 1;
    while (flags[blockIdx.x * gridDim.x + t] == 0)
      ;
    __threadfence();
  }
  __syncthreads();
  for (int i = t; i < 256 * gridDim.x; i += blockDim.x)
    out[blockIdx.x * 256 * gridDim.x + i] = parts[i];
}

__global__ void before_bad(int *parts, int *out, volatile unsigned *flags) {
  put(parts);
  if (threadIdx.x < RANKS) {
    __threadfence();
    *flag_of(flags, threadIdx.x, blockIdx.y) = 1;
    while (*flag_of(flags, blockIdx.y, threadIdx.x) == 0)
      ;
    __threadfence();
  }
  __syncthreads();
  get(parts, out);
}

__global__ void behind_bad(int *parts, int *out, volatile unsigned *flags) {
  put(parts);
  __syncthreads();
  if (threadIdx.x < RANKS) {
    __threadfence();
    *flag_of(flags, threadIdx.x, blockIdx.y) = 1;
    while (*flag_of(flags, blockIdx.y, threadIdx.x) == 0)
      ;
    __threadfence();
  }
  get(parts, out);
}

__global__ void few_bad(int *parts, int *out, volatile unsigned *flags) {
  put(parts);
  __syncthreads();
  if (threadIdx.x < RANKS - 1) {
    __threadfence();
    *flag_of(flags, threadIdx.x, blockIdx.y) = 1;
    while (blockIdx.y < RANKS - 1 && *flag_of(flags, blockIdx.y, threadIdx.x) == 0)
      ;
    __threadfence();
  }
  __syncthreads();
  get(parts, out);
}

__global__ void mixed_bad(int *parts, int *out, volatile unsigned *flags) {
  put(parts);
  __syncthreads();
  if (threadIdx.x < RANKS) {
    __threadfence();
    flags[threadIdx.x * RANKS + blockIdx.y] = 1; // expect-same-value
    while (flags[blockIdx.y * RANKS + threadIdx.x] == 0)
      ;
    __threadfence();
  }
  __syncthreads();
  get(parts, out);
}

__global__ void told_bad(int *parts, int *out, volatile unsigned *flags) {
  put(parts);
  __syncthreads();
  if (threadIdx.x < RANKS) {
    *flag_of(flags, threadIdx.x, blockIdx.y) = 1;
    while (*flag_of(flags, blockIdx.y, threadIdx.x) == 0)
      ;
    __threadfence();
  }
  __syncthreads();
  get(parts, out);
}

__global__ void heard_bad(int *parts, int *out, volatile unsigned *flags) {
  put(parts);
  __syncthreads();
  if (threadIdx.x < RANKS) {
    __threadfence();
    *flag_of(flags, threadIdx.x, blockIdx.y) = 1;
    while (*flag_of(flags, blockIdx.y, threadIdx.x) == 0)
      ;
  }
  __syncthreads();
  get(parts, out);
}

int main() {
  int *parts, *out;
  unsigned *flags;
  cudaMalloc(&parts, 4096 * sizeof(int));
  cudaMalloc(&out, 4096 * sizeof(int));
  cudaMalloc(&flags, 16 * 16 * sizeof(unsigned));
  dim3 grid(2, 2);
#define CLEAR cudaMemset(flags, 0, 16 * 16 * sizeof(unsigned))
  CLEAR;
  pairs_ok<<<grid, 64>>>(parts, out, flags);
  CLEAR;
  line_ok<<<4, 64>>>(parts, out, flags);
  CLEAR;
  before_bad<<<grid, 64>>>(parts, out, flags);
  CLEAR;
  behind_bad<<<grid, 64>>>(parts, out, flags);
  CLEAR;
  few_bad<<<grid, 64>>>(parts, out, flags);
  CLEAR;
  mixed_bad<<<grid, 64>>>(parts, out, flags);
  CLEAR;
  told_bad<<<grid, 64>>>(parts, out, flags);
  CLEAR;
  heard_bad<<<grid, 64>>>(parts, out, flags);
}
