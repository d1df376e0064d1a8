// Barriers of the grid whose word goes with the round. each: every round has a counter of its own (ok); two rounds have one, and none waits for more than
// all blocks (twice, bad); one less is enough (less, bad); the wait is at the counter of the round before (before, bad); no fence before the leader counts
// (release, bad), or behind its wait (acquire, bad); no barrier of the block before it counts (early, bad), or behind its wait (late, bad); the counters hold
// more than zero at the start (start, bad). turns: two counters in turn, of which each rises (ok), or three (three_ok); the wait does not rise with them (same, bad),
// or only with every fourth round (slow, bad). flags: each of two blocks has a flag for each round, and waits for that of the other one (ok), or for that of the round
// before (flags_before, bad), or of its own (flags_own, bad).
//@ verdict each_ok: race-free
//@ rule each_ok: count
//@ verdict each_twice_bad: racy
//@ verdict each_less_bad: racy
//@ verdict each_before_bad: racy
//@ verdict each_release_bad: racy
//@ verdict each_acquire_bad: racy
//@ verdict each_early_bad: racy
//@ verdict each_late_bad: racy
//@ verdict each_start_bad: racy
//@ verdict turns_ok: race-free
//@ rule turns_ok: count
//@ verdict turns_three_ok: race-free
//@ verdict turns_same_bad: racy
//@ verdict turns_slow_bad: racy
//@ verdict flags_ok: race-free
//@ rule flags_ok: flag-per-round
//@ verdict flags_before_bad: racy
//@ verdict flags_own_bad: racy
//@ verdict flags_turns_ok: race-free
//@ rule flags_turns_ok: flag-per-round
//@ verdict flags_stay_bad: racy
//@ verdict loop_bad: racy
//@ known-undecided loop_bad: that the leader has left the loop sooner than others hangs on memory, and no run shows it
enum { NOTHING, TWICE, LESS, PREVIOUS, RELEASE, ACQUIRE, EARLY, LATE, SAME, SLOW };

template <int wrong, int period> __device__ void barrier(unsigned *counts, int k) {
  unsigned drawn = period ? k % period : wrong == TWICE ? k / 2 : k;
  unsigned awaited = wrong == PREVIOUS && k > 0 ? k - 1 : drawn;
  unsigned times = !period || wrong == SAME ? 1 : k / (wrong == SLOW ? 4 : period) + 1;
  if (wrong != EARLY) __syncthreads();
  if (threadIdx.x == 0) {
    if (wrong != RELEASE) __threadfence();
    atomicAdd(&counts[drawn], 1u);
    while (atomicAdd(&counts[awaited], 0u) < gridDim.x * times - (wrong == LESS))
      ;
    if (wrong != ACQUIRE) __threadfence();
  }
  if (wrong != LATE) __syncthreads();
}

template <int wrong, int period> __device__ void rounds(unsigned *counts, int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int k = 0; k < n; k++) {
    int *from = k & 1 ? b : a, *to = k & 1 ? a : b;
    to[i] = from[(i + 1) % all] + 1; // expect-race
    barrier<wrong, period>(counts, k);
  }
}
__global__ void each_ok(unsigned *c, int *a, int *b, int n) { rounds<NOTHING, 0>(c, a, b, n); } // expect-clean
__global__ void each_twice_bad(unsigned *c, int *a, int *b, int n) { rounds<TWICE, 0>(c, a, b, n); }
__global__ void each_less_bad(unsigned *c, int *a, int *b, int n) { rounds<LESS, 0>(c, a, b, n); }
__global__ void each_before_bad(unsigned *c, int *a, int *b, int n) { rounds<PREVIOUS, 0>(c, a, b, n); }
__global__ void each_release_bad(unsigned *c, int *a, int *b, int n) { rounds<RELEASE, 0>(c, a, b, n); }
__global__ void each_acquire_bad(unsigned *c, int *a, int *b, int n) { rounds<ACQUIRE, 0>(c, a, b, n); }
__global__ void each_early_bad(unsigned *c, int *a, int *b, int n) { rounds<EARLY, 0>(c, a, b, n); }
__global__ void each_late_bad(unsigned *c, int *a, int *b, int n) { rounds<LATE, 0>(c, a, b, n); }
__global__ void each_start_bad(unsigned *c, int *a, int *b, int n) { rounds<NOTHING, 0>(c, a, b, n); }
__global__ void turns_ok(unsigned *c, int *a, int *b, int n) { rounds<NOTHING, 2>(c, a, b, n); } // expect-clean
__global__ void turns_three_ok(unsigned *c, int *a, int *b, int n) { rounds<NOTHING, 3>(c, a, b, n); } // expect-clean
__global__ void turns_same_bad(unsigned *c, int *a, int *b, int n) { rounds<SAME, 2>(c, a, b, n); }
__global__ void turns_slow_bad(unsigned *c, int *a, int *b, int n) { rounds<SLOW, 2>(c, a, b, n); }

