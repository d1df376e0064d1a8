// LDetector's scan, with the race injected: sums of prefixes in shared memory, in place. A round reads s[t - d] and writes s[t]; without
// a barrier in between a thread reads what its neighbour has already written [rw], of its own warp (d = 1) or another. Twin: with it.
//@ pairs: exact
//@ verdict scan: racy
//@ verdict scan_fixed: race-free
__global__ void scan(const float *in, float *out) {
  __shared__ float s[512];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    float x = 0;
    if (t >= d)
      x = s[t - d]; // expect-race[rw](intra-block,intra-warp)
    s[t] += x;      // expect-race[rw](intra-block,intra-warp)
    __syncthreads();
  }
  out[blockIdx.x * 512 + t] = s[t];
}

__global__ void scan_fixed(const float *in, float *out) { // expect-clean
  __shared__ float s[512];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    float x = 0;
    if (t >= d)
      x = s[t - d];
    __syncthreads();
    s[t] += x;
    __syncthreads();
  }
  out[blockIdx.x * 512 + t] = s[t];
}

int main() {
  float *a, *b;
  cudaMalloc((void **)&a, 131072 * sizeof(float));
  cudaMalloc((void **)&b, 131072 * sizeof(float));
  scan<<<256, 512>>>(a, b);
  scan_fixed<<<256, 512>>>(a, b);
  return 0;
}
