// A lock that is taken in some rounds of a loop only: what decides is read anew in each round, and once. some: the sum is added to under the
// same condition (ok); with no fence behind the lock (acquire, bad), or before it is given back (release, bad), or one of block scope (scope, bad);
// given back before the sum (early, bad); the sum before the lock is taken (before, bad); what the next round will read decides over the sum
// (next, bad); taken in every second round, given back in all (kept, bad); given back in the round after, by who may not have taken it (others, bad).
// which: each round has its own lock and sum (ok); two rounds have one sum, and two locks (pair, bad). inner: the sums stand in a
// loop of their own (ok); the lock is taken in an inner loop, if that comes so far (inner_taken, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict some_ok: race-free
//@ rule some_ok: lock
//@ verdict some_acquire_bad: racy
//@ verdict some_release_bad: racy
//@ verdict some_scope_bad: racy
//@ verdict some_early_bad: racy
//@ verdict some_before_bad: racy
//@ verdict some_next_bad: racy
//@ verdict some_kept_bad: racy
//@ verdict some_others_bad: racy
//@ verdict which_ok: race-free
//@ rule which_ok: lock
//@ verdict which_pair_bad: racy
//@ verdict inner_ok: race-free
//@ verdict inner_taken_bad: racy

__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
}

__device__ void give_back(int *lock) { atomicExch(lock, 0); }

__device__ void add(int *sum, int value) {
  sum[0] += value; // expect-race[sum]
}

enum { NOTHING, NO_ACQUIRE, NO_RELEASE, NARROW, EARLY, BEFORE, NEXT, KEPT, OTHERS };

template <int wrong> __device__ void add_some(int *lock, int *sum, const int *in, int n) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < n; i++) {
    bool takes = in[i] > 0;
    if (wrong == BEFORE && takes) add(sum, i);
    if (wrong == OTHERS && i > 0) give_back(lock);
    if (takes && (wrong != KEPT || i % 2 == 0)) {
      take(lock);
      if (wrong != NO_ACQUIRE) __threadfence();
    }
    if (wrong == EARLY && takes) give_back(lock);
    if (wrong != BEFORE && (wrong == NEXT ? in[i + 1] > 0 : takes)) add(sum, i);
    if (wrong == EARLY || wrong == OTHERS) continue;
    if (takes) {
      if (wrong == NARROW) __threadfence_block();
      else if (wrong != NO_RELEASE) __threadfence();
      give_back(lock);
    }
  }
}

__global__ void some_ok(int *l, int *sum, const int *in, int n) { add_some<NOTHING>(l, sum, in, n); } // expect-clean
__global__ void some_acquire_bad(int *l, int *sum, const int *in, int n) { add_some<NO_ACQUIRE>(l, sum, in, n); }
__global__ void some_release_bad(int *l, int *sum, const int *in, int n) { add_some<NO_RELEASE>(l, sum, in, n); }
__global__ void some_scope_bad(int *l, int *sum, const int *in, int n) { add_some<NARROW>(l, sum, in, n); }
__global__ void some_early_bad(int *l, int *sum, const int *in, int n) { add_some<EARLY>(l, sum, in, n); }
__global__ void some_before_bad(int *l, int *sum, const int *in, int n) { add_some<BEFORE>(l, sum, in, n); }
__global__ void some_next_bad(int *l, int *sum, const int *in, int n) { add_some<NEXT>(l, sum, in, n); }
__global__ void some_kept_bad(int *l, int *sum, const int *in, int n) { add_some<KEPT>(l, sum, in, n); }
__global__ void some_others_bad(int *l, int *sum, const int *in, int n) { add_some<OTHERS>(l, sum, in, n); }

template <int shared> __device__ void add_own(int *locks, int *sums, const int *in, int n) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < n; i++) {
    bool takes = in[i] > 0;
    if (takes) {
      take(&locks[i]);
      __threadfence();
    }
    if (takes) sums[i / shared] += i; // expect-race[own]
    if (takes) {
      __threadfence();
      give_back(&locks[i]);
    }
  }
}
__global__ void which_ok(int *locks, int *sums, const int *in, int n) { add_own<1>(locks, sums, in, n); } // expect-clean
__global__ void which_pair_bad(int *locks, int *sums, const int *in, int n) { add_own<2>(locks, sums, in, n); }

__global__ void inner_ok(int *lock, int *sums, const int *in, int n) { // expect-clean
  if (threadIdx.x != 0) return;
  for (int i = 0; i < n; i++) {
    bool takes = in[i] > 0;
    if (takes) {
      take(lock);
      __threadfence();
    }
    for (int j = 0; j < 8; j++)
      if (takes) sums[j] += i;
    if (takes) {
      __threadfence();
      give_back(lock);
    }
  }
}

__global__ void inner_taken_bad(int *lock, int *sum, const int *in, int n) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < n; i++) {
    bool takes = in[i] > 0;
    for (int j = 0; j < in[i]; j++)
      if (j == 2) {
        take(lock);
        __threadfence();
        break;
      }
    if (takes) add(sum, i);
    __threadfence();
    if (takes) give_back(lock);
  }
}
