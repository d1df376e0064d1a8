// A lock orders what it guards only with a fence behind the operation that takes it and one before the operation that
// gives it back, and only as far as the narrowest of the four parts reaches.
// whole: all four parts, exchange instead of compare-and-swap (ok). no_acquire, no_release: one fence left out (bad).
// block_take: the lock is taken with block scope, guards what blocks share (bad). block_fence: the same of a fence.
// inside: everything of block scope, one lock and one datum for each block (ok).
// order: acquire and release orders on the operations stand in for the fences (ok).
// plain: given back by a plain store, which races with the others' exchange and passes nothing on (bad).
//@ verdict whole_ok: race-free
//@ verdict no_acquire_bad: racy
//@ verdict no_release_bad: racy
//@ verdict block_take_bad: racy
//@ verdict block_fence_bad: racy
//@ verdict inside_ok: race-free
//@ verdict order_ok: race-free
//@ verdict plain_bad: racy
#include <cuda/atomic>

__global__ void whole_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void no_acquire_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    a[0]++; // expect-race {{cause=missing-acquire-fence}}
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void no_release_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    a[0]++; // expect-race {{cause=missing-fence}}
    atomicExch(lock, 0);
  }
}

__global__ void block_take_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicCAS_block(lock, 0, 1) != 0) { // expect-race {{cause=insufficient-scope-atomic}}
    }
    __threadfence();
    a[0]++; // expect-race {{cause=insufficient-scope-lock}}
    __threadfence();
    atomicExch(lock, 0); // expect-race {{cause=insufficient-scope-atomic}}
  }
}

__global__ void block_fence_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    a[0]++; // expect-race {{cause=insufficient-scope-fence}}
    __threadfence_block();
    atomicExch(lock, 0);
  }
}

__global__ void inside_ok(int *locks, int *a) { // expect-clean
  int b = blockIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS_block(&locks[b], 0, 1) == 0) {
      __threadfence_block();
      a[b] += threadIdx.x;
      __threadfence_block();
      atomicExch_block(&locks[b], 0);
      done = true;
    }
  }
}

__global__ void order_ok(int *lock, int *a) { // expect-clean
  cuda::atomic_ref<int, cuda::thread_scope_device> l(*lock);
  if (threadIdx.x == 0) {
    while (l.exchange(1, cuda::memory_order_acquire) != 0) {
    }
    a[0]++;
    l.store(0, cuda::memory_order_release);
  }
}

__global__ void plain_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) { // expect-race {{cause=atomic-vs-plain}}
    }
    __threadfence();
    a[0]++; // expect-race {{cause=plain-release}}
    __threadfence();
    *lock = 0; // expect-race expect-same-value
  }
}

int main() {
  int *lock, *a;
  cudaMalloc((void **)&lock, 64 * sizeof(int));
  cudaMalloc((void **)&a, 64 * sizeof(int));
  cudaMemset(lock, 0, 64 * sizeof(int));
  whole_ok<<<16, 64>>>(lock, a);
  no_acquire_bad<<<16, 64>>>(lock, a);
  no_release_bad<<<16, 64>>>(lock, a);
  block_take_bad<<<16, 64>>>(lock, a);
  block_fence_bad<<<16, 64>>>(lock, a);
  inside_ok<<<16, 64>>>(lock, a);
  order_ok<<<16, 64>>>(lock, a);
  plain_bad<<<16, 64>>>(lock, a);
  return 0;
}
