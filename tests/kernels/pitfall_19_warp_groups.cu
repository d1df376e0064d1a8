// A warp barrier orders two lanes only if both take part.
// tile: a tile of 8 lanes synchronises; the partner t ^ 4 is in the same tile (ok), t ^ 8 in another (bad).
// active: the lanes that happen to be active are not provably all, so the barrier covers nobody for sure (bad).
// ballot: a mask made of a condition covers the lanes for which it held, which are those that get there (ok).
//@ verdict tile_ok: race-free
//@ verdict tile_bad: racy
//@ verdict active_bad: racy
//@ verdict ballot_ok: race-free
//@ verdict ballot_bad: racy
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

int main() {
  int *out;
  cudaMalloc((void **)&out, 4096);
  tile_ok<<<8, 32>>>(out);
  tile_bad<<<8, 32>>>(out);
  active_bad<<<8, 32>>>(out);
  ballot_ok<<<8, 32>>>(out);
  ballot_bad<<<8, 32>>>(out);
  return 0;
}
