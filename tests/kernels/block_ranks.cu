// Ranks of kept elements over a whole block, added up in ways of all kinds; kept elements go to their ranks.
// two_arrays: Hillis and Steele with two arrays, the sums of the one before; twin: who keeps nothing writes as well.
// totals: ballots of the warps, whose totals thread 0 adds up; twin: the totals of the warps up to one's own [end].
// each: every thread adds up the totals of the warps below; twin: one warp less.
// shuffled: the first warp adds up the totals by shuffles, its last lane draws room for all; twin: without the room.
// tree: up and down a tree (Blelloch), two elements for each thread; twin: one level less on the way down.
// rounds: the split of a radix sort by one bit, eight times in a loop; twin: the ones are not put behind the zeros.
// stride: a tile in each round of a loop, behind a counter; twin: sums of the round before.
// pairs: two flags of each thread are added up together; twin: the second one of a thread is not counted.
// warps: the sum of all within a warp's scan by shuffles; twin: lanes add what is not theirs (no scan).
// partly: what only half of the block stores is not what the other half reads (racy), nor what threads that left would store.
// other: a vote on something else than what is kept (racy).
//@ pairs: exact
//@ verdict two_arrays_ok: race-free
//@ verdict two_arrays_bad: racy
//@ verdict totals_ok: race-free
//@ verdict totals_bad: racy
//@ verdict each_ok: race-free
//@ verdict each_bad: racy
//@ verdict shuffled_ok: race-free
//@ verdict shuffled_bad: racy
//@ verdict tree_ok: race-free
//@ verdict tree_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict stride_ok: race-free
//@ verdict stride_bad: racy
//@ verdict pairs_ok: race-free
//@ verdict pairs_bad: racy
//@ verdict warps_ok: race-free
//@ verdict warps_bad: racy
//@ verdict partly_bad: racy
//@ verdict left_bad: racy
//@ verdict other_bad: racy

template <bool BAD> __device__ void two_arrays(const int *in, int *out, int n) {
  __shared__ int sums[2][128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t, now = 0;
  int kept = i < n && in[i] != 0;
  sums[0][t] = kept;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    sums[1 - now][t] = t >= d ? sums[now][t] + sums[now][t - d] : sums[now][t];
    now = 1 - now;
    __syncthreads();
  }
  if (kept || BAD)
    out[blockIdx.x * 128 + sums[now][t] - kept] = in[i]; // expect-race[two]
}
__global__ void two_arrays_ok(const int *in, int *out, int n) { two_arrays<false>(in, out, n); } // expect-clean
__global__ void two_arrays_bad(const int *in, int *out, int n) { two_arrays<true>(in, out, n); }

template <int MORE, bool OTHER = false> __device__ void totals(const int *in, int *out, int n) {
  __shared__ int total[8];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5, i = blockIdx.x * 256 + t;
  bool keep = i < n && in[i] > 0;
  unsigned kept = __ballot_sync(0xffffffff, OTHER ? i < n && in[i] > 1 : keep);
  if (lane == 0)
    total[warp] = __popc(kept);
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int w = 0; w < 8; w++) {
      int count = total[w];
      total[w] = sum;
      sum += count;
    }
  }
  __syncthreads();
  if (keep)
    out[blockIdx.x * 256 + total[warp] + __popc(kept & ((1u << lane) - 1 + MORE))] = in[i]; // expect-race[end]
}
__global__ void totals_ok(const int *in, int *out, int n) { totals<0>(in, out, n); } // expect-clean
__global__ void totals_bad(const int *in, int *out, int n) { totals<1>(in, out, n); }
__global__ void other_bad(const int *in, int *out, int n) { totals<0, true>(in, out, n); }

template <int LESS> __device__ void each(const int *in, int *out, int n) {
  __shared__ unsigned total[8];
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * 256 + threadIdx.x, base = 0;
  bool keep = i < n && in[i] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  if (lane == 31)
    total[warp] = __popc(kept);
  __syncthreads();
  for (int w = 0; w < (int)warp - LESS; w++)
    base += total[w];
  if (keep)
    out[blockIdx.x * 256 + base + __popc(kept & ((1u << lane) - 1))] = in[i]; // expect-race[each](intra-block)
}
__global__ void each_ok(const int *in, int *out, int n) { each<0>(in, out, n); } // expect-clean
__global__ void each_bad(const int *in, int *out, int n) { each<1>(in, out, n); }

