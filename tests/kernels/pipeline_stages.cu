// Pipelines that a block shares, with several stages and with roles. rounds: one stage, in rounds (ok); two stages and one buffer (bad).
// ahead: the next stage is filled before this one is taken (ok), given back before it is read (bad). guide: the loop of the
// programming guide, which fills as many stages as there are (ok), more stages than buffers (bad). roles: one warp
// fills, the other one takes (ok), gives back before it reads (bad). counted: the number of producers says who fills (ok).
// unacquired: filled without waiting for the stage. committed: handed over before it is filled.
// leave: the threads leave the pipeline when all stages are done (ok), when the last one has not been waited for (bad).
// three: the loop of the programming guide with three stages (ok), reads the next one (bad). last: the last stage is taken behind the loop (ok), read before it is waited for (bad).
// parted: a loop in which one part of the block fills up to one stage more than there are, the other part takes (ok), reads the stage
// behind the one it waited for (bad), with fewer buffers than stages (few_bad). turns: stages are filled in each round (ok), two in every second round (bad).
//@ verdict parted_ok: race-free
//@ verdict parted_bad: racy
//@ verdict parted_few_bad: racy
//@ verdict turns_ok: race-free
//@ verdict turns_bad: racy
//@ verdict three_ok: race-free
//@ verdict three_bad: racy
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict ahead_ok: race-free
//@ verdict ahead_bad: racy
//@ verdict guide_ok: race-free
//@ verdict guide_bad: racy
//@ verdict roles_ok: race-free
//@ verdict roles_bad: racy
//@ verdict counted_ok: race-free
//@ verdict unacquired_bad: racy
//@ verdict committed_bad: racy
//@ verdict leave_ok: race-free
//@ verdict leave_bad: racy
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

__global__ void rounds_ok(const int *in, int *out, int n) { // expect-clean
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

__global__ void rounds_bad(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  for (int i = 0; i < n; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[t], &in[i * 64 + t], sizeof(int), pipe); // expect-race
    pipe.producer_commit();
    pipe.consumer_wait();
    sum += s[63 - t]; // expect-race
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void ahead_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  pipe.producer_acquire();
  cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
  pipe.producer_commit();
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[(i + 1) % 2][t], &in[(i + 1) * 64 + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += s[i % 2][63 - t];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void ahead_bad(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  pipe.producer_acquire();
  cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
  pipe.producer_commit();
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[(i + 1) % 2][t], &in[(i + 1) * 64 + t], sizeof(int), pipe); // expect-race
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    pipe.consumer_release();
    sum += s[i % 2][63 - t]; // expect-race
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void guide_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  for (int i = 0, fetch = 0; i < n; i++) {
    for (; fetch < n && fetch < i + 2; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[fetch % 2][t], &in[fetch * 64 + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += s[i % 2][63 - t];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void guide_bad(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  for (int i = 0, fetch = 0; i < n; i++) {
    for (; fetch < n && fetch < i + 3; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[fetch % 2][t], &in[fetch * 64 + t], sizeof(int), pipe); // expect-race
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += s[i % 2][63 - t]; // expect-race
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void roles_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[i % 2][t], &in[i * 32 + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < n; i++) {
      pipe.consumer_wait();
      sum += s[i % 2][63 - t];
      pipe.consumer_release();
    }
    out[blockIdx.x * 32 + t - 32] = sum;
  }
}

__global__ void roles_bad(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[i % 2][t], &in[i * 32 + t], sizeof(int), pipe); // expect-race
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < n; i++) {
      pipe.consumer_wait();
      pipe.consumer_release();
      sum += s[i % 2][63 - t]; // expect-race
    }
    out[blockIdx.x * 32 + t - 32] = sum;
  }
}

__global__ void counted_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, 32);
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[i % 2][t], &in[i * 32 + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < n; i++) {
      pipe.consumer_wait();
      sum += s[i % 2][63 - t];
      pipe.consumer_release();
    }
    out[blockIdx.x * 32 + t - 32] = sum;
  }
}

__global__ void unacquired_bad(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, 32);
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      cuda::memcpy_async(&s[i % 2][t], &in[i * 32 + t], sizeof(int), pipe); // expect-race
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < n; i++) {
      pipe.consumer_wait();
      sum += s[i % 2][63 - t]; // expect-race
      pipe.consumer_release();
    }
    out[blockIdx.x * 32 + t - 32] = sum;
  }
}

__global__ void committed_bad(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, 32);
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      pipe.producer_acquire();
      pipe.producer_commit();
      cuda::memcpy_async(&s[i % 2][t], &in[i * 32 + t], sizeof(int), pipe); // expect-race
    }
  } else {
    for (int i = 0; i < n; i++) {
      pipe.consumer_wait();
      sum += s[i % 2][63 - t]; // expect-race
      pipe.consumer_release();
    }
    out[blockIdx.x * 32 + t - 32] = sum;
  }
}

