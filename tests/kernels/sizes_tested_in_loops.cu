// Sizes that main takes from its arguments in a loop, and tests before it goes on: behind the loop they are the first value, or have passed.
// Each kernel fills two halves of an array, with blocks of 32 threads that look at no size.
// fits: a size that is no multiple of 32 ends the program (ok); it is only told (bad).
// either: of two options that set the size both are tested, the second behind both ways together (ok); the second one is not tested (bad).
// begin: the first value passes the test (ok) or not (bad).
// grown: the value that is tested is not the one that is kept (bad); it is kept as it is (ok).
// handed: a size waits for one round in another variable, which begins with 64 (ok) or 33 (bad), that nobody has tested.
// apart: a size is tested against the one before, which says nothing of any size (bad); against a fixed one, which divides it (ok).
//@ verdict fits_ok: race-free
//@ verdict fits_bad: racy
//@ verdict either_ok: race-free
//@ verdict either_bad: racy
//@ verdict begin_ok: race-free
//@ verdict begin_bad: racy
//@ verdict grown_ok: race-free
//@ verdict grown_bad: racy
//@ verdict handed_ok: race-free
//@ verdict handed_bad: racy
//@ verdict apart_ok: race-free
//@ verdict apart_bad: racy
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__device__ void fill(float *a, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  a[i] = 1.0f;     // expect-race[fill]
  a[i + n] = 2.0f; // expect-race[fill]
}
__global__ void fits_ok(float *a, int n) { fill(a, n); } // expect-clean
__global__ void fits_bad(float *a, int n) { fill(a, n); }
__global__ void either_ok(float *a, int n) { fill(a, n); } // expect-clean
__global__ void either_bad(float *a, int n) { fill(a, n); }
__global__ void begin_ok(float *a, int n) { fill(a, n); } // expect-clean
__global__ void begin_bad(float *a, int n) { fill(a, n); }
__global__ void grown_ok(float *a, int n) { fill(a, n); } // expect-clean
__global__ void grown_bad(float *a, int n) { fill(a, n); }
__global__ void handed_ok(float *a, int n) { fill(a, n); } // expect-clean
__global__ void handed_bad(float *a, int n) { fill(a, n); }
__global__ void apart_ok(float *a, int n) { fill(a, n); } // expect-clean
__global__ void apart_bad(float *a, int n) { fill(a, n); }

static void fits(int argc, char **argv, float *a) {
  int n = 32, m = 32;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "-n") == 0) {
      n = atoi(argv[i + 1]);
      if (n % 32 != 0) exit(1);
    } else if (strcmp(argv[i], "-m") == 0) {
      m = atoi(argv[i + 1]);
      if (m % 32 != 0) printf("%d is no multiple of 32\n", m);
    }
  fits_ok<<<(n + 31) / 32, 32>>>(a, n);
  fits_bad<<<(m + 31) / 32, 32>>>(a, m);
}

static void either(int argc, char **argv, float *a) {
  int n = 32, m = 32;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-n") == 0)
      n = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "-s") == 0)
      n = 2 * atoi(argv[i + 1]);
    if (n % 32 != 0) exit(1);
    if (strcmp(argv[i], "-m") == 0) {
      m = atoi(argv[i + 1]);
      if (m % 32 != 0) exit(1);
    } else if (strcmp(argv[i], "-r") == 0)
      m = 2 * atoi(argv[i + 1]);
  }
  either_ok<<<(n + 31) / 32, 32>>>(a, n);
  either_bad<<<(m + 31) / 32, 32>>>(a, m);
}

static void begin(int argc, char **argv, float *a) {
  int n = 64, m = 65;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "-n") == 0) {
      n = atoi(argv[i + 1]);
      if (n % 32 != 0) exit(1);
    } else if (strcmp(argv[i], "-m") == 0) {
      m = atoi(argv[i + 1]);
      if (m % 32 != 0) exit(1);
    }
  begin_ok<<<(n + 31) / 32, 32>>>(a, n);
  begin_bad<<<(m + 31) / 32, 32>>>(a, m);
}

static void grown(int argc, char **argv, float *a) {
  int n = 32, m = 32;
  for (int i = 1; i < argc; i++) {
    int given = atoi(argv[i]);
    if (given % 32 != 0) exit(1);
    n = given;
    m = given + argc;
  }
  grown_ok<<<(n + 31) / 32, 32>>>(a, n);
  grown_bad<<<(m + 31) / 32, 32>>>(a, m);
}

static void handed(int argc, char **argv, float *a) {
  int n = 32, next_n = 64, m = 32, next_m = 33;
  for (int i = 1; i < argc; i++) {
    int given = atoi(argv[i]);
    if (given % 32 != 0) exit(1);
    n = next_n;
    next_n = given;
    m = next_m;
    next_m = given;
  }
  handed_ok<<<(n + 31) / 32, 32>>>(a, n);
  handed_bad<<<(m + 31) / 32, 32>>>(a, m);
}

static void apart(int argc, char **argv, float *a) {
  int n = 64, m = 32;
  for (int i = 1; i < argc; i++) {
    int given = atoi(argv[i]);
    if ((given - m) % 31 != 0) exit(1);
    m = given;
    if (given % 64 != 0) continue;
    n = given;
  }
  apart_ok<<<(n + 31) / 32, 32>>>(a, n);
  apart_bad<<<(m + 31) / 32, 32>>>(a, m);
}

int main(int argc, char **argv) {
  float *a;
  cudaMalloc(&a, 1 << 30);
  fits(argc, argv, a);
  either(argc, argv, a);
  begin(argc, argv, a);
  grown(argc, argv, a);
  handed(argc, argv, a);
  apart(argc, argv, a);
}
