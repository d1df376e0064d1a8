// The leader waits, a barrier follows, and the others go on: they know what the leader has waited for, which is not what they would have
// waited for with numbers of their own.
// value: until the flag is 1 (ok), until it is the leader's own number, 0 (bad). bits: until the bit is set that the first block sets
// (ok), until that of the leader's own number is (bad). round: until the left block has come to this round (ok), to the leader's number times that (bad).
// words: at a word for each round of a loop, of which only the first is waited for (ok).
// gone: the number hangs on how often a thread has gone round a loop before, the leader less often than another one (bad).
// inner: for the numbers of a loop that may have one round only (bad), up to 1 (ok).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict value_ok: race-free
//@ rule value_ok: flag atomic
//@ verdict value_bad: racy
//@ verdict bits_ok: race-free
//@ rule bits_ok: bit-flag !flag
//@ verdict bits_bad: racy
//@ verdict round_ok: race-free
//@ verdict round_bad: racy
//@ verdict inner_ok: race-free
//@ known-undecided inner_ok: the wait may have been gone round any number of times
//@ verdict inner_bad: racy
//@ verdict words_ok: race-free
//@ known-undecided words_ok: in which round a loop has waited is not followed
//@ verdict gone_bad: racy

__device__ void fill(int *a) {
  a[threadIdx.x] = threadIdx.x; // expect-race[data]
  __threadfence();
  __syncthreads();
}

// By all but the leader.
__device__ void use(const int *a, int *out) {
  __syncthreads();
  __threadfence();
  if (threadIdx.x == 1)
    out[0] = a[1]; // expect-race[data]
}

__device__ void reach(int *flag, int least) {
  while (atomicAdd(flag, 0) != least) {
  }
}

__global__ void value_ok(int *flag, int *a, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    fill(a);
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0)
      reach(flag, 1);
    use(a, out);
  }
}

__global__ void value_bad(int *flag, int *a, int *out) {
  if (blockIdx.x == 0) {
    fill(a);
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0)
      reach(flag, threadIdx.x);
    use(a, out);
  }
}

__device__ void reach_bit(int *flag, int bit) {
  while ((atomicAdd(flag, 0) & bit) == 0) {
  }
}

__global__ void bits_ok(int *flag, int *a, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    fill(a);
    if (threadIdx.x == 0)
      atomicOr(flag, 2);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0)
      atomicOr(flag, 1);
  } else if (blockIdx.x == 2) {
    if (threadIdx.x == 0)
      reach_bit(flag, 2);
    use(a, out);
  }
}

__global__ void bits_bad(int *flag, int *a, int *out) {
  if (blockIdx.x == 0) {
    fill(a);
    if (threadIdx.x == 0)
      atomicOr(flag, 2);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0)
      atomicOr(flag, 1);
  } else if (blockIdx.x == 2) {
    if (threadIdx.x == 0)
      reach_bit(flag, 1 << threadIdx.x);
    use(a, out);
  }
}

__device__ void round_with(int *flags, int *a, int *out, int k, int least) {
  int t = threadIdx.x, b = blockIdx.x;
  a[(k * gridDim.x + b) * 64 + t] = k; // expect-race[round]
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicExch(flags + b, k + 1);
    if (b > 0)
      while (atomicAdd(flags + b - 1, 0) < least) {
      }
    __threadfence();
  }
  __syncthreads();
  if (t > 0 && b > 0)
    out[b * 64 + t] = a[(k * gridDim.x + b - 1) * 64 + t]; // expect-race[round]
}

__global__ void round_ok(int *flags, int *a, int *out, int n) { // expect-clean
  for (int k = 0; k < n; k++)
    round_with(flags, a, out, k, k + 1);
}

__global__ void round_bad(int *flags, int *a, int *out, int n) {
  for (int k = 0; k < n; k++)
    round_with(flags, a, out, k, (k + 1) * threadIdx.x);
}

__global__ void inner_ok(int *flag, int *a, int *out, int n) { // expect-clean
  if (blockIdx.x == 0) {
    fill(a);
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < 2; i++)
      if (threadIdx.x == 0)
        while (atomicAdd(flag, 0) < i) {
        }
    use(a, out);
  }
}

__global__ void inner_bad(int *flag, int *a, int *out, int n) {
  if (blockIdx.x == 0) {
    fill(a);
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++)
      if (threadIdx.x == 0)
        while (atomicAdd(flag, 0) < i) {
        }
    use(a, out);
  }
}

// Waits in another round than the last one, at another word.
__global__ void words_ok(int *flags, int *a, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    fill(a);
    if (threadIdx.x == 0)
      atomicExch(flags, 1);
  } else if (blockIdx.x == 1) {
    int i = 0;
    do {
      while (atomicAdd(flags + i, 0) < 1 - i) {
      }
    } while (++i < 2);
    use(a, out);
  }
}

__global__ void gone_bad(int *flag, int *a, const int *in, int *out) {
  int rounds = 0;
  if (blockIdx.x == 0) {
    fill(a);
    if (threadIdx.x == 0)
      atomicExch(flag, 1);
    return;
  }
  for (; rounds < 1; rounds++)
    if (in[threadIdx.x] == 7)
      break;
  if (threadIdx.x == 0)
    reach(flag, rounds);
  __syncthreads();
  __threadfence();
  if (rounds == 1)
    out[threadIdx.x] = a[threadIdx.x]; // expect-race[data]
}
