// Fence and scope. NVIDIA/cub #356: the barrier of the whole grid polls its flags by loads with a cache operator (ld.cg), which are a
// hint for speed and ordinary loads otherwise.
// Block 0 waits for each block's flag and then takes them back; the others wait for that. Polling meets the other side's store
// [arrive][leave]. As ordinary reads tell of nothing, what the blocks did before the barrier is not ordered before what they do behind
// it [row]. Fixed as proposed: the reads are volatile, with a fence behind them. All blocks of the launch are resident.
//@ pairs: exact
//@ verdict steps: racy
//@ verdict steps_fixed: race-free
//@ known-false-alarm steps_fixed: flags that a loop polls one after another, and another loop takes back
#include <cstdlib>

__global__ void steps(const float *in, float *middle, float *out, unsigned *flags) {
  int t = threadIdx.x, i = blockIdx.x * 128 + t, next = (blockIdx.x + 1) % gridDim.x * 128 + t;
  middle[i] = in[i] * in[i]; // expect-race[row](inter-block)
  __threadfence();
  __syncthreads();
  if (blockIdx.x == 0) {
    for (int b = t + 1; b < gridDim.x; b += 128)
      while (__ldcg(&flags[b]) == 0) // expect-race[arrive](inter-block)
        ;
    __syncthreads();
    for (int b = t + 1; b < gridDim.x; b += 128)
      flags[b] = 0; // expect-race[leave](inter-block) expect-race[both](inter-block)
  } else {
    if (t == 0) {
      flags[blockIdx.x] = 1; // expect-race[arrive](inter-block) expect-race[both](inter-block)
      while (__ldcg(&flags[blockIdx.x]) == 1) // expect-race[leave](inter-block)
        ;
    }
    __syncthreads();
  }
  out[i] = middle[next]; // expect-race[row](inter-block)
}

__global__ void steps_fixed(const float *in, float *middle, float *out, unsigned *flags) { // expect-clean
  int t = threadIdx.x, i = blockIdx.x * 128 + t, next = (blockIdx.x + 1) % gridDim.x * 128 + t;
  middle[i] = in[i] * in[i];
  __threadfence();
  __syncthreads();
  volatile unsigned *polled = flags;
  if (blockIdx.x == 0) {
    for (int b = t + 1; b < gridDim.x; b += 128)
      while (polled[b] == 0)
        ;
    __threadfence();
    __syncthreads();
    for (int b = t + 1; b < gridDim.x; b += 128)
      polled[b] = 0;
  } else {
    if (t == 0) {
      polled[blockIdx.x] = 1;
      while (polled[blockIdx.x] == 1)
        ;
      __threadfence();
    }
    __syncthreads();
  }
  out[i] = middle[next];
}

int main() {
  int blocks = 64;
  float *in, *middle, *out;
  unsigned *flags;
  cudaMalloc(&in, blocks * 128 * sizeof(float));
  cudaMalloc(&middle, blocks * 128 * sizeof(float));
  cudaMalloc(&out, blocks * 128 * sizeof(float));
  cudaMalloc(&flags, blocks * sizeof(unsigned));
  cudaMemset(flags, 0, blocks * sizeof(unsigned));
  void *args[] = {&in, &middle, &out, &flags};
  cudaLaunchCooperativeKernel((void *)steps, dim3(blocks), dim3(128), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)steps_fixed, dim3(blocks), dim3(128), args, 0, 0);
}
