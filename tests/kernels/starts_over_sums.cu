// A block keeps the start of its room where it had the sum of a warp before: what is read behind the barrier is the number that its one thread drew.
//   keep: sums of warps by shuffles, the last thread draws for all (ok); for one less (less); another sum is put there behind the draw (anew).
//   some: it draws only if anything is kept, and only then somebody reads (ok); it draws if two are kept, so that one that is kept alone
//     has a sum for its start (two).
//   flagged: it draws only if an array says so; else the sum stays (bad).
//   beside: the sum of another warp is what is overwritten (bad).
//@ verdict keep_ok: race-free
//@ verdict keep_less_bad: racy
//@ verdict keep_anew_bad: racy
//@ verdict some_ok: race-free
//@ verdict some_two_bad: racy
//@ known-undecided some_two_bad: in the witness nobody draws, and that what is read then orders nothing is not seen
//@ verdict flagged_bad: racy
//@ verdict beside_bad: racy
#include <cuda_runtime.h>

enum { SIZE = 256, WARPS = SIZE / 32 };

__device__ unsigned add_up(unsigned sum) {
  for (int d = 1; d < 32; d *= 2) {
    unsigned before = __shfl_up_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 >= d) sum += before;
  }
  return sum;
}

// How many the threads up to this one keep.
__device__ unsigned places(unsigned keep, unsigned *sums) {
  unsigned t = threadIdx.x, sum = add_up(keep);
  if (t % 32 == 31) sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) sums[t] = add_up(t < WARPS ? sums[t] : 0);
  __syncthreads();
  return t < 32 ? sum : sum + sums[t / 32 - 1];
}

template <int LESS> __device__ void keep(const float *x, unsigned *out, unsigned *count, float limit) {
  __shared__ unsigned sums[32];
  unsigned t = threadIdx.x, i = blockIdx.x * SIZE + t, kept = x[i] <= limit, sum = places(kept, sums);
  if (t == SIZE - 1) sums[31] = atomicAdd(count, sum - LESS);
  __syncthreads();
  if (kept) out[sums[31] + sum - 1] = i; // expect-race[keep](inter-block)
}
__global__ void keep_ok(const float *x, unsigned *out, unsigned *count, float limit) { // expect-clean
  keep<0>(x, out, count, limit);
}
__global__ void keep_less_bad(const float *x, unsigned *out, unsigned *count, float limit) { keep<1>(x, out, count, limit); }

__global__ void keep_anew_bad(const float *x, unsigned *out, unsigned *count, float limit) {
  __shared__ unsigned sums[32];
  unsigned t = threadIdx.x, i = blockIdx.x * SIZE + t, kept = x[i] <= limit, sum = places(kept, sums);
  if (t == SIZE - 1) sums[31] = atomicAdd(count, sum);
  __syncthreads();
  if (t == 31) sums[31] = sum;
  __syncthreads();
  if (kept) out[sums[31] + sum - 1] = i; // expect-race(inter-block)
}

__global__ void some_ok(const float *x, unsigned *out, unsigned *count, float limit) { // expect-clean
  __shared__ unsigned sums[32];
  unsigned t = threadIdx.x, i = blockIdx.x * SIZE + t, kept = x[i] <= limit, sum = places(kept, sums);
  if (t == SIZE - 1 && sum >= 1) sums[31] = atomicAdd(count, sum);
  __syncthreads();
  if (kept) out[sums[31] + sum - 1] = i;
}

__global__ void some_two_bad(const float *x, unsigned *out, unsigned *count, float limit) {
  __shared__ unsigned sums[32];
  unsigned t = threadIdx.x, i = blockIdx.x * SIZE + t, kept = x[i] <= limit, sum = places(kept, sums);
  if (t == SIZE - 1 && sum >= 2) sums[31] = atomicAdd(count, sum);
  __syncthreads();
  if (kept) out[sums[31] + sum - 1] = i; // expect-race(inter-block)
}

__global__ void flagged_bad(const float *x, const int *flag, unsigned *out, unsigned *count, float limit) {
  __shared__ unsigned sums[32];
  unsigned t = threadIdx.x, i = blockIdx.x * SIZE + t, kept = x[i] <= limit, sum = places(kept, sums);
  if (t == SIZE - 1 && flag[blockIdx.x]) sums[31] = atomicAdd(count, sum);
  __syncthreads();
  if (kept) out[sums[31] + sum - 1] = i; // expect-race(inter-block)
}

__global__ void beside_bad(const float *x, unsigned *out, unsigned *count, float limit) {
  __shared__ unsigned sums[32];
  unsigned t = threadIdx.x, i = blockIdx.x * SIZE + t, kept = x[i] <= limit, sum = places(kept, sums);
  if (t == SIZE - 1) sums[30] = atomicAdd(count, sum);
  __syncthreads();
  if (kept) out[sums[31] + sum - 1] = i; // expect-race(inter-block)
}

void run(const float *x, const int *flag, unsigned *out, unsigned *count, float limit, int blocks) {
  keep_ok<<<blocks, SIZE>>>(x, out, count, limit);
  keep_less_bad<<<blocks, SIZE>>>(x, out, count, limit);
  keep_anew_bad<<<blocks, SIZE>>>(x, out, count, limit);
  some_ok<<<blocks, SIZE>>>(x, out, count, limit);
  some_two_bad<<<blocks, SIZE>>>(x, out, count, limit);
  flagged_bad<<<blocks, SIZE>>>(x, flag, out, count, limit);
  beside_bad<<<blocks, SIZE>>>(x, out, count, limit);
}
