// LDetector's em: the threads of a block add their points to the sums of clusters in shared memory, with plain accesses. Points of any two
// threads of a block may belong to one cluster: they read and write one word [ww]. Clearing and summing up lie behind
// barriers. Twin: atomicAdd.
//@ pairs: exact
//@ verdict em: racy
//@ verdict em_fixed: race-free
__global__ void em(const float *points, const int *cluster, float *sums, int n) {
  __shared__ float part[16];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 16)
    part[t] = 0;
  __syncthreads();
  if (i < n)
    part[cluster[i]] += points[i]; // expect-race[ww](intra-block,intra-warp)
  __syncthreads();
  if (t < 16)
    atomicAdd(&sums[t], part[t]);
}

__global__ void em_fixed(const float *points, const int *cluster, float *sums, int n) { // expect-clean
  __shared__ float part[16];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 16)
    part[t] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&part[cluster[i]], points[i]);
  __syncthreads();
  if (t < 16)
    atomicAdd(&sums[t], part[t]);
}

int main(int argc, char **) {
  int n = 1000 * argc, *cluster;
  float *points, *sums;
  cudaMalloc((void **)&points, n * sizeof(float));
  cudaMalloc((void **)&cluster, n * sizeof(int));
  cudaMalloc((void **)&sums, 16 * sizeof(float));
  em<<<(n + 255) / 256, 256>>>(points, cluster, sums, n);
  em_fixed<<<(n + 255) / 256, 256>>>(points, cluster, sums, n);
  return 0;
}
