// Who leaves the kernel is waited for by nobody, and waits for nothing: an asynchronous copy goes on, no fence is passed, and a shuffle from that lane
// gives any value. *_ok: the thread waits, fences, or stays.
//@ verdict copy_ok: race-free
//@ verdict copy_bad: racy
//@ known-undecided copy_bad: which accesses a copy meets whose thread has left the kernel is not asked
//@ verdict tiles_ok: race-free
//@ verdict tiles_bad: racy
//@ verdict fence_ok: race-free
//@ verdict fence_bad: racy
//@ verdict draw_ok: race-free
//@ verdict draw_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
#include <cuda_pipeline.h>

template <bool WAITS> __device__ void copy(int *out, const int *in) {
  __shared__ int kept[64];
  if (threadIdx.x < 32) {
    __pipeline_memcpy_async(&kept[threadIdx.x + 32], &in[threadIdx.x], 4);
    __pipeline_commit();
    if (WAITS) __pipeline_wait_prior(0);
    return;
  }
  __syncthreads();
  out[threadIdx.x] = kept[threadIdx.x];
}
__global__ void copy_ok(int *out, const int *in) { copy<true>(out, in); } // expect-note@-3 {{sm_70 and later}}
__global__ void copy_bad(int *out, const int *in) { copy<false>(out, in); } // expect-note@-4 {{sm_70 and later}}

// Two tiles in turn, each copied in steps, by fewer threads in the last one: all leave the loop together.
template <int LEFT> __device__ void tiles(int *out, const int *in, int n) {
  __shared__ int kept[2][96];
  int sum = 0, t = threadIdx.x;
  for (int i = t; i < 96; i += 64) __pipeline_memcpy_async(&kept[0][i], &in[i], 4);
  __pipeline_commit();
  for (int first = 0, now = 0; first < n; first += 96, now ^= 1) {
    if (first + 96 < n) {
      for (int i = t; i < 96; i += 64) __pipeline_memcpy_async(&kept[now ^ 1][i], &in[first + 96 + i], 4); // expect-race[tiles]
      __pipeline_commit();
      __pipeline_wait_prior(1);
    } else
      __pipeline_wait_prior(LEFT);
    __syncthreads();
    sum += kept[now][95 - t]; // expect-race[tiles]
    __syncthreads();
  }
  out[t] = sum;
}
__global__ void tiles_ok(int *out, const int *in, int n) { tiles<0>(out, in, n); } // expect-clean
__global__ void tiles_bad(int *out, const int *in, int n) { tiles<1>(out, in, n); }

template <bool FENCES> __device__ void fence(int *out, int *flag) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    if (t == 5) {
      out[t] = 2; // expect-race[fence]
      if (FENCES) __threadfence();
      return;
    }
    out[t] = 1;
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0)
        ;
      __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * 100 + t] = out[t]; // expect-race[fence]
  }
}
__global__ void fence_ok(int *out, int *flag) { fence<true>(out, flag); } // expect-note@-12 {{sm_70 and later}}
__global__ void fence_bad(int *out, int *flag) { fence<false>(out, flag); } // expect-note@-13 {{sm_70 and later}}

template <int LANE> __device__ void draw(int *out, int *count) {
  int lane = threadIdx.x & 31, start = 0;
  if (lane == LANE) start = atomicAdd(count, 32);
  start = __shfl_sync(0xffffffff, start, LANE);
  out[start + lane] = threadIdx.x; // expect-race[draw]
}
__global__ void draw_ok(int *out, int *count) { draw<0>(out, count); } // expect-clean
__global__ void draw_bad(int *out, int *count) { draw<31>(out, count); }

template <int LEFT> __device__ void part(int *out, int *count, const int *in) {
  int lane = threadIdx.x & 31, start = 0;
  if (lane == LEFT && (in[threadIdx.x] & 1)) return;
  if (lane == 0) start = atomicAdd(count, 32);
  start = __shfl_sync(0xffffffff, start, 0);
  out[start + lane] = threadIdx.x; // expect-race[part]
}
__global__ void part_ok(int *out, int *count, const int *in) { part<3>(out, count, in); } // expect-clean
__global__ void part_bad(int *out, int *count, const int *in) { part<0>(out, count, in); }

void left_with_copy(int *out, const int *in) {
  int *count;
  cudaMalloc(&count, 4);
  copy_ok<<<1, 64>>>(out, in);
  copy_bad<<<1, 64>>>(out, in);
  tiles_ok<<<1, 64>>>(out, in, 960);
  tiles_bad<<<1, 64>>>(out, in, 960);
  cudaMemset(count, 0, 4);
  fence_ok<<<4, 64>>>(out, count);
  cudaMemset(count, 0, 4);
  fence_bad<<<4, 64>>>(out, count);
  cudaMemset(count, 0, 4);
  draw_ok<<<1, 240>>>(out, count);
  cudaMemset(count, 0, 4);
  draw_bad<<<1, 240>>>(out, count);
  cudaMemset(count, 0, 4);
  part_ok<<<1, 256>>>(out, count, in);
  cudaMemset(count, 0, 4);
  part_bad<<<1, 256>>>(out, count, in);
}
