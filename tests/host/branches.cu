// Conditions count by edge: short circuits, early returns, merges, macros that check, nested ifs.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

__global__ void k(float *d, int a, int b) { d[a] = b; }
#define CHECK_EQ(x, y)                                                                                       \
  do {                                                                                                       \
    if ((x) != (y)) {                                                                                        \
      fprintf(stderr, "failed\n");                                                                           \
      abort();                                                                                               \
    }                                                                                                        \
  } while (0)

void either(float *d, int a, int b) {
  if (a == 3 || b == 4) k<<<1, 1>>>(d, a, b);
  if (a == 5 && b == 6) k<<<2, 1>>>(d, a, b);
}
void guards(float *d, int a, int b, int mode) {
  CHECK_EQ(a, b);
  if (a <= 0) throw std::runtime_error("a");
  if (mode == 2)
    if (b % 32 != 0) return;
  k<<<3, 1>>>(d, a, b);
}
void chosen(float *d, int a, int b, bool wide) {
  int threads = wide ? 256 : 128;
  int n = a;
  if (b > 10) n = b;
  k<<<n, threads>>>(d, n, 4);
}
void merged(float *d, int a, int b) {
  if (a > 0) {
    if (b < 0) return;
    printf("one\n");
  } else {
    if (b > 100) return;
  }
  k<<<5, 1>>>(d, a, b);
}
void assumed(float *d, int a, int b) {
  __builtin_assume(a == 2 * b);
  k<<<6, 1>>>(d, a, b);
}

//@ launch: k<<<1, 1>>>
//@ has: a == 3 || 
//@ lacks: [assert] a == 3 (
//@ launch: k<<<2, 1>>>
//@ has: [assert] a == 5
//@ has: [assert] b == 6
//@ launch: k<<<3, 1>>>
//@ has: [assert] a == b
//@ has: [assert] 0 < a
//@ has: mode
//@ launch: , 4)
//@ has: grid    (n, 1, 1)
//@ has: value   n = 10 < b ? b : a (branches.cu:30)
//@ has: wide
//@ launch: k<<<5, 1>>>
//@ has: 0 < a
//@ has: b <= 100
//@ launch: k<<<6, 1>>>
//@ has: [assert] a == b * 2
