// Functions that nothing here calls keep what they are given, in members and in variables; others launch with what they find there.
// members: one pointer is kept in two members (bad), one in each (ok), one in either (either). variables: likewise of the program's variables. moved: the second pointer is
// another one by then (ok).
//@ verdict members_ok: race-free
//@ verdict members_bad: racy
//@ verdict either_ok: race-free
//@ verdict variables_ok: race-free
//@ verdict variables_bad: racy
//@ verdict moved_ok: race-free
#include <cuda_runtime.h>

__device__ void move_on(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race[moved] {{possible}}
}
__global__ void members_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void members_bad(float *to, const float *from) { move_on(to, from); }
__global__ void either_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void variables_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void variables_bad(float *to, const float *from) { move_on(to, from); }
__global__ void moved_ok(float *to, const float *from) { move_on(to, from); } // expect-clean

struct Apart {
  float *first, *second;
  void init(float *a, float *b) {
    first = a;
    second = b;
  }
  void step() { members_ok<<<1, 64>>>(first, second); }
};
struct Together {
  float *first, *second;
  void init(float *a) {
    first = a;
    second = a;
  }
  void step() { members_bad<<<1, 64>>>(first, second); }
};
struct Either {
  float *first, *second;
  void init(float *a, bool is_first) {
    if (is_first)
      first = a;
    else
      second = a;
  }
  void step() { either_ok<<<1, 64>>>(first, second); }
};
struct Moved {
  float *first, *second;
  void init(float **made, int n) {
    float *a;
    cudaMalloc(&a, n);
    first = a;
    cudaMalloc(&a, n);
    second = a;
  }
  void step() { moved_ok<<<1, 64>>>(first, second); }
};
float *left, *right, *up, *down;
void init(float *a, float *b, float *c) {
  left = a;
  right = b;
  up = c;
  down = c;
}
void step() {
  variables_ok<<<1, 64>>>(left, right);
  variables_bad<<<1, 64>>>(up, down);
}
void use(Apart *a, Together *t, Either *e, Moved *m, float *p, float *q) {
  a->init(p, q);
  t->init(p);
  e->init(p, q);
  m->init(&q, 256);
}
void go_on(Apart *a, Together *t, Either *e, Moved *m) {
  a->step();
  t->step();
  e->step();
  m->step();
}
