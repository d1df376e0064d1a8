// A function with a body that may throw, too long to be seen through in place: what holds when it comes back says nothing
// where an exception of it was caught, neither what it tested nor what it left in memory. In the twins the exception
// goes on.
#include <cstdio>
#include <stdexcept>

__global__ void k(float *d, int r, int c) { d[r * c] = 0; }

struct M {
  int r, c;
  float *d;
};

void say(const char *what, int value);
#define SAY(x)                                                                                                         \
  say("1", x), say("2", x + 1), say("3", x * 2), say("4", x / 3), say("5", x % 7), say("6", x ^ 5), say("7", x | 3)
#define TALK(x) SAY(x), SAY(x + 1), SAY(x + 2), SAY(x + 3)

static void need_square(int r, int c) {
  if (r != c) throw std::runtime_error("not square");
  TALK(r);
}
static void resize(M *m) {
  m->r = 4;
  TALK(m->c);
  m->r = 16;
}
static void resize_after_all(M *m) {
  TALK(m->c);
  m->r = 16;
}

void tested(float *d, int r, int c) {
  try {
    need_square(r, c);
    k<<<1, 1>>>(d, r, c);
  } catch (...) {
  }
  k<<<1, 2>>>(d, r, c);
}
void tested_and_passed_on(float *d, int r, int c) {
  try {
    need_square(r, c);
  } catch (...) {
    throw;
  }
  k<<<1, 3>>>(d, r, c);
}
void stored(M *m) {
  try {
    resize(m);
    k<<<2, 1>>>(m->d, m->r, m->c);
  } catch (...) {
  }
  k<<<2, 2>>>(m->d, m->r, m->c);
}
void stored_and_returned(M *m) {
  try {
    resize(m);
  } catch (...) {
    return;
  }
  k<<<2, 3>>>(m->d, m->r, m->c);
}
void stored_local() {
  M m = {32, 32, nullptr};
  try {
    resize_after_all(&m);
  } catch (...) {
    k<<<3, 1>>>(m.d, m.r, m.c);
  }
  k<<<3, 2>>>(m.d, m.r, m.c);
}
void in_a_loop(float *d, int r, int c) {
  for (int i = 0; i < c; i++) {
    try {
      need_square(r, i);
    } catch (...) {
      continue;
    }
    k<<<4, 1>>>(d, r, i);
  }
  k<<<4, 2>>>(d, r, c);
}

//@ launch: k<<<1, 1>>>
//@ has: [assert] r == c
//@ launch: k<<<1, 2>>>
//@ lacks: r == c
//@ launch: k<<<1, 3>>>
//@ has: [assert] r == c
//@ launch: k<<<2, 1>>>
//@ has: , 16,
//@ launch: k<<<2, 2>>>
//@ lacks: , 16,
//@ has: no_exception ? 16 : m->r
//@ launch: k<<<2, 3>>>
//@ has: , 16,
//@ launch: k<<<3, 1>>>
//@ lacks: (null, 16,
//@ launch: k<<<3, 2>>>
//@ lacks: (null, 16,
//@ lacks: (null, 32,
//@ launch: k<<<4, 1>>>
//@ has: [assert] r == i
//@ launch: k<<<4, 2>>>
//@ lacks: r ==
