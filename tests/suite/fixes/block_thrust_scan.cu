// Block barrier. NVIDIA/thrust, commit 0470768e (issue 160): a scan that goes through its interval unit by unit wrote a unit's results
// out of shared memory and read the next unit into it without a barrier between.
// A thread adds and writes out K neighbouring elements but fetches every THREADS-th one, so that the place that it refills is one that
// another has still to add [sum] or to write out [unit]. Fixed: a barrier at the end of each unit.
//@ pairs: exact
//@ verdict scan_intervals: racy
//@ verdict scan_intervals_fixed: race-free
#include <cstdlib>

const int K = 4, THREADS = 128;

__global__ void scan_intervals(const int *in, int *out, int interval) {
  __shared__ int data[K * THREADS];
  int carry = 0, first = blockIdx.x * interval, last = first + interval;
  for (int base = first; base < last; base += K * THREADS) {
    for (int k = 0; k < K; k++)
      data[k * THREADS + threadIdx.x] = in[base + k * THREADS + threadIdx.x]; // expect-race[sum](intra-block,intra-warp) expect-race[unit](intra-block,intra-warp)
    __syncthreads();
    int sum = carry;
    for (int k = 0; k < K; k++)
      sum += data[threadIdx.x * K + k]; // expect-race[sum](intra-block,intra-warp)
    carry = sum;
    for (int k = 0; k < K; k++)
      out[base + threadIdx.x * K + k] = sum + data[threadIdx.x * K + k]; // expect-race[unit](intra-block,intra-warp)
  }
}

__global__ void scan_intervals_fixed(const int *in, int *out, int interval) { // expect-clean
  __shared__ int data[K * THREADS];
  int carry = 0, first = blockIdx.x * interval, last = first + interval;
  for (int base = first; base < last; base += K * THREADS) {
    for (int k = 0; k < K; k++)
      data[k * THREADS + threadIdx.x] = in[base + k * THREADS + threadIdx.x];
    __syncthreads();
    int sum = carry;
    for (int k = 0; k < K; k++)
      sum += data[threadIdx.x * K + k];
    carry = sum;
    for (int k = 0; k < K; k++)
      out[base + threadIdx.x * K + k] = sum + data[threadIdx.x * K + k];
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  int units = atoi(argv[1]), blocks = 60, interval = units * K * THREADS;
  if (units < 1)
    return 1;
  int *in, *out;
  cudaMalloc(&in, blocks * interval * sizeof(int));
  cudaMalloc(&out, blocks * interval * sizeof(int));
  scan_intervals<<<blocks, THREADS>>>(in, out, interval);
  scan_intervals_fixed<<<blocks, THREADS>>>(in, out, interval);
}
