// Numbers in inline PTX are of the type that the instruction says. wide: 0x80000000 is 2^31 to mul.wide.u32, so pairs of threads share a word (bad); times
// 2^32 none does (ok). extended: a 32-bit register of ones is 2^32 - 1 as an unsigned number of 64 bits, which leaves nothing of the upper half (bad), and -1 as a
// signed one (ok). mask: the last four bits are taken away by a number above 2^63 (bad: 16 threads share a word), or none is (ok). constant: an "n" operand.
// number: a barrier without a count is one of all threads of the block if they name one number (ok), not if each warp names its own (bad: none is passed).
//@ verdict wide_bad: racy
//@ verdict wide_ok: race-free
//@ verdict extended_bad: racy
//@ verdict extended_ok: race-free
//@ verdict mask_bad: racy
//@ verdict mask_ok: race-free
//@ verdict constant_bad: racy
//@ verdict constant_ok: race-free
//@ verdict number_bad: racy
//@ verdict number_ok: race-free
//@ known-undecided number_bad: threads that name different barriers never meet, which is told where counts are given only
#include <cuda_runtime.h>

__global__ void wide_bad(int *p) {
  unsigned t = threadIdx.x;
  unsigned long long r;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(t), "r"(0x80000000u));
  p[r >> 32] = t; // expect-race
}
__global__ void wide_ok(int *p) { // expect-clean
  unsigned t = threadIdx.x;
  unsigned long long r;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(2 * t), "r"(0x80000000u));
  p[r >> 32] = t;
}
__global__ void extended_bad(int *p) {
  unsigned long long x, t = threadIdx.x;
  asm("{.reg .u32 m; .reg .u64 w; mov.u32 m, 0xffffffff; cvt.u64.u32 w, m; and.b64 %0, %1, w;}" : "=l"(x) : "l"(t << 32));
  p[x >> 32] = (int)t; // expect-race
}
__global__ void extended_ok(int *p) { // expect-clean
  unsigned long long x, t = threadIdx.x;
  asm("{.reg .s32 m; .reg .s64 w; mov.s32 m, 0xffffffff; cvt.s64.s32 w, m; and.b64 %0, %1, w;}" : "=l"(x) : "l"(t << 32));
  p[x >> 32] = (int)t;
}
__global__ void mask_bad(int *p) {
  unsigned long long x, t = threadIdx.x;
  asm("and.b64 %0, %1, 0xFFFFFFFFFFFFFFF0;" : "=l"(x) : "l"(t));
  p[x] = (int)t; // expect-race
}
__global__ void mask_ok(int *p) { // expect-clean
  unsigned long long x, t = threadIdx.x;
  asm("and.b64 %0, %1, 0xFFFFFFFFFFFFFFFF;" : "=l"(x) : "l"(t));
  p[x] = (int)t;
}
__global__ void constant_bad(int *p) {
  unsigned long long x, t = threadIdx.x;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(x) : "r"((unsigned)t), "n"(0xffffffffu), "l"(t));
  p[x >> 33] = (int)t; // expect-race
}
__global__ void constant_ok(int *p) { // expect-clean
  unsigned long long x, t = threadIdx.x;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(x) : "r"((unsigned)t), "n"(0xffffffffu), "l"(t));
  p[x >> 32] = (int)t;
}
__global__ void number_bad(int *p) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = p[t];
  asm volatile("bar.sync %0;" ::"r"(1 + (t >> 5)) : "memory");
  p[t] = s[63 - t];
}
__global__ void number_ok(int *p, int k) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = p[t];
  asm volatile("bar.sync %0;" ::"r"(1 + (k >> 5)) : "memory");
  p[t] = s[63 - t];
}

int main() {
  int *p;
  cudaMalloc(&p, 1 << 20);
  wide_bad<<<1, 64>>>(p);
  wide_ok<<<1, 64>>>(p);
  extended_bad<<<1, 64>>>(p);
  extended_ok<<<1, 64>>>(p);
  mask_bad<<<1, 64>>>(p);
  mask_ok<<<1, 64>>>(p);
  constant_bad<<<1, 64>>>(p);
  constant_ok<<<1, 64>>>(p);
  number_bad<<<1, 64>>>(p);
  number_ok<<<1, 64>>>(p, 7);
}
