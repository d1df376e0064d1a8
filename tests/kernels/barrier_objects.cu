// Barriers that are objects in shared memory (cuda::barrier). One that is set up for all threads of the block, before
// anybody uses it, and that each thread arrives at and waits for in turn, is a barrier of the block; what stands between
// arrival and wait is not ordered by it. What may be ordered by one that is not followed is neither proved nor called a race.
// whole: all threads arrive and wait between writing and reading (ok). before: the read comes before it (bad). try: the wait
// is a loop of tries (ok). split: work between arrival and wait (ok), the write there (bad). count: one arrival fewer than
// threads (bad). setup: nobody waits for the set-up (bad). single: one thread sets it up (ok). twice: a thread of each row does (bad). rounds: a
// barrier before and behind the reading in a loop (ok), only before it (bad). parity: waits by the parity of the round (ok),
// of the round before, which is over (bad). copy: asynchronous copies that complete on the barrier (ok), issued behind the
// arrival (bad). bulk: one thread's bulk copy, with its bytes announced (ok), not announced (bad: the phase may end before
// the copy). halves: the two halves of a barrier of the grid, the write before the first (ok), between them (bad).
// some: the writers only arrive, the readers only wait (ok; barrier_roles.cu has more of these). pipeline: a stage handed from
// thread to thread through a pipeline that the block shares (ok), read without waiting for it (bad), used again in rounds
// (rounds_ok; pipeline_stages.cu has more of these).
// leaves: a thread that only arrives writes before that (ok), behind it and never waits (bad).
// relaxed: the barrier of a cluster, whose arrival publishes nothing (open), or does as usual (cluster_ok).
// more: more arrivals are expected than the block has threads: nobody comes past the wait (open). bytes: fewer bytes are
// announced than the copy brings (open). several: half of the threads arrive for two (ok); the others do not arrive at all (bad).
// counted: the arrival of a thread's copies is one of those expected (noinc; ok); fewer are expected (bad).
// turn: two objects of the whole block in turn, on which copies of the next round complete (ok); the other one is waited for (bad).
//@ verdict turn_ok: race-free
//@ verdict turn_bad: racy
//@ verdict whole_ok: race-free
//@ rule whole_ok: barrier !phase
//@ verdict before_bad: racy
//@ verdict try_ok: race-free
//@ verdict split_ok: race-free
//@ verdict split_bad: racy
//@ verdict count_bad: racy
//@ verdict setup_bad: racy
//@ verdict single_ok: race-free
//@ verdict twice_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict parity_ok: race-free
//@ verdict parity_bad: racy
//@ verdict copy_ok: race-free
//@ verdict copy_bad: racy
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict bulk_ok: race-free
//@ verdict bulk_bad: racy
//@ verdict some_ok: race-free
//@ rule some_ok: phase
//@ verdict pipeline_ok: race-free
//@ verdict pipeline_bad: racy
//@ verdict pipeline_rounds_ok: race-free
//@ verdict leaves_ok: race-free
//@ verdict leaves_bad: racy
//@ verdict cluster_ok: race-free
//@ verdict relaxed_open: undecided
//@ verdict more_open: undecided
//@ verdict bytes_open: undecided
//@ verdict several_ok: race-free
//@ verdict several_bad: racy
//@ verdict counted_ok: race-free
//@ verdict counted_bad: racy
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void whole_ok(int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  s[t] = t;
  barrier.arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void before_bad(int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  s[t] = t;                             // expect-race {{-Wintra-block-race}}
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
  barrier.arrive_and_wait();
}

__global__ void try_ok(int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  s[t] = t;
  auto token = barrier.arrive();
  while (!barrier.try_wait(std::move(token))) {}
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void split_ok(int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  s[t] = t;
  auto token = barrier.arrive();
  int mine = out[blockIdx.x * 64 + t];
  barrier.wait(std::move(token));
  out[blockIdx.x * 64 + t] = s[63 - t] + mine;
}

__global__ void split_bad(int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  auto token = barrier.arrive();
  s[t] = t; // expect-race {{cause=behind-arrival}}
  barrier.wait(std::move(token));
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
}

__global__ void count_bad(int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x - 1);
  __syncthreads();
  s[t] = t; // expect-race {{cause=incomplete-arrival}}
  barrier.arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
}

__global__ void setup_bad(int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x); // expect-race {{cause=set-up-not-awaited}}
  s[t] = t;
  barrier.arrive_and_wait(); // expect-race
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void rounds_ok(int *out, int n) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[t] = t + i;
    barrier.arrive_and_wait();
    sum += s[63 - t];
    barrier.arrive_and_wait();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void rounds_bad(int *out, int n) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[t] = t + i; // expect-race
    barrier.arrive_and_wait();
    sum += s[63 - t]; // expect-race
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void parity_ok(int *out, int n) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[i & 1][t] = t + i;
    (void)barrier.arrive();
    barrier.wait_parity(i & 1);
    sum += s[i & 1][63 - t];
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void parity_bad(int *out, int n) {
  __shared__ block_barrier barrier;
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    s[i & 1][t] = t + i; // expect-race {{cause=incomplete-arrival}}
    (void)barrier.arrive();
    barrier.wait_parity((i + 1) & 1);
    sum += s[i & 1][63 - t]; // expect-race
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void copy_ok(const int *in, int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&s[t], &in[blockIdx.x * 64 + t], sizeof(int), barrier);
  barrier.arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void copy_bad(const int *in, int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  auto token = barrier.arrive();
  cuda::memcpy_async(&s[t], &in[blockIdx.x * 64 + t], sizeof(int), barrier); // expect-race {{cause=missing-async-wait}}
  barrier.wait(std::move(token));
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
}

__global__ void bulk_ok(const int *in, int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ alignas(128) int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  block_barrier::arrival_token token;
  if (t == 0) {
    cuda::device::memcpy_async_tx(s, in + blockIdx.x * 64, cuda::aligned_size_t<16>(sizeof s), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof s);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void bulk_bad(const int *in, int *out) {
  __shared__ block_barrier barrier;
  __shared__ alignas(128) int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  block_barrier::arrival_token token;
  if (t == 0) {
    cuda::device::memcpy_async_tx(s, in + blockIdx.x * 64, cuda::aligned_size_t<16>(sizeof s), barrier); // expect-race {{definite cause=missing-async-wait}}
  }
  token = barrier.arrive();
  barrier.wait(std::move(token));
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
}

__global__ void single_ok(int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.y * 8 + threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x * blockDim.y);
  __syncthreads();
  s[t] = t;
  barrier.arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

// The count is the same, and setting up an object that is set up is undefined all the same.
__global__ void twice_bad(int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.y * 8 + threadIdx.x;
  if (threadIdx.x == 0) init(&barrier, blockDim.x * blockDim.y); // expect-race {{definite cause=missing-barrier}}
  __syncthreads();
  s[t] = t;
  barrier.arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void some_ok(int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t == 0) init(&barrier, 32);
  __syncthreads();
  if (t < 32) {
    s[t] = t;
    (void)barrier.arrive();
  } else {
    barrier.wait_parity(0);
    out[blockIdx.x * 32 + t - 32] = s[63 - t];
  }
}

__global__ void pipeline_ok(const int *in, int *out) { // expect-clean
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  __shared__ int s[64];
  int t = threadIdx.x;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  pipe.producer_acquire();
  cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[blockIdx.x * 64 + t] = s[63 - t];
  pipe.consumer_release();
}

__global__ void pipeline_bad(const int *in, int *out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  __shared__ int s[64];
  int t = threadIdx.x;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  pipe.producer_acquire();
  cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe); // expect-race {{-Wintra-block-race}}
  pipe.producer_commit();
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
  pipe.consumer_release();
}

__global__ void pipeline_rounds_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  for (int i = 0; i < n; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[t], &in[i * 64 + t], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    sum += s[63 - t];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void halves_ok(int *a, int *out) { // expect-clean
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  auto grid = cooperative_groups::this_grid();
  a[at] = at;
  auto token = grid.barrier_arrive();
  grid.barrier_wait(std::move(token));
  out[at] = a[other];
}

__global__ void halves_bad(int *a, int *out) {
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  auto grid = cooperative_groups::this_grid();
  auto token = grid.barrier_arrive();
  a[at] = at; // expect-race {{cause=behind-arrival}}
  grid.barrier_wait(std::move(token));
  out[at] = a[other]; // expect-race
}

__global__ void leaves_ok(int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, 64);
  __syncthreads();
  if (t < 32) {
    s[t] = t;
    (void)barrier.arrive();
  } else {
    barrier.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[63 - t];
  }
}

__global__ void leaves_bad(int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, 64);
  __syncthreads();
  if (t < 32) {
    (void)barrier.arrive();
    s[t] = t; // expect-race {{definite}}
  } else {
    barrier.arrive_and_wait();
    out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
  }
}

__global__ void cluster_ok(int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void relaxed_open(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("barrier.cluster.arrive.relaxed;\n\tbarrier.cluster.wait;" ::: "memory");
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void more_open(int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, 65); // expect-misuse {{endless-wait}}
  __syncthreads();
  s[t] = t;
  barrier.arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void bytes_open(const int *in, int *out) {
  __shared__ block_barrier barrier;
  __shared__ alignas(16) int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, 64);
  __syncthreads();
  block_barrier::arrival_token token;
  if (t == 0) {
    cuda::device::memcpy_async_tx(s, in, cuda::aligned_size_t<16>(256), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, 64);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void several_ok(int *out) { // expect-clean
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, 64);
  __syncthreads();
  if (t < 32) {
    s[t] = t;
    barrier.wait(barrier.arrive(2));
    out[blockIdx.x * 64 + t] = s[31 - t];
  }
}

__global__ void several_bad(int *out) {
  __shared__ block_barrier barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, 64);
  __syncthreads();
  s[t] = t; // expect-race
  if (t < 32)
    barrier.wait(barrier.arrive(2));
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
}

template <int expected> __device__ void copies_arrive(const int *in, int *out) {
  __shared__ unsigned long long barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned object = (unsigned)__cvta_generic_to_shared(&barrier), to = (unsigned)__cvta_generic_to_shared(&s[t]);
  if (t == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(object), "r"(expected));
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + t)); // expect-race
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(object));
  asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra again; }" ::"r"(object));
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
}
__global__ void counted_ok(const int *in, int *out) { copies_arrive<64>(in, out); } // expect-clean
__global__ void counted_bad(const int *in, int *out) { copies_arrive<32>(in, out); }

