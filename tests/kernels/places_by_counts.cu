// A block sorts by counting: each thread counts its key, the counts are summed up, and keys go to places that start at the sums.
// Each `_bad` twin differs by one thing.
//   serial: one thread sums up into a second array, from which places are drawn; the twin counts some keys only.
//   other: places are drawn from the element that was counted in; the twin draws from its neighbour.
//   twice: one number is drawn for each that was counted; the twin's takes two.
//   ranked: all threads sum up, and a key's rank is what its count returned; the twin halves the rank.
//   started: all threads sum up, and put the sums before each count into the array that places are drawn from; the twin puts
//   the sums with each count less one there.
//   late: the sums are taken once all have counted; the twin has no barrier before them.
//   before: kernels before count and sum up, by all threads; the twin's counts some keys only.
//@ verdict before_ok: race-free
//@ verdict count_keys: race-free
//@ verdict sum_counts: race-free
//@ known-undecided before_ok: what it draws from starts at sums that a block of a kernel before made in shared memory
//@ verdict before_bad: racy
//@ verdict serial_ok: race-free
//@ verdict serial_bad: racy
//@ verdict other_ok: race-free
//@ verdict other_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict ranked_ok: race-free
//@ verdict ranked_bad: racy
//@ verdict started_ok: race-free
//@ verdict started_bad: racy
//@ verdict late_ok: race-free
//@ verdict late_bad: racy
#include <cuda_runtime.h>

enum { KINDS = 16, SIZE = 256 };

__device__ int count_all(const int *in, int *count, bool is_counted) {
  if (threadIdx.x < KINDS) count[threadIdx.x] = 0;
  __syncthreads();
  int key = in[blockIdx.x * SIZE + threadIdx.x] & (KINDS - 1);
  if (is_counted || key > 3) atomicAdd(&count[key], 1); // expect-race[late]
  return key;
}
__device__ void sum_up(const int *count, int *start) {
  if (threadIdx.x == 0)
    for (int i = 0, sum = 0; i < KINDS; i++) {
      start[i] = sum;
      sum += count[i]; // expect-race[late]
    }
  __syncthreads();
}
__device__ void serial(const int *in, int *out, bool is_counted) {
  __shared__ int count[KINDS], start[KINDS];
  int key = count_all(in, count, is_counted);
  __syncthreads();
  sum_up(count, start);
  out[blockIdx.x * SIZE + atomicAdd(&start[key], 1)] = threadIdx.x; // expect-race
}
__global__ void serial_ok(const int *in, int *out) { serial(in, out, true); } // expect-clean
__global__ void serial_bad(const int *in, int *out) { serial(in, out, false); }

__device__ void other(const int *in, int *out, int apart) {
  __shared__ int count[KINDS], start[KINDS];
  int key = count_all(in, count, true);
  __syncthreads();
  sum_up(count, start);
  out[blockIdx.x * SIZE + atomicAdd(&start[key ^ apart], 1)] = threadIdx.x; // expect-race
}
__global__ void other_ok(const int *in, int *out) { other(in, out, 0); } // expect-clean
__global__ void other_bad(const int *in, int *out) { other(in, out, 1); }

__device__ void twice(const int *in, int *out, int amount) {
  __shared__ int count[KINDS], start[KINDS];
  int key = count_all(in, count, true);
  __syncthreads();
  sum_up(count, start);
  out[blockIdx.x * SIZE + atomicAdd(&start[key], amount)] = threadIdx.x; // expect-race
}
__global__ void twice_ok(const int *in, int *out) { twice(in, out, 1); } // expect-clean
__global__ void twice_bad(const int *in, int *out) { twice(in, out, 2); }

__device__ int sums_of_all(int *sum) {
  for (int d = 1; d < SIZE; d *= 2) {
    int before = threadIdx.x >= d ? sum[threadIdx.x - d] : 0;
    __syncthreads();
    sum[threadIdx.x] += before;
    __syncthreads();
  }
  return sum[threadIdx.x];
}
__device__ void ranked(const int *in, int *out, int divisor) {
  __shared__ int count[SIZE], sum[SIZE];
  count[threadIdx.x] = 0;
  __syncthreads();
  int key = in[blockIdx.x * SIZE + threadIdx.x] & (SIZE - 1);
  int rank = atomicAdd(&count[key], 1);
  __syncthreads();
  sum[threadIdx.x] = count[threadIdx.x];
  __syncthreads();
  sums_of_all(sum);
  out[blockIdx.x * SIZE + sum[key] - count[key] + rank / divisor] = threadIdx.x; // expect-race
}
__global__ void ranked_ok(const int *in, int *out) { ranked(in, out, 1); } // expect-clean
__global__ void ranked_bad(const int *in, int *out) { ranked(in, out, 2); }

