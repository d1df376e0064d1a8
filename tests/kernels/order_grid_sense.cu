// Barriers of the grid at several places of a kernel, which share counter and generation or sense. `around` passes one before others
// read and one before they are written again (ok).
// generation: read anew each time (ok); kept from before the first barrier, so that the second one is no barrier (bad); the counter is
// not set back, and any number from the last one on counts as the last (bad).
// sense: each leader turns its own before each barrier (ok), as a truth value (ok), with one barrier more in some rounds (ok); it begins
// with the wrong sense (bad), or turns it for one of the two barriers only (bad).
// number: each leader counts its own barriers (ok), but waits for the number before (bad).
// plain: the last one sets the counter back by a plain store, with a fence before it turns the shared sense (ok); without that fence (bad);
// when it has turned it (bad).
//@ verdict plain_ok: race-free
//@ verdict plain_fence_bad: racy
//@ verdict plain_late_bad: racy
//@ verdict generation_ok: race-free
//@ rule generation_ok: generation !flag
//@ verdict generation_kept_bad: racy
//@ verdict generation_full_bad: racy
//@ verdict sense_ok: race-free
//@ verdict sense_truth_ok: race-free
//@ verdict sense_more_ok: race-free
//@ verdict sense_begin_bad: racy
//@ verdict sense_once_bad: racy
//@ verdict number_ok: race-free
//@ verdict number_bad: racy
__device__ void meet_by_generation(int *count, int *generation, bool is_reset) {
  __syncthreads();
  if (threadIdx.x == 0) {
    int now = atomicAdd(generation, 0);
    __threadfence();
    int old = atomicAdd(count, 1);
    __threadfence();
    if (is_reset ? old == gridDim.x - 1 : old >= gridDim.x - 1) {
      if (is_reset)
        atomicExch(count, 0);
      __threadfence();
      atomicExch(generation, now + 1);
    } else {
      while (atomicAdd(generation, 0) == now) {
      }
      __threadfence();
    }
  }
  __syncthreads();
}

__device__ void meet_by_sense(int *count, int *sense, int mine) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    int old = atomicAdd(count, 1);
    __threadfence();
    if (old == gridDim.x - 1) {
      atomicExch(count, 0);
      __threadfence();
      atomicExch(sense, mine);
    } else {
      while (atomicAdd(sense, 0) != mine) {
      }
      __threadfence();
    }
  }
  __syncthreads();
}

#define HERE (blockIdx.x * blockDim.x + threadIdx.x)
#define THERE ((blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x)

__global__ void generation_ok(int *count, int *word, int *a, int *out, int n) { // expect-clean
  for (int k = 0; k < n; k++) {
    a[HERE] = k;
    meet_by_generation(count, word, true);
    out[HERE] += a[THERE];
    meet_by_generation(count, word, true);
  }
}

__global__ void generation_kept_bad(int *count, int *word, int *a, int *out) {
  int now = 0;
  if (threadIdx.x == 0)
    now = atomicAdd(word, 0);
  meet_by_generation(count, word, true);
  a[HERE] = 1; // expect-race[kept]
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      atomicExch(count, 0);
      __threadfence();
      atomicExch(word, now + 2);
    } else {
      while (atomicAdd(word, 0) == now) {
      }
    }
    __threadfence();
  }
  __syncthreads();
  out[HERE] = a[THERE]; // expect-race[kept]
}

__global__ void generation_full_bad(int *count, int *word, int *a, int *out, int n) {
  for (int k = 0; k < n; k++) {
    a[HERE] = k; // expect-race[full]
    meet_by_generation(count, word, false);
    out[HERE] += a[THERE]; // expect-race[full]
    meet_by_generation(count, word, false);
  }
}

__global__ void sense_ok(int *count, int *word, int *a, int *out, int n) { // expect-clean
  int mine = 0;
  for (int k = 0; k < n; k++) {
    a[HERE] = k;
    meet_by_sense(count, word, mine = 1 - mine);
    out[HERE] += a[THERE];
    meet_by_sense(count, word, mine = 1 - mine);
  }
}

