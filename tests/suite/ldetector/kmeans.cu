// LDetector's kmeans, with the race injected: how many points changed their cluster, summed in shared memory. Without a barrier
// before the first round a thread reads what its partner 64 further on, so in another warp, may not have written yet [rw]; the
// later rounds have their barriers. Twin: with it.
//@ pairs: exact
//@ verdict kmeans: racy
//@ verdict kmeans_fixed: race-free
__global__ void kmeans(const float *points, const float *centers, int *member, int *changes, int n, int clusters) {
  __shared__ int changed[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t, best = 0;
  if (i < n)
    for (int c = 1; c < clusters; c++)
      if (fabsf(points[i] - centers[c]) < fabsf(points[i] - centers[best]))
        best = c;
  changed[t] = i < n && member[i] != best; // expect-race[rw](intra-block)
  if (i < n)
    member[i] = best;
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      changed[t] += changed[t + half]; // expect-race[rw](intra-block)
    __syncthreads();
  }
  if (t == 0)
    changes[blockIdx.x] = changed[0];
}

__global__ void kmeans_fixed(const float *points, const float *centers, int *member, int *changes, int n, int clusters) { // expect-clean
  __shared__ int changed[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t, best = 0;
  if (i < n)
    for (int c = 1; c < clusters; c++)
      if (fabsf(points[i] - centers[c]) < fabsf(points[i] - centers[best]))
        best = c;
  changed[t] = i < n && member[i] != best;
  if (i < n)
    member[i] = best;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      changed[t] += changed[t + half];
    __syncthreads();
  }
  if (t == 0)
    changes[blockIdx.x] = changed[0];
}

int main(int argc, char **) {
  int n = 1000 * argc, *member, *changes;
  float *points, *centers;
  cudaMalloc((void **)&points, n * sizeof(float));
  cudaMalloc((void **)&centers, argc * sizeof(float));
  cudaMalloc((void **)&member, n * sizeof(int));
  cudaMalloc((void **)&changes, (n + 127) / 128 * sizeof(int));
  kmeans<<<(n + 127) / 128, 128>>>(points, centers, member, changes, n, argc);
  kmeans_fixed<<<(n + 127) / 128, 128>>>(points, centers, member, changes, n, argc);
  return 0;
}
