// Block barrier. glotzerlab/hoomd-blue, commit c59e60154: the parameters of an external field are read to shared memory by the threads
// of the block together, and each goes on to use them without waiting for the others.
// Every thread reads all words of the field, each of which one thread has written [field]. Fixed: a barrier behind the copy, before
// threads without a particle leave.
//@ pairs: exact
//@ verdict external_force: racy
//@ verdict external_force_fixed: race-free
#include <cstdio>
#include <cstdlib>

struct Field {
  float amplitude[64];
};

__global__ void external_force(const float4 *position, float *force, int n, const Field *field) {
  __shared__ Field shared;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int w = threadIdx.x; w < 64; w += blockDim.x)
    shared.amplitude[w] = field->amplitude[w]; // expect-race[field](intra-block,intra-warp)
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 64; k++)
    sum += shared.amplitude[k] * cosf(k * position[i].x); // expect-race[field](intra-block,intra-warp)
  force[i] = sum;
}

__global__ void external_force_fixed(const float4 *position, float *force, int n, const Field *field) { // expect-clean
  __shared__ Field shared;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int w = threadIdx.x; w < 64; w += blockDim.x)
    shared.amplitude[w] = field->amplitude[w];
  __syncthreads();
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 64; k++)
    sum += shared.amplitude[k] * cosf(k * position[i].x);
  force[i] = sum;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10000, threads = 192;
  float4 *position;
  float *force;
  Field *field;
  if (cudaMalloc(&position, n * sizeof(float4)) || cudaMalloc(&force, n * sizeof(float)) || cudaMalloc(&field, sizeof(Field))) {
    fprintf(stderr, "out of memory\n");
    return 1;
  }
  int blocks = n / threads + 1;
  external_force<<<blocks, threads>>>(position, force, n, field);
  external_force_fixed<<<blocks, threads>>>(position, force, n, field);
  cudaDeviceSynchronize();
}
