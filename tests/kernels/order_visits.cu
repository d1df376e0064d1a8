// Locks of an array that a loop visits one after the other (a thief goes from stack to stack): which one is
// held differs from round to round. first: one thread of the block takes it, in a loop that the others skip
// (ok); gives back the next one (next, bad); touches the data of the next one (data, bad); goes on to the
// next one before it touches them (moved, bad). warp: the first lane takes it for its warp (ok); without the
// second warp barrier (gone, bad); with a lock of too narrow a scope (narrow, bad); some lanes another word
// than the one that their first lane has taken (lane, bad); a barrier of the warp before the index moves, the
// access behind that (late, bad). spin: two locks of one stack by two names, of the block and of the visitor
// (ok), of which one is of the block only (bad).
//@ verdict first_ok: race-free
//@ verdict next_bad: racy
//@ verdict data_bad: racy
//@ verdict moved_bad: racy
//@ verdict warp_ok: race-free
//@ verdict gone_bad: racy
//@ verdict narrow_bad: racy
//@ verdict lane_bad: racy
//@ verdict late_bad: racy
//@ verdict spin_ok: race-free
//@ verdict spin_bad: racy
#include <cuda_runtime.h>

#include <cstdlib>

#define STACKS 16

__global__ void first_ok(int *lock, int *tops, int rounds) { // expect-clean
  int at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    while (threadIdx.x == 0 && atomicCAS(&lock[at], 0, 1) != 0) {
    }
    __threadfence();
    if (threadIdx.x == 0) {
      tops[at] += 1;
      __threadfence();
      atomicExch(&lock[at], 0);
    }
    at = (at + 1) % STACKS;
  }
}

__global__ void next_bad(int *lock, int *tops, int rounds) {
  int at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    while (threadIdx.x == 0 && atomicCAS(&lock[at], 0, 1) != 0) {
    }
    __threadfence();
    if (threadIdx.x == 0) {
      tops[at] += 1; // expect-race[next]
      __threadfence();
      atomicExch(&lock[(at + 1) % STACKS], 0);
    }
    at = (at + 1) % STACKS;
  }
}

__global__ void data_bad(int *lock, int *tops, int rounds) {
  int at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    while (threadIdx.x == 0 && atomicCAS(&lock[at], 0, 1) != 0) {
    }
    __threadfence();
    if (threadIdx.x == 0) {
      tops[(at + r) % STACKS] += 1; // expect-race[data]
      __threadfence();
      atomicExch(&lock[at], 0);
    }
    at = (at + 1) % STACKS;
  }
}

__global__ void moved_bad(int *lock, int *tops, int rounds) {
  int at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    while (threadIdx.x == 0 && atomicCAS(&lock[at], 0, 1) != 0) {
    }
    __threadfence();
    int held = at;
    at = (at + 1) % STACKS;
    if (threadIdx.x == 0) {
      tops[at] += 1; // expect-race[moved]
      __threadfence();
      atomicExch(&lock[held], 0);
    }
  }
}

__global__ void warp_ok(int *lock, int *stack, int rounds) { // expect-clean
  int lane = threadIdx.x % 32, at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    __syncwarp();
    while (lane == 0 && atomicCAS(&lock[at], 0, 1) != 0) {
    }
    __threadfence();
    __syncwarp();
    stack[32 * at + lane] += 1;
    __syncwarp();
    if (lane == 0) {
      __threadfence();
      atomicExch(&lock[at], 0);
    }
    at = (at + 1) % STACKS;
  }
}

__global__ void gone_bad(int *lock, int *stack, int rounds) {
  int lane = threadIdx.x % 32, at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    __syncwarp();
    while (lane == 0 && atomicCAS(&lock[at], 0, 1) != 0) {
    }
    __threadfence();
    __syncwarp();
    stack[32 * at + lane] += 1; // expect-race[gone]
    if (lane == 0) {
      __threadfence();
      atomicExch(&lock[at], 0);
    }
    at = (at + 1) % STACKS;
  }
}