template <bool BAD> __device__ void shuffled(const int *in, int *out, int *count, int n) {
  __shared__ int total[8], room;
  int t = threadIdx.x, lane = t & 31, warp = t >> 5, i = blockIdx.x * 256 + t;
  bool keep = i < n && in[i] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  int rank = __popc(kept & ((1u << lane) - 1));
  if (lane == 0)
    total[warp] = __popc(kept);
  __syncthreads();
  if (warp == 0) {
    int own = lane < 8 ? total[lane] : 0, sum = own;
    for (int d = 1; d < 32; d *= 2) {
      int below = __shfl_up_sync(0xffffffff, sum, d);
      if (lane >= d)
        sum += below;
    }
    if (lane < 8)
      total[lane] = sum - own;
    if (lane == 7)
      room = atomicAdd(count, sum);
  }
  __syncthreads();
  if (keep)
    out[(BAD ? 0 : room) + total[warp] + rank] = in[i]; // expect-race[shuffled](inter-block)
}
__global__ void shuffled_ok(const int *in, int *out, int *count, int n) { shuffled<false>(in, out, count, n); } // expect-clean
__global__ void shuffled_bad(const int *in, int *out, int *count, int n) { shuffled<true>(in, out, count, n); }

template <int LEVELS> __device__ void tree(const int *in, int *out) {
  __shared__ int sum[128];
  int t = threadIdx.x, one = in[2 * t] > 0, two = in[2 * t + 1] > 0;
  sum[2 * t] = one;
  sum[2 * t + 1] = two;
  int step = 1;
  for (int d = 64; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      sum[step * (2 * t + 2) - 1] += sum[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0)
    sum[127] = 0;
  for (int d = 1; d < LEVELS; d *= 2) {
    step >>= 1;
    __syncthreads();
    if (t < d) {
      int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1, kept = sum[left];
      sum[left] = sum[right];
      sum[right] += kept;
    }
  }
  __syncthreads();
  if (one)
    out[sum[2 * t]] = in[2 * t]; // expect-race[left](intra-block,intra-warp) expect-race[tree](intra-block,intra-warp)
  if (two)
    out[sum[2 * t + 1]] = in[2 * t + 1]; // expect-race[tree](intra-block,intra-warp)
}
__global__ void tree_ok(const int *in, int *out) { tree<128>(in, out); } // expect-clean
__global__ void tree_bad(const int *in, int *out) { tree<64>(in, out); }

template <bool BAD> __device__ void split_rounds(unsigned *data) {
  __shared__ unsigned key[128];
  __shared__ int zeros[128];
  int t = threadIdx.x;
  key[t] = data[blockIdx.x * 128 + t];
  for (int bit = 0; bit < 8; bit++) {
    __syncthreads();
    unsigned mine = key[t];
    int one = mine >> bit & 1;
    zeros[t] = 1 - one;
    __syncthreads();
    for (int d = 1; d < 128; d <<= 1) {
      int below = t >= d ? zeros[t - d] : 0;
      __syncthreads();
      zeros[t] += below;
      __syncthreads();
    }
    int all = BAD ? 0 : zeros[127];
    key[one ? all + t - zeros[t] : zeros[t] - 1] = mine; // expect-race[rounds](intra-block,intra-warp)
  }
  __syncthreads();
  data[blockIdx.x * 128 + t] = key[t];
}
__global__ void rounds_ok(unsigned *data) { split_rounds<false>(data); } // expect-clean
__global__ void rounds_bad(unsigned *data) { split_rounds<true>(data); }

template <bool BAD> __device__ void stride(const int *in, int *out, int n) {
  __shared__ int total[4];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int base = blockIdx.x * 128; base < n; base += gridDim.x * 128) {
    int i = base + threadIdx.x, before = 0;
    bool keep = i < n && in[i] > 0;
    unsigned kept = __ballot_sync(0xffffffff, keep);
    if (lane == 0)
      total[warp] = __popc(kept); // expect-race[late](intra-block)
    __syncthreads();
    for (int w = 0; w < warp; w++)
      before += total[w]; // expect-race[late](intra-block)
    if (keep)
      out[base + before + __popc(kept & ((1u << lane) - 1))] = in[i];
    if (!BAD)
      __syncthreads();
  }
}
__global__ void stride_ok(const int *in, int *out, int n) { stride<false>(in, out, n); } // expect-clean
__global__ void stride_bad(const int *in, int *out, int n) { stride<true>(in, out, n); }

