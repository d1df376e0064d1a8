// Locks in the forms in which people write them; each right, and without its fence or order (bad).
// backoff: waits longer and longer between tries. try: works only if the lock was free. ordered: operations of __nv_atomic
// with acquire and release order instead of fences. ptx: the same in inline assembly. lanes: each thread of a warp takes
// the lock in turn. ticket: a number is drawn, and served in turn. each: one lock for each warp, taken by its first lane; what
// the other lanes do meanwhile is not guarded from the lanes of their own warp (bad).
// warp: the first lane of each warp takes one lock for all its lanes, between two warp barriers (ok); without the second one, a lock for
// each warp, only the first warp takes it (bad).
// seen: the word is looked at, and then taken by a compare-and-swap (ok), by a volatile store (bad: two may have seen it free; nor does
// a launch that is not seen have one block then).
//@ verdict seen_ok: race-free
//@ verdict seen_bad: racy
//@ verdict backoff_ok: race-free
//@ verdict backoff_bad: racy
//@ verdict try_ok: race-free
//@ verdict try_bad: racy
//@ verdict both_ok: race-free
//@ verdict both_bad: racy
//@ verdict ordered_ok: race-free
//@ verdict ordered_bad: racy
//@ verdict ptx_ok: race-free
//@ verdict ptx_bad: racy
//@ verdict lanes_ok: race-free
//@ verdict lanes_bad: racy
//@ verdict ticket_ok: race-free
//@ rule ticket_ok: ticket-lock !lock
//@ verdict ticket_bad: racy
//@ verdict each_bad: racy
//@ verdict warp_ok: race-free
//@ verdict warp_early_bad: racy
//@ verdict warp_own_bad: racy
//@ verdict warp_some_bad: racy
#include <cuda/atomic>

__global__ void backoff_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  unsigned wait = 8;
  while (atomicCAS(lock, 0, 1) != 0) {
    __nanosleep(wait);
    if (wait < 256)
      wait *= 2;
  }
  __threadfence();
  a[0]++;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void backoff_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  unsigned wait = 8;
  while (atomicCAS(lock, 0, 1) != 0) {
    __nanosleep(wait);
    if (wait < 256)
      wait *= 2;
  }
  __threadfence();
  a[0]++; // expect-race {{cause=missing-fence}}
  atomicExch(lock, 0);
}

__global__ void try_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0 && atomicCAS(lock, 0, 1) == 0) {
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void try_bad(int *lock, int *a) {
  if (threadIdx.x == 0 && atomicCAS(lock, 0, 1) == 0) {
    a[0]++; // expect-race {{cause=missing-acquire-fence}}
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void both_ok(int *lock, int *a) { // expect-clean
  cuda::atomic_ref<int, cuda::thread_scope_device> word(*lock);
  if (threadIdx.x == 0 && word.exchange(1, cuda::memory_order_acquire) == 0) {
    a[0] += blockIdx.x;
    word.store(0, cuda::memory_order_release);
  }
}

__global__ void both_bad(int *lock, int *a) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(*lock);
  if (threadIdx.x == 0 || word.exchange(1, cuda::memory_order_acquire) == 0) {
    a[0] += blockIdx.x; // expect-race
    word.store(0, cuda::memory_order_release);
  }
}

__global__ void ordered_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  int expected = 0;
  while (!__nv_atomic_compare_exchange_n(lock, &expected, 1, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                         __NV_THREAD_SCOPE_DEVICE))
    expected = 0;
  a[0]++;
  __nv_atomic_store_n(lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void ordered_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  int expected = 0;
  while (!__nv_atomic_compare_exchange_n(lock, &expected, 1, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                         __NV_THREAD_SCOPE_DEVICE))
    expected = 0;
  a[0]++; // expect-race {{cause=missing-fence}}
  __nv_atomic_store_n(lock, 0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void ptx_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  int old;
  do
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock) : "memory");
  while (old != 0);
  a[0]++;
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(lock), "r"(0) : "memory");
}

