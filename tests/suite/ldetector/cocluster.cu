// LDetector's co-clustering: a row of the matrix is brought into shared memory, and behind a barrier all threads read all of it. Without a second
// barrier the next row overwrites it while others still read [rw]. Twin: with it.
//@ pairs: exact
//@ verdict cocluster: racy
//@ verdict cocluster_fixed: race-free
__global__ void cocluster(const float *matrix, float *sums, int rows) {
  __shared__ float row[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    row[t] = matrix[r * 256 + t]; // expect-race[rw](intra-block,intra-warp)
    __syncthreads();
    for (int k = 0; k < 256; k++)
      sum += row[k] * row[t]; // expect-race[rw](intra-block,intra-warp)
  }
  sums[blockIdx.x * 256 + t] = sum;
}

__global__ void cocluster_fixed(const float *matrix, float *sums, int rows) { // expect-clean
  __shared__ float row[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    row[t] = matrix[r * 256 + t];
    __syncthreads();
    for (int k = 0; k < 256; k++)
      sum += row[k] * row[t];
    __syncthreads();
  }
  sums[blockIdx.x * 256 + t] = sum;
}

int main(int argc, char **) {
  float *a, *b;
  cudaMalloc((void **)&a, 256 * argc * sizeof(float));
  cudaMalloc((void **)&b, 256 * 8 * sizeof(float));
  cocluster<<<8, 256>>>(a, b, argc);
  cocluster_fixed<<<8, 256>>>(a, b, argc);
  return 0;
}
