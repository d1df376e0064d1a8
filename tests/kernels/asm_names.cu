// What names in inline PTX stand for: labels, registers of scopes and of other texts, addresses; the width of a shuffle and what a vote says.
// label: one begins like an operation that ends the thread, which goes on (ok), all threads write one place (bad); exit likewise, trap (trap).
// leave: the thread ends, behind a comment and a brace, so that what follows is of no one (ok); under a predicate some do (undecided).
// inner: a register of the same name in braces is another one (ok), the outer one holds one number for all (bad).
// family: likewise, of many registers that are declared together.
// pred: likewise, of a predicate under which there is a store.
// behind: the register of the braces is over behind them (undecided).
// other: a register that another text has filled with one number for all (ok), with the thread's own (bad).
// flag: the carry that another text has left, which is the thread's own.
// minus: one place before the address (ok), where the thread before writes too (bad).
// width: what lane 0 hands to all (ok); cut at odd lanes, each has that of one of two (bad).
//@ verdict minus_ok: race-free
//@ verdict minus_bad: racy
//@ verdict width_ok: race-free
//@ verdict width_bad: racy
// vote: who said yes knows that somebody did, as a predicate, and takes its own place (ok), one for all (bad).
//@ verdict vote_ok: race-free
//@ verdict vote_bad: racy
//@ verdict label_ok: race-free
//@ verdict label_bad: racy
//@ verdict label_trap_bad: racy
//@ verdict leave_ok: race-free
//@ verdict leave_some: undecided
//@ verdict inner_ok: race-free
//@ verdict inner_bad: racy
//@ verdict family_ok: race-free
//@ verdict family_bad: racy
//@ verdict pred_ok: race-free
//@ verdict pred_bad: racy
//@ verdict behind: undecided
//@ known-false-alarm other_ok: what a register holds from one text to the next is not followed
//@ verdict other_ok: race-free
//@ verdict other_bad: racy
//@ verdict flag_bad: racy
#include <cuda_runtime.h>

