// Each thread has 16 places of an array in shared memory, and indices into them that it keeps in arrays and changes: what is stored there is
// made of what was read there. Nothing but the values keeps a thread in its own part.
// masked: bits are taken out of the numbers (ok); the numbers are added to (bad).
// mixed: two numbers are mixed bit by bit (ok); they are added (bad).
// swapped: the order of 16 places, in an array of the thread's own, by swaps (ok); one of the two is what lies between them (bad).
// through: numbers go through the thread's own array into the shared one and back (ok); one step of them is without a mask (bad).
// unset: numbers that nobody has set are anything, masked or not (bad); they are set (ok).
//@ verdict masked_ok: race-free
//@ verdict masked_bad: racy
//@ verdict mixed_ok: race-free
//@ verdict mixed_bad: racy
//@ verdict swapped_ok: race-free
//@ verdict swapped_bad: racy
//@ verdict through_ok: race-free
//@ verdict through_bad: racy
//@ verdict unset_ok: race-free
//@ verdict unset_bad: racy
#include <cuda_runtime.h>

enum { THREADS = 128, PLACES = 16 };

template <bool IS_MASKED>
__device__ void masked(const int *in, int rounds, int *out) {
  __shared__ unsigned char next[THREADS * PLACES];
  unsigned char *own = &next[threadIdx.x * PLACES];
  for (int i = 0; i < PLACES; i++) own[i] = in[i] & 15; // expect-race[masked]
  int at = 0;
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < rounds; i++) at = own[at];      // expect-race[masked]
    for (int i = 0; i < PLACES; i++)
      own[i] = IS_MASKED ? own[i] & in[r] : own[i] + in[r]; // expect-race[masked]
  }
  out[blockIdx.x * THREADS + threadIdx.x] = at;
}
__global__ void masked_ok(const int *in, int rounds, int *out) { masked<true>(in, rounds, out); } // expect-clean
__global__ void masked_bad(const int *in, int rounds, int *out) { masked<false>(in, rounds, out); }

template <bool IS_MIXED>
__device__ void mixed(const int *in, int rounds, int *out) {
  __shared__ unsigned char next[THREADS * PLACES];
  unsigned char *own = &next[threadIdx.x * PLACES];
  for (int i = 0; i < PLACES; i++) own[i] = in[i] & 15; // expect-race[mixed]
  int at = 0;
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < rounds; i++) at = own[at];                                       // expect-race[mixed]
    for (int i = 1; i < PLACES; i++)
      own[i] = IS_MIXED ? (own[i] & in[r]) | (own[i - 1] & ~in[r]) : own[i] + own[i - 1]; // expect-race[mixed]
  }
  out[blockIdx.x * THREADS + threadIdx.x] = at;
}
__global__ void mixed_ok(const int *in, int rounds, int *out) { mixed<true>(in, rounds, out); } // expect-clean
__global__ void mixed_bad(const int *in, int rounds, int *out) { mixed<false>(in, rounds, out); }

template <bool IS_SWAPPED>
__device__ void swapped(const int *in, int n, int *out) {
  __shared__ int sum[THREADS * PLACES];
  int order[PLACES];
  for (int i = 0; i < PLACES; i++) order[i] = i;
  for (int i = 0; i < n; i++) {
    int with = in[i] & 15, kept = order[i & 15];
    order[i & 15] = order[with];
    order[with] = IS_SWAPPED ? kept : kept + with;
  }
  for (int i = 0; i < PLACES; i++) sum[threadIdx.x * PLACES + order[i]] = in[i]; // expect-race[swapped]
  out[blockIdx.x * THREADS + threadIdx.x] = sum[threadIdx.x * PLACES];           // expect-race[swapped]
}
__global__ void swapped_ok(const int *in, int n, int *out) { swapped<true>(in, n, out); } // expect-clean
__global__ void swapped_bad(const int *in, int n, int *out) { swapped<false>(in, n, out); }

template <bool IS_MASKED>
__device__ void through(const int *in, int rounds, int *out) {
  __shared__ unsigned char next[THREADS * PLACES];
  unsigned char *own = &next[threadIdx.x * PLACES], state[8];
  for (int i = 0; i < PLACES; i++) own[i] = in[i] & 15; // expect-race[through]
  for (int i = 0; i < 8; i++) state[i] = 0;
  for (int r = 0; r < rounds; r++) {
    state[in[r] & 7] = own[state[in[r + 1] & 7]];             // expect-race[through]
    int changed = state[r & 7] ^ in[r];
    own[in[r] & 15] = IS_MASKED ? changed & 15 : changed;     // expect-race[through]
  }
  out[blockIdx.x * THREADS + threadIdx.x] = state[0];
}
__global__ void through_ok(const int *in, int rounds, int *out) { through<true>(in, rounds, out); } // expect-clean
__global__ void through_bad(const int *in, int rounds, int *out) { through<false>(in, rounds, out); }

template <bool IS_SET>
__device__ void unset(const int *in, int rounds, int *out) {
  __shared__ int next[THREADS * PLACES];
  int *own = &next[threadIdx.x * PLACES];
  if (IS_SET)
    for (int i = 0; i < PLACES; i++) own[i] = i;
  int at = 0;
  for (int r = 0; r < rounds; r++) {
    at = own[at];               // expect-race[unset]
    own[r & 15] = own[in[r] & 15]; // expect-race[unset]
  }
  out[blockIdx.x * THREADS + threadIdx.x] = at;
}
__global__ void unset_ok(const int *in, int rounds, int *out) { unset<true>(in, rounds, out); } // expect-clean
__global__ void unset_bad(const int *in, int rounds, int *out) { unset<false>(in, rounds, out); }

void run(const int *in, int n, int *out) {
  masked_ok<<<8, THREADS>>>(in, n, out);
  masked_bad<<<8, THREADS>>>(in, n, out);
  mixed_ok<<<8, THREADS>>>(in, n, out);
  mixed_bad<<<8, THREADS>>>(in, n, out);
  swapped_ok<<<8, THREADS>>>(in, n, out);
  swapped_bad<<<8, THREADS>>>(in, n, out);
  through_ok<<<8, THREADS>>>(in, n, out);
  through_bad<<<8, THREADS>>>(in, n, out);
  unset_ok<<<8, THREADS>>>(in, n, out);
  unset_bad<<<8, THREADS>>>(in, n, out);
}
