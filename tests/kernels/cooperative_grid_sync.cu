// All blocks write, all wait for all, then each reads what the next block wrote. A barrier of the block alone does not
// order two blocks.
//@ verdict exchange_ok: race-free
//@ verdict exchange_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void exchange_ok(int *a, int *b) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  cg::this_grid().sync();
  b[i] = a[(i + (int)blockDim.x) % n];
}

__global__ void exchange_bad(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i; // expect-race {{-Winter-block-race] definite cause=wrong-group}}
  cg::this_thread_block().sync();
  b[i] = a[(i + (int)blockDim.x) % n]; // expect-race
}

int main() {
  int *a, *b;
  cudaMalloc((void **)&a, 16 * 128 * sizeof(int));
  cudaMalloc((void **)&b, 16 * 128 * sizeof(int));
  void *args[] = {&a, &b};
  cudaLaunchCooperativeKernel((const void *)exchange_ok, dim3(16), dim3(128), args, 0, 0);
  cudaLaunchCooperativeKernel((const void *)exchange_bad, dim3(16), dim3(128), args, 0, 0);
  return 0;
}
