// The paper gives no description of this program, only that it has two races. Ours has two on the two sides of a branch: an odd
// thread writes the element of the even one before it, and the two are lanes of one warp since blocks have 128 threads [pair];
// the last thread of a block writes the element of the next block that the first thread of that block writes as well [edge].
// Mended: an odd thread keeps to its own element, and the last thread of a block to one behind all the blocks' own.
//@ pairs: exact
//@ verdict conel: racy
//@ verdict conel_fixed: race-free
#include <cstdlib>

__global__ void conel(const float *in, float *out, float *edge) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 == 0)
    out[i] = in[i]; // expect-race[pair](intra-warp)
  else
    out[i - 1] = 2 * in[i]; // expect-race[pair](intra-warp)
  if (threadIdx.x == 0)
    edge[blockIdx.x] = in[i]; // expect-race[edge](inter-block)
  else if (threadIdx.x == blockDim.x - 1)
    edge[blockIdx.x + 1] = in[i] + 1; // expect-race[edge](inter-block)
}

__global__ void conel_fixed(const float *in, float *out, float *edge) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 == 0)
    out[i] = in[i];
  else
    out[i] = 2 * in[i];
  if (threadIdx.x == 0)
    edge[blockIdx.x] = in[i];
  else if (threadIdx.x == blockDim.x - 1)
    edge[blockIdx.x + gridDim.x] = in[i] + 1;
}

int main(int argc, char **argv) {
  int blocks = argc > 1 ? atoi(argv[1]) : 10;
  float *in, *out, *edge;
  cudaMalloc((void **)&in, blocks * 128 * sizeof(float));
  cudaMalloc((void **)&out, blocks * 128 * sizeof(float));
  cudaMalloc((void **)&edge, 2 * blocks * sizeof(float));
  conel<<<blocks, 128>>>(in, out, edge);
  conel_fixed<<<blocks, 128>>>(in, out, edge);
  return 0;
}
