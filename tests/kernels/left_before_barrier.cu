// A thread stores and leaves the kernel: the next barrier of its block counts it as arrived, so that others read behind it what it has stored, though
// no way leads there from its store. *_bad store what makes two threads meet, *_ok something else, or elsewhere.
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict told_ok: race-free
//@ verdict told_bad: racy
//@ verdict counted_ok: race-free
//@ verdict counted_bad: racy
__global__ void given_ok(int *out) {
  __shared__ int places[32];
  int t = threadIdx.x;
  if (t < 32) {
    places[t] = t;
    return;
  }
  __syncthreads(); // expect-note {{sm_70 and later}}
  out[places[t - 32]] = t;
}
__global__ void given_bad(int *out) {
  __shared__ int places[32];
  int t = threadIdx.x;
  if (t < 32) {
    places[t] = 0;
    return;
  }
  __syncthreads(); // expect-note {{sm_70 and later}}
  out[places[t - 32]] = t; // expect-race[given]
}

__global__ void told_ok(int *out) {
  __shared__ int base, other;
  int t = threadIdx.x;
  if (t == 0) base = blockIdx.x * 64;
  __syncthreads();
  if (t == 3) {
    other = 0;
    return;
  }
  __syncthreads(); // expect-note {{sm_70 and later}}
  out[base + t] = blockIdx.x;
}
__global__ void told_bad(int *out) {
  __shared__ int base;
  int t = threadIdx.x;
  if (t == 0) base = blockIdx.x * 64;
  __syncthreads();
  if (t == 3) {
    base = 0;
    return;
  }
  __syncthreads(); // expect-note {{sm_70 and later}}
  out[base + t] = blockIdx.x; // expect-race[told]
}

__global__ void counted_ok(int *out) {
  __shared__ int count, list[256];
  int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (t == 5) return;
  __syncthreads(); // expect-note {{sm_70 and later}}
  list[128 + t] = t;
  list[atomicAdd(&count, 1)] = t;
}
__global__ void counted_bad(int *out) {
  __shared__ int count, list[256];
  int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (t == 5) {
    count = 100;
    return;
  }
  __syncthreads(); // expect-note {{sm_70 and later}}
  list[128 + t] = t; // expect-race[counted]
  list[atomicAdd(&count, 1)] = t; // expect-race[counted]
}

int main() {
  int *out;
  cudaMalloc(&out, 1 << 20);
  given_ok<<<1, 64>>>(out);
  given_bad<<<1, 64>>>(out);
  told_ok<<<4, 64>>>(out);
  told_bad<<<4, 64>>>(out);
  counted_ok<<<1, 64>>>(out);
  counted_bad<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
