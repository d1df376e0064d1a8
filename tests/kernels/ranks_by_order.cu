// What two threads sum up in the rounds of a loop, compared. sort: how many elements come before a thread's own, ties by place,
// is a rank, so no two threads have one (ok); not so without the ties (bad). part: of the first m of n elements only (bad);
// turned: ties by half of the place are no order (bad). here, own: the same in shared memory, with the element kept in a
// register or read again (ok; bad: without the ties).
// before: how many flags are set before an element that has one (ok; bad: also for those that have none, whose places are
// the next one's), up to its own (up_to: ok; bad: one further), and of numbers of both signs (signs: bad).
//@ verdict sort_ok: race-free
//@ leans sort_ok: A1
//@ verdict sort_bad: racy
//@ verdict part_bad: racy
//@ verdict turned_bad: racy
//@ verdict here_ok: race-free
//@ verdict here_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict before_ok: race-free
//@ verdict before_bad: racy
//@ verdict up_to_ok: race-free
//@ verdict up_to_bad: racy
//@ verdict signs_bad: racy
#include <cuda_runtime.h>

template <bool TIES> __device__ void sort(const int *a, int *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, rank = 0;
  if (i >= n) return;
  for (int j = 0; j < m; j++)
    if (a[j] < a[i] || (TIES && a[j] == a[i] && j < i)) rank++;
  out[rank] = i; // expect-race[sort]
}
__global__ void sort_ok(const int *a, int *out, int n) { sort<true>(a, out, n, n); } // expect-clean
__global__ void sort_bad(const int *a, int *out, int n) { sort<false>(a, out, n, n); }
__global__ void part_bad(const int *a, int *out, int n, int m) { sort<true>(a, out, n, m); }
__global__ void turned_bad(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, rank = 0;
  if (i >= n) return;
  for (int j = 0; j < n; j++)
    if (a[j] < a[i] || (a[j] == a[i] && j < i / 2)) rank++;
  out[rank] = i; // expect-race
}

template <bool TIES> __device__ void here(const int *a, int *out) {
  __shared__ int s[256];
  int i = threadIdx.x, v = a[blockIdx.x * 256 + i], rank = 0;
  s[i] = v;
  __syncthreads();
  for (int j = 0; j < 256; j++)
    rank += s[j] > v || (TIES && s[j] == v && j < i);
  out[blockIdx.x * 256 + rank] = i; // expect-race[here]
}
__global__ void here_ok(const int *a, int *out) { here<true>(a, out); } // expect-clean
__global__ void here_bad(const int *a, int *out) { here<false>(a, out); }

template <bool TIES> __device__ void own(const int *a, int *out) {
  __shared__ int s[256];
  int i = threadIdx.x, rank = 0;
  s[i] = a[blockIdx.x * 256 + i];
  __syncthreads();
  for (int j = 0; j < 256; j++)
    if (s[j] < s[i] || (TIES && s[j] == s[i] && j < i)) rank++;
  out[blockIdx.x * 256 + rank] = i; // expect-race[own]
}
__global__ void own_ok(const int *a, int *out) { own<true>(a, out); } // expect-clean
__global__ void own_bad(const int *a, int *out) { own<false>(a, out); }

template <int LEAST> __device__ void before(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
  if (i >= n || a[i] <= LEAST) return;
  for (int j = 0; j < i; j++)
    if (a[j] > 0) at++;
  out[at] = i; // expect-race[before]
}
__global__ void before_ok(const int *a, int *out, int n) { before<0>(a, out, n); } // expect-clean
__global__ void before_bad(const int *a, int *out, int n) { before<-1>(a, out, n); }

template <int LAST> __device__ void up_to(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
  if (i >= n || a[i] <= 0) return;
  for (int j = 0; j <= i + LAST && j < n; j++)
    at += a[j] > 0;
  out[at - 1] = i; // expect-race[up_to]
}
__global__ void up_to_ok(const int *a, int *out, int n) { up_to<0>(a, out, n); } // expect-clean
__global__ void up_to_bad(const int *a, int *out, int n) { up_to<1>(a, out, n); }

__global__ void signs_bad(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
  if (i >= n || a[i] <= 0) return;
  for (int j = 0; j < i; j++)
    at += a[j] > 0 ? 1 : -1;
  out[at < 0 ? 0 : at] = i; // expect-race
}

void run(const int *a, int *out, int n, int m, int blocks) {
  if (n < 1 || m < 1) return;
  sort_ok<<<(n + 255) / 256, 256>>>(a, out, n);
  sort_bad<<<(n + 255) / 256, 256>>>(a, out, n);
  part_bad<<<(n + 255) / 256, 256>>>(a, out, n, m);
  turned_bad<<<(n + 255) / 256, 256>>>(a, out, n);
  here_ok<<<blocks, 256>>>(a, out);
  here_bad<<<blocks, 256>>>(a, out);
  own_ok<<<blocks, 256>>>(a, out);
  own_bad<<<blocks, 256>>>(a, out);
  before_ok<<<(n + 255) / 256, 256>>>(a, out, n);
  before_bad<<<(n + 255) / 256, 256>>>(a, out, n);
  up_to_ok<<<(n + 255) / 256, 256>>>(a, out, n);
  up_to_bad<<<(n + 255) / 256, 256>>>(a, out, n);
  signs_bad<<<(n + 255) / 256, 256>>>(a, out, n);
}
