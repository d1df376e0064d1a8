// Entries of a table are set up by the first thread that finds one missing, double-checked, for one key after the other in a loop: a thread looks at the
// key's flag, takes the key's lock, looks again, fills the entry, says so behind a fence, gives the lock back, and reads the entry (ok); there is one lock
// for all (single, ok), or one for two keys (half, ok). It says so first (early, bad), without a fence (release, bad), no fence stands behind the looks (acquire, bad); nobody takes the lock
// (unlocked, bad), or one of the thread's own (own, bad), or there is no second look (once, bad); the first look is at another key's flag (other, bad), or the entry read is another
// key's (entry, bad); the flag is taken down again (down, bad), or it is raised behind the lock (behind, bad).
//@ verdict ok: race-free
//@ rule ok: once
//@ verdict single_ok: race-free
//@ verdict half_ok: race-free
//@ verdict early_bad: racy
//@ verdict release_bad: racy
//@ verdict acquire_bad: racy
//@ verdict unlocked_bad: racy
//@ verdict own_bad: racy
//@ verdict once_bad: racy
//@ verdict other_bad: racy
//@ verdict entry_bad: racy
//@ verdict down_bad: racy
//@ verdict behind_bad: racy
enum { NOTHING, SINGLE, HALF, EARLY, RELEASE, ACQUIRE, UNLOCKED, OWN, ONCE, OTHER, ENTRY, DOWN, BEHIND };

template <int wrong> __device__ void set_up(int *ready, int *locks, int *table, int *out, int n) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int key = (i + blockIdx.x) & 15;
    int *lock = &locks[wrong == SINGLE ? 0 : wrong == HALF ? key / 2 : wrong == OWN ? blockIdx.x : key];
    if (atomicAdd(&ready[wrong == OTHER ? key ^ 1 : key], 0) == 0) {
      while (wrong != UNLOCKED && atomicCAS(lock, 0, 1) != 0)
        ;
      __threadfence();
      if (wrong == ONCE || atomicAdd(&ready[key], 0) == 0) {
        if (wrong == EARLY) atomicExch(&ready[key], 1);
        table[key] = key * key + blockIdx.x; // expect-race
        if (wrong != RELEASE) __threadfence();
        if (wrong != EARLY && wrong != BEHIND) atomicExch(&ready[key], 1);
      }
      if (wrong == DOWN) atomicExch(&ready[key], 0);
      if (wrong != RELEASE) __threadfence();
      if (wrong != UNLOCKED) atomicExch(lock, 0);
      if (wrong == BEHIND) atomicExch(&ready[key], 1);
    }
    if (wrong != ACQUIRE) __threadfence();
    sum += table[wrong == ENTRY ? key ^ 1 : key]; // expect-race
  }
  out[blockIdx.x] = sum;
}
__global__ void ok(int *r, int *l, int *t, int *out, int n) { set_up<NOTHING>(r, l, t, out, n); } // expect-clean
__global__ void single_ok(int *r, int *l, int *t, int *out, int n) { set_up<SINGLE>(r, l, t, out, n); } // expect-clean
__global__ void half_ok(int *r, int *l, int *t, int *out, int n) { set_up<HALF>(r, l, t, out, n); } // expect-clean
__global__ void early_bad(int *r, int *l, int *t, int *out, int n) { set_up<EARLY>(r, l, t, out, n); }
__global__ void release_bad(int *r, int *l, int *t, int *out, int n) { set_up<RELEASE>(r, l, t, out, n); }
__global__ void acquire_bad(int *r, int *l, int *t, int *out, int n) { set_up<ACQUIRE>(r, l, t, out, n); }
__global__ void unlocked_bad(int *r, int *l, int *t, int *out, int n) { set_up<UNLOCKED>(r, l, t, out, n); }
__global__ void own_bad(int *r, int *l, int *t, int *out, int n) { set_up<OWN>(r, l, t, out, n); }
__global__ void once_bad(int *r, int *l, int *t, int *out, int n) { set_up<ONCE>(r, l, t, out, n); }
__global__ void other_bad(int *r, int *l, int *t, int *out, int n) { set_up<OTHER>(r, l, t, out, n); }
__global__ void entry_bad(int *r, int *l, int *t, int *out, int n) { set_up<ENTRY>(r, l, t, out, n); }
__global__ void down_bad(int *r, int *l, int *t, int *out, int n) { set_up<DOWN>(r, l, t, out, n); }
__global__ void behind_bad(int *r, int *l, int *t, int *out, int n) { set_up<BEHIND>(r, l, t, out, n); }
