// One of two locks, as a condition says. two: odd and even keys have a lock and a sum each (ok); one sum for both (sum, bad); the other lock is
// given back (other, bad), or that which a second look at the key says (again, bad); no fence behind taking it (acquire, bad), or before it is given
// back (release, bad). slots: two words of one array (ok); the sum is that of the other word (bad). host: a parameter says which, for all blocks
// (ok); for each block its number does, with one sum (bad). rounds: in turn (ok); one sum (bad). three: one of three (ok); two of them have one sum (bad).
// opened: one of the two is also given back by who has not taken it (bad). alike: both pointers are one word, so that the two sums have one lock (ok).
//@ verdict two_ok: race-free
//@ rule two_ok: lock
//@ verdict two_sum_bad: racy
//@ verdict two_other_bad: racy
//@ verdict two_again_bad: racy
//@ known-undecided two_again_bad: that a key changes between the two looks is shown by no run
//@ verdict two_acquire_bad: racy
//@ verdict two_release_bad: racy
//@ verdict slots_ok: race-free
//@ verdict slots_bad: racy
//@ verdict host_ok: race-free
//@ verdict host_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict three_ok: race-free
//@ verdict three_bad: racy
//@ verdict opened_bad: racy
//@ verdict alike_ok: race-free
enum { NOTHING, SUM, OTHER, AGAIN, ACQUIRE, RELEASE };

__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
}

template <int wrong> __device__ void two(int *locks, int *more, int *sums, int *more_sums, int *keys) {
  if (threadIdx.x != 0) return;
  bool is_odd = (wrong == OTHER ? blockIdx.x : atomicAdd(&keys[blockIdx.x], 0)) & 1;
  int *lock = is_odd ? locks : more, *sum = is_odd || wrong == SUM ? sums : more_sums;
  take(lock);
  if (wrong != ACQUIRE) __threadfence();
  sum[0] += 1; // expect-race[two]
  if (wrong != RELEASE) __threadfence();
  if (wrong == AGAIN) is_odd = atomicAdd(&keys[blockIdx.x], 0) & 1;
  atomicExch(wrong == OTHER ? is_odd ? more : locks : wrong == AGAIN ? is_odd ? locks : more : lock, 0);
}
__global__ void two_ok(int *a, int *b, int *c, int *d, int *keys) { two<NOTHING>(a, b, c, d, keys); } // expect-clean
__global__ void two_sum_bad(int *a, int *b, int *c, int *d, int *keys) { two<SUM>(a, b, c, d, keys); }
__global__ void two_other_bad(int *a, int *b, int *c, int *d, int *keys) { two<OTHER>(a, b, c, d, keys); }
__global__ void two_again_bad(int *a, int *b, int *c, int *d, int *keys) {
  two<AGAIN>(a, b, c, d, keys);
  if (threadIdx.x == 0) atomicAdd(&keys[blockIdx.x + 1], 1);
}
__global__ void two_acquire_bad(int *a, int *b, int *c, int *d, int *keys) { two<ACQUIRE>(a, b, c, d, keys); }
__global__ void two_release_bad(int *a, int *b, int *c, int *d, int *keys) { two<RELEASE>(a, b, c, d, keys); }

