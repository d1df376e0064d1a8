// Pointers that variables hold from the start: which memory they name is known where nothing can change them.
// pair: a struct of two shared arrays, initialised at its definition; the twin has no barrier. swapped: the two change places in
// a loop, as in pair. table, member: constant tables, at a place that the launch gives; the twins name the array itself besides.
// starts, own: numbers in a constant table, and in an array of the thread's own that is filled at its definition.
// settable: the host may set the table anew, so what it holds is not known.
//@ verdict pair_ok: race-free
//@ verdict pair_bad: racy
//@ verdict swapped_ok: race-free
//@ verdict swapped_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict starts_ok: race-free
//@ verdict starts_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict settable: undecided
struct Pair {
  int *from, *to;
};

__device__ int left[512], right[512];
__device__ int *const sides[2] = {left, left + 256};
__device__ int *either[2] = {left, right};

struct Operation {
  int *out;
  int offset;
};
__device__ const Operation operations[3] = {{left, 0}, {right, 64}, {right, 128}};

__global__ void pair_ok(int *out) { // expect-clean
  __shared__ int a[64], b[64];
  Pair p = {a, b};
  int t = threadIdx.x;
  p.from[t] = t;
  __syncthreads();
  out[blockIdx.x * 64 + t] = a[63 - t];
}

__global__ void pair_bad(int *out) {
  __shared__ int a[64], b[64];
  Pair p = {a, b};
  int t = threadIdx.x;
  p.from[t] = t; // expect-race {{-Wintra-block-race}}
  out[blockIdx.x * 64 + t] = a[63 - t]; // expect-race
}

template <bool WAITS> __device__ void swap_in_rounds(int *out, int n) {
  __shared__ int a[64], b[64];
  Pair p = {a, b};
  int t = threadIdx.x;
  a[t] = t;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    p.to[t] = p.from[63 - t]; // expect-race {{-Wintra-block-race}}
    if (WAITS)
      __syncthreads();
    int *old = p.from;
    p.from = p.to;
    p.to = old;
  }
  out[blockIdx.x * 64 + t] = p.from[t];
}

__global__ void swapped_ok(int *out, int n) { // expect-clean
  swap_in_rounds<true>(out, n);
}

__global__ void swapped_bad(int *out, int n) {
  swap_in_rounds<false>(out, n);
}

__global__ void table_ok(int n) { // expect-clean
  int i = blockIdx.x * 64 + threadIdx.x;
  sides[n & 1][i] = i;
  right[i ^ 1] = 5;
}

__global__ void table_bad(int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  sides[n & 1][i] = i; // expect-race {{-Wintra-warp-race}}
  left[i ^ 1] = 5;     // expect-race
}

__global__ void member_ok(int n) { // expect-clean
  int i = threadIdx.x;
  if (blockIdx.x == 0 && n >= 0 && n < 3)
    operations[n].out[i] = i;
}

__global__ void member_bad(int n) {
  int i = threadIdx.x;
  if (blockIdx.x == 0 && n >= 0 && n < 3)
    operations[n].out[i] = i; // expect-race {{-Wintra-warp-race}}
  if (blockIdx.x == 0)
    right[i ^ 1] = 5; // expect-race
}

__device__ const int apart[4] = {0, 64, 128, 192}, too_near[4] = {0, 64, 127, 192};

__device__ void four(int *out, const int *starts) {
  int t = threadIdx.x;
  for (int k = 0; k < 4; k++)
    out[blockIdx.x * 256 + starts[k] + t] = k; // expect-race {{-Wintra-block-race}}
}

__global__ void starts_ok(int *out) { // expect-clean
  four(out, apart);
}

__global__ void starts_bad(int *out) {
  four(out, too_near);
}

__global__ void own_ok(int *out) { // expect-clean
  int order[4] = {3, 2, 0, 1}, t = threadIdx.x;
  out[blockIdx.x * 64 + (t & ~3) + order[t & 3]] = t;
}

__global__ void own_bad(int *out) {
  int order[4] = {3, 2, 0, 2}, t = threadIdx.x;
  out[blockIdx.x * 64 + (t & ~3) + order[t & 3]] = t; // expect-race {{-Wintra-warp-race}}
}

__global__ void settable(int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  either[n & 1][i] = i;
  left[i ^ 1] = 5;
}

int main(int argc, char **argv) {
  int *out;
  cudaMalloc((void **)&out, 4096);
  pair_ok<<<4, 64>>>(out);
  pair_bad<<<4, 64>>>(out);
  swapped_ok<<<4, 64>>>(out, argc);
  swapped_bad<<<4, 64>>>(out, argc);
  table_ok<<<4, 64>>>(argc);
  table_bad<<<4, 64>>>(argc);
  member_ok<<<4, 64>>>(argc);
  member_bad<<<4, 64>>>(argc);
  starts_ok<<<4, 64>>>(out);
  starts_bad<<<4, 64>>>(out);
  own_ok<<<4, 64>>>(out);
  own_bad<<<4, 64>>>(out);
  settable<<<4, 64>>>(argc);
  return 0;
}