__global__ void sense_truth_ok(int *count, int *word, int *a, int *out, int n) { // expect-clean
  bool mine = false;
  while (n > 1) {
    a[HERE] = n;
    mine = !mine;
    meet_by_sense(count, word, mine);
    out[HERE] += a[THERE];
    mine = !mine;
    meet_by_sense(count, word, mine);
    n = n % 2 ? 3 * n + 1 : n / 2;
  }
}

__global__ void sense_more_ok(int *count, int *word, int *a, int *out, int n) { // expect-clean
  int mine = 0;
  for (int k = 0; k < n; k++) {
    a[HERE] = k;
    meet_by_sense(count, word, mine ^= 1);
    out[HERE] += a[THERE];
    if (k & 1)
      meet_by_sense(count, word, mine ^= 1);
    meet_by_sense(count, word, mine ^= 1);
  }
}

__global__ void sense_begin_bad(int *count, int *word, int *a, int *out, int n) {
  int mine = 1;
  for (int k = 0; k < n; k++) {
    a[HERE] = k; // expect-race[begin]
    meet_by_sense(count, word, mine = 1 - mine);
    out[HERE] += a[THERE]; // expect-race[begin]
    meet_by_sense(count, word, mine = 1 - mine);
  }
}

__global__ void sense_once_bad(int *count, int *word, int *a, int *out, int n) {
  int mine = 0;
  for (int k = 0; k < n; k++) {
    a[HERE] = k; // expect-race[once]
    meet_by_sense(count, word, mine = 1 - mine);
    out[HERE] += a[THERE]; // expect-race[once]
    meet_by_sense(count, word, mine);
  }
}

__global__ void number_ok(int *count, int *word, int *a, int *out, int n) { // expect-clean
  int number = 0;
  for (int k = 0; k < n; k++) {
    a[HERE] = k;
    meet_by_sense(count, word, ++number);
    out[HERE] += a[THERE];
    meet_by_sense(count, word, ++number);
  }
}

__global__ void number_bad(int *count, int *word, int *a, int *out, int n) {
  int number = -1;
  for (int k = 0; k < n; k++) {
    a[HERE] = k; // expect-race[number]
    meet_by_sense(count, word, ++number);
    out[HERE] += a[THERE]; // expect-race[number]
    meet_by_sense(count, word, ++number);
  }
}

template <bool FENCE, bool LATE> __device__ void meet_plain(unsigned *count, volatile int *sense, int mine) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) { // expect-race[reset] expect-race[late]
      __threadfence();
      if (!LATE)
        *count = 0; // expect-race[reset] expect-note {{same-value}}
      if (FENCE)
        __threadfence();
      *sense = mine;
      if (LATE)
        *count = 0; // expect-race[late] expect-note {{same-value}}
    } else {
      while (*sense != mine) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

template <bool FENCE, bool LATE> __device__ void rounds(unsigned *count, int *sense, int *a, int *out, int n) {
  int mine = 0;
  for (int k = 0; k < n; k++) {
    a[HERE] = k;
    meet_plain<FENCE, LATE>(count, sense, mine = 1 - mine);
    out[HERE] += a[THERE];
    meet_plain<FENCE, LATE>(count, sense, mine = 1 - mine);
  }
}

__global__ void plain_ok(unsigned *count, int *sense, int *a, int *out, int n) { // expect-clean
  rounds<true, false>(count, sense, a, out, n);
}
__global__ void plain_fence_bad(unsigned *count, int *sense, int *a, int *out, int n) {
  rounds<false, false>(count, sense, a, out, n);
}
__global__ void plain_late_bad(unsigned *count, int *sense, int *a, int *out, int n) {
  rounds<true, true>(count, sense, a, out, n);
}
