// LDetector's bisect (small matrices), which has no race: threads with an interval to keep store it at the position that a prefix sum
// of their flags gives them. Positions count from 1 up over the threads that keep one, so no two have the same. To see it one has
// to know what the loop sums. Twin: the position of every second thread's neighbour is taken; then two threads may have the same
// [ww]: the two of a pair, and the first thread that keeps one with any later one whose neighbour's position it is as well.
//@ pairs: exact
//@ verdict bisect: race-free
//@ verdict bisect_broken: racy
__global__ void bisect(const float *left, const float *right, float *kept, int n) { // expect-clean
  __shared__ int index[512];
  int t = threadIdx.x;
  bool keep = t < n && right[t] - left[t] > 0.01f;
  index[t] = keep ? 1 : 0;
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    int x = t >= d ? index[t - d] : 0;
    __syncthreads();
    index[t] += x;
    __syncthreads();
  }
  if (keep)
    kept[index[t] - 1] = left[t];
}

__global__ void bisect_broken(const float *left, const float *right, float *kept, int n) {
  __shared__ int index[512];
  int t = threadIdx.x;
  bool keep = t < n && right[t] - left[t] > 0.01f;
  index[t] = keep ? 1 : 0;
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    int x = t >= d ? index[t - d] : 0;
    __syncthreads();
    index[t] += x;
    __syncthreads();
  }
  if (keep)
    kept[index[t / 2 * 2]] = left[t]; // expect-race[ww](intra-block,intra-warp)
}

int main(int argc, char **) {
  float *a, *b, *c;
  cudaMalloc((void **)&a, 512 * sizeof(float));
  cudaMalloc((void **)&b, 512 * sizeof(float));
  cudaMalloc((void **)&c, 512 * sizeof(float));
  bisect<<<1, 512>>>(a, b, c, argc);
  bisect_broken<<<1, 512>>>(a, b, c, argc);
  return 0;
}
