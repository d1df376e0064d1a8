// Block barrier. glotzerlab/hoomd-blue, commit c095f565e: one piece of dynamic shared memory holds the friction of each type first and
// the sum of the energies afterwards; a thread put its energy there while others still looked up their friction.
// The friction of a type is read by any thread whose particle is of that type; its place is overwritten by the thread of that number
// [reuse]. Fixed: a barrier between the last look and the first energy.
//@ pairs: exact
//@ verdict brownian_step: racy
//@ verdict brownian_step_fixed: race-free
#include <cstdlib>

__global__ void brownian_step(const float4 *velocity, float *out, int n, const float *gamma, int types, float *energy) {
  extern __shared__ float shared[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < types)
    shared[threadIdx.x] = gamma[threadIdx.x];
  __syncthreads();
  float moved = 0;
  if (i < n) {
    float4 v = velocity[i];
    moved = -shared[(unsigned)v.w % types] * (v.x * v.x + v.y * v.y + v.z * v.z); // expect-race[reuse](intra-block,intra-warp)
    out[i] = moved;
  }
  shared[threadIdx.x] = moved; // expect-race[reuse](intra-block,intra-warp)
  __syncthreads();
  for (int half = blockDim.x >> 1; half > 0; half >>= 1) {
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    energy[blockIdx.x] = shared[0];
}

__global__ void brownian_step_fixed(const float4 *velocity, float *out, int n, const float *gamma, int types, float *energy) { // expect-clean
  extern __shared__ float shared[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < types)
    shared[threadIdx.x] = gamma[threadIdx.x];
  __syncthreads();
  float moved = 0;
  if (i < n) {
    float4 v = velocity[i];
    moved = -shared[(unsigned)v.w % types] * (v.x * v.x + v.y * v.y + v.z * v.z);
    out[i] = moved;
  }
  __syncthreads();
  shared[threadIdx.x] = moved;
  __syncthreads();
  for (int half = blockDim.x >> 1; half > 0; half >>= 1) {
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    energy[blockIdx.x] = shared[0];
}

int main(int argc, char **argv) {
  const int block = 256;
  int n = atoi(argv[1]), types = atoi(argv[2]);
  if (types < 1 || types > block)
    return 1;
  float4 *velocity;
  float *out, *gamma, *energy;
  cudaMalloc(&velocity, n * sizeof(float4));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&gamma, types * sizeof(float));
  cudaMalloc(&energy, (n / block + 1) * sizeof(float));
  brownian_step<<<n / block + 1, block, block * sizeof(float)>>>(velocity, out, n, gamma, types, energy);
  brownian_step_fixed<<<n / block + 1, block, block * sizeof(float)>>>(velocity, out, n, gamma, types, energy);
}
