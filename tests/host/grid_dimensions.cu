// Class 2: the launch says how many blocks there are (reduction, randomAccess, expDistance).
#include <cstdlib>

__global__ void block_reduce(const float *in, float *partial, int n) {
  if (threadIdx.x == 0) partial[blockIdx.x] = in[blockIdx.x];
}
__global__ void reduce_final(const float *partial, float *res) {
  if (threadIdx.x == 0) res[0] = partial[0];
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
  const int threads = 256;
  int blocks = (n + threads - 1) / threads;
  float *d_in, *d_partial, *d_res;
  cudaMalloc(&d_in, n * sizeof(float));
  cudaMalloc(&d_partial, blocks * sizeof(float));
  cudaMalloc(&d_res, sizeof(float));
  block_reduce<<<blocks, threads, threads * sizeof(float)>>>(d_in, d_partial, n);
  reduce_final<<<1, threads>>>(d_partial, d_res);
  cudaFree(d_in);
  return 0;
}

//@ launch: block_reduce<<<
//@ has: block   (256, 1, 1)
//@ has: shared  1024 bytes
//@ has: object  d_partial: allocation of
//@ lacks: undecided:
//@ launch: reduce_final<<<1, 256>>>(d_partial, d_res)
//@ has: grid    (1, 1, 1)
//@ has: object  d_res: allocation of 4 bytes
