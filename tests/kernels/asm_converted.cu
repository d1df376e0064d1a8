// Instructions of two types in inline assembly: the first is that of the result, which the register is filled up from by that type's
// sign (cvt, set, slct). What sets two predicates, with a third one besides, sets both (setp).
//@ verdict unsigned_ok: race-free
//@ verdict unsigned_bad: racy
//@ verdict signed_ok: race-free
//@ verdict signed_bad: racy
//@ verdict compared_ok: race-free
//@ verdict compared_bad: racy
//@ verdict chosen_bad: racy
//@ verdict second_ok: race-free
//@ verdict second_bad: racy
#include <cuda_runtime.h>

// A byte without a sign is no more than 255, and may be more than 127.
__global__ void unsigned_ok(int *a, int n) { // expect-clean
  int r;
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(n));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == 300)) a[0] = threadIdx.x;
}
__global__ void unsigned_bad(int *a, int n) {
  int r;
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(n));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == 200)) a[0] = threadIdx.x; // expect-race
}

// One with a sign is at most 127, and may be negative.
__global__ void signed_ok(int *a, float x) { // expect-clean
  int r;
  asm("cvt.rni.s8.f32 %0, %1;" : "=r"(r) : "f"(x));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == 200)) a[0] = threadIdx.x;
}
__global__ void signed_bad(int *a, float x) {
  int r;
  asm("cvt.rni.s8.f32 %0, %1;" : "=r"(r) : "f"(x));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == -3)) a[0] = threadIdx.x; // expect-race
}

// All bits of the result are set, or none: of 32 bits, though what is compared has 16.
__global__ void compared_ok(int *a, int n) { // expect-clean
  short r;
  asm("set.lt.s16.s32 %0, %1, %2;" : "=h"(r) : "r"(n), "r"(5));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r == 1 << 16)) a[0] = threadIdx.x;
}
__global__ void compared_bad(int *a, int n) {
  unsigned r;
  asm("set.lt.u32.u16 %0, %1, %2;" : "=r"(r) : "h"((short)n), "h"((short)5));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r >> 16)) a[0] = threadIdx.x; // expect-race
}
__global__ void chosen_bad(int *a, int n) {
  unsigned long long r;
  asm("slct.u64.s32 %0, %1, %2, %3;" : "=l"(r) : "l"(1ull << 40), "l"(3ull << 40), "r"(n));
  if (threadIdx.x == 9 || (threadIdx.x == 5 && r >> 32)) a[0] = threadIdx.x; // expect-race
}

// q is the contrary of p, where the third predicate holds: with it for all lanes below 32 it is false, and one element is shared.
__global__ void second_ok(int *a) { // expect-clean
  unsigned d;
  asm("{.reg .pred p, q; setp.lt.u32 p|q, %1, 32; selp.u32 %0, 1, 0, p;}" : "=r"(d) : "r"(threadIdx.x));
  if (d) a[threadIdx.x] = threadIdx.x;
}
__global__ void second_bad(int *a) {
  unsigned d;
  asm("{.reg .pred p, q, r; setp.eq.u32 q, 1, 1; setp.eq.u32 r, 1, 1; setp.lt.and.u32 p|q, %1, 32, r; selp.u32 %0, 1, 0, q;}"
      : "=r"(d)
      : "r"(threadIdx.x));
  a[d ? threadIdx.x : 0] = threadIdx.x; // expect-race
}

int main(int argc, char **) {
  int *a;
  cudaMalloc(&a, 400);
  unsigned_ok<<<1, 32>>>(a, argc);
  unsigned_bad<<<1, 32>>>(a, argc);
  signed_ok<<<1, 32>>>(a, (float)argc);
  signed_bad<<<1, 32>>>(a, (float)argc);
  compared_ok<<<1, 32>>>(a, argc);
  compared_bad<<<1, 32>>>(a, argc);
  chosen_bad<<<1, 32>>>(a, argc);
  second_ok<<<1, 32>>>(a);
  second_bad<<<1, 32>>>(a);
  return (int)cudaDeviceSynchronize();
}
