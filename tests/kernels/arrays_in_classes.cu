// The index of an array that is a member of a class stays in it, if it is one that the kernel is given: behind it lies the next
// member (A7). One that it computes itself may be the mistake that is looked for.
//   levels: pointers to what is read in a table, and the one to what is written behind it; where that one is in the table as
//     well (levels_bad), the index may be its own.
//   counts: two arrays side by side in shared memory; an index of the first is none of the second, but the second is written by
//     all (counts_bad).
//   drawn: a place that the kernel draws, used if there is room; one too many (drawn_bad) is the counter behind the places.
//   rows: in an array that is no member, a row that is left for the next one is not taken amiss: all 64 elements are in use.
//@ verdict levels_ok: race-free
//@ verdict levels_bad: racy
//@ verdict counts_ok: race-free
//@ verdict counts_bad: racy
//@ verdict drawn_ok: race-free
//@ verdict drawn_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
#include <cuda_runtime.h>
#define MAX 20
struct In {
  float x;
  int place;
};
struct Out {
  float x;
  int place;
};
struct Levels {
  In *in[MAX];
  Out *out;
};
__device__ Levels levels;

template <bool TABLE> __device__ void scale(int octave, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const In *a = &levels.in[octave][i];
  Out *to = TABLE ? (Out *)levels.in[MAX - 1] : levels.out;
  to[i + 1].x = a->x; // expect-race[levels]
}
__global__ void levels_ok(int octave, int n) { scale<false>(octave, n); } // expect-clean
__global__ void levels_bad(int octave, int n) { scale<true>(octave, n); }

struct Counts {
  int first[64], second[64];
};
template <bool SECOND> __device__ void count(const int *in, int *out) {
  __shared__ Counts counts;
  int t = threadIdx.x;
  counts.second[t] = in[t]; // expect-race[counts]
  int n = SECOND ? counts.second[in[t + 64]] : counts.first[in[t + 64]]; // expect-race[counts]
  out[blockIdx.x * 64 + t] = n;
}
__global__ void counts_ok(const int *in, int *out) { count<false>(in, out); } // expect-clean
__global__ void counts_bad(const int *in, int *out) { count<true>(in, out); }

struct List {
  int places[64], n;
};
template <int MORE> __device__ void draw(List *list, int value) {
  int k = atomicAdd(&list->n, 1);                // expect-race[drawn]
  if (k < 64 + MORE) list->places[k] = value; // expect-race[drawn]
}
__global__ void drawn_ok(List *list, const int *in) { draw<0>(list, in[threadIdx.x]); } // expect-clean
__global__ void drawn_bad(List *list, const int *in) { draw<1>(list, in[threadIdx.x]); }

template <int FEWER> __device__ void rows(const int *in, int *out) {
  __shared__ int tile[8][8];
  int t = threadIdx.x;
  tile[0][t / FEWER] = in[t]; // expect-race[rows]
  __syncthreads();
  out[blockIdx.x * 64 + t] = tile[7][7 - t / 8];
}
__global__ void rows_ok(const int *in, int *out) { rows<1>(in, out); } // expect-clean
__global__ void rows_bad(const int *in, int *out) { rows<2>(in, out); }

void run(int octave, int n, const int *in, int *out) {
  List *list;
  if (n < 1) return;
  cudaMalloc(&list, sizeof *list);
  cudaMemset(list, 0, sizeof *list);
  drawn_ok<<<4, 64>>>(list, in);
  cudaMemset(list, 0, sizeof *list);
  drawn_bad<<<4, 64>>>(list, in);
  levels_ok<<<(n + 255) / 256, 256>>>(octave, n);
  levels_bad<<<(n + 255) / 256, 256>>>(octave, n);
  counts_ok<<<16, 64>>>(in, out);
  counts_bad<<<16, 64>>>(in, out);
  rows_ok<<<16, 64>>>(in, out);
  rows_bad<<<16, 64>>>(in, out);
}
