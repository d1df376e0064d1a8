// A step of radix sort by four bits. count: each block counts its keys by digit in shared memory; digit d of block b goes to place
// d * blocks + b, which no other has. Without the barrier (bad) a count is read while other threads still add to it [count].
// scatter: a thread draws its place from the counter of its digit, which starts where the sums of prefixes over all counts say. That
// no two digits and no two blocks have a place in common hangs on how `first` is made (by a scan of `counts`), which is not followed:
// no race is told for numbers that only the device could put there. With a plain increment (bad) threads of a block read and write one
// counter [rw], [ww], and so may have the same place [place]; blocks stay within their ranges. Starts that the host reads from
// somewhere (given_bad) may be any numbers [given].
// split: one bit of a block's keys; those with a 0 go to their rank among themselves, the others behind them, by a sum of prefixes.
// Not behind them (bad), a 0 and a 1 meet [meet].
//@ pairs: exact
//@ verdict split_ok: race-free
//@ verdict split_bad: racy
//@ verdict count_ok: race-free
//@ verdict count_bad: racy
//@ verdict scatter_ok: race-free
//@ verdict scatter_bad: racy
//@ verdict given_bad: racy
//@ known-undecided scatter_ok: that the ranges from the starts in `first` do not overlap is not known
//@ known-false-alarm scatter_bad: for the same reason it is reported between blocks as well
#include <cstdio>
#include <cstdlib>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

__global__ void count_ok(const unsigned *keys, int *counts, int n, int shift) { // expect-clean
  __shared__ int digits[16];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 16)
    digits[t] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&digits[keys[i] >> shift & 15], 1);
  __syncthreads();
  if (t < 16)
    counts[t * gridDim.x + blockIdx.x] = digits[t];
}

__global__ void count_bad(const unsigned *keys, int *counts, int n, int shift) {
  __shared__ int digits[16];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 16)
    digits[t] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&digits[keys[i] >> shift & 15], 1); // expect-race[count](intra-block,intra-warp)
  if (t < 16)
    counts[t * gridDim.x + blockIdx.x] = digits[t]; // expect-race[count](intra-block,intra-warp)
}

__global__ void scatter_ok(const unsigned *keys, unsigned *out, const int *first, int n, int shift) { // expect-clean
  __shared__ int next[16];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 16)
    next[t] = first[t * gridDim.x + blockIdx.x];
  __syncthreads();
  if (i < n) {
    unsigned key = keys[i];
    int at = atomicAdd(&next[key >> shift & 15], 1);
    out[at] = key;
  }
}

__global__ void scatter_bad(const unsigned *keys, unsigned *out, const int *first, int n, int shift) {
  __shared__ int next[16];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 16)
    next[t] = first[t * gridDim.x + blockIdx.x];
  __syncthreads();
  if (i < n) {
    unsigned key = keys[i];
    int at = next[key >> shift & 15]++; // expect-race[rw](intra-block,intra-warp) expect-race[ww](intra-block,intra-warp)
    out[at] = key; // expect-race[place](intra-block,intra-warp)
  }
}

__global__ void given_bad(const unsigned *keys, unsigned *out, const int *first, int n, int shift) {
  __shared__ int next[16];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 16)
    next[t] = first[t * gridDim.x + blockIdx.x];
  __syncthreads();
  if (i < n) {
    unsigned key = keys[i];
    int at = atomicAdd(&next[key >> shift & 15], 1);
    out[at] = key; // expect-race[given](inter-block,intra-block,intra-warp)
  }
}

__global__ void split_ok(unsigned *keys, int shift) { // expect-clean
  __shared__ int zeros[256];
  int t = threadIdx.x;
  unsigned key = keys[blockIdx.x * 256 + t];
  int is_zero = (key >> shift & 1) == 0;
  zeros[t] = is_zero;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int before = t >= d ? zeros[t - d] : 0;
    __syncthreads();
    zeros[t] += before;
    __syncthreads();
  }
  int at = is_zero ? zeros[t] - 1 : zeros[255] + t - zeros[t];
  keys[blockIdx.x * 256 + at] = key;
}

__global__ void split_bad(unsigned *keys, int shift) {
  __shared__ int zeros[256];
  int t = threadIdx.x;
  unsigned key = keys[blockIdx.x * 256 + t];
  int is_zero = (key >> shift & 1) == 0;
  zeros[t] = is_zero;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int before = t >= d ? zeros[t - d] : 0;
    __syncthreads();
    zeros[t] += before;
    __syncthreads();
  }
  int at = is_zero ? zeros[t] - 1 : t - zeros[t];
  keys[blockIdx.x * 256 + at] = key; // expect-race[meet](intra-block,intra-warp)
}

int main(int argc, char **) {
  int n = argc * 1000, blocks = (n + 255) / 256;
  unsigned *keys, *out;
  int *counts, *first;
  cudaMalloc((void **)&keys, n * sizeof(unsigned));
  cudaMalloc((void **)&out, n * sizeof(unsigned));
  cudaMalloc((void **)&counts, 16 * blocks * sizeof(int));
  cudaMalloc((void **)&first, 16 * blocks * sizeof(int));
  int *given, *from = (int *)malloc(16 * blocks * sizeof(int));
  cudaMalloc((void **)&given, 16 * blocks * sizeof(int));
  fread(from, sizeof(int), 16 * blocks, stdin);
  cudaMemcpy(given, from, 16 * blocks * sizeof(int), cudaMemcpyHostToDevice);
  for (int shift = 0; shift < 32; shift += 4) {
    count_ok<<<blocks, 256>>>(keys, counts, n, shift);
    count_bad<<<blocks, 256>>>(keys, counts, n, shift);
    thrust::exclusive_scan(thrust::device, counts, counts + 16 * blocks, first);
    scatter_ok<<<blocks, 256>>>(keys, out, first, n, shift);
    scatter_bad<<<blocks, 256>>>(keys, out, first, n, shift);
    given_bad<<<blocks, 256>>>(keys, out, given, n, shift);
    split_ok<<<n / 256, 256>>>(keys, shift);
    split_bad<<<n / 256, 256>>>(keys, shift);
  }
  return 0;
}