__device__ void started(const int *in, int *out, int less) {
  __shared__ int count[SIZE], sum[SIZE], start[SIZE];
  count[threadIdx.x] = 0;
  __syncthreads();
  int key = in[blockIdx.x * SIZE + threadIdx.x] & (SIZE - 1);
  atomicAdd(&count[key], 1);
  __syncthreads();
  sum[threadIdx.x] = count[threadIdx.x];
  __syncthreads();
  int all = sums_of_all(sum);
  start[threadIdx.x] = less ? all - less : all - count[threadIdx.x];
  __syncthreads();
  int place = atomicAdd(&start[key], 1);
  if (place >= 0) out[blockIdx.x * SIZE + place] = threadIdx.x; // expect-race
}
__global__ void started_ok(const int *in, int *out) { started(in, out, 0); } // expect-clean
__global__ void started_bad(const int *in, int *out) { started(in, out, 1); }

__device__ void late(const int *in, int *out, bool waits) {
  __shared__ int count[KINDS], start[KINDS];
  int key = count_all(in, count, true);
  if (waits) __syncthreads();
  sum_up(count, start);
  out[blockIdx.x * SIZE + atomicAdd(&start[key], 1)] = threadIdx.x; // expect-race
}
__global__ void late_ok(const int *in, int *out) { late(in, out, true); } // expect-clean
__global__ void late_bad(const int *in, int *out) { late(in, out, false); }

__global__ void count_keys(const int *in, int *count, int least) { // expect-clean
  int key = in[blockIdx.x * SIZE + threadIdx.x] & (SIZE - 1);
  if (key >= least) atomicAdd(&count[key], 1);
}
__global__ void sum_counts(const int *count, int *start) { // expect-clean
  __shared__ int sum[SIZE];
  sum[threadIdx.x] = count[threadIdx.x];
  __syncthreads();
  start[threadIdx.x] = sums_of_all(sum) - count[threadIdx.x];
}
__device__ void before(const int *in, int *start, int *out) {
  int key = in[blockIdx.x * SIZE + threadIdx.x] & (SIZE - 1);
  out[atomicAdd(&start[key], 1)] = threadIdx.x; // expect-race
}
__global__ void before_ok(const int *in, int *start, int *out) { before(in, start, out); } // expect-clean
__global__ void before_bad(const int *in, int *start, int *out) { before(in, start, out); }

int *cleared() {
  int *there = nullptr;
  cudaMalloc(&there, SIZE * sizeof(int));
  cudaMemset(there, 0, SIZE * sizeof(int));
  return there;
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 16 * SIZE * sizeof(int));
  cudaMalloc(&out, 16 * SIZE * sizeof(int));
  serial_ok<<<16, SIZE>>>(in, out);
  serial_bad<<<16, SIZE>>>(in, out);
  other_ok<<<16, SIZE>>>(in, out);
  other_bad<<<16, SIZE>>>(in, out);
  twice_ok<<<16, SIZE>>>(in, out);
  twice_bad<<<16, SIZE>>>(in, out);
  ranked_ok<<<16, SIZE>>>(in, out);
  ranked_bad<<<16, SIZE>>>(in, out);
  started_ok<<<16, SIZE>>>(in, out);
  started_bad<<<16, SIZE>>>(in, out);
  late_ok<<<16, SIZE>>>(in, out);
  late_bad<<<16, SIZE>>>(in, out);
  int *count = cleared(), *start = cleared();
  count_keys<<<2, SIZE>>>(in, count, 0);
  sum_counts<<<1, SIZE>>>(count, start);
  before_ok<<<2, SIZE>>>(in, start, out);
  int *few = cleared(), *first = cleared();
  count_keys<<<2, SIZE>>>(in, few, 4);
  sum_counts<<<1, SIZE>>>(few, first);
  before_bad<<<2, SIZE>>>(in, first, out);
  return 0;
}
