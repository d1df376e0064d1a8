// Library storage. NVIDIA/cccl #2699 (issue 1902): a block-wide reduction lets its first warp add up the threads' values in a grid of
// shared memory, and then reduces over that warp in storage that is a union with the grid, with no barrier of the warp between.
// A lane that has added its segment writes its sum where another lane still reads the values of its segment [union]. The block's barrier
// stands behind filling the grid; the steps of the warp have theirs. Fixed: __syncwarp() between the two uses.
//@ pairs: exact
//@ verdict raking_sum: racy
//@ verdict raking_sum_fixed: race-free
#include <cstdlib>

union Storage {
  int grid[128];
  int warp[32];
};

__global__ void raking_sum(const int *in, int *out) {
  __shared__ Storage storage;
  int t = threadIdx.x, sum = 0;
  storage.grid[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < 4; i++)
      sum += storage.grid[t * 4 + i]; // expect-race[union](intra-warp)
    storage.warp[t] = sum; // expect-race[union](intra-warp)
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
      if (t < step)
        storage.warp[t] += storage.warp[t + step];
      __syncwarp();
    }
    if (t == 0)
      out[blockIdx.x] = storage.warp[0];
  }
}

__global__ void raking_sum_fixed(const int *in, int *out) { // expect-clean
  __shared__ Storage storage;
  int t = threadIdx.x, sum = 0;
  storage.grid[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < 4; i++)
      sum += storage.grid[t * 4 + i];
    __syncwarp();
    storage.warp[t] = sum;
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
      if (t < step)
        storage.warp[t] += storage.warp[t + step];
      __syncwarp();
    }
    if (t == 0)
      out[blockIdx.x] = storage.warp[0];
  }
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]), *in, *out;
  cudaMalloc(&in, blocks * 128 * sizeof(int));
  cudaMalloc(&out, blocks * sizeof(int));
  raking_sum<<<blocks, 128>>>(in, out);
  raking_sum_fixed<<<blocks, 128>>>(in, out);
}
