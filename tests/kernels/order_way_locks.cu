// A lock is taken on some ways of a thread, and by tries: who gives up leaves, or goes on where nothing needs the lock. tried: under a condition
// of the host, as many tries as are worth it, and who gives up leaves the kernel (ok); he goes on to the sum (on, bad); the sum stands outside
// of the condition (some, bad); without the fence behind the lock (acquire, bad), or before it is given back (release, bad), or with one of block scope
// (scope, bad); given back before the sum (early, bad). marked: the condition is read of an array, and the lock is looked at in a second loop (ok);
// what is read is that of another block (other, bad). kept: a truth value that a function returns, and a variable keeps, says whether one of the
// tries was good (ok); it is looked at again behind giving back (again, bad); the sum is of those who had no luck (none, bad); it says yes as
// well where there was no try (untried, bad). led: the leader tries for its block until it has the lock, and tells by a variable in shared memory (ok); no barrier
// before it gives the lock back (led_late, bad), or before its next try (led_next, bad); the block goes on when it has had no luck (led_none, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict tried_ok: race-free
//@ rule tried_ok: lock
//@ verdict tried_on_bad: racy
//@ verdict tried_some_bad: racy
//@ verdict tried_acquire_bad: racy
//@ verdict tried_release_bad: racy
//@ verdict tried_scope_bad: racy
//@ verdict tried_early_bad: racy
//@ verdict marked_ok: race-free
//@ verdict marked_other_bad: racy
//@ verdict kept_ok: race-free
//@ rule kept_ok: lock
//@ verdict kept_again_bad: racy
//@ verdict kept_none_bad: racy
//@ verdict kept_untried_bad: racy
//@ verdict led_ok: race-free
//@ rule led_ok: lock
//@ verdict led_late_bad: racy
//@ verdict led_next_bad: racy
//@ verdict led_none_bad: racy

__device__ bool take(int *lock, int tries) {
  for (int i = 0; i < tries; i++)
    if (atomicCAS(lock, 0, 1) == 0) return true;
  return false;
}

__device__ void give_back(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__device__ void add(int *sum) {
  sum[0] += 1; // expect-race[sum]
}

__global__ void tried_ok(int *lock, int *sum, int some) { // expect-clean
  if (threadIdx.x != 0) return;
  if (some && !take(lock, 10)) return;
  __threadfence();
  if (some) {
    add(sum);
    give_back(lock);
  }
}

__global__ void tried_on_bad(int *lock, int *sum, int some) {
  if (threadIdx.x != 0) return;
  if (some) take(lock, 10);
  __threadfence();
  if (some) {
    add(sum);
    give_back(lock);
  }
}

__global__ void tried_some_bad(int *lock, int *sum, int some) {
  if (threadIdx.x != 0) return;
  if (some && !take(lock, 10)) return;
  __threadfence();
  add(sum);
  if (some) give_back(lock);
}

__global__ void tried_acquire_bad(int *lock, int *sum, int some) {
  if (threadIdx.x != 0) return;
  if (some && !take(lock, 10)) return;
  if (some) {
    add(sum);
    give_back(lock);
  }
}

__global__ void tried_release_bad(int *lock, int *sum, int some) {
  if (threadIdx.x != 0) return;
  if (some && !take(lock, 10)) return;
  __threadfence();
  if (some) {
    add(sum);
    atomicExch(lock, 0);
  }
}

__global__ void tried_scope_bad(int *lock, int *sum, int some) {
  if (threadIdx.x != 0) return;
  if (some && !take(lock, 10)) return;
  __threadfence_block();
  if (some) {
    add(sum);
    give_back(lock);
  }
}

__global__ void tried_early_bad(int *lock, int *sum, int some) {
  if (threadIdx.x != 0) return;
  if (some && !take(lock, 10)) return;
  __threadfence();
  if (some) {
    give_back(lock);
    add(sum);
  }
}

__device__ void marked(int *lock, const int *asks, int *sum, int other) {
  if (threadIdx.x != 0) return;
  int mine = asks[blockIdx.x];
  if (mine)
    while (atomicCAS(lock, 0, 1) != 0)
      if (asks[gridDim.x]) return;
  __threadfence();
  if (asks[blockIdx.x + other]) {
    add(sum);
    give_back(lock);
  }
}

__global__ void marked_ok(int *lock, const int *asks, int *sum) { // expect-clean
  marked(lock, asks, sum, 0);
}

__global__ void marked_other_bad(int *lock, const int *asks, int *sum) {
  marked(lock, asks, sum, 1);
}

__device__ bool try_lock(int *lock) {
  if (atomicCAS(lock, 0, 1) != 0) return false;
  __threadfence();
  return true;
}

enum { NOTHING, AGAIN, NONE, UNTRIED, LATE, NEXT };

template <int wrong> __device__ void keep(int *lock, int *sum, int n) {
  if (threadIdx.x != 0) return;
  bool got = wrong == UNTRIED && n == 0;
  for (int i = 0; i < n && !got; i++)
    got = try_lock(lock);
  if (wrong == NONE ? !got : got) add(sum);
  if (got) give_back(lock);
  if (wrong == AGAIN && got) add(sum);
}
__global__ void kept_ok(int *lock, int *sum, int n) { keep<NOTHING>(lock, sum, n); } // expect-clean
__global__ void kept_again_bad(int *lock, int *sum, int n) { keep<AGAIN>(lock, sum, n); }
__global__ void kept_none_bad(int *lock, int *sum, int n) { keep<NONE>(lock, sum, n); }
__global__ void kept_untried_bad(int *lock, int *sum, int n) { keep<UNTRIED>(lock, sum, n); }

template <int wrong> __device__ void led(int *lock, int *sums) {
  __shared__ int got;
  for (;;) {
    if (threadIdx.x == 0) got = try_lock(lock); // expect-race[got]
    __syncthreads();
    if (wrong == NONE ? !got : got) break; // expect-race[got]
    if (wrong != NEXT) __syncthreads();
  }
  sums[threadIdx.x] += 1; // expect-race[led]
  if (wrong != LATE) __syncthreads();
  if (threadIdx.x == 0) give_back(lock);
}
__global__ void led_ok(int *lock, int *sums) { led<NOTHING>(lock, sums); } // expect-clean
__global__ void led_late_bad(int *lock, int *sums) { led<LATE>(lock, sums); }
__global__ void led_next_bad(int *lock, int *sums) { led<NEXT>(lock, sums); }
__global__ void led_none_bad(int *lock, int *sums) { led<NONE>(lock, sums); }
