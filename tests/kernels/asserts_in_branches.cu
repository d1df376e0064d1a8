// A thread whose assert fails, or that traps, stops the launch: it comes to no barrier, and nobody gets past one. So it does not
// matter to a barrier behind the branch that the assert stands in.
//   sum: only warp 0 goes by the assert; the barrier behind it is reached by all, and without it (sum_bad) the others read early.
//   trap: each thread checks its own number; leaving the barrier out (trap_bad) is a race all the same.
//   goes: who fails the check goes round the barrier and on, which is no trap (goes_bad): what it reads is written by others.
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
//@ verdict trap_ok: race-free
//@ verdict trap_bad: racy
//@ verdict goes_bad: racy
#include <cassert>
#include <cuda_runtime.h>

template <bool BARRIER> __device__ void sum(const float *in, float *out) {
  __shared__ float s[8];
  __shared__ float r;
  unsigned w = threadIdx.x / 32, l = threadIdx.x % 32, nw = blockDim.x / 32;
  if (l == 0) s[w] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (w == 0) {
    assert(nw <= 32);
    float v = l < nw ? s[l] : 0.f;
    for (int d = 16; d; d /= 2)
      v += __shfl_xor_sync(0xffffffff, v, d);
    if (l == 0) r = v; // expect-race[sum]
  }
  if (BARRIER) __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = r; // expect-race[sum]
}
__global__ void sum_ok(const float *in, float *out) { sum<true>(in, out); } // expect-clean
__global__ void sum_bad(const float *in, float *out) { sum<false>(in, out); }

template <bool BARRIER> __device__ void trap(const float *in, float *out) {
  __shared__ float s[256];
  float v = in[blockIdx.x * 256 + threadIdx.x];
  if (!(v >= 0.f)) __trap();
  s[threadIdx.x] = v; // expect-race[trap]
  if (BARRIER) __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x]; // expect-race[trap]
}
__global__ void trap_ok(const float *in, float *out) { trap<true>(in, out); } // expect-clean
__global__ void trap_bad(const float *in, float *out) { trap<false>(in, out); }

__global__ void goes_bad(const float *in, float *out) {
  __shared__ float s[256];
  float v = in[blockIdx.x * 256 + threadIdx.x];
  s[threadIdx.x] = v;       // expect-race[goes]
  if (v >= 0.f) __syncthreads(); // expect-divergence
  out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x]; // expect-race[goes]
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  sum_ok<<<4, 256>>>(a, b);
  sum_bad<<<4, 256>>>(a, b);
  trap_ok<<<4, 256>>>(a, b);
  trap_bad<<<4, 256>>>(a, b);
  goes_bad<<<4, 256>>>(a, b);
}
