// Groups of 64 threads exchange their values, and synchronise as tiles of 64.
//@ verdict exchange: race-free
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void exchange(int *data) { // expect-clean
  __shared__ int value[128];
  int t = threadIdx.x;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  value[t] = data[blockIdx.x * 128 + t];
  tile.sync();
  data[blockIdx.x * 128 + t] = value[t ^ 63];
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
