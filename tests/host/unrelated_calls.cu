// A host value that is read twice through a pointer of the caller's, with a call between that has nothing to do with it, is
// the same value (A9). A call has to do with it if it is given the object, or if its address, or that of a member, was let out
// before.
#include <cassert>
#include <cstdio>

__global__ void k(float *d, int r, int c) { d[r * c] = 0; }

struct M {
  float *d;
  int r, c;
  void only_unrelated(int n);
  void given(int n);
};
struct Timer {
  Timer();
  ~Timer();
};
extern int device();
extern void profile(const char *what, const Timer &timer);
extern void resize(M *m);
extern void use(M *m);
extern void keep(int *count);
extern M *last;

void M::only_unrelated(int n) {
  assert(r == c && r > n);
  Timer timer;
  int block = device() * 32;
  profile("before", timer);
  k<<<1, block>>>(d, r, c);
}
void M::given(int n) {
  assert(r == c && r > n);
  resize(this);
  k<<<2, 1>>>(d, r, c);
}
void let_out_before(M *m) {
  keep(&m->r);
  assert(m->r == m->c);
  (void)device();
  k<<<3, 1>>>(m->d, m->r, m->c);
}
void let_out_after(M *m) {
  assert(m->r == m->c);
  (void)device();
  k<<<4, 1>>>(m->d, m->r, m->c);
  keep(&m->r);
}
void let_out_in_a_loop(M *m) {
  assert(m->r == m->c);
  for (int i = 0; i < 3; i++) {
    (void)device();
    k<<<5, 1>>>(m->d, m->r, m->c);
    keep(&m->r);
  }
}
struct Pair {
  M *first;
};
void behind_another(Pair *p) {
  assert(p->first->r == p->first->c);
  (void)device();
  k<<<6, 1>>>(p->first->d, p->first->r, p->first->c);
}

void used_before(M *m) {
  use(m);
  assert(m->r == m->c);
  (void)device();
  k<<<7, 1>>>(m->d, m->r, m->c);
}
void stored_before(M *m) {
  last = m;
  assert(m->r == m->c);
  (void)device();
  k<<<8, 1>>>(m->d, m->r, m->c);
}

// An object of a class on the stack is given to methods without a body: each may keep its address.
struct Grid {
  Grid(int n);
  ~Grid();
  void fill();
  float *data;
  int r, c;
};
void local_object(float *d, int n) {
  Grid g(n);
  g.fill();
  assert(g.r == g.c);
  (void)device();
  k<<<11, 1>>>(d, g.r, g.c);
}
void local_object_alone(float *d, int n) {
  Grid g(n);
  g.fill();
  assert(g.r == g.c);
  k<<<12, 1>>>(d, g.r, g.c);
}

//@ launch: k<<<1, 
//@ has: [assert] this->r == this->c
//@ launch: k<<<2, 1>>>
//@ lacks: [assert]
//@ launch: k<<<3, 1>>>
//@ lacks: [assert]
//@ launch: k<<<4, 1>>>
//@ has: [assert] m->r == m->c
//@ launch: k<<<5, 1>>>
//@ lacks: [assert]
//@ launch: k<<<6, 1>>>
//@ lacks: [assert]
//@ launch: k<<<7, 1>>>
//@ lacks: [assert]
//@ launch: k<<<8, 1>>>
//@ lacks: [assert]
//@ launch: k<<<11, 1>>>
//@ lacks: [assert]
//@ launch: k<<<12, 1>>>
//@ has: [assert] g.r == g.c
