// What do flags and counters hold when a kernel starts, that an earlier launch has used? The last block to draw a number
// adds up what all blocks have stored; who waits for a flag reads what was stored before it.
// ticket: between two launches the ticket is cleared (ok), or it is not (bad: block 11 of the second launch takes itself for the
// last one). Of two launches of one kernel the first one is right anyway; the verdict is that of the worse.
// loop: a loop of the host clears the ticket in each round (ok), or only before the loop (bad); each round has a block more.
// itself: the last block sets the ticket back (ok), or to one (bad), in a loop of the host.
// wraps: the number begins anew after the last block (ok), or a block later (bad: in the third round the first block takes
// itself for the last one).
// variable: the same with a variable of the device, set back by the kernel (ok), or not (bad).
// flag: another kernel takes the flag down (ok), or sets it (bad), before it is waited for.
// pair: a loop in which one kernel sets the counter, and another one clears it in front of the launch (ok), or behind it, so that
// the next round comes upon what the first has set (bad).
// symbol: the host copies zero into the variable before each launch (ok), or five (bad).
// larger: the grid is too large to be run as it is, and the kernel sets the ticket back (ok), or does not (bad: undecided,
// since no run of the program itself shows it).
//@ verdict ticket_ok: race-free
//@ leans ticket_ok: !A11 !A15
//@ verdict ticket_bad: racy
//@ verdict loop_ok: race-free
//@ leans loop_ok: !A11 !A15
//@ verdict loop_bad: racy
//@ known-undecided loop_bad: the round before is run with the numbers of this one
//@ verdict itself_ok: race-free
//@ leans itself_ok: A15 !A11
//@ verdict itself_bad: racy
//@ verdict wraps_ok: race-free
//@ verdict wraps_bad: racy
//@ known-undecided wraps_bad: runs come to the second round only
//@ verdict variable_ok: race-free
//@ leans variable_ok: A15
//@ verdict variable_bad: racy
//@ known-undecided variable_bad: the round before is run with the numbers of this one
//@ verdict flag_ok: race-free
//@ verdict flag_bad: racy
//@ verdict take_down: race-free
//@ verdict put_up: race-free
//@ verdict pair_ok: race-free
//@ verdict pair_bad: racy
//@ verdict set_three: race-free
//@ verdict clear: race-free
//@ verdict symbol_ok: race-free
//@ leans symbol_ok: !A11 !A15
//@ verdict symbol_bad: racy
//@ verdict larger_ok: race-free
//@ leans larger_ok: A15
//@ verdict larger_bad: undecided
//@ verdict alone_ok: race-free
//@ leans alone_ok: A11 !A15
#include <cuda_runtime.h>

template <int SET, bool WRAPS> __device__ void last_block(const int *in, int *parts, unsigned *ticket, int *total, unsigned wrap) {
  if (threadIdx.x) return;
  parts[blockIdx.x] = in[blockIdx.x]; // expect-race[any]
  __threadfence();
  unsigned drawn = WRAPS ? atomicInc(ticket, wrap) : atomicAdd(ticket, 1);
  if (drawn != gridDim.x - 1) return;
  __threadfence();
  int sum = 0;
  for (int b = 0; b < gridDim.x; b++) sum += parts[b]; // expect-race[any]
  total[0] = sum;
  if (SET >= 0) *ticket = SET;
}
__global__ void ticket_ok(const int *in, int *parts, unsigned *ticket, int *total) { // expect-clean
  last_block<-1, false>(in, parts, ticket, total, 0);
}
__global__ void ticket_bad(const int *in, int *parts, unsigned *ticket, int *total) {
  last_block<-1, false>(in, parts, ticket, total, 0);
}
__global__ void loop_ok(const int *in, int *parts, unsigned *ticket, int *total) { // expect-clean
  last_block<-1, false>(in, parts, ticket, total, 0);
}
__global__ void loop_bad(const int *in, int *parts, unsigned *ticket, int *total) {
  last_block<-1, false>(in, parts, ticket, total, 0);
}
__global__ void itself_ok(const int *in, int *parts, unsigned *ticket, int *total) { // expect-clean
  last_block<0, false>(in, parts, ticket, total, 0);
}
__global__ void itself_bad(const int *in, int *parts, unsigned *ticket, int *total) {
  last_block<1, false>(in, parts, ticket, total, 0);
}
__global__ void wraps_ok(const int *in, int *parts, unsigned *ticket, int *total) { // expect-clean
  last_block<-1, true>(in, parts, ticket, total, gridDim.x - 1);
}
__global__ void wraps_bad(const int *in, int *parts, unsigned *ticket, int *total) {
  last_block<-1, true>(in, parts, ticket, total, gridDim.x);
}
__global__ void pair_ok(const int *in, int *parts, unsigned *ticket, int *total) { // expect-clean
  last_block<-1, false>(in, parts, ticket, total, 0);
}
__global__ void pair_bad(const int *in, int *parts, unsigned *ticket, int *total) {
  last_block<-1, false>(in, parts, ticket, total, 0);
}
__global__ void larger_ok(const int *in, int *parts, unsigned *ticket, int *total) { // expect-clean
  last_block<0, false>(in, parts, ticket, total, 0);
}
__global__ void larger_bad(const int *in, int *parts, unsigned *ticket, int *total) {
  last_block<-1, false>(in, parts, ticket, total, 0);
}
__global__ void alone_ok(const int *in, int *parts, unsigned *ticket, int *total) { // expect-clean
  last_block<-1, false>(in, parts, ticket, total, 0);
}

