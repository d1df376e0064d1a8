// Barriers that are objects in memory are not followed: what may be ordered by one is neither proved nor called a race.
// whole: all threads of the block arrive and wait between writing and reading (ok). before: the read comes before it (bad).
// pipeline: a stage handed from thread to thread through a pipeline that the block shares (ok).
//@ verdict whole_ok: race-free
//@ verdict before_bad: racy
//@ verdict pipeline_ok: race-free
//@ known-undecided whole_ok: who arrives at a barrier object is not followed
//@ known-undecided pipeline_ok: shared pipelines are not followed
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

__global__ void whole_ok(int *out) { // expect-clean
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
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
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  s[t] = t;                             // expect-race {{-Wintra-block-race}}
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
  barrier.arrive_and_wait();
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

int main() {
  int *in, *out;
  cudaMalloc((void **)&in, 4096);
  cudaMalloc((void **)&out, 4096);
  whole_ok<<<8, 64>>>(out);
  before_bad<<<8, 64>>>(out);
  pipeline_ok<<<8, 64>>>(in, out);
  return 0;
}
