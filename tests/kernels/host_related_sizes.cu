// Sizes that one host loop changes together, and what is known once such a loop is over. The answers:
// - steps: each block writes its own part of [half, 2 * half) and then of [0, half) in halves; that is right as
//   long as grid * block <= half. Both are set from `half` in each round; the twin forgets to make the block
//   smaller while the grid is not 0, so that from the second round on more threads write than `half`.
// - late: the block is changed only in the rounds in which it would be too large; its size is that of the last
//   such round. The twins take twice that, change it where it would be too small, and leave out a round.
// - mixed: two fields of one dim3; x is halved and y kept, and in the twin y is doubled, beyond the rows.
// - found: the search ends with the power of two that is the length; in the twins also without one, and the
//   length changes after the search.
//@ verdict clear_ok: race-free
//@ verdict clear_too_ok: race-free
//@ verdict steps_ok: race-free
//@ verdict steps_bad: racy
//@ verdict late_ok: race-free
//@ verdict late_twice_bad: racy
//@ verdict late_wrong_way_bad: racy
//@ verdict late_but_one_bad: racy
//@ verdict mixed_ok: race-free
//@ verdict mixed_bad: racy
//@ verdict found_ok: race-free
//@ verdict found_or_not_bad: racy
//@ verdict found_before_bad: racy
#include <cstdlib>

__global__ void clear_ok(float *od) { // expect-clean
  od[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

__global__ void clear_too_ok(float *od) { // expect-clean
  od[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

__global__ void steps_ok(float *od, unsigned half, int width) { // expect-clean
  od[blockIdx.x * width + threadIdx.x + half] = 1;
  if (threadIdx.x < width / 2)
    od[blockIdx.x * (width / 2) + threadIdx.x] = 2;
}

__global__ void steps_bad(float *od, unsigned half, int width) {
  od[blockIdx.x * width + threadIdx.x + half] = 1; // expect-race[a]
  if (threadIdx.x < width / 2)
    od[blockIdx.x * (width / 2) + threadIdx.x] = 2; // expect-race[a]
}

static void step_through(float *d, unsigned n, int levels) {
  dim3 grid, block;
  unsigned left = n / 2;
  if (levels <= 9) {
    block.x = left;
  } else {
    grid.x = left / 512;
    block.x = 512;
  }
  clear_ok<<<grid, block>>>(d);
  while (0 != left) {
    steps_ok<<<grid, block>>>(d, left, block.x);
    left = left >> 10;
    grid.x = (left / 512) + (0 != (left % 512)) ? 1 : 0;
    if (grid.x <= 1) block.x = left;
  }
}

static void step_beyond(float *d, unsigned n, int levels) {
  dim3 grid, block;
  unsigned left = n / 2;
  if (levels <= 9) {
    block.x = left;
  } else {
    grid.x = left / 512;
    block.x = 512;
  }
  clear_too_ok<<<grid, block>>>(d);
  while (0 != left) {
    steps_bad<<<grid, block>>>(d, left, block.x);
    left = left >> 10;
    grid.x = (left / 512) + (0 != (left % 512)) ? 1 : 0;
    if (grid.x < 1) block.x = left;
  }
}

__global__ void late_ok(float *d, unsigned n) { // expect-clean
  d[blockIdx.x * n + threadIdx.x] = threadIdx.x;
}

__global__ void late_twice_bad(float *d, unsigned n) {
  d[blockIdx.x * n + threadIdx.x] = threadIdx.x; // expect-race
}

__global__ void late_wrong_way_bad(float *d, unsigned n) {
  d[blockIdx.x * n + threadIdx.x] = threadIdx.x; // expect-race
}

__global__ void late_but_one_bad(float *d, unsigned n) {
  d[blockIdx.x * n + threadIdx.x] = threadIdx.x; // expect-race
}

void late_0(float *d, unsigned n) {
  if (n < 1024 || n > 1 << 20) return;
  unsigned threads = 1024;
  for (; n > 0; n /= 2) {
    late_ok<<<2, threads>>>(d, n);
    if (n / 2 < threads) threads = n / 2;
  }
}

void late_1(float *d, unsigned n) {
  if (n < 1024 || n > 1 << 20) return;
  unsigned threads = 1024;
  for (; n > 0; n /= 2) {
    late_twice_bad<<<2, threads>>>(d, n);
    if (n / 2 < threads) threads = n / 2 * 2;
  }
}

void late_2(float *d, unsigned n) {
  if (n < 1024 || n > 1 << 20) return;
  unsigned threads = 1024;
  for (; n > 0; n /= 2) {
    late_wrong_way_bad<<<2, threads>>>(d, n);
    if (n / 2 > threads) threads = n / 2;
  }
}

void late_3(float *d, unsigned n) {
  if (n < 1024 || n > 1 << 20) return;
  unsigned threads = 1024;
  for (; n > 0; n /= 2) {
    late_but_one_bad<<<2, threads>>>(d, n);
    if (n / 2 < threads && n != 64) threads = n / 2;
  }
}

__global__ void mixed_ok(float *d, unsigned x, unsigned y) { // expect-clean
  d[threadIdx.y % y * x + threadIdx.x] = 1 + threadIdx.y;
}

__global__ void mixed_bad(float *d, unsigned x, unsigned y) {
  d[threadIdx.y % y * x + threadIdx.x] = 1 + threadIdx.y; // expect-race
}

static void mixed_0(float *d) {
  dim3 block(64, 8);
  for (; block.x > 0; block.x /= 2)
    mixed_ok<<<1, block>>>(d, block.x, 8);
}

static void mixed_1(float *d) {
  dim3 block(64, 8);
  for (; block.x > 0; block.x /= 2) {
    mixed_bad<<<1, block>>>(d, block.x, 8);
    block.y *= 2;
  }
}

static bool levels(unsigned n, unsigned most, unsigned *found) {
  bool is_found = false;
  for (unsigned i = 0; i < most; i++)
    if (n == 1u << i) {
      *found = i;
      is_found = true;
      break;
    }
  return is_found;
}

__global__ void found_ok(float *d, unsigned n) { // expect-clean
  d[threadIdx.x & (n - 1)] = threadIdx.x;
}

__global__ void found_or_not_bad(float *d, unsigned n) {
  d[threadIdx.x & (n - 1)] = threadIdx.x; // expect-race
}

__global__ void found_before_bad(float *d, unsigned n) {
  d[threadIdx.x & (n - 1)] = threadIdx.x; // expect-race
}

static void found_0(float *d, unsigned n) {
  unsigned k = 0;
  if (!levels(n, 8, &k)) return;
  found_ok<<<1, 1 << k>>>(d, n);
}

static void found_1(float *d, unsigned n) {
  unsigned k = 5;
  levels(n, 8, &k);
  found_or_not_bad<<<1, 1 << k>>>(d, n);
}

static void found_2(float *d, unsigned n) {
  unsigned k = 0;
  if (!levels(n, 8, &k)) return;
  n /= 2;
  found_before_bad<<<1, 1 << k>>>(d, n);
}

int main(int count, char **words) {
  float *d;
  unsigned n = atoi(words[1]);
  cudaMalloc(&d, n * 4ul);
  step_through(d, n, count);
  step_beyond(d, n, count);
  late_0(d, n);
  late_1(d, n);
  late_2(d, n);
  late_3(d, n);
  mixed_0(d);
  mixed_1(d);
  found_0(d, n);
  found_1(d, n);
  found_2(d, n);
}
