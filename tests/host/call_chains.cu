// One context for each call chain: what one caller asserts is no fact for the launch of another.
#include <cassert>
#include <cstdlib>

__global__ void k(float *a, int r, int c) { a[threadIdx.x * c + r] = 0; }
__global__ void deep(float *a, int n) { a[n] = 0; }

__attribute__((noinline)) static void run(float *a, int r, int c) { k<<<r / 16, 16>>>(a, r, c); }
__attribute__((noinline)) static void square(float *a, int n) {
  assert(n % 16 == 0);
  run(a, n, n);
}
__attribute__((noinline)) static void rectangle(float *a, int r, int c) { run(a, r, c); }

static void down(float *a, int n) {
  if (n > 10) down(a, n - 1);
  deep<<<1, 32>>>(a, n);
}

// What every call passes is known without a caller.
static void again(float *a, int n, int m, int depth) {
  if (depth > 0) again(a, n, m - 1, depth - 1);
  k<<<2, 32>>>(a, n, m);
}

static void check(int n) {
  if (n < 1) exit(1);
}
static void checked(float *a, int n) {
  check(n);
  k<<<1, 32>>>(a, n, 7);
}

int main(int argc, char **argv) {
  float *a, *b;
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  cudaMalloc(&a, 1024);
  cudaMalloc(&b, 1024);
  square(a, rows);
  rectangle(b, rows, cols);
  down(a, cols);
  checked(b, rows);
  again(b, 48, 7, rows);
}

//@ launch: k<<<rows / 16, 16>>>(a, rows, rows)
//@ count: 1
//@ has: [assert] rows % 16 == 0
//@ launch: k<<<rows / 16, 16>>>(b, rows, cols)
//@ count: 1
//@ launch: deep<<<1, 32>>>
//@ lacks: undecided:
//@ launch: k<<<1, 32>>>(b, rows, 7)
//@ has: [assert] 1 <= rows
//@ launch: k<<<2, 32>>>(a, 48, m)
//@ count: 1
//@ launch: k<<<2, 32>>>(b, 48, 7)
//@ count: 1
