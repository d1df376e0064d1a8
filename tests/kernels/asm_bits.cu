// Bits that inline PTX picks. logic: a & b by its table, of six bits (ok) or five (bad: two threads share a word); a ^ b ^ c, which no two threads share (ok), and
// a | b | c, which they do (bad); (a & b) | (~a & c), with a mask that keeps what differs (ok), or not (bad). field: the bits that the number of the thread
// stands in (ok), or all but the lowest (bad); signed: a field of four bits in which 16 threads differ (ok), of three (bad). into: six bits of the number put
// into a word (ok), or five (bad).
//@ verdict logic_ok: race-free
//@ verdict logic_bad: racy
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
//@ verdict choice_ok: race-free
//@ verdict choice_bad: racy
//@ verdict field_ok: race-free
//@ verdict field_bad: racy
//@ verdict signed_ok: race-free
//@ verdict signed_bad: racy
//@ verdict into_ok: race-free
//@ verdict into_bad: racy
#include <cuda_runtime.h>

template <int TABLE> __device__ unsigned logic(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(TABLE));
  return d;
}
template <int AT, int LENGTH> __device__ unsigned field(unsigned a) {
  unsigned d;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "n"(AT), "n"(LENGTH));
  return d;
}
template <int LENGTH> __device__ int signed_field(int a) {
  int d;
  asm("bfe.s32 %0, %1, 0, %2;" : "=r"(d) : "r"(a), "n"(LENGTH));
  return d;
}
template <int LENGTH> __device__ unsigned into(unsigned a, unsigned b) {
  unsigned d;
  asm("bfi.b32 %0, %1, %2, 2, %3;" : "=r"(d) : "r"(a), "r"(b), "n"(LENGTH));
  return d;
}

__global__ void logic_ok(int *p) { p[logic<0xc0>(threadIdx.x, 63, 0)] = threadIdx.x; } // expect-clean
__global__ void logic_bad(int *p) { p[logic<0xc0>(threadIdx.x, 31, 0)] = threadIdx.x; } // expect-race
__global__ void sum_ok(int *p) { p[logic<0x96>(threadIdx.x, 21, 8)] = threadIdx.x; } // expect-clean
__global__ void sum_bad(int *p) { p[logic<0xfe>(threadIdx.x, 21, 8)] = threadIdx.x; } // expect-race
__global__ void choice_ok(int *p) { p[logic<0xca>(63, threadIdx.x, 7)] = threadIdx.x; } // expect-clean
__global__ void choice_bad(int *p) { p[logic<0xca>(47, threadIdx.x, 7)] = threadIdx.x; } // expect-race
__global__ void field_ok(int *p) { p[field<4, 8>(threadIdx.x << 4)] = threadIdx.x; } // expect-clean
__global__ void field_bad(int *p) { p[field<5, 8>(threadIdx.x << 4)] = threadIdx.x; } // expect-race
__global__ void signed_ok(int *p) { p[8 + signed_field<4>(threadIdx.x)] = threadIdx.x; } // expect-clean
__global__ void signed_bad(int *p) { p[8 + signed_field<3>(threadIdx.x)] = threadIdx.x; } // expect-race
__global__ void into_ok(int *p) { p[into<6>(threadIdx.x, 1)] = threadIdx.x; } // expect-clean
__global__ void into_bad(int *p) { p[into<5>(threadIdx.x, 1)] = threadIdx.x; } // expect-race

int main() {
  int *p;
  cudaMalloc(&p, 1 << 20);
  logic_ok<<<1, 64>>>(p);
  logic_bad<<<1, 64>>>(p);
  sum_ok<<<1, 64>>>(p);
  sum_bad<<<1, 64>>>(p);
  choice_ok<<<1, 64>>>(p);
  choice_bad<<<1, 64>>>(p);
  field_ok<<<1, 64>>>(p);
  field_bad<<<1, 64>>>(p);
  signed_ok<<<1, 16>>>(p);
  signed_bad<<<1, 16>>>(p);
  into_ok<<<1, 64>>>(p);
  into_bad<<<1, 64>>>(p);
}
