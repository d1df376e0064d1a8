// A warp barrier orders two lanes only if both take part.
// tile: a tile of 8 lanes synchronises; the partner t ^ 4 is in the same tile (ok), t ^ 8 in another (bad).
// active: the lanes that happen to be active are not provably all, so the barrier covers nobody for sure (bad).
// ballot: a mask made of a condition covers the lanes for which it held, which are those that get there (ok).
//@ verdict tile_ok: race-free
//@ verdict tile_bad: racy
//@ verdict active_bad: racy
//@ verdict ballot_ok: race-free
//@ verdict ballot_bad: racy
// computed: each eighth of lanes has a mask of its own, made of the lane's number; first: the first n lanes have one together.
//@ verdict computed_ok: race-free
//@ verdict computed_bad: racy
//@ verdict first_ok: race-free
//@ verdict first_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void tile_ok(int *out) { // expect-clean
  __shared__ int s[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int t = threadIdx.x;
  s[t] = t;
  tile.sync();
  out[blockIdx.x * 32 + t] = s[t ^ 4];
}

__global__ void tile_bad(int *out) {
  __shared__ int s[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int t = threadIdx.x;
  s[t] = t; // expect-race {{-Wintra-warp-race}}
  tile.sync();
  out[blockIdx.x * 32 + t] = s[t ^ 8]; // expect-race {{-Wintra-warp-race}}
}

__global__ void active_bad(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t; // expect-race {{-Wintra-warp-race}}
  __syncwarp(__activemask());
  out[blockIdx.x * 32 + t] = s[t ^ 1]; // expect-race {{-Wintra-warp-race}}
}

__global__ void ballot_ok(int *out) { // expect-clean
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned mask = __ballot_sync(0xffffffffu, t < 16);
  if (t < 16) {
    s[t] = t;
    __syncwarp(mask);
    out[blockIdx.x * 16 + t] = s[t ^ 1];
  }
}

__global__ void ballot_bad(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned mask = __ballot_sync(0xffffffffu, t < 16);
  if (t < 16) {
    s[t] = mask;                         // expect-race {{-Wintra-warp-race}}
    out[blockIdx.x * 16 + t] = s[t ^ 1]; // expect-race {{-Wintra-warp-race}}
  }
}

__global__ void computed_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x, lane = t & 31;
  s[t] = t;
  __syncwarp(0xffu << (lane & ~7));
  out[blockIdx.x * 64 + t] = s[t ^ 7];
}

__global__ void computed_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, lane = t & 31;
  s[t] = t; // expect-race {{-Wintra-warp-race}}
  __syncwarp(0xffu << (lane & ~7));
  out[blockIdx.x * 64 + t] = s[t ^ 8]; // expect-race {{-Wintra-warp-race}}
}

__global__ void first_ok(int *out, int n) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x, lane = t & 31;
  if (lane >= n)
    return;
  s[t] = t;
  __syncwarp(lane < n ? (1u << n) - 1 : 0);
  out[blockIdx.x * 64 + t] = s[t - lane + (lane + 1) % n];
}

__global__ void first_bad(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, lane = t & 31;
  s[t] = t; // expect-race {{-Wintra-warp-race}}
  if (lane < n)
    __syncwarp(lane < n ? (1u << n) - 1 : 0);
  out[blockIdx.x * 64 + t] = s[t - lane + (lane + 1) % 32]; // expect-race {{-Wintra-warp-race}}
}

int main(int argc, char **argv) {
  int *out;
  cudaMalloc((void **)&out, 4096);
  tile_ok<<<8, 32>>>(out);
  tile_bad<<<8, 32>>>(out);
  active_bad<<<8, 32>>>(out);
  ballot_ok<<<8, 32>>>(out);
  ballot_bad<<<8, 32>>>(out);
  computed_ok<<<8, 64>>>(out);
  computed_bad<<<8, 64>>>(out);
  if (argc < 1 || argc > 31)
    return 1;
  first_ok<<<8, 64>>>(out, argc);
  first_bad<<<8, 64>>>(out, argc);
  return 0;
}
