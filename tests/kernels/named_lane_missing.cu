// A warp operation waits for each lane that its mask names, but for those that have left the kernel. A lane that goes round it to work that
// others do behind it, or to a barrier, never comes: the operation has no meaning then.
// odd: odd lanes alone at a warp barrier of all (bad), of the odd ones (ok). ballot: half of the lanes vote (bad: of all, ok: of themselves).
// tail: what is behind the end goes round the vote (bad), or brings nothing to it (ok). left: it leaves the kernel, and counts as come (ok).
// warps: the second stage of a sum is made by as many lanes as there are warps (bad), by a whole warp (ok): the others wait for all.
// arms: lanes at two different operations (bad), at two barriers of one warp, which are one (ok). turns: even and odd ones, one after the other
// (ok). data: memory says who comes (bad: possible), and who is named (ok). tiles: half of a tile (bad), every second tile (ok).
// strided: a loop by all lanes, which some leave before others (bad: in the fourth round), or all together (ok). counted: likewise for any n
// (bad), for a multiple of 32 (ok), for rounds that are the block's (based, ok). rounds: who goes round it waits for all in the same round (bad);
// the branch is one of whole warps (ok). small: the block has no other lanes (ok).
//@ verdict odd_bad: race-free
//@ verdict odd_ok: race-free
//@ verdict ballot_bad: race-free
//@ verdict ballot_ok: race-free
//@ verdict tail_bad: race-free
//@ verdict tail_ok: race-free
//@ verdict left_ok: race-free
//@ verdict warps_bad: race-free
//@ verdict warps_ok: race-free
//@ verdict arms_bad: race-free
//@ verdict arms_ok: race-free
//@ verdict turns_ok: race-free
//@ verdict data_bad: race-free
//@ verdict data_ok: race-free
//@ verdict tiles_bad: race-free
//@ verdict tiles_ok: race-free
//@ verdict strided_bad: race-free
//@ verdict strided_ok: race-free
//@ verdict counted_bad: race-free
//@ verdict counted_ok: race-free
//@ verdict based_ok: race-free
//@ verdict rounds_bad: race-free
//@ verdict rounds_ok: race-free
//@ verdict small_ok: race-free
#include <cooperative_groups.h>
#include <cstdlib>

namespace cg = cooperative_groups;

__global__ void odd_bad(int *out) {
  if (threadIdx.x & 1) __syncwarp(); // expect-divergence {{definite cause=named-lane-missing}}
  out[threadIdx.x] = threadIdx.x;
}
__global__ void odd_ok(int *out) { // expect-clean
  if (threadIdx.x & 1) __syncwarp(0xaaaaaaaa);
  out[threadIdx.x] = threadIdx.x;
}

__global__ void ballot_bad(int *out, const int *in) {
  unsigned votes = 0;
  if (threadIdx.x < 16) votes = __ballot_sync(0xffffffff, in[threadIdx.x] > 0); // expect-divergence {{definite cause=named-lane-missing}}
  out[threadIdx.x] = votes;
}
__global__ void ballot_ok(int *out, const int *in) { // expect-clean
  unsigned votes = 0;
  if (threadIdx.x < 16) votes = __ballot_sync(0x0000ffff, in[threadIdx.x] > 0);
  out[threadIdx.x] = votes;
}

__global__ void tail_bad(int *total, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
  if (i < n) count = __popc(__ballot_sync(0xffffffff, in[i] > 0)); // expect-divergence {{definite cause=named-lane-missing}}
  atomicAdd(total, count);
}
__global__ void tail_ok(int *total, const int *in, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count = __popc(__ballot_sync(0xffffffff, i < n && in[i] > 0));
  atomicAdd(total, count);
}
__global__ void left_ok(int *total, const int *in, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count = __popc(__ballot_sync(0xffffffff, in[i] > 0));
  atomicAdd(total, count);
}

