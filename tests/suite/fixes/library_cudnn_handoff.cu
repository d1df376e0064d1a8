// Asynchronous copy and its barriers. NVIDIA/cudnn-frontend #426: all lanes of a warp put weights into shared memory, one of them
// arrives at the barrier object that the computing warps wait for; an arrival publishes what the thread itself has done, not its warp.
// The values that other lanes than the first have put there are read behind the wait [weights]. Fixed: every lane arrives, and so many
// are expected. The threads that compute are in other warps, and wait for the parity of the first phase.
//@ pairs: exact
//@ verdict indexer: racy
//@ verdict indexer_fixed: race-free
#include <cuda/ptx>
#include <cstdlib>
namespace ptx = cuda::ptx;

__global__ void indexer(const float *weights, const float *x, float *y) {
  __shared__ float shared[128];
  __shared__ uint64_t loaded;
  int t = threadIdx.x;
  if (t == 0)
    ptx::mbarrier_init(&loaded, 1);
  __syncthreads();
  if (t < 32) {
    for (int i = t; i < 128; i += 32)
      shared[i] = weights[i]; // expect-race[weights](intra-block)
    if (t == 0)
      ptx::mbarrier_arrive(&loaded);
  } else {
    while (!ptx::mbarrier_try_wait_parity(&loaded, 0))
      ;
    float sum = 0;
    for (int i = 0; i < 128; i++)
      sum += shared[i] * x[(blockIdx.x * 128 + t - 32) * 128 + i]; // expect-race[weights](intra-block)
    y[blockIdx.x * 128 + t - 32] = sum;
  }
}

__global__ void indexer_fixed(const float *weights, const float *x, float *y) { // expect-clean
  __shared__ float shared[128];
  __shared__ uint64_t loaded;
  int t = threadIdx.x;
  if (t == 0)
    ptx::mbarrier_init(&loaded, 32);
  __syncthreads();
  if (t < 32) {
    for (int i = t; i < 128; i += 32)
      shared[i] = weights[i];
    ptx::mbarrier_arrive(&loaded);
  } else {
    while (!ptx::mbarrier_try_wait_parity(&loaded, 0))
      ;
    float sum = 0;
    for (int i = 0; i < 128; i++)
      sum += shared[i] * x[(blockIdx.x * 128 + t - 32) * 128 + i];
    y[blockIdx.x * 128 + t - 32] = sum;
  }
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]);
  float *weights, *x, *y;
  cudaMalloc(&weights, 128 * sizeof(float));
  cudaMalloc(&x, blocks * 128 * 128 * sizeof(float));
  cudaMalloc(&y, blocks * 128 * sizeof(float));
  indexer<<<blocks, 160>>>(weights, x, y);
  indexer_fixed<<<blocks, 160>>>(weights, x, y);
}
