// Rows of matrices that a warp loads and stores together (ldmatrix, stmatrix): each lane gets its part of rows whose addresses other lanes gave.
// load: a warp meets before it loads what its lanes stored (ok), nothing orders that (unmet), it stores again without meeting (again), with .trans (across).
// copy: the rows come by asynchronous copies, of which each lane awaits its own, and meets (ok) or not (unmet).
// store: the warp meets before its lanes read what was stored (ok), or not (unmet), with .trans (across), what matters of one matrix (one).
// one: eight lanes give the addresses of one matrix, those of the others do not count (ok); a row that another warp has too (two).
// steps: the pointer is one of two into the array, all meet before and behind the loading (ok), only before it (once).
// either: of two arrays, which nobody follows (undecided).
// pred: where the predicate does not hold nothing is loaded (ok).
//@ args: --arch sm_90
//@ verdict load_ok: race-free
//@ verdict load_unmet_bad: racy
//@ verdict load_again_bad: racy
//@ verdict load_across_ok: race-free
//@ verdict load_across_bad: racy
//@ verdict copy_ok: race-free
//@ verdict copy_unmet_bad: racy
//@ verdict store_ok: race-free
//@ verdict store_unmet_bad: racy
//@ verdict store_across_ok: race-free
//@ verdict store_across_bad: racy
//@ verdict one_ok: race-free
//@ verdict one_two_bad: racy
//@ verdict steps_ok: race-free
//@ verdict steps_once_bad: racy
//@ verdict either: undecided
//@ verdict pred_ok: race-free
//@ verdict pred_bad: racy
#include <cuda_runtime.h>

__device__ unsigned place(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned rows(unsigned p) {
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(p) : "memory"); // expect-race[load] expect-race[again] expect-race[copy]
  return a + b + c + d;
}
__device__ unsigned columns(unsigned p) {
  unsigned a, b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(p) : "memory"); // expect-race[across]
  return a + b;
}
__device__ unsigned row(unsigned p) {
  unsigned a;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(p) : "memory"); // expect-race[steps]
  return a;
}
__device__ void put(unsigned p, unsigned v) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};" ::"r"(p), "r"(v) : "memory"); // expect-race[store]
}
__device__ void put_columns(unsigned p, unsigned v) {
  asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(p), "r"(v) : "memory"); // expect-race[store_across]
}

#define OWN                                                                                                  \
  __shared__ __align__(16) uint4 s[4][32];                                                                   \
  int t = threadIdx.x, l = t & 31, w = t >> 5;                                                               \
  unsigned p = place(&s[w][l])

