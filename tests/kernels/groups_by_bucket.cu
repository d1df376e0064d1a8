// A counter for each label: the lanes that named one label draw room for all of them from the label's own counter, the start goes round
// by a shuffle, each takes the place of its rank. In global memory, with room for `cap` in each list (label: by a group of those that run
// together; match, active: with masks; finer: two labels share a list and its counter), in shared memory with room for as many as there
// are threads (shared; plain: each thread by itself; branches: in one of two branches; odd: the label is a number made of the bucket).
// other: the rank is that among all that run together [other]. single: room for one [single]. zero: the start is that of another group
// [zero]. list: two counters for one list [list]. cap: more than a list has room for [cap]. plain, less: half the room [plain], one
// place too few [less]. twice: each group draws twice [twice]. all: each lane of a group draws for all of it [all]. rounds: in each round
// of a loop [rounds]. both: a draw in a branch and one behind it [both]. away: the group is that of another label [away]. moved: the
// bucket changes behind the draw [moved].
//@ verdict label_ok: race-free
//@ verdict match_ok: race-free
//@ verdict active_ok: race-free
//@ verdict finer_ok: race-free
//@ verdict shared_ok: race-free
//@ verdict plain_ok: race-free
//@ verdict branches_ok: race-free
//@ verdict odd_ok: race-free
//@ verdict rounds_ok: race-free
//@ verdict other_bad: racy
//@ verdict single_bad: racy
//@ verdict zero_bad: racy
//@ verdict list_bad: racy
//@ verdict cap_bad: racy
//@ verdict plain_bad: racy
//@ verdict less_bad: racy
//@ verdict twice_bad: racy
//@ verdict all_bad: racy
//@ verdict rounds_bad: racy
//@ verdict both_bad: racy
//@ verdict away_bad: racy
//@ verdict moved_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
enum { kBuckets = 16 };

__device__ int rank_in(unsigned mask) { return __popc(mask & ((1u << threadIdx.x % 32) - 1)); }

__device__ int draw(int *count, cg::coalesced_group g) {
  int base = 0;
  if (g.thread_rank() == 0) base = atomicAdd(count, g.size());
  return g.shfl(base, 0) + g.thread_rank();
}

#define SETUP  \
  __shared__ int count[kBuckets];  \
  __shared__ int list[kBuckets * 256 + 64];  \
  if (threadIdx.x < kBuckets) count[threadIdx.x] = 0;  \
  __syncthreads();  \
  int i = blockIdx.x * blockDim.x + threadIdx.x, b = in[i] & (kBuckets - 1);
#define FLUSH __syncthreads(); out[i] = list[threadIdx.x];

__global__ void label_ok(int *out, int *count, const int *in, int m, int cap) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int b = in[i] & (kBuckets - 1);
  auto active = cg::coalesced_threads();
  auto g = cg::labeled_partition(active, b);
  int base = 0;
  if (g.thread_rank() == 0) base = atomicAdd(&count[b], g.size());
  base = g.shfl(base, 0);
  int at = base + g.thread_rank();
  if (at < cap) out[b * cap + at] = i;
}

__global__ void match_ok(int *out, int *count, const int *in, int m, int cap) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int b = i < m ? in[i] & (kBuckets - 1) : kBuckets;
  unsigned mask = __match_any_sync(0xffffffffu, b);
  int leader = __ffs(mask) - 1, base = 0;
  if (threadIdx.x % 32 == leader) base = atomicAdd(&count[b], __popc(mask));
  base = __shfl_sync(mask, base, leader);
  int at = base + rank_in(mask);
  if (i < m && at < cap) out[b * cap + at] = i;
}

__global__ void active_ok(int *out, int *count, const int *in, int m, int cap) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    int b = in[i] & (kBuckets - 1);
    unsigned mask = __match_any_sync(__activemask(), b);
    int leader = __ffs(mask) - 1, base = 0;
    if (threadIdx.x % 32 == leader) base = atomicAdd(&count[b], __popc(mask));
    base = __shfl_sync(mask, base, leader);
    int at = base + rank_in(mask);
    if (at < cap) out[b * cap + at] = i;
  }
}

__global__ void finer_ok(int *out, int *count, const int *in, int m, int cap) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int b = in[i] & (kBuckets - 1);
  auto g = cg::labeled_partition(cg::coalesced_threads(), b);
  int base = 0;
  if (g.thread_rank() == 0) base = atomicAdd(&count[b / 2], g.size());
  base = g.shfl(base, 0);
  int at = base + g.thread_rank();
  if (at < cap) out[b / 2 * cap + at] = i;
}

