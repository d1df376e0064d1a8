// What nothing writes between two barriers is one value for all threads of the block, so a loop that it ends is
// left by all together. dyn[0] is read while nobody writes it, and the next barrier stands before the array is
// used for other things (bcast_ok); without that barrier a fast thread overwrites what a slow one still has to
// read (bcast_bad). The flag is written behind one barrier of the round and looked at behind the other
// (found_ok); in found_bad a fast thread sets it while a slow one still looks at it. In the last step of the
// tree all threads leave the loop at one test, so nobody adds any more when s[0] is read: all store one value
// (total_ok); in total_bad each thread leaves by a
// test of its own, so the upper half reads s[0] while the lower half still adds, and goes round the barrier.
//@ verdict bcast_ok: race-free
//@ verdict bcast_bad: racy
//@ verdict found_ok: race-free
//@ verdict found_bad: racy
//@ verdict total_ok: race-free
//@ verdict total_bad: racy
//@ args: --block-dim 64
extern __shared__ float dyn[];

__global__ void bcast_ok(const float *in, float *out, const int *n) { // expect-clean
  int t = threadIdx.x;
  if (t == 0)
    dyn[0] = in[blockIdx.x];
  __syncthreads();
  float first = dyn[0];
  __syncthreads();
  if (first == 0)
    return;
  for (int c = 0; c < *n; c++) {
    dyn[t] = in[t + c];
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] += dyn[blockDim.x - 1 - t];
    __syncthreads();
  }
}

__global__ void bcast_bad(const float *in, float *out) {
  int t = threadIdx.x;
  if (t == 0)
    dyn[0] = in[blockIdx.x];
  __syncthreads();
  float first = dyn[0]; // expect-race[first]
  dyn[t] = in[t] + first; // expect-race[first]
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = dyn[blockDim.x - 1 - t];
}

__global__ void found_ok(const int *in, int *out) {
  __shared__ int found;
  __shared__ int window[64];
  int t = threadIdx.x;
  if (t == 0)
    found = 0;
  __syncthreads();
  for (int k = 0; !found; k++) {
    window[t] = in[t + k];
    __syncthreads();
    if (t > 0 && window[t] != window[t - 1])
      found = 1; // expect-same-value
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = window[(t + 1) % 64];
}

__global__ void found_bad(const int *in, int *out) {
  __shared__ int found;
  __shared__ int window[64];
  int t = threadIdx.x;
  if (t == 0)
    found = 0;
  __syncthreads();
  for (int k = 0; !found; k++) { // expect-race[found]
    if (t > 0 && in[t] != in[t - 1])
      found = 1; // expect-race[found] expect-same-value
    __syncthreads();
    window[t] = in[t + k];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = window[(t + 1) % 64];
}

__global__ void total_ok(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int i = 32; i > 0; i /= 2) {
    if (t < i)
      s[t] += s[t + i];
    __syncthreads();
  }
  out[blockIdx.x] = s[0]; // expect-same-value
}

__global__ void total_bad(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int i = 32; i > t; i /= 2) {
    s[t] += s[t + i]; // expect-race[total]
    __syncthreads();
    // expect-divergence@-1
  }
  out[blockIdx.x * 64 + t] = s[0]; // expect-race[total]
}
