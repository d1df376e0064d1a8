// Threads that have returned count as arrived at a barrier of their block from sm_70 on; devices before, and those of other
// makers, wait for them in vain. That is a note, and names the architecture; the kernels are race-free all the same.
// guarded: a barrier under `i < n`, with nothing behind it for the others (the last block has such threads).
// returning: an early return before two barriers: a note for each. strided: a thread makes fewer rounds than others, and
// ends behind its last one: all that come to a barrier come to it in the same round.
// whole: n is a multiple of the block, nobody leaves. inside: all come to the barrier, and the condition is behind it.
//@ verdict guarded: race-free
//@ verdict returning: race-free
//@ verdict strided: race-free
//@ verdict whole: race-free
//@ verdict inside: race-free
//@ status: 0
#include <assert.h>
#include <cuda_runtime.h>

__global__ void guarded(const int *x, int *out, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = x[i];
    __syncthreads(); // expect-note {{/leaves the kernel .* sm_70 and later/}}
    out[i] = s[threadIdx.x ^ 1];
  }
}

__global__ void returning(const int *x, int *out, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads(); // expect-note {{sm_70 and later}}
  int other = s[threadIdx.x ^ 1];
  __syncthreads(); // expect-note {{sm_70 and later}}
  s[threadIdx.x] = other;
  out[i] = s[threadIdx.x];
}

__global__ void strided(const int *x, int *out, int n) {
  __shared__ int s[256];
  for (int i = threadIdx.x; i < n; i += 256) {
    s[threadIdx.x] = x[i];
    __syncthreads(); // expect-note {{sm_70 and later}}
    out[blockIdx.x * n + i] = s[threadIdx.x];
  }
}

__global__ void whole(const int *x, int *out, int n) { // expect-clean
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  out[i] = s[threadIdx.x ^ 1];
}

__global__ void inside(const int *x, int *out, int n) { // expect-clean
  __shared__ int s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) s[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x ^ 1];
}

void run(const int *x, int n) {
  assert(n > 0);
  int *out, *full;
  cudaMalloc(&out, n * 256 * sizeof(int));
  cudaMalloc(&full, n * 256 * sizeof(int));
  guarded<<<(n + 255) / 256, 256>>>(x, out, n);
  returning<<<(n + 255) / 256, 256>>>(x, out, n);
  strided<<<64, 256>>>(x, out, n);
  whole<<<n, 256>>>(full, out, n * 256);
  inside<<<(n + 255) / 256, 256>>>(x, out, n);
}
