// Warp barrier. NVIDIA/cuCollections #337, commit fd7263cc: the lanes of a tile collect matches in shared memory, with a counter in
// shared memory as well. When the buffer is nearly full all of them flush it and the first sets the counter to zero; the others could
// still be reading it, and could go on before it was zero.
// The reset meets the reads of the counter [reads][flush] and the atomic operations of the next round [next]; these meet the reads
// [look][count], what they fill meets the flush [buffer], and the first zero meets the first of them [start]. The votes and shuffles
// between order nothing in memory. Fixed: the tile waits behind the first zero, before each reset and at the end of each round. Places
// in the buffer are distinct because the counter hands them out, those of the output because the other counter does; the tile waits
// between filling and flushing.
//@ pairs: exact
//@ verdict retrieve: racy
//@ verdict retrieve_fixed: race-free
//@ known-undecided retrieve: places that a counter hands out which is set back
//@ known-undecided retrieve_fixed: places that a counter hands out which is set back
#include <cooperative_groups.h>
#include <cstdlib>
namespace cg = cooperative_groups;

__global__ void retrieve(const int *keys, int n, int wanted, int *matches, int *out) {
  __shared__ int buffer[4][96], counters[4];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int w = threadIdx.x / 32;
  if (tile.thread_rank() == 0)
    counters[w] = 0; // expect-race[start](intra-warp)
  for (int i = blockIdx.x * 128 + threadIdx.x; tile.any(i < n); i += gridDim.x * 128) {
    if (i < n && keys[i] == wanted)
      buffer[w][atomicAdd(&counters[w], 1)] = i; // expect-race[start](intra-warp) expect-race[next](intra-warp) expect-race[look](intra-warp) expect-race[count](intra-warp) expect-race[buffer](intra-warp)
    tile.sync();
    if (counters[w] > 64) {            // expect-race[reads](intra-warp) expect-race[look](intra-warp)
      int count = counters[w], at = 0; // expect-race[flush](intra-warp) expect-race[count](intra-warp)
      if (tile.thread_rank() == 0)
        at = atomicAdd(matches, count);
      at = tile.shfl(at, 0);
      for (int k = tile.thread_rank(); k < count; k += 32)
        out[at + k] = buffer[w][k]; // expect-race[buffer](intra-warp)
      if (tile.thread_rank() == 0)
        counters[w] = 0; // expect-race[reads](intra-warp) expect-race[flush](intra-warp) expect-race[next](intra-warp)
    }
  }
}

__global__ void retrieve_fixed(const int *keys, int n, int wanted, int *matches, int *out) { // expect-clean
  __shared__ int buffer[4][96], counters[4];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int w = threadIdx.x / 32;
  if (tile.thread_rank() == 0)
    counters[w] = 0;
  tile.sync();
  for (int i = blockIdx.x * 128 + threadIdx.x; tile.any(i < n); i += gridDim.x * 128) {
    if (i < n && keys[i] == wanted)
      buffer[w][atomicAdd(&counters[w], 1)] = i;
    tile.sync();
    if (counters[w] > 64) {
      int count = counters[w], at = 0;
      if (tile.thread_rank() == 0)
        at = atomicAdd(matches, count);
      at = tile.shfl(at, 0);
      for (int k = tile.thread_rank(); k < count; k += 32)
        out[at + k] = buffer[w][k];
      tile.sync();
      if (tile.thread_rank() == 0)
        counters[w] = 0;
    }
    tile.sync();
  }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), *keys, *matches, *out;
  cudaMalloc(&keys, n * sizeof(int));
  cudaMalloc(&matches, sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(matches, 0, sizeof(int));
  retrieve<<<80, 128>>>(keys, n, 7, matches, out);
  cudaMemset(matches, 0, sizeof(int));
  retrieve_fixed<<<80, 128>>>(keys, n, 7, matches, out);
}
