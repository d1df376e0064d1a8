// Groups of the lanes that named the same label hold together just these, whatever else the lanes do. label, parity: read what
// a member of the group wrote (ok), a lane of another group (bad). mask: the same with a mask (ok, bad). coalesced: which lanes
// make up a group of those that happen to run together is not known, so its sync orders nothing (bad, though both lanes
// take the same way). round: in a loop the label changes between the rounds (bad).
// ranks: tiles of a group of those that run together go by ranks, not by lanes (bad); tiles of the block go by lanes (ok).
//@ verdict label_ok: race-free
//@ verdict label_bad: racy
//@ verdict parity_ok: race-free
//@ verdict parity_bad: racy
//@ verdict mask_ok: race-free
//@ verdict mask_bad: racy
//@ verdict coalesced_bad: racy
//@ verdict round_bad: racy
// again: a group is made in each round, of the same label (ok), read across groups (bad). pieces: the mask is kept in two halves and put
// together again (ok), read across (bad), put together with a bit in another place, which is no mask that is known (moved).
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict pieces_ok: race-free
//@ verdict pieces_bad: racy
//@ verdict pieces_moved: undecided
//@ verdict ranks_ok: race-free
//@ verdict ranks_bad: racy
// given: tiles whose size comes from the host, 16 here, read within the tile (ok), across (bad). any: of a size that nobody says,
// the first lane's value is read behind the sync (ok), before it (bad).
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict any_ok: race-free
//@ verdict any_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void label_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  auto group = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), t % 4);
  s[t] = t;
  group.sync();
  out[blockIdx.x * 64 + t] = s[t ^ 4];
}

__global__ void label_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  auto group = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), t % 4);
  s[t] = t; // expect-race {{cause=wrong-group}}
  group.sync();
  out[blockIdx.x * 64 + t] = s[t ^ 1]; // expect-race
}

__global__ void parity_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  auto group = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), t % 2 == 0);
  s[t] = t;
  group.sync();
  out[blockIdx.x * 64 + t] = s[t ^ 2];
}

__global__ void parity_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  auto group = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), t % 2 == 0);
  s[t] = t; // expect-race {{cause=wrong-group}}
  group.sync();
  out[blockIdx.x * 64 + t] = s[t ^ 1]; // expect-race
}

__global__ void mask_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned mask = __match_any_sync(0xffffffffu, t / 8);
  s[t] = t;
  __syncwarp(mask);
  out[blockIdx.x * 64 + t] = s[t ^ 4];
}

__global__ void mask_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned mask = __match_any_sync(0xffffffffu, t / 8);
  s[t] = t; // expect-race {{cause=wrong-group}}
  __syncwarp(mask);
  out[blockIdx.x * 64 + t] = s[t ^ 8]; // expect-race
}

__global__ void coalesced_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t % 2 == 0) {
    auto group = cg::coalesced_threads();
    s[t] = t; // expect-race {{cause=wrong-group}}
    group.sync();
    out[blockIdx.x * 64 + t] = s[t ^ 2]; // expect-race
  }
}

__global__ void round_bad(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = i; // expect-race
    unsigned mask = __match_any_sync(0xffffffffu, (t >> i) & 1);
    __syncwarp(mask);
    sum += s[t ^ 1]; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void ranks_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  cg::thread_block block = cg::this_thread_block();
  const cg::thread_group &any = block;
  cg::thread_group group = cg::tiled_partition(any, 4);
  s[t] = t;
  group.sync();
  out[blockIdx.x * 64 + t] = s[t / 4 * 4 + 1];
}

__global__ void ranks_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  cg::coalesced_group together = cg::coalesced_threads();
  const cg::thread_group &any = together;
  cg::thread_group group = cg::tiled_partition(any, 4);
  s[t] = t; // expect-race
  group.sync();
  out[blockIdx.x * 64 + t] = s[t / 4 * 4 + 1]; // expect-race
}

__global__ void given_ok(int *out, int size) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  auto tile = cg::tiled_partition(cg::this_thread_block(), size);
  s[t] = t;
  tile.sync();
  out[blockIdx.x * 64 + t] = s[t ^ 8];
}

__global__ void given_bad(int *out, int size) {
  __shared__ int s[64];
  int t = threadIdx.x;
  auto tile = cg::tiled_partition(cg::this_thread_block(), size);
  s[t] = t; // expect-race {{cause=wrong-group}}
  tile.sync();
  out[blockIdx.x * 64 + t] = s[t ^ 16]; // expect-race
}

__global__ void any_ok(int *out, int size) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  auto tile = cg::tiled_partition(cg::this_thread_block(), size);
  s[t] = t;
  tile.sync();
  out[blockIdx.x * 64 + t] = s[t - tile.thread_rank()];
}

__global__ void any_bad(int *out, int size) {
  __shared__ int s[64];
  int t = threadIdx.x;
  auto tile = cg::tiled_partition(cg::this_thread_block(), size);
  s[t] = t; // expect-race {{cause=missing-warp-barrier}}
  out[blockIdx.x * 64 + t] = s[t - tile.thread_rank()]; // expect-race
  tile.sync();
}

template <int other> __device__ void again(int *out, int n) {
  __shared__ int s[32];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    auto group = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), t % 4);
    s[t] = t + i; // expect-race
    group.sync();
    sum += s[t ^ other]; // expect-race
    group.sync();
  }
  out[blockIdx.x * 32 + t] = sum;
}
__global__ void again_ok(int *out, int n) { again<4>(out, n); } // expect-clean
__global__ void again_bad(int *out, int n) { again<1>(out, n); }

template <int other, int place> __device__ void pieces(int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned mask = __match_any_sync(0xffffffff, t % 4);
  unsigned short low = (unsigned short)mask, high = (unsigned short)(mask >> 16);
  s[t] = t; // expect-race
  __syncwarp((unsigned)high << place | low);
  out[blockIdx.x * 32 + t] = s[t ^ other]; // expect-race
}
__global__ void pieces_ok(int *out) { pieces<4, 16>(out); } // expect-clean
__global__ void pieces_bad(int *out) { pieces<1, 16>(out); }
__global__ void pieces_moved(int *out) { pieces<4, 15>(out); } // expect-clean

int main(int count, char **words) {
  int *out;
  cudaMalloc((void **)&out, 8 * 64 * sizeof(int));
  again_ok<<<8, 32>>>(out, 4);
  again_bad<<<8, 32>>>(out, 4);
  pieces_ok<<<8, 32>>>(out);
  pieces_bad<<<8, 32>>>(out);
  pieces_moved<<<8, 32>>>(out);
  label_ok<<<8, 64>>>(out);
  label_bad<<<8, 64>>>(out);
  parity_ok<<<8, 64>>>(out);
  parity_bad<<<8, 64>>>(out);
  mask_ok<<<8, 64>>>(out);
  mask_bad<<<8, 64>>>(out);
  coalesced_bad<<<8, 64>>>(out);
  round_bad<<<8, 64>>>(out, 5);
  ranks_ok<<<8, 64>>>(out);
  ranks_bad<<<8, 64>>>(out);
  given_ok<<<8, 64>>>(out, 16);
  given_bad<<<8, 64>>>(out, 16);
  any_ok<<<8, 64>>>(out, count);
  any_bad<<<8, 64>>>(out, count);
  return 0;
}
