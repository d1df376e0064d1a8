// What sets up a word in shared memory: a write of it as a whole, whatever is there, that is surely made.
// flag, lock, count: by a store or an exchange (ok), by a compare-and-swap, which leaves what it does not expect (swap), by one of its bytes (byte),
// in a loop that goes round (loop_ok), that may not (loop), in a round that may not be (round), by a thread that is named (named_ok).
// array: as far as threads, or rounds, go (part, stride), by all of them (ok), by the first lane of each warp (warp_ok), of the first one (warp),
// by one thread in a loop (one_ok), that leaves out one (one), that may be left before (left), backwards (down_ok).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict flag_ok: race-free
//@ verdict flag_swap: racy
//@ verdict flag_byte: racy
//@ verdict flag_loop_ok: race-free
//@ verdict flag_loop: racy
//@ known-undecided flag_loop: whether a loop goes round is not asked for where a set-up is missed
//@ verdict flag_round: racy
//@ known-undecided flag_round: whether a round is gone is not asked for where a set-up is missed
//@ verdict flag_named_ok: race-free
//@ verdict array_ok: race-free
//@ verdict array_part: racy
//@ verdict array_stride_ok: race-free
//@ verdict array_stride: racy
//@ verdict array_warp_ok: race-free
//@ verdict array_warp: racy
//@ known-undecided array_warp: which words of an array are not set up is only said where none of those in question is
//@ verdict array_one_ok: race-free
//@ verdict array_one: racy
//@ known-undecided array_one: which words of an array are not set up is only said where none of those in question is
//@ verdict array_left: racy
//@ known-undecided array_left: which words of an array are not set up is only said where none of those in question is
//@ verdict array_down_ok: race-free
//@ verdict array_halves_ok: race-free
//@ known-undecided array_halves_ok: of several stores each one by itself is asked whether it sets the word up
//@ verdict lock_ok: race-free
//@ verdict lock_swap: racy
//@ known-undecided lock_swap: that a lock holds what nobody has set up is shown by no run
//@ verdict lock_loop_ok: race-free
//@ verdict lock_loop: racy
//@ known-undecided lock_loop: that a lock holds what nobody has set up is shown by no run
//@ verdict count_ok: race-free
//@ verdict count_swap: racy
//@ known-undecided count_swap: that a counter holds what nobody has set up is shown by no run
//@ verdict count_loop_ok: race-free
//@ verdict count_loop: racy
//@ known-undecided count_loop: that a counter holds what nobody has set up is shown by no run

__device__ void tell(int *flag) {
  __threadfence();
  atomicExch(flag, 1);
}

__device__ void hear(int *flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
  __threadfence();
}

__global__ void flag_ok(int *data, int *out) { // expect-clean
  __shared__ int flag;
  if (threadIdx.x == 0) atomicExch(&flag, 0);
  __syncthreads();
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1;
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x];
  }
}

__global__ void flag_swap(int *data, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0) atomicCAS(&flag, 7, 0);
  __syncthreads();
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1; // expect-race {{cause=flag-not-set-up}}
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x]; // expect-race
  }
}

__global__ void flag_byte(int *data, int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0) *(char *)&flag = 0;
  __syncthreads();
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1; // expect-race {{cause=flag-not-set-up}}
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x]; // expect-race
  }
}

__global__ void flag_loop_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int flag;
  for (int j = 0; j < 3; j++)
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

__global__ void flag_loop(int *data, int *out, int n) {
  __shared__ int flag;
  for (int j = 0; j < n; j++)
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

__global__ void flag_round(int *data, int *out, int n) {
  __shared__ int flag;
  for (int j = 0; j < 3; j++)
    if (threadIdx.x == 0 && j == n) flag = 0;
  __syncthreads();
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1;
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x];
  }
}

__global__ void flag_named_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int flag;
  if (threadIdx.x == 5) flag = 0;
  __syncthreads();
  if (threadIdx.x == 1) {
    data[blockIdx.x] = 1;
    tell(&flag);
  } else if (threadIdx.x == 33) {
    hear(&flag);
    out[blockIdx.x] = data[blockIdx.x];
  }
}

__global__ void array_ok(int *data, int *out) { // expect-clean
  __shared__ int flags[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t < 64) flags[t] = 0;
  __syncthreads();
  if (t < 32) {
    data[i] = t;
    tell(&flags[t + 32]);
  } else {
    hear(&flags[t]);
    out[i] = data[i - 32];
  }
}

__global__ void array_part(int *data, int *out) {
  __shared__ int flags[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t < 32) flags[t] = 0;
  __syncthreads();
  if (t < 32) {
    data[i] = t; // expect-race {{cause=flag-not-set-up}}
    tell(&flags[t + 32]);
  } else {
    hear(&flags[t]);
    out[i] = data[i - 32]; // expect-race
  }
}

__global__ void array_stride_ok(int *data, int *out) { // expect-clean
  __shared__ int flags[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int j = t; j < 64; j += blockDim.x)
    flags[j] = 0;
  __syncthreads();
  if (t < 32) {
    data[i] = t;
    tell(&flags[t + 32]);
  } else {
    hear(&flags[t]);
    out[i] = data[i - 32];
  }
}

