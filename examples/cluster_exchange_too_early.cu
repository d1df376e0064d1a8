// Each block of a cluster adds the largest value of its neighbour, which it reads in that block's shared memory. The barrier
// in between is one of the block: the neighbour may not have come so far.
//@ args: --arch=sm_90
//@ verdict add_neighbours: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__cluster_dims__(4, 1, 1) __global__ void add_neighbours(const int *in, int *out) {
  __shared__ int largest;
  cg::cluster_group cluster = cg::this_cluster();
  int t = threadIdx.x, value = in[blockIdx.x * blockDim.x + t];
  if (t == 0) largest = 0;
  cluster.sync();
  atomicMax(&largest, value); // expect-race {{-Winter-block-race}}
  __syncthreads();
  unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  int theirs = *cluster.map_shared_rank(&largest, next); // expect-race {{-Winter-block-race}}
  out[blockIdx.x * blockDim.x + t] = value + theirs;
  cluster.sync(); // nobody ends while others read its memory
}

int main() {
  const int n = 1 << 16;
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  add_neighbours<<<n / 256, 256>>>(d_in, d_out);
  cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
