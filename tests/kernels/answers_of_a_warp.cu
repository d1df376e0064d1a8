// What a whole warp is answered is one number for all its lanes: a minimum with the lane in its lower bits names one lane
// (least: ok, in a block of one warp; bad: of two warps), so does the lowest of the bits joined (joined: ok; bad: those of a half
// of the warp), a sum (sum: ok; bad: each lane its own), and whether all lanes hold one value (all: ok; bad: any lane writes).
//@ verdict least_ok: race-free
//@ verdict least_bad: racy
//@ verdict joined_ok: race-free
//@ verdict joined_bad: racy
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
//@ verdict all_ok: race-free
//@ verdict all_bad: racy
#include <cuda_runtime.h>

__device__ void least(const unsigned *in, unsigned *out) {
  unsigned lane = threadIdx.x % 32, best = __reduce_min_sync(~0u, in[blockIdx.x * blockDim.x + threadIdx.x] * 32 + lane);
  if (best % 32 == lane) out[blockIdx.x] = best / 32; // expect-race[least]
}
__global__ void least_ok(const unsigned *in, unsigned *out) { least(in, out); } // expect-clean
__global__ void least_bad(const unsigned *in, unsigned *out) { least(in, out); }

template <unsigned MASK> __device__ void joined(const int *in, unsigned *out) {
  unsigned lane = threadIdx.x, bits = 0;
  if (MASK >> lane & 1) bits = __reduce_or_sync(MASK, in[blockIdx.x * 32 + lane] > 0 ? 1u << lane : 0);
  else bits = __reduce_or_sync(~MASK, in[blockIdx.x * 32 + lane] > 0 ? 1u << lane : 0);
  if (lane % 16 == __ffs(bits) % 16) out[blockIdx.x] = bits; // expect-race[joined]
}
__global__ void joined_ok(const int *in, unsigned *out) { // expect-clean
  unsigned lane = threadIdx.x, bits = __reduce_or_sync(~0u, in[blockIdx.x * 32 + lane] > 0 ? 1u << lane : 0);
  if (lane == __ffs(bits) - 1) out[blockIdx.x] = bits;
}
__global__ void joined_bad(const int *in, unsigned *out) { joined<0xffffu>(in, out); }

template <bool SUM> __device__ void sum(const unsigned *in, unsigned *out) {
  unsigned v = in[blockIdx.x * 32 + threadIdx.x];
  if (SUM) v = __reduce_add_sync(~0u, v);
  if (threadIdx.x == v % 32 || (!SUM && v == 0)) out[blockIdx.x] = v; // expect-race[sum]
}
__global__ void sum_ok(const unsigned *in, unsigned *out) { sum<true>(in, out); } // expect-clean
__global__ void sum_bad(const unsigned *in, unsigned *out) { sum<false>(in, out); }

template <bool ALL> __device__ void all(const int *in, int *out) {
  int is_one = 0;
  unsigned mask = __match_all_sync(~0u, in[blockIdx.x * 32 + threadIdx.x], &is_one);
  int who = ALL ? __ffs(mask) - 1 : threadIdx.x;
  if (mask && threadIdx.x == who) out[blockIdx.x] = threadIdx.x; // expect-race[all]
}
__global__ void all_ok(const int *in, int *out) { all<true>(in, out); } // expect-clean
__global__ void all_bad(const int *in, int *out) { all<false>(in, out); }

void run(const int *in, int *out, const unsigned *words, unsigned *sums, int blocks) {
  least_ok<<<blocks, 32>>>(words, sums);
  least_bad<<<blocks, 64>>>(words, sums);
  joined_ok<<<blocks, 32>>>(in, sums);
  joined_bad<<<blocks, 32>>>(in, sums);
  sum_ok<<<blocks, 32>>>(words, sums);
  sum_bad<<<blocks, 32>>>(words, sums);
  all_ok<<<blocks, 32>>>(in, out);
  all_bad<<<blocks, 32>>>(in, out);
}
