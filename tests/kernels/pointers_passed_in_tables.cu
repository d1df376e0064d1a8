// Tables of pointers in a struct that a kernel is given by value, from which each thread takes one by a computed place: what the host put
// there says which are the same. Of 64 threads 16 each write one of four rows of 16 numbers. All different (ok), two the same or overlapping
// (bad).
// single: each set by a store of its own. filled: allocated in a loop, one copied over another (bad). parts: parts of one allocation, side by
// side (ok), one number too near (bad). called: a function swaps two (ok), or copies one (bad). couple: two pointers, passed in registers.
// branched: one is copied over another under a condition that is not known (bad), or exchanged with it (ok).
// both: pointers at places with names, too, of which one is also in the table (bad), or not (ok).
//@ verdict single_ok: race-free
//@ leans single_ok: !A2
//@ verdict single_bad: racy
//@ verdict filled_ok: race-free
//@ leans filled_ok: !A2 !A8
//@ verdict filled_bad: racy
//@ verdict parts_ok: race-free
//@ verdict parts_bad: racy
//@ verdict called_ok: race-free
//@ verdict called_bad: racy
//@ verdict couple_ok: race-free
//@ leans couple_ok: !A2 !A8
//@ verdict couple_bad: racy
//@ verdict branched_ok: race-free
//@ verdict branched_bad: racy
//@ verdict both_ok: race-free
//@ verdict both_bad: racy
#include <cuda_runtime.h>

struct Rows {
  int *p[4];
  int n;
};
struct Couple {
  int *p[2];
};
struct Named {
  int *out;
  int *p[4];
};

__device__ void write(const Rows &q) {
  int t = threadIdx.x;
  q.p[t & 3][t / 4] = t; // expect-race[rows]
}
__global__ void single_ok(Rows q) { write(q); } // expect-clean
__global__ void single_bad(Rows q) { write(q); }
__global__ void filled_ok(Rows q) { write(q); } // expect-clean
__global__ void filled_bad(Rows q) { write(q); }
__global__ void parts_ok(Rows q) { write(q); } // expect-clean
__global__ void parts_bad(Rows q) { write(q); }
__global__ void called_ok(Rows q) { write(q); } // expect-clean
__global__ void called_bad(Rows q) { write(q); }
__global__ void branched_ok(Rows q) { write(q); } // expect-clean
__global__ void branched_bad(Rows q) { write(q); }
__global__ void couple_ok(Couple q) { q.p[threadIdx.x & 1][threadIdx.x / 2] = 1 + threadIdx.x; } // expect-clean
__global__ void couple_bad(Couple q) {
  q.p[threadIdx.x & 1][threadIdx.x / 2] = 1 + threadIdx.x; // expect-race[couple]
}
__global__ void both_ok(Named q) { // expect-clean
  q.p[threadIdx.x & 3][threadIdx.x / 4] = threadIdx.x;
  if (threadIdx.x < 16) q.out[15 - threadIdx.x] = 64;
}
__global__ void both_bad(Named q) {
  q.p[threadIdx.x & 3][threadIdx.x / 4] = threadIdx.x; // expect-race[both]
  if (threadIdx.x < 16) q.out[15 - threadIdx.x] = 64;  // expect-race[both]
}

static void swap(Rows &q) {
  int *one = q.p[0];
  q.p[0] = q.p[1];
  q.p[1] = one;
}
static void copy(Rows &q) { q.p[1] = q.p[0]; }

static int *make() {
  int *row;
  cudaMalloc(&row, 64);
  return row;
}

static void fill(Rows &q) {
  for (int i = 0; i < 4; i++)
    cudaMalloc(&q.p[i], 64);
}

int main(int argc, char **) {
  int *a = make(), *b = make(), *c = make(), *d = make(), *e = make(), *all;
  cudaMalloc(&all, 256);
  Rows rows{{a, b, c, d}, 4};
  single_ok<<<1, 64>>>(rows);
  rows.p[3] = a;
  single_bad<<<1, 64>>>(rows);

  Rows filled;
  for (int i = 0; i < 4; i++)
    cudaMalloc(&filled.p[i], 64);
  filled_ok<<<1, 64>>>(filled);
  filled.p[3] = filled.p[0];
  filled_bad<<<1, 64>>>(filled);

  Rows parts;
  for (int i = 0; i < 4; i++)
    parts.p[i] = all + 16 * i;
  parts_ok<<<1, 64>>>(parts);
  for (int i = 0; i < 4; i++)
    parts.p[i] = all + 15 * i;
  parts_bad<<<1, 64>>>(parts);

  Rows called;
  fill(called);
  swap(called);
  called_ok<<<1, 64>>>(called);
  copy(called);
  called_bad<<<1, 64>>>(called);

  Rows branched{{a, b, c, d}, 4};
  if (argc > 1) swap(branched);
  branched_ok<<<1, 64>>>(branched);
  if (argc > 2) copy(branched);
  branched_bad<<<1, 64>>>(branched);

  couple_ok<<<1, 64>>>(Couple{{a, b}});
  couple_bad<<<1, 64>>>(Couple{{a, a}});

  both_ok<<<1, 64>>>(Named{e, {a, b, c, d}});
  both_bad<<<1, 64>>>(Named{e, {a, b, e, d}});
}
