// Each block shuffles its own row: element i changes places with element j, a random number below i + 1.
//   shuffle_ok:  j <= i < width, so a block stays in its row, however the number was drawn.
//   shuffle_bad: below i + 2, so that j may be width for the last element, which is the next row's first one.
//   hash_ok:     a table for each block, of 1 << bits places, entered at the low bits of a hash by the block's only
//                thread.
//   hash_bad:    one bit more is kept, so that a block enters its neighbour's table.
//@ verdict shuffle_ok: race-free
//@ verdict shuffle_bad: racy
//@ verdict hash_ok: race-free
//@ verdict hash_bad: racy
#include <cuda_runtime.h>

__device__ unsigned next(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
template <int MORE> __device__ void shuffle(float *x, int rows, int width) {
  if (blockIdx.x >= rows) return;
  unsigned state = 5678u ^ blockIdx.x;
  float *row = x + blockIdx.x * width;
  for (int i = width - 1; i > 0; i--) {
    int j = next(state) % (i + MORE);
    float kept = row[i];
    row[i] = row[j]; // expect-race[shuffle]
    row[j] = kept;   // expect-race[shuffle]
  }
}
__global__ void shuffle_ok(float *x, int rows, int width) { shuffle<1>(x, rows, width); } // expect-clean
__global__ void shuffle_bad(float *x, int rows, int width) { shuffle<2>(x, rows, width); }

template <int KEPT> __device__ void enter(unsigned *table, const unsigned *keys, int n) {
  for (int i = 0; i < n; i++) {
    unsigned key = keys[blockIdx.x * n + i], hash = key * 2654435761u ^ (key >> 7);
    table[blockIdx.x * 1024 + (hash & KEPT)] = key; // expect-race[table]
  }
}
__global__ void hash_ok(unsigned *table, const unsigned *keys, int n) { enter<1023>(table, keys, n); } // expect-clean
__global__ void hash_bad(unsigned *table, const unsigned *keys, int n) { enter<2047>(table, keys, n); }

void run(int rows, int width) {
  float *x, *y;
  unsigned *table, *keys;
  cudaMalloc(&x, 4 * rows * width);
  cudaMalloc(&y, 4 * rows * width + 4);
  cudaMalloc(&table, 4096 * rows + 4096);
  cudaMalloc(&keys, 4 * rows * width);
  shuffle_ok<<<rows, 1>>>(x, rows, width);
  shuffle_bad<<<rows, 1>>>(y, rows, width);
  hash_ok<<<rows, 1>>>(table, keys, width);
  hash_bad<<<rows, 1>>>(table, keys, width);
}
