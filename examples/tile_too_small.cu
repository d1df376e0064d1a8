// Groups of 64 threads exchange their values. The group that synchronises is a tile of 32, which does not hold a thread and the
// one that it reads from.
//@ verdict exchange: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void exchange(int *data) {
  __shared__ int value[128];
  int t = threadIdx.x;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  value[t] = data[blockIdx.x * 128 + t];
  // expect-race@-1 {{cause=wrong-group}}
  tile.sync();
  data[blockIdx.x * 128 + t] = value[t ^ 63];
  // expect-race@-1
}

int main() {
  const int blocks = 16;
  int *d_data;
  cudaMalloc((void **)&d_data, blocks * 128 * sizeof(int));
  cudaMemset(d_data, 0, blocks * 128 * sizeof(int));
  exchange<<<blocks, 128>>>(d_data);
  cudaDeviceSynchronize();
  cudaFree(d_data);
  return 0;
}
