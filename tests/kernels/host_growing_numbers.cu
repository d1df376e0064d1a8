// Numbers of the host that a loop only makes larger, now and then: never below their first value; and powers of two where they are
// doubled. In reduce a wave of partial sums is drawn together, in place, at distances that grow 512-fold; in the last round
// the distance is kept.
//   reduce: the distance starts at one; in the twin at a number that may be zero.
//   spread: rows lie a width and a pad apart that is added to now and then; the twin's is taken from.
//   masked: the low bits of a thread's number, and its others: it itself where the size is a power of two, which is doubled at times; the
//   twin's is tripled.
//@ verdict reduce_ok: race-free
//@ verdict reduce_bad: racy
//@ verdict spread_ok: race-free
//@ verdict spread_bad: racy
//@ verdict masked_ok: race-free
//@ verdict masked_bad: racy
#include <cassert>
#include <cstdio>

template <int> __device__ void draw_together(float *sums, int n, int distance) {
  __shared__ float part[512];
  int i = blockIdx.x * 512 + threadIdx.x;
  part[threadIdx.x] = i < n ? sums[i * distance] : 0; // expect-race[reduce_bad]
  __syncthreads();
  for (int s = 256; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x * distance * 512] = part[0]; // expect-race[reduce_bad]
}

__global__ void reduce_ok(float *sums, int n, int distance) { draw_together<0>(sums, n, distance); } // expect-clean

__global__ void reduce_bad(float *sums, int n, int distance) { draw_together<1>(sums, n, distance); }

__global__ void spread_ok(float *out, int pad) { // expect-clean
  out[blockIdx.x * (256 + pad) + threadIdx.x] = blockIdx.x;
}

__global__ void spread_bad(float *out, int pad) {
  out[blockIdx.x * (256 + pad) + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
}

__global__ void masked_ok(float *out, int size) { // expect-clean
  int i = threadIdx.x;
  out[(i & (size - 1)) + i / size * size] = i;
}

__global__ void masked_bad(float *out, int size) {
  int i = threadIdx.x;
  out[(i & (size - 1)) + i / size * size] = i; // expect-race
}

int main() {
  int n, start, flags, rounds;
  if (scanf("%d %d %d %d", &n, &start, &flags, &rounds) != 4) return 1;
  assert(n > 0 && start >= 0);
  float *sums, *out;
  cudaMalloc((void **)&sums, (size_t)n * 4);
  cudaMalloc((void **)&out, 1 << 24);
  int blocks = (n + 511) / 512, left = n, distance = 1;
  while (blocks != 0) {
    reduce_ok<<<blocks, 512>>>(sums, left, distance);
    left = blocks;
    if (blocks == 1) {
      blocks = 0;
    } else {
      distance *= 512;
      blocks = (blocks + 511) / 512;
    }
  }
  blocks = (n + 511) / 512, left = n, distance = start;
  while (blocks != 0) {
    reduce_bad<<<blocks, 512>>>(sums, left, distance);
    left = blocks;
    if (blocks == 1) {
      blocks = 0;
    } else {
      distance *= 512;
      blocks = (blocks + 511) / 512;
    }
  }
  int pad = 0, short_pad = 0, size = 2, odd_size = 2;
  for (int i = 0; i < rounds; i++) {
    spread_ok<<<64, 256>>>(out, pad);
    spread_bad<<<64, 256>>>(out, short_pad);
    masked_ok<<<1, 1024>>>(out, size);
    masked_bad<<<1, 1024>>>(out, odd_size);
    if (flags >> i & 1) {
      pad += 32;
      short_pad -= 32;
      size *= 2;
      odd_size *= 3;
    }
  }
  return 0;
}
