// Flags in bits of one word: who has written sets a bit of its own with an atomic or; another one waits.
// all: until eight blocks have set theirs (ok); for all bits but the last (bad). one: for the bit of the block whose word is read (ok), for
// that of another one (bad). beside: each block waits for the bit of the one before (ok), without the writers' fence (bad).
// either: for one of two bits, whichever (bad), for both (ok). shared: a second block sets the bit as well (bad).
// narrow: one of those who set bits reaches its own block only (bad).
// gathered: one block waits until all bits are set and tells the others by a flag (ok); it waits for two of three bits (some, bad), has no fence between
// (fence, bad), a bit is set a second time by who has not written (twice, bad), one of the bits is set before the write (early, bad), or it sets a
// bit itself first (own, ok).
// twice: a thread of the block sets its bit, then another one, behind the write (ok), before it (bad).
//@ verdict all_ok: race-free
//@ verdict all_bad: racy
//@ verdict one_ok: race-free
//@ rule one_ok: bit-flag !flag
//@ verdict one_bad: racy
//@ verdict beside_ok: race-free
//@ verdict beside_bad: racy
//@ verdict both_ok: race-free
//@ verdict either_bad: racy
//@ verdict shared_bad: racy
//@ verdict narrow_bad: racy
//@ verdict gathered_ok: race-free
//@ verdict gathered_own_ok: race-free
//@ verdict gathered_some_bad: racy
//@ verdict gathered_fence_bad: racy
//@ verdict gathered_twice_bad: racy
//@ verdict gathered_early_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
__device__ int wait_for(int *word, int mask, int wanted) {
  while ((atomicAdd(word, 0) & mask) != wanted) {
  }
  __threadfence();
  return 0;
}

__global__ void all_ok(int *word, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0 || blockIdx.x > 3)
    return;
  if (blockIdx.x < 3) {
    a[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicOr(word, 1 << blockIdx.x);
  } else {
    while (atomicAdd(word, 0) != 7) {
    }
    __threadfence();
    for (int i = 0; i < 3; i++)
      out[i] = a[i];
  }
}

__global__ void all_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0 || blockIdx.x > 3)
    return;
  if (blockIdx.x < 3) {
    a[blockIdx.x] = blockIdx.x; // expect-race[all]
    __threadfence();
    atomicOr(word, 1 << blockIdx.x);
  } else {
    while (atomicAdd(word, 0) != 3) {
    }
    __threadfence();
    for (int i = 0; i < 3; i++)
      out[i] = a[i]; // expect-race[all]
  }
}

__global__ void one_ok(int *word, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0 || blockIdx.x > 9)
    return;
  if (blockIdx.x < 8) {
    a[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicOr(word, 1 << blockIdx.x);
  } else {
    while ((atomicAdd(word, 0) & 2) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = a[1];
  }
}

__global__ void one_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0 || blockIdx.x > 3)
    return;
  if (blockIdx.x < 3) {
    a[blockIdx.x] = blockIdx.x; // expect-race[one]
    __threadfence();
    atomicOr(word, 1 << blockIdx.x);
  } else {
    while ((atomicAdd(word, 0) & 2) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = a[0]; // expect-race[one]
  }
}

__global__ void beside_ok(int *word, int *a, int *out) { // expect-clean
  if (blockIdx.x > 31)
    return;
  a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicOr(word, 1 << blockIdx.x);
    if (blockIdx.x > 0)
      while ((atomicAdd(word, 0) & (1 << (blockIdx.x - 1))) == 0) {
      }
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x > 0)
    out[blockIdx.x * blockDim.x + threadIdx.x] = a[(blockIdx.x - 1) * blockDim.x + threadIdx.x];
}

__global__ void beside_bad(int *word, int *a, int *out) {
  if (blockIdx.x > 31)
    return;
  a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[beside]
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicOr(word, 1 << blockIdx.x);
    if (blockIdx.x > 0)
      while ((atomicAdd(word, 0) & (1 << (blockIdx.x - 1))) == 0) {
      }
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x > 0)
    out[blockIdx.x * blockDim.x + threadIdx.x] = // the line below is the read
        a[(blockIdx.x - 1) * blockDim.x + threadIdx.x]; // expect-race[beside]
}

