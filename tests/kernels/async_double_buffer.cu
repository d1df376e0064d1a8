// Tiles are loaded one round ahead with asynchronous copies, into the one of two buffers that is not in use. A copy goes on
// from its issue to the wait that covers it, whatever barriers lie between.
// buffered: two stages, all but the newest group are awaited, a barrier publishes the tile to the block, another one frees
// the buffer before the next copy into it is issued (ok).
// none: no wait. late: a wait that leaves two groups. unpublished: no barrier behind the wait. reused: no barrier before the
// next copy is issued. one_buffer: the next tile goes to the buffer in use. uncommitted: the copies are in no group when they
// are waited for (all bad).
// three: three buffers, two rounds ahead; the barrier behind the wait also frees the oldest buffer (ok). Two buffers there: the
// copy goes to the one being read (bad).
//@ verdict buffered_ok: race-free
//@ verdict none_bad: racy
//@ verdict late_bad: racy
//@ verdict unpublished_bad: racy
//@ verdict reused_bad: racy
//@ verdict one_buffer_bad: racy
//@ verdict uncommitted_bad: racy
//@ verdict three_ok: race-free
//@ verdict three_bad: racy
#include <cuda_pipeline.h>

__global__ void buffered_ok(const float *in, float *out, int n) { // expect-clean
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(float));
  __pipeline_commit();
  for (int k = 0; k < n; k++) {
    if (k + 1 < n)
      __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 2][63 - t];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void none_bad(const float *in, float *out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(float)); // expect-race {{cause=missing-async-wait}}
  __pipeline_commit();
  for (int k = 0; k < n; k++) {
    if (k + 1 < n)
      __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float)); // expect-race
    __pipeline_commit();
    __syncthreads();
    sum += s[k % 2][63 - t]; // expect-race {{cause=missing-async-wait}}
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void late_bad(const float *in, float *out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(float)); // expect-race {{cause=missing-async-wait}}
  __pipeline_commit();
  for (int k = 0; k < n; k++) {
    if (k + 1 < n)
      __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float)); // expect-race
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    sum += s[k % 2][63 - t]; // expect-race {{cause=missing-async-wait}}
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void unpublished_bad(const float *in, float *out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(float)); // expect-race {{cause=missing-barrier}}
  __pipeline_commit();
  for (int k = 0; k < n; k++) {
    if (k + 1 < n)
      __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float)); // expect-race
    __pipeline_commit();
    __pipeline_wait_prior(1);
    sum += s[k % 2][63 - t]; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void reused_bad(const float *in, float *out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(float));
  __pipeline_commit();
  for (int k = 0; k < n; k++) {
    if (k + 1 < n)
      __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float)); // expect-race {{-Wintra-block-race}}
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 2][63 - t]; // expect-race
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void one_buffer_bad(const float *in, float *out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(float)); // expect-race {{cause=missing-async-wait}}
  __pipeline_commit();
  for (int k = 0; k < n; k++) {
    if (k + 1 < n)
      __pipeline_memcpy_async(&s[k % 2][t], &in[(k + 1) * 64 + t], sizeof(float)); // expect-race {{cause=missing-async-wait}}
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 2][63 - t]; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void uncommitted_bad(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(float)); // expect-race {{cause=missing-async-wait}}
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
}

__global__ void three_ok(const float *in, float *out, int n) { // expect-clean
  __shared__ float s[3][64];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 2; k++) {
    __pipeline_memcpy_async(&s[k][t], &in[k * 64 + t], sizeof(float));
    __pipeline_commit();
  }
  for (int k = 0; k < n; k++) {
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 3][63 - t];
    __pipeline_memcpy_async(&s[(k + 2) % 3][t], &in[(k + 2) * 64 + t], sizeof(float));
    __pipeline_commit();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void three_bad(const float *in, float *out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 2; k++) {
    __pipeline_memcpy_async(&s[k][t], &in[k * 64 + t], sizeof(float));
    __pipeline_commit();
  }
  for (int k = 0; k < n; k++) {
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 2][63 - t];                                                                  // expect-race
    __pipeline_memcpy_async(&s[(k + 2) % 2][t], &in[(k + 2) * 64 + t], sizeof(float)); // expect-race {{-Wintra-block-race}}
    __pipeline_commit();
  }
  out[blockIdx.x * 64 + t] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc((void **)&in, 1 << 20);
  cudaMalloc((void **)&out, 4096);
  buffered_ok<<<8, 64>>>(in, out, 100);
  none_bad<<<8, 64>>>(in, out, 100);
  late_bad<<<8, 64>>>(in, out, 100);
  unpublished_bad<<<8, 64>>>(in, out, 100);
  reused_bad<<<8, 64>>>(in, out, 100);
  one_buffer_bad<<<8, 64>>>(in, out, 100);
  uncommitted_bad<<<8, 64>>>(in, out);
  three_ok<<<8, 64>>>(in, out, 100);
  three_bad<<<8, 64>>>(in, out, 100);
  return 0;
}
