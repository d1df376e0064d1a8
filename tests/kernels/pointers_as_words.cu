// A kernel copies pointers as words of other types, as code does that takes a struct for a row of words: then two pointers of a table are one.
// halves, doubles, bytes, exchanged, shuffled (by another lane), rounded (at an address made of numbers): `init` makes the second pointer of the struct the first one (bad), or moves words that are none of it (ok: from one array of
// numbers to another). numbers: beside the pointers lie numbers, which are written by their names (ok).
// split: `put` stores one pointer into both places, in halves (bad), or its distance from another one and where it begins in 16 bytes, behind them (ok).
// table: threads copy the first struct of two over the second, word by word; `two` uses the first pointer of each (bad), or of the first alone (ok).
//@ verdict halves_ok: race-free
//@ verdict halves_bad: undecided
//@ verdict doubles_bad: undecided
//@ verdict bytes_bad: undecided
//@ verdict exchanged_bad: undecided
//@ verdict shuffled_bad: undecided
//@ verdict rounded_bad: undecided
//@ verdict numbers_ok: race-free
//@ verdict split_ok: race-free
//@ verdict split_bad: undecided
//@ verdict table_ok: race-free
//@ verdict table_bad: undecided
//@ verdict copy_halves: race-free
//@ verdict copy_doubles: race-free
//@ verdict copy_bytes: race-free
//@ verdict exchange: race-free
//@ verdict shuffle: race-free
//@ verdict copy_rounded: race-free
//@ verdict copy_numbers: race-free
//@ verdict count_up: race-free
//@ verdict put_split: race-free
//@ verdict put_distance: race-free
//@ verdict copy_table: race-free
#include <cuda_runtime.h>

struct Two {
  int *a, *b;
  int count, other;
};

__global__ void copy_halves(unsigned *w) { // expect-clean
  w[2] = w[0];
  w[3] = w[1];
}
__global__ void copy_doubles(double *w) { w[1] = w[0]; } // expect-clean
__global__ void copy_bytes(unsigned char *w) { w[threadIdx.x + 8] = w[threadIdx.x]; } // expect-clean
__global__ void exchange(unsigned *w) { // expect-clean
  atomicExch(w + 2, w[0]);
  atomicExch(w + 3, w[1]);
}
__global__ void shuffle(unsigned *w) { // expect-clean
  int lane = threadIdx.x;
  unsigned half = lane < 2 ? w[lane] : 0;
  half = __shfl_sync(~0u, half, lane & 1);
  if (lane >= 2 && lane < 4) w[lane] = half;
}
__global__ void copy_rounded(char *given) { // expect-clean
  unsigned *w = (unsigned *)(((size_t)given + 7) & ~(size_t)7);
  w[2] = w[0];
  w[3] = w[1];
}
__global__ void copy_numbers(unsigned *w, unsigned *v) { // expect-clean
  v[threadIdx.x] = w[threadIdx.x];
}
__global__ void count_up(Two *x) { // expect-clean
  x->count = x->other + 1;
  x->other = x->count;
}
__global__ void put_split(unsigned *w, int *given) { // expect-clean
  size_t bits = (size_t)given;
  w[0] = w[2] = (unsigned)bits;
  w[1] = w[3] = (unsigned)(bits >> 32);
}
__global__ void put_distance(unsigned *w, int *given, int *other) { // expect-clean
  w[4] = (unsigned)(given - other);
  w[5] = (size_t)given & 15;
}
__global__ void copy_table(int *w, int words) { // expect-clean
  if (threadIdx.x < words) w[threadIdx.x + words] = w[threadIdx.x];
}

__device__ void shift(Two *x) {
  x->a[threadIdx.x] = threadIdx.x;
  x->b[threadIdx.x + 1] = 3;
}
__global__ void halves_ok(Two *x) { // expect-clean
  shift(x);
}
__global__ void halves_bad(Two *x) { shift(x); }
__global__ void doubles_bad(Two *x) { shift(x); }
__global__ void bytes_bad(Two *x) { shift(x); }
__global__ void exchanged_bad(Two *x) { shift(x); }
__global__ void shuffled_bad(Two *x) { shift(x); }
__global__ void rounded_bad(Two *x) { shift(x); }
__global__ void numbers_ok(Two *x) { // expect-clean
  shift(x);
}
__global__ void split_ok(Two *x) { // expect-clean
  shift(x);
}
__global__ void split_bad(Two *x) { shift(x); }
__global__ void table_ok(Two *x) { // expect-clean
  shift(x);
}
__global__ void table_bad(Two *x) {
  x[0].a[threadIdx.x] = threadIdx.x;
  x[1].a[threadIdx.x + 1] = 3;
}

static Two *make(int count) {
  Two of_host[2], *x;
  for (int i = 0; i < count; i++) {
    cudaMalloc(&of_host[i].a, 4000);
    cudaMalloc(&of_host[i].b, 4000);
    of_host[i].count = of_host[i].other = 0;
  }
  cudaMalloc(&x, count * sizeof *x);
  cudaMemcpy(x, of_host, count * sizeof *x, cudaMemcpyHostToDevice);
  return x;
}

int main() {
  unsigned *one, *other;
  cudaMalloc(&one, 400);
  cudaMalloc(&other, 400);
  Two *x = make(1);
  copy_numbers<<<1, 64>>>(one, other);
  halves_ok<<<1, 64>>>(x);
  x = make(1);
  copy_halves<<<1, 1>>>((unsigned *)x);
  halves_bad<<<1, 64>>>(x);
  x = make(1);
  copy_doubles<<<1, 1>>>((double *)x);
  doubles_bad<<<1, 64>>>(x);
  x = make(1);
  copy_bytes<<<1, 8>>>((unsigned char *)x);
  bytes_bad<<<1, 64>>>(x);
  x = make(1);
  exchange<<<1, 1>>>((unsigned *)x);
  exchanged_bad<<<1, 64>>>(x);
  x = make(1);
  shuffle<<<1, 32>>>((unsigned *)x);
  shuffled_bad<<<1, 64>>>(x);
  x = make(1);
  copy_rounded<<<1, 1>>>((char *)x);
  rounded_bad<<<1, 64>>>(x);
  x = make(1);
  count_up<<<1, 1>>>(x);
  numbers_ok<<<1, 64>>>(x);
  x = make(1);
  put_distance<<<1, 1>>>((unsigned *)x, (int *)one, (int *)other);
  split_ok<<<1, 64>>>(x);
  x = make(1);
  put_split<<<1, 1>>>((unsigned *)x, (int *)one);
  split_bad<<<1, 64>>>(x);
  x = make(2);
  table_ok<<<1, 64>>>(x);
  copy_table<<<1, 32>>>((int *)x, 6);
  table_bad<<<1, 64>>>(x);
  return 0;
}
