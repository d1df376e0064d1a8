// Structs with a constructor for copies, or a destructor, are handed over by their address, whatever their size: what the kernel gets is what lies there. Two
// that hold one pointer (bad), two pointers (ok). one: of one pointer; two: with a number besides; none: without a member, before another argument;
// destroyed: with a destructor; mixed: between others that go in registers.
//@ verdict one_ok: race-free
//@ verdict one_bad: racy
//@ verdict two_ok: race-free
//@ verdict two_bad: racy
//@ verdict none_ok: race-free
//@ verdict none_bad: racy
//@ verdict destroyed_ok: race-free
//@ verdict destroyed_bad: racy
//@ verdict mixed_ok: race-free
//@ verdict mixed_bad: racy
#include <cuda_runtime.h>

struct One {
  int *p;
  __host__ __device__ One(int *q) : p(q) {}
  __host__ __device__ One(const One &other) : p(other.p) {}
};
struct Two {
  int *p;
  int step;
  __host__ __device__ Two(int *q, int s) : p(q), step(s) {}
  __host__ __device__ Two(const Two &other) : p(other.p), step(other.step) {}
};
struct None {
  __host__ __device__ None() {}
  __host__ __device__ None(const None &) {}
  __host__ __device__ int of(int i) const { return i; }
};
struct Destroyed {
  int *p;
  int step;
  __host__ __device__ ~Destroyed() {}
};
struct Plain {
  int *p;
};

__global__ void one_ok(One x, One y) { // expect-clean
  x.p[threadIdx.x] = 1;
  y.p[63 - threadIdx.x] = 2;
}
__global__ void one_bad(One x, One y) {
  x.p[threadIdx.x] = 1;      // expect-race[one]
  y.p[63 - threadIdx.x] = 2; // expect-race[one]
}
__global__ void two_ok(Two x) { x.p[threadIdx.x * x.step] = threadIdx.x; } // expect-clean
__global__ void two_bad(Two x) { x.p[threadIdx.x * x.step] = threadIdx.x; } // expect-race
__global__ void none_ok(None f, int *p, int step) { p[f.of(threadIdx.x) * step] = threadIdx.x; } // expect-clean
__global__ void none_bad(None f, int *p, int step) { p[f.of(threadIdx.x) * step] = threadIdx.x; } // expect-race
__global__ void destroyed_ok(Destroyed x) { x.p[threadIdx.x * x.step] = threadIdx.x; } // expect-clean
__global__ void destroyed_bad(Destroyed x) { x.p[threadIdx.x * x.step] = threadIdx.x; } // expect-race
__global__ void mixed_ok(Plain a, One x, Plain y) { // expect-clean
  a.p[threadIdx.x] = 1;
  x.p[threadIdx.x] = 1;
  y.p[63 - threadIdx.x] = 2;
}
__global__ void mixed_bad(Plain a, One x, Plain y) {
  a.p[threadIdx.x] = 1;
  x.p[threadIdx.x] = 1;      // expect-race[mixed]
  y.p[63 - threadIdx.x] = 2; // expect-race[mixed]
}

int main() {
  int *d, *e, *f;
  cudaMalloc((void **)&d, 4096);
  cudaMalloc((void **)&e, 4096);
  cudaMalloc((void **)&f, 4096);
  one_ok<<<1, 64>>>(One(d), One(e));
  one_bad<<<1, 64>>>(One(d), One(d));
  two_ok<<<1, 64>>>(Two(d, 1));
  two_bad<<<1, 64>>>(Two(d, 0));
  none_ok<<<1, 64>>>(None(), d, 1);
  none_bad<<<1, 64>>>(None(), d, 0);
  Destroyed one{d, 1}, zero{d, 0};
  destroyed_ok<<<1, 64>>>(one);
  destroyed_bad<<<1, 64>>>(zero);
  mixed_ok<<<1, 64>>>(Plain{f}, One(d), Plain{e});
  mixed_bad<<<1, 64>>>(Plain{f}, One(d), Plain{d});
}
