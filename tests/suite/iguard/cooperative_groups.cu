// Wrong use of cooperative groups, as iGUARD counts it (CG): the group that is synchronised is too small. Each has a mended twin (_ok).
// reduce: blocks leave their sums, and block 0 adds them after a barrier of the block only: the other blocks' sums race [sums].
// tiles: a value goes to the tile of 32 next door, but each tile waits for itself only: threads of two warps. pieces: tiles of 16
// likewise, next door in the same warp: the two tiles are in one warp, since 128 threads are whole warps and the partner is t ^ 16.
//@ pairs: exact
//@ verdict reduce: racy
//@ verdict reduce_ok: race-free
//@ verdict tiles: racy
//@ verdict tiles_ok: race-free
//@ verdict pieces: racy
//@ verdict pieces_ok: race-free
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void reduce(const int *in, int *sums, int *total) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x == 0)
    sums[blockIdx.x] = in[blockIdx.x]; // expect-race[sums](inter-block)
  block.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += sums[b]; // expect-race[sums](inter-block)
    total[0] = sum;
  }
}

__global__ void reduce_ok(const int *in, int *sums, int *total) { // expect-clean
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0)
    sums[blockIdx.x] = in[blockIdx.x];
  grid.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += sums[b];
    total[0] = sum;
  }
}

__global__ void tiles(const int *in, int *out) {
  __shared__ int part[128];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 128 + t]; // expect-race[part](intra-block)
  tile.sync();
  out[blockIdx.x * 128 + t] = part[t ^ 32]; // expect-race[part](intra-block)
}

__global__ void tiles_ok(const int *in, int *out) { // expect-clean
  __shared__ int part[128];
  cg::thread_block block = cg::this_thread_block();
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 128 + t];
  block.sync();
  out[blockIdx.x * 128 + t] = part[t ^ 32];
}

__global__ void pieces(const int *in, int *out) {
  __shared__ int part[128];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 128 + t]; // expect-race[part](intra-warp)
  tile.sync();
  out[blockIdx.x * 128 + t] = part[t ^ 16]; // expect-race[part](intra-warp)
}

__global__ void pieces_ok(const int *in, int *out) { // expect-clean
  __shared__ int part[128];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 128 + t];
  tile.sync();
  out[blockIdx.x * 128 + t] = part[t ^ 16];
}

int main() {
  int *a, *b, *c;
  cudaMalloc((void **)&a, 2048 * sizeof(int));
  cudaMalloc((void **)&b, 2048 * sizeof(int));
  cudaMalloc((void **)&c, 2048 * sizeof(int));
  void *args[] = {&a, &b, &c}, *two[] = {&a, &b};
  cudaLaunchCooperativeKernel((void *)reduce, dim3(16), dim3(128), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)reduce_ok, dim3(16), dim3(128), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)tiles, dim3(16), dim3(128), two, 0, 0);
  tiles_ok<<<16, 128>>>(a, b);
  pieces<<<16, 128>>>(a, b);
  pieces_ok<<<16, 128>>>(a, b);
  return 0;
}
