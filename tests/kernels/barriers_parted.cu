// Barriers of a warp, or of a part of it or of the block, to which its lanes come on different ways: which arrival meets which is known
// as long as one side has not arrived anywhere since they were together; behind the first arrivals on both sides nothing is known.
// sides: each half writes and reads before and behind the first one on its side (ok), both between their first and second (bad).
// tile, wide, mask, label: the same with tiles of 8 and 64 threads, masks, labelled groups (bad). rounds: the halves go round loops of their own (bad).
// left: lanes that leave a loop early come to another barrier behind it, which meets the one in the loop (bad), to none any more (ok: no race, though
// the others name them in vain while they work).
// rows: a warp takes rows in steps, all its lanes alike (ok), writes the next one before the others have read (bad).
// skipped: every other thread skips the barrier of the block in each round (`continue`), and comes to it in the next one: who writes beside whom is open.
//@ verdict sides_ok: race-free
//@ verdict sides_bad: racy
//@ verdict tile_bad: racy
//@ verdict wide_bad: racy
//@ verdict mask_bad: racy
//@ verdict label_bad: racy
//@ verdict rounds_bad: racy
//@ verdict left_ok: race-free
//@ verdict left_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict skipped: undecided
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void sides_ok(int *out) { // expect-clean
  __shared__ int s[32];
  int t = threadIdx.x, x = 0;
  if (t < 16) {
    s[t] = 1;
    __syncwarp();
    __syncwarp();
  } else {
    __syncwarp();
    x = s[t ^ 16];
    __syncwarp();
  }
  out[blockIdx.x * 32 + t] = x;
}

__global__ void sides_bad(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, x = 0;
  if (t < 16) {
    __syncwarp();
    s[t] = 1; // expect-race
    __syncwarp();
  } else {
    __syncwarp();
    x = s[t ^ 16]; // expect-race
    __syncwarp();
  }
  out[blockIdx.x * 32 + t] = x;
}

template <class Group> __device__ void both_sides(Group group, bool writes, int other, int *out) {
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  if (writes) {
    group.sync();
    s[t] = 1; // expect-race
    group.sync();
  } else {
    group.sync();
    x = s[t ^ other]; // expect-race
    group.sync();
  }
  out[blockIdx.x * 128 + t] = x;
}
__global__ void tile_bad(int *out) {
  both_sides(cg::tiled_partition<8>(cg::this_thread_block()), threadIdx.x % 8 < 4, 4, out);
}
__global__ void wide_bad(int *out) {
  __shared__ cg::block_tile_memory<128> memory;
  both_sides(cg::tiled_partition<64>(cg::this_thread_block(memory)), threadIdx.x % 64 < 32, 32, out);
}
__global__ void label_bad(int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  both_sides(cg::labeled_partition(warp, threadIdx.x / 8), threadIdx.x % 8 < 4, 4, out);
}
struct Masked {
  unsigned mask;
  __device__ void sync() { __syncwarp(mask); }
};
__global__ void mask_bad(int *out) { both_sides(Masked{0xffu << (threadIdx.x & 24)}, threadIdx.x % 8 < 4, 4, out); }

__global__ void rounds_bad(int *out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x, x = 0;
  if (t < 16)
    for (int i = 0; i < n; i++) {
      s[t] = i; // expect-race
      __syncwarp();
    }
  else
    for (int i = 0; i < n; i++) {
      __syncwarp();
      x += s[t ^ 16]; // expect-race
    }
  out[blockIdx.x * 32 + t] = x;
}

__global__ void left_ok(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncwarp();
  for (int i = 0; i < 8; i++) {
    if (t & 1)
      break;
    __syncwarp(); // expect-divergence {{definite cause=named-lane-missing}}
    x += s[t ^ 1];
  }
  if (t & 1) {
    s[t] = 5;
  }
  out[blockIdx.x * 32 + t] = x;
}

__global__ void left_bad(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncwarp();
  for (int i = 0; i < 8; i++) {
    if (t & 1)
      break;
    __syncwarp();
    x += s[t ^ 1]; // expect-race
  }
  if (t & 1) {
    __syncwarp();
    s[t] = 5; // expect-race
  }
  out[blockIdx.x * 32 + t] = x;
}

template <bool waits> __device__ void rows(const int *in, int *out, int n) {
  __shared__ int s[4][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int row = blockIdx.x * 4 + warp; row < n; row += gridDim.x * 4) {
    s[warp][lane] = in[row * 32 + lane]; // expect-race
    __syncwarp();
    out[row * 32 + lane] = s[warp][31 - lane]; // expect-race
    if (waits)
      __syncwarp();
  }
}
__global__ void rows_ok(const int *in, int *out, int n) { rows<true>(in, out, n); } // expect-clean
__global__ void rows_bad(const int *in, int *out, int n) { rows<false>(in, out, n); }

__global__ void skipped(int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if ((t + i) & 1)
      continue;
    __syncthreads(); // expect-note {{sm_70 and later}}
    s[t ^ (i & 1)] = i;
  }
}

int main(int count, char **words) {
  int *in, *out;
  cudaMalloc((void **)&in, 1 << 20);
  cudaMalloc((void **)&out, 1 << 20);
  sides_ok<<<8, 32>>>(out);
  sides_bad<<<8, 32>>>(out);
  tile_bad<<<8, 128>>>(out);
  wide_bad<<<8, 128>>>(out);
  mask_bad<<<8, 128>>>(out);
  label_bad<<<8, 128>>>(out);
  rounds_bad<<<8, 32>>>(out, count);
  left_ok<<<8, 32>>>(out);
  left_bad<<<8, 32>>>(out);
  rows_ok<<<8, 128>>>(in, out, count);
  rows_bad<<<8, 128>>>(in, out, count);
  skipped<<<8, 64>>>(count);
  return 0;
}
