// Keeps the elements above a limit: the flags of a block are summed up in shared memory, thread 0 draws as many places as the block keeps,
// and each kept element goes to its rank among them. Ranks of kept elements differ, and ranges of blocks do not overlap.
// Without the block's start (bad) the ranges of all blocks begin at 0: blocks write the same places, threads of one block do not.
// before: places count the kept elements before one's own (ok). short: one round too few, sums reach back over half of the block.
// beyond: the count is read from an element that no thread of the block has stored.
// other: more elements are written than were counted. open: without the second barrier of a round, sums are read while others add.
//@ pairs: exact
//@ verdict keep_ok: race-free
//@ verdict keep_bad: racy
//@ verdict before_ok: race-free
//@ verdict short_bad: racy
//@ verdict other_bad: racy
//@ verdict open_bad: racy
//@ verdict beyond_bad: racy

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

__global__ void before_ok(const int *in, int *out, int limit) { // expect-clean
  __shared__ int rank[256];
  int t = threadIdx.x;
  bool keep = in[t] > limit;
  rank[t] = keep;
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    int v = 0;
    if (t >= d)
      v = rank[t - d];
    __syncthreads();
    rank[t] = rank[t] + v;
    __syncthreads();
  }
  if (keep)
    out[rank[t] - keep] = in[t];
}

__global__ void short_bad(const int *in, int *out, int limit) {
  __shared__ int rank[256];
  int t = threadIdx.x;
  bool keep = in[t] > limit;
  rank[t] = keep;
  __syncthreads();
  for (int d = 1; d < 128; d <<= 1) {
    int v = 0;
    if (t >= d)
      v = rank[t - d];
    __syncthreads();
    rank[t] = rank[t] + v;
    __syncthreads();
  }
  if (keep)
    out[rank[t] - 1] = in[t]; // expect-race[short](intra-block,intra-warp)
}

__global__ void other_bad(const int *in, int *out, int limit) {
  __shared__ int rank[256];
  int t = threadIdx.x;
  bool keep = in[t] > limit;
  rank[t] = keep;
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    int v = 0;
    if (t >= d)
      v = rank[t - d];
    __syncthreads();
    rank[t] = rank[t] + v;
    __syncthreads();
  }
  if (in[t] >= limit)
    out[rank[t] - 1] = in[t]; // expect-race[other](intra-block,intra-warp)
}

__global__ void open_bad(const int *in, int *out, int limit) {
  __shared__ int rank[256];
  int t = threadIdx.x;
  bool keep = in[t] > limit;
  rank[t] = keep;
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    int v = 0;
    if (t >= d)
      v = rank[t - d]; // expect-race[open](intra-block,intra-warp)
    __syncthreads();
    rank[t] = rank[t] + v; // expect-race[open](intra-block,intra-warp)
  }
  if (keep)
    out[t] = in[t];
}

__global__ void beyond_bad(const int *in, int *out, int *total, int n, int limit) {
  __shared__ int rank[256], start;
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
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
    out[start + rank[t] - 1] = in[i]; // expect-race[ww](inter-block)
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
  before_ok<<<1, 256>>>(in, out, argc);
  short_bad<<<1, 256>>>(in, out, argc);
  other_bad<<<1, 256>>>(in, out, argc);
  open_bad<<<1, 256>>>(in, out, argc);
  beyond_bad<<<(n + 127) / 128, 128>>>(in, out, total, n, argc);
  return 0;
}