template <bool BAD> __device__ void pairs(const int *in, int *out) {
  __shared__ int sum[128];
  int t = threadIdx.x, one = in[2 * t] > 0, two = in[2 * t + 1] > 0;
  sum[t] = BAD ? one : one + two;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int below = t >= d ? sum[t - d] : 0;
    __syncthreads();
    sum[t] += below;
    __syncthreads();
  }
  int place = sum[t] - one - (BAD ? 0 : two);
  if (one)
    out[place++] = in[2 * t]; // expect-race[pairs](intra-block,intra-warp)
  if (two)
    out[place] = in[2 * t + 1]; // expect-race[second](intra-block,intra-warp) expect-race[pairs](intra-block,intra-warp)
}
__global__ void pairs_ok(const int *in, int *out) { pairs<false>(in, out); } // expect-clean
__global__ void pairs_bad(const int *in, int *out) { pairs<true>(in, out); }

template <bool BAD> __device__ void warps(const int *in, int *out) {
  int lane = threadIdx.x % 32, first = threadIdx.x - lane, kept = in[threadIdx.x] > 0, sum = kept;
  for (int d = 1; d < 32; d *= 2) {
    int below = __shfl_up_sync(0xffffffff, sum, d);
    if (BAD || lane >= d)
      sum += below;
  }
  if (kept)
    out[first + sum - 1] = in[threadIdx.x]; // expect-race[warps](intra-warp,intra-block)
}
__global__ void warps_ok(const int *in, int *out) { warps<false>(in, out); } // expect-clean
__global__ void warps_bad(const int *in, int *out) { warps<true>(in, out); }

// The flags of the warps that do not come here are those of the last time.
__global__ void partly_bad(const int *in, int *out) {
  __shared__ int flag[64];
  int t = threadIdx.x;
  flag[t] = 5 * in[t];
  __syncthreads();
  if (t < 32) {
    int keep = in[t] > 0, sum = 0;
    flag[t] = keep;
    __syncwarp();
    for (int j = 0; j <= 2 * t; j++)
      sum += flag[j];
    if (keep)
      out[sum] = t; // expect-race[partly](intra-warp)
  }
}

__global__ void left_bad(const int *in, int *out) {
  __shared__ int flag[64];
  int t = threadIdx.x;
  flag[t] = 5 * in[t];
  __syncthreads();
  if (t & 1)
    return;
  int keep = in[t] > 0, sum = 0;
  flag[t] = keep;
  __syncthreads(); // expect-note {{sm_70 and later}}
  for (int j = 0; j <= t; j++)
    sum += flag[j];
  if (keep)
    out[sum] = t; // expect-race[gone](intra-warp,intra-block)
}

int main(int argc, char **argv) {
  int n = argc * 1000, blocks = (n + 255) / 256, *in, *out, *count;
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&out, n * sizeof(int));
  cudaMalloc((void **)&count, sizeof(int));
  cudaMemcpy(in, argv[1], n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  two_arrays_ok<<<2 * blocks, 128>>>(in, out, n);
  two_arrays_bad<<<2 * blocks, 128>>>(in, out, n);
  totals_ok<<<blocks, 256>>>(in, out, n);
  totals_bad<<<blocks, 256>>>(in, out, n);
  other_bad<<<blocks, 256>>>(in, out, n);
  each_ok<<<blocks, 256>>>(in, out, n);
  each_bad<<<blocks, 256>>>(in, out, n);
  shuffled_ok<<<blocks, 256>>>(in, out, count, n);
  shuffled_bad<<<blocks, 256>>>(in, out, count, n);
  tree_ok<<<1, 64>>>(in, out);
  tree_bad<<<1, 64>>>(in, out);
  rounds_ok<<<blocks, 128>>>((unsigned *)in);
  rounds_bad<<<blocks, 128>>>((unsigned *)in);
  stride_ok<<<blocks, 128>>>(in, out, n);
  stride_bad<<<blocks, 128>>>(in, out, n);
  pairs_ok<<<1, 128>>>(in, out);
  pairs_bad<<<1, 128>>>(in, out);
  warps_ok<<<1, 64>>>(in, out);
  warps_bad<<<1, 64>>>(in, out);
  partly_bad<<<1, 64>>>(in, out);
  left_bad<<<1, 64>>>(in, out);
  return 0;
}
