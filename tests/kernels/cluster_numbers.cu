// Numbers of a block in its cluster. rank: each block of a cluster its own slot (ok); one slot for those of all clusters (bad), unless
// there is but one cluster (alone). index: the same along each axis (ok), the second one forgotten (bad). threads: numbered through the cluster and the
// clusters through the grid (ok); two clusters take one number (bad). registers: read in PTX (ok), without the rank (bad). given: the size comes
// with the launch (ok), a launch of clusters of one block (bad). unlaunched: no launch is seen, the kernel says its size (ok), half of it (bad).
//@ args: --arch=sm_90
//@ verdict rank_ok: race-free
//@ verdict rank_bad: racy
//@ verdict alone_ok: race-free
//@ verdict index_ok: race-free
//@ verdict index_bad: racy
//@ verdict threads_ok: race-free
//@ verdict threads_bad: racy
//@ verdict registers_ok: race-free
//@ verdict registers_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict unlaunched_ok: race-free
//@ verdict unlaunched_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define CLUSTERS __cluster_dims__(2, 2, 1)

template <class Out> __device__ unsigned cluster_number(Out) {
  return blockIdx.x / 2 + gridDim.x / 2 * (blockIdx.y / 2);
}

CLUSTERS __global__ void rank_ok(int *p) { // expect-clean
  auto cluster = cg::this_cluster();
  p[(cluster_number(p) * cluster.num_blocks() + cluster.block_rank()) * 64 + threadIdx.x] = blockIdx.x;
}

CLUSTERS __global__ void rank_bad(int *p) {
  p[cg::this_cluster().block_rank() * 64 + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
}

CLUSTERS __global__ void alone_ok(int *p) { // expect-clean
  p[cg::this_cluster().block_rank() * 64 + threadIdx.x] = blockIdx.x;
}

CLUSTERS __global__ void index_ok(int *p) { // expect-clean
  dim3 at = cg::this_cluster().block_index(), all = cg::this_cluster().dim_blocks();
  p[(cluster_number(p) * 4 + at.x + at.y * all.x) * 64 + threadIdx.x] = blockIdx.x;
}

CLUSTERS __global__ void index_bad(int *p) {
  dim3 at = cg::this_cluster().block_index();
  p[(cluster_number(p) * 4 + at.x) * 64 + threadIdx.x] = blockIdx.y; // expect-race(inter-block)
}

CLUSTERS __global__ void threads_ok(int *p) { // expect-clean
  auto cluster = cg::this_cluster();
  dim3 at = __clusterIdx(), all = __clusterGridDimInClusters();
  p[(at.x + at.y * all.x) * cluster.num_threads() + cluster.thread_rank()] = blockIdx.x;
}

CLUSTERS __global__ void threads_bad(int *p) {
  auto cluster = cg::this_cluster();
  p[__clusterIdx().x * cluster.num_threads() + cluster.thread_rank()] = blockIdx.y; // expect-race(inter-block)
}

template <bool with_rank> __device__ void registers(int *p) {
  unsigned rank, blocks, x, y, all;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(all));
  p[((x + all * y) * blocks + (with_rank ? rank : 0)) * 64 + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
}
CLUSTERS __global__ void registers_ok(int *p) { registers<true>(p); } // expect-clean
CLUSTERS __global__ void registers_bad(int *p) { registers<false>(p); }

__global__ void given_ok(int *p) { // expect-clean
  auto cluster = cg::this_cluster();
  p[blockIdx.x / 4 * 256 + cluster.block_rank() * 64 + threadIdx.x] = blockIdx.x;
}

__global__ void given_bad(int *p) {
  auto cluster = cg::this_cluster();
  p[blockIdx.x / 4 * 256 + cluster.block_rank() * 64 + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
}

__cluster_dims__(4) __global__ void unlaunched_ok(int *p) { // expect-clean
  if (threadIdx.x == 0) p[blockIdx.x / 4 * 4 + cg::this_cluster().block_rank()] = blockIdx.x;
}

__cluster_dims__(4) __global__ void unlaunched_bad(int *p) {
  if (threadIdx.x == 0) p[blockIdx.x / 8 * 4 + cg::this_cluster().block_rank()] = blockIdx.x; // expect-race(inter-block)
}

int main() {
  int *p;
  cudaMalloc(&p, 1 << 20);
  rank_ok<<<dim3(8, 8), 64>>>(p);
  rank_bad<<<dim3(8, 8), 64>>>(p);
  alone_ok<<<dim3(2, 2), 64>>>(p);
  index_ok<<<dim3(8, 8), 64>>>(p);
  index_bad<<<dim3(8, 8), 64>>>(p);
  threads_ok<<<dim3(8, 8), 64>>>(p);
  threads_bad<<<dim3(8, 8), 64>>>(p);
  registers_ok<<<dim3(8, 8), 64>>>(p);
  registers_bad<<<dim3(8, 8), 64>>>(p);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(16);
  config.blockDim = dim3(64);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 4;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, given_ok, p);
  config.numAttrs = 0;
  cudaLaunchKernelEx(&config, given_bad, p);
  return 0;
}
