// Sizes that a host loop takes on from round to round: what is left, and the number of blocks that it takes. Each changes in a way that has
// no closed form, but after the first round one is always computed from the other, as it is on entry. Sums of parts are put behind
// the numbers that they are made of: that they stay apart needs the relation.
//   kept: both at once; the twin takes too many blocks in each round. entered: blocks from blocks; the twin enters with too many.
//   branched: rounded up by a branch, and stopped by a number of blocks of zero; the twin does not round up before the loop.
//   unsigned_blocks: a dim3, the number rounded up in another way, never zero; what is left in the twin is half of that. crossed: a number of the
//   round before last, of which the relation to the others is not said; the twin takes the two the wrong way round.
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
//@ verdict entered_ok: race-free
//@ verdict entered_bad: racy
//@ verdict branched_ok: race-free
//@ verdict branched_bad: racy
//@ verdict unsigned_blocks_ok: race-free
//@ verdict unsigned_blocks_bad: racy
//@ verdict crossed_ok: race-free
//@ known-false-alarm crossed_ok: relations are said of one round and the next, not of three
//@ verdict crossed_bad: racy
#include <cstdlib>

__device__ void sum_parts(float *sums, int left, int behind) {
  __shared__ float part[32];
  int count = blockIdx.x == gridDim.x - 1 ? left - blockIdx.x * 256 : 256;
  if (threadIdx.x < 32) {
    float sum = 0;
    for (int k = threadIdx.x; k < count; k += 32)
      sum += sums[blockIdx.x * 256 + k]; // expect-race[kept_bad,entered_bad,branched_bad,unsigned_blocks_bad,crossed_bad]
    part[threadIdx.x] = sum;
  }
  if (threadIdx.x == 0)
    sums[behind + blockIdx.x] = part[0]; // expect-race[kept_bad,entered_bad,branched_bad,unsigned_blocks_bad,crossed_bad]
}

__global__ void kept_ok(float *sums, int left) { sum_parts(sums, left, left); } // expect-clean
__global__ void kept_bad(float *sums, int left) { sum_parts(sums, left, left); }
__global__ void entered_ok(float *sums, int left) { sum_parts(sums, left, left); } // expect-clean
__global__ void entered_bad(float *sums, int left) { sum_parts(sums, left, left); }
__global__ void branched_ok(float *sums, int left) { sum_parts(sums, left, left); } // expect-clean
__global__ void branched_bad(float *sums, int left) { sum_parts(sums, left, left); }
__global__ void unsigned_blocks_ok(float *sums, int left) { sum_parts(sums, left, left); } // expect-clean
__global__ void unsigned_blocks_bad(float *sums, int left) { sum_parts(sums, left, left); }
__global__ void crossed_ok(float *sums, int left, int behind) { sum_parts(sums, left, behind); } // expect-clean
__global__ void crossed_bad(float *sums, int left, int behind) { sum_parts(sums, left, behind); }

static void keep(float *sums, int n) {
  int left = n, blocks = (n + 255) / 256;
  while (left > 1) {
    kept_ok<<<blocks, 256>>>(sums, left);
    left = blocks;
    blocks = (left + 255) / 256;
  }
  left = n, blocks = (n + 255) / 256;
  while (left > 1) {
    kept_bad<<<blocks, 256>>>(sums, left);
    left = blocks;
    blocks = (left + 511) / 256;
  }
}

static void enter(float *sums, int n) {
  int left = n, blocks = (n + 255) / 256;
  do {
    entered_ok<<<blocks, 256>>>(sums, left);
    left = blocks;
    blocks = (blocks + 255) / 256;
  } while (left > 1);
  left = n, blocks = n / 256 + 2;
  do {
    entered_bad<<<blocks, 256>>>(sums, left);
    left = blocks;
    blocks = (blocks + 255) / 256;
  } while (left > 1);
}

static int rounded_up(int left) {
  int blocks = left / 256;
  if (left % 256 != 0) blocks++;
  return blocks;
}

static void branch(float *sums, int n) {
  int left = n, blocks = rounded_up(n);
  while (blocks != 0) {
    branched_ok<<<blocks, 256>>>(sums, left);
    left = blocks;
    blocks = blocks == 1 ? 0 : rounded_up(blocks);
  }
  left = n, blocks = n / 256 + 1 + (n % 256 == 0);
  while (blocks != 0) {
    branched_bad<<<blocks, 256>>>(sums, left);
    left = blocks;
    blocks = blocks == 1 ? 0 : rounded_up(blocks);
  }
}

static void count_unsigned(float *sums, int n) {
  int left = n;
  dim3 blocks((n - 1) / 256 + 1);
  for (;;) {
    unsigned_blocks_ok<<<blocks, 256>>>(sums, left);
    left = blocks.x;
    if (left == 1) break;
    blocks.x = (blocks.x - 1) / 256 + 1;
  }
  left = n;
  blocks.x = (n - 1) / 256 + 1;
  for (;;) {
    unsigned_blocks_bad<<<blocks, 256>>>(sums, left);
    left = blocks.x / 2;
    if (left == 1) break;
    blocks.x = (blocks.x - 1) / 256 + 1;
  }
}

static void cross(float *sums, int n) {
  int left = n, blocks = (n + 255) / 256, before = n;
  while (left > 1) {
    crossed_ok<<<blocks, 256>>>(sums, left, before);
    before = left;
    left = blocks;
    blocks = (left + 255) / 256;
  }
  left = n, blocks = (n + 255) / 256, before = n;
  while (left > 1) {
    crossed_bad<<<blocks, 256>>>(sums, before, left);
    before = left;
    left = blocks;
    blocks = (left + 255) / 256;
  }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 1) return 1;
  float *sums;
  cudaMalloc((void **)&sums, n * 8L);
  keep(sums, n);
  enter(sums, n);
  branch(sums, n);
  count_unsigned(sums, n);
  cross(sums, n);
}
