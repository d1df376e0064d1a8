// Who reads before the wait of a copy has forgotten that wait, whatever the copy completes on: the cause is the missing wait, not a
// missing barrier; behind the wait the barrier is what is missing.
// object: a copy of the block completes on a barrier object (ok), is read between arrival and wait (bad), is issued before it is known
// that the object is set up (early_bad). bulk: one thread issues a
// bulk copy (ok), some read before the phase is over (bad). stage: the same with a pipeline that the block shares (ok, bad).
// group: wait_prior<1> of cooperative groups leaves the only copy under way (bad), wait_prior<0> does not (ok).
// thread: each thread waits for its own copies, and no barrier follows (bad: missing-barrier), one follows (ok).
// last: two branches of one round on one condition, the copy and how many the wait leaves (ok); on two conditions, one
// of which holds once more (bad).
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
//@ verdict object_ok: race-free
//@ verdict object_bad: racy
//@ verdict object_early_bad: racy
//@ verdict bulk_ok: race-free
//@ verdict bulk_bad: racy
//@ verdict stage_ok: race-free
//@ verdict stage_bad: racy
//@ verdict group_ok: race-free
//@ verdict group_bad: racy
//@ verdict thread_ok: race-free
//@ verdict thread_bad: racy
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
namespace cde = cuda::device::experimental;
typedef cuda::barrier<cuda::thread_scope_block> Barrier;

__global__ void object_ok(int *out, const int *in) { // expect-clean
  __shared__ int s[128];
  __shared__ Barrier full;
  if (threadIdx.x == 0)
    init(&full, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), s, in, sizeof s, full);
  Barrier::arrival_token token = full.arrive();
  full.wait(std::move(token));
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void object_bad(int *out, const int *in) {
  __shared__ int s[128];
  __shared__ Barrier full;
  if (threadIdx.x == 0)
    init(&full, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), s, in, sizeof s, full); // expect-race {{cause=missing-async-wait}}
  Barrier::arrival_token token = full.arrive();
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x]; // expect-race
  full.wait(std::move(token));
}

__global__ void object_early_bad(int *out, const int *in) {
  __shared__ int s[128];
  __shared__ Barrier full;
  if (threadIdx.x == 0)
    init(&full, blockDim.x); // expect-race {{cause=set-up-not-awaited}}
  cuda::memcpy_async(cg::this_thread_block(), s, in, sizeof s, full); // expect-race
  __syncthreads();
  Barrier::arrival_token token = full.arrive();
  full.wait(std::move(token));
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void bulk_ok(int *out, const int *in) { // expect-clean
  __shared__ alignas(16) int s[128];
  __shared__ Barrier full;
  Barrier::arrival_token token;
  if (threadIdx.x == 0)
    init(&full, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_global_to_shared(s, in, 512, full);
    token = cuda::device::barrier_arrive_tx(full, 1, 512);
  } else {
    token = full.arrive();
  }
  full.wait(std::move(token));
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void bulk_bad(int *out, const int *in) {
  __shared__ alignas(16) int s[128];
  __shared__ Barrier full;
  Barrier::arrival_token token;
  if (threadIdx.x == 0)
    init(&full, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_global_to_shared(s, in, 512, full); // expect-race {{cause=missing-async-wait}}
    token = cuda::device::barrier_arrive_tx(full, 1, 512);
  } else {
    token = full.arrive();
  }
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x]; // expect-race
  full.wait(std::move(token));
}

__global__ void stage_ok(int *out, const int *in) { // expect-clean
  __shared__ int s[128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, s, in, sizeof s, pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
  pipe.consumer_release();
}

__global__ void stage_bad(int *out, const int *in) {
  __shared__ int s[128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, s, in, sizeof s, pipe); // expect-race {{cause=missing-async-wait}}
  pipe.producer_commit();
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x]; // expect-race
  pipe.consumer_wait();
  pipe.consumer_release();
}

__global__ void group_ok(int *out, const int *in) { // expect-clean
  __shared__ int s[128];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s);
  cg::wait_prior<0>(block);
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void group_bad(int *out, const int *in) {
  __shared__ int s[128];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s); // expect-race {{cause=missing-async-wait}}
  cg::wait_prior<1>(block);
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x]; // expect-race
}

__global__ void thread_ok(int *out, const int *in) { // expect-clean
  __shared__ int s[128];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void thread_bad(int *out, const int *in) {
  __shared__ int s[128];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe); // expect-race {{cause=missing-barrier}}
  pipe.producer_commit();
  pipe.consumer_wait();
  out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x]; // expect-race
}

__global__ void last_ok(int *out, const int *in, int n) { // expect-clean
  __shared__ int s[2][128];
  int t = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) {
      __pipeline_memcpy_async(&s[(i + 1) % 2][t], &in[(i + 1) * 128 + t], sizeof(int));
      __pipeline_commit();
    }
    if (i + 1 < n)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[i % 2][127 - t];
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void last_bad(int *out, const int *in, int n) {
  __shared__ int s[2][128];
  int t = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) {
      __pipeline_memcpy_async(&s[(i + 1) % 2][t], &in[(i + 1) * 128 + t], sizeof(int)); // expect-race {{cause=missing-async-wait}}
      __pipeline_commit();
    }
    if (i + 1 <= n)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[i % 2][127 - t]; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}

int main() {
  int *out, *in;
  cudaMalloc(&out, 1 << 20);
  cudaMalloc(&in, 1 << 20);
  last_ok<<<4, 128>>>(out, in, 9);
  last_bad<<<4, 128>>>(out, in, 9);
  object_ok<<<4, 128>>>(out, in);
  object_bad<<<4, 128>>>(out, in);
  object_early_bad<<<4, 128>>>(out, in);
  bulk_ok<<<4, 128>>>(out, in);
  bulk_bad<<<4, 128>>>(out, in);
  stage_ok<<<4, 128>>>(out, in);
  stage_bad<<<4, 128>>>(out, in);
  group_ok<<<4, 128>>>(out, in);
  group_bad<<<4, 128>>>(out, in);
  thread_ok<<<4, 128>>>(out, in);
  thread_bad<<<4, 128>>>(out, in);
}
