// Library storage. humansensinglab/taming-3dgs #4: a tile of threads in two dimensions reduces over the block with a cub::BlockReduce
// that is told the number of all threads as the size in x; what it takes for the number of a thread is then its x alone.
// The warps are the rows of the tile, 32 wide: the first thread of each takes itself for the first of warp 0 and writes the same part of
// the storage [part]; it also takes itself for the one that adds the parts up, but reads only those of warps that it thinks there are.
// Fixed: the sizes in x and y.
//@ pairs: exact
//@ verdict render: racy
//@ verdict render_fixed: race-free
#include <cub/block/block_reduce.cuh>
#include <cstdlib>

__global__ void render(const unsigned *contributors, unsigned *most, int width, int height) {
  typedef cub::BlockReduce<unsigned, 256> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  unsigned last = x < width && y < height ? contributors[y * width + x] : 0;
  last = Reduce(storage).Reduce(last, cub::Max()); // expect-race[part](intra-block)
  if (threadIdx.x == 0 && threadIdx.y == 0)
    most[blockIdx.y * gridDim.x + blockIdx.x] = last;
}

__global__ void render_fixed(const unsigned *contributors, unsigned *most, int width, int height) { // expect-clean
  typedef cub::BlockReduce<unsigned, 32, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  unsigned last = x < width && y < height ? contributors[y * width + x] : 0;
  last = Reduce(storage).Reduce(last, cub::Max());
  if (threadIdx.x == 0 && threadIdx.y == 0)
    most[blockIdx.y * gridDim.x + blockIdx.x] = last;
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  dim3 grid((width + 31) / 32, (height + 7) / 8), block(32, 8);
  unsigned *contributors, *most;
  cudaMalloc(&contributors, width * height * sizeof(unsigned));
  cudaMalloc(&most, grid.x * grid.y * sizeof(unsigned));
  render<<<grid, block>>>(contributors, most, width, height);
  render_fixed<<<grid, block>>>(contributors, most, width, height);
}
