// What a strong read returned is looked at later: in a variable that goes from round to round of the wait, or by a vote of the block
// to which only the leader brings what it has read.
// flag: until the flag is up, by a variable (ok); the variable holds what is waited for from the beginning (bad).
// turn: the variable holds the turn (ok); it is passed on in the round in which it comes, and the work follows (bad).
// sum: a semaphore, read before the wait and by it (ok); passed on before the work (early), turns that several blocks have (bad).
// read: what was read first is of another word (bad), the later reads acquire nothing (relaxed, bad).
// voted: somebody brings the flag (ok), all have seen it, where the others bring what is as it should be (all, ok);
// others than the leader bring it without having read anything (bad); it is not up (down, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict flag_ok: race-free
//@ verdict flag_bad: racy
//@ verdict turn_ok: race-free
//@ verdict turn_bad: racy
//@ verdict sum_ok: race-free
//@ verdict sum_early_bad: racy
//@ verdict sum_bad: racy
//@ verdict read_ok: race-free
//@ verdict read_bad: racy
//@ verdict read_relaxed_bad: racy
//@ verdict voted_ok: race-free
//@ verdict voted_all_ok: race-free
//@ verdict voted_bad: racy
//@ verdict voted_down_bad: racy

__device__ int acquire(const int *word) {
  int value;
  asm volatile("ld.global.acquire.gpu.b32 %0, [%1];\n" : "=r"(value) : "l"(word));
  return value;
}

__device__ int relaxed(const int *word) {
  int value;
  asm volatile("ld.global.relaxed.gpu.b32 %0, [%1];\n" : "=r"(value) : "l"(word));
  return value;
}

__device__ void release(int *word, int value) {
  asm volatile("st.global.release.gpu.b32 [%0], %1;\n" : : "l"(word), "r"(value));
}

// By the threads of one block, whose leader tells.
__device__ void fill(int *flag, int *a) {
  a[threadIdx.x] = threadIdx.x; // expect-race[data]
  __syncthreads();
  if (threadIdx.x == 0) release(flag, 1);
}

__device__ void use(const int *a, int *out) {
  out[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x ^ 1]; // expect-race[data]
}

__global__ void flag_ok(int *flag, int *a, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    fill(flag, a);
    return;
  }
  for (int seen = 0; seen != 1;)
    seen = acquire(flag);
  use(a, out);
}

__global__ void flag_bad(int *flag, int *a, int *out) {
  if (blockIdx.x == 0) {
    fill(flag, a);
    return;
  }
  for (int seen = 1; seen != 1;)
    seen = acquire(flag);
  use(a, out);
}

__global__ void turn_ok(int *turn, int *sum) { // expect-clean
  if (threadIdx.x != 0) return;
  for (int state = -1; state != blockIdx.x;)
    state = acquire(turn);
  sum[0]++;
  release(turn, blockIdx.x + 1);
}

__global__ void turn_bad(int *turn, int *sum) {
  if (threadIdx.x != 0) return;
  for (int state = -1; state != blockIdx.x;) {
    state = acquire(turn);
    if (state == blockIdx.x) release(turn, blockIdx.x + 1);
  }
  sum[0]++; // expect-race
}

struct Semaphore {
  int *word;
  int state;

  __device__ Semaphore(int *word) : word(word), state(-1) {}
  __device__ void fetch() {
    if (threadIdx.x == 0) state = acquire(word);
  }
  __device__ void wait(int status) {
    while (__syncthreads_and(state != status))
      fetch();
    __syncthreads();
  }
  __device__ void pass(int status) {
    __syncthreads();
    if (threadIdx.x == 0) release(word, status);
  }
};

__global__ void sum_ok(int *word, float *sum) { // expect-clean
  Semaphore semaphore(word);
  semaphore.fetch();
  semaphore.wait(blockIdx.x);
  sum[threadIdx.x] += 1.0f;
  semaphore.pass(blockIdx.x == gridDim.x - 1 ? 0 : blockIdx.x + 1);
}

__global__ void sum_early_bad(int *word, float *sum) {
  Semaphore semaphore(word);
  semaphore.fetch();
  semaphore.wait(blockIdx.x);
  semaphore.pass(blockIdx.x == gridDim.x - 1 ? 0 : blockIdx.x + 1);
  sum[threadIdx.x] += 1.0f; // expect-race
}

__global__ void sum_bad(int *word, float *sum) {
  Semaphore semaphore(word);
  semaphore.fetch();
  semaphore.wait(blockIdx.x / 2);
  sum[threadIdx.x] += 1.0f; // expect-race
  semaphore.pass(blockIdx.x == gridDim.x - 1 ? 0 : blockIdx.x / 2 + 1);
}

__global__ void read_ok(int *flag, int *a, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    fill(flag, a);
    return;
  }
  int seen = threadIdx.x == 0 ? acquire(flag) : 0;
  while (__syncthreads_and(seen != 1))
    if (threadIdx.x == 0) seen = acquire(flag);
  use(a, out);
}

__global__ void read_bad(int *flag, int *a, int *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) release(flag + 1, 1);
    fill(flag, a);
    return;
  }
  int seen = threadIdx.x == 0 ? acquire(flag + 1) : 0;
  while (__syncthreads_and(seen != 1))
    if (threadIdx.x == 0) seen = acquire(flag);
  use(a, out);
}

__global__ void read_relaxed_bad(int *flag, int *a, int *out) {
  if (blockIdx.x == 0) {
    fill(flag, a);
    return;
  }
  int seen = threadIdx.x == 0 ? acquire(flag) : 0;
  while (__syncthreads_and(seen != 1))
    if (threadIdx.x == 0) seen = relaxed(flag);
  use(a, out);
}

__global__ void voted_ok(int *flag, int *a, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    fill(flag, a);
    return;
  }
  bool is_up = false;
  while (!__syncthreads_or(is_up))
    if (threadIdx.x == 0) is_up = acquire(flag) == 1;
  use(a, out);
}

__global__ void voted_all_ok(int *flag, int *a, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    fill(flag, a);
    return;
  }
  bool is_up = threadIdx.x != 0;
  while (!__syncthreads_and(is_up))
    if (threadIdx.x == 0) is_up = acquire(flag) == 1;
  use(a, out);
}

__global__ void voted_bad(int *flag, int *a, int *out) {
  if (blockIdx.x == 0) {
    fill(flag, a);
    return;
  }
  bool is_up = threadIdx.x == 5;
  while (!__syncthreads_or(is_up))
    if (threadIdx.x == 0) is_up = acquire(flag) == 1;
  use(a, out);
}

__global__ void voted_down_bad(int *flag, int *a, int *out) {
  if (blockIdx.x == 0) {
    fill(flag, a);
    return;
  }
  bool is_up = false;
  while (!__syncthreads_or(is_up))
    if (threadIdx.x == 0) is_up = acquire(flag) == 0;
  use(a, out);
}