__global__ void ptx_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  int old;
  do
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock) : "memory");
  while (old != 0);
  a[0]++; // expect-race {{cause=missing-fence}}
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(lock), "r"(0) : "memory");
}

__global__ void lanes_ok(int *lock, int *a) { // expect-clean
  bool done = false;
  while (!done) {
    if (atomicExch(lock, 1) == 0) {
      __threadfence();
      a[0]++;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void lanes_bad(int *lock, int *a) {
  bool done = false;
  while (!done) {
    if (atomicExch(lock, 1) == 0) {
      __threadfence();
      a[0]++; // expect-race {{cause=missing-fence}}
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void ticket_ok(int *next, int *served, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd(next, 1);
  while (atomicAdd(served, 0) != mine) {
  }
  __threadfence();
  a[0]++;
  __threadfence();
  atomicAdd(served, 1);
}

__global__ void ticket_bad(int *next, int *served, int *a) {
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd(next, 1);
  while (atomicAdd(served, 0) != mine) {
  }
  __threadfence();
  a[0]++; // expect-race {{cause=missing-fence}}
  atomicAdd(served, 1);
}

__global__ void each_bad(int *locks, int *a) {
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0)
    while (atomicCAS(&locks[warp], 0, 1) != 0) {
    }
  __syncwarp();
  __threadfence();
  a[warp]++; // expect-race {{-Wintra-warp-race}}
  __threadfence();
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    atomicExch(&locks[warp], 0);
}

__global__ void warp_ok(int *lock, int *a) { // expect-clean
  int lane = threadIdx.x % 32;
  if (lane == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  a[lane]++;
  __syncwarp();
  if (lane == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void warp_early_bad(int *lock, int *a) {
  int lane = threadIdx.x % 32;
  if (lane == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  a[lane]++; // expect-race
  if (lane == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void warp_own_bad(int *lock, int *a) {
  int lane = threadIdx.x % 32;
  if (lane == 0) {
    while (atomicCAS(lock + threadIdx.x / 32, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  a[lane]++; // expect-race
  __syncwarp();
  if (lane == 0) {
    __threadfence();
    atomicExch(lock + threadIdx.x / 32, 0);
  }
}

__global__ void warp_some_bad(int *lock, int *a) {
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  a[lane]++; // expect-race
  __syncwarp();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

int main() {
  int *lock, *a;
  cudaMalloc((void **)&lock, 64);
  cudaMalloc((void **)&a, 256);
  cudaMemset(lock, 0, 64);
  backoff_ok<<<8, 32>>>(lock, a);
  backoff_bad<<<8, 32>>>(lock, a);
  try_ok<<<8, 32>>>(lock, a);
  try_bad<<<8, 32>>>(lock, a);
  ordered_ok<<<8, 32>>>(lock, a);
  ordered_bad<<<8, 32>>>(lock, a);
  ptx_ok<<<8, 32>>>(lock, a);
  ptx_bad<<<8, 32>>>(lock, a);
  lanes_ok<<<8, 32>>>(lock, a);
  lanes_bad<<<8, 32>>>(lock, a);
  ticket_ok<<<8, 32>>>(lock, lock + 1, a);
  ticket_bad<<<8, 32>>>(lock, lock + 1, a);
  each_bad<<<1, 64>>>(lock, a);
  warp_ok<<<2, 64>>>(lock, a);
  warp_early_bad<<<2, 64>>>(lock, a);
  warp_own_bad<<<2, 64>>>(lock, a);
  warp_some_bad<<<2, 64>>>(lock, a);
  return 0;
}

__global__ void seen_ok(volatile int *lock, int *n) { // expect-clean
  if (threadIdx.x != 0)
    return;
  do {
    while (*lock != 0) {
    }
  } while (atomicCAS((int *)lock, 0, 1) != 0);
  __threadfence();
  n[0]++;
  __threadfence();
  *lock = 0;
}

__global__ void seen_bad(volatile int *lock, int *n) {
  if (threadIdx.x != 0)
    return;
  while (*lock != 0) {
  }
  *lock = 1;
  __threadfence();
  n[0]++; // expect-race
  __threadfence();
  *lock = 0;
}
