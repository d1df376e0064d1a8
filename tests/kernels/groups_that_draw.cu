// Lanes that happen to run together append to one list: the lowest of them draws room for all, a shuffle hands the start round,
// and each takes the place of its rank. coalesced: by a group of cooperative groups (ok); written out with masks (mask_ok),
// with the highest lane (last_ok); a group of equal labels (match_ok). In a loop that lanes go round together or not (rounds_ok).
// lane: the place of the lane instead of its rank [lane]. one: room for one [one]. zero: lane 0 draws, which may not be in the
// group [zero]. early: the mask is of all lanes, of which some do not come [early]. shared: a counter of the block for a list of all
// blocks [shared]. own: the lowest lane uses its number once more by itself, where lane 1 of its group writes [own].
// Sums over a tile: those of its lanes that keep something go by an exclusive scan, behind room for as many as a reduction says (scan_ok),
// or the last lane's inclusive sum (total_ok); each with an amount of its own (amounts_ok). inclusive: the sum with one's own as the start
// [inclusive]. half: room for what half of the tile keeps [half]. other: who writes is asked otherwise than who was counted [other].
// A ballot of the whole warp names those that voted yes: the lowest of them draws for all of them (vote_ok), also round by round
// (votes_ok). fewer: room for one less [fewer]. asked: more lanes write than voted yes [asked],
// so that lanes which did not vote yes come to a shuffle among those that did (line of the shuffle). half_way: of those that voted yes, some
// do not come to the shuffle [half_way].
// pair: two places for each lane, with room for one each [pair]. lists: from two branches into one list, by one counter (one_list_ok) or
// by two [lists].
//@ verdict pair_ok: race-free
//@ verdict pair_bad: racy
//@ verdict one_list_ok: race-free
//@ verdict lists_bad: racy
//@ verdict vote_ok: race-free
//@ verdict votes_ok: race-free
//@ verdict fewer_bad: racy
//@ verdict asked_bad: racy
//@ verdict half_way_bad: racy
//@ verdict coalesced_ok: race-free
//@ verdict mask_ok: race-free
//@ verdict last_ok: race-free
//@ verdict match_ok: race-free
//@ verdict rounds_ok: race-free
//@ verdict lane_bad: racy
//@ verdict one_bad: racy
//@ verdict zero_bad: racy
//@ verdict early_bad: racy
//@ verdict shared_bad: racy
//@ verdict own_bad: racy
//@ verdict scan_ok: race-free
//@ verdict total_ok: race-free
//@ verdict amounts_ok: race-free
//@ verdict inclusive_bad: racy
//@ verdict half_bad: racy
//@ verdict other_bad: racy
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ int place(int *n) {
  cg::coalesced_group group = cg::coalesced_threads();
  int at = 0;
  if (group.thread_rank() == 0)
    at = atomicAdd(n, group.size());
  return group.shfl(at, 0) + group.thread_rank();
}

__device__ int place_by(int *n, unsigned mask, int leader, int room) {
  int lane = threadIdx.x % 32, at = 0;
  if (lane == leader)
    at = atomicAdd(n, room);
  return __shfl_sync(mask, at, leader); // expect-misuse {{possible cause=mask-without-caller}}
}

__device__ int rank_in(unsigned mask) { return __popc(mask & ((1u << threadIdx.x % 32) - 1)); }

__global__ void coalesced_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = thread_number();
  if (i < m && in[i] > 0)
    out[place(n)] = in[i];
}

__global__ void mask_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = thread_number();
  if (i < m && in[i] > 0) {
    unsigned mask = __activemask();
    out[place_by(n, mask, __ffs(mask) - 1, __popc(mask)) + rank_in(mask)] = in[i];
  }
}

__global__ void last_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = thread_number();
  if (i < m && in[i] > 0) {
    unsigned mask = __activemask();
    out[place_by(n, mask, 31 - __clz(mask), __popc(mask)) + rank_in(mask)] = in[i];
  }
}

__global__ void match_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = thread_number();
  unsigned mask = __match_any_sync(0xffffffff, i < m ? in[i] : -1);
  out[place_by(n, mask, __ffs(mask) - 1, __popc(mask)) + rank_in(mask)] = i;
}

__global__ void rounds_ok(int *out, int *n, const int *in, int m) { // expect-clean
  for (int i = thread_number(); i < m; i += gridDim.x * blockDim.x) {
    if (in[i] < 0) break;
    if (in[i] > 0)
      out[place(n)] = in[i];
  }
}

__global__ void lane_bad(int *out, int *n, const int *in, int m) {
  int i = thread_number();
  if (i < m && in[i] > 0) {
    unsigned mask = __activemask();
    out[place_by(n, mask, __ffs(mask) - 1, __popc(mask)) + threadIdx.x % 32] = in[i]; // expect-race[lane]
  }
}

