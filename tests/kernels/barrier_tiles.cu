// A barrier object for each tile of the block, chosen by the thread's number.
// warp: one for each warp (ok), the other warp's data are read (bad). half: one for every 64 threads, in rounds with a second wait
// behind the reading (ok), without it (bad). some: only the first two warps use theirs (ok). count: set up for fewer than a tile
// has (bad). map: chosen so that a warp's lanes use different ones (bad). ways: lanes of a warp wait at two places (bad).
// copy: a copy completes on the object of the own warp (ok), of the other (bad). lead: the first thread of a tile sets up its object (ok).
// pipe: a pipeline for each tile of 32 (ok), the data of another tile (bad), read before the stage is there (early).
// other: of two objects of the whole block, one is set up: that is used (ok), the other (open).
// leave: half of the block leaves its object by arrive_and_drop, the rest goes on with it (ok), whoever leaves writes behind that
// (bad). thin: in rounds, one thread less in each (ok), without the second wait (bad).
//@ verdict leave_ok: race-free
//@ verdict leave_bad: racy
//@ verdict thin_ok: race-free
//@ verdict thin_bad: racy
//@ verdict warp_ok: race-free
//@ verdict warp_bad: racy
//@ verdict half_ok: race-free
//@ verdict half_bad: racy
//@ verdict some_ok: race-free
//@ verdict count_bad: racy
//@ verdict map_bad: racy
//@ verdict ways_bad: racy
//@ verdict copy_ok: race-free
//@ verdict copy_bad: racy
//@ verdict lead_ok: race-free
//@ verdict pipe_ok: race-free
//@ verdict pipe_bad: racy
//@ verdict pipe_early: racy
//@ verdict other_ok: race-free
//@ verdict other_open: undecided
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
typedef cuda::barrier<cuda::thread_scope_block> Barrier;

__global__ void warp_ok(int *out) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  int t = threadIdx.x;
  if (t < 4)
    init(&bars[t], 32);
  __syncthreads();
  s[t] = t;
  bars[t / 32].arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 31];
}

__global__ void warp_bad(int *out) {
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  int t = threadIdx.x;
  if (t < 4)
    init(&bars[t], 32);
  __syncthreads();
  s[t] = t; // expect-race {{cause=wrong-group}}
  bars[t / 32].arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 32]; // expect-race
}

__global__ void half_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier bars[2];
  int t = threadIdx.x, sum = 0;
  if (t < 2)
    init(&bars[t], 64);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[t] = i + t;
    bars[t / 64].arrive_and_wait();
    sum += s[t ^ 63];
    bars[t / 64].arrive_and_wait();
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void half_bad(int *out, int n) {
  __shared__ int s[128];
  __shared__ Barrier bars[2];
  int t = threadIdx.x, sum = 0;
  if (t < 2)
    init(&bars[t], 64);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[t] = i + t; // expect-race {{cause=missing-barrier}}
    bars[t / 64].arrive_and_wait();
    sum += s[t ^ 63]; // expect-race
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void some_ok(int *out) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  int t = threadIdx.x;
  if (t < 4)
    init(&bars[t], 32);
  __syncthreads();
  if (t / 32 < 2) {
    s[t] = t;
    bars[t / 32].arrive_and_wait();
    out[blockIdx.x * 128 + t] = s[t ^ 31];
  }
}

__global__ void count_bad(int *out) {
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  int t = threadIdx.x;
  if (t < 4)
    init(&bars[t], 16);
  __syncthreads();
  s[t] = t; // expect-race
  bars[t / 32].arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 31]; // expect-race
}

__global__ void map_bad(int *out) {
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  int t = threadIdx.x;
  if (t < 4)
    init(&bars[t], 32);
  __syncthreads();
  s[t] = t; // expect-race
  bars[t % 4].arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 31]; // expect-race
}

__global__ void ways_bad(int *out) {
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  int t = threadIdx.x;
  if (t < 4)
    init(&bars[t], 32);
  __syncthreads();
  if (t % 32 < 16) {
    bars[t / 32].arrive_and_wait();
    s[t] = t; // expect-race
  } else {
    bars[t / 32].arrive_and_wait();
    out[blockIdx.x * 128 + t] = s[t - 16]; // expect-race
  }
}

__global__ void copy_ok(int *out, const int *in) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  int t = threadIdx.x;
  if (t < 4)
    init(&bars[t], 32);
  __syncthreads();
  cuda::memcpy_async(&s[t], &in[t], sizeof(int), bars[t / 32]);
  bars[t / 32].arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 31];
}

__global__ void copy_bad(int *out, const int *in) {
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  int t = threadIdx.x;
  if (t < 4)
    init(&bars[t], 32);
  __syncthreads();
  cuda::memcpy_async(&s[t], &in[t], sizeof(int), bars[t / 32 ^ 1]); // expect-race {{cause=missing-async-wait}}
  bars[t / 32].arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 31]; // expect-race
}

