// Warps tell each other by flags: the first lane waits, and raises the flag of its warp, behind barriers of the warp; all of its lanes know what it
// has waited for. chain: each warp of the grid waits for the one before it (ok); no fence before the flag (release, bad), or behind the wait
// (acquire, bad), or one of block scope (scope, bad); no barrier of the warp before the flag (early, bad), or behind the wait (late, bad), or one of half of the
// warp only (half, bad), or another one than that to which the first lane comes (parted, bad); the first lane leaves before it waits (left, bad), or waits if
// memory says so (some, bad); for the warp before the one before (other, bad); the flags are up when the kernel starts (start, bad). lanes: the first lane
// waits for a flag for each lane (bad). number: each warp waits until the flag is above its number (ok); each first lane until it is above that of its thread
// (thread, bad). block: in shared memory (ok); no barrier behind the wait (bad). turns: two warps hand a buffer to and fro in rounds (ok); the one that fills it does not wait (bad).
//@ verdict chain_ok: race-free
//@ rule chain_ok: flag
//@ verdict chain_release_bad: racy
//@ verdict chain_acquire_bad: racy
//@ verdict chain_scope_bad: racy
//@ verdict chain_early_bad: racy
//@ verdict chain_late_bad: racy
//@ verdict chain_half_bad: racy
//@ verdict chain_parted_bad: racy
//@ verdict chain_left_bad: racy
//@ verdict chain_some_bad: racy
//@ known-undecided chain_some_bad: that nobody waits hangs on memory, and no run shows it
//@ verdict chain_other_bad: racy
//@ verdict chain_start_bad: racy
//@ verdict lanes_bad: racy
//@ verdict number_ok: race-free
//@ known-undecided number_ok: that a flag that one thread raises in rounds has passed a number is followed where each waits for its own
//@ verdict number_thread_bad: racy
//@ verdict block_ok: race-free
//@ rule block_ok: flag
//@ verdict block_bad: racy
//@ verdict turns_ok: race-free
//@ rule turns_ok: turn
//@ verdict turns_bad: racy
enum { NOTHING, RELEASE, ACQUIRE, SCOPE, EARLY, LATE, HALF, PARTED, LEFT, SOME, OTHER };

__device__ void wait_for(volatile int *flag, int value) {
  while (*flag < value)
    ;
}

template <int wrong> __device__ void chain(volatile int *flags, int *data) {
  int lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int before = wrong == OTHER ? 2 : 1;
  if (warp >= before) {
    if (wrong == LEFT && lane == 0 && warp > 5) return;
    if (wrong == PARTED && lane != 0) {
      data[warp * 32 + lane] = data[(warp - 1) * 32 + 31 - lane]; // expect-race[chain]
      __syncwarp();
    } else if (lane == 0 && (wrong != SOME || data[100000])) {
      wait_for(&flags[warp - before], 1);
      if (wrong != ACQUIRE) __threadfence();
      if (wrong == PARTED) __syncwarp();
    }
    if (wrong == HALF && lane < 16) __syncwarp(0xffff);
    if (wrong != LATE && wrong != HALF && wrong != PARTED) __syncwarp();
    if (wrong != PARTED) data[warp * 32 + lane] = data[(warp - 1) * 32 + 31 - lane]; // expect-race[chain]
  } else {
    data[warp * 32 + lane] = lane; // expect-race[chain]
  }
  if (wrong == SCOPE) __threadfence_block();
  else if (wrong != RELEASE) __threadfence();
  if (wrong != EARLY) __syncwarp();
  if (lane == 0) flags[warp] = 1;
}
__global__ void chain_ok(volatile int *flags, int *data) { chain<NOTHING>(flags, data); } // expect-clean
__global__ void chain_release_bad(volatile int *flags, int *data) { chain<RELEASE>(flags, data); }
__global__ void chain_acquire_bad(volatile int *flags, int *data) { chain<ACQUIRE>(flags, data); }
__global__ void chain_scope_bad(volatile int *flags, int *data) { chain<SCOPE>(flags, data); }
__global__ void chain_early_bad(volatile int *flags, int *data) { chain<EARLY>(flags, data); }
__global__ void chain_late_bad(volatile int *flags, int *data) { chain<LATE>(flags, data); }
__global__ void chain_half_bad(volatile int *flags, int *data) { chain<HALF>(flags, data); }
__global__ void chain_parted_bad(volatile int *flags, int *data) { chain<PARTED>(flags, data); }
__global__ void chain_left_bad(volatile int *flags, int *data) { chain<LEFT>(flags, data); }
__global__ void chain_some_bad(volatile int *flags, int *data) { chain<SOME>(flags, data); }
__global__ void chain_other_bad(volatile int *flags, int *data) { chain<OTHER>(flags, data); }
__global__ void chain_start_bad(volatile int *flags, int *data) { chain<NOTHING>(flags, data); }

