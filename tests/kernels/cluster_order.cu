// What orders two blocks of one cluster, and of two. near: the block across the cluster, behind the cluster's barrier (ok); of the next cluster (bad).
// next: the neighbour in the cluster (ok), in the grid (bad). wide: clusters along two axes (ok), a neighbour outside (bad). rounds: a barrier before and
// behind each write (ok), only before (bad). halves: the write before the arrival (ok), between arrival and wait (bad), an arrival that is relaxed
// (relaxed). alone: clusters of one block (bad). given: the size comes with the launch (ok); clusters of two as it grows (bad). unread: a size that is not read.
// parted: two barriers on two ways, which blocks of one cluster take; left: a block that goes home before; turns: as many rounds for each block (ok),
// more for some (bad). count: an atomic of cluster scope in each cluster (ok), on one word for all (bad), of block scope (narrow). flag: told and heard with
// cluster scope (ok), across clusters (far), with fences of block scope (narrow), with those of device scope across clusters (wide).
//@ args: --arch=sm_90
//@ verdict near_ok: race-free
//@ verdict near_bad: racy
//@ verdict next_ok: race-free
//@ verdict next_bad: racy
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict halves_relaxed: undecided
//@ verdict alone_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict unread: undecided
//@ verdict parted_bad: racy
//@ verdict left_open: undecided
//@ verdict turns_ok: race-free
//@ verdict turns_bad: racy
//@ verdict count_ok: race-free
//@ verdict count_bad: racy
//@ verdict count_narrow: racy
//@ verdict flag_ok: race-free
//@ verdict flag_far: racy
//@ verdict flag_narrow: racy
//@ verdict flag_wide_ok: race-free
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define OF_FOUR __cluster_dims__(4, 1, 1)

OF_FOUR __global__ void near_ok(int *a, int *out) { // expect-clean
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
  cg::this_cluster().sync();
  out[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 3) * 64 + threadIdx.x];
}

OF_FOUR __global__ void near_bad(int *a, int *out) {
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
  cg::this_cluster().sync();
  out[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 4) * 64 + threadIdx.x]; // expect-race(inter-block)
}

OF_FOUR __global__ void next_ok(int *a, int *out) { // expect-clean
  auto cluster = cg::this_cluster();
  unsigned first = blockIdx.x - cluster.block_rank(), next = (cluster.block_rank() + 1) % cluster.num_blocks();
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = a[(first + next) * 64 + threadIdx.x];
}

OF_FOUR __global__ void next_bad(int *a, int *out) {
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
  cg::this_cluster().sync();
  out[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x]; // expect-race(inter-block)
}

__cluster_dims__(2, 2, 1) __global__ void wide_ok(int *a, int *out) { // expect-clean
  a[blockIdx.y * gridDim.x + blockIdx.x] = blockIdx.x;
  cg::this_cluster().sync();
  if (threadIdx.x == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = a[(blockIdx.y ^ 1) * gridDim.x + (blockIdx.x ^ 1)];
}

__cluster_dims__(2, 2, 1) __global__ void wide_bad(int *a, int *out) {
  a[blockIdx.y * gridDim.x + blockIdx.x] = blockIdx.x; // expect-race(inter-block)
  cg::this_cluster().sync();
  if (threadIdx.x == 0)
    out[blockIdx.y * gridDim.x + blockIdx.x] = a[(blockIdx.y ^ 2) * gridDim.x + (blockIdx.x ^ 1)]; // expect-race(inter-block)
}

OF_FOUR __global__ void rounds_ok(int *a, int n) { // expect-clean
  unsigned from = (blockIdx.x ^ 1) * 64 + threadIdx.x;
  for (int i = 0; i < n; i++) {
    int v = a[from];
    cg::this_cluster().sync();
    a[blockIdx.x * 64 + threadIdx.x] = v + 1;
    cg::this_cluster().sync();
  }
}

OF_FOUR __global__ void rounds_bad(int *a, int n) {
  unsigned from = (blockIdx.x ^ 1) * 64 + threadIdx.x;
  for (int i = 0; i < n; i++) {
    int v = a[from]; // expect-race(inter-block)
    cg::this_cluster().sync();
    a[blockIdx.x * 64 + threadIdx.x] = v + 1; // expect-race(inter-block)
  }
}

OF_FOUR __global__ void halves_ok(int *a, int *out) { // expect-clean
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  int twice = threadIdx.x * 2;
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  out[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 1) * 64 + threadIdx.x] + twice;
}

