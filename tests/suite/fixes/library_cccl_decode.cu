// Library storage. NVIDIA/cccl #2706 (issue 1903): the test of the block-wide run-length decoder stores one window of decoded items
// after the other through the same storage of a cub::BlockStore, with no barrier between two windows.
// The store of a window puts the items of all threads into the storage and takes them out in another order; a thread that is through
// puts the next window there [window]. Fixed: a barrier at the end of the loop.
//@ pairs: exact
//@ verdict decode: racy
//@ verdict decode_fixed: race-free
#include <cub/block/block_store.cuh>
#include <cstdlib>

__global__ void decode(const int *values, const int *ends, int *out, int runs, int decoded) {
  typedef cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ typename Store::TempStorage storage;
  for (int window = 0; window < decoded; window += 256) {
    int items[4], run = 0;
    for (int i = 0; i < 4; i++) {
      while (run < runs - 1 && ends[run] <= window + threadIdx.x * 4 + i)
        run++;
      items[i] = values[run];
    }
    Store(storage).Store(out + window, items, decoded - window); // expect-race[window](intra-block,intra-warp)
  }
}

__global__ void decode_fixed(const int *values, const int *ends, int *out, int runs, int decoded) { // expect-clean
  typedef cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
  __shared__ typename Store::TempStorage storage;
  for (int window = 0; window < decoded; window += 256) {
    int items[4], run = 0;
    for (int i = 0; i < 4; i++) {
      while (run < runs - 1 && ends[run] <= window + threadIdx.x * 4 + i)
        run++;
      items[i] = values[run];
    }
    Store(storage).Store(out + window, items, decoded - window);
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  int runs = atoi(argv[1]), decoded = atoi(argv[2]), *values, *ends, *out;
  cudaMalloc(&values, runs * sizeof(int));
  cudaMalloc(&ends, runs * sizeof(int));
  cudaMalloc(&out, decoded * sizeof(int));
  decode<<<1, 64>>>(values, ends, out, runs, decoded);
  decode_fixed<<<1, 64>>>(values, ends, out, runs, decoded);
}