template <int other> __device__ void in_turn(const int *in, int *out, int n) {
  __shared__ block_barrier barriers[2];
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  if (t < 2)
    init(&barriers[t], 64);
  __syncthreads();
  cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), barriers[0]); // expect-race {{cause=missing-async-wait}}
  for (int i = 0; i < n; i++) {
    if (i + 1 < n)
      cuda::memcpy_async(&s[(i + 1) % 2][t], &in[(i + 1) * 64 + t], sizeof(int), barriers[(i + 1) % 2]);
    barriers[(i + other) % 2].arrive_and_wait();
    sum += s[i % 2][63 - t]; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}
__global__ void turn_ok(const int *in, int *out, int n) { in_turn<0>(in, out, n); } // expect-clean
__global__ void turn_bad(const int *in, int *out, int n) { in_turn<1>(in, out, n); }

int main() {
  int *in, *out;
  cudaMalloc((void **)&in, 4096);
  cudaMalloc((void **)&out, 4096);
  whole_ok<<<8, 64>>>(out);
  before_bad<<<8, 64>>>(out);
  try_ok<<<8, 64>>>(out);
  split_ok<<<8, 64>>>(out);
  split_bad<<<8, 64>>>(out);
  count_bad<<<8, 64>>>(out);
  setup_bad<<<8, 64>>>(out);
  single_ok<<<8, dim3(8, 8)>>>(out);
  twice_bad<<<8, dim3(8, 8)>>>(out);
  rounds_ok<<<8, 64>>>(out, 5);
  rounds_bad<<<8, 64>>>(out, 5);
  parity_ok<<<8, 64>>>(out, 5);
  parity_bad<<<8, 64>>>(out, 5);
  copy_ok<<<8, 64>>>(in, out);
  copy_bad<<<8, 64>>>(in, out);
  bulk_ok<<<8, 64>>>(in, out);
  bulk_bad<<<8, 64>>>(in, out);
  some_ok<<<8, 64>>>(out);
  pipeline_ok<<<8, 64>>>(in, out);
  pipeline_bad<<<8, 64>>>(in, out);
  pipeline_rounds_ok<<<8, 64>>>(in, out, 5);
  void *args[] = {&out, &in};
  cudaMalloc((void **)&in, 4096);
  cudaLaunchCooperativeKernel((void *)halves_ok, dim3(8), dim3(64), args, 0, 0);
  cudaLaunchCooperativeKernel((void *)halves_bad, dim3(8), dim3(64), args, 0, 0);
  leaves_ok<<<8, 64>>>(out);
  leaves_bad<<<8, 64>>>(out);
  cluster_ok<<<8, 64>>>(out);
  relaxed_open<<<8, 64>>>(out);
  turn_ok<<<8, 64>>>(in, out, 8);
  turn_bad<<<8, 64>>>(in, out, 1);
  more_open<<<8, 64>>>(out);
  bytes_open<<<8, 64>>>(in, out);
  several_ok<<<8, 64>>>(out);
  several_bad<<<8, 64>>>(out);
  counted_ok<<<8, 64>>>(in, out);
  counted_bad<<<8, 64>>>(in, out);
  return 0;
}
