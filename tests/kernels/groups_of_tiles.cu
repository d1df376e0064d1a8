// Ranks among the tiles of a parent, and values that groups agree on. of_block: one place for each tile of
// the block. of_warp: tiles of a tile are counted from 0 in each warp, whose places meet [of_warp]; with the
// warp's number they do not (of_warp_ok). kept: a tile handed to a function keeps its rank [kept]. What lanes
// that happen to run together count up to, what wide tiles sum up, and ranks among the groups of a label can
// be anything: count, scan_one, parts, wide. shift: the lanes of a match are counted from the tile's first.
// packed: those of a vote by their ranks in the group. Ranks by an exclusive scan, where a tile has 8 lanes
// (scan8), where the last lane draws (last, last8); it draws one too few [last], the last but one draws [six], or hands the start round
// [wrong]; each lane has room for a number of its own (need), the last one's is left out [need].
// start8: three of four tiles draw nothing. warp8: all tiles of a warp use the first one's room. half8: room for half of the tile.
//@ verdict of_block_ok: race-free
//@ verdict of_warp_bad: racy
//@ verdict of_warp_ok: race-free
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
//@ verdict count_bad: racy
//@ verdict scan_one_bad: racy
//@ verdict parts_bad: racy
//@ verdict shift_bad: racy
//@ verdict packed_bad: racy
//@ verdict wide_bad: racy
//@ verdict scan8_ok: race-free
//@ verdict start8_bad: racy
//@ verdict warp8_bad: racy
//@ verdict half8_bad: racy
//@ verdict invoked_bad: racy
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
//@ verdict last8_ok: race-free
//@ verdict six_bad: racy
//@ verdict wrong_bad: racy
//@ verdict need_ok: race-free
//@ verdict need_bad: racy
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void of_block_ok(int *out) { // expect-clean
  __shared__ int s[8];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  if (tile.thread_rank() == 0) s[tile.meta_group_rank()] = threadIdx.x;
  block.sync();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x % 8];
}
__global__ void of_warp_bad(int *out) {
  __shared__ int s[8];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(cg::tiled_partition<32>(block));
  if (tile.thread_rank() == 0) s[tile.meta_group_rank()] = threadIdx.x; // expect-race[of_warp]
  block.sync();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x % 8];
}
__global__ void of_warp_ok(int *out) { // expect-clean
  __shared__ int s[8];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(warp);
  if (tile.thread_rank() == 0) s[warp.meta_group_rank() * 4 + tile.meta_group_rank()] = threadIdx.x;
  block.sync();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x % 8];
}
template <int> __device__ void put(cg::thread_block_tile<8> tile, int *s) {
  if (tile.thread_rank() == 0) s[tile.meta_group_rank()] = threadIdx.x; // expect-race[kept]
}
__global__ void kept_ok(int *out) { // expect-clean
  __shared__ int s[8];
  cg::thread_block block = cg::this_thread_block();
  put<0>(cg::tiled_partition<8>(block), s);
  block.sync();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x % 8];
}
__global__ void kept_bad(int *out) {
  __shared__ int s[8];
  cg::thread_block block = cg::this_thread_block();
  put<1>(cg::tiled_partition<8>(cg::tiled_partition<32>(block)), s);
  block.sync();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x % 8];
}
__global__ void count_bad(int *out, const int *in) {
  if (in[threadIdx.x] > 0) {
    auto group = cg::coalesced_threads();
    if (cg::reduce(group, 1, cg::plus<int>()) == 5) out[0] = threadIdx.x; // expect-race[count]
  }
}
__global__ void scan_one_bad(int *out, const int *in) {
  if (in[threadIdx.x] > 0) {
    auto group = cg::coalesced_threads();
    if (cg::inclusive_scan(group, 1) == 5) out[0] = threadIdx.x; // expect-race[scan]
  }
}
__global__ void parts_bad(int *out, const int *in) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto part = cg::labeled_partition(warp, in[threadIdx.x]);
  if (part.meta_group_rank() == 1) out[0] = threadIdx.x; // expect-race[parts]
}
__global__ void shift_bad(int *out, const int *in) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  unsigned same = tile.match_any(in[threadIdx.x]);
  if (same < 256 && threadIdx.x >= 8) out[0] = threadIdx.x; // expect-race[shift]
}
__global__ void packed_bad(int *out, const int *in) {
  if (threadIdx.x % 2) {
    auto group = cg::coalesced_threads();
    unsigned b = group.ballot(in[threadIdx.x] > 0);
    if (b & 1) out[0] = threadIdx.x; // expect-race[packed]
  }
}
__global__ void wide_bad(int *out, const int *in) {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int sum = cg::reduce(tile, 1, cg::plus<int>());
  if (sum == 64) out[0] = threadIdx.x; // expect-race[wide]
}
__global__ void scan8_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep), all = cg::reduce(tile, keep, cg::plus<int>()), start = 0;
  if (tile.thread_rank() == 0) start = atomicAdd(n, all);
  start = tile.shfl(start, 0);
  if (keep) out[start + at] = i;
}
// The room of another tile, one too few, and all of a warp with the start of one tile.
__global__ void start8_bad(int *out, int *n, const int *in, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep), all = cg::reduce(tile, keep, cg::plus<int>()), start = 0;
  if (threadIdx.x % 32 == 0) start = atomicAdd(n, all);
  start = tile.shfl(start, 0);
  if (keep) out[start + at] = i; // expect-race[start8]
}
__global__ void warp8_bad(int *out, int *n, const int *in, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep), all = cg::reduce(tile, keep, cg::plus<int>()), start = 0;
  if (tile.thread_rank() == 0) start = atomicAdd(n, all);
  start = __shfl_sync(0xffffffff, start, 0);
  if (keep) out[start + at] = i; // expect-race[warp8]
}
__global__ void half8_bad(int *out, int *n, const int *in, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  auto half = cg::tiled_partition<4>(tile);
  int keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep), all = cg::reduce(half, keep, cg::plus<int>()), start = 0;
  if (tile.thread_rank() == 0) start = atomicAdd(n, all);
  start = tile.shfl(start, 0);
  if (keep) out[start + at] = i; // expect-race[half8]
}
// Any lane may be the chosen one, and lane 0 another.
__global__ void invoked_bad(int *out) {
  __shared__ int s[2];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  cg::invoke_one(warp, [&] {
    s[threadIdx.x / 32] = 1; // expect-race[invoked]
  });
  if (threadIdx.x % 32 == 0) out[threadIdx.x] = s[threadIdx.x / 32]; // expect-race[invoked]
}
__global__ void last_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep), start = 0;
  if (tile.thread_rank() == 31) start = atomicAdd(n, at + keep);
  start = tile.shfl(start, 31);
  if (keep) out[start + at] = i;
}
__global__ void last_bad(int *out, int *n, const int *in, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep), start = 0;
  if (tile.thread_rank() == 31) start = atomicAdd(n, at);
  start = tile.shfl(start, 31);
  if (keep) out[start + at] = i; // expect-race[last]
}
__global__ void last8_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep), start = 0;
  if (tile.thread_rank() == tile.size() - 1) start = atomicAdd(n, at + keep);
  start = tile.shfl(start, tile.size() - 1);
  if (keep) out[start + at] = i;
}
__global__ void six_bad(int *out, int *n, const int *in, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int keep = i < m && in[i] > 0;
  int with = cg::inclusive_scan(tile, keep), start = 0;
  if (tile.thread_rank() == 6) start = atomicAdd(n, with);
  start = tile.shfl(start, 6);
  if (keep) out[start + with - 1] = i; // expect-race[six]
}
__global__ void wrong_bad(int *out, int *n, const int *in, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int keep = i < m && in[i] > 0;
  int with = cg::inclusive_scan(tile, keep), start = 0;
  if (tile.thread_rank() == 31) start = atomicAdd(n, with);
  start = tile.shfl(start, 30);
  if (keep) out[start + with - 1] = i; // expect-race[wrong]
}
template <bool WITH_LAST> __device__ void put_needed(int *out, int *n, const int *in, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int need = i < m ? in[i] & 3 : 0, sum = need, start = 0;
  for (int d = 1; d < 32; d *= 2) {
    int before = __shfl_up_sync(~0u, sum, d);
    if (threadIdx.x % 32 >= d) sum += before;
  }
  if (threadIdx.x % 32 == 31) start = atomicAdd(n, WITH_LAST ? sum : sum - need);
  start = __shfl_sync(~0u, start, 31) + sum - need;
  for (int j = 0; j < need; j++)
    out[start + j] = i; // expect-race[need]
}
__global__ void need_ok(int *out, int *n, const int *in, int m) { put_needed<true>(out, n, in, m); } // expect-clean
__global__ void need_bad(int *out, int *n, const int *in, int m) { put_needed<false>(out, n, in, m); }
int main(int argc, char **) {
  int *out, *in, *n;
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&n, 4);
  of_block_ok<<<8, 64>>>(out);
  of_warp_bad<<<8, 64>>>(out);
  of_warp_ok<<<8, 64>>>(out);
  kept_ok<<<8, 64>>>(out);
  kept_bad<<<8, 64>>>(out);
  count_bad<<<1, 64>>>(out, in);
  scan_one_bad<<<1, 64>>>(out, in);
  parts_bad<<<1, 64>>>(out, in);
  shift_bad<<<1, 64>>>(out, in);
  packed_bad<<<1, 64>>>(out, in);
  wide_bad<<<1, 64>>>(out, in);
  scan8_ok<<<8, 64>>>(out, n, in, argc * 100);
  invoked_bad<<<1, 64>>>(out);
  start8_bad<<<8, 64>>>(out, n, in, argc * 100);
  warp8_bad<<<8, 64>>>(out, n, in, argc * 100);
  half8_bad<<<8, 64>>>(out, n, in, argc * 100);
  last_ok<<<8, 64>>>(out, n, in, argc * 100);
  last_bad<<<8, 64>>>(out, n, in, argc * 100);
  last8_ok<<<8, 64>>>(out, n, in, argc * 100);
  six_bad<<<8, 64>>>(out, n, in, argc * 100);
  wrong_bad<<<8, 64>>>(out, n, in, argc * 100);
  need_ok<<<8, 64>>>(out, n, in, argc * 100);
  need_bad<<<8, 64>>>(out, n, in, argc * 100);
}