__global__ void one_bad(int *out, int *n, const int *in, int m) {
  int i = thread_number();
  if (i < m && in[i] > 0) {
    unsigned mask = __activemask();
    out[place_by(n, mask, __ffs(mask) - 1, 1) + rank_in(mask)] = in[i]; // expect-race[one]
  }
}

__global__ void zero_bad(int *out, int *n, const int *in, int m) {
  int i = thread_number();
  if (i < m && in[i] > 0) {
    unsigned mask = __activemask();
    out[place_by(n, mask, 0, __popc(mask)) + rank_in(mask)] = in[i]; // expect-race[zero]
  }
}

__global__ void early_bad(int *out, int *n, const int *in, int m) {
  int i = thread_number();
  unsigned mask = __activemask();
  if (i < m && in[i] > 0)
    out[place_by(n, mask, __ffs(mask) - 1, __popc(mask)) + rank_in(mask)] = in[i]; // expect-race[early]
}

__global__ void shared_bad(int *out, const int *in, int m) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int i = thread_number();
  if (i < m && in[i] > 0)
    out[place(&count)] = in[i]; // expect-race[shared](inter-block)
}

__global__ void own_bad(int *out, int *n, const int *in, int m) {
  int i = thread_number();
  if (i < m && in[i] > 0) {
    unsigned mask = __activemask();
    int lane = threadIdx.x % 32, leader = __ffs(mask) - 1, at = 0;
    if (lane == leader) {
      at = atomicAdd(n, __popc(mask));
      out[at + 1] = i; // expect-race[own]
    }
    at = __shfl_sync(mask, at, leader);
    if (lane != leader)
      out[at + rank_in(mask)] = in[i]; // expect-race[own]
  }
}

__device__ int place_of_tile(cg::thread_block_tile<32> tile, int *n, int room) {
  int base = 0;
  if (tile.thread_rank() == 0)
    base = atomicAdd(n, room);
  return tile.shfl(base, 0);
}

__global__ void scan_ok(int *out, int *n, const int *in, int m) { // expect-clean
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = thread_number(), keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep);
  int base = place_of_tile(tile, n, cg::reduce(tile, keep, cg::plus<int>()));
  if (keep)
    out[base + at] = i;
}

__global__ void total_ok(int *out, int *n, const int *in, int m) { // expect-clean
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = thread_number(), keep = i < m && in[i] > 0;
  int with = cg::inclusive_scan(tile, keep, cg::plus<int>());
  int base = place_of_tile(tile, n, tile.shfl(with, 31));
  if (keep)
    out[base + with - 1] = i;
}

__global__ void amounts_ok(int *out, int *n, const int *in, int m) { // expect-clean
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = thread_number(), need = i < m ? in[i] & 3 : 0;
  int at = cg::exclusive_scan(tile, need);
  int base = place_of_tile(tile, n, cg::reduce(tile, need, cg::plus<int>()));
  for (int j = 0; j < need; j++)
    out[base + at + j] = i;
}

__global__ void inclusive_bad(int *out, int *n, const int *in, int m) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = thread_number(), need = i < m ? in[i] & 3 : 0;
  int at = cg::inclusive_scan(tile, need);
  int base = place_of_tile(tile, n, cg::reduce(tile, need, cg::plus<int>()));
  for (int j = 0; j < need; j++)
    out[base + at + j] = i; // expect-race[inclusive]
}

__global__ void half_bad(int *out, int *n, const int *in, int m) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = thread_number(), keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep);
  int base = place_of_tile(tile, n, cg::reduce(cg::tiled_partition<16>(cg::this_thread_block()), keep, cg::plus<int>()));
  if (keep)
    out[base + at] = i; // expect-race[half]
}

__global__ void other_bad(int *out, int *n, const int *in, int m) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int i = thread_number(), keep = i < m && in[i] > 0;
  int at = cg::exclusive_scan(tile, keep);
  int base = place_of_tile(tile, n, cg::reduce(tile, keep, cg::plus<int>()));
  if (i < m && in[i] >= 0)
    out[base + at] = i; // expect-race[other]
}

__global__ void vote_ok(int *out, int *n, const int *in) { // expect-clean
  int i = thread_number();
  unsigned mask = __ballot_sync(~0u, in[i] > 0);
  if (in[i] > 0)
    out[place_by(n, mask, __ffs(mask) - 1, __popc(mask)) + rank_in(mask)] = i;
}

__global__ void votes_ok(int *out, int *n, const int *in, int rounds) { // expect-clean
  for (int r = 0; r < rounds; r++) {
    int i = thread_number() * rounds + r;
    unsigned mask = __ballot_sync(~0u, in[i] > 0);
    if (in[i] > 0)
      out[place_by(n, mask, __ffs(mask) - 1, __popc(mask)) + rank_in(mask)] = i;
  }
}

