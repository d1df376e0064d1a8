// The step by which a loop goes is cut off where the rest is shorter, and the loop ends there: behind the
// round with the shorter step is no other one, so that in each round the step is the block's size or the
// number of elements that are left. The parts of a shared array that are laid out by it do not meet.
//@ verdict tiles_ok: race-free
//@ verdict tiles_bad: racy
//@ verdict rest_ok: race-free
//@ verdict rest_bad: racy
// SPDX-License-Identifier: Apache-2.0

__global__ void tiles_ok(const float *x, float *out, int n) {
  // expect-clean
  extern __shared__ float s[];
  int step = blockDim.x;
  float sum = 0;
  for (int j = 0; j < n; j += step) {
    if (j + step > n) step = n - j;
    if (j + threadIdx.x < n) {
      s[threadIdx.x] = x[j + threadIdx.x];
      s[threadIdx.x + step] = x[j + threadIdx.x] * 2;
    }
    __syncthreads();
    for (int i = 0; i < step; i++)
      sum += s[i] + s[i + step];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Half of the rest: the loop goes on.
__global__ void tiles_bad(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int step = blockDim.x;
  float sum = 0;
  for (int j = 0; j < n; j += step) {
    if (j + step > n) step = (n - j + 1) / 2;
    if (j + threadIdx.x < n) {
      s[threadIdx.x] = x[j + threadIdx.x];            // expect-race[tiles]
      s[threadIdx.x + step] = x[j + threadIdx.x] * 2; // expect-race[tiles]
    }
    __syncthreads();
    for (int i = 0; i < step; i++)
      sum += s[i] + s[i + step];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// What is left is counted down, and tested against 0.
__global__ void rest_ok(const float *x, float *out, int n) {
  // expect-clean
  extern __shared__ float s[];
  int part = blockDim.x;
  for (int rest = n; rest > 0; rest -= part) {
    if (rest < part) part = rest;
    if (threadIdx.x < rest) {
      s[threadIdx.x] = x[threadIdx.x];
      s[threadIdx.x + part] = x[threadIdx.x + n];
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = s[0] + s[part];
    __syncthreads();
  }
}

// The step is never cut off to what is left, but to less.
__global__ void rest_bad(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int part = blockDim.x;
  for (int rest = n; rest > 0; rest -= part) {
    if (rest < part) part = 1;
    if (threadIdx.x < rest) {
      s[threadIdx.x] = x[threadIdx.x];            // expect-race[rest]
      s[threadIdx.x + part] = x[threadIdx.x + n]; // expect-race[rest]
    }
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = s[0] + s[part];
    __syncthreads();
  }
}