OF_FOUR __global__ void halves_bad(int *a, int *out) {
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  out[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 1) * 64 + threadIdx.x]; // expect-race(inter-block)
}

OF_FOUR __global__ void halves_relaxed(int *a, int *out) { // expect-clean
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  out[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 1) * 64 + threadIdx.x];
}

__device__ void with_next(int *a, int *out) {
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
  cg::this_cluster().sync();
  out[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 2) * 64 + threadIdx.x]; // expect-race(inter-block)
}
__global__ void alone_bad(int *a, int *out) { with_next(a, out); }
__global__ void given_ok(int *a, int *out) { with_next(a, out); } // expect-clean
__global__ void given_bad(int *a, int *out) { with_next(a, out); }
__global__ void unread(int *a, int *out) { with_next(a, out); } // expect-clean

OF_FOUR __global__ void parted_bad(int *a) {
  if (cg::this_cluster().block_rank() == 0)
    cg::this_cluster().sync();
  else
    cg::this_cluster().sync();
  a[blockIdx.x / 4 * 64 + threadIdx.x] = blockIdx.x; // expect-race(inter-block)
}

OF_FOUR __global__ void left_open(int *a, int *out, int n) { // expect-clean
  a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
  if (blockIdx.x == n) return;
  cg::this_cluster().sync();
  out[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x ^ 1) * 64 + threadIdx.x];
}

template <int more> __device__ void turns(int *a, int n) {
  unsigned rank = cg::this_cluster().block_rank();
  for (int i = 0; i < n + more * rank; i++) {
    if (i % 4 == rank) a[blockIdx.x / 4 * 64 + threadIdx.x] = i; // expect-race(inter-block)
    cg::this_cluster().sync();
  }
  if (rank < 2) a[blockIdx.x / 4 * 64 + threadIdx.x + (1 - more) * (1 << 16) * rank] = blockIdx.x; // expect-race(inter-block)
}
OF_FOUR __global__ void turns_ok(int *a, int n) { turns<0>(a, n); } // expect-clean
OF_FOUR __global__ void turns_bad(int *a, int n) { turns<1>(a, n); }

OF_FOUR __global__ void count_ok(int *counts, int *out) { // expect-clean
  int number;
  asm volatile("atom.relaxed.cluster.global.add.s32 %0, [%1], 1;" : "=r"(number) : "l"(counts + blockIdx.x / 4) : "memory");
  out[blockIdx.x * 64 + threadIdx.x] = number;
}

OF_FOUR __global__ void count_bad(int *counts, int *out) {
  int number;
  asm volatile("atom.relaxed.cluster.global.add.s32 %0, [%1], 1;" : "=r"(number) : "l"(counts) : "memory"); // expect-race(inter-block)
  out[blockIdx.x * 64 + threadIdx.x] = number;
}

OF_FOUR __global__ void count_narrow(int *counts, int *out) {
  int number;
  asm volatile("atom.relaxed.cta.global.add.s32 %0, [%1], 1;" : "=r"(number) : "l"(counts + blockIdx.x / 4) : "memory"); // expect-race(inter-block)
  out[blockIdx.x * 64 + threadIdx.x] = number;
  cg::this_cluster().sync();
}

