// LDetector's histogram64, which has no race: each thread counts in a column of its own, bytes in shared memory; behind a barrier each
// thread sums a row. Twin: without that barrier a row is summed while others still count [rw].
//@ pairs: exact
//@ verdict histogram64: race-free
//@ verdict histogram64_broken: racy
__global__ void histogram64(const unsigned char *data, int n, unsigned *bins) { // expect-clean
  __shared__ unsigned char s[64 * 64];
  int t = threadIdx.x;
  for (int b = 0; b < 64; b++)
    s[b * 64 + t] = 0;
  for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64)
    s[(data[i] >> 2) * 64 + t]++;
  __syncthreads();
  unsigned sum = 0;
  for (int j = 0; j < 64; j++)
    sum += s[t * 64 + j];
  atomicAdd(&bins[t], sum);
}

__global__ void histogram64_broken(const unsigned char *data, int n, unsigned *bins) {
  __shared__ unsigned char s[64 * 64];
  int t = threadIdx.x;
  for (int b = 0; b < 64; b++)
    s[b * 64 + t] = 0; // expect-race[clear](intra-block,intra-warp)
  for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64)
    s[(data[i] >> 2) * 64 + t]++; // expect-race[rw](intra-block,intra-warp)
  unsigned sum = 0;
  for (int j = 0; j < 64; j++)
    sum += s[t * 64 + j]; // expect-race[rw](intra-block,intra-warp) expect-race[clear](intra-block,intra-warp)
  atomicAdd(&bins[t], sum);
}

int main(int argc, char **) {
  unsigned char *data;
  unsigned *bins;
  cudaMalloc((void **)&data, argc);
  cudaMalloc((void **)&bins, 64 * sizeof(unsigned));
  cudaMemset(bins, 0, 64 * sizeof(unsigned));
  histogram64<<<2067, 64>>>(data, argc, bins);
  histogram64_broken<<<2067, 64>>>(data, argc, bins);
  return 0;
}
