// Library storage. NVIDIA/cub, commit 70fcc9f8: a pass of the radix sort exchanges the keys of a tile through shared memory and then
// loads the values with a block-wide load whose storage is a union with that of the keys; the barrier between the two was missing.
// A thread that has its keys, four neighbours, begins to put every 128th value where others still fetch their keys [union]. Fixed: a
// barrier between.
//@ pairs: exact
//@ verdict downsweep: racy
//@ verdict downsweep_fixed: race-free
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_load.cuh>
#include <cstdlib>

typedef cub::BlockExchange<unsigned, 128, 4> Exchange;
typedef cub::BlockLoad<unsigned, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;

union Storage {
  typename Exchange::TempStorage keys;
  typename Load::TempStorage values;
};

__global__ void downsweep(const unsigned *keys_in, const unsigned *values_in, unsigned *keys_out, unsigned *values_out) {
  __shared__ Storage storage;
  unsigned keys[4], values[4];
  int first = blockIdx.x * 512;
  for (int i = 0; i < 4; i++)
    keys[i] = keys_in[first + i * 128 + threadIdx.x];
  Exchange(storage.keys).StripedToBlocked(keys); // expect-race[union](intra-block,intra-warp)
  for (int i = 0; i < 4; i++)
    keys_out[first + threadIdx.x * 4 + i] = keys[i] >> 4;
  Load(storage.values).Load(values_in + first, values); // expect-race[union](intra-block,intra-warp)
  for (int i = 0; i < 4; i++)
    values_out[first + threadIdx.x * 4 + i] = values[i];
}

__global__ void downsweep_fixed(const unsigned *keys_in, const unsigned *values_in, unsigned *keys_out, // expect-clean
                                unsigned *values_out) {
  __shared__ Storage storage;
  unsigned keys[4], values[4];
  int first = blockIdx.x * 512;
  for (int i = 0; i < 4; i++)
    keys[i] = keys_in[first + i * 128 + threadIdx.x];
  Exchange(storage.keys).StripedToBlocked(keys);
  for (int i = 0; i < 4; i++)
    keys_out[first + threadIdx.x * 4 + i] = keys[i] >> 4;
  __syncthreads();
  Load(storage.values).Load(values_in + first, values);
  for (int i = 0; i < 4; i++)
    values_out[first + threadIdx.x * 4 + i] = values[i];
}

int main(int argc, char **argv) {
  int tiles = atoi(argv[1]);
  unsigned *memory[4];
  for (int i = 0; i < 4; i++)
    cudaMalloc(&memory[i], tiles * 512 * sizeof(unsigned));
  downsweep<<<tiles, 128>>>(memory[0], memory[1], memory[2], memory[3]);
  downsweep_fixed<<<tiles, 128>>>(memory[0], memory[1], memory[2], memory[3]);
}
