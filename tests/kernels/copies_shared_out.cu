// A copy that a group makes together is shared out among its threads in a way that is not specified: no thread knows that it copies its own element.
// own: a thread reads its own element behind its own wait; the group meets in between (ok), does not (bad).
// source: each thread writes an element that the group copies then; behind a barrier (ok), without one (bad).
// target: each thread reads its element before the group's copy overwrites it; a barrier between (ok), none (bad).
// on: as target, the copy completes on a barrier object. again: two copies to one place, the first is waited for (ok), is not (bad).
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict source_ok: race-free
//@ verdict source_bad: racy
//@ verdict target_ok: race-free
//@ verdict target_bad: racy
//@ verdict on_ok: race-free
//@ verdict on_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//   apart: each block copies its own shared memory to its own place (ok), to one place (bad). rows: two tiles copy two rows to two places (ok), to one (bad).
//   either: as rows, with a choice of two arrays in place of a table.
//@ verdict either_ok: race-free
//@ verdict either_bad: racy
//@ verdict apart_ok: race-free
//@ verdict apart_bad: racy
//@ verdict rows_ok: race-free
//@ leans rows_ok: A8
//@ verdict rows_bad: racy
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

template <bool MEETS> __device__ void own(const int *g, int *o) {
  __shared__ alignas(16) int s[128];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(block, s, g, sizeof(int) * 128, pipe); // expect-race[own]
  pipe.producer_commit();
  pipe.consumer_wait();
  if (MEETS) block.sync();
  o[threadIdx.x] = s[threadIdx.x]; // expect-race[own]
  pipe.consumer_release();
}
__global__ void own_ok(const int *g, int *o) { own<true>(g, o); } // expect-clean
__global__ void own_bad(const int *g, int *o) { own<false>(g, o); }

template <bool MEETS> __device__ void source(int *g, int *o) {
  __shared__ alignas(16) int s[128];
  auto block = cg::this_thread_block();
  int t = threadIdx.x;
  g[t] = o[t]; // expect-race[source]
  if (MEETS) block.sync();
  cg::memcpy_async(block, s, g, sizeof(int) * 128); // expect-race[source]
  cg::wait(block);
  o[t] = s[127 - t];
}
__global__ void source_ok(int *g, int *o) { source<true>(g, o); } // expect-clean
__global__ void source_bad(int *g, int *o) { source<false>(g, o); }

template <bool MEETS> __device__ void target(const int *g, int *o) {
  __shared__ alignas(16) int s[128];
  auto block = cg::this_thread_block();
  int t = threadIdx.x;
  s[t] = o[t];
  block.sync();
  o[t + 200] = s[t]; // expect-race[target]
  if (MEETS) block.sync();
  cg::memcpy_async(block, s, g, sizeof(int) * 128); // expect-race[target]
  cg::wait(block);
  o[t] = s[127 - t];
}
__global__ void target_ok(const int *g, int *o) { target<true>(g, o); } // expect-clean
__global__ void target_bad(const int *g, int *o) { target<false>(g, o); }

template <bool MEETS> __device__ void on(const int *g, int *o) {
  __shared__ alignas(16) int s[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  auto block = cg::this_thread_block();
  int t = threadIdx.x;
  if (t == 0) init(&b, 128);
  s[t] = o[t];
  block.sync();
  o[t + 200] = s[t]; // expect-race[on]
  if (MEETS) block.sync();
  cuda::memcpy_async(block, s, g, sizeof(int) * 128, b); // expect-race[on]
  b.arrive_and_wait();
  o[t] = s[127 - t];
}
__global__ void on_ok(const int *g, int *o) { on<true>(g, o); } // expect-clean
__global__ void on_bad(const int *g, int *o) { on<false>(g, o); }

template <bool WAITS> __device__ void again(const int *g, int *o) {
  __shared__ alignas(16) int s[128];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, s, g, sizeof(int) * 128); // expect-race[again]
  if (WAITS) cg::wait(block);
  cg::memcpy_async(block, s, g + 128, sizeof(int) * 128); // expect-race[again]
  cg::wait(block);
  o[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void again_ok(const int *g, int *o) { again<true>(g, o); } // expect-clean
__global__ void again_bad(const int *g, int *o) { again<false>(g, o); }

__device__ void apart(int *to) {
  __shared__ int s[64];
  auto block = cg::this_thread_block();
  s[threadIdx.x] = blockIdx.x;
  block.sync();
  cg::memcpy_async(block, to, s, sizeof s); // expect-race[apart]
  cg::wait(block);
}
__global__ void apart_ok(int *o) { apart(o + 64 * blockIdx.x); } // expect-clean
__global__ void apart_bad(int *o) { apart(o); }
__device__ void rows(int **r, int *o, int place) {
  __shared__ int s[128];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::memcpy_async(tile, s + place, r[threadIdx.x / 32], sizeof(int) * 64); // expect-race[rows]
  cg::wait(tile);
  __syncthreads();
  o[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void rows_ok(int **r, int *o) { rows(r, o, threadIdx.x / 32 * 64); } // expect-clean
__global__ void rows_bad(int **r, int *o) { rows(r, o, 0); }
__device__ void either(const int *g, const int *h, int *o, int place) {
  __shared__ int s[128];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int *from = threadIdx.x < 32 ? g : h + 64;
  cg::memcpy_async(tile, s + place, from, sizeof(int) * 64); // expect-race[either]
  cg::wait(tile);
  __syncthreads();
  o[threadIdx.x] = s[127 - threadIdx.x];
}
__global__ void either_ok(int *g, int *h, int *o) { either(g, h, o, threadIdx.x / 32 * 64); } // expect-clean
__global__ void either_bad(int *g, int *h, int *o) { either(g, h, o, 0); }

int main() {
  int **r;
  cudaMalloc(&r, 64);
  int *g, *o;
  cudaMalloc(&g, 4096);
  cudaMalloc(&o, 4096);
  own_ok<<<1, 128>>>(g, o);
  own_bad<<<1, 128>>>(g, o);
  source_ok<<<1, 128>>>(g, o);
  source_bad<<<1, 128>>>(g, o);
  target_ok<<<1, 128>>>(g, o);
  target_bad<<<1, 128>>>(g, o);
  on_ok<<<1, 128>>>(g, o);
  on_bad<<<1, 128>>>(g, o);
  again_ok<<<1, 128>>>(g, o);
  again_bad<<<1, 128>>>(g, o);
  apart_ok<<<4, 64>>>(o);
  apart_bad<<<4, 64>>>(o);
  rows_ok<<<1, 64>>>(r, o);
  rows_bad<<<1, 64>>>(r, o);
  int *h;
  cudaMalloc(&h, 4096);
  either_ok<<<1, 64>>>(g, h, o);
  either_bad<<<1, 64>>>(g, h, o);
}
