// What does the last block leave in its ticket, whose blocks have summed by a collective of a library? Where that keeps what is under way
// in its storage is not said; the launch before is run with some place. ok: the ticket is set back. bad: it is set to one, so that the last
// block but one of the next round takes itself for the last.
//@ verdict sum_ok: race-free
//@ leans sum_ok: A15 !A11
//@ verdict sum_bad: racy
#include <cub/block/block_reduce.cuh>

template <int SET> __device__ void sum(const int *in, int *parts, unsigned *ticket, int *total, int n) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ bool is_last;
  int part = 0;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) part += in[i];
  part = Reduce(storage).Sum(part);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part; // expect-race[bad]
    __threadfence();
    is_last = atomicAdd(ticket, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  part = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += 64) part += parts[b]; // expect-race[bad]
  part = Reduce(storage).Sum(part);
  if (threadIdx.x == 0) {
    *total = part;
    *ticket = SET;
  }
}
__global__ void sum_ok(const int *in, int *parts, unsigned *ticket, int *total, int n) { // expect-clean
  sum<0>(in, parts, ticket, total, n);
}
__global__ void sum_bad(const int *in, int *parts, unsigned *ticket, int *total, int n) {
  sum<1>(in, parts, ticket, total, n);
}

int main() {
  int *in, *parts, *total;
  unsigned *first, *second;
  cudaMalloc(&in, 1024 * sizeof(int));
  cudaMalloc(&parts, 8 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&first, sizeof(unsigned));
  cudaMalloc(&second, sizeof(unsigned));
  cudaMemset(first, 0, sizeof(unsigned));
  cudaMemset(second, 0, sizeof(unsigned));
  for (int round = 0; round < 3; round++) {
    sum_ok<<<4, 64>>>(in, parts, first, total, 1024);
    sum_bad<<<4, 64>>>(in, parts, second, total, 1024);
  }
}
