// A table is set up by the first block that finds it missing, double-checked: the leader looks whether it is there, asks for a lock, looks again, fills it, says so,
// and gives the lock back; its block goes on behind a barrier (ok, volatile_ok). It says so before it fills the table (early, bad), or without a fence in between
// (release, bad); no fence behind the looks (acquire, bad), or no barrier behind them (barrier, bad), or one before them only (before, bad); nobody asks for the lock
// (unlocked, bad); no second look (once, bad); the flag is taken down again (down, bad); the looks are for a flag of another block (other, bad).
//@ verdict ok: race-free
//@ rule ok: once
//@ verdict volatile_ok: race-free
//@ verdict early_bad: racy
//@ verdict release_bad: racy
//@ verdict acquire_bad: racy
//@ verdict barrier_bad: racy
//@ verdict before_bad: racy
//@ verdict unlocked_bad: racy
//@ verdict once_bad: racy
//@ verdict down_bad: racy
//@ verdict other_bad: racy
enum { NOTHING, VOLATILE, EARLY, RELEASE, ACQUIRE, BARRIER, BEFORE, UNLOCKED, ONCE, DOWN, OTHER };

template <int wrong> __device__ bool is_ready(int *ready) {
  return wrong == VOLATILE ? *(volatile int *)ready : atomicAdd(ready, 0) != 0;
}

template <int wrong> __device__ void set_up(int *ready, int *lock, int *table, int *out) {
  if (wrong == OTHER) ready += blockIdx.x;
  if (wrong == BEFORE) __syncthreads();
  if (threadIdx.x == 0) {
    if (!is_ready<wrong>(ready)) {
      while (wrong != UNLOCKED && atomicCAS(lock, 0, 1) != 0)
        ;
      __threadfence();
      if (wrong == ONCE || !is_ready<wrong>(ready)) {
        if (wrong == EARLY) atomicExch(ready, 1);
        for (int i = 0; i < 64; i++)
          table[i] = i * i; // expect-race, expect-same-value
        if (wrong != RELEASE) __threadfence();
        if (wrong == VOLATILE) *(volatile int *)ready = 1;
        else if (wrong != EARLY) atomicExch(ready, 1);
      }
      if (wrong == DOWN) atomicExch(ready, 0);
      if (wrong != RELEASE) __threadfence();
      if (wrong != UNLOCKED) atomicExch(lock, 0);
    }
    if (wrong != ACQUIRE) __threadfence();
  }
  if (wrong != BARRIER && wrong != BEFORE) __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[threadIdx.x & 63]; // expect-race
}
__global__ void ok(int *r, int *l, int *t, int *out) { set_up<NOTHING>(r, l, t, out); } // expect-clean
__global__ void volatile_ok(int *r, int *l, int *t, int *out) { set_up<VOLATILE>(r, l, t, out); } // expect-clean
__global__ void early_bad(int *r, int *l, int *t, int *out) { set_up<EARLY>(r, l, t, out); }
__global__ void release_bad(int *r, int *l, int *t, int *out) { set_up<RELEASE>(r, l, t, out); }
__global__ void acquire_bad(int *r, int *l, int *t, int *out) { set_up<ACQUIRE>(r, l, t, out); }
__global__ void barrier_bad(int *r, int *l, int *t, int *out) { set_up<BARRIER>(r, l, t, out); }
__global__ void before_bad(int *r, int *l, int *t, int *out) { set_up<BEFORE>(r, l, t, out); }
__global__ void unlocked_bad(int *r, int *l, int *t, int *out) { set_up<UNLOCKED>(r, l, t, out); }
__global__ void once_bad(int *r, int *l, int *t, int *out) { set_up<ONCE>(r, l, t, out); }
__global__ void down_bad(int *r, int *l, int *t, int *out) { set_up<DOWN>(r, l, t, out); }
__global__ void other_bad(int *r, int *l, int *t, int *out) { set_up<OTHER>(r, l, t, out); }
