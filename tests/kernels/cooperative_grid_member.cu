// An object that keeps the group of the grid beside its numbers, and waits for all blocks by it in a loop: its numbers are those that the kernel was
// given, whoever the barrier is called for. Without the wait a round reads what another block has just written.
//@ verdict smooth_ok: race-free
//@ verdict smooth_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

struct Params {
  float *from, *to;
  int n, rounds;
};

template <bool WAITS> class Smoother {
  Params params;
  cg::grid_group grid;

public:
  __device__ Smoother(const Params &p) : params(p), grid(cg::this_grid()) {}
  __device__ void run() {
    for (int r = 0; r < params.rounds; r++) {
      for (int i = grid.thread_rank(); i + 1 < params.n; i += grid.size())
        params.to[i] = params.from[i + 1]; // expect-race[half](every)
      if (WAITS) grid.sync();
      for (int i = grid.thread_rank(); i < params.n; i += grid.size())
        params.from[i] = params.to[i] * 0.5f; // expect-race[half](every)
      grid.sync();
    }
  }
};

__global__ void smooth_ok(Params p) { // expect-clean
  Smoother<true> smoother(p);
  smoother.run();
}

__global__ void smooth_bad(Params p) {
  Smoother<false> smoother(p);
  smoother.run();
}

int main() {
  Params p;
  p.n = 100000;
  p.rounds = 10;
  cudaMalloc(&p.from, p.n * sizeof(float));
  cudaMalloc(&p.to, p.n * sizeof(float));
  void *args[] = {&p};
  cudaLaunchCooperativeKernel((const void *)smooth_ok, dim3(64), dim3(256), args, 0, 0);
  cudaLaunchCooperativeKernel((const void *)smooth_bad, dim3(64), dim3(256), args, 0, 0);
  return cudaDeviceSynchronize();
}
