// What sets up a word in shared memory: a write of it as a whole, whatever is there, that is surely made.
// flag, lock, count: by a store or an exchange (ok), by a compare-and-swap, which leaves what it does not expect (swap), by one of its bytes (byte).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict flag_ok: race-free
//@ verdict flag_swap: racy
//@ verdict flag_byte: racy
//@ verdict lock_ok: race-free
//@ verdict lock_swap: racy
//@ known-undecided lock_swap: that a lock holds what nobody has set up is shown by no run
//@ verdict count_ok: race-free
//@ verdict count_swap: racy
//@ known-undecided count_swap: that a counter holds what nobody has set up is shown by no run

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
