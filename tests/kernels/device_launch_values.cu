// What kernels launch from device code is launched with what a thread of theirs computes: guarded by values that it reads, in
// loops, with its own number, from parents of parents, with members of structs. The twin is launched with one thread more
// than there are elements. Of a kernel that launches itself nothing is known, nor how many blocks.
//@ verdict guarded_ok: race-free
//@ verdict guarded_bad: racy
//@ verdict counted_ok: race-free
//@ verdict counted_bad: racy
//@ verdict numbered_ok: race-free
//@ verdict numbered_bad: racy
//@ verdict inner_ok: race-free
//@ verdict inner_bad: racy
//@ verdict helped_ok: race-free
//@ verdict helped_bad: racy
//@ verdict of_struct_ok: race-free
//@ verdict of_struct_bad: racy
//@ verdict parent: undecided
//@ verdict middle: undecided
//@ verdict itself: undecided
#include <cstdlib>

__global__ void guarded_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void guarded_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void counted_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void counted_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void numbered_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void numbered_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void inner_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void inner_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void helped_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void helped_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}
__global__ void of_struct_ok(int *a, int n) { // expect-clean
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void of_struct_bad(int *a, int n) {
  a[threadIdx.x % n] = threadIdx.x; // expect-race
}

struct Part {
  int *a;
  int n;
};
__global__ void middle(int *a, int n) {
  if (threadIdx.x > 0) return;
  inner_ok<<<1, 64>>>(a, n);
  inner_bad<<<1, 65>>>(a, n);
}
__global__ void itself(int *a, int from, int to, int depth) {
  a[from + threadIdx.x] = to; // expect-same-value, by two blocks
  if (threadIdx.x == 0 && depth < 5) itself<<<1, 32>>>(a, from, (from + to) / 2, depth + 1);
}
__device__ void helper(int *a, int n) {
  helped_ok<<<1, n>>>(a, n);
  helped_bad<<<1, n + 1>>>(a, n);
}
__global__ void parent(int *a, const int *sizes, int n, Part part) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int m = sizes[i];
  if (m >= 64) {
    guarded_ok<<<1, 64>>>(a, m);
    guarded_bad<<<1, 65>>>(a, m);
  }
  for (int k = 1; k <= n; k++) {
    counted_ok<<<1, k>>>(a, n);
    counted_bad<<<1, n>>>(a, k);
  }
  numbered_ok<<<1, i + 1>>>(a + i, n);
  numbered_bad<<<1, i + 2>>>(a + i, n);
  middle<<<1, 32>>>(a, n);
  helper(a, n);
  of_struct_ok<<<1, part.n>>>(part.a, part.n);
  of_struct_bad<<<1, part.n + 1>>>(part.a, part.n);
}

int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  int *a, *sizes;
  cudaMalloc((void **)&a, 1 << 20);
  cudaMalloc((void **)&sizes, n * sizeof(int));
  if (n != 64) return 1;
  Part part = {a, n};
  parent<<<(n + 31) / 32, 32>>>(a, sizes, n, part);
  itself<<<1, 32>>>(a, 0, n, 0);
  return 0;
}