__device__ unsigned set_back, not_set_back, from_host, from_host_too;
__global__ void variable_ok(const int *in, int *parts, int *total) { // expect-clean
  last_block<0, false>(in, parts, &set_back, total, 0);
}
__global__ void variable_bad(const int *in, int *parts, int *total) {
  last_block<-1, false>(in, parts, &not_set_back, total, 0);
}
__global__ void symbol_ok(const int *in, int *parts, int *total) { // expect-clean
  last_block<-1, false>(in, parts, &from_host, total, 0);
}
__global__ void symbol_bad(const int *in, int *parts, int *total) {
  last_block<-1, false>(in, parts, &from_host_too, total, 0);
}

__global__ void take_down(int *flag) { // expect-clean
  if (threadIdx.x + blockIdx.x == 0) *flag = 0;
}
__global__ void put_up(int *flag) { // expect-clean
  if (threadIdx.x + blockIdx.x == 0) *flag = 1;
}
__device__ void handed_over(volatile int *flag, int *data, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race[handed]
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {}
    __threadfence();
    out[0] = data[0]; // expect-race[handed]
  }
}
__global__ void flag_ok(volatile int *flag, int *data, int *out) { handed_over(flag, data, out); } // expect-clean
__global__ void flag_bad(volatile int *flag, int *data, int *out) { handed_over(flag, data, out); }

__global__ void set_three(unsigned *ticket) { // expect-clean
  if (threadIdx.x + blockIdx.x == 0) *ticket = 3;
}
__global__ void clear(unsigned *ticket) { // expect-clean
  if (threadIdx.x + blockIdx.x == 0) *ticket = 0;
}

template <class T> static T *make(int count, bool is_cleared) {
  T *array;
  cudaMalloc(&array, count * sizeof(T));
  if (is_cleared) cudaMemset(array, 0, count * sizeof(T));
  return array;
}

int main(int argc, char **) {
  int *in, *parts, *total, *out, *data;
  cudaMalloc(&in, 8192);
  cudaMalloc(&parts, 8192);
  cudaMalloc(&total, 4);
  cudaMalloc(&out, 4);
  cudaMalloc(&data, 4);

  unsigned *cleared, *uncleared;
  cudaMalloc(&cleared, 4);
  cudaMalloc(&uncleared, 4);
  cudaMemset(cleared, 0, 4);
  cudaMemset(uncleared, 0, 4);
  ticket_ok<<<4, 32>>>(in, parts, cleared, total);
  cudaMemset(cleared, 0, 4);
  ticket_ok<<<16, 32>>>(in, parts, cleared, total);
  ticket_bad<<<4, 32>>>(in, parts, uncleared, total);
  ticket_bad<<<16, 32>>>(in, parts, uncleared, total);

  unsigned *each, *once;
  cudaMalloc(&each, 4);
  cudaMalloc(&once, 4);
  cudaMemset(once, 0, 4);
  for (int i = 0; i < argc && i < 50; i++) {
    cudaMemset(each, 0, 4);
    loop_ok<<<4 + i, 32>>>(in, parts, each, total);
    loop_bad<<<4 + i, 32>>>(in, parts, once, total);
  }

  unsigned *itself, *to_one, *wraps, *late;
  cudaMalloc(&itself, 4);
  cudaMalloc(&to_one, 4);
  cudaMalloc(&wraps, 4);
  cudaMalloc(&late, 4);
  cudaMemset(itself, 0, 4);
  cudaMemset(to_one, 0, 4);
  cudaMemset(wraps, 0, 4);
  cudaMemset(late, 0, 4);
  for (int i = 0; i < argc && i < 50; i++) {
    itself_ok<<<8, 32>>>(in, parts, itself, total);
    itself_bad<<<8, 32>>>(in, parts, to_one, total);
    wraps_ok<<<8, 32>>>(in, parts, wraps, total);
    wraps_bad<<<8, 32>>>(in, parts, late, total);
    variable_ok<<<4 + i, 32>>>(in, parts, total);
    variable_bad<<<4 + i, 32>>>(in, parts, total);
  }

  int *down, *up;
  cudaMalloc(&down, 4);
  cudaMalloc(&up, 4);
  take_down<<<1, 32>>>(down);
  flag_ok<<<2, 32>>>(down, data, out);
  put_up<<<1, 32>>>(up);
  flag_bad<<<2, 32>>>(up, data, out);

  unsigned *before, *behind;
  cudaMalloc(&before, 4);
  cudaMalloc(&behind, 4);
  cudaMemset(behind, 0, 4);
  for (int i = 0; i < argc; i++) {
    set_three<<<1, 32>>>(before);
    clear<<<1, 32>>>(before);
    pair_ok<<<8, 32>>>(in, parts, before, total);
  }
  for (int i = 0; i < argc; i++) {
    pair_bad<<<8, 32>>>(in, parts, behind, total);
    clear<<<1, 32>>>(behind);
    set_three<<<1, 32>>>(behind);
  }

  const unsigned zero = 0, five = 5;
  for (int i = 0; i < argc; i++) {
    cudaMemcpyToSymbol(from_host, &zero, 4);
    symbol_ok<<<8, 32>>>(in, parts, total);
    cudaMemcpyToSymbol(from_host_too, &five, 4);
    symbol_bad<<<8, 32>>>(in, parts, total);
  }

  unsigned *large, *large_too, *alone;
  cudaMalloc(&large, 4);
  cudaMalloc(&large_too, 4);
  cudaMalloc(&alone, 4);
  cudaMemset(large, 0, 4);
  cudaMemset(large_too, 0, 4);
  for (int i = 0; i < argc; i++) {
    larger_ok<<<2000, 256>>>(in, parts, large, total);
    larger_bad<<<2000, 256>>>(in, parts, large_too, total);
  }
  alone_ok<<<8, 32>>>(in, parts, alone, total);
  return 0;
}
