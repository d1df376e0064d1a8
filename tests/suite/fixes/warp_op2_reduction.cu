// Warp barrier. OP-DSL/OP2-Common #185: the reduction that the generated loops end with leaves the block barrier out for the last 32
// values, and had none of the warp instead.
// Lane t reads the place of lane t + d, which that lane has written in the step before [step]. What is there before the loop came before
// a block barrier. Fixed: __syncwarp() at the end of each step.
//@ pairs: exact
//@ verdict op_sum: racy
//@ verdict op_sum_fixed: race-free
#include <cstdlib>

__global__ void op_sum(const double *dat, double *result, int size) {
  extern __shared__ double temp[];
  int tid = threadIdx.x, d = blockDim.x >> 1;
  double t = 0;
  for (int n = blockIdx.x * blockDim.x + tid; n < size; n += gridDim.x * blockDim.x)
    t += dat[n];
  temp[tid] = t;
  __syncthreads();
  for (; d > 16; d >>= 1) {
    if (tid < d)
      temp[tid] = t = t + temp[tid + d];
    __syncthreads();
  }
  if (tid < 32)
    for (; d > 0; d >>= 1)
      if (tid < d)
        temp[tid] = t = t + temp[tid + d]; // expect-race[step](intra-warp)
  if (tid == 0)
    result[blockIdx.x] += t;
}

__global__ void op_sum_fixed(const double *dat, double *result, int size) { // expect-clean
  extern __shared__ double temp[];
  int tid = threadIdx.x, d = blockDim.x >> 1;
  double t = 0;
  for (int n = blockIdx.x * blockDim.x + tid; n < size; n += gridDim.x * blockDim.x)
    t += dat[n];
  temp[tid] = t;
  __syncthreads();
  for (; d > 16; d >>= 1) {
    if (tid < d)
      temp[tid] = t = t + temp[tid + d];
    __syncthreads();
  }
  if (tid < 32)
    for (; d > 0; d >>= 1) {
      if (tid < d)
        temp[tid] = t = t + temp[tid + d];
      __syncwarp();
    }
  if (tid == 0)
    result[blockIdx.x] += t;
}

int main(int argc, char **argv) {
  int size = atoi(argv[1]), threads = 128, blocks = 200;
  double *dat, *result;
  cudaMalloc(&dat, size * sizeof(double));
  cudaMalloc(&result, blocks * sizeof(double));
  cudaMemset(result, 0, blocks * sizeof(double));
  op_sum<<<blocks, threads, threads * sizeof(double)>>>(dat, result, size);
  op_sum_fixed<<<blocks, threads, threads * sizeof(double)>>>(dat, result, size);
}