__global__ void lanes_bad(volatile int *flags, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race[lanes]
    __threadfence();
    flags[t] = 1;
    return;
  }
  if (t % 32 == 0) wait_for(&flags[t], 1);
  __threadfence();
  __syncwarp();
  out[blockIdx.x * blockDim.x + t] = data[t]; // expect-race[lanes]
}

template <int threads> __device__ void number(volatile int *flag, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    for (int i = 0; i < 128 && t == 0; i++) {
      data[i] = i; // expect-race[number]
      __threadfence();
      *flag = i + 1;
    }
    return;
  }
  if (t % 32 == 0) wait_for(flag, t / threads + 1);
  __threadfence();
  __syncwarp();
  out[blockIdx.x * blockDim.x + t] = data[t / threads]; // expect-race[number]
}
__global__ void number_ok(volatile int *flag, int *data, int *out) { number<32>(flag, data, out); } // expect-clean
__global__ void number_thread_bad(volatile int *flag, int *data, int *out) { number<1>(flag, data, out); }

template <bool is_ok> __device__ void in_block(int *out) {
  __shared__ volatile int flag;
  __shared__ int data[32];
  int lane = threadIdx.x & 31;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[lane] = lane; // expect-race[block]
    __threadfence_block();
    __syncwarp();
    if (lane == 0) flag = 1;
  } else {
    if (lane == 0) wait_for(&flag, 1);
    __threadfence_block();
    if (is_ok) __syncwarp();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[31 - lane]; // expect-race[block]
  }
}
__global__ void block_ok(int *out) { in_block<true>(out); } // expect-clean
__global__ void block_bad(int *out) { in_block<false>(out); }

template <bool is_ok> __device__ void turns(volatile int *flag, int *data, int *out, int n) {
  int lane = threadIdx.x & 31;
  for (int i = 0; i < n; i++) {
    bool fills = blockIdx.x == 0;
    if (lane == 0 && (is_ok || !fills))
      while (*flag != (fills ? 2 * i : 2 * i + 1))
        ;
    __threadfence();
    __syncwarp();
    if (fills) data[lane] = i; // expect-race[turns]
    else out[i * 32 + lane] = data[31 - lane]; // expect-race[turns]
    __threadfence();
    __syncwarp();
    if (lane == 0) *flag = fills ? 2 * i + 1 : 2 * i + 2;
  }
}
__global__ void turns_ok(volatile int *flag, int *data, int *out, int n) { turns<true>(flag, data, out, n); } // expect-clean
__global__ void turns_bad(volatile int *flag, int *data, int *out, int n) { turns<false>(flag, data, out, n); }

int main() {
  int *flags, *data, *out, n = 7;
  cudaMalloc(&flags, 1 << 20);
  cudaMalloc(&data, 1 << 20);
  cudaMalloc(&out, 1 << 20);
#define CHAIN(kernel)               \
  cudaMemset(flags, 0, 1 << 20);    \
  kernel<<<64, 128>>>(flags, data);
  CHAIN(chain_ok)
  CHAIN(chain_release_bad)
  CHAIN(chain_acquire_bad)
  CHAIN(chain_scope_bad)
  CHAIN(chain_early_bad)
  CHAIN(chain_late_bad)
  CHAIN(chain_half_bad)
  CHAIN(chain_parted_bad)
  CHAIN(chain_left_bad)
  CHAIN(chain_some_bad)
  CHAIN(chain_other_bad)
  cudaMemset(flags, 1, 1 << 20);
  chain_start_bad<<<64, 128>>>(flags, data);
#define READ(kernel, grid, block, ...)   \
  cudaMemset(flags, 0, 1 << 20);         \
  kernel<<<grid, block>>>(flags, data, out, ##__VA_ARGS__);
  READ(lanes_bad, 64, 128)
  READ(number_ok, 64, 128)
  READ(number_thread_bad, 64, 128)
  block_ok<<<64, 128>>>(out);
  block_bad<<<64, 128>>>(out);
  READ(turns_ok, 2, 32, n)
  READ(turns_bad, 2, 32, n)
}
