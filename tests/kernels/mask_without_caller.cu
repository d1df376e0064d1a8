// A lane that executes a warp operation has to be in the mask that it gives: else the operation has no meaning (CUDA: "each calling
// thread must have its own bit set in the mask"). The mask is computed here. below: the lanes before the own one (bad), counted in a vote
// of all (ok). half: the other half of the warp, or the own one. voted: those that voted yes; executed by all (bad), by them (ok).
// data: likewise, where the vote is about data: it may leave a lane out. round: in a loop. given: a mask that the host gives is not
// known (ok), but lanes from 8 on are not in its lowest 8 bits (bad). group, same, tile, coalesced: each lane is in a mask of this kind.
// off: a lane that takes itself out of the mask (bad), puts itself in (ok).
//@ verdict below_bad: race-free
//@ verdict below_ok: race-free
//@ verdict half_bad: race-free
//@ verdict half_ok: race-free
//@ verdict voted_bad: race-free
//@ verdict voted_ok: race-free
//@ verdict data_bad: race-free
//@ verdict data_ok: race-free
//@ verdict round_bad: race-free
//@ verdict round_ok: race-free
//@ verdict given_bad: race-free
//@ verdict given_ok: race-free
//@ verdict off_bad: race-free
//@ verdict off_ok: race-free
//@ verdict group_ok: race-free
//@ verdict same_ok: race-free
//@ verdict coalesced_ok: race-free
#include <cooperative_groups.h>

__global__ void below_bad(int *out, const int *in) {
  unsigned lane = threadIdx.x & 31;
  unsigned mask = (1u << lane) - 1;
  out[threadIdx.x] = __popc(__ballot_sync(mask, in[threadIdx.x] > 0)); // expect-misuse {{definite cause=mask-without-caller}}
}

__global__ void below_ok(int *out, const int *in) { // expect-clean
  unsigned lane = threadIdx.x & 31;
  unsigned mask = (1u << lane) - 1;
  out[threadIdx.x] = __popc(__ballot_sync(0xffffffff, in[threadIdx.x] > 0) & mask);
}

__global__ void half_bad(int *out, const int *in) {
  unsigned mask = threadIdx.x % 32 < 16 ? 0xffff0000 : 0x0000ffff;
  int x = in[threadIdx.x];
  out[threadIdx.x] = __shfl_xor_sync(mask, x, 1); // expect-misuse {{definite cause=mask-without-caller}}
}

__global__ void half_ok(int *out, const int *in) { // expect-clean
  unsigned mask = threadIdx.x % 32 < 16 ? 0x0000ffff : 0xffff0000;
  int x = in[threadIdx.x];
  out[threadIdx.x] = __shfl_xor_sync(mask, x, 1);
}

__global__ void voted_bad(int *out, const int *in, int n) {
  unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < n);
  int x = in[threadIdx.x];
  out[threadIdx.x] = __shfl_sync(mask, x, 0); // expect-misuse {{definite cause=mask-without-caller}}
}

__global__ void voted_ok(int *out, const int *in, int n) { // expect-clean
  unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < n);
  int x = in[threadIdx.x];
  if (threadIdx.x < n) out[threadIdx.x] = __shfl_sync(mask, x, 0);
}

__global__ void data_bad(int *out, const int *in) {
  int x = in[threadIdx.x];
  unsigned mask = __ballot_sync(0xffffffff, x > 0);
  out[threadIdx.x] = __reduce_add_sync(mask, x); // expect-misuse {{possible cause=mask-without-caller}}
}

__global__ void data_ok(int *out, const int *in) { // expect-clean
  int x = in[threadIdx.x];
  unsigned mask = __ballot_sync(0xffffffff, x > 0);
  if (x > 0) out[threadIdx.x] = __reduce_add_sync(mask, x);
}

__global__ void round_bad(int *out, const int *in, int n) {
  int x = in[threadIdx.x];
  unsigned mask = 0xffu << (threadIdx.x & 16);
  for (int o = 4; o > 0; o >>= 1)
    x += __shfl_xor_sync(mask, x, o); // expect-misuse {{definite cause=mask-without-caller}}
  out[threadIdx.x] = x;
}

__global__ void round_ok(int *out, const int *in, int n) { // expect-clean
  int x = in[threadIdx.x];
  unsigned mask = 0xffu << (threadIdx.x & 24);
  for (int o = 4; o > 0; o >>= 1)
    x += __shfl_xor_sync(mask, x, o);
  out[threadIdx.x] = x;
}

__global__ void given_bad(int *out, const int *in, unsigned mask) {
  int x = in[threadIdx.x];
  out[threadIdx.x] = __shfl_sync(mask & 0xff, x, 0); // expect-misuse {{definite cause=mask-without-caller}}
}

__global__ void given_ok(int *out, const int *in, unsigned mask) { // expect-clean
  int x = in[threadIdx.x];
  out[threadIdx.x] = __shfl_sync(mask, x, 0);
}

__global__ void off_bad(int *out, const int *in) {
  int x = in[threadIdx.x];
  out[threadIdx.x] = __any_sync(__activemask() & ~(1u << (threadIdx.x & 31)), x); // expect-misuse {{cause=mask-without-caller}}
}

__global__ void off_ok(int *out, const int *in) { // expect-clean
  int x = in[threadIdx.x];
  out[threadIdx.x] = __any_sync(__activemask() | 1u << (threadIdx.x & 31), x);
}

__global__ void group_ok(int *out, const int *in) { // expect-clean
  int x = in[threadIdx.x];
  if (x > 0) {
    unsigned mask = __activemask();
    __syncwarp(mask);
    out[threadIdx.x] = __all_sync(mask, x);
  }
}

__global__ void same_ok(int *out, const int *in) { // expect-clean
  int x = in[threadIdx.x];
  unsigned mask = __match_any_sync(0xffffffff, x);
  out[threadIdx.x] = __shfl_sync(mask, x, __ffs(mask) - 1);
}

__global__ void coalesced_ok(int *out, const int *in) { // expect-clean
  int x = in[threadIdx.x];
  if (x > 0) {
    auto group = cooperative_groups::coalesced_threads();
    out[threadIdx.x] = group.shfl(x, 0);
  }
}

unsigned lanes_to_use();

int main() {
  int *out, *in;
  cudaMalloc(&out, 512);
  cudaMalloc(&in, 512);
  below_bad<<<1, 128>>>(out, in);
  below_ok<<<1, 128>>>(out, in);
  half_bad<<<1, 128>>>(out, in);
  half_ok<<<1, 128>>>(out, in);
  for (int n = 1; n < 128; n++) {
    voted_bad<<<1, 128>>>(out, in, n);
    voted_ok<<<1, 128>>>(out, in, n);
  }
  data_bad<<<1, 128>>>(out, in);
  data_ok<<<1, 128>>>(out, in);
  round_bad<<<1, 128>>>(out, in, 128);
  round_ok<<<1, 128>>>(out, in, 128);
  given_bad<<<1, 128>>>(out, in, lanes_to_use());
  given_ok<<<1, 128>>>(out, in, lanes_to_use());
  off_bad<<<1, 128>>>(out, in);
  off_ok<<<1, 128>>>(out, in);
  group_ok<<<1, 128>>>(out, in);
  same_ok<<<1, 128>>>(out, in);
  coalesced_ok<<<1, 128>>>(out, in);
}
