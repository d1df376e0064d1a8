// An asynchronous copy writes at any time between its issue and the wait that covers it; a barrier in between proves
// nothing. fetch: wait, then barrier, then read (ok); barrier, read, wait (bad).
// stages: waiting for all but the newest group covers the first copy (ok, the read is of the first); the read of the
// second is not covered (bad).
//@ verdict fetch_ok: race-free
//@ verdict fetch_bad: racy
//@ verdict stages_ok: race-free
//@ verdict stages_bad: racy
#include <cuda_pipeline.h>

__global__ void fetch_ok(const float *in, float *out) { // expect-clean
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[blockIdx.x * 64 + t], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void fetch_bad(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[blockIdx.x * 64 + t], sizeof(float)); // expect-race {{-Wintra-block-race}}
  __pipeline_commit();
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race {{-Wintra-block-race}}
  __pipeline_wait_prior(0);
}

__global__ void stages_ok(const float *in, float *out) { // expect-clean
  __shared__ float s[64], r[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(float));
  __pipeline_commit();
  __pipeline_memcpy_async(&r[t], &in[64 + t], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void stages_bad(const float *in, float *out) {
  __shared__ float s[64], r[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(float));
  __pipeline_commit();
  __pipeline_memcpy_async(&r[t], &in[64 + t], sizeof(float)); // expect-race {{-Wintra-block-race}}
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[blockIdx.x * 64 + t] = r[63 - t]; // expect-race {{-Wintra-block-race}}
}

int main() {
  float *in, *out;
  cudaMalloc((void **)&in, 4096);
  cudaMalloc((void **)&out, 4096);
  fetch_ok<<<8, 64>>>(in, out);
  fetch_bad<<<8, 64>>>(in, out);
  stages_ok<<<8, 64>>>(in, out);
  stages_bad<<<8, 64>>>(in, out);
  return 0;
}
