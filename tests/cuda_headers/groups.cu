// Cooperative groups: each kind of group synchronises by its own intrinsic.
//@ call: __hgrd_barrier_grid
//@ call: __hgrd_barrier_block
//@ call: __hgrd_barrier_tile
//@ call: __hgrd_barrier_coalesced
//@ call: __hgrd_async_copy
//@ call: __hgrd_async_wait
//@ call: _Z15__shfl_xor_sync
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct Three {
  int x, y, z;
};
__device__ int sum(cg::thread_group group, int *x, int value) {
  int lane = (int)group.thread_rank();
  for (int i = (int)group.size() / 2; i > 0; i /= 2) {
    x[lane] = value;
    group.sync();
    if (lane < i)
      value += x[lane + i];
    group.sync();
  }
  return value;
}
__global__ void kernel(int *a) {
  __shared__ int s[256];
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto four = cg::tiled_partition<4>(warp);
  cg::coalesced_group here = cg::coalesced_threads();
  cg::memcpy_async(block, s, a, sizeof(int) * 256);
  cg::wait(block);
  int v = cg::reduce(warp, s[threadIdx.x], cg::plus<int>()) + cg::inclusive_scan(four, 1) + sum(block, s, 1);
  Three t = warp.shfl(Three{v, v, v}, 0);
  auto odd = cg::binary_partition(warp, v & 1);
  auto same = cg::labeled_partition(here, v);
  four.sync();
  here.sync();
  cg::sync(warp);
  grid.sync();
  a[grid.thread_rank()] = t.x + (int)odd.size() + (int)same.thread_rank() + (int)block.group_index().x;
}
int main() {
  kernel<<<1, 256>>>(nullptr);
  return 0;
}
