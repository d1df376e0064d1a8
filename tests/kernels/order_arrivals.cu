// A word counts arrivals, and who waits for some of them waits for more than others: partial sums of a tile, one block after the other.
// turns: each block but the first waits until as many have arrived as stand before it (ok); for one less (bad); one arrives for two (two, bad);
// the first two do not wait (first, bad); arrived before the work (early, bad).
// added: the first block stores, the others add behind its arrival, the last one waits for all (ok); for all but one (bad); some add without
// having waited (some, bad).
// reset: the last block sets the word back by a plain store (ok), before it waits (bad).
// ring: the word counts the rounds of the one who fills, and of the one who empties (ok); one place too much (bad), counted twice (twice, bad),
// by a third block as well (other, bad). sides: each block counts its rounds for its neighbour (ok), for two in one word (bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict turns_ok: race-free
//@ verdict turns_bad: racy
//@ verdict turns_two_bad: racy
//@ verdict turns_first_bad: racy
//@ verdict turns_early_bad: racy
//@ verdict added_ok: race-free
//@ verdict added_bad: racy
//@ verdict added_some_bad: racy
//@ verdict reset_ok: race-free
//@ verdict reset_bad: racy
//@ verdict ring_ok: race-free
//@ verdict ring_bad: racy
//@ verdict ring_twice_bad: racy
//@ verdict ring_other_bad: racy
//@ verdict sides_ok: race-free
//@ verdict sides_bad: racy

__device__ int acquire(const int *word) {
  int value;
  asm volatile("ld.global.acquire.gpu.b32 %0, [%1];\n" : "=r"(value) : "l"(word)); // expect-race[word]
  return value;
}

__device__ void count_up(int *word, int amount) {
  asm volatile("fence.acq_rel.gpu;\n");
  asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;\n" : : "l"(word), "r"(amount)); // expect-race[word]
}

__device__ void arrive(int *word, int amount) {
  __syncthreads();
  if (threadIdx.x == 0) count_up(word, amount);
}

__device__ void wait(int *word, int least) {
  if (threadIdx.x == 0) {
    while (acquire(word) < least) {
    }
  }
  __syncthreads();
}

__device__ void add(float *sum) {
  sum[threadIdx.x] += blockIdx.x; // expect-race[sum]
}

__global__ void turns_ok(int *arrived, float *sum) { // expect-clean
  if (blockIdx.x != 0) wait(arrived, blockIdx.x);
  add(sum);
  if (blockIdx.x != gridDim.x - 1) arrive(arrived, 1);
}

__global__ void turns_bad(int *arrived, float *sum) {
  if (blockIdx.x != 0) wait(arrived, blockIdx.x - 1);
  add(sum);
  if (blockIdx.x != gridDim.x - 1) arrive(arrived, 1);
}

__global__ void turns_two_bad(int *arrived, float *sum) {
  if (blockIdx.x != 0) wait(arrived, blockIdx.x);
  add(sum);
  if (blockIdx.x != gridDim.x - 1) arrive(arrived, 2);
}

__global__ void turns_first_bad(int *arrived, float *sum) {
  if (blockIdx.x > 1) wait(arrived, blockIdx.x);
  add(sum);
  if (blockIdx.x != gridDim.x - 1) arrive(arrived, 1);
}

__global__ void turns_early_bad(int *arrived, float *sum) {
  if (blockIdx.x != 0) wait(arrived, blockIdx.x);
  if (blockIdx.x != gridDim.x - 1) arrive(arrived, 1);
  add(sum);
}

__device__ void part(int *arrived, float *sum, bool waits) {
  if (blockIdx.x == 0) {
    sum[threadIdx.x] = 0.5f; // expect-race[part]
  } else {
    if (waits) wait(arrived, 1);
    atomicAdd(&sum[threadIdx.x], 1.0f); // expect-race[part]
  }
  arrive(arrived, 1);
}

