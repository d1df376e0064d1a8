// A fact about memory ends at a write that may change it, a call that may reach it, or a launch that is given it.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void k(float *d, int r, int c) { d[r * c] = 0; }
__global__ void mk(int *flag) { *flag = 1; }

struct M {
  int r, c;
  float *d;
  void resize(int p, int q);
};
extern void unknown();
extern void fill(int *p);

void resized(M &m, int p, int q) {
  assert(m.r == m.c);
  k<<<1, 1>>>(m.d, m.r, m.c);
  printf("between\n");
  k<<<2, 1>>>(m.d, m.r, m.c);
  m.resize(p, q);
  k<<<3, 1>>>(m.d, m.r, m.c);
}
void stored(M *m, M *other) {
  assert(m->r == 16);
  other->r = 4;
  k<<<4, 1>>>(m->d, m->r, m->c);
  other->d[0] = 1.0f;
  k<<<5, 1>>>(m->d, m->r, m->c);
}
void locals() {
  int n, m;
  if (scanf("%d %d", &n, &m) != 2) return;
  assert(n % 32 == 0);
  unknown();
  k<<<6, 1>>>(nullptr, n, m);
  fill(&n);
  k<<<7, 1>>>(nullptr, n, m);
}
int counter;
void globals(float *d) {
  assert(counter > 3);
  k<<<8, 1>>>(d, counter, 0);
  unknown();
  k<<<9, 1>>>(d, counter, 0);
}
void managed() {
  int *flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 7;
  k<<<10, 1>>>(nullptr, *flag, 0);
  mk<<<1, 1>>>(flag);
  k<<<11, 1>>>(nullptr, *flag, 0);
}

//@ launch: : k<<<1, 1>>>
//@ has: [assert] m->r == m->c
//@ launch: k<<<2, 1>>>
//@ has: [assert] m->r == m->c
//@ launch: k<<<3, 1>>>
//@ lacks: assert
//@ launch: k<<<4, 1>>>
//@ lacks: assert
//@ lacks: , 16, 
//@ launch: k<<<5, 1>>>
//@ launch: k<<<6, 1>>>
//@ has: [assert] n % 32 == 0
//@ launch: k<<<7, 1>>>
//@ lacks: n % 32
//@ launch: k<<<8, 1>>>
//@ has: [assert] 3 < counter
//@ launch: k<<<9, 1>>>
//@ lacks: assert
//@ launch: k<<<10, 1>>>(null, 7, 0)
//@ launch: k<<<11, 1>>>
//@ lacks: (null, 7, 0)