__global__ void lead_ok(int *out, const int *in) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier bars[4];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  Barrier *bar = &bars[tile.meta_group_rank()];
  int t = threadIdx.x;
  if (tile.thread_rank() == 0)
    init(bar, tile.size());
  __syncthreads();
  cuda::memcpy_async(tile, s + t / 32 * 32, in, 32 * sizeof(int), *bar);
  bar->arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 31];
}

__global__ void pipe_ok(int *out, const int *in) { // expect-clean
  __shared__ int s[128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> states[4];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x, warp = t / 32;
  auto pipe = cuda::make_pipeline(tile, &states[warp]);
  pipe.producer_acquire();
  cuda::memcpy_async(tile, s + warp * 32, in + warp * 32, 128, pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 31];
  pipe.consumer_release();
}

__global__ void pipe_bad(int *out, const int *in) {
  __shared__ int s[128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> states[4];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x, warp = t / 32;
  auto pipe = cuda::make_pipeline(tile, &states[warp]);
  pipe.producer_acquire();
  cuda::memcpy_async(tile, s + warp * 32, in + warp * 32, 128, pipe); // expect-race {{cause=wrong-group}}
  pipe.producer_commit();
  pipe.consumer_wait();
  out[blockIdx.x * 128 + t] = s[t ^ 32]; // expect-race
  pipe.consumer_release();
}

__global__ void pipe_early(int *out, const int *in) {
  __shared__ int s[128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> states[4];
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x, warp = t / 32;
  auto pipe = cuda::make_pipeline(tile, &states[warp]);
  pipe.producer_acquire();
  cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe); // expect-race {{cause=missing-async-wait}}
  pipe.producer_commit();
  out[blockIdx.x * 128 + t] = s[t]; // expect-race
  pipe.consumer_wait();
  pipe.consumer_release();
}

__global__ void other_ok(int *out) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier bars[2];
  int t = threadIdx.x;
  if (t == 0)
    init(&bars[1], blockDim.x);
  __syncthreads();
  s[t] = t;
  bars[1].arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[127 - t];
}

__global__ void other_open(int *out) {
  __shared__ int s[128];
  __shared__ Barrier bars[2];
  int t = threadIdx.x;
  if (t == 0)
    init(&bars[1], blockDim.x);
  __syncthreads();
  s[t] = t;
  bars[0].arrive_and_wait();
  out[blockIdx.x * 128 + t] = s[127 - t];
}

__global__ void leave_ok(int *out) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier bar;
  int t = threadIdx.x;
  if (t == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  s[t] = t;
  if (t >= 64) {
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  int x = s[127 - t];
  bar.arrive_and_wait();
  s[t] = x;
  bar.arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void leave_bad(int *out) {
  __shared__ int s[128];
  __shared__ Barrier bar;
  int t = threadIdx.x;
  if (t == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  if (t >= 64) {
    bar.arrive_and_drop();
    s[t] = t; // expect-race
    return;
  }
  bar.arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[127 - t]; // expect-race
}

__global__ void thin_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier bar;
  int t = threadIdx.x, sum = 0;
  if (t == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[t] = i;
    if (t >= 127 - i) {
      bar.arrive_and_drop();
      return;
    }
    bar.arrive_and_wait();
    sum += s[t + 1];
    bar.arrive_and_wait();
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void thin_bad(int *out, int n) {
  __shared__ int s[128];
  __shared__ Barrier bar;
  int t = threadIdx.x, sum = 0;
  if (t == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[t] = i; // expect-race
    if (t >= 127 - i) {
      bar.arrive_and_drop();
      return;
    }
    bar.arrive_and_wait();
    sum += s[t + 1]; // expect-race
  }
  out[blockIdx.x * 128 + t] = sum;
}

int main() {
  int *out, *in;
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&in, 1 << 20);
  warp_ok<<<4, 128>>>(out);
  warp_bad<<<4, 128>>>(out);
  half_ok<<<4, 128>>>(out, 9);
  half_bad<<<4, 128>>>(out, 9);
  some_ok<<<4, 128>>>(out);
  count_bad<<<4, 128>>>(out);
  map_bad<<<4, 128>>>(out);
  ways_bad<<<4, 128>>>(out);
  copy_ok<<<4, 128>>>(out, in);
  copy_bad<<<4, 128>>>(out, in);
  lead_ok<<<4, 128>>>(out, in);
  pipe_ok<<<4, 128>>>(out, in);
  pipe_bad<<<4, 128>>>(out, in);
  pipe_early<<<4, 128>>>(out, in);
  other_ok<<<4, 128>>>(out);
  leave_ok<<<4, 128>>>(out);
  leave_bad<<<4, 128>>>(out);
  thin_ok<<<4, 128>>>(out, 9);
  thin_bad<<<4, 128>>>(out, 9);
  other_open<<<4, 128>>>(out);
}
