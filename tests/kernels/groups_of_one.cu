// this_thread() is a group of one: it waits for copies of its own alone. Each thread reads what it copied itself (ok), or
// what another one did, with no barrier of both (bad).
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//   The same group as a tile that is passed on: rank, sizes, and a sync() that orders nobody.
//@ verdict passed_ok: race-free
//@ verdict passed_bad: racy
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void copied_ok(const int *in, int *out) { // expect-clean
  __shared__ int part[64];
  auto me = cg::this_thread();
  cg::memcpy_async(me, part + threadIdx.x, in + threadIdx.x, sizeof(int));
  cg::wait(me);
  out[threadIdx.x] = part[threadIdx.x];
}

__global__ void copied_bad(const int *in, int *out) {
  __shared__ int part[64];
  auto me = cg::this_thread();
  cg::memcpy_async(me, part + threadIdx.x, in + threadIdx.x, sizeof(int)); // expect-race[other]
  cg::wait(me);
  out[threadIdx.x] = part[threadIdx.x ^ 32]; // expect-race[other]
}

__device__ int place_of(const cg::thread_block_tile<1> &group) {
  group.sync();
  return group.thread_rank() + group.meta_group_rank() + group.size() * group.meta_group_size();
}

__global__ void passed_ok(int *out) { // expect-clean
  out[place_of(cg::this_thread()) - 1 + threadIdx.x] = threadIdx.x;
}

__global__ void passed_bad(int *out) {
  out[place_of(cg::this_thread()) - 1 + threadIdx.x] = threadIdx.x; // expect-race[around]
  cg::this_thread().sync();
  out[64 + threadIdx.x] = out[threadIdx.x ^ 1]; // expect-race[around]
}

int main() {
  int *in, *out;
  cudaMalloc((void **)&in, 64 * sizeof(int));
  cudaMalloc((void **)&out, 128 * sizeof(int));
  copied_ok<<<1, 64>>>(in, out);
  copied_bad<<<1, 64>>>(in, out);
  passed_ok<<<1, 64>>>(out);
  passed_bad<<<1, 64>>>(out);
}
