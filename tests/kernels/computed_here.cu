// Places that hang on what the kernel itself has put into an array that the host fills: each block has a stack of DEPTH
// words, and `at % DEPTH` stays in its own part as long as its top is not negative.
// moves: the tops begin at 1. Twin: every other top begins at 1 - DEPTH, which is the place of the block before.
// later: the tops begin at 0. Twin: every other top begins at 1 - DEPTH, where the block before comes in its second round.
//@ verdict moves_ok: race-free
//@ known-undecided moves_ok: that the tops are never negative is kept by the kernel, which is not followed
//@ verdict moves_bad: racy
//@ verdict later_ok: race-free
//@ known-undecided later_ok: that the tops are never negative is kept by the kernel, which is not followed
//@ verdict later_bad: racy
#include <cuda_runtime.h>

enum { BLOCKS = 8, DEPTH = 64, ROUNDS = 5 };

__device__ void move(volatile int *top, int *stack) {
  if (threadIdx.x) return;
  for (int round = 0; round < ROUNDS; round++) {
    int at = top[blockIdx.x];
    stack[at % DEPTH + DEPTH * (int)blockIdx.x] = round + blockIdx.x; // expect-race
    top[blockIdx.x] = (at + 1) % DEPTH;
  }
}
__global__ void moves_ok(volatile int *top, int *stack) { move(top, stack); } // expect-clean
__global__ void moves_bad(volatile int *top, int *stack) { move(top, stack); }

__global__ void later_ok(volatile int *top, int *stack) { move(top, stack); } // expect-clean
__global__ void later_bad(volatile int *top, int *stack) { move(top, stack); }

static int *tops(int even, int odd) {
  int host[BLOCKS], *top;
  for (int i = 0; i < BLOCKS; i++)
    host[i] = i % 2 ? odd : even;
  cudaMalloc((void **)&top, sizeof host);
  cudaMemcpy(top, host, sizeof host, cudaMemcpyHostToDevice);
  return top;
}

int main() {
  int *stack;
  cudaMalloc((void **)&stack, BLOCKS * DEPTH * sizeof(int));
  moves_ok<<<BLOCKS, 32>>>(tops(1, 1), stack);
  moves_bad<<<BLOCKS, 32>>>(tops(1, 1 - DEPTH), stack);
  later_ok<<<BLOCKS, 32>>>(tops(0, 0), stack);
  later_bad<<<BLOCKS, 32>>>(tops(0, 1 - DEPTH), stack);
}
