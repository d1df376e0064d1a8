// One block waits until so many others have counted a word up, each behind its part. Nothing else makes the word larger (ok); a thread
// beside them raises it by a maximum (raised, bad), stores a number (stored, bad), counts it up as well (twice, bad), or does so by an
// increment that wraps (wraps, bad); to set it back to 0 lets nobody go on early (reset, ok).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict ok: race-free
//@ rule ok: count
//@ verdict reset_ok: race-free
//@ verdict raised_bad: racy
//@ verdict stored_bad: racy
//@ verdict twice_bad: racy
//@ verdict wraps_bad: racy
enum { NOTHING, RESET, RAISED, STORED, TWICE, WRAPS };

template <int what> __device__ void count_up(unsigned *count, int *a, int *out) {
  if (threadIdx.x == 1 && blockIdx.x == 2) {
    if (what == RESET) atomicExch(count, 0);
    if (what == RAISED) atomicMax(count, 2);
    if (what == STORED) atomicExch(count, 3);
    if (what == TWICE) atomicAdd(count, 1);
    if (what == WRAPS) atomicInc(count, 5);
  }
  if (threadIdx.x != 0) return;
  if (blockIdx.x != 0) {
    a[blockIdx.x] = 1; // expect-race
    __threadfence();
    atomicAdd(count, 1);
  } else {
    while (atomicAdd(count, 0) < 3) {
    }
    __threadfence();
    for (int i = 1; i < 4; i++)
      out[i] = a[i]; // expect-race
  }
}
__global__ void ok(unsigned *count, int *a, int *out) { count_up<NOTHING>(count, a, out); } // expect-clean
__global__ void reset_ok(unsigned *count, int *a, int *out) { count_up<RESET>(count, a, out); } // expect-clean
__global__ void raised_bad(unsigned *count, int *a, int *out) { count_up<RAISED>(count, a, out); }
__global__ void stored_bad(unsigned *count, int *a, int *out) { count_up<STORED>(count, a, out); }
__global__ void twice_bad(unsigned *count, int *a, int *out) { count_up<TWICE>(count, a, out); }
__global__ void wraps_bad(unsigned *count, int *a, int *out) { count_up<WRAPS>(count, a, out); }