__global__ void shared_ok(int *out, const int *in, int m) { // expect-clean
  __shared__ int count[kBuckets];
  __shared__ int list[kBuckets * 256];
  if (threadIdx.x < kBuckets) count[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    int b = in[i] & (kBuckets - 1);
    auto g = cg::labeled_partition(cg::coalesced_threads(), b);
    int base = 0;
    if (g.thread_rank() == 0) base = atomicAdd(&count[b], g.size());
    base = g.shfl(base, 0);
    list[b * 256 + base + g.thread_rank()] = i;
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = list[threadIdx.x];
}

__global__ void plain_ok(int *out, const int *in, int m) { // expect-clean
  __shared__ int count[kBuckets];
  __shared__ int list[kBuckets * 256];
  if (threadIdx.x < kBuckets) count[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    int b = in[i] & (kBuckets - 1);
    int base = atomicAdd(&count[b], 1);
    list[b * 256 + base] = i;
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = list[threadIdx.x];
}

__global__ void branches_ok(int *out, const int *in) { // expect-clean
  SETUP
  int at;
  if (in[i] < 1000) at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), b));
  else at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), b));
  list[b * 256 + at] = i;
  FLUSH
}

__global__ void odd_ok(int *out, const int *in) { // expect-clean
  SETUP
  int at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), 3 * b + 1));
  list[b * 256 + at] = i;
  FLUSH
}

__global__ void rounds_ok(int *out, int *count, const int *in, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = i; k < n; k += gridDim.x * blockDim.x) {
    int b = in[k] & (kBuckets - 1);
    int at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), b));
    if (at < n) out[b * n + at] = k;
  }
}

__global__ void other_bad(int *out, int *count, const int *in, int m, int cap) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int b = in[i] & (kBuckets - 1);
  auto active = cg::coalesced_threads();
  auto g = cg::labeled_partition(active, b);
  int base = 0;
  if (g.thread_rank() == 0) base = atomicAdd(&count[b], g.size());
  base = g.shfl(base, 0);
  int at = base + active.thread_rank();
  if (at < cap) out[b * cap + at] = i; // expect-race[other]
}

__global__ void single_bad(int *out, int *count, const int *in, int m, int cap) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int b = in[i] & (kBuckets - 1);
  auto g = cg::labeled_partition(cg::coalesced_threads(), b);
  int base = 0;
  if (g.thread_rank() == 0) base = atomicAdd(&count[b], 1);
  base = g.shfl(base, 0);
  int at = base + g.thread_rank();
  if (at < cap) out[b * cap + at] = i; // expect-race[single]
}

__global__ void zero_bad(int *out, int *count, const int *in, int m, int cap) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int b = i < m ? in[i] & (kBuckets - 1) : kBuckets;
  unsigned mask = __match_any_sync(0xffffffffu, b);
  int leader = __ffs(mask) - 1, base = 0;
  if (threadIdx.x % 32 == leader) base = atomicAdd(&count[b], __popc(mask));
  base = __shfl_sync(0xffffffffu, base, 0);
  int at = base + rank_in(mask);
  if (i < m && at < cap) out[b * cap + at] = i; // expect-race[zero]
}

__global__ void list_bad(int *out, int *count, const int *in, int m, int cap) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int b = in[i] & (kBuckets - 1);
  auto g = cg::labeled_partition(cg::coalesced_threads(), b);
  int base = 0;
  if (g.thread_rank() == 0) base = atomicAdd(&count[b], g.size());
  base = g.shfl(base, 0);
  int at = base + g.thread_rank();
  if (at < cap) out[b / 2 * cap + at] = i; // expect-race[list]
}

__global__ void cap_bad(int *out, int *count, const int *in, int m, int cap) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int b = in[i] & (kBuckets - 1);
  auto g = cg::labeled_partition(cg::coalesced_threads(), b);
  int base = 0;
  if (g.thread_rank() == 0) base = atomicAdd(&count[b], g.size());
  base = g.shfl(base, 0);
  out[b * cap + base + g.thread_rank()] = i; // expect-race[cap]
}

__global__ void plain_bad(int *out, const int *in, int m) {
  __shared__ int count[kBuckets];
  __shared__ int list[kBuckets * 256];
  if (threadIdx.x < kBuckets) count[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    int b = in[i] & (kBuckets - 1);
    int base = atomicAdd(&count[b], 1);
    list[b * 128 + base] = i; // expect-race[plain]
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = list[threadIdx.x];
}

__global__ void less_bad(int *out, const int *in) {
  SETUP
  int at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), b));
  list[b * 255 + at] = i; // expect-race[less]
  FLUSH
}

