// Ranks and totals from cub's collectives: the exclusive sum of flags differs between those whose flag is set, whichever
// algorithm makes it, since sums of integers do not depend on the order.
//   compact: who has its flag set writes to its rank; by another condition than the one that was summed (compact_bad), two of a
//     rank are one place.
//   amount: each thread has a range of its own in the list, as long as what it put in; one more (amount_bad) is its neighbour's.
//   start: the sum from 32 on leaves the first 32 places to the block's first warp; from 31 on (start_bad) it does not.
//   inclusive: the sum with the thread's own flag is its rank plus one.
//   items: four flags for each thread.
//@ verdict compact_ok: race-free
//@ verdict compact_bad: racy
//@ verdict amount_ok: race-free
//@ verdict amount_bad: racy
//@ verdict start_ok: race-free
//@ verdict start_bad: racy
//@ verdict inclusive_ok: race-free
//@ verdict inclusive_bad: racy
//@ verdict items_ok: race-free
//@ known-false-alarm items_ok: numbers that a thread keeps in an array of its own are not followed into the sum
//@ verdict items_bad: racy
#include <cub/block/block_scan.cuh>
#include <cuda_runtime.h>
typedef cub::BlockScan<int, 256> Scan;

template <bool OTHER> __device__ void compact(const float *x, float *out) {
  __shared__ typename Scan::TempStorage temp;
  __shared__ float kept[256];
  float v = x[blockIdx.x * 256 + threadIdx.x];
  int flag = v > 0, rank, total;
  Scan(temp).ExclusiveSum(flag, rank, total);
  if (OTHER ? v >= 0 : flag) kept[rank] = v; // expect-race[compact]
  __syncthreads();
  if (threadIdx.x < total) out[blockIdx.x * 256 + threadIdx.x] = kept[threadIdx.x];
}
__global__ void compact_ok(const float *x, float *out) { compact<false>(x, out); } // expect-clean
__global__ void compact_bad(const float *x, float *out) { compact<true>(x, out); }

template <int MORE> __device__ void amount(const int *x, int *out) {
  __shared__ typename Scan::TempStorage temp;
  int n = x[threadIdx.x] & 3, first;
  Scan(temp).ExclusiveSum(n, first);
  for (int i = 0; i < n + MORE; i++)
    out[first + i] = threadIdx.x; // expect-race[amount]
}
__global__ void amount_ok(const int *x, int *out) { amount<0>(x, out); } // expect-clean
__global__ void amount_bad(const int *x, int *out) { amount<1>(x, out); }

template <int START> __device__ void start(const int *x, int *out) {
  __shared__ typename Scan::TempStorage temp;
  int flag = x[threadIdx.x] > 0, rank;
  Scan(temp).ExclusiveScan(flag, rank, START, cub::Sum());
  if (threadIdx.x < 32) out[threadIdx.x] = -1; // expect-race[start]
  if (flag) out[rank] = threadIdx.x;           // expect-race[start]
}
__global__ void start_ok(const int *x, int *out) { start<32>(x, out); } // expect-clean
__global__ void start_bad(const int *x, int *out) { start<31>(x, out); }

template <bool ALL> __device__ void inclusive(const int *x, int *out) {
  __shared__ typename Scan::TempStorage temp;
  int flag = x[threadIdx.x] > 0, sum;
  Scan(temp).InclusiveSum(flag, sum);
  if (ALL || flag) out[sum] = threadIdx.x; // expect-race[inclusive]
}
__global__ void inclusive_ok(const int *x, int *out) { inclusive<false>(x, out); } // expect-clean
__global__ void inclusive_bad(const int *x, int *out) { inclusive<true>(x, out); }

template <bool ALL> __device__ void items(const int *x, int *out) {
  __shared__ typename Scan::TempStorage temp;
  int flags[4], ranks[4];
  for (int i = 0; i < 4; i++)
    flags[i] = x[threadIdx.x * 4 + i] > 0;
  Scan(temp).ExclusiveSum(flags, ranks);
  for (int i = 0; i < 4; i++)
    if (ALL || flags[i]) out[ranks[i]] = threadIdx.x; // expect-race[items]
}
__global__ void items_ok(const int *x, int *out) { items<false>(x, out); } // expect-clean
__global__ void items_bad(const int *x, int *out) { items<true>(x, out); }

int main() {
  float *a, *b;
  int *x, *y;
  cudaMalloc(&a, 65536);
  cudaMalloc(&b, 65536);
  cudaMalloc(&x, 65536);
  cudaMalloc(&y, 65536);
  compact_ok<<<64, 256>>>(a, b);
  compact_bad<<<64, 256>>>(a, b);
  amount_ok<<<1, 256>>>(x, y);
  amount_bad<<<1, 256>>>(x, y);
  start_ok<<<1, 256>>>(x, y);
  start_bad<<<1, 256>>>(x, y);
  inclusive_ok<<<1, 256>>>(x, y);
  inclusive_bad<<<1, 256>>>(x, y);
  items_ok<<<1, 256>>>(x, y);
  items_bad<<<1, 256>>>(x, y);
}
