// A lock word that is taken at the start: one thread, which has never taken it, sets it free when its data
// are there, and from then on it is a lock. That is a hand-off, no misuse of a lock. opened: the host stores
// 1 (ok); before the data are there (bad); the host stores 0, so that others may hold it already (free, bad).
// stages: 0 is "not yet", 1 is free, 2 is taken (ok); the one who opens it has no fence (bad).
// words: a word for each of two (ok), and the data of the other one (bad). twice: opened by two (bad).
// relay: who gives it back hands on what it has heard from the first (ok), or has no fence between (bad).
//@ verdict opened_ok: race-free
//@ verdict opened_bad: racy
//@ verdict free_bad: racy
//@ verdict stages_ok: race-free
//@ verdict stages_bad: racy
//@ verdict words_ok: race-free
//@ verdict words_bad: racy
//@ verdict twice_bad: racy
//@ known-undecided twice_bad: a lock that is opened twice is no lock; that two hold it at once is shown by no
//run
//@ verdict relay_ok: race-free
//@ verdict relay_bad: racy
//@ known-undecided relay_bad: that nobody hands on what the first one did is not asked
#include <cuda_runtime.h>

__device__ void take(int *lock, int free, int taken) {
  while (atomicCAS(lock, free, taken) != free) {
  }
  __threadfence();
}

__device__ void give(int *lock, int free) {
  __threadfence();
  atomicExch(lock, free);
}

__global__ void opened_ok(int *lock, int *data) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    give(lock, 0);
  } else {
    take(lock, 0, 1);
    data[0] += 1;
    give(lock, 0);
  }
}

__global__ void opened_bad(int *lock, int *data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    give(lock, 0);
    data[0] = 1; // expect-race[late]
  } else {
    take(lock, 0, 1);
    data[0] += 1; // expect-race[late]
    give(lock, 0);
  }
}

__global__ void free_bad(int *lock, int *data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1; // expect-race[free]
    __threadfence();
    atomicExch(lock, 0); // expect-misuse {{cause=not-held}}
  } else {
    take(lock, 0, 1);
    data[0] += 1; // expect-race[free] expect-race[both]
    give(lock, 0);
  }
}

__global__ void stages_ok(int *lock, int *data) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(lock, 1);
  } else {
    take(lock, 1, 2);
    data[0] += 1;
    give(lock, 1);
  }
}

__global__ void stages_bad(int *lock, int *data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1; // expect-race[stages]
    atomicExch(lock, 1);
  } else {
    take(lock, 1, 2);
    data[0] += 1; // expect-race[stages]
    give(lock, 1);
  }
}

__global__ void words_ok(int *lock, int *data) { // expect-clean
  if (threadIdx.x != 0) return;
  int mine = blockIdx.x % 2;
  if (blockIdx.x < 2) {
    data[mine] = 1;
    give(&lock[mine], 0);
  } else {
    take(&lock[mine], 0, 1);
    data[mine] += 1;
    give(&lock[mine], 0);
  }
}

__global__ void words_bad(int *lock, int *data) {
  if (threadIdx.x != 0) return;
  int mine = blockIdx.x % 2;
  if (blockIdx.x < 2) {
    data[mine] = 1; // expect-race[words]
    give(&lock[mine], 0);
  } else {
    take(&lock[mine], 0, 1);
    data[1 - mine] += 1; // expect-race[words]
    give(&lock[mine], 0);
  }
}

__global__ void twice_bad(int *lock, int *data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x < 2) {
    give(lock, 0);
  } else {
    take(lock, 0, 1);
    data[0] += 1; // expect-race[twice]
    give(lock, 0);
  }
}

__global__ void relay_ok(int *lock, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1;
    give(lock, 0);
  } else {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (blockIdx.x == 2) out[0] = data[0];
    give(lock, 0);
  }
}

__global__ void relay_bad(int *lock, int *data, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 1; // expect-race[relay]
    give(lock, 0);
  } else {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    if (blockIdx.x == 2) {
      __threadfence();
      out[0] = data[0]; // expect-race[relay]
      __threadfence();
    }
    atomicExch(lock, 0);
  }
}

int main() {
  int *lock, *data, *out;
  cudaMalloc((void **)&lock, 64);
  cudaMalloc((void **)&data, 64);
  cudaMalloc((void **)&out, 64);
  int taken[2] = {1, 1};
  cudaMemcpy(lock, taken, sizeof taken, cudaMemcpyHostToDevice);
  opened_ok<<<4, 32>>>(lock, data);
  cudaMemcpy(lock, taken, sizeof taken, cudaMemcpyHostToDevice);
  opened_bad<<<4, 32>>>(lock, data);
  cudaMemset(lock, 0, 64);
  free_bad<<<4, 32>>>(lock, data);
  cudaMemset(lock, 0, 64);
  stages_ok<<<4, 32>>>(lock, data);
  cudaMemset(lock, 0, 64);
  stages_bad<<<4, 32>>>(lock, data);
  cudaMemcpy(lock, taken, sizeof taken, cudaMemcpyHostToDevice);
  words_ok<<<4, 32>>>(lock, data);
  cudaMemcpy(lock, taken, sizeof taken, cudaMemcpyHostToDevice);
  words_bad<<<4, 32>>>(lock, data);
  cudaMemcpy(lock, taken, sizeof taken, cudaMemcpyHostToDevice);
  twice_bad<<<4, 32>>>(lock, data);
  cudaMemcpy(lock, taken, sizeof taken, cudaMemcpyHostToDevice);
  relay_ok<<<4, 32>>>(lock, data, out);
  cudaMemcpy(lock, taken, sizeof taken, cudaMemcpyHostToDevice);
  relay_bad<<<4, 32>>>(lock, data, out);
  return 0;
}
