// Warp barrier. ORNL/HeCBench #91 (lsqt-cuda, vector.cu): the last warp of a sum adds in volatile shared memory, all its lanes in each
// step, without a barrier.
// Lane t reads the place of lane t + 16 in the step in which that lane writes it, and what it reads may be from before or after [step].
// A __syncwarp() behind each step is not enough for that. Fixed as proposed there: read, barrier, write, barrier. The places from 32 on,
// which the first step reads, are written before a block barrier.
//@ pairs: exact
//@ verdict inner_product: racy
//@ verdict inner_product_fixed: race-free
#include <cstdlib>

__global__ void inner_product(const float *a, const float *b, float *out, int n) {
  __shared__ volatile float s[512];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  s[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  for (int half = 256; half > 32; half >>= 1) {
    if (t < half)
      s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32)
    for (int half = 32; half > 0; half >>= 1)
      s[t] += s[t + half]; // expect-race[step](intra-warp)
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__global__ void inner_product_fixed(const float *a, const float *b, float *out, int n) { // expect-clean
  __shared__ volatile float s[512];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  s[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  for (int half = 256; half > 32; half >>= 1) {
    if (t < half)
      s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) {
    float v = s[t];
    for (int half = 32; half > 0; half >>= 1) {
      v += s[t + half];
      __syncwarp();
      s[t] = v;
      __syncwarp();
    }
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), blocks = (n - 1) / 512 + 1;
  float *a, *b, *out;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&out, blocks * sizeof(float));
  inner_product<<<blocks, 512>>>(a, b, out, n);
  inner_product_fixed<<<blocks, 512>>>(a, b, out, n);
}
