// Blocks that come to barriers of the grid on different ways. chosen: all of them take the same one of two (ok), each its own, where they meet all the same: what
// both write behind it races (bad). shifted: a barrier in the same rounds for all (ok), in other rounds for the second block (bad: of one round only the first block comes to it). ended: rounds until a number in memory
// says that it is enough, which all read behind a barrier (ok).
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
//@ known-undecided chosen_bad: which barriers meet is not followed
//@ verdict shifted_ok: race-free
//@ verdict shifted_bad: racy
//@ known-undecided shifted_bad: which rounds meet is not followed
//@ verdict ended_ok: race-free
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <bool is_common> __device__ void chosen(int *a, int which) {
  a[blockIdx.x * 64 + threadIdx.x] = which;
  if (is_common ? which > 0 : blockIdx.x == 0)
    cg::this_grid().sync();
  else
    cg::this_grid().sync();
  if (!is_common || blockIdx.x == 0) a[threadIdx.x] = blockIdx.x;
}
__global__ void chosen_ok(int *a, int which) { chosen<true>(a, which); } // expect-clean
__global__ void chosen_bad(int *a, int which) { chosen<false>(a, which); }

template <int shift> __device__ void shifted(int *a, int rounds) {
  for (int i = 0; i < rounds; i++) {
    if ((i + shift * blockIdx.x) % 2 == 0) cg::this_grid().sync(); // expect-divergence {{its block never arrives}}
    if (i % 2 == 0 && blockIdx.x == 0) a[threadIdx.x] = i;
    if (i % 2 == 1 && blockIdx.x == 1 && shift) a[threadIdx.x] = i;
  }
}
__global__ void shifted_ok(int *a, int rounds) { shifted<0>(a, rounds); } // expect-clean
__global__ void shifted_bad(int *a, int rounds) { shifted<1>(a, rounds); }

__global__ void ended_ok(int *a, int *left) { // expect-clean
  while (*left > 0) {
    a[blockIdx.x * 64 + threadIdx.x]++;
    cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *left -= 1;
    cg::this_grid().sync();
  }
}

int main(int argc, char **) {
  int *a, *left;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&left, 4);
  void *args[] = {&a, &argc}, *both[] = {&a, &left};
  cudaLaunchCooperativeKernel((void *)chosen_ok, dim3(2), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)chosen_bad, dim3(2), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)shifted_ok, dim3(2), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)shifted_bad, dim3(2), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)ended_ok, dim3(8), dim3(64), both, 0, 0);
  return 0;
}
