// Where each tile's run of keys begins and ends, in an array that cub has sorted just before: neighbours that differ are the only
// ones to write, and a key that is equal somewhere else is equal all the way. In falling order as well, and of keys without sign.
//   down, down_unsigned: sorted by all bits, the largest first; by the lower 16 bits (down_bad), equal keys lie apart.
//   wide: 64 bits without a sign; those whose highest bit is set come last.
//   tiles: the tile is the upper half of such a key; sorted by its lower 46 bits only (tiles_bad), tiles with more bits lie apart.
//@ verdict down_ok: race-free
//@ verdict down_bad: racy
//@ verdict down_unsigned_ok: race-free
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
//@ verdict tiles_ok: race-free
//@ verdict tiles_bad: racy
#include <cstdint>
#include <cub/cub.cuh>

template <class T> __device__ void ends(int n, const T *keys, uint2 *ranges) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T key = keys[i];
  if (i == 0)
    ranges[key].x = 0; // expect-race[ends] expect-race[begin]
  else {
    T before = keys[i - 1];
    if (key != before) {
      ranges[before].y = i; // expect-race[ends] expect-race[last]
      ranges[key].x = i;    // expect-race[ends] expect-race[begin] expect-race[again]
    }
  }
  if (i == n - 1) ranges[key].y = n; // expect-race[ends] expect-race[last]
}
__global__ void down_ok(int n, const int *keys, uint2 *ranges) { ends(n, keys, ranges); } // expect-clean
__global__ void down_bad(int n, const int *keys, uint2 *ranges) { ends(n, keys, ranges); }
__global__ void down_unsigned_ok(int n, const unsigned *keys, uint2 *ranges) { ends(n, keys, ranges); } // expect-clean
__global__ void wide_ok(int n, const uint64_t *keys, uint2 *ranges) { ends(n, keys, ranges); } // expect-clean
__global__ void wide_bad(int n, const uint64_t *keys, uint2 *ranges) { ends(n, keys, ranges); }

__device__ void tile_ends(int n, const uint64_t *keys, uint2 *ranges) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t tile = keys[i] >> 32;
  if (i == 0)
    ranges[tile].x = 0; // expect-race[tiles]
  else {
    uint32_t before = keys[i - 1] >> 32;
    if (tile != before) {
      ranges[before].y = i; // expect-race[tiles]
      ranges[tile].x = i;   // expect-race[tiles]
    }
  }
  if (i == n - 1) ranges[tile].y = n; // expect-race[tiles]
}
__global__ void tiles_ok(int n, const uint64_t *keys, uint2 *ranges) { tile_ends(n, keys, ranges); } // expect-clean
__global__ void tiles_bad(int n, const uint64_t *keys, uint2 *ranges) { tile_ends(n, keys, ranges); }

template <class T, class Kernel> static void down(int n, int bits, Kernel kernel) {
  T *in, *out;
  uint2 *ranges;
  void *temp = nullptr;
  size_t bytes = 0;
  cudaMalloc(&in, sizeof(T) * n);
  cudaMalloc(&out, sizeof(T) * n);
  cudaMalloc(&ranges, 8 * 10000);
  cub::DeviceRadixSort::SortKeysDescending(temp, bytes, in, out, n, 0, bits);
  cudaMalloc(&temp, bytes);
  cub::DeviceRadixSort::SortKeysDescending(temp, bytes, in, out, n, 0, bits);
  kernel<<<(n + 255) / 256, 256>>>(n, out, ranges);
}
template <class Kernel> static void up(int n, int bits, Kernel kernel) {
  uint64_t *in, *out;
  uint32_t *values, *moved;
  uint2 *ranges;
  void *temp = nullptr;
  size_t bytes = 0;
  cudaMalloc(&in, 8 * n);
  cudaMalloc(&out, 8 * n);
  cudaMalloc(&values, 4 * n);
  cudaMalloc(&moved, 4 * n);
  cudaMalloc(&ranges, 8 * 10000);
  cub::DeviceRadixSort::SortPairs(temp, bytes, in, out, values, moved, n, 0, bits);
  cudaMalloc(&temp, bytes);
  cub::DeviceRadixSort::SortPairs(temp, bytes, in, out, values, moved, n, 0, bits);
  kernel<<<(n + 255) / 256, 256>>>(n, out, ranges);
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  down<int>(n, 32, down_ok);
  down<int>(n, 16, down_bad);
  down<unsigned>(n, 32, down_unsigned_ok);
  up(n, 64, wide_ok);
  up(n, 48, wide_bad);
  up(n, 64, tiles_ok);
  up(n, 46, tiles_bad);
}
