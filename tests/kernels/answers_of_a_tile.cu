// What the lanes of a tile, or of a mask made of thread numbers, are answered is one number for them, and another one for those
// beside: the leader by a ballot (first), by a label (match), by whether any said yes (any), of a group of one label (group),
// in the halves of a warp by a mask (half) writes what is the tile's (ok), or what two tiles have in common (bad). rounds: the
// same in each round of a loop (ok; bad).
//@ verdict first_ok: race-free
//@ verdict first_bad: racy
//@ verdict match_ok: race-free
//@ verdict match_bad: racy
//@ verdict any_ok: race-free
//@ verdict any_bad: racy
//@ verdict group_ok: race-free
//@ verdict group_bad: racy
//@ verdict half_ok: race-free
//@ verdict half_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

template <int WIDTH> __device__ void first(int *out, const int *in) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * 128 + threadIdx.x;
  unsigned yes = tile.ballot(in[i] > 0);
  if (yes && tile.thread_rank() == __ffs(yes) - 1) out[i / WIDTH] = threadIdx.x; // expect-race[first]
}
__global__ void first_ok(int *out, const int *in) { first<16>(out, in); } // expect-clean
__global__ void first_bad(int *out, const int *in) { first<32>(out, in); }

template <int WIDTH> __device__ void match(int *out, const int *in) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int i = blockIdx.x * 128 + threadIdx.x, k = in[i] & 3;
  unsigned same = tile.match_any(k);
  if (tile.thread_rank() == __ffs(same) - 1) out[i / WIDTH * 4 + k] = threadIdx.x; // expect-race[match]
}
__global__ void match_ok(int *out, const int *in) { match<8>(out, in); } // expect-clean
__global__ void match_bad(int *out, const int *in) { match<16>(out, in); }

template <int WIDTH> __device__ void any(int *out, const int *in) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  int i = blockIdx.x * 128 + threadIdx.x, is_any = tile.any(in[i] > 0);
  if (tile.thread_rank() == (is_any ? 1 : 0)) out[i / WIDTH] = threadIdx.x; // expect-race[any]
}
__global__ void any_ok(int *out, const int *in) { any<4>(out, in); } // expect-clean
__global__ void any_bad(int *out, const int *in) { any<8>(out, in); }

template <int WIDTH> __device__ void group(int *out, const int *in) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * 128 + threadIdx.x, k = in[i] & 3;
  auto part = cg::labeled_partition(tile, k);
  if (part.thread_rank() == 0) out[i / WIDTH * 4 + k] = threadIdx.x; // expect-race[group]
}
__global__ void group_ok(int *out, const int *in) { group<16>(out, in); } // expect-clean
__global__ void group_bad(int *out, const int *in) { group<32>(out, in); }

template <int WIDTH> __device__ void half(int *out, const int *in) {
  int lane = threadIdx.x % 32, i = blockIdx.x * 128 + threadIdx.x;
  unsigned yes = __ballot_sync(lane < 16 ? 0xffffu : 0xffff0000u, in[i] > 0);
  if (yes && lane == __ffs(yes) - 1) out[i / WIDTH] = lane; // expect-race[half]
}
__global__ void half_ok(int *out, const int *in) { half<16>(out, in); } // expect-clean
__global__ void half_bad(int *out, const int *in) { half<32>(out, in); }

template <int WIDTH> __device__ void rounds(int *out, const int *in, int n) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * 128 + threadIdx.x;
  for (int r = 0; r < n; r++) {
    unsigned yes = tile.ballot(in[i * n + r] > 0);
    if (yes && tile.thread_rank() == __ffs(yes) - 1) out[i / WIDTH * n + r] = threadIdx.x; // expect-race[rounds]
  }
}
__global__ void rounds_ok(int *out, const int *in, int n) { rounds<16>(out, in, n); } // expect-clean
__global__ void rounds_bad(int *out, const int *in, int n) { rounds<32>(out, in, n); }

void run(int *out, const int *in, int blocks, int n) {
  if (n < 1 || n > 100 || blocks > 1000) return;
  first_ok<<<blocks, 128>>>(out, in);
  first_bad<<<blocks, 128>>>(out, in);
  match_ok<<<blocks, 128>>>(out, in);
  match_bad<<<blocks, 128>>>(out, in);
  any_ok<<<blocks, 128>>>(out, in);
  any_bad<<<blocks, 128>>>(out, in);
  group_ok<<<blocks, 128>>>(out, in);
  group_bad<<<blocks, 128>>>(out, in);
  half_ok<<<blocks, 128>>>(out, in);
  half_bad<<<blocks, 128>>>(out, in);
  rounds_ok<<<blocks, 128>>>(out, in, n);
  rounds_bad<<<blocks, 128>>>(out, in, n);
}
