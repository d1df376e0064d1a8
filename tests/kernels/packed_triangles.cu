// Triangles without gaps, row by row. Rows that grow: below the diagonal, without it (below) or with it, in a loop (running). Rows that shrink: above the
// diagonal with it (above), without it, written in two ways (pairs, fewer), in a loop (loop), and places of which a constant stands before (shifted). One column
// more is the next row's first (below_bad, above_bad, pairs_bad, loop_bad), a row's length that goes by another number meets rows further on (other_bad: m may
// be below n - 1); numbers of rows on both sides of 0 have one place (signed_bad).
//@ verdict below_ok: race-free
//@ verdict below_bad: racy
//@ verdict running_ok: race-free
//@ verdict running_bad: racy
//@ verdict above_ok: race-free
//@ verdict above_bad: racy
//@ verdict pairs_ok: race-free
//@ verdict pairs_bad: racy
//@ verdict fewer_ok: race-free
//@ verdict other_bad: racy
//@ verdict loop_ok: race-free
//@ verdict loop_bad: racy
//@ verdict shifted_ok: race-free
//@ verdict signed_bad: racy
#include <cuda_runtime.h>

__global__ void below_ok(float *a, int n) { // expect-clean
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < i) a[i * (i - 1) / 2 + j] = i - j;
}

__global__ void below_bad(float *a, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j <= i) a[i * (i - 1) / 2 + j] = i - j; // expect-race
}

__global__ void running_ok(float *a, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < i; j++)
    a[i * (i - 1) / 2 + j] = i - j;
}

__global__ void running_bad(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < i; j++)
    a[i * (i - 2) / 2 + j] = i - j; // expect-race
}

__global__ void above_ok(float *a, int n) { // expect-clean
  int i = blockIdx.x, j = threadIdx.x;
  if (i < n && j >= i && j < n) a[i * n - i * (i + 1) / 2 + j] = j - i;
}

__global__ void above_bad(float *a, int n) {
  int i = blockIdx.x, j = threadIdx.x;
  if (i < n && j >= i && j <= n) a[i * n - i * (i + 1) / 2 + j] = j - i; // expect-race
}

__global__ void pairs_ok(float *a, int n) { // expect-clean
  int i = blockIdx.x, j = threadIdx.x;
  if (i < n && j > i && j < n) a[i * (2 * n - i - 1) / 2 + j - i - 1] = j - i;
}

__global__ void pairs_bad(float *a, int n) {
  int i = blockIdx.x, j = threadIdx.x;
  if (i < n && j > i && j <= n) a[i * (2 * n - i - 1) / 2 + j - i - 1] = j - i; // expect-race
}

__global__ void fewer_ok(float *a, int n) { // expect-clean
  int i = blockIdx.x, j = threadIdx.x;
  if (i < n && j > i && j < n) a[(n * (n - 1)) / 2 - (n - i) * (n - i - 1) / 2 + j - i - 1] = j - i;
}

__global__ void other_bad(float *a, int n, int m) {
  int i = blockIdx.x, j = threadIdx.x;
  if (i < n && j > i && j < n) a[i * (2 * m - i - 1) / 2 + j - i - 1] = j - i; // expect-race
}

__global__ void loop_ok(float *a, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = i + 1; j < n; j++)
    a[i * n - i * (i + 1) / 2 + j - i - 1] = j - i;
}

__global__ void loop_bad(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = i + 1; j <= n; j++)
    a[i * n - i * (i + 1) / 2 + j - i - 1] = j - i; // expect-race
}

__global__ void shifted_ok(float *a, int n, int first) { // expect-clean
  int i = blockIdx.x, j = threadIdx.x;
  if (i < n && j <= i) a[first + i * (i + 1) / 2 + j] = i - j;
}

__global__ void signed_bad(float *a) {
  int i = (int)threadIdx.x - 8;
  a[i * (i + 1) / 2] = i; // expect-race
}
