// What a run of the launch shows of lanes in lock step (below sm_70), where the first lane of each warp takes a lock for all:
// lanes that have come further wait for it, also where they have gone round a loop more often, and what it knows they know.
// lock: a lock of device scope. Twin: the operations on it have block scope.
// lanes: all lanes read the number under the lock. Twin: they read it before the lock is taken.
//@ args: --arch=60
//@ verdict lock_ok: race-free
//@ verdict lock_bad: racy
//@ verdict lanes_ok: race-free
//@ verdict lanes_bad: racy
#include <cuda_runtime.h>

enum { BLOCKS = 4, ROUNDS = 6 };

struct Counter {
  int locked;
  volatile int number;
};

__global__ void lock_ok(Counter *counters, int *out) { // expect-clean
  int sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS, first = threadIdx.x % 32 == 0;
    while (first && atomicCAS(&counters[which].locked, 0, 1) != 0) {
    }
    __threadfence();
    sum += counters[which].number;
    if (first) {
      counters[which].number = round;
      __threadfence();
      atomicExch(&counters[which].locked, 0);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void lock_bad(Counter *counters, int *out) {
  int sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS, first = threadIdx.x % 32 == 0;
    while (first && atomicCAS_block(&counters[which].locked, 0, 1) != 0) { // expect-race
    }
    __threadfence();
    sum += counters[which].number; // expect-race
    if (first) {
      counters[which].number = round; // expect-race
      __threadfence();
      atomicExch_block(&counters[which].locked, 0); // expect-race
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void lanes_ok(Counter *counters, int *out) { // expect-clean
  int sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS, first = threadIdx.x % 32 == 0;
    while (first && atomicCAS(&counters[which].locked, 0, 1) != 0) {
    }
    __threadfence();
    int number = counters[which].number;
    if (first) {
      counters[which].number = number + 1;
      __threadfence();
      atomicExch(&counters[which].locked, 0);
    }
    sum += number;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void lanes_bad(Counter *counters, int *out) {
  int sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int which = (blockIdx.x + round) % BLOCKS, first = threadIdx.x % 32 == 0;
    int number = counters[which].number; // expect-race
    while (first && atomicCAS(&counters[which].locked, 0, 1) != 0) {
    }
    __threadfence();
    if (first) {
      counters[which].number = number + 1; // expect-race
      __threadfence();
      atomicExch(&counters[which].locked, 0);
    }
    sum += number;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static Counter *make() {
  Counter host[BLOCKS], *counters;
  for (int i = 0; i < BLOCKS; i++) {
    host[i].locked = 0;
    host[i].number = 0;
  }
  cudaMalloc((void **)&counters, sizeof host);
  cudaMemcpy(counters, host, sizeof host, cudaMemcpyHostToDevice);
  return counters;
}

int main() {
  int *out;
  cudaMalloc((void **)&out, BLOCKS * 64 * sizeof(int));
  lock_ok<<<BLOCKS, 64>>>(make(), out);
  lock_bad<<<BLOCKS, 64>>>(make(), out);
  lanes_ok<<<BLOCKS, 64>>>(make(), out);
  lanes_bad<<<BLOCKS, 64>>>(make(), out);
}
