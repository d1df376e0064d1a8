// Sums and maxima over a block whose length is halved upwards, `len = (len + 1) >> 1`, until it is one: `while (len != 1)` does not say that the
// length stays above zero; that it starts there, and that no round takes it away from there, does. In each twin (bad) one more thread adds, into the
// word that thread 0 reads.
// sum: a block of known size. any: of any size. most: what is stored hangs on what shared memory holds. twice: one after the other in the same
// words. given: the length comes in as any number, and where it is below zero all threads add.
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
//@ verdict any_ok: race-free
//@ verdict any_bad: racy
//@ verdict most_ok: race-free
//@ verdict most_bad: racy
//@ known-undecided most_bad: whether two threads meet hangs on what is read of shared memory, and no run shows it
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict given_bad: racy
__global__ void sum_ok(float *out, const float *in) { // expect-clean
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int len = 256; len != 1; len = (len + 1) >> 1) {
    int skip = (len + 1) >> 1;
    if (threadIdx.x < (len >> 1)) part[threadIdx.x] += part[threadIdx.x + skip];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void sum_bad(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int len = 256; len != 1; len = (len + 1) >> 1) {
    int skip = (len + 1) >> 1;
    if (threadIdx.x <= (len >> 1)) part[threadIdx.x] += part[threadIdx.x + skip]; // expect-race[sum]
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void any_ok(float *out, const float *in) { // expect-clean
  extern __shared__ float part[];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  int len = blockDim.x;
  while (len != 1) {
    __syncthreads();
    int skip = (len + 1) >> 1;
    if (threadIdx.x < (len >> 1)) part[threadIdx.x] += part[threadIdx.x + skip];
    len = (len + 1) >> 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void any_bad(float *out, const float *in) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  int len = blockDim.x;
  while (len != 1) {
    __syncthreads();
    int skip = (len + 1) >> 1;
    if (threadIdx.x <= (len >> 1)) part[threadIdx.x] += part[threadIdx.x + skip]; // expect-race[any]
    len = (len + 1) >> 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void most_ok(float *out, const float *in) { // expect-clean
  extern __shared__ float part[];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  int len = blockDim.x;
  while (len != 1) {
    __syncthreads();
    int skip = (len + 1) >> 1;
    if (threadIdx.x < (len >> 1))
      if (part[threadIdx.x + skip] > part[threadIdx.x]) part[threadIdx.x] = part[threadIdx.x + skip];
    len = (len + 1) >> 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void most_bad(float *out, const float *in) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  int len = blockDim.x;
  while (len != 1) {
    __syncthreads();
    int skip = (len + 1) >> 1;
    if (threadIdx.x <= (len >> 1))
      if (part[threadIdx.x + skip] > part[threadIdx.x])
        part[threadIdx.x] = part[threadIdx.x + skip];  
    len = (len + 1) >> 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void twice_ok(float *out, const float *in) { // expect-clean
  extern __shared__ float part[];
  for (int row = blockIdx.x; row < 1000; row += gridDim.x) {
    part[threadIdx.x] = in[row * blockDim.x + threadIdx.x];
    for (int len = blockDim.x; len != 1; len = (len + 1) >> 1) {
      __syncthreads();
      if (threadIdx.x < (len >> 1)) part[threadIdx.x] += part[threadIdx.x + ((len + 1) >> 1)];
    }
    __syncthreads();
    float mean = part[0] / blockDim.x;
    __syncthreads();
    part[threadIdx.x] = in[row * blockDim.x + threadIdx.x] - mean;
    for (int len = blockDim.x; len != 1; len = (len + 1) >> 1) {
      __syncthreads();
      if (threadIdx.x < (len >> 1)) part[threadIdx.x] += part[threadIdx.x + ((len + 1) >> 1)];
    }
    __syncthreads();
    if (threadIdx.x == 0) out[row] = part[0];
    __syncthreads();
  }
}
__global__ void twice_bad(float *out, const float *in) {
  extern __shared__ float part[];
  for (int row = blockIdx.x; row < 1000; row += gridDim.x) {
    part[threadIdx.x] = in[row * blockDim.x + threadIdx.x];
    for (int len = blockDim.x; len != 1; len = (len + 1) >> 1) {
      __syncthreads();
      if (threadIdx.x < (len >> 1)) part[threadIdx.x] += part[threadIdx.x + ((len + 1) >> 1)];
    }
    __syncthreads();
    float mean = part[0] / blockDim.x;                             // expect-race[twice]
    part[threadIdx.x] = in[row * blockDim.x + threadIdx.x] - mean; // expect-race[twice]
    for (int len = blockDim.x; len != 1; len = (len + 1) >> 1) {
      __syncthreads();
      if (threadIdx.x < (len >> 1)) part[threadIdx.x] += part[threadIdx.x + ((len + 1) >> 1)];
    }
    __syncthreads();
    if (threadIdx.x == 0) out[row] = part[0];
    __syncthreads();
  }
}

__global__ void given_bad(float *out, int len) {
  __shared__ float part[256];
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int rounds = 0; len != 1 && rounds < 9; len = (len + 1) >> 1, rounds++) {
    if (threadIdx.x < (unsigned)(len >> 1)) part[threadIdx.x] += part[(threadIdx.x + ((len + 1) >> 1)) & 255]; // expect-race[given]
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

void host(float *out, const float *in, int n, int len) {
  sum_ok<<<64, 256>>>(out, in);
  sum_bad<<<64, 256>>>(out, in);
  any_ok<<<64, n, n * sizeof(float)>>>(out, in);
  any_bad<<<64, n, n * sizeof(float)>>>(out, in);
  most_ok<<<64, n, n * sizeof(float)>>>(out, in);
  most_bad<<<64, n, n * sizeof(float)>>>(out, in);
  twice_ok<<<64, n, n * sizeof(float)>>>(out, in);
  twice_bad<<<64, n, n * sizeof(float)>>>(out, in);
  given_bad<<<64, 256>>>(out, len);
}
