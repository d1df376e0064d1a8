// Places that the kernel computes in shared memory, of which most are not followed: whether threads meet is seen in a run of the launch
// on chosen contents, or the kernel is undecided; it is not called racy for numbers that it never computes.
//   rank: each thread counts who comes before it, ties by number; without the ties (rank_bad) equal numbers get one place.
//   reused: the counts of a counting sort are cleared and draw the ranks; each digit's start counts half of those before it
//     (reused_bad).
//   given: what decides is the array that the kernel is given: possible, as ever.
//@ verdict rank_ok: race-free
//@ verdict rank_bad: racy
//@ verdict reused_ok: race-free
//@ known-undecided reused_ok: that a counter which is cleared draws as many as it counted is not known
//@ verdict reused_bad: racy
//@ verdict given_bad: racy
//@ args: --grid-dim 4 --block-dim 64
template <bool BAD> __device__ void rank(const int *in, int *out) {
  __shared__ int value[64];
  int t = threadIdx.x, before = 0;
  value[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int i = 0; i < 64; i++)
    before += value[i] < value[t] || (!BAD && value[i] == value[t] && i < t);
  out[blockIdx.x * 64 + before] = value[t]; // expect-race[rank](intra-block,intra-warp)
}
__global__ void rank_ok(const int *in, int *out) { rank<false>(in, out); } // expect-clean
__global__ void rank_bad(const int *in, int *out) { rank<true>(in, out); }

template <bool BAD> __device__ void reused(const int *in, int *out) {
  __shared__ int count[16], first[16];
  int t = threadIdx.x, digit = in[blockIdx.x * 64 + t] & 15;
  if (t < 16) count[t] = 0;
  __syncthreads();
  atomicAdd(&count[digit], 1);
  __syncthreads();
  if (t == 0)
    for (int i = 0, sum = 0; i < 16; i++) {
      first[i] = sum;
      sum += BAD ? count[i] / 2 : count[i];
    }
  __syncthreads();
  if (t < 16) count[t] = 0;
  __syncthreads();
  int place = first[digit] + atomicAdd(&count[digit], 1);
  out[blockIdx.x * 64 + place] = t; // expect-race[reused]
}
__global__ void reused_ok(const int *in, int *out) { reused<false>(in, out); } // expect-clean
__global__ void reused_bad(const int *in, int *out) { reused<true>(in, out); }

__global__ void given_bad(const int *place, int *out) {
  __shared__ int here[64];
  here[threadIdx.x] = place[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + here[threadIdx.x ^ 1]] = threadIdx.x; // expect-race[given](inter-block,intra-block,intra-warp)
}