__global__ void array_stride(int *data, int *out) {
  __shared__ int flags[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  for (int j = t; j < 32; j += blockDim.x)
    flags[j] = 0;
  __syncthreads();
  if (t < 32) {
    data[i] = t; // expect-race {{cause=flag-not-set-up}}
    tell(&flags[t + 32]);
  } else {
    hear(&flags[t]);
    out[i] = data[i - 32]; // expect-race
  }
}

__global__ void array_warp_ok(int *data, int *out) { // expect-clean
  __shared__ int flags[2];
  int t = threadIdx.x, w = t / 32, i = blockIdx.x * 2 + w;
  if (t % 32 == 0) flags[w] = 0;
  __syncthreads();
  if (t % 32 == 1) {
    data[i] = t;
    tell(&flags[w]);
  } else if (t % 32 == 2) {
    hear(&flags[w]);
    out[i] = data[i];
  }
}

__global__ void array_warp(int *data, int *out) {
  __shared__ int flags[2];
  int t = threadIdx.x, w = t / 32, i = blockIdx.x * 2 + w;
  if (t % 32 == 0 && w == 0) flags[w] = 0;
  __syncthreads();
  if (t % 32 == 1) {
    data[i] = t;
    tell(&flags[w]);
  } else if (t % 32 == 2) {
    hear(&flags[w]);
    out[i] = data[i];
  }
}

__device__ void shift(int *data, int *out, int *flags) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __syncthreads();
  data[i] = t;
  tell(&flags[t]);
  if (t > 0) {
    hear(&flags[t - 1]);
    out[i] = data[i - 1];
  }
}

__global__ void array_one_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int flags[64];
  if (threadIdx.x == 0)
    for (int k = 0; k < 64; k++)
      flags[k] = 0;
  shift(data, out, flags);
}

__global__ void array_one(int *data, int *out, int n) {
  __shared__ int flags[64];
  if (threadIdx.x == 0)
    for (int k = 1; k < 64; k++)
      flags[k] = 0;
  shift(data, out, flags);
}

__global__ void array_left(int *data, int *out, int n) {
  __shared__ int flags[64];
  if (threadIdx.x == 0)
    for (int k = 0; k < 64; k++) {
      if (k == n) break;
      flags[k] = 0;
    }
  shift(data, out, flags);
}

__global__ void array_down_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int flags[64];
  if (threadIdx.x == 0)
    for (int k = 63; k >= 0; k--)
      flags[k] = 0;
  shift(data, out, flags);
}

__global__ void array_halves_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int flags[64];
  if (threadIdx.x < 32) {
    flags[threadIdx.x] = 0;
    flags[threadIdx.x + 32] = 0;
  }
  shift(data, out, flags);
}

__device__ void add_under_lock(int *sum, int *lock) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) == 1) {
    }
    __threadfence();
    sum[blockIdx.x] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void lock_ok(int *sum) { // expect-clean
  __shared__ int lock;
  if (threadIdx.x == 0) atomicExch(&lock, 0);
  __syncthreads();
  add_under_lock(sum, &lock);
}

__global__ void lock_swap(int *sum) {
  __shared__ int lock;
  if (threadIdx.x == 0) atomicCAS(&lock, 7, 0);
  __syncthreads();
  add_under_lock(sum, &lock);
}

__global__ void lock_loop_ok(int *sum, int n) { // expect-clean
  __shared__ int lock;
  for (int j = 0; j < 3; j++)
    if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  add_under_lock(sum, &lock);
}

__global__ void lock_loop(int *sum, int n) {
  __shared__ int lock;
  for (int j = 0; j < n; j++)
    if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  add_under_lock(sum, &lock);
}

__device__ void add_if_first(int *sum, int *count) {
  if (atomicAdd(count, 1) == 0) {
    __threadfence();
    sum[blockIdx.x] += 1;
    __threadfence();
  }
  atomicSub(count, 1);
}

__global__ void count_ok(int *sum) { // expect-clean
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  add_if_first(sum, &count);
}

__global__ void count_swap(int *sum) {
  __shared__ int count;
  if (threadIdx.x == 0) atomicCAS(&count, 7, 0);
  __syncthreads();
  add_if_first(sum, &count);
}

__device__ void sum_up(int *data, int *out, int *count) {
  data[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __threadfence();
  if (atomicAdd(count, 1) == 63) {
    __threadfence();
    for (int j = 0; j < 64; j++)
      out[blockIdx.x] += data[blockIdx.x * 64 + j];
  }
}

__global__ void count_loop_ok(int *data, int *out, int n) { // expect-clean
  __shared__ int count;
  for (int j = 0; j < 3; j++)
    if (threadIdx.x == 0) count = 0;
  __syncthreads();
  sum_up(data, out, &count);
}

__global__ void count_loop(int *data, int *out, int n) {
  __shared__ int count;
  for (int j = 0; j < n; j++)
    if (threadIdx.x == 0) count = 0;
  __syncthreads();
  sum_up(data, out, &count);
}