__device__ float sum_of_warp(float x) {
  for (int d = 16; d > 0; d /= 2)
    x += __shfl_down_sync(0xffffffff, x, d);
  return x;
}
__global__ void warps_bad(float *out, const float *in) {
  __shared__ float sums[32], total;
  float x = sum_of_warp(in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < blockDim.x / 32) {
    x = sums[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
      x += __shfl_down_sync(0xffffffff, x, d); // expect-divergence {{definite cause=named-lane-missing}}
    if (threadIdx.x == 0) total = x;
  }
  __syncthreads();
  out[threadIdx.x] = total;
}
__global__ void warps_ok(float *out, const float *in) { // expect-clean
  __shared__ float sums[32], total;
  float x = sum_of_warp(in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    x = sum_of_warp(threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0);
    if (threadIdx.x == 0) total = x;
  }
  __syncthreads();
  out[threadIdx.x] = total;
}

__global__ void arms_bad(int *out) {
  int x;
  if (threadIdx.x < 16)
    x = __shfl_sync(0xffffffff, threadIdx.x, 3); // expect-divergence {{definite cause=named-lane-missing}}
  else
    x = __any_sync(0xffffffff, threadIdx.x > 20); // told with the other one
  out[threadIdx.x] = x;
}
__global__ void arms_ok(int *out) { // expect-clean
  if (threadIdx.x < 16) {
    __syncwarp();
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    __syncwarp();
  }
  out[threadIdx.x + 32] = threadIdx.x;
}
__global__ void turns_ok(int *out) { // expect-clean
  if (threadIdx.x & 1) __syncwarp();
  out[threadIdx.x] = threadIdx.x;
  if (!(threadIdx.x & 1)) __syncwarp();
  out[threadIdx.x + 32] = threadIdx.x;
}

__global__ void data_bad(int *out, const int *in) {
  int x = in[threadIdx.x];
  if (x > 0) x = __shfl_sync(0xffffffff, x, 0); // expect-divergence {{possible cause=named-lane-missing}}
  out[threadIdx.x] = x;
}
__global__ void data_ok(int *out, const int *in) { // expect-clean
  int x = in[threadIdx.x];
  unsigned mask = __ballot_sync(0xffffffff, x > 0);
  if (x > 0) x = __shfl_sync(mask, x, __ffs(mask) - 1);
  out[threadIdx.x] = x;
}

__global__ void tiles_bad(int *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  if (threadIdx.x % 8 < 4) tile.sync(); // expect-divergence {{definite cause=named-lane-missing}}
  out[threadIdx.x] = threadIdx.x;
}
__global__ void tiles_ok(int *out) { // expect-clean
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  if (threadIdx.x % 16 < 8) tile.sync();
  out[threadIdx.x] = threadIdx.x;
}

__global__ void strided_bad(int *out, const int *in, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    sum += __shfl_xor_sync(0xffffffff, in[i], 1); // expect-divergence {{definite cause=named-lane-missing}}
  out[threadIdx.x] = sum;
}
__global__ void strided_ok(int *out, const int *in, int n) { // expect-clean
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    sum += __shfl_xor_sync(0xffffffff, in[i], 1);
  out[threadIdx.x] = sum;
}

__global__ void counted_bad(int *total, const int *in, int n) {
  int count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    count += __popc(__ballot_sync(0xffffffff, in[i] > 0)); // expect-divergence {{definite cause=named-lane-missing}}
  atomicAdd(total, count);
}
__global__ void counted_ok(int *total, const int *in, int n) { // expect-clean
  int count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    count += __popc(__ballot_sync(0xffffffff, in[i] > 0));
  atomicAdd(total, count);
}
__global__ void based_ok(int *total, const int *in, int n) { // expect-clean
  int count = 0;
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    int i = base + threadIdx.x;
    count += __popc(__ballot_sync(0xffffffff, i < n && in[i] > 0));
  }
  atomicAdd(total, count);
}

__global__ void rounds_bad(int *out, int n) {
  int x = threadIdx.x;
  for (int r = 0; r < n; r++) {
    if (threadIdx.x % 32 < 16) x += __shfl_down_sync(0xffffffff, x, 1); // expect-divergence {{definite cause=named-lane-missing}}
    __syncthreads();
    out[r * 64 + threadIdx.x] = x;
  }
}
__global__ void rounds_ok(int *out, int n) { // expect-clean
  int x = threadIdx.x;
  for (int r = 0; r < n; r++) {
    if (threadIdx.x < 32) x += __shfl_down_sync(0xffffffff, x, 1);
    __syncthreads();
    out[r * 64 + threadIdx.x] = x;
  }
}

__global__ void small_ok(int *out) { // expect-clean
  int x = threadIdx.x;
  if (threadIdx.x < 20) x = __shfl_down_sync(0xffffffff, x, 1);
  out[threadIdx.x] = x;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), *out, *in;
  float *sums, *values;
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&sums, 1 << 20);
  cudaMalloc(&values, 1 << 20);
  odd_bad<<<1, 32>>>(out);
  odd_ok<<<1, 32>>>(out);
  ballot_bad<<<1, 32>>>(out, in);
  ballot_ok<<<1, 32>>>(out, in);
  tail_bad<<<4, 256>>>(out, in, 1000);
  tail_ok<<<4, 256>>>(out, in, 1000);
  left_ok<<<4, 256>>>(out, in, 1000);
  warps_bad<<<1, 256>>>(sums, values);
  warps_ok<<<1, 256>>>(sums, values);
  arms_bad<<<1, 32>>>(out);
  arms_ok<<<1, 32>>>(out);
  turns_ok<<<1, 32>>>(out);
  data_bad<<<1, 32>>>(out, in);
  data_ok<<<1, 32>>>(out, in);
  tiles_bad<<<1, 64>>>(out);
  tiles_ok<<<1, 64>>>(out);
  strided_bad<<<1, 32>>>(out, in, 100);
  strided_ok<<<1, 32>>>(out, in, 96);
  counted_bad<<<32, 256>>>(out, in, n);
  counted_ok<<<32, 256>>>(out, in, n * 32);
  based_ok<<<32, 256>>>(out, in, n);
  rounds_bad<<<1, 64>>>(out, 4);
  rounds_ok<<<1, 64>>>(out, 4);
  small_ok<<<1, 20>>>(out);
  cudaDeviceSynchronize();
}
