// Lanes of a warp that named one label have one mask, so one leader: the lowest lane of it (lead: ok; bad: the labels differ
// where the places are the same), the one with none below it, by a count or by a test of the bits (first: ok; bad: two of
// them), in each round of a loop (rounds: ok; bad: no barrier between the rounds). Their ranks are places of their own: those
// of a group (part: ok; bad: the label is not what the place hangs on), by the lanes up to the own one (up_to: ok; bad: by all
// of them), with labels of 64 bits (wide: ok; bad: two labels for each place).
//@ verdict lead_ok: race-free
//@ verdict lead_bad: racy
//@ verdict first_ok: race-free
//@ verdict first_bad: racy
//@ verdict none_ok: race-free
//@ verdict none_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
//@ verdict up_to_ok: race-free
//@ verdict up_to_bad: racy
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__device__ unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
__device__ unsigned lanes_up_to() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(mask));
  return mask;
}

template <bool ALL> __device__ void lead(const int *key, int *out) {
  __shared__ int bins[64];
  unsigned lane = threadIdx.x;
  bins[lane] = bins[lane + 32] = 0;
  __syncwarp();
  int k = key[blockIdx.x * 32 + lane] & 63;
  unsigned same = __match_any_sync(~0u, ALL ? k : key[blockIdx.x * 32 + lane]);
  if ((same & -same) == (1u << lane)) bins[k] += __popc(same); // expect-race[lead]
  __syncwarp();
  out[blockIdx.x * 64 + lane] = bins[lane];
}
__global__ void lead_ok(const int *key, int *out) { lead<true>(key, out); } // expect-clean
__global__ void lead_bad(const int *key, int *out) { lead<false>(key, out); }

template <int FIRST> __device__ void first(const int *key, int *out) {
  int k = key[blockIdx.x * 32 + threadIdx.x] & 63;
  unsigned same = __match_any_sync(~0u, k);
  if (__popc(same & lanes_below()) < FIRST) out[blockIdx.x * 64 + k] = threadIdx.x; // expect-race[first]
}
__global__ void first_ok(const int *key, int *out) { first<1>(key, out); } // expect-clean
__global__ void first_bad(const int *key, int *out) { first<2>(key, out); }

template <bool ALL> __device__ void none(const int *key, int *out) {
  unsigned lane = threadIdx.x;
  int k = key[blockIdx.x * 32 + lane] & 63;
  unsigned same = __match_any_sync(~0u, k);
  if (!(same & ((1u << lane) - (ALL ? 1 : 2)))) out[blockIdx.x * 64 + k] = lane; // expect-race[none]
}
__global__ void none_ok(const int *key, int *out) { none<true>(key, out); } // expect-clean
__global__ void none_bad(const int *key, int *out) { none<false>(key, out); }

template <bool BARRIER> __device__ void rounds(const int *key, int *out, int n) {
  __shared__ int bins[64];
  unsigned lane = threadIdx.x;
  bins[lane] = bins[lane + 32] = 0;
  __syncwarp();
  for (int i = 0; i < n; i++) {
    int k = key[(blockIdx.x * n + i) * 32 + lane] & 63;
    unsigned same = __match_any_sync(~0u, k);
    if (__ffs(same) - 1 == lane) bins[k] += __popc(same); // expect-race[rounds]
    if (BARRIER) __syncwarp();
  }
  __syncwarp();
  out[blockIdx.x * 64 + lane] = bins[lane];
}
__global__ void rounds_ok(const int *key, int *out, int n) { rounds<true>(key, out, n); } // expect-clean
__global__ void rounds_bad(const int *key, int *out, int n) { rounds<false>(key, out, n); }

template <bool ALL> __device__ void part(const int *key, int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int k = key[blockIdx.x * 32 + threadIdx.x] & 7;
  auto group = cg::labeled_partition(warp, ALL ? k : key[blockIdx.x * 32 + threadIdx.x]);
  out[(blockIdx.x * 8 + k) * 32 + group.thread_rank()] = threadIdx.x; // expect-race[part]
}
__global__ void part_ok(const int *key, int *out) { part<true>(key, out); } // expect-clean
__global__ void part_bad(const int *key, int *out) { part<false>(key, out); }

template <bool OWN> __device__ void up_to(const int *key, int *out) {
  int k = key[blockIdx.x * 32 + threadIdx.x] & 7;
  unsigned same = __match_any_sync(~0u, k);
  unsigned mask = OWN ? lanes_up_to() : ~0u;
  out[(blockIdx.x * 8 + k) * 32 + __popc(same & mask) - 1] = threadIdx.x; // expect-race[up_to]
}
__global__ void up_to_ok(const int *key, int *out) { up_to<true>(key, out); } // expect-clean
__global__ void up_to_bad(const int *key, int *out) { up_to<false>(key, out); }

template <int PART> __device__ void wide(const long long *key, int *out, long long many) {
  long long k = key[blockIdx.x * 32 + threadIdx.x];
  unsigned same = __match_any_sync(~0u, k);
  if (0 <= k && k < many && (same & -same) == (1u << threadIdx.x)) out[k / PART + blockIdx.x * many] = threadIdx.x; // expect-race[wide]
}
__global__ void wide_ok(const long long *key, int *out, long long many) { wide<1>(key, out, many); } // expect-clean
__global__ void wide_bad(const long long *key, int *out, long long many) { wide<2>(key, out, many); }

void run(const int *key, int *out, const long long *wide_key, int blocks, int n) {
  lead_ok<<<blocks, 32>>>(key, out);
  lead_bad<<<blocks, 32>>>(key, out);
  first_ok<<<blocks, 32>>>(key, out);
  first_bad<<<blocks, 32>>>(key, out);
  none_ok<<<blocks, 32>>>(key, out);
  none_bad<<<blocks, 32>>>(key, out);
  rounds_ok<<<blocks, 32>>>(key, out, n);
  rounds_bad<<<blocks, 32>>>(key, out, n);
  part_ok<<<blocks, 32>>>(key, out);
  part_bad<<<blocks, 32>>>(key, out);
  up_to_ok<<<blocks, 32>>>(key, out);
  up_to_bad<<<blocks, 32>>>(key, out);
  wide_ok<<<blocks, 32>>>(wide_key, out, 1000);
  wide_bad<<<blocks, 32>>>(wide_key, out, 1000);
}
