// Asynchronous copy. NVIDIA/cutlass #1326: a main loop with stages fetches ahead by asynchronous copies, the last of them for tiles that
// nobody computes on; the epilogue then puts the result into the same memory while copies may still arrive and other warps still
// compute.
// The result meets the copies of other threads [copy], and the thread's own copy when it is read [late], and the operands of the last
// tile that others still read [operand]. Thread t copies to place t and writes place 127 - t, which is another warp's. Fixed: all copies
// are waited for, and a barrier, behind the loop. Within the loop each stage is waited for and published by a barrier, and is filled
// again behind the next one.
//@ pairs: exact
//@ verdict gemm: racy
//@ verdict gemm_fixed: race-free
#include <cuda_pipeline.h>
#include <cstdlib>

__global__ void gemm(const float *a, const float *b, float *c, int tiles) {
  __shared__ float stage[2][128];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&stage[0][t], &a[t], sizeof(float));
  __pipeline_commit();
  for (int k = 0; k < tiles; k++) {
    __pipeline_wait_prior(0);
    __syncthreads();
    __pipeline_memcpy_async(&stage[(k + 1) % 2][t], &a[min(k + 1, tiles - 1) * 128 + t], sizeof(float)); // expect-race[copy](intra-block) expect-race[late](intra-warp)
    __pipeline_commit();
    for (int i = 0; i < 128; i++)
      sum += stage[k % 2][i] * b[(k * 128 + i) * 128 + t]; // expect-race[operand](intra-block,intra-warp)
  }
  float *result = &stage[0][0];
  result[127 - t] = sum; // expect-race[copy](intra-block) expect-race[operand](intra-block,intra-warp)
  __syncthreads();
  c[t] = result[t]; // expect-race[late](intra-warp)
}

__global__ void gemm_fixed(const float *a, const float *b, float *c, int tiles) { // expect-clean
  __shared__ float stage[2][128];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&stage[0][t], &a[t], sizeof(float));
  __pipeline_commit();
  for (int k = 0; k < tiles; k++) {
    __pipeline_wait_prior(0);
    __syncthreads();
    __pipeline_memcpy_async(&stage[(k + 1) % 2][t], &a[min(k + 1, tiles - 1) * 128 + t], sizeof(float));
    __pipeline_commit();
    for (int i = 0; i < 128; i++)
      sum += stage[k % 2][i] * b[(k * 128 + i) * 128 + t];
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  float *result = &stage[0][0];
  result[127 - t] = sum;
  __syncthreads();
  c[t] = result[t];
}

int main(int argc, char **argv) {
  int tiles = atoi(argv[1]);
  if (tiles < 1)
    return 1;
  float *a, *b, *c;
  cudaMalloc(&a, tiles * 128 * sizeof(float));
  cudaMalloc(&b, tiles * 128 * 128 * sizeof(float));
  cudaMalloc(&c, 128 * sizeof(float));
  gemm<<<1, 128>>>(a, b, c, tiles);
  gemm_fixed<<<1, 128>>>(a, b, c, tiles);
}