__global__ void label_ok(int *o) { // expect-clean
  int t = threadIdx.x;
  asm volatile("exit_me_%=: membar.cta;" ::: "memory");
  o[t] = t;
}
__global__ void label_bad(int *o) {
  int t = threadIdx.x;
  asm volatile("exit_me_%=: membar.cta;" ::: "memory");
  o[t / 2] = t; // expect-race[label]
}
__global__ void label_trap_bad(int *o) {
  int t = threadIdx.x;
  asm volatile("trap_me_%=: membar.cta;" ::: "memory");
  o[t / 2] = t; // expect-race[trap]
}
__global__ void leave_ok(int *o) { // expect-clean
  int t = threadIdx.x;
  asm volatile("/* all */ { exit; }" ::: "memory");
  o[t / 2] = t;
}
__global__ void leave_some(int *o) {
  int t = threadIdx.x;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p exit; }" ::"r"(t) : "memory");
  o[0] = t;
}
__global__ void inner_ok(int *o) { // expect-clean
  unsigned t = threadIdx.x, r;
  asm volatile("{ .reg .b32 x; mov.b32 x, %1; { .reg .b32 x; mov.b32 x, 5; } mov.b32 %0, x; }" : "=&r"(r) : "r"(t));
  o[r] = t;
}
__global__ void inner_bad(int *o) {
  unsigned t = threadIdx.x, r;
  asm volatile("{ .reg .b32 x; mov.b32 x, 5; { .reg .b32 x; mov.b32 x, %1; } mov.b32 %0, x; }" : "=&r"(r) : "r"(t));
  o[r] = t; // expect-race[inner]
}
__global__ void family_ok(int *o) { // expect-clean
  unsigned t = threadIdx.x, r;
  asm volatile("{ .reg .b32 x<3>; mov.b32 x2, %1; { .reg .b32 x<3>; mov.b32 x2, 5; } mov.b32 %0, x2; }" : "=&r"(r) : "r"(t));
  o[r] = t;
}
__global__ void family_bad(int *o) {
  unsigned t = threadIdx.x, r;
  asm volatile("{ .reg .b32 x<3>; mov.b32 x2, 5; { .reg .b32 x<3>; mov.b32 x2, %1; } mov.b32 %0, x2; }" : "=&r"(r) : "r"(t));
  o[r] = t; // expect-race[family]
}
__global__ void pred_ok(int *o) { // expect-clean
  unsigned t = threadIdx.x;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 1; { .reg .pred p; setp.lt.u32 p, %1, 9; } @p st.global.u32 [%0], %1; }" ::"l"(o), "r"(t) : "memory");
}
__global__ void pred_bad(int *o) {
  unsigned t = threadIdx.x;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 9; { .reg .pred p; setp.lt.u32 p, %1, 1; } @p st.global.u32 [%0], %1; }" ::"l"(o), "r"(t) : "memory"); // expect-race[pred]
}
__global__ void behind(int *o) {
  unsigned t = threadIdx.x;
  asm volatile("{ { .reg .pred p; setp.lt.u32 p, %1, 1; } @p st.global.u32 [%0], %1; }" ::"l"(o), "r"(t) : "memory");
}
__global__ void other_ok(int *o) { // expect-clean
  unsigned t = threadIdx.x, q;
  asm volatile(".reg .u32 acc_ok;");
  asm volatile("mov.u32 acc_ok, %0;" ::"r"(5));
  asm volatile("mov.u32 %0, acc_ok;" : "=r"(q));
  if (q == t) o[blockIdx.x] = q;
}
__global__ void other_bad(int *o) {
  unsigned t = threadIdx.x, q;
  asm volatile(".reg .u32 acc_bad;");
  asm volatile("mov.u32 acc_bad, %0;" ::"r"(t));
  asm volatile("mov.u32 %0, acc_bad;" : "=r"(q));
  if (q == t) o[blockIdx.x] = q; // expect-race[other]
}
__global__ void flag_bad(int *o) {
  unsigned t = threadIdx.x, low, q;
  asm volatile("add.cc.u32 %0, %1, 0xffffffff;" : "=r"(low) : "r"(t));
  asm volatile("addc.u32 %0, 0, 0;" : "=r"(q));
  if (q == (t > 0)) o[0] = t; // expect-race[flag]
}
__global__ void minus_ok(int *o) { // expect-clean
  int t = threadIdx.x;
  asm volatile("st.global.u32 [%0-4], %1;" ::"l"(o + t + 1), "r"(t) : "memory");
  o[t] = t;
}
__global__ void minus_bad(int *o) {
  int t = threadIdx.x;
  asm volatile("st.global.u32 [%0-4], %1;" ::"l"(o + t + 1), "r"(t) : "memory"); // expect-race[minus]
  o[t + 1] = t; // expect-race[minus]
}
__global__ void width_ok(int *o) { // expect-clean
  unsigned t = threadIdx.x, r;
  asm volatile("shfl.sync.idx.b32 %0, %1, 0, 0x1f, 0xffffffff;" : "=r"(r) : "r"(t));
  if (r == t) o[0] = t;
}
__global__ void width_bad(int *o) {
  unsigned t = threadIdx.x, r;
  asm volatile("shfl.sync.idx.b32 %0, %1, 0, 0x11f, 0xffffffff;" : "=r"(r) : "r"(t));
  if (r == t) o[0] = t; // expect-race[width]
}
__global__ void vote_ok(int *o) { // expect-clean
  unsigned t = threadIdx.x, r;
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 99; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, %1, 0, q; }" : "=r"(r) : "r"(t));
  o[r] = t;
}
__global__ void vote_bad(int *o) {
  unsigned t = threadIdx.x, r;
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 99; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 0, %1, q; }" : "=r"(r) : "r"(t));
  o[r] = t; // expect-race[vote]
}

int main() {
  int *o;
  cudaMalloc(&o, 1 << 20);
  label_ok<<<1, 64>>>(o);
  label_bad<<<1, 64>>>(o);
  label_trap_bad<<<1, 64>>>(o);
  leave_ok<<<1, 64>>>(o);
  leave_some<<<1, 64>>>(o);
  inner_ok<<<1, 64>>>(o);
  inner_bad<<<1, 64>>>(o);
  family_ok<<<1, 64>>>(o);
  family_bad<<<1, 64>>>(o);
  pred_ok<<<1, 64>>>(o);
  pred_bad<<<1, 64>>>(o);
  behind<<<1, 64>>>(o);
  other_ok<<<2, 64>>>(o);
  other_bad<<<2, 64>>>(o);
  flag_bad<<<1, 64>>>(o);
  vote_ok<<<1, 32>>>(o);
  vote_bad<<<1, 32>>>(o);
  minus_ok<<<1, 32>>>(o);
  minus_bad<<<1, 32>>>(o);
  width_ok<<<1, 32>>>(o);
  width_bad<<<1, 32>>>(o);
}