enum { CTA, CLUSTER, GPU };
template <int scope> __device__ void fence() {
  if (scope == CTA) asm volatile("fence.acq_rel.cta;" ::: "memory");
  if (scope == CLUSTER) asm volatile("fence.acq_rel.cluster;" ::: "memory");
  if (scope == GPU) asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
template <int scope> __device__ void tell(int *flag) {
  if (scope == GPU)
    asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
  else
    asm volatile("st.relaxed.cluster.global.s32 [%0], 1;" ::"l"(flag) : "memory"); // expect-race(inter-block)
}
template <int scope> __device__ void hear(int *flag) {
  int v;
  do {
    if (scope == GPU)
      asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
    else
      asm volatile("ld.relaxed.cluster.global.s32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory"); // expect-race(inter-block)
  } while (!v);
}
template <int fenced, int told, int distance> __device__ void flag(int *data, int *flags, int *out) {
  unsigned number = blockIdx.x / 8, turn = blockIdx.x % 8;
  if (threadIdx.x != 0) return;
  if (turn == 0) {
    data[number] = 7; // expect-race(inter-block)
    fence<fenced>();
    tell<told>(flags + number);
  }
  if (turn == distance) {
    hear<told>(flags + number);
    fence<fenced>();
    out[number] = data[number]; // expect-race(inter-block)
  }
}
OF_FOUR __global__ void flag_ok(int *data, int *flags, int *out) { flag<CLUSTER, CLUSTER, 3>(data, flags, out); } // expect-clean
OF_FOUR __global__ void flag_far(int *data, int *flags, int *out) { flag<CLUSTER, CLUSTER, 5>(data, flags, out); }
OF_FOUR __global__ void flag_narrow(int *data, int *flags, int *out) { flag<CTA, CLUSTER, 3>(data, flags, out); }
OF_FOUR __global__ void flag_wide_ok(int *data, int *flags, int *out) { flag<GPU, GPU, 5>(data, flags, out); } // expect-clean

int main(int argc, char **argv) {
  int *a, *b, *out;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  near_ok<<<64, 64>>>(a, out);
  near_bad<<<64, 64>>>(a, out);
  next_ok<<<64, 64>>>(a, out);
  next_bad<<<64, 64>>>(a, out);
  wide_ok<<<dim3(8, 8), 1>>>(a, out);
  wide_bad<<<dim3(8, 8), 1>>>(a, out);
  rounds_ok<<<64, 64>>>(a, argc);
  rounds_bad<<<64, 64>>>(a, argc);
  halves_ok<<<64, 64>>>(a, out);
  halves_bad<<<64, 64>>>(a, out);
  halves_relaxed<<<64, 64>>>(a, out);
  parted_bad<<<64, 64>>>(a);
  left_open<<<64, 64>>>(a, out, argc);
  turns_ok<<<64, 64>>>(a, argc);
  turns_bad<<<64, 64>>>(a, argc);
  count_ok<<<64, 64>>>(a, out);
  count_bad<<<64, 64>>>(a, out);
  count_narrow<<<64, 64>>>(a, out);
  flag_ok<<<64, 64>>>(a, b, out);
  flag_far<<<64, 64>>>(a, b, out);
  flag_narrow<<<64, 64>>>(a, b, out);
  cudaMemset(b, 0, 1 << 20);
  flag_wide_ok<<<64, 64>>>(a, b, out);
  alone_bad<<<8, 64>>>(a, out);
  cudaLaunchAttribute attribute[1];
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(16);
  config.blockDim = dim3(64);
  config.attrs = attribute;
  config.numAttrs = 1;
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 8;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  cudaLaunchKernelEx(&config, given_ok, a, out);
  attribute[0].val.clusterDim.x = 2;
  cudaLaunchKernelEx(&config, given_bad, a, out);
  attribute[0].id = (cudaLaunchAttributeID)argc;
  cudaLaunchKernelEx(&config, unread, a, out);
  return 0;
}