enum { OWN = 100, TURNS, STAY };

template <int wrong> __device__ void flags(volatile int *flags, int *a, int *b, int n) {
  int t = threadIdx.x, me = blockIdx.x, other = 1 - me;
  for (int k = 0; k < n; k++) {
    int *from = k & 1 ? b : a, *to = k & 1 ? a : b;
    to[me * 64 + t] = from[other * 64 + t] + 1; // expect-race[flags]
    __threadfence();
    __syncthreads();
    if (t == 0) {
      int mine = wrong >= TURNS ? k & 1 : k, number = wrong == TURNS ? k + 1 : 1;
      flags[mine * 2 + me] = number;
      int awaited = wrong == PREVIOUS ? k - 1 : mine, whose = wrong == OWN ? me : other;
      while (awaited >= 0 && flags[awaited * 2 + whose] < number)
        ;
      __threadfence();
    }
    __syncthreads();
  }
}
__global__ void flags_ok(volatile int *f, int *a, int *b, int n) { flags<NOTHING>(f, a, b, n); } // expect-clean
__global__ void flags_before_bad(volatile int *f, int *a, int *b, int n) { flags<PREVIOUS>(f, a, b, n); }
__global__ void flags_own_bad(volatile int *f, int *a, int *b, int n) { flags<OWN>(f, a, b, n); }
__global__ void flags_turns_ok(volatile int *f, int *a, int *b, int n) { flags<TURNS>(f, a, b, n); } // expect-clean
__global__ void flags_stay_bad(volatile int *f, int *a, int *b, int n) { flags<STAY>(f, a, b, n); }

__global__ void loop_bad(volatile int *flags, int *a, int *b, const int *in, int n) {
  int t = threadIdx.x, me = blockIdx.x, other = 1 - me, j = 0;
  for (; j < 1; j++)
    if (in[t] == 7) break;
  for (int k = 0; k < n; k++) {
    int *from = k & 1 ? b : a, *to = k & 1 ? a : b;
    if (t == 0) flags[(k * 2 + me) * 2] = 1;
    __syncthreads();
    if (j == 1) to[me * 64 + t] = from[other * 64 + t] + 1; // expect-race
    __threadfence();
    __syncthreads();
    if (t == 0) {
      flags[(k * 2 + me) * 2 + 1] = 1;
      while (flags[(k * 2 + other) * 2 + j] == 0)
        ;
      __threadfence();
    }
    __syncthreads();
  }
}

int main() {
  unsigned *counts;
  int *words, *a, *b;
  cudaMalloc(&counts, 4096);
  cudaMalloc(&words, 4096);
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
#define ROUNDS(kernel, value)          \
  cudaMemset(counts, value, 4096);     \
  kernel<<<2, 32>>>(counts, a, b, 4);
  ROUNDS(each_ok, 0)
  ROUNDS(each_twice_bad, 0)
  ROUNDS(each_less_bad, 0)
  ROUNDS(each_before_bad, 0)
  ROUNDS(each_release_bad, 0)
  ROUNDS(each_acquire_bad, 0)
  ROUNDS(each_early_bad, 0)
  ROUNDS(each_late_bad, 0)
  ROUNDS(each_start_bad, 1)
  ROUNDS(turns_ok, 0)
  ROUNDS(turns_three_ok, 0)
  ROUNDS(turns_same_bad, 0)
  ROUNDS(turns_slow_bad, 0)
#define FLAGS(kernel)                 \
  cudaMemset(words, 0, 4096);         \
  kernel<<<2, 64>>>(words, a, b, 4);
  FLAGS(flags_ok)
  FLAGS(flags_before_bad)
  FLAGS(flags_own_bad)
  FLAGS(flags_turns_ok)
  FLAGS(flags_stay_bad)
  cudaMemset(words, 0, 4096);
  loop_bad<<<2, 64>>>(words, a, b, a + 1024, 4);
}
