// Ranks from sums over the flags of a block, which hold only while the flags are what the threads put in, and are added up as they are.
// amount: each thread writes as many elements as it put in; twin: one more.
// changed: thread 0 sets a flag back. only_some: not all flags are put in. bytes: the sums wrap at 256. cleared: an atomic operation sets flags
// back. slice: slices of blocks overlap by one element. negative: flags of -1 go back. lanes: the last round of a warp's sum is missing.
// stale: in a loop, what is added up is what the round before left.
//@ verdict amount_ok: race-free
//@ verdict amount_bad: racy
//@ verdict changed_bad: racy
//@ verdict only_some_bad: racy
//@ verdict bytes_bad: racy
//@ verdict cleared_bad: racy
//@ verdict slice_bad: racy
//@ verdict negative_bad: racy
//@ verdict lanes_bad: racy
//@ verdict stale_bad: racy
//@ verdict volatile_ok: race-free
//@ known-false-alarm volatile_ok: volatile shared memory is not followed
//@ verdict volatile_bad: racy
__device__ int below(const int *flags) {
  int sum = 0;
  for (int j = 0; j < (int)threadIdx.x; j++)
    sum += flags[j];
  return sum;
}

template <int MORE> __device__ void amount(const int *in, int *out) {
  __shared__ int flag[128];
  int t = threadIdx.x, count = in[t] & 7;
  flag[t] = count;
  __syncthreads();
  int place = below(flag);
  for (int j = 0; j < count + MORE; j++)
    out[place + j] = t; // expect-race[amount]
}
__global__ void amount_ok(const int *in, int *out) { amount<0>(in, out); } // expect-clean
__global__ void amount_bad(const int *in, int *out) { amount<1>(in, out); }

enum { CHANGED = 1, ONLY_SOME = 2, CLEARED = 4, NEGATIVE = 8, SLICE = 16 };
template <int HOW> __device__ void ranks(const int *in, int *out) {
  __shared__ int flag[128];
  int t = threadIdx.x, keep = in[blockIdx.x * 128 + t] > 0, put = HOW & NEGATIVE && !keep ? -1 : keep;
  flag[t] = 0;
  if (!(HOW & ONLY_SOME) || in[t] > 5)
    flag[t] = put;
  __syncthreads();
  if (HOW & CHANGED && t == 0)
    flag[in[0] & 127] = 0;
  if (HOW & CLEARED)
    atomicAnd(&flag[in[t] & 127], 0);
  __syncthreads();
  if (keep)
    out[blockIdx.x * (HOW & SLICE ? 127 : 128) + below(flag)] = t; // expect-race[ranks]
}
__global__ void changed_bad(const int *in, int *out) { ranks<CHANGED>(in, out); }
__global__ void only_some_bad(const int *in, int *out) { ranks<ONLY_SOME>(in, out); }
__global__ void cleared_bad(const int *in, int *out) { ranks<CLEARED>(in, out); }
__global__ void negative_bad(const int *in, int *out) { ranks<NEGATIVE>(in, out); }
__global__ void slice_bad(const int *in, int *out) { ranks<SLICE>(in, out); }

__global__ void bytes_bad(const int *in, int *out) {
  __shared__ unsigned char sum[512];
  int t = threadIdx.x, keep = in[t] > 0;
  sum[t] = keep;
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    unsigned char before = t >= d ? sum[t - d] : 0;
    __syncthreads();
    sum[t] += before;
    __syncthreads();
  }
  if (keep)
    out[sum[t]] = t; // expect-race[bytes]
}

__global__ void lanes_bad(const int *in, int *out) {
  int t = threadIdx.x, keep = in[t] > 0, sum = keep;
  for (int d = 1; d < 16; d *= 2) {
    int before = __shfl_up_sync(~0u, sum, d);
    if (t >= d)
      sum += before;
  }
  if (keep)
    out[sum] = t; // expect-race[lanes]
}

__global__ void stale_bad(const int *in, int *out, int n) {
  __shared__ int total[4];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (threadIdx.x < 4)
    total[threadIdx.x] = 0;
  for (int first = blockIdx.x * 128; first < n; first += gridDim.x * 128) {
    int i = first + threadIdx.x, base = 0;
    bool keep = in[i] > 0;
    unsigned kept = __ballot_sync(~0u, keep);
    __syncthreads();
    for (int w = 0; w < warp; w++)
      base += total[w];
    __syncthreads();
    if (lane == 0)
      total[warp] = __popc(kept);
    if (keep)
      out[first + base + __popc(kept & ((1u << lane) - 1))] = i; // expect-race[stale]
  }
}

// In volatile memory that the launch sizes.
template <int OWN> __device__ void in_volatile(const int *in, int *out) {
  extern __shared__ volatile int room[];
  int t = threadIdx.x, keep = in[t] > 0;
  room[t] = keep;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int other = t >= d ? room[t - d] : 0;
    __syncthreads();
    room[t] = room[t] + other;
    __syncthreads();
  }
  if (OWN ? keep : t >= 0) out[room[t]] = t; // expect-race[volatile]
}
__global__ void volatile_ok(const int *in, int *out) { in_volatile<1>(in, out); } // expect-clean
__global__ void volatile_bad(const int *in, int *out) { in_volatile<0>(in, out); }

int main(int argc, char **argv) {
  int n = argc * 1024, *in, *out;
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&out, 8 * n * sizeof(int));
  cudaMemcpy(in, argv[1], n * sizeof(int), cudaMemcpyHostToDevice);
  amount_ok<<<1, 128>>>(in, out);
  amount_bad<<<1, 128>>>(in, out);
  changed_bad<<<1, 128>>>(in, out);
  only_some_bad<<<1, 128>>>(in, out);
  cleared_bad<<<1, 128>>>(in, out);
  negative_bad<<<1, 128>>>(in, out);
  slice_bad<<<argc, 128>>>(in, out);
  bytes_bad<<<1, 512>>>(in, out);
  lanes_bad<<<1, 32>>>(in, out);
  stale_bad<<<argc, 128>>>(in, out, n);
  volatile_ok<<<1, 128, 512>>>(in, out);
  volatile_bad<<<1, 128, 512>>>(in, out);
  return 0;
}
