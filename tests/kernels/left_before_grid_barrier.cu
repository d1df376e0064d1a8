// A barrier of the grid counts blocks, and waits without end for one that has left the kernel: thread 0 arrives for its block. whole: a block leaves, in the launch
// or by its number (bad), or none of this launch (ok). part: threads leave, thread 0 of a block in between (bad) or never (ok). rounds: blocks come to the barrier equally
// often (ok), or more often each (bad). until: rounds until a number in memory says that it is enough, which all blocks read. told: a number in memory says which
// blocks leave: one for all (ok), one for each (bad). drawn: the block that draws zero leaves (bad).
// both: as until, and at most so many rounds (ok), or only blocks behind the first are asked whether it is enough (bad). steps: each round is
// one step or two, as a number in memory says (ok), or by the block (bad).
// next: what decides in the next round is read here or there, as a number in memory says that is one for all (ok), or one for each block (bad).
//@ verdict next_ok: race-free
//@ verdict next_bad: undecided
//@ verdict both_ok: race-free
//@ verdict both_bad: undecided
//@ verdict steps_ok: race-free
//@ verdict steps_bad: undecided
//@ verdict whole_ok: race-free
//@ verdict whole_bad: undecided
//@ verdict part_ok: race-free
//@ verdict part_bad: undecided
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: undecided
//@ verdict until_ok: race-free
//@ verdict told_ok: race-free
//@ verdict told_bad: undecided
//@ verdict drawn_bad: undecided
#include <cooperative_groups.h>
#include <cstdlib>
namespace cg = cooperative_groups;

__device__ void whole(int *a, unsigned last) {
  if (blockIdx.x > last) return;
  a[blockIdx.x * 64 + threadIdx.x] = 1;
  cg::this_grid().sync(); // expect-divergence {{its block never arrives}}
  a[(last - blockIdx.x) * 64 + threadIdx.x]++;
}
__global__ void whole_ok(int *a) { whole(a, 3); } // expect-clean
__global__ void whole_bad(int *a) { whole(a, 2); }

__global__ void part_ok(int *a) {
  if ((int)threadIdx.x > 40 - (int)blockIdx.x) return;
  a[blockIdx.x * 64 + threadIdx.x] = 1;
  cg::this_grid().sync(); // expect-note {{sm_70 and later}}
}
__global__ void part_bad(int *a) {
  if ((int)threadIdx.x > 40 - 64 * (int)(blockIdx.x / 2)) return;
  a[blockIdx.x * 64 + threadIdx.x] = 1;
  cg::this_grid().sync(); // expect-divergence {{its block never arrives}}
}

__device__ void rounds(int *a, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    a[blockIdx.x * 64 + threadIdx.x] = 1;
    cg::this_grid().sync(); // expect-divergence {{its block never arrives}}
  }
}
__global__ void rounds_ok(int *a) { rounds(a, 3); } // expect-clean
__global__ void rounds_bad(int *a) { rounds(a, 3 + blockIdx.x); }

__global__ void until_ok(int *a, int *left) { // expect-clean
  while (*left > 0) {
    a[blockIdx.x * 64 + threadIdx.x]++;
    cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *left -= 1;
    cg::this_grid().sync();
  }
}

template <bool ALL> __device__ void both(int *a, int *left) {
  int k = 0;
  while ((ALL || blockIdx.x) && *left > 0 && k < 100) {
    a[blockIdx.x * 64 + threadIdx.x]++;
    cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *left -= 1;
    cg::this_grid().sync();
    k++;
  }
}
__global__ void both_ok(int *a, int *left) { both<true>(a, left); } // expect-clean
__global__ void both_bad(int *a, int *left) { both<false>(a, left); }

template <bool ALL> __device__ void steps(int *a, const int *says) {
  for (int k = 0; k < 8;) {
    a[blockIdx.x * 64 + threadIdx.x]++;
    cg::this_grid().sync(); // expect-divergence {{its block never arrives}}
    if (ALL ? *says > 0 : blockIdx.x == 0)
      k += 2;
    else
      k++;
  }
}
__global__ void steps_ok(int *a, const int *says) { steps<true>(a, says); } // expect-clean
__global__ void steps_bad(int *a, const int *says) { steps<false>(a, says); }

__device__ void next(int *a, const int *says, int which) {
  for (int k = 0; k < says[0];) {
    a[blockIdx.x * 64 + threadIdx.x]++;
    cg::this_grid().sync();
    if (says[which] == 0) {
      k = says[2];
      continue;
    }
    k = says[3];
  }
}
__global__ void next_ok(int *a, const int *says) { next(a, says, 1); } // expect-clean
__global__ void next_bad(int *a, const int *says) { next(a, says, blockIdx.x); }

__device__ void told(int *a, const int *says) {
  if (*says == 0) return;
  a[blockIdx.x * 64 + threadIdx.x] = 1;
  cg::this_grid().sync();
  a[(3 - blockIdx.x) * 64 + threadIdx.x]++;
}
__global__ void told_ok(int *a, const int *says) { told(a, says); } // expect-clean
__global__ void told_bad(int *a, const int *says) { told(a, says + blockIdx.x); }

__global__ void drawn_bad(int *a, int *count) {
  __shared__ int drawn;
  if (threadIdx.x == 0) drawn = atomicAdd(count, 1);
  __syncthreads();
  if (drawn == 0) return;
  a[blockIdx.x * 64 + threadIdx.x] = 1;
  cg::this_grid().sync();
  a[(3 - blockIdx.x) * 64 + threadIdx.x]++;
}

int main() {
  int *a, *left;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&left, 4);
  int *says, numbers[4];
  for (int i = 0; i < 4; i++)
    numbers[i] = rand();
  cudaMalloc(&says, sizeof numbers);
  cudaMemcpy(says, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  void *args[] = {&a}, *both[] = {&a, &left}, *saying[] = {&a, &says};
  cudaLaunchCooperativeKernel((void *)whole_ok, dim3(4), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)whole_bad, dim3(4), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)part_ok, dim3(4), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)part_bad, dim3(4), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)rounds_ok, dim3(4), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)rounds_bad, dim3(4), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)until_ok, dim3(4), dim3(64), both, 0, 0);
  cudaLaunchCooperativeKernel((void *)both_ok, dim3(4), dim3(64), both, 0, 0);
  cudaLaunchCooperativeKernel((void *)both_bad, dim3(4), dim3(64), both, 0, 0);
  cudaLaunchCooperativeKernel((void *)steps_ok, dim3(4), dim3(64), saying, 0, 0);
  cudaLaunchCooperativeKernel((void *)steps_bad, dim3(4), dim3(64), saying, 0, 0);
  cudaLaunchCooperativeKernel((void *)next_ok, dim3(4), dim3(64), saying, 0, 0);
  cudaLaunchCooperativeKernel((void *)next_bad, dim3(4), dim3(64), saying, 0, 0);
  cudaLaunchCooperativeKernel((void *)told_ok, dim3(4), dim3(64), saying, 0, 0);
  cudaLaunchCooperativeKernel((void *)told_bad, dim3(4), dim3(64), saying, 0, 0);
  cudaLaunchCooperativeKernel((void *)drawn_bad, dim3(4), dim3(64), both, 0, 0);
}