__global__ void load_ok(unsigned *o, const uint4 *g, int n) { // expect-clean
  OWN;
  for (int i = 0; i < n; i++) {
    s[w][l] = g[i * 128 + t];
    __syncwarp();
    o[t] += rows(p);
    __syncwarp();
  }
}
__global__ void load_unmet_bad(unsigned *o, const uint4 *g) {
  OWN;
  s[w][l] = g[t]; // expect-race[load]
  o[t] = rows(p);
}
__global__ void load_again_bad(unsigned *o, const uint4 *g, int n) {
  OWN;
  for (int i = 0; i < n; i++) {
    s[w][l] = g[i * 128 + t]; // expect-race[again]
    __syncwarp();
    o[t] += rows(p);
  }
}
__global__ void load_across_ok(unsigned *o, const uint4 *g) { // expect-clean
  OWN;
  s[w][l] = g[t];
  __syncwarp();
  o[t] = columns(p);
}
__global__ void load_across_bad(unsigned *o, const uint4 *g) {
  OWN;
  s[w][l] = g[t]; // expect-race[across]
  o[t] = columns(p);
}
__device__ void copy_in(unsigned p, const uint4 *g) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(p), "l"(g) : "memory"); // expect-race[copy]
  asm volatile("cp.async.wait_all;" ::: "memory");
}
__global__ void copy_ok(unsigned *o, const uint4 *g) { // expect-clean
  OWN;
  copy_in(p, g + t);
  __syncwarp();
  o[t] = rows(p);
}
__global__ void copy_unmet_bad(unsigned *o, const uint4 *g) {
  OWN;
  copy_in(p, g + t);
  o[t] = rows(p);
}
__global__ void store_ok(unsigned *o) { // expect-clean
  OWN;
  put(p, t);
  __syncwarp();
  o[t] = s[w][l].x;
}
__global__ void store_unmet_bad(unsigned *o) {
  OWN;
  put(p, t);
  o[t] = s[w][l].x; // expect-race[store]
}
__global__ void store_across_ok(unsigned *o) { // expect-clean
  OWN;
  put_columns(p, t);
  __syncwarp();
  o[t] = s[w][l].x;
}
__global__ void store_across_bad(unsigned *o) {
  OWN;
  put_columns(p, t);
  o[t] = s[w][l].x; // expect-race[store_across]
}
__global__ void one_ok(unsigned *o) { // expect-clean
  __shared__ __align__(16) uint4 s[4][8];
  int t = threadIdx.x, l = t & 7, w = t >> 5;
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(place(&s[w][l])), "r"(t) : "memory");
  __syncwarp();
  o[t] = s[w][l].x;
}
__global__ void one_two_bad(unsigned *o) {
  __shared__ __align__(16) uint4 s[4][8];
  int t = threadIdx.x, l = t & 7, w = t >> 6;
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(place(&s[w][l])), "r"(t) : "memory"); // expect-race[two] expect-race[twice]
  __syncwarp();
  o[t] = s[w][l].x; // expect-race[twice]
}
__global__ void steps_ok(unsigned *o, const uint4 *g, int n) { // expect-clean
  __shared__ __align__(16) uint4 s[256];
  int t = threadIdx.x;
  uint4 *p = s, *q = s + 64;
  for (int i = 0; i < n; i++) {
    p[t] = g[i * 128 + t];
    __syncthreads();
    o[t] += row(place(p + (t ^ 1)));
    __syncthreads();
    uint4 *other = p;
    p = q, q = other;
  }
}
__global__ void steps_once_bad(unsigned *o, const uint4 *g, int n) {
  __shared__ __align__(16) uint4 s[256];
  int t = threadIdx.x;
  uint4 *p = s, *q = s + 64;
  for (int i = 0; i < n; i++) {
    p[t] = g[i * 128 + t]; // expect-race[steps]
    __syncthreads();
    o[t] += row(place(p + (t ^ 1)));
    uint4 *other = p;
    p = q, q = other;
  }
}
__global__ void either(unsigned *o, int n) {
  __shared__ __align__(16) uint4 a[32], b[32];
  int t = threadIdx.x;
  uint4 *p = t < n ? a + t : b + t;
  p->x = t;
  __syncwarp();
  o[t] = rows(place(p));
}
__global__ void pred_ok(unsigned *o, const uint4 *g, int n) { // expect-clean
  OWN;
  unsigned a = 0;
  asm volatile("{.reg .pred q; setp.ne.u32 q, %2, 0; @q ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];}" : "+r"(a) : "r"(p), "r"(n) : "memory");
  if (n == 0) s[w][l] = g[t];
  o[t] = a;
}
__global__ void pred_bad(unsigned *o, const uint4 *g, int n) {
  OWN;
  unsigned a = 0;
  asm volatile("{.reg .pred q; setp.ne.u32 q, %2, 0; @q ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];}" : "+r"(a) : "r"(p), "r"(n) : "memory"); // expect-race[pred]
  if (n == 1) s[w][l] = g[t]; // expect-race[pred]
  o[t] = a;
}

int main(int n, char **) {
  unsigned *o;
  uint4 *g;
  cudaMalloc(&o, 1 << 20);
  cudaMalloc(&g, 1 << 24);
  load_ok<<<1, 128>>>(o, g, n);
  load_unmet_bad<<<1, 128>>>(o, g);
  load_again_bad<<<1, 128>>>(o, g, n);
  load_across_ok<<<1, 128>>>(o, g);
  load_across_bad<<<1, 128>>>(o, g);
  copy_ok<<<1, 128>>>(o, g);
  copy_unmet_bad<<<1, 128>>>(o, g);
  store_ok<<<1, 128>>>(o);
  store_unmet_bad<<<1, 128>>>(o);
  store_across_ok<<<1, 128>>>(o);
  store_across_bad<<<1, 128>>>(o);
  one_ok<<<1, 128>>>(o);
  one_two_bad<<<1, 128>>>(o);
  steps_ok<<<1, 128>>>(o, g, n);
  steps_once_bad<<<1, 128>>>(o, g, n);
  either<<<1, 32>>>(o, n);
  pred_ok<<<1, 128>>>(o, g, n);
  pred_bad<<<1, 128>>>(o, g, n);
}
