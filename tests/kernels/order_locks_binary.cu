// A lock whose word is only ever 0 or 1 is taken by who finds that it was not 1. The twins break that with one edit: another value at
// the start (start), given back by another value (two), another thread stores one (other), a part of the word (byte), or a number
// that is not known (number); or the comparison is one that the taken value passes (wrong), or the fence is missing (fence).
// Shared memory must be set up first: by the leader in all cases (shared), in some (shared_bad, not said to be race-free).
//@ verdict equal_ok: race-free
//@ verdict start_bad: racy
//@ verdict two_bad: racy
//@ verdict other_bad: racy
//@ verdict byte_bad: racy
//@ verdict number_bad: racy
//@ verdict fence_bad: racy
//@ verdict greater_ok: race-free
//@ verdict wrong_bad: racy
//@ verdict exchange_ok: race-free
//@ verdict try_ok: race-free
//@ verdict try_bad: racy
//@ verdict volatile_ok: race-free
//@ verdict shared_ok: race-free
//@ verdict shared_bad: undecided
#include <cuda_runtime.h>

__device__ void count(int *a) {
  __threadfence();
  a[0]++;
  __threadfence();
}

__global__ void equal_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) == 1) {
  }
  count(a);
  atomicExch(lock, 0);
}

__global__ void start_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) == 1) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void two_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) == 1) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 2);
}

__global__ void other_bad(int *lock, int *a) {
  if (threadIdx.x == 32)
    atomicExch(lock, 2);
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) == 1) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void byte_bad(int *lock, int *a) {
  if (threadIdx.x == 32)
    ((volatile char *)lock)[1] = 1; // expect-race expect-note {{same-value}}
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) == 1) { // expect-race
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 0); // expect-race
}

__global__ void number_bad(int *lock, int *a, int n) {
  if (threadIdx.x == 32)
    atomicExch(lock, n);
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) == 1) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void fence_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) == 1) {
  }
  __threadfence();
  a[0]++; // expect-race {{cause=missing-fence}}
  atomicExch(lock, 0);
}

__global__ void greater_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) > 0) {
  }
  count(a);
  atomicExch(lock, 0);
}

__global__ void wrong_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) < 1) {
  }
  __threadfence();
  a[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 0); // expect-misuse {{cause=not-held}}
}

__global__ void exchange_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  while (atomicExch(lock, 1) == 1) {
  }
  count(a);
  atomicExch(lock, 0);
}

__global__ void try_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  bool is_done = false;
  while (!is_done) {
    if (atomicCAS(lock, 0, 1) != 1) {
      count(a);
      atomicExch(lock, 0);
      is_done = true;
    }
  }
}

__global__ void try_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  bool is_done = false;
  while (!is_done) {
    if (atomicCAS(lock, 0, 1) == 1) {
      __threadfence();
      a[0]++; // expect-race
      __threadfence();
      atomicExch(lock, 0); // expect-misuse {{cause=not-held}}
    }
    is_done = true;
  }
}

__global__ void volatile_ok(volatile int *lock, int *a, int n) { // expect-clean
  if (threadIdx.x == 0)
    for (int i = 0; i < n; i++) {
      while (atomicCAS((int *)lock, 0, 1) == 1) {
      }
      count(a);
      *lock = 0;
    }
}

__global__ void shared_ok(int *a) { // expect-clean
  __shared__ int lock;
  if (threadIdx.x == 0)
    lock = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) == 1) {
    }
    __threadfence_block();
    a[blockIdx.x]++;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
}

__global__ void shared_bad(int *a, int n) {
  __shared__ int lock;
  if (threadIdx.x == 0 && n > 3)
    lock = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) == 1) {
    }
    __threadfence_block();
    a[blockIdx.x]++;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
}

int main(int argc, char **argv) {
  int *lock, *five, *a;
  cudaMalloc(&lock, 4);
  cudaMalloc(&five, 4);
  cudaMalloc(&a, 64);
  cudaMemset(lock, 0, 4);
  cudaMemset(five, 5, 4);
  equal_ok<<<8, 64>>>(lock, a);
  start_bad<<<8, 64>>>(five, a);
  two_bad<<<8, 64>>>(lock, a);
  other_bad<<<8, 64>>>(lock, a);
  byte_bad<<<8, 64>>>(lock, a);
  number_bad<<<8, 64>>>(lock, a, argc);
  fence_bad<<<8, 64>>>(lock, a);
  cudaMemset(lock, 0, 4); // what the kernel before may have left
  greater_ok<<<8, 64>>>(lock, a);
  wrong_bad<<<8, 64>>>(lock, a);
  cudaMemset(lock, 0, 4); // what the kernel before may have left
  exchange_ok<<<8, 64>>>(lock, a);
  cudaMemset(lock, 0, 4); // what the kernel before may have left
  try_ok<<<8, 64>>>(lock, a);
  try_bad<<<8, 64>>>(lock, a);
  cudaMemset(lock, 0, 4); // what the kernel before may have left
  volatile_ok<<<8, 64>>>(lock, a, argc);
  shared_ok<<<8, 64>>>(a);
  shared_bad<<<8, 64>>>(a, argc);
}
