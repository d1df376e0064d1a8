// Functions of a library copy to arrays that they have made, or that a struct of their caller names, and launch with what other members
// of the struct name. Each kernel shifts by one place, out of one array into the other.
// fresh: the copy goes to an allocation that is younger than the struct, which it cannot change (ok); the launch is in place (bad).
// given: it goes to a member's array, and does not change the struct (A2) where both come from outside (ok); the function itself has
// put one pointer into both members (bad).
// linked: it goes to the next record of a list, of which nothing is known (ok); elsewhere in the file a record is its own next one (bad).
// handed: it goes to an array that the function is given (ok); it goes to the struct itself, out of a table that holds one pointer twice (bad).
//@ verdict fresh_ok: race-free
//@ leans fresh_ok: A2
//@ verdict fresh_bad: racy
//@ verdict given_ok: race-free
//@ leans given_ok: A2
//@ verdict given_bad: racy
//@ verdict linked_ok: race-free
//@ leans linked_ok: A2
//@ verdict linked_bad: racy
//@ verdict handed_ok: race-free
//@ leans handed_ok: A2
//@ verdict handed_bad: racy
#include <cuda_runtime.h>

__device__ void shift(const float *from, float *to, int n, int by) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) to[i] = from[i + by]; // expect-race[shift]
}
__global__ void fresh_ok(const float *from, float *to, const int *by, int n) { shift(from, to, n, by[0]); } // expect-clean
__global__ void fresh_bad(const float *from, float *to, const int *by, int n) { shift(from, to, n, by[0]); }
__global__ void given_ok(const float *from, float *to, int n) { shift(from, to, n, 1); } // expect-clean
__global__ void given_bad(const float *from, float *to, int n) { shift(from, to, n, 1); }
__global__ void linked_ok(const float *from, float *to, int n) { shift(from, to, n, 1); } // expect-clean
__global__ void linked_bad(const float *from, float *to, int n) { shift(from, to, n, 1); }
__global__ void handed_ok(const float *from, float *to, int n) { shift(from, to, n, 1); } // expect-clean
__global__ void handed_bad(const float *from, float *to, int n) { shift(from, to, n, 1); }

struct Signal {
  float *from, *to;
  int *by;
  int n;
};

void make(Signal *s) {
  int *by;
  cudaMalloc(&by, sizeof(int));
  cudaMemcpy(by, s->by, sizeof(int), cudaMemcpyHostToDevice);
  fresh_ok<<<(s->n + 255) / 256, 256>>>(s->from, s->to, by, s->n);
  fresh_bad<<<(s->n + 255) / 256, 256>>>(s->from, s->from, by, s->n);
  cudaFree(by);
}

struct Filter {
  float *from, *to;
  int n;
};

void load(Filter *f, const float *samples) {
  cudaMemcpy(f->from, samples, f->n * sizeof(float), cudaMemcpyHostToDevice);
  given_ok<<<(f->n + 255) / 256, 256>>>(f->from, f->to, f->n);
}

struct InPlace {
  float *from, *to;
  int n;
};

void load_in_place(InPlace *f, const float *samples) {
  f->to = f->from;
  cudaMemcpy(f->from, samples, f->n * sizeof(float), cudaMemcpyHostToDevice);
  given_bad<<<(f->n + 255) / 256, 256>>>(f->from, f->to, f->n);
}

struct Record {
  float *from, *to;
  Record *next;
  int n;
};

void copy_to_next(Record *r) {
  Record both = {r->from, r->from, nullptr, 4};
  cudaMemcpy(r->next, &both, sizeof both, cudaMemcpyDefault);
  linked_ok<<<(r->n + 255) / 256, 256>>>(r->from, r->to, r->n);
}

struct Ring {
  float *from, *to;
  Ring *next;
  int n;
};

void close_ring(Ring *r) { r->next = r; }

void copy_round(Ring *r) {
  Ring both = {r->from, r->from, nullptr, 4};
  cudaMemcpy(r->next, &both, sizeof both, cudaMemcpyDefault);
  linked_bad<<<(r->n + 255) / 256, 256>>>(r->from, r->to, r->n);
}

void keep(Signal *s, float *kept) {
  cudaMemcpy(kept, s->from, s->n * sizeof(float), cudaMemcpyDeviceToDevice);
  handed_ok<<<(s->n + 255) / 256, 256>>>(s->from, s->to, s->n);
}

void keep_over(Signal *s) {
  float *both[2] = {s->from, s->from};
  cudaMemcpy(s, both, sizeof both, cudaMemcpyDefault);
  handed_bad<<<(s->n + 255) / 256, 256>>>(s->from, s->to, s->n);
}
