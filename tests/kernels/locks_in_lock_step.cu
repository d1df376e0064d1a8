// The first lane of each warp takes a lock for all of them. Below sm_70 lanes go in step: what they do while it has the lock is done under
// it (round: another lock in each round; warp: each warp of a block has its own). after: they read behind its release [after]. gone: it has
// left the loop [gone]. some: in block 0 nobody takes the lock [some]. fence: none stands before the release [fence]. other: the lock of
// the warp's number guards what all of them touch [other].
//@ args: --arch=60
//@ verdict round_ok: race-free
//@ verdict warp_ok: race-free
//@ verdict after_bad: racy
//@ verdict gone_bad: racy
//@ verdict some_bad: racy
//@ verdict fence_bad: racy
//@ verdict other_bad: racy
#include <cuda_runtime.h>

enum { BLOCKS = 4, ROUNDS = 6 };

struct Counter {
  int locked;
  volatile int number;
};

__device__ void take(Counter *counter, bool is_mine) {
  if (is_mine)
    while (atomicCAS(&counter->locked, 0, 1) != 0) {
    }
  __threadfence();
}

__device__ void give(Counter *counter, bool is_mine) {
  if (!is_mine) return;
  __threadfence();
  atomicExch(&counter->locked, 0);
}

__global__ void round_ok(Counter *counters, int *out, const int *in) { // expect-clean
  int sum = 0, first = threadIdx.x % 32 == 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS;
    take(&counters[which], first);
    sum += counters[which].number;
    if (first) counters[which].number = round;
    give(&counters[which], first);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void warp_ok(Counter *counters, int *out, const int *in) { // expect-clean
  int sum = 0, first = threadIdx.x % 32 == 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS;
    which = threadIdx.x / 32;
    take(&counters[which], first);
    sum += counters[which].number;
    if (first) counters[which].number = round;
    give(&counters[which], first);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void after_bad(Counter *counters, int *out, const int *in) {
  int sum = 0, first = threadIdx.x % 32 == 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS;
    take(&counters[which], first);
    if (first) counters[which].number = round; // expect-race[after]
    give(&counters[which], first);
    sum += counters[which].number; // expect-race[after]
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void gone_bad(Counter *counters, int *out, const int *in) {
  int sum = 0, first = threadIdx.x % 32 == 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS;
    if (first && in[round]) break;
    take(&counters[which], first);
    sum += counters[which].number; // expect-race[gone]
    if (first) counters[which].number = round; // expect-race[gone]
    give(&counters[which], first);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void some_bad(Counter *counters, int *out, const int *in) {
  int sum = 0, first = threadIdx.x % 32 == 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS;
    take(&counters[which], first && blockIdx.x > 0);
    sum += counters[which].number; // expect-race[some]
    if (first) counters[which].number = round; // expect-race[some]
    give(&counters[which], first && blockIdx.x > 0);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void fence_bad(Counter *counters, int *out, const int *in) {
  int sum = 0, first = threadIdx.x % 32 == 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS;
    take(&counters[which], first);
    sum += counters[which].number; // expect-race[fence]
    if (first) {
      counters[which].number = round; // expect-race[fence]
      atomicExch(&counters[which].locked, 0);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void other_bad(Counter *counters, int *out, const int *in) {
  int sum = 0, first = threadIdx.x % 32 == 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS;
    which = threadIdx.x / 32;
    take(&counters[which], first);
    sum += counters[0].number; // expect-race[other]
    if (first) counters[0].number = round; // expect-race[other]
    give(&counters[which], first);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  int *out, *in;
  Counter *counters;
  cudaMalloc((void **)&out, BLOCKS * 64 * sizeof(int));
  cudaMalloc((void **)&in, ROUNDS * sizeof(int));
  cudaMalloc((void **)&counters, BLOCKS * sizeof *counters);
  cudaMemset(counters, 0, BLOCKS * sizeof *counters);
  round_ok<<<BLOCKS, 64>>>(counters, out, in);
  warp_ok<<<BLOCKS, 64>>>(counters, out, in);
  after_bad<<<BLOCKS, 64>>>(counters, out, in);
  gone_bad<<<BLOCKS, 64>>>(counters, out, in);
  some_bad<<<BLOCKS, 64>>>(counters, out, in);
  fence_bad<<<BLOCKS, 64>>>(counters, out, in);
  other_bad<<<BLOCKS, 64>>>(counters, out, in);
  return 0;
}
