// The state of a block's work stands in a struct in shared memory: thread 0 writes its members, all read them, in conditions of
// loops too. A member that nobody writes any more is one number wherever it is read, and writes of its neighbours do not touch it.
//   rows: `nnz` is set and read in a loop that goes by `rows`; with no rows at all there is no barrier in the loop, and the one
//     before it is needed (rows_bad: the read of `nnz` behind the loop meets the write before it).
//   left: the bound itself goes down from round to round; without the barrier behind that (left_bad) some go by the old number.
//   again: whoever reads `word` has found that there are rows, twice, and so passed a barrier; if the member is written in
//     between (again_bad), the second time says nothing of the first.
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict left_ok: race-free
//@ verdict left_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
#include <cuda_runtime.h>
struct State {
  unsigned nnz, rows;
  int left;
};

template <bool BARRIER> __device__ void load(State *s, int t, int *part) {
  if (t == 0) s->nnz = 0; // expect-race[rows]
  if (BARRIER && s->rows == 0) __syncthreads();
  for (unsigned i = 0; i < s->rows; i += 256) {
    part[t] = i + t < s->rows;
    __syncthreads();
    if (t == 0) {
      unsigned n = 0;
      for (int j = 0; j < 256; j++)
        n += part[j];
      s->nnz += n;
    }
    __syncthreads();
  }
}
template <bool BARRIER> __device__ void rows(const State *in, int *out) {
  __shared__ State s;
  __shared__ int part[256];
  if (threadIdx.x == 0) s = in[blockIdx.x];
  __syncthreads();
  load<BARRIER>(&s, threadIdx.x, part);
  out[blockIdx.x * 256 + threadIdx.x] = s.nnz; // expect-race[rows]
}
__global__ void rows_ok(const State *in, int *out) { rows<true>(in, out); } // expect-clean
__global__ void rows_bad(const State *in, int *out) { rows<false>(in, out); }

template <bool BARRIER> __device__ void left(const State *in, int *out) {
  __shared__ State s;
  __shared__ int part[256];
  int t = threadIdx.x, sum = 0;
  if (t == 0) s = in[blockIdx.x];
  __syncthreads();
  while (s.left > 0) { // expect-race[left]
    part[t] = s.left + t; // expect-race[left]
    __syncthreads();
    sum += part[255 - t]; // expect-race[left]
    if (t == 0) s.left -= 256; // expect-race[left]
    if (BARRIER) __syncthreads();
  }
  out[blockIdx.x * 256 + t] = sum;
}
__global__ void left_ok(const State *in, int *out) { left<true>(in, out); } // expect-clean
__global__ void left_bad(const State *in, int *out) { left<false>(in, out); }

template <bool AGAIN> __device__ void again(const State *in, int *out) {
  __shared__ State s;
  __shared__ int word;
  int t = threadIdx.x;
  if (t == 0) s = in[blockIdx.x];
  __syncthreads();
  bool had = s.rows > 0;
  __syncthreads();
  if (AGAIN && t == 0) s.rows = 1;
  __syncthreads();
  if (t == 0) word = 1; // expect-race[again]
  if (had) __syncthreads();
  out[blockIdx.x * 256 + t] = s.rows > 0 ? word : 0; // expect-race[again]
}
__global__ void again_ok(const State *in, int *out) { again<false>(in, out); } // expect-clean
__global__ void again_bad(const State *in, int *out) { again<true>(in, out); }

void run(const State *in, int blocks) {
  int *out;
  if (blocks < 1) return;
  cudaMalloc(&out, blocks * 1024);
  rows_ok<<<blocks, 256>>>(in, out);
  rows_bad<<<blocks, 256>>>(in, out);
  left_ok<<<blocks, 256>>>(in, out);
  left_bad<<<blocks, 256>>>(in, out);
  again_ok<<<blocks, 256>>>(in, out);
  again_bad<<<blocks, 256>>>(in, out);
}
