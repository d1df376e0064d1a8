// What one lane draws, or has found out, and hands to others by a shuffle, with a mask or an amount that a vote gave: they get it if all meet in that
// shuffle and that vote. In *_bad odd lanes make one more of the kind before and even lanes one more behind, so that some get what was put into
// that one.
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
//@ verdict label_ok: race-free
//@ verdict label_bad: racy
//@ verdict amount_ok: race-free
//@ verdict amount_bad: racy
//@ verdict cover_ok: race-free
//@ verdict cover_bad: racy
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
//@ known-undecided last_bad: who got which of two shuffled values is not followed
//@ verdict granted_ok: race-free
//@ verdict granted_bad: racy
#define ALL 0xffffffff
#define ODD_BEFORE(OPERATION) if (IS_BAD && (lane & 1)) OPERATION
#define EVEN_BEHIND(OPERATION) if (IS_BAD && !(lane & 1)) OPERATION

template <bool IS_BAD> __device__ void part(int *out, int *count) {
  int lane = threadIdx.x & 31, start = 0;
  if (lane % 16 == 0) start = atomicAdd(count, 16);
  ODD_BEFORE(__shfl_sync(ALL, 0, 0, 16));
  start = __shfl_sync(ALL, start, 0, 16);
  EVEN_BEHIND(__shfl_sync(ALL, 0, 0, 16));
  out[start + lane % 16] = threadIdx.x; // expect-race[part]
}
__global__ void part_ok(int *out, int *count) { part<false>(out, count); } // expect-clean
__global__ void part_bad(int *out, int *count) { part<true>(out, count); }

template <bool IS_BAD> __device__ void label(int *out, int *count, const int *in) {
  int lane = threadIdx.x & 31, start = 0;
  unsigned same = __match_any_sync(ALL, in[threadIdx.x]);
  int leader = __ffs(same) - 1;
  if (lane == leader) start = atomicAdd(count, __popc(same));
  ODD_BEFORE(__shfl_sync(same, 0, leader));
  start = __shfl_sync(same, start, leader);
  EVEN_BEHIND(__shfl_sync(same, 0, leader));
  out[start + __popc(same & ((1u << lane) - 1))] = threadIdx.x; // expect-race[label]
}
__global__ void label_ok(int *out, int *count, const int *in) { label<false>(out, count, in); } // expect-clean
__global__ void label_bad(int *out, int *count, const int *in) { label<true>(out, count, in); }

template <bool IS_BAD> __device__ void amount(int *out, int *count, const int *in) {
  int lane = threadIdx.x & 31, start = 0;
  bool wants = in[threadIdx.x] > 0;
  ODD_BEFORE(__ballot_sync(ALL, 0));
  unsigned all = __ballot_sync(ALL, wants);
  EVEN_BEHIND(__ballot_sync(ALL, 0));
  if (lane == 0) start = atomicAdd(count, __popc(all));
  start = __shfl_sync(ALL, start, 0);
  if (wants) out[start + __popc(all & ((1u << lane) - 1))] = threadIdx.x; // expect-race[amount]
}
__global__ void amount_ok(int *out, int *count, const int *in) { amount<false>(out, count, in); } // expect-clean
__global__ void amount_bad(int *out, int *count, const int *in) { amount<true>(out, count, in); }

template <bool IS_BAD> __device__ void cover(int *out, const int *in) {
  __shared__ int kept[32];
  int lane = threadIdx.x;
  bool wants = in[lane] > 0;
  ODD_BEFORE(__ballot_sync(ALL, 0));
  unsigned all = __ballot_sync(ALL, wants);
  EVEN_BEHIND(__ballot_sync(ALL, 0));
  if (wants) {
    kept[lane] = lane; // expect-race[cover]
    __syncwarp(all);
    out[lane] = kept[in[lane ^ 1] > 0 ? lane ^ 1 : lane]; // expect-race[cover]
  }
}
__global__ void cover_ok(int *out, const int *in) { cover<false>(out, in); } // expect-clean
__global__ void cover_bad(int *out, const int *in) { cover<true>(out, in); }

template <bool IS_BAD> __device__ void last(int *out, int *count) {
  int lane = threadIdx.x, ticket = 0;
  out[1 + blockIdx.x * 32 + lane] = lane;
  __threadfence();
  __syncthreads();
  if (lane == 0) {
    ticket = atomicAdd(count, 1);
    __threadfence();
  }
  ODD_BEFORE(__shfl_sync(ALL, 0, 0));
  ticket = __shfl_sync(ALL, ticket, 0);
  EVEN_BEHIND(__shfl_sync(ALL, 3, 0));
  __syncwarp();
  if (ticket == 3) {
    __threadfence();
    out[129 + lane] = out[1 + lane] + out[33 + lane] + out[65 + lane] + out[97 + lane];
  }
}
__global__ void last_ok(int *out, int *count) { last<false>(out, count); } // expect-clean
__global__ void last_bad(int *out, int *count) { last<true>(out, count); }

// The rounds within hang on a vote that lanes make together only if these do: what is taken for granted while that is asked is kept for nobody.
template <int DISTANCE> __device__ void granted(int *out, int *other, const int *in) {
  int lane = threadIdx.x;
  asm volatile("bar.sync 1, 32;" ::: "memory");
  for (int r = 0; r < 2; r++) {
    bool first = __any_sync(ALL, r == 0);
    __shfl_sync(ALL, lane, 0);
    int j = 0;
    do {
      bool again = __any_sync(ALL, r == 0);
      int x = __shfl_sync(ALL, in[lane], 0);
      other[(x * 32 + lane) * 2 + again] = 1;
      j++;
    } while (j < (first ? (r ? 2 : 1 + (lane & DISTANCE)) : 1));
    if (first ? lane == 2 : lane == 1) out[r] = lane; // expect-race[granted]
  }
}
__global__ void granted_ok(int *out, int *other, const int *in) { granted<0>(out, other, in); } // expect-clean
__global__ void granted_bad(int *out, int *other, const int *in) { granted<1>(out, other, in); }

void handed_in_step(int *out, const int *in) {
  int *count;
  cudaMalloc(&count, 4);
  cudaMemset(count, 0, 4);
  part_ok<<<1, 64>>>(out, count);
  cudaMemset(count, 0, 4);
  part_bad<<<1, 64>>>(out, count);
  cudaMemset(count, 0, 4);
  label_ok<<<1, 64>>>(out, count, in);
  cudaMemset(count, 0, 4);
  label_bad<<<1, 64>>>(out, count, in);
  cudaMemset(count, 0, 4);
  amount_ok<<<1, 64>>>(out, count, in);
  cudaMemset(count, 0, 4);
  amount_bad<<<1, 64>>>(out, count, in);
  cover_ok<<<1, 32>>>(out, in);
  cover_bad<<<1, 32>>>(out, in);
  cudaMemset(count, 0, 4);
  last_ok<<<4, 32>>>(out, count);
  cudaMemset(count, 0, 4);
  last_bad<<<4, 32>>>(out, count);
  int *other;
  cudaMalloc(&other, 1 << 20);
  granted_ok<<<1, 32>>>(out, other, in);
  granted_bad<<<1, 32>>>(out, other, in);
}