template <bool waits> __device__ void leave(const int *in, int *out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  __shared__ int s[64];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, s, in, sizeof s, pipe); // expect-race
  pipe.producer_commit();
  if (waits)
    pipe.consumer_wait();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x]; // expect-race
  if (waits)
    pipe.consumer_release();
  pipe.quit();
}
__global__ void leave_ok(const int *in, int *out) { leave<true>(in, out); } // expect-clean
__global__ void leave_bad(const int *in, int *out) { leave<false>(in, out); }

template <int next> __device__ void three(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  __shared__ int s[3][64];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int done = 0, filled = 0; done < n; done++) {
    for (; filled < n && filled < done + 3; filled++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[filled % 3], in + filled * 64, sizeof(int) * 64, pipe); // expect-race
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += s[(done + next) % 3][63 - threadIdx.x]; // expect-race
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void three_ok(const int *in, int *out, int n) { three<0>(in, out, n); } // expect-clean
__global__ void three_bad(const int *in, int *out, int n) { three<1>(in, out, n); }

template <bool waits> __device__ void last(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(block, s[0], in, sizeof(int) * 64, pipe);
  pipe.producer_commit();
  for (int i = 1; i < n; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[i % 2], in + i * 64, sizeof(int) * 64, pipe); // expect-race
    pipe.producer_commit();
    pipe.consumer_wait();
    sum += s[(i - 1) % 2][63 - threadIdx.x];
    pipe.consumer_release();
  }
  if (waits)
    pipe.consumer_wait();
  sum += s[(n - 1) % 2][63 - threadIdx.x]; // expect-race
  if (!waits)
    pipe.consumer_wait();
  pipe.consumer_release();
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void last_ok(const int *in, int *out, int n) { last<true>(in, out, n); } // expect-clean
__global__ void last_bad(const int *in, int *out, int n) { last<false>(in, out, n); }

template <int buffers, int next> __device__ void parted(const int *in, int *out, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  for (int i = 0, filled = 0; i < n; i++) {
    if (t < 32) {
      for (; filled <= i + 2; filled++) {
        if (filled < n) {
          pipe.producer_acquire();
          cuda::memcpy_async(&s[filled % buffers][t], &in[filled * 32 + t], sizeof(int), pipe); // expect-race
          pipe.producer_commit();
        }
      }
    } else {
      pipe.consumer_wait();
      sum += s[(i + next) % buffers][63 - t]; // expect-race
      pipe.consumer_release();
    }
  }
  if (t >= 32)
    out[blockIdx.x * 32 + t - 32] = sum;
}
__global__ void parted_ok(const int *in, int *out, int n) { parted<2, 0>(in, out, n); } // expect-clean
__global__ void parted_bad(const int *in, int *out, int n) { parted<2, 1>(in, out, n); }
__global__ void parted_few_bad(const int *in, int *out, int n) { parted<1, 0>(in, out, n); }

template <bool alike> __device__ void turns(const int *in, int *out, int n) {
  __shared__ int s[4][32];
  int t = threadIdx.x, sum = 0;
  for (int i = 0, filled = 0; i < n; i++) {
    if (alike || i % 2 == 0)
      for (; filled < i + 2; filled++) {
        __pipeline_memcpy_async(&s[filled % 4][t], &in[filled * 32 + t], sizeof(int)); // expect-race
        __pipeline_commit();
      }
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[i % 4][31 - t];
    if (i % 2)
      sum += s[(i + 1) % 4][31 - t]; // expect-race
  }
  out[blockIdx.x * 32 + t] = sum;
}
__global__ void turns_ok(const int *in, int *out, int n) { turns<true>(in, out, n); } // expect-clean
__global__ void turns_bad(const int *in, int *out, int n) { turns<false>(in, out, n); }

int main() {
  int *in, *out, n = 8;
  cudaMalloc((void **)&in, 1 << 16);
  cudaMalloc((void **)&out, 1 << 16);
  parted_ok<<<8, 64>>>(in, out, n);
  parted_bad<<<8, 64>>>(in, out, n);
  parted_few_bad<<<8, 64>>>(in, out, n);
  turns_ok<<<8, 32>>>(in, out, n);
  turns_bad<<<8, 32>>>(in, out, n);
  three_ok<<<8, 64>>>(in, out, n);
  three_bad<<<8, 64>>>(in, out, n);
  last_ok<<<8, 64>>>(in, out, n);
  last_bad<<<8, 64>>>(in, out, n);
  rounds_ok<<<8, 64>>>(in, out, n);
  rounds_bad<<<8, 64>>>(in, out, n);
  ahead_ok<<<8, 64>>>(in, out, n);
  ahead_bad<<<8, 64>>>(in, out, n);
  guide_ok<<<8, 64>>>(in, out, n);
  guide_bad<<<8, 64>>>(in, out, n);
  roles_ok<<<8, 64>>>(in, out, n);
  roles_bad<<<8, 64>>>(in, out, n);
  counted_ok<<<8, 64>>>(in, out, n);
  unacquired_bad<<<8, 64>>>(in, out, n);
  committed_bad<<<8, 64>>>(in, out, n);
  leave_ok<<<8, 64>>>(in, out);
  leave_bad<<<8, 64>>>(in, out);
  return 0;
}
