// Keeps the elements above a limit: the flags of a block are summed up in shared memory, thread 0 draws as many places as the block keeps,
// and each kept element goes to its rank among them. Ranks of kept elements differ, and ranges of blocks do not overlap.
// Without the block's start (bad) the ranges of all blocks begin at 0: blocks write the same places, threads of one block do not.
//@ pairs: exact
//@ verdict keep_ok: race-free
//@ verdict keep_bad: racy
//@ known-false-alarm keep_ok: what is stored in shared memory is not known to be sums of prefixes
//@ known-false-alarm keep_bad: for the same reason it is reported within a block as well

__global__ void keep_ok(const int *in, int *out, int *total, int n, int limit) { // expect-clean
  __shared__ int rank[256], start;
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  bool keep = i < n && in[i] > limit;
  rank[t] = keep ? 1 : 0;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int v = t >= d ? rank[t - d] : 0;
    __syncthreads();
    rank[t] += v;
    __syncthreads();
  }
  if (t == 0)
    start = atomicAdd(total, rank[255]);
  __syncthreads();
  if (keep)
    out[start + rank[t] - 1] = in[i];
}

__global__ void keep_bad(const int *in, int *out, int *total, int n, int limit) {
  __shared__ int rank[256], start;
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  bool keep = i < n && in[i] > limit;
  rank[t] = keep ? 1 : 0;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int v = t >= d ? rank[t - d] : 0;
    __syncthreads();
    rank[t] += v;
    __syncthreads();
  }
  if (t == 0)
    start = atomicAdd(total, rank[255]);
  __syncthreads();
  if (keep)
    out[rank[t] - 1] = in[i]; // expect-race[ww](inter-block)
}

int main(int argc, char **) {
  int n = argc * 1000;
  int *in, *out, *total;
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&out, n * sizeof(int));
  cudaMalloc((void **)&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  keep_ok<<<(n + 255) / 256, 256>>>(in, out, total, n, argc);
  cudaMemset(total, 0, sizeof(int));
  keep_bad<<<(n + 255) / 256, 256>>>(in, out, total, n, argc);
  return 0;
}
