// One lane of a group, of a rank that all of them compute alike, draws room for all: whichever invoke_one_broadcast chooses (invoke), the last
// one (last), one that the host names (named). fewer: room for one less. other: the last one hands on what the first one drew.
// data: each lane reads a rank of its own (bad). round: the rank is the round, in which lanes that run together need not be alike (bad).
// A group of equal labels takes one way if the label says which: keep (ok), by the lane's number besides (apart), by another bit of what the label was
// made from (bit); invoke_one_broadcast there (side).
//@ verdict invoke_ok: race-free
//@ verdict invoke_fewer_bad: racy
//@ verdict last_ok: race-free
//@ verdict last_other_bad: racy
//@ verdict named_ok: race-free
//@ verdict data_bad: racy
//@ verdict round_bad: racy
//@ verdict keep_ok: race-free
//@ verdict keep_apart_bad: racy
//@ verdict keep_bit_bad: racy
//@ verdict side_ok: race-free
//@ verdict side_fewer_bad: racy
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ cg::thread_block_tile<32> warp() { return cg::tiled_partition<32>(cg::this_thread_block()); }
__device__ int number() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <int fewer> __device__ void invoke(const int *in, int *count, int *out, int n) {
  if (number() < n && in[number()] > 0) {
    auto group = cg::coalesced_threads();
    int at = cg::invoke_one_broadcast(group, [&] { return atomicAdd(count, (int)group.num_threads() - fewer); });
    out[at + group.thread_rank()] = number(); // expect-race
  }
}
__global__ void invoke_ok(const int *in, int *count, int *out, int n) { invoke<0>(in, count, out, n); } // expect-clean
__global__ void invoke_fewer_bad(const int *in, int *count, int *out, int n) { invoke<1>(in, count, out, n); }

enum Which { LAST, OTHER, NAMED, DATA };
template <Which which> __device__ void ranked(const int *in, int *count, int *out, int n, unsigned named) {
  if (number() < n && in[number()] > 0) {
    auto group = cg::coalesced_threads();
    unsigned last = group.size() - 1, own = in[n + number()], at = 0;
    unsigned from = which == NAMED ? named % group.size() : which == DATA ? own % group.size() : last;
    if (group.thread_rank() == (which == OTHER ? 0 : from))
      at = atomicAdd(count, group.size());
    at = group.shfl(at, from);
    out[at + group.thread_rank()] = number(); // expect-race
  }
}
__global__ void last_ok(const int *in, int *count, int *out, int n) { ranked<LAST>(in, count, out, n, 0); } // expect-clean
__global__ void last_other_bad(const int *in, int *count, int *out, int n) { ranked<OTHER>(in, count, out, n, 0); }
__global__ void named_ok(const int *in, int *count, int *out, int n, unsigned named) { // expect-clean
  ranked<NAMED>(in, count, out, n, named);
}
__global__ void data_bad(const int *in, int *count, int *out, int n) { ranked<DATA>(in, count, out, n, 0); }

__global__ void round_bad(const int *in, int *count, int *out, int n) {
  for (int k = 0; k < n; k++)
    if (in[number() + k] > 0) {
      auto group = cg::coalesced_threads();
      int at = 0, from = k % group.size();
      if (group.thread_rank() == from)
        at = atomicAdd(count, (int)group.size());
      at = group.shfl(at, from);
      out[at + group.thread_rank()] = number(); // expect-race
    }
}

template <class Label> __device__ void keep(bool keeps, Label label, int *count, int *out) {
  auto group = cg::labeled_partition(warp(), label);
  if (keeps) {
    int at = 0;
    if (group.thread_rank() == 0)
      at = atomicAdd(count, (int)group.size());
    at = group.shfl(at, 0);
    out[at + group.thread_rank()] = number(); // expect-race
  }
}
__global__ void keep_ok(const int *in, int *count, int *out) { // expect-clean
  keep((in[number()] & 7) == 3, in[number()] & 7, count, out);
}
__global__ void keep_apart_bad(const int *in, int *count, int *out) {
  keep((in[number()] & 7) == 3 && number() % 2, in[number()] & 7, count, out);
}
__global__ void keep_bit_bad(const int *in, int *count, int *out) { keep(in[number()] & 1, in[number()] & 2, count, out); }

template <int fewer> __device__ void side(const int *in, int *count, int *out) {
  bool odd = in[number()] & 1;
  auto group = cg::binary_partition(warp(), odd);
  if (!odd) {
    int at = cg::invoke_one_broadcast(group, [&] { return atomicAdd(count, (int)group.num_threads() - fewer); });
    out[at + group.thread_rank()] = number(); // expect-race
  }
}
__global__ void side_ok(const int *in, int *count, int *out) { side<0>(in, count, out); } // expect-clean
__global__ void side_fewer_bad(const int *in, int *count, int *out) { side<1>(in, count, out); }

int main(int count, char **words) {
  int *in, *counter, *out;
  cudaMalloc((void **)&in, 1 << 20);
  cudaMalloc((void **)&counter, sizeof(int));
  cudaMalloc((void **)&out, 1 << 20);
  cudaMemset(counter, 0, sizeof(int));
  invoke_ok<<<8, 256>>>(in, counter, out, count);
  invoke_fewer_bad<<<8, 256>>>(in, counter, out, count);
  last_ok<<<8, 256>>>(in, counter, out, count);
  last_other_bad<<<8, 256>>>(in, counter, out, count);
  named_ok<<<8, 256>>>(in, counter, out, count, count);
  data_bad<<<8, 256>>>(in, counter, out, count);
  round_bad<<<8, 256>>>(in, counter, out, count);
  keep_ok<<<8, 256>>>(in, counter, out);
  keep_apart_bad<<<8, 256>>>(in, counter, out);
  keep_bit_bad<<<8, 256>>>(in, counter, out);
  side_ok<<<8, 256>>>(in, counter, out);
  side_fewer_bad<<<8, 256>>>(in, counter, out);
  return 0;
}
