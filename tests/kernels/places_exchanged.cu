// Places that lanes, words and counters hand out, each one once. Each kernel stores once per thread; in the bad twins two threads come to one element.
//   bytes: distinct bytes of one word, by __byte_perm. half: the neighbour's number within the lower half of a warp, by a shuffle (the twin: of the
//   lane's pair, for both). turn: the number of the lane that is 3 away in a tile of 8 (the twin: of lane 3). inc: tickets of atomicInc that does not
//   come round (the twin: it comes round after 32). swap: who finds zero in a word that each swaps is one thread (the twin: it is set to zero). bit: who takes
//   the only bit out (the twin: who finds that another bit is set).
//@ verdict bytes_ok: race-free
//@ known-false-alarm bytes_ok: what bytes __byte_perm picks is a function that is not looked into
//@ verdict bytes_bad: racy
//@ verdict half_ok: race-free
//@ verdict half_bad: racy
//@ verdict turn_ok: race-free
//@ verdict turn_bad: racy
//@ verdict inc_ok: race-free
//@ known-false-alarm inc_ok: what atomicInc gives is not taken for numbers that differ
//@ verdict inc_bad: racy
//@ verdict swap_ok: race-free
//@ verdict swap_bad: racy
//@ verdict bit_ok: race-free
//@ verdict bit_bad: racy
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void bytes_ok(int *o) { o[__byte_perm(0x03020100u, 0, threadIdx.x) & 0xff] = threadIdx.x; } // 4 threads // expect-clean
__global__ void bytes_bad(int *o) { o[__byte_perm(0x03020000u, 0, threadIdx.x) & 0xff] = threadIdx.x; } // expect-race
__global__ void half_ok(int *o) { // expect-clean
  if (threadIdx.x < 16) o[__shfl_sync(0xffff, threadIdx.x, threadIdx.x ^ 1)] = threadIdx.x;
}
__global__ void half_bad(int *o) {
  if (threadIdx.x < 16) o[__shfl_sync(0xffff, threadIdx.x, threadIdx.x & 14)] = threadIdx.x; // expect-race
}
__global__ void turn_ok(int *o) { // expect-clean
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  o[tile.shfl(threadIdx.x, tile.thread_rank() ^ 3)] = threadIdx.x;
}
__global__ void turn_bad(int *o) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  o[tile.shfl(threadIdx.x, tile.thread_rank() & 3)] = threadIdx.x; // expect-race
}
__global__ void inc_ok(unsigned *c, int *o) { o[atomicInc(c, 63)] = threadIdx.x; } // expect-clean
__global__ void inc_bad(unsigned *c, int *o) { o[atomicInc(c, 31)] = threadIdx.x; } // expect-race
__global__ void swap_ok(unsigned *c, int *o) { // expect-clean
  if (atomicExch(c, threadIdx.x + 1) == 0) o[0] = threadIdx.x;
}
__global__ void swap_bad(unsigned *c, int *o) {
  if (atomicExch(c, 0) == 0) o[0] = threadIdx.x; // expect-race
}
__global__ void bit_ok(unsigned *c, int *o) { // expect-clean
  if (atomicAnd(c, ~1u) & 1u) o[0] = threadIdx.x;
}
__global__ void bit_bad(unsigned *c, int *o) {
  if (atomicAnd(c, ~1u) & 2u) o[0] = threadIdx.x; // expect-race
}

int main() {
  int *o;
  unsigned *c;
  cudaMalloc(&o, 4096);
  cudaMalloc(&c, 4);
  unsigned three = 3;
  bytes_ok<<<1, 4>>>(o);
  bytes_bad<<<1, 4>>>(o);
  half_ok<<<1, 32>>>(o);
  half_bad<<<1, 32>>>(o);
  turn_ok<<<1, 32>>>(o);
  turn_bad<<<1, 32>>>(o);
  cudaMemset(c, 0, 4);
  inc_ok<<<1, 64>>>(c, o);
  cudaMemset(c, 0, 4);
  inc_bad<<<1, 64>>>(c, o);
  cudaMemset(c, 0, 4);
  swap_ok<<<1, 64>>>(c, o);
  cudaMemset(c, 0, 4);
  swap_bad<<<1, 64>>>(c, o);
  cudaMemcpy(c, &three, 4, cudaMemcpyHostToDevice);
  bit_ok<<<1, 64>>>(c, o);
  cudaMemcpy(c, &three, 4, cudaMemcpyHostToDevice);
  bit_bad<<<1, 64>>>(c, o);
  cudaDeviceSynchronize();
}
