// What is read of shared memory somebody of the block has stored there: its interval is that of all that is stored, also where it
// comes back as an index, round a loop.
//   chase: each thread walks about in its own 16 words, where all entries are masked; a wider mask (chase_bad) leads further.
//   automaton: the same with bytes, two steps for each state (a finite state machine for each thread).
//   both: two stores of the same array, one of them wider (both_bad).
//   parts: a store of two bytes changes a part of a word: the interval of the stores of words says nothing then (parts_bad).
//   member: another member of the struct may hold anything.
//@ verdict chase_ok: race-free
//@ verdict chase_bad: racy
//@ verdict automaton_ok: race-free
//@ verdict automaton_bad: racy
//@ verdict both_ok: race-free
//@ verdict both_bad: racy
//@ verdict parts_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
#include <cuda_runtime.h>

template <int MASK> __device__ void chase(const int *in, int *out, int rounds) {
  __shared__ int next[16 * 256];
  int *mine = &next[threadIdx.x * 16], s = 0;
  for (int i = 0; i < 16; i++)
    mine[i] = in[threadIdx.x * 16 + i] & MASK; // expect-race[chase]
  for (int i = 0; i < rounds; i++)
    s = mine[s + (in[i] & 1)]; // expect-race[chase]
  out[blockIdx.x * 256 + threadIdx.x] = s;
}
__global__ void chase_ok(const int *in, int *out, int rounds) { chase<7>(in, out, rounds); } // expect-clean
__global__ void chase_bad(const int *in, int *out, int rounds) { chase<31>(in, out, rounds); }

template <int MASK> __device__ void automaton(const unsigned short *data, int length, const unsigned *seed, int *out) {
  __shared__ unsigned char next[16 * 256];
  unsigned char *fsm = &next[threadIdx.x * 16], s = 0;
  for (int i = 0; i < 16; i++)
    fsm[i] = seed[threadIdx.x * 16 + i] & MASK; // expect-race[fsm]
  for (int i = 0; i < length; i++)
    s = fsm[s + s + (data[i] & 1)]; // expect-race[fsm]
  out[blockIdx.x * 256 + threadIdx.x] = s;
}
__global__ void automaton_ok(const unsigned short *data, int length, const unsigned *seed, int *out) { // expect-clean
  automaton<7>(data, length, seed, out);
}
__global__ void automaton_bad(const unsigned short *data, int length, const unsigned *seed, int *out) {
  automaton<15>(data, length, seed, out);
}

template <int MASK> __device__ void both(const int *in, int *out) {
  __shared__ int place[256];
  int t = threadIdx.x;
  place[t] = in[t] & 3;
  __syncthreads();
  if (in[0] > 0) place[t] = in[t + 256] & MASK;
  __syncthreads();
  out[t * 4 + place[255 - t]] = t; // expect-race[both]
}
__global__ void both_ok(const int *in, int *out) { both<1>(in, out); } // expect-clean
__global__ void both_bad(const int *in, int *out) { both<7>(in, out); }

__global__ void parts_bad(const int *in, int *out) {
  __shared__ int place[256];
  int t = threadIdx.x;
  place[t] = in[t] & 3;
  __syncthreads();
  ((short *)place)[2 * t] = in[t + 256] & 7;
  __syncthreads();
  out[t * 4 + place[255 - t]] = t; // expect-race
}

struct Work {
  int place, amount;
};
template <bool OTHER> __device__ void member(const int *in, int *out) {
  __shared__ Work work;
  int t = threadIdx.x;
  if (t == 0) {
    work.place = in[blockIdx.x] & 3;
    work.amount = in[blockIdx.x + 64];
  }
  __syncthreads();
  if (t == 0) out[blockIdx.x * 4 + (OTHER ? work.amount : work.place)] = work.amount; // expect-race[member]
}
__global__ void member_ok(const int *in, int *out) { member<false>(in, out); } // expect-clean
__global__ void member_bad(const int *in, int *out) { member<true>(in, out); }

int main() {
  int *in, *out;
  unsigned short *data;
  unsigned *seed;
  cudaMalloc(&in, 4 * 4096);
  cudaMalloc(&out, 4 * 256 * 16);
  cudaMalloc(&data, 2 * 1000);
  cudaMalloc(&seed, 4 * 4096);
  chase_ok<<<16, 256>>>(in, out, 1000);
  chase_bad<<<16, 256>>>(in, out, 1000);
  automaton_ok<<<16, 256>>>(data, 1000, seed, out);
  automaton_bad<<<16, 256>>>(data, 1000, seed, out);
  both_ok<<<1, 256>>>(in, out);
  both_bad<<<1, 256>>>(in, out);
  parts_bad<<<1, 256>>>(in, out);
  member_ok<<<64, 32>>>(in, out);
  member_bad<<<64, 32>>>(in, out);
}
