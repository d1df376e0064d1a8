// Barriers of a cluster. own: threads of one block, as with a barrier of the block (ok), without one (bad). far: a block that cannot be of
// the same cluster (bad); before: of the same one, but no barrier lies between (bad). near: the other block of a cluster of two (ok).
// turns: first the words of its own block, then those of the other one behind a barrier (ok); the first ones are of other threads (bad).
// remote: shared memory of the other block, read behind a barrier of the cluster (ok), without one (bad).
//@ args: --arch=sm_90
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict far_bad: racy
//@ verdict before_bad: racy
//@ verdict near_ok: race-free
//@ verdict turns_ok: race-free
//@ verdict turns_bad: racy
//@ verdict remote_ok: race-free
//@ verdict remote_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__cluster_dims__(2, 1, 1) __global__ void own_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  cg::this_cluster().sync();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__cluster_dims__(2, 1, 1) __global__ void own_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;                            // expect-race
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
  cg::this_cluster().sync();
}

__cluster_dims__(2, 1, 1) __global__ void far_bad(int *a, int *out) {
  int t = threadIdx.x;
  a[blockIdx.x * 64 + t] = t; // expect-race
  cg::this_cluster().sync();
  out[blockIdx.x * 64 + t] = a[(blockIdx.x + 16) * 64 + t]; // expect-race
}

__cluster_dims__(2, 1, 1) __global__ void before_bad(int *a, int *out) {
  int t = threadIdx.x;
  cg::this_cluster().sync();
  a[blockIdx.x * 64 + t] = t;                              // expect-race
  out[blockIdx.x * 64 + t] = a[(blockIdx.x ^ 1) * 64 + t]; // expect-race
}

__cluster_dims__(2, 1, 1) __global__ void near_ok(int *a, int *out) { // expect-clean
  int t = threadIdx.x;
  a[blockIdx.x * 64 + t] = t;
  cg::this_cluster().sync();
  out[blockIdx.x * 64 + t] = a[(blockIdx.x ^ 1) * 64 + t];
}

__cluster_dims__(2, 1, 1) __global__ void turns_ok(int *a, int *out) { // expect-clean
  int t = threadIdx.x, sum = 0;
  a[blockIdx.x * 64 + t] = t;
  for (int k = 0; k < 2; k++) {
    sum += a[(blockIdx.x ^ k) * 64 + t];
    cg::this_cluster().sync();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__cluster_dims__(2, 1, 1) __global__ void turns_bad(int *a, int *out) {
  int t = threadIdx.x, sum = 0;
  a[blockIdx.x * 64 + t] = t; // expect-race(intra-block)
  for (int k = 0; k < 2; k++) {
    sum += a[(blockIdx.x ^ k) * 64 + 63 - t]; // expect-race(intra-block)
    cg::this_cluster().sync();
  }
  out[blockIdx.x * 64 + t] = sum;
}

template <bool waits> __device__ void remote(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  auto cluster = cg::this_cluster();
  s[t] = t; // expect-race(inter-block)
  if (waits)
    cluster.sync();
  else
    __syncthreads();
  out[blockIdx.x * 64 + t] = cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[t]; // expect-race(inter-block)
  cluster.sync();
}
__cluster_dims__(2, 1, 1) __global__ void remote_ok(int *out) { remote<true>(out); } // expect-clean
__cluster_dims__(2, 1, 1) __global__ void remote_bad(int *out) { remote<false>(out); }

int main() {
  int *a, *out;
  cudaMalloc((void **)&a, 1 << 16);
  cudaMalloc((void **)&out, 1 << 16);
  own_ok<<<64, 64>>>(out);
  own_bad<<<64, 64>>>(out);
  far_bad<<<64, 64>>>(a, out);
  before_bad<<<64, 64>>>(a, out);
  turns_ok<<<64, 64>>>(a, out);
  turns_bad<<<64, 64>>>(a, out);
  near_ok<<<64, 64>>>(a, out);
  remote_ok<<<64, 64>>>(out);
  remote_bad<<<64, 64>>>(out);
  return 0;
}