__global__ void fewer_bad(int *out, int *n, const int *in) {
  int i = thread_number();
  unsigned mask = __ballot_sync(~0u, in[i] > 0);
  if (in[i] > 0)
    out[place_by(n, mask, __ffs(mask) - 1, __popc(mask) - 1) + rank_in(mask)] = i; // expect-race[fewer]
}

__global__ void asked_bad(int *out, int *n, const int *in) {
  int i = thread_number();
  unsigned mask = __ballot_sync(~0u, in[i] > 1);
  if (in[i] > 0)
    out[place_by(n, mask, __ffs(mask) - 1, __popc(mask)) + rank_in(mask)] = i; // expect-race[asked]
}

__global__ void half_way_bad(int *out, int *n, const int *in) {
  int i = thread_number();
  unsigned mask = __ballot_sync(~0u, in[i] > 0);
  if (in[i] > 0 && threadIdx.x % 32 >= 16)
    out[place_by(n, mask, __ffs(mask) - 1, __popc(mask)) + rank_in(mask)] = i; // expect-race[half_way]
}

template <int Room> __device__ void two_each(int *out, int *n, const int *in, int i) {
  cg::coalesced_group group = cg::coalesced_threads();
  int at = 0;
  if (group.thread_rank() == 0)
    at = atomicAdd(n, Room * group.size());
  at = group.shfl(at, 0) + 2 * group.thread_rank();
  out[at] = i;         // expect-race[pair]
  out[at + 1] = in[i]; // expect-race[pair]
}

__global__ void pair_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = thread_number();
  if (i < m && in[i] > 0)
    two_each<2>(out, n, in, i);
}

__global__ void pair_bad(int *out, int *n, const int *in, int m) {
  int i = thread_number();
  if (i < m && in[i] > 0)
    two_each<1>(out, n, in, i);
}

__global__ void one_list_ok(int *out, int *n, const int *in, int m) { // expect-clean
  int i = thread_number();
  if (i >= m)
    return;
  if (in[i] > 0)
    out[place(&n[0])] = i;
  else
    out[place(&n[0])] = -i;
}

__global__ void lists_bad(int *out, int *n, const int *in, int m) {
  int i = thread_number();
  if (i >= m)
    return;
  if (in[i] > 0)
    out[place(&n[0])] = i; // expect-race[lists]
  else
    out[place(&n[1])] = -i; // expect-race[lists]
}

int main(int argc, char **) {
  int m = argc * 1000, blocks = (m + 255) / 256, *in, *out, *n;
  cudaMalloc((void **)&in, m * sizeof(int));
  cudaMalloc((void **)&out, m * sizeof(int));
  cudaMalloc((void **)&n, 2 * sizeof(int));
  vote_ok<<<argc, 256>>>(out, n, in);
  votes_ok<<<argc, 256>>>(out, n, in, m);
  fewer_bad<<<argc, 256>>>(out, n, in);
  asked_bad<<<argc, 256>>>(out, n, in);
  half_way_bad<<<argc, 256>>>(out, n, in);
  cudaMemset(n, 0, 2 * sizeof(int));
  coalesced_ok<<<blocks, 256>>>(out, n, in, m);
  mask_ok<<<blocks, 256>>>(out, n, in, m);
  last_ok<<<blocks, 256>>>(out, n, in, m);
  match_ok<<<blocks, 256>>>(out, n, in, m);
  rounds_ok<<<10, 256>>>(out, n, in, m);
  lane_bad<<<blocks, 256>>>(out, n, in, m);
  one_bad<<<blocks, 256>>>(out, n, in, m);
  zero_bad<<<blocks, 256>>>(out, n, in, m);
  early_bad<<<blocks, 256>>>(out, n, in, m);
  shared_bad<<<blocks, 256>>>(out, in, m);
  own_bad<<<blocks, 256>>>(out, n, in, m);
  pair_ok<<<blocks, 256>>>(out, n, in, m);
  pair_bad<<<blocks, 256>>>(out, n, in, m);
  one_list_ok<<<blocks, 256>>>(out, n, in, m);
  lists_bad<<<blocks, 256>>>(out, n, in, m);
  scan_ok<<<blocks, 256>>>(out, n, in, m);
  total_ok<<<blocks, 256>>>(out, n, in, m);
  amounts_ok<<<blocks, 256>>>(out, n, in, m);
  inclusive_bad<<<blocks, 256>>>(out, n, in, m);
  half_bad<<<blocks, 256>>>(out, n, in, m);
  other_bad<<<blocks, 256>>>(out, n, in, m);
  return 0;
}
