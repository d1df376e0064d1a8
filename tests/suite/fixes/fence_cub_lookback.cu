// Fence and scope. NVIDIA/cub, commit 64546dca: in a scan of one pass each tile waits for the status of the tile before it and then
// reads that tile's prefix; nothing kept the second read behind the first.
// The prefix is written before a fence and the status, but read without a fence behind the status [prefix]. Fixed: __threadfence()
// behind the wait. A tile reads what the tile before it has written, and waits for that tile's status, which is volatile.
//@ pairs: exact
//@ verdict scan: racy
//@ verdict scan_fixed: race-free
#include <cstdlib>

__global__ void scan(const int *in, int *out, int n, volatile int *status, int *prefix) {
  __shared__ int sums[128], before;
  int i = blockIdx.x * 128 + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int v = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
    __syncthreads();
    sums[threadIdx.x] += v;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    before = 0;
    if (blockIdx.x > 0) {
      while (status[blockIdx.x - 1] == 0)
        ;
      before = prefix[blockIdx.x - 1]; // expect-race[prefix](inter-block) {{cause=missing-acquire-fence}}
    }
    prefix[blockIdx.x] = before + sums[127]; // expect-race[prefix](inter-block) {{cause=missing-acquire-fence}}
    __threadfence();
    status[blockIdx.x] = 1;
  }
  __syncthreads();
  if (i < n)
    out[i] = before + sums[threadIdx.x];
}

__global__ void scan_fixed(const int *in, int *out, int n, volatile int *status, int *prefix) { // expect-clean
  __shared__ int sums[128], before;
  int i = blockIdx.x * 128 + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int v = threadIdx.x >= d ? sums[threadIdx.x - d] : 0;
    __syncthreads();
    sums[threadIdx.x] += v;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    before = 0;
    if (blockIdx.x > 0) {
      while (status[blockIdx.x - 1] == 0)
        ;
      __threadfence();
      before = prefix[blockIdx.x - 1];
    }
    prefix[blockIdx.x] = before + sums[127];
    __threadfence();
    status[blockIdx.x] = 1;
  }
  __syncthreads();
  if (i < n)
    out[i] = before + sums[threadIdx.x];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), tiles = (n + 127) / 128, *in, *out, *status, *prefix;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&status, tiles * sizeof(int));
  cudaMalloc(&prefix, tiles * sizeof(int));
  cudaMemset(status, 0, tiles * sizeof(int));
  scan<<<tiles, 128>>>(in, out, n, status, prefix);
  cudaMemset(status, 0, tiles * sizeof(int));
  scan_fixed<<<tiles, 128>>>(in, out, n, status, prefix);
}