__global__ void narrow_bad(int *lock, int *stack, int rounds) {
  int lane = threadIdx.x % 32, at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    __syncwarp();
    while (lane == 0 && atomicCAS_block(&lock[at], 0, 1) != 0) { // expect-race[narrow]
    }
    __threadfence();
    __syncwarp();
    stack[32 * at + lane] += 1; // expect-race[narrow]
    __syncwarp();
    if (lane == 0) {
      __threadfence();
      atomicExch(&lock[at], 0); // expect-race[narrow]
    }
    at = (at + 1) % STACKS;
  }
}

__global__ void lane_bad(int *lock, int *stack, int rounds) {
  int lane = threadIdx.x % 32, at = (blockIdx.x + lane / 16 * (blockIdx.x % 2)) % STACKS;
  for (int r = 0; r < rounds; r++) {
    __syncwarp();
    while (lane == 0 && atomicCAS(&lock[at], 0, 1) != 0) {
    }
    __threadfence();
    __syncwarp();
    stack[32 * at + lane] += 1; // expect-race[lane]
    __syncwarp();
    if (lane == 0) {
      __threadfence();
      atomicExch(&lock[at], 0);
    }
    at = (at + 1) % STACKS;
  }
}

__global__ void late_bad(int *lock, int *stack, int rounds) {
  int lane = threadIdx.x % 32, at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    __syncwarp();
    while (lane == 0 && atomicCAS(&lock[at], 0, 1) != 0) {
    }
    __threadfence();
    __syncwarp();
    int held = at;
    at = (at + 1) % STACKS;
    stack[32 * at + lane] += 1; // expect-race[late]
    __syncwarp();
    if (lane == 0) {
      __threadfence();
      atomicExch(&lock[held], 0);
    }
  }
}

__device__ void push(int *lock, int *tops, int at) {
  while (threadIdx.x == 0 && atomicCAS(&lock[at], 0, 1) != 0) { // expect-race[spin]
  }
  __threadfence();
  if (threadIdx.x == 0) {
    tops[at] += 1; // expect-race[spin]
    __threadfence();
    atomicExch(&lock[at], 0); // expect-race[spin]
  }
}

__global__ void spin_ok(int *lock, int *tops, int rounds) { // expect-clean
  int at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    push(lock, tops, blockIdx.x);
    push(lock, tops, at);
    at = (at + 1) % STACKS;
  }
}

__global__ void spin_bad(int *lock, int *tops, int rounds) {
  int at = blockIdx.x;
  for (int r = 0; r < rounds; r++) {
    push(lock, tops, blockIdx.x);
    while (threadIdx.x == 0 && atomicCAS_block(&lock[at], 0, 1) != 0) { // expect-race[spin]
    }
    __threadfence();
    if (threadIdx.x == 0) {
      tops[at] += 1; // expect-race[spin]
      __threadfence();
      atomicExch(&lock[at], 0); // expect-race[spin]
    }
    at = (at + 1) % STACKS;
  }
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  int *lock, *data;
  cudaMalloc(&lock, STACKS * sizeof(int));
  cudaMalloc(&data, 32 * STACKS * sizeof(int));
  cudaMemset(lock, 0, STACKS * sizeof(int));
  cudaMemset(data, 0, 32 * STACKS * sizeof(int));
  first_ok<<<STACKS, 64>>>(lock, data, rounds);
  next_bad<<<STACKS, 64>>>(lock, data, rounds);
  data_bad<<<STACKS, 64>>>(lock, data, rounds);
  moved_bad<<<STACKS, 64>>>(lock, data, rounds);
  warp_ok<<<STACKS, 64>>>(lock, data, rounds);
  gone_bad<<<STACKS, 64>>>(lock, data, rounds);
  narrow_bad<<<STACKS, 64>>>(lock, data, rounds);
  lane_bad<<<STACKS, 64>>>(lock, data, rounds);
  late_bad<<<STACKS, 64>>>(lock, data, rounds);
  spin_ok<<<STACKS, 64>>>(lock, data, rounds);
  spin_bad<<<STACKS, 64>>>(lock, data, rounds);
  return 0;
}
