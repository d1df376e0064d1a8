// Where two threads meet hangs on what an earlier kernel computes, and what they put there does not: all lanes of a warp store one value
// at the row that they own. The twins store what differs between lanes, or between rows that share a place.
//   kept: count[l] where l is the row itself; the twin stores the number of the lane.
//   shared: rows mark their label; the twin puts their own number there.
//@ verdict init: race-free
//@ verdict join: race-free
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
//@ known-undecided kept_bad: no run of the kernels before it shows that labels stay
//@ verdict shared_ok: race-free
//@ verdict shared_bad: racy
//@ known-undecided shared_bad: no run of the kernels before it shows labels that are shared
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void init(int *label, int n) { // expect-clean
  for (int v = threadIdx.x + blockIdx.x * 256; v < n; v += gridDim.x * 256)
    label[v] = v;
}
__global__ void join(int *label, const int *other, int n) { // expect-clean
  for (int v = threadIdx.x + blockIdx.x * 256; v < n; v += gridDim.x * 256)
    atomicMin(&label[other[v]], v);
}
__global__ void kept_ok(const int *label, int *count, int n, int hi) {
  int from = (threadIdx.x + blockIdx.x * 256) / 32, stride = gridDim.x * 256 / 32;
  for (int v = from; v < n; v += stride) {
    int l = label[v];
    if (l == v) count[l] = l == hi ? 0 : 100; // expect-same-value
  }
}
__global__ void kept_bad(const int *label, int *count, int n, int hi) {
  int from = (threadIdx.x + blockIdx.x * 256) / 32, stride = gridDim.x * 256 / 32;
  for (int v = from; v < n; v += stride) {
    int l = label[v];
    if (l == v) count[l] = l == hi ? 0 : threadIdx.x % 32; // expect-race
  }
}
__global__ void shared_ok(const int *label, int *count, int n) {
  for (int v = threadIdx.x + blockIdx.x * 256; v < n; v += gridDim.x * 256)
    count[label[v]] = 1; // expect-same-value
}
__global__ void shared_bad(const int *label, int *count, int n) {
  for (int v = threadIdx.x + blockIdx.x * 256; v < n; v += gridDim.x * 256)
    count[label[v]] = v; // expect-race
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), *label, *count, *other;
  cudaMalloc(&label, n * sizeof(int));
  cudaMalloc(&count, n * sizeof(int));
  cudaMalloc(&other, n * sizeof(int));
  cudaMemcpy(other, argv[2], n * sizeof(int), cudaMemcpyHostToDevice);
  init<<<64, 256>>>(label, n);
  join<<<64, 256>>>(label, other, n);
  kept_ok<<<64, 256>>>(label, count, n, argc);
  kept_bad<<<64, 256>>>(label, count, n, argc);
  shared_ok<<<64, 256>>>(label, count, n);
  shared_bad<<<64, 256>>>(label, count, n);
  return 0;
}
