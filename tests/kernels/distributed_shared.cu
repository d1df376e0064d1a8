// Shared memory of other blocks of a cluster, as programs use it. histogram: bins lie with all blocks (ok); added to before they are set to zero (early),
// told before all have counted (late), counted without atomics (plain). reduction: the first block reads the sums of all (ok), before they are there
// (early), while the others may have ended (ended). gather: each block puts its sum where the first one reads (ok), all into one place (same), not waited for
// (early). stencil: the borders of both neighbours, in rounds (ok); read too early (early), overwritten too early (late), the neighbour's border in place of its first cell (cell).
//@ args: --arch=sm_90
//@ verdict histogram_ok: race-free
//@ verdict histogram_early: racy
//@ verdict histogram_late: racy
//@ verdict histogram_plain: racy
//@ verdict reduction_ok: race-free
//@ verdict reduction_early: racy
//@ verdict reduction_ended: undecided
//@ verdict gather_ok: race-free
//@ verdict gather_same: racy
//@ verdict gather_early: racy
//@ verdict stencil_ok: race-free
//@ verdict stencil_early: racy
//@ verdict stencil_late: racy
//@ verdict stencil_cell: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

enum Mistake { NONE, EARLY, LATE, PLAIN, ENDED, SAME, CELL };

template <Mistake mistake> __device__ void barrier_unless() {
  __syncthreads();
  if (mistake == NONE) cg::this_cluster().sync();
}
template <Mistake made, Mistake wanted> __device__ void wait_unless() { barrier_unless<made == wanted ? EARLY : NONE>(); }

template <Mistake mistake> __device__ void histogram(int *bins, const int *input, int n, int each) {
  extern __shared__ int counts[];
  auto cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < each; i += blockDim.x)
    counts[i] = 0; // expect-race(inter-block)
  wait_unless<mistake, EARLY>();
  for (int i = cg::this_grid().thread_rank(); i < n; i += blockDim.x * gridDim.x) {
    int bin = min(max(input[i], 0), (int)cluster.num_blocks() * each - 1);
    int *place = cluster.map_shared_rank(counts, bin / each) + bin % each;
    if (mistake == PLAIN)
      *place += 1; // expect-race(inter-block) expect-race(intra-block) expect-race(intra-warp)
    else
      atomicAdd(place, 1); // expect-race(inter-block)
  }
  wait_unless<mistake, LATE>();
  for (int i = threadIdx.x; i < each; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * each + i], counts[i]); // expect-race(inter-block)
}
#define OF_TWO __cluster_dims__(2, 1, 1)
OF_TWO __global__ void histogram_ok(int *bins, const int *in, int n, int each) { histogram<NONE>(bins, in, n, each); } // expect-clean
OF_TWO __global__ void histogram_early(int *bins, const int *in, int n, int each) { histogram<EARLY>(bins, in, n, each); }
OF_TWO __global__ void histogram_late(int *bins, const int *in, int n, int each) { histogram<LATE>(bins, in, n, each); }
OF_TWO __global__ void histogram_plain(int *bins, const int *in, int n, int each) { histogram<PLAIN>(bins, in, n, each); }

#define OF_FOUR __cluster_dims__(4, 1, 1)
template <Mistake mistake> __device__ void reduction(const float *in, float *out) {
  __shared__ float part[128], sum;
  auto cluster = cg::this_cluster();
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sum = part[0]; // expect-race(inter-block)
  wait_unless<mistake, EARLY>();
  if (cluster.block_rank() == 0 && t == 0) {
    float all = 0;
    for (int rank = 0; rank < cluster.num_blocks(); rank++)
      all += *cluster.map_shared_rank(&sum, rank); // expect-race(inter-block)
    out[blockIdx.x / 4] = all;
  }
  if (mistake != ENDED) cluster.sync();
}
OF_FOUR __global__ void reduction_ok(const float *in, float *out) { reduction<NONE>(in, out); } // expect-clean
OF_FOUR __global__ void reduction_early(const float *in, float *out) { reduction<EARLY>(in, out); }
OF_FOUR __global__ void reduction_ended(const float *in, float *out) { reduction<ENDED>(in, out); } // expect-clean

template <Mistake mistake> __device__ void gather(const float *in, float *out) {
  __shared__ float sums[4];
  auto cluster = cg::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0)
    cluster.map_shared_rank(sums, 0)[mistake == SAME ? 0 : cluster.block_rank()] = in[blockIdx.x]; // expect-race(inter-block)
  wait_unless<mistake, EARLY>();
  if (cluster.block_rank() == 0 && threadIdx.x == 0)
    out[blockIdx.x / 4] = sums[0] + sums[1] + sums[2] + sums[3]; // expect-race(inter-block)
  cluster.sync();
}
OF_FOUR __global__ void gather_ok(const float *in, float *out) { gather<NONE>(in, out); } // expect-clean
OF_FOUR __global__ void gather_same(const float *in, float *out) { gather<SAME>(in, out); }
OF_FOUR __global__ void gather_early(const float *in, float *out) { gather<EARLY>(in, out); }

template <Mistake mistake> __device__ void stencil(float *a, int rounds) {
  __shared__ float s[66];
  auto cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), last = cluster.num_blocks() - 1;
  int t = threadIdx.x;
  cluster.sync();
  for (int i = 0; i < rounds; i++) {
    s[t + 1] = a[blockIdx.x * 64 + t]; // expect-race(inter-block)
    wait_unless<mistake, EARLY>();
    if (t == 0) s[0] = rank > 0 ? cluster.map_shared_rank(s, rank - 1)[64] : 0; // expect-race(inter-block)
    if (t == 63) s[65] = rank < last ? cluster.map_shared_rank(s, rank + 1)[mistake == CELL ? 0 : 1] : 0; // expect-race(inter-block)
    __syncthreads();
    float value = s[t] + s[t + 1] + s[t + 2];
    wait_unless<mistake, LATE>();
    a[blockIdx.x * 64 + t] = value;
  }
  cluster.sync();
}
OF_FOUR __global__ void stencil_ok(float *a, int rounds) { stencil<NONE>(a, rounds); } // expect-clean
OF_FOUR __global__ void stencil_early(float *a, int rounds) { stencil<EARLY>(a, rounds); }
OF_FOUR __global__ void stencil_late(float *a, int rounds) { stencil<LATE>(a, rounds); }
OF_FOUR __global__ void stencil_cell(float *a, int rounds) { stencil<CELL>(a, rounds); }

int main(int argc, char **) {
  int *bins, *in;
  float *a, *b;
  cudaMalloc(&bins, 1 << 20);
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  histogram_ok<<<64, 64, 512>>>(bins, in, 100000, 128);
  histogram_early<<<64, 64, 512>>>(bins, in, 100000, 128);
  histogram_late<<<64, 64, 512>>>(bins, in, 100000, 128);
  histogram_plain<<<64, 64, 512>>>(bins, in, 100000, 128);
  reduction_ok<<<64, 128>>>(a, b);
  reduction_early<<<64, 128>>>(a, b);
  reduction_ended<<<64, 128>>>(a, b);
  gather_ok<<<64, 128>>>(a, b);
  gather_same<<<64, 128>>>(a, b);
  gather_early<<<64, 128>>>(a, b);
  stencil_ok<<<64, 64>>>(a, argc);
  stencil_early<<<64, 64>>>(a, argc);
  stencil_late<<<64, 64>>>(a, argc);
  stencil_cell<<<64, 64>>>(a, argc);
  return 0;
}
