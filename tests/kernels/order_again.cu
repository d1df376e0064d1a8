// Flags that are used twice in a kernel: between the two rounds each thread sets its own back, and a barrier of the block
// makes that known before anybody waits again; what ended a wait of the second round was not stored in the first one.
// twice, exchange: so (ok). never_bad: nobody sets them back. some_bad: only some do. up_bad: one is up again before the
// barrier. cas_bad: by a compare-and-swap that fails. one_bad: to the awaited value.
//@ args: --block-dim=64
//@ verdict twice_ok: race-free
//@ verdict exchange_ok: race-free
//@ verdict never_bad: racy
//@ verdict some_bad: racy
//@ verdict up_bad: racy
//@ verdict cas_bad: racy
//@ verdict one_bad: racy
#define WARP 32

// The data are volatile, which orders nothing.
__device__ int hand_over(volatile int *data, int *flags, int n) {
  int t = threadIdx.x;
  if (t >= WARP) {
    data[t] = n; // expect-race[data] {{cause=missing-barrier}}
    __threadfence_block();
    atomicExch_block(&flags[t], 1);
    return n;
  }
  while (atomicAdd_block(&flags[t + WARP], 0) != 1) {
  }
  __threadfence_block();
  return n + data[t + WARP]; // expect-race[data]
}

__device__ int first_round(volatile int *data, int *flags, int n) {
  flags[threadIdx.x] = 0;
  __syncthreads();
  n = hand_over(data, flags, n);
  __syncthreads();
  return n;
}

__global__ void twice_ok(volatile int *data, int *flags, int n) { // expect-clean
  data += blockIdx.x * blockDim.x;
  flags += blockIdx.x * blockDim.x;
  n = first_round(data, flags, n);
  flags[threadIdx.x] = 0;
  __syncthreads();
  hand_over(data, flags, n);
}

__global__ void exchange_ok(volatile int *data, int *flags, int n) { // expect-clean
  data += blockIdx.x * blockDim.x;
  flags += blockIdx.x * blockDim.x;
  n = first_round(data, flags, n);
  atomicExch_block(&flags[threadIdx.x], 0);
  __syncthreads();
  hand_over(data, flags, n);
}

__global__ void never_bad(volatile int *data, int *flags, int n) {
  data += blockIdx.x * blockDim.x;
  flags += blockIdx.x * blockDim.x;
  n = first_round(data, flags, n);
  hand_over(data, flags, n);
}

__global__ void some_bad(volatile int *data, int *flags, int n) {
  data += blockIdx.x * blockDim.x;
  flags += blockIdx.x * blockDim.x;
  n = first_round(data, flags, n);
  if (threadIdx.x < 40)
    flags[threadIdx.x] = 0;
  __syncthreads();
  hand_over(data, flags, n);
}

__global__ void up_bad(volatile int *data, int *flags, int n) {
  data += blockIdx.x * blockDim.x;
  flags += blockIdx.x * blockDim.x;
  n = first_round(data, flags, n);
  flags[threadIdx.x] = 0;
  if (threadIdx.x == 40)
    atomicExch_block(&flags[threadIdx.x], 1);
  __syncthreads();
  hand_over(data, flags, n);
}

__global__ void cas_bad(volatile int *data, int *flags, int n) {
  data += blockIdx.x * blockDim.x;
  flags += blockIdx.x * blockDim.x;
  n = first_round(data, flags, n);
  atomicCAS_block(&flags[threadIdx.x], 5, 0);
  __syncthreads();
  hand_over(data, flags, n);
}

__global__ void one_bad(volatile int *data, int *flags, int n) {
  data += blockIdx.x * blockDim.x;
  flags += blockIdx.x * blockDim.x;
  n = first_round(data, flags, n);
  flags[threadIdx.x] = 1;
  __syncthreads();
  hand_over(data, flags, n);
}
