// Programs that synchronise the whole grid.
// reduce: each block adds up its part with a tile of a warp at the end, the grid synchronises, block 0 adds up the blocks'
// sums (ok); it does so behind a barrier of its own block only (bad).
// step: one step of conjugate gradients: p is multiplied, dot products are added up atomically, the grid synchronises before
// the sums are read and before the vectors are used again (ok); the vector that the others still read is changed without a
// barrier of the grid (bad); the sum is read without one (bad).
//@ verdict reduce_ok: race-free
//@ verdict reduce_bad: racy
//@ verdict step_ok: race-free
//@ verdict step_vector_bad: racy
// neighbour: a block of a cluster reads the shared memory of the next one (ok), behind a barrier of its own block (bad).
//@ verdict step_sum_bad: racy
//@ verdict neighbour_ok: race-free
//@ verdict neighbour_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void reduce_ok(const int *in, int *sums, int *out, int n) { // expect-clean
  __shared__ int s[128];
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int t = threadIdx.x, sum = 0;
  for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128)
    sum += in[i];
  s[t] = sum;
  block.sync();
  if (t < 32) {
    sum = s[t] + s[t + 32] + s[t + 64] + s[t + 96];
    for (int d = 16; d > 0; d /= 2)
      sum += tile.shfl_down(sum, d);
    if (t == 0)
      sums[blockIdx.x] = sum;
  }
  grid.sync();
  if (blockIdx.x == 0 && t == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; b++)
      all += sums[b];
    out[0] = all;
  }
}

__global__ void reduce_bad(const int *in, int *sums, int *out, int n) {
  __shared__ int s[128];
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int t = threadIdx.x, sum = 0;
  for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128)
    sum += in[i];
  s[t] = sum;
  block.sync();
  if (t < 32) {
    sum = s[t] + s[t + 32] + s[t + 64] + s[t + 96];
    for (int d = 16; d > 0; d /= 2)
      sum += tile.shfl_down(sum, d);
    if (t == 0)
      sums[blockIdx.x] = sum; // expect-race {{-Winter-block-race}}
  }
  block.sync();
  if (blockIdx.x == 0 && t == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; b++)
      all += sums[b]; // expect-race
    out[0] = all;
  }
  grid.sync();
}

__global__ void step_ok(const float *a, float *x, float *p, float *q, float *dot) { // expect-clean
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128;
  q[i] = a[i] * p[n - 1 - i];
  atomicAdd(dot, p[i] * q[i]);
  grid.sync();
  float alpha = dot[0];
  x[i] += alpha * p[i];
  p[i] = x[i] - q[i];
  grid.sync();
  q[i] = p[n - 1 - i];
}

__global__ void step_vector_bad(const float *a, float *x, float *p, float *q, float *dot) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128;
  q[i] = a[i] * p[n - 1 - i];
  atomicAdd(dot, p[i] * q[i]);
  grid.sync();
  float alpha = dot[0];
  x[i] += alpha * p[i];
  p[i] = x[i] - q[i]; // expect-race {{-Winter-block-race}}
  q[i] = p[n - 1 - i]; // expect-race
}

__global__ void step_sum_bad(const float *a, float *x, float *p, float *q, float *dot) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128;
  q[i] = a[i] * p[n - 1 - i];
  atomicAdd(dot, p[i] * q[i]); // expect-race {{cause=atomic-vs-plain}}
  float alpha = dot[0];        // expect-race
  grid.sync();
  x[i] += alpha * p[i];
  p[i] = x[i] - q[i];
  grid.sync();
  q[i] = p[n - 1 - i];
}

template <bool of_cluster> __device__ void neighbour(int *out) {
  __shared__ int s[128];
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  s[threadIdx.x] = threadIdx.x; // expect-race(inter-block)
  if (of_cluster)
    cluster.sync();
  else
    __syncthreads();
  int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = other[127 - threadIdx.x]; // expect-race(inter-block)
  cluster.sync();
}
__cluster_dims__(2, 1, 1) __global__ void neighbour_ok(int *out) { neighbour<true>(out); } // expect-clean
__cluster_dims__(2, 1, 1) __global__ void neighbour_bad(int *out) { neighbour<false>(out); }

int main() {
  int *in, *sums, *out, n = 1 << 20;
  float *a, *x, *p, *q, *dot;
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&sums, 32 * sizeof(int));
  cudaMalloc((void **)&out, sizeof(int));
  cudaMalloc((void **)&a, 4096 * sizeof(float));
  cudaMalloc((void **)&x, 4096 * sizeof(float));
  cudaMalloc((void **)&p, 4096 * sizeof(float));
  cudaMalloc((void **)&q, 4096 * sizeof(float));
  cudaMalloc((void **)&dot, sizeof(float));
  void *reduce[] = {&in, &sums, &out, &n}, *step[] = {&a, &x, &p, &q, &dot};
  cudaLaunchCooperativeKernel((void *)reduce_ok, dim3(32), dim3(128), reduce);
  cudaLaunchCooperativeKernel((void *)reduce_bad, dim3(32), dim3(128), reduce);
  cudaLaunchCooperativeKernel((void *)step_ok, dim3(32), dim3(128), step);
  cudaLaunchCooperativeKernel((void *)step_vector_bad, dim3(32), dim3(128), step);
  cudaLaunchCooperativeKernel((void *)step_sum_bad, dim3(32), dim3(128), step);
  neighbour_ok<<<4, 128>>>(out);
  neighbour_bad<<<4, 128>>>(out);
  return 0;
}
