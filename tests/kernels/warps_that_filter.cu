// Each warp appends what its lanes keep, all lanes come to the ballot and to the shuffle: the lowest of those that keep something draws room for all
// (lowest_ok), also where it is asked besides whether it keeps something (asked_ok), or the highest (highest_ok); by labels, with a counter for
// each (labels_ok). fewer: room for one less [fewer]. next: what the lane above hands on [next]. others: a lane that keeps nothing is asked for
// [others]. other_label: the start of another label's lane is used [other].
//@ verdict lowest_ok: race-free
//@ verdict asked_ok: race-free
//@ verdict highest_ok: race-free
//@ verdict labels_ok: race-free
//@ verdict fewer_bad: racy
//@ verdict next_bad: racy
//@ verdict others_bad: racy
//@ verdict other_label_bad: racy
#include <cuda_runtime.h>

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int lane_number() { return threadIdx.x & 31; }
__device__ int rank_in(unsigned mask) { return __popc(mask & ((1u << lane_number()) - 1)); }

__global__ void lowest_ok(const int *in, int *out, int *count, int limit) { // expect-clean
  int i = thread_number(), start = 0;
  bool keep = in[i] > limit;
  unsigned mask = __ballot_sync(~0u, keep);
  int leader = __ffs(mask) - 1;
  if (lane_number() == leader) start = atomicAdd(count, __popc(mask));
  start = __shfl_sync(~0u, start, leader);
  if (keep) out[start + rank_in(mask)] = i;
}

__global__ void asked_ok(const int *in, int *out, int *count, int n) { // expect-clean
  int i = thread_number(), start;
  bool keep = i < n && in[i] > 3;
  unsigned mask = __ballot_sync(~0u, keep);
  int leader = __ffs(mask) - 1;
  if (keep && lane_number() == leader) start = atomicAdd(count, __popc(mask));
  start = __shfl_sync(~0u, start, leader);
  if (keep) out[start + rank_in(mask)] = i;
}

__global__ void highest_ok(const int *in, int *out, int *count, int limit) { // expect-clean
  int i = thread_number(), start = 0;
  bool keep = in[i] > limit;
  unsigned mask = __ballot_sync(~0u, keep);
  int leader = 31 - __clz(mask);
  if (keep && lane_number() == leader) start = atomicAdd(count, __popc(mask));
  start = __shfl_sync(~0u, start, leader);
  if (keep) out[start + rank_in(mask)] = i;
}

__global__ void labels_ok(const int *in, int *out, int *counts, int room) { // expect-clean
  int i = thread_number(), start = 0, label = in[i] & 15;
  unsigned mask = __match_any_sync(~0u, label);
  int leader = __ffs(mask) - 1;
  if (lane_number() == leader) start = atomicAdd(&counts[label], __popc(mask));
  start = __shfl_sync(~0u, start, leader);
  out[label * room + start + rank_in(mask)] = i;
}

__global__ void fewer_bad(const int *in, int *out, int *count, int limit) {
  int i = thread_number(), start = 0;
  bool keep = in[i] > limit;
  unsigned mask = __ballot_sync(~0u, keep);
  int leader = __ffs(mask) - 1;
  if (keep && lane_number() == leader) start = atomicAdd(count, __popc(mask) - 1);
  start = __shfl_sync(~0u, start, leader);
  if (keep) out[start + rank_in(mask)] = i; // expect-race[fewer]
}

__global__ void next_bad(const int *in, int *out, int *count, int limit) {
  int i = thread_number(), start = 0;
  bool keep = in[i] > limit;
  unsigned mask = __ballot_sync(~0u, keep);
  int leader = __ffs(mask) - 1;
  if (keep && lane_number() == leader) start = atomicAdd(count, __popc(mask));
  start = __shfl_sync(~0u, start, leader + 1);
  if (keep) out[start + rank_in(mask)] = i; // expect-race[next]
}

__global__ void others_bad(const int *in, int *out, int *count, int limit) {
  int i = thread_number(), start = 0;
  bool keep = in[i] > limit;
  unsigned mask = __ballot_sync(~0u, keep);
  int leader = __ffs(mask) - 1;
  if (!keep && lane_number() == leader) start = atomicAdd(count, __popc(mask));
  start = __shfl_sync(~0u, start, leader);
  if (keep) out[start + rank_in(mask)] = i; // expect-race[others]
}

__global__ void other_label_bad(const int *in, int *out, int *counts, int room) {
  int i = thread_number(), start = 0, label = in[i] & 15;
  unsigned mask = __match_any_sync(~0u, label);
  int leader = __ffs(mask) - 1;
  if (lane_number() == leader) start = atomicAdd(&counts[label], __popc(mask));
  start = __shfl_sync(~0u, start, 31 - leader);
  out[label * room + start + rank_in(mask)] = i; // expect-race[other]
}

int main(int argc, char **) {
  int n = 1000, *in, *out, *count;
  cudaMalloc(&in, 1024 * sizeof(int));
  cudaMalloc(&out, 16 * 1024 * sizeof(int));
  cudaMalloc(&count, 16 * sizeof(int));
  cudaMemset(count, 0, 16 * sizeof(int));
  lowest_ok<<<4, 256>>>(in, out, count, argc);
  asked_ok<<<4, 256>>>(in, out, count, n);
  highest_ok<<<4, 256>>>(in, out, count, argc);
  fewer_bad<<<4, 256>>>(in, out, count, argc);
  next_bad<<<4, 256>>>(in, out, count, argc);
  others_bad<<<4, 256>>>(in, out, count, argc);
  cudaMemset(count, 0, 16 * sizeof(int));
  labels_ok<<<4, 256>>>(in, out, count, 1024);
  cudaMemset(count, 0, 16 * sizeof(int));
  other_label_bad<<<4, 256>>>(in, out, count, 1024);
  cudaDeviceSynchronize();
}