__global__ void added_ok(int *arrived, float *sum, float *out) { // expect-clean
  if (blockIdx.x != gridDim.x - 1) {
    part(arrived, sum, true);
  } else {
    wait(arrived, gridDim.x - 1);
    out[threadIdx.x] = sum[threadIdx.x];
  }
}

__global__ void added_bad(int *arrived, float *sum, float *out) {
  if (blockIdx.x != gridDim.x - 1) {
    part(arrived, sum, true);
  } else {
    wait(arrived, gridDim.x - 2);
    out[threadIdx.x] = sum[threadIdx.x]; // expect-race[part]
  }
}

__global__ void added_some_bad(int *arrived, float *sum, float *out) {
  if (blockIdx.x != gridDim.x - 1) {
    part(arrived, sum, blockIdx.x != 2);
  } else {
    wait(arrived, gridDim.x - 1);
    out[threadIdx.x] = sum[threadIdx.x];
  }
}

__device__ void turn(int *arrived, float *sum) {
  if (threadIdx.x == 0) {
    while (acquire(arrived) != blockIdx.x) {
    }
  }
  __syncthreads();
  sum[threadIdx.x] += blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x != gridDim.x - 1) count_up(arrived, 1);
}

__global__ void reset_ok(int *arrived, float *sum) { // expect-clean
  turn(arrived, sum);
  if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) arrived[0] = 0;
}

__global__ void reset_bad(int *arrived, float *sum) {
  if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) arrived[0] = 0; // expect-race[word]
  turn(arrived, sum);
}

__device__ void fill(int *full, int *empty, int *ring, const int *in, int n, int room, int times) {
  for (int i = 0; i < n; i++) {
    while (atomicAdd(empty, 0) < i - room + 1) {
    }
    __threadfence();
    if (blockIdx.x == 0) ring[i % 4] = in[i]; // expect-race[ring]
    __threadfence();
    atomicAdd(full, 1);
    if (times > 1) atomicAdd(full, 1);
  }
}

__device__ void empty_it(int *full, int *empty, const int *ring, int *out, int n) {
  for (int i = 0; i < n; i++) {
    while (atomicAdd(full, 0) <= i) {
    }
    __threadfence();
    out[i] = ring[i % 4]; // expect-race[ring]
    __threadfence();
    atomicAdd(empty, 1);
  }
}

__global__ void ring_ok(int *full, int *empty, int *ring, const int *in, int *out, int n) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) fill(full, empty, ring, in, n, 4, 1);
  if (blockIdx.x == 1) empty_it(full, empty, ring, out, n);
}

__global__ void ring_bad(int *full, int *empty, int *ring, const int *in, int *out, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) fill(full, empty, ring, in, n, 5, 1);
  if (blockIdx.x == 1) empty_it(full, empty, ring, out, n);
}

__global__ void ring_twice_bad(int *full, int *empty, int *ring, const int *in, int *out, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) fill(full, empty, ring, in, n, 4, 2);
  if (blockIdx.x == 1) empty_it(full, empty, ring, out, n);
}

__global__ void ring_other_bad(int *full, int *empty, int *ring, const int *in, int *out, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x != 1) fill(full, empty, ring, in, n, 4, 1);
  if (blockIdx.x == 1) empty_it(full, empty, ring, out, n);
}

__device__ void rounds(int *counts, int *a, int *out, int n, int shared_by) {
  for (int k = 0; k < n; k++) {
    a[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x] = k; // expect-race[sides]
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(&counts[blockIdx.x / shared_by], 1);
      while (blockIdx.x > 0 && atomicAdd(&counts[(blockIdx.x - 1) / shared_by], 0) < k + 1) {
      }
      __threadfence();
    }
    __syncthreads();
    if (blockIdx.x > 0)
      out[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x] = a[(k * gridDim.x + blockIdx.x - 1) * 64 + (threadIdx.x ^ 1)]; // expect-race[sides]
  }
}

__global__ void sides_ok(int *counts, int *a, int *out, int n) { // expect-clean
  rounds(counts, a, out, n, 1);
}

__global__ void sides_bad(int *counts, int *a, int *out, int n) {
  rounds(counts, a, out, n, 2);
}