template <bool is_ok> __device__ void slots(int *locks, int *sums, const int *keys, int n) {
  if (threadIdx.x != 0) return;
  int i = keys[blockIdx.x], j = keys[blockIdx.x + n];
  bool first = keys[blockIdx.x + 2 * n] > 0;
  int *lock = first ? &locks[i] : &locks[j];
  take(lock);
  __threadfence();
  sums[first == is_ok ? i : j] += 1; // expect-race[slots]
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void slots_ok(int *locks, int *sums, const int *keys, int n) { slots<true>(locks, sums, keys, n); } // expect-clean
__global__ void slots_bad(int *locks, int *sums, const int *keys, int n) { slots<false>(locks, sums, keys, n); }

template <bool is_ok> __device__ void add_in_host(int *lock, int *sum) {
  take(lock);
  __threadfence();
  sum[0] += 1; // expect-race[host]
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void host_ok(int *one, int *two, int *sum, bool is_one) { // expect-clean
  if (threadIdx.x == 0) add_in_host<true>(is_one ? one : two, sum);
}
__global__ void host_bad(int *one, int *two, int *sum, bool is_one) {
  if (threadIdx.x == 0) add_in_host<false>(blockIdx.x & 1 ? one : two, sum);
}

template <bool is_ok> __device__ void rounds(int *one, int *two, int *sums, int n) {
  for (int i = 0; i < n && threadIdx.x == 0; i++) {
    int *lock = i & 1 ? one : two;
    take(lock);
    __threadfence();
    sums[is_ok ? i & 1 : 0] += i; // expect-race[rounds]
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void rounds_ok(int *one, int *two, int *sums, int n) { rounds<true>(one, two, sums, n); } // expect-clean
__global__ void rounds_bad(int *one, int *two, int *sums, int n) { rounds<false>(one, two, sums, n); }

template <bool is_ok> __device__ void three(int *one, int *two, int *more, int *sums) {
  if (threadIdx.x != 0) return;
  int which = blockIdx.x % 3;
  int *lock = which == 0 ? one : which == 1 ? two : more;
  take(lock);
  __threadfence();
  sums[is_ok || which < 2 ? which : 0] += 1; // expect-race[three]
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void three_ok(int *one, int *two, int *more, int *sums) { three<true>(one, two, more, sums); } // expect-clean
__global__ void three_bad(int *one, int *two, int *more, int *sums) { three<false>(one, two, more, sums); }

__global__ void opened_bad(int *one, int *two, int *sums) {
  if (threadIdx.x != 0) return;
  int *lock = blockIdx.x & 1 ? one : two;
  take(lock);
  __threadfence();
  sums[blockIdx.x & 1] += 1; // expect-race
  __threadfence();
  atomicExch(lock, 0);
  if (blockIdx.x % 4 == 3) atomicExch(two, 0);
}

__global__ void alike_ok(int *one, int *two, int *sums) { // expect-clean
  if (threadIdx.x != 0) return;
  int *lock = blockIdx.x & 1 ? one : two;
  take(lock);
  __threadfence();
  sums[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *locks, *more, *others, *sums, *more_sums, *keys, n = 64;
  cudaMalloc(&locks, 1 << 20);
  cudaMalloc(&more, 1 << 20);
  cudaMalloc(&others, 1 << 20);
  cudaMalloc(&sums, 1 << 20);
  cudaMalloc(&more_sums, 1 << 20);
  cudaMalloc(&keys, 1 << 20);
  two_ok<<<64, 32>>>(locks, more, sums, more_sums, keys);
  two_sum_bad<<<64, 32>>>(locks, more, sums, more_sums, keys);
  two_other_bad<<<64, 32>>>(locks, more, sums, more_sums, keys);
  two_again_bad<<<64, 32>>>(locks, more, sums, more_sums, keys);
  two_acquire_bad<<<64, 32>>>(locks, more, sums, more_sums, keys);
  two_release_bad<<<64, 32>>>(locks, more, sums, more_sums, keys);
  slots_ok<<<64, 32>>>(locks, sums, keys, n);
  slots_bad<<<64, 32>>>(locks, sums, keys, n);
  host_ok<<<64, 32>>>(locks, more, sums, true);
  host_bad<<<64, 32>>>(locks, more, sums, true);
  rounds_ok<<<64, 32>>>(locks, more, sums, n);
  rounds_bad<<<64, 32>>>(locks, more, sums, n);
  three_ok<<<64, 32>>>(locks, more, others, sums);
  three_bad<<<64, 32>>>(locks, more, others, sums);
  opened_bad<<<64, 32>>>(locks, more, sums);
  alike_ok<<<64, 32>>>(locks, locks, sums);
}