__global__ void both_ok(int *word, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0 || blockIdx.x > 3)
    return;
  if (blockIdx.x < 2) {
    a[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicOr(word, blockIdx.x == 0 ? 1 : 2);
  } else {
    out[blockIdx.x] = wait_for(word, 3, 3);
    out[blockIdx.x] = a[0] + a[1];
  }
}

__global__ void either_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0 || blockIdx.x > 3)
    return;
  if (blockIdx.x < 2) {
    a[blockIdx.x] = blockIdx.x; // expect-race[either]
    __threadfence();
    atomicOr(word, blockIdx.x == 0 ? 1 : 2);
  } else {
    while ((atomicAdd(word, 0) & 3) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = a[0] + a[1]; // expect-race[either]
  }
}

__global__ void shared_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0 || blockIdx.x > 3)
    return;
  if (blockIdx.x < 2) {
    a[blockIdx.x] = blockIdx.x; // expect-race[shared]
    __threadfence();
    atomicOr(word, blockIdx.x == 0 ? 1 : 3);
  } else {
    out[blockIdx.x] = wait_for(word, 3, 3);
    out[blockIdx.x] = a[0] + a[1]; // expect-race[shared]
  }
}

__global__ void narrow_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0 || blockIdx.x > 3)
    return;
  if (blockIdx.x == 0) {
    a[0] = 1; // expect-race[narrow] {{cause=insufficient-scope-atomic}}
    __threadfence();
    atomicOr_block(word, 1); // expect-race[word] {{cause=insufficient-scope-atomic}}
  } else {
    while ((atomicAdd(word, 0) & 1) == 0) { // expect-race[word]
    }
    __threadfence();
    out[blockIdx.x] = a[0]; // expect-race[narrow]
  }
}

enum { NOTHING, OWN, SOME, FENCE, TWICE, EARLY };

template <int wrong> __device__ void gathered(int *word, int *flag, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x < 3) {
    if (wrong == EARLY)
      atomicOr(word, 1 << blockIdx.x);
    a[blockIdx.x] = blockIdx.x; // expect-race
    __threadfence();
    if (wrong != EARLY)
      atomicOr(word, 1 << blockIdx.x);
  } else if (blockIdx.x == 3) {
    if (wrong == OWN)
      atomicOr(word, 8);
    while ((atomicAdd(word, 0) & (wrong == SOME ? 3 : 7)) != (wrong == SOME ? 3 : 7)) {
    }
    if (wrong != FENCE)
      __threadfence();
    atomicExch(flag, 1);
  } else {
    if (wrong == TWICE)
      atomicOr(word, 1);
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    for (int i = 0; i < 3; i++)
      out[3 * blockIdx.x + i] = a[i]; // expect-race
  }
}
__global__ void gathered_ok(int *word, int *flag, int *a, int *out) { gathered<NOTHING>(word, flag, a, out); } // expect-clean
__global__ void gathered_own_ok(int *word, int *flag, int *a, int *out) { gathered<OWN>(word, flag, a, out); } // expect-clean
__global__ void gathered_some_bad(int *word, int *flag, int *a, int *out) { gathered<SOME>(word, flag, a, out); }
__global__ void gathered_fence_bad(int *word, int *flag, int *a, int *out) { gathered<FENCE>(word, flag, a, out); }
__global__ void gathered_twice_bad(int *word, int *flag, int *a, int *out) { gathered<TWICE>(word, flag, a, out); }
__global__ void gathered_early_bad(int *word, int *flag, int *a, int *out) { gathered<EARLY>(word, flag, a, out); }

template <bool is_early> __device__ void twice(int *word, int *a, int *out) {
  if (is_early && threadIdx.x == 0) {
    atomicOr(&word[blockIdx.x], 1);
    atomicOr(&word[blockIdx.x], 2);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    a[blockIdx.x] = 1; // expect-race
    __threadfence();
    if (!is_early) {
      atomicOr(&word[blockIdx.x], 1);
      atomicOr(&word[blockIdx.x], 2);
    }
  } else if (threadIdx.x == 32) {
    while ((atomicAdd(&word[blockIdx.x], 0) & 1) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = a[blockIdx.x]; // expect-race
  }
}
__global__ void twice_ok(int *word, int *a, int *out) { twice<false>(word, a, out); } // expect-clean
__global__ void twice_bad(int *word, int *a, int *out) { twice<true>(word, a, out); }
