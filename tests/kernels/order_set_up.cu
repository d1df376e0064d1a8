// Words in shared memory hold anything until they are set up: on all ways of who comes to them.
// flag: by one thread, always (ok), under the condition that the wait stands under as well (both, ok), with all of it under that condition (inside, ok), under one that
// may not hold where somebody waits (bad), under a narrower one (narrow, bad), before a barrier of its warp only (warp, bad). array: a flag for each thread, set up by each (ok), by one in a loop (loop, ok).
// count, lock, opened: a counter, a lock whose tries only look for "taken", a lock that is taken at the start: always (ok), under a condition (bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict flag_ok: race-free
//@ verdict flag_both_ok: race-free
//@ verdict flag_inside_ok: race-free
//@ verdict flag_bad: racy
//@ verdict flag_narrow_bad: racy
//@ verdict flag_warp_bad: racy
//@ verdict array_ok: race-free
//@ verdict array_loop_ok: race-free
//@ verdict count_ok: race-free
//@ verdict count_bad: racy
//@ known-undecided count_bad: that a counter holds what nobody has set up is shown by no run
//@ verdict lock_ok: race-free
//@ verdict lock_bad: racy
//@ known-undecided lock_bad: that a lock holds what nobody has set up is shown by no run
//@ verdict opened_ok: race-free
//@ verdict opened_bad: racy
//@ known-undecided opened_bad: that a lock holds what nobody has set up is shown by no run

__device__ void tell(int *flag) {
  __threadfence();
  atomicExch(flag, 1);
}

__device__ void hear(int *flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
  __threadfence();
}

__global__ void flag_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1;
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x];
  }
}

__global__ void flag_both_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int flag;
  if (threadIdx.x == 0 && n > 5) flag = 0;
  __syncthreads();
  if (n <= 5) return;
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1;
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x];
  }
}

__global__ void flag_inside_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int flag;
  if (n > 5) {
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 1) {
      data[blockIdx.x] = 1;
      tell(&flag);
    } else if (threadIdx.x == 33) {
      hear(&flag);
      out[blockIdx.x] = data[blockIdx.x];
    }
  }
}

__global__ void flag_bad(int *data, int *out, int n) {
  __shared__ int flag;
  if (threadIdx.x == 0 && n > 5) flag = 0;
  __syncthreads();
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1; // expect-race {{cause=flag-not-set-up}}
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x]; // expect-race
  }
}

__global__ void flag_narrow_bad(int *data, int *out, int n) {
  __shared__ int flag;
  if (threadIdx.x == 0 && n > 5) flag = 0;
  __syncthreads();
  if (n <= 4) return;
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1; // expect-race {{cause=flag-not-set-up}}
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x]; // expect-race
  }
}

__global__ void flag_warp_bad(int *data, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0) atomicExch(&flag, 0);
  __syncwarp();
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1; // expect-race {{cause=flag-not-set-up}}
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x]; // expect-race
  }
}

__global__ void array_ok(int *data, int *out) { // expect-clean
  __shared__ int flags[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  flags[t] = 0;
  __syncthreads();
  data[i] = t;
  tell(&flags[t]);
  if (t > 0) {
    hear(&flags[t - 1]);
    out[i] = data[i - 1];
  }
}

__global__ void array_loop_ok(int *data, int *out) { // expect-clean
  __shared__ int flags[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t == 0)
    for (int k = 0; k < 64; k++)
      flags[k] = 0;
  __syncthreads();
  data[i] = t;
  tell(&flags[t]);
  if (t > 0) {
    hear(&flags[t - 1]);
    out[i] = data[i - 1];
  }
}

template <bool always> __device__ void count(int *data, int *out, int n) {
  __shared__ int done;
  if (threadIdx.x == 0 && (always || n > 5)) done = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[blockIdx.x * 32 + threadIdx.x] = 1;
    __threadfence();
    atomicAdd(&done, 1);
  } else if (threadIdx.x == 33) {
    while (atomicAdd(&done, 0) < 32) {
    }
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 32; i++)
      sum += data[blockIdx.x * 32 + i];
    out[blockIdx.x] = sum;
  }
}

__global__ void count_ok(int *data, int *out, int n) { count<true>(data, out, n); } // expect-clean
__global__ void count_bad(int *data, int *out, int n) { count<false>(data, out, n); }

template <bool always> __device__ void add_under_lock(int *sum, int n) {
  __shared__ int lock;
  if (threadIdx.x == 0 && (always || n > 5)) lock = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 1) {
    while (atomicCAS(&lock, 0, 1) == 1) {
    }
    __threadfence();
    sum[blockIdx.x] += 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

__global__ void lock_ok(int *sum, int n) { add_under_lock<true>(sum, n); } // expect-clean
__global__ void lock_bad(int *sum, int n) { add_under_lock<false>(sum, n); }

template <bool always> __device__ void add_when_open(int *sum, int n) {
  __shared__ int lock;
  if (threadIdx.x == 0 && (always || n > 5)) lock = 1;
  __syncthreads();
  if (threadIdx.x == 1) {
    atomicExch(&lock, 0); // expect-misuse {{cause=not-held}}
  } else if (threadIdx.x % 32 == 2) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    sum[blockIdx.x] += 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

__global__ void opened_ok(int *sum, int n) { add_when_open<true>(sum, n); } // expect-clean
__global__ void opened_bad(int *sum, int n) { add_when_open<false>(sum, n); }
