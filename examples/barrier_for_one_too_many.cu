// Half of a block fills a buffer in shared memory and the other half reads it, both arrive at a barrier object. It is set
// up for a whole block and one thread more, which never comes: everybody waits for ever.
//@ verdict hand_over: undecided
#include <cuda/barrier>

__global__ void hand_over(const int *in, int *out) {
  __shared__ int buffer[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> filled;
  if (threadIdx.x == 0)
    init(&filled, blockDim.x + 1);
  // expect-misuse@-1 {{endless-wait}}
  __syncthreads();
  if (threadIdx.x < 64)
    buffer[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  filled.arrive_and_wait();
  if (threadIdx.x >= 64)
    out[blockIdx.x * 64 + threadIdx.x - 64] = buffer[127 - threadIdx.x];
}

int main() {
  const int blocks = 8;
  int *d_in, *d_out;
  cudaMalloc((void **)&d_in, blocks * 64 * sizeof(int));
  cudaMalloc((void **)&d_out, blocks * 64 * sizeof(int));
  cudaMemset(d_in, 0, blocks * 64 * sizeof(int));
  hand_over<<<blocks, 128>>>(d_in, d_out);
  cudaDeviceSynchronize();
  cudaFree(d_out);
  cudaFree(d_in);
  return 0;
}