__global__ void twice_bad(int *out, const int *in) {
  SETUP
  auto g = cg::labeled_partition(cg::coalesced_threads(), b);
  int at = draw(&count[b], g);
  list[b * 256 + at] = i; // expect-race[twice]
  at = draw(&count[b], g);
  list[b * 256 + at] = i; // expect-race[twice]
  FLUSH
}

__global__ void all_bad(int *out, const int *in) {
  SETUP
  auto g = cg::labeled_partition(cg::coalesced_threads(), b);
  int base = atomicAdd(&count[b], g.size());
  base = g.shfl(base, 0);
  list[b * 256 + base + g.thread_rank()] = i; // expect-race[all]
  FLUSH
}

__global__ void rounds_bad(int *out, const int *in, int n) {
  SETUP
  for (int k = 0; k < n; k++) {
    b = in[i + k] & (kBuckets - 1);
    int at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), b));
    list[b * 256 + at] = i; // expect-race[rounds]
  }
  FLUSH
}

__global__ void both_bad(int *out, const int *in) {
  SETUP
  int at;
  if (in[i] < 1000) {
    at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), b));
    list[b * 256 + at] = i; // expect-race[both]
  }
  at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), b));
  list[b * 256 + at] = i; // expect-race[both]
  FLUSH
}

__global__ void away_bad(int *out, const int *in) {
  SETUP
  int c = in[i + 5] & (kBuckets - 1);
  int at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), c));
  list[b * 256 + at] = i; // expect-race[away]
  FLUSH
}

__global__ void moved_bad(int *out, const int *in) {
  SETUP
  int at = draw(&count[b], cg::labeled_partition(cg::coalesced_threads(), b));
  b = in[i + 5] & (kBuckets - 1);
  list[b * 256 + at] = i; // expect-race[moved]
  FLUSH
}

int main(int argc, char **) {
  int m = argc * 1000, blocks = (m + 255) / 256, *in, *out, *n;
  cudaMalloc((void **)&in, m * sizeof(int));
  cudaMalloc((void **)&out, 17 * m * sizeof(int));
  cudaMalloc((void **)&n, 17 * sizeof(int));
  cudaMemset(n, 0, 17 * sizeof(int));
  label_ok<<<blocks, 256>>>(out, n, in, m, m);
  cudaMemset(n, 0, 17 * sizeof(int));
  match_ok<<<blocks, 256>>>(out, n, in, m, m);
  cudaMemset(n, 0, 17 * sizeof(int));
  active_ok<<<blocks, 256>>>(out, n, in, m, m);
  cudaMemset(n, 0, 17 * sizeof(int));
  finer_ok<<<blocks, 256>>>(out, n, in, m, m);
  shared_ok<<<blocks, 256>>>(out, in, m);
  plain_ok<<<blocks, 256>>>(out, in, m);
  branches_ok<<<2, 256>>>(out, in);
  odd_ok<<<2, 256>>>(out, in);
  cudaMemset(n, 0, 17 * sizeof(int));
  rounds_ok<<<2, 256>>>(out, n, in, m);
  cudaMemset(n, 0, 17 * sizeof(int));
  other_bad<<<blocks, 256>>>(out, n, in, m, m);
  cudaMemset(n, 0, 17 * sizeof(int));
  single_bad<<<blocks, 256>>>(out, n, in, m, m);
  cudaMemset(n, 0, 17 * sizeof(int));
  zero_bad<<<blocks, 256>>>(out, n, in, m, m);
  cudaMemset(n, 0, 17 * sizeof(int));
  list_bad<<<blocks, 256>>>(out, n, in, m, m);
  cudaMemset(n, 0, 17 * sizeof(int));
  cap_bad<<<blocks, 256>>>(out, n, in, m, 128);
  plain_bad<<<blocks, 256>>>(out, in, m);
  less_bad<<<2, 256>>>(out, in);
  twice_bad<<<2, 256>>>(out, in);
  all_bad<<<2, 256>>>(out, in);
  rounds_bad<<<2, 256>>>(out, in, 3);
  both_bad<<<2, 256>>>(out, in);
  away_bad<<<2, 256>>>(out, in);
  moved_bad<<<2, 256>>>(out, in);
  return 0;
}
