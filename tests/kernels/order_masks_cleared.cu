// A bit of a word that is a lock is cleared by who has set it: by an exclusive or (xor, ok), or as a number (sub, ok). The bit of the other
// lock of the word is turned (xor, bad), or taken off (sub, bad) as well; nobody knows whether the bit is set (unset, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict xor_ok: race-free
//@ rule xor_ok: lock
//@ verdict xor_bad: racy
//@ verdict sub_ok: race-free
//@ verdict sub_bad: racy
//@ verdict unset_bad: racy
enum { XOR, XOR_BOTH, SUB, SUB_BOTH, UNSET };

template <int how> __device__ void add(unsigned *word, int *sum) {
  unsigned bit = blockIdx.x & 1 ? 4 : 8;
  bool done = false;
  while (!done) {
    if (!(atomicOr(word, bit) & bit)) {
      __threadfence();
      sum[bit] += threadIdx.x; // expect-race
      __threadfence();
      if (how == XOR) atomicXor(word, bit);
      if (how == XOR_BOTH) atomicXor(word, 12u);
      if (how == SUB) atomicSub(word, bit);
      if (how == SUB_BOTH) atomicSub(word, 12u);
      done = true;
    }
    if (how == UNSET) atomicXor(word, bit);
  }
}
__global__ void xor_ok(unsigned *word, int *sum) { add<XOR>(word, sum); } // expect-clean
__global__ void xor_bad(unsigned *word, int *sum) { add<XOR_BOTH>(word, sum); }
__global__ void sub_ok(unsigned *word, int *sum) { add<SUB>(word, sum); } // expect-clean
__global__ void sub_bad(unsigned *word, int *sum) { add<SUB_BOTH>(word, sum); }
__global__ void unset_bad(unsigned *word, int *sum) { add<UNSET>(word, sum); }
