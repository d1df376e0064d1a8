// Readers count themselves in and out of a word, writers add a large number, and one thread of each block holds it alone if it finds 0 as it counts
// itself in. All count themselves out again (ok). Who holds it alone sets the word to 0 instead, and who has not come in leaves it as it is, so
// that a reader that is in counts the next holder out (bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict ok: race-free
//@ rule ok: lock
//@ verdict bad: racy
//@ known-undecided bad: that the word of a lock which is none is not enough for an order is not shown
template <bool forgets> __device__ void work(int *word, int *sum, int *looked, int *written) {
  if (threadIdx.x == 0) {
    bool alone = atomicAdd(word, 1) == 0;
    if (alone) {
      __threadfence();
      *sum += blockIdx.x;
      __threadfence();
    }
    if (!forgets) atomicSub(word, 1);
    if (forgets && alone) atomicExch(word, 0);
  } else if (threadIdx.x == 1) {
    while (atomicCAS(word, 0, 1000) != 0) {
    }
    __threadfence();
    *written += blockIdx.x;
    __threadfence();
    atomicSub(word, 1000);
  } else {
    if (atomicAdd(word, 1) < 1000) {
      __threadfence();
      looked[blockIdx.x * 64 + threadIdx.x] = 1;
      __threadfence();
      atomicSub(word, 1);
    } else if (!forgets) {
      atomicSub(word, 1);
    }
  }
}
__global__ void ok(int *word, int *sum, int *looked, int *written) { work<false>(word, sum, looked, written); } // expect-clean
__global__ void bad(int *word, int *sum, int *looked, int *written) { work<true>(word, sum, looked, written); }
