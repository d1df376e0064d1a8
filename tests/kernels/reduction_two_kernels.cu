// Sum of an array by two kernels: blocks leave one sum each (first), then one block adds up these in place (last): all of
// it is read before the first barrier of the tree, and thread 0 writes element 0 behind the last one. Launched with two blocks
// (bad, the same text), one block writes element 0 while the other still reads it [rw], and both write it [ww].
// first twice: each block has a place of its own (ok); or every two blocks share one (bad) [share].
//@ pairs: exact
//@ verdict first_ok: race-free
//@ verdict first_bad: racy
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
__global__ void first_ok(const float *in, float *part, int n) { // expect-clean
  __shared__ float s[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
    sum += in[i];
  s[t] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    part[blockIdx.x] = s[0];
}

__global__ void first_bad(const float *in, float *part, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
    sum += in[i];
  s[t] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    part[blockIdx.x / 2] = s[0]; // expect-race[share](inter-block)
}

__global__ void last_ok(float *part, int parts) { // expect-clean
  __shared__ float s[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < parts; i += 256)
    sum += part[i];
  s[t] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    part[0] = s[0];
}

__global__ void last_bad(float *part, int parts) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < parts; i += 256)
    sum += part[i]; // expect-race[rw](inter-block)
  s[t] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    part[0] = s[0]; // expect-race[rw](inter-block) expect-race[ww](inter-block)
}

int main(int argc, char **) {
  int n = argc * 1000, blocks = (n + 255) / 256;
  float *in, *part;
  cudaMalloc((void **)&in, n * sizeof(float));
  cudaMalloc((void **)&part, blocks * sizeof(float));
  first_ok<<<blocks, 256>>>(in, part, n);
  last_ok<<<1, 256>>>(part, blocks);
  first_bad<<<blocks, 256>>>(in, part, n);
  last_bad<<<2, 256>>>(part, blocks);
  return 0;
}
