// Host code that is hard to follow: functions that call each other, a jump into a loop, and checks that contradict each
// other. Facts may be lost there; none may be made up.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void k(float *d, int n) { d[n] = 0; }

static void odd(float *d, int n);
static void even(float *d, int n) {
  if (n == 0) return;
  k<<<1, 32>>>(d, n);
  odd(d, n - 1);
}
static void odd(float *d, int n) {
  assert(n > 100);
  even(d, n - 1);
}
void mutual(float *d, int n) {
  assert(n == 1000);
  even(d, n);
}
void jump_into_loop(float *d, int n, int start) {
  int i = 0;
  if (start > 5) goto middle;
  for (i = 0; i < n; i++) {
    printf("%d\n", i);
  middle:
    if (n < 64) exit(1);
    k<<<n, 32>>>(d, i);
  }
  k<<<3, 32>>>(d, n);
}
void self(float *d, int n) {
  if (n > 7) {
    self(d, n / 2);
    return;
  }
  k<<<4, 32>>>(d, n);
}
void contradiction(float *d, int n) {
  assert(n % 4 == 1);
  if (n % 2 == 0) k<<<5, 32>>>(d, n);
}

//@ launch: k<<<1, 32>>>
//@ lacks: undecided
//@ launch: k<<<n, 32>>>
//@ lacks: ? i : 0
//@ has: [assert] 64 <= n
//@ lacks: [loop] i < n
//@ launch: k<<<3, 32>>>
//@ lacks: 64 <= n
//@ launch: k<<<4, 32>>>
//@ has: n <= 7
//@ launch: k<<<5, 32>>>
//@ has: [assert] n % 4 == 1
//@ has: [assert] n % 2 == 0
