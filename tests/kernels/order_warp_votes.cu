// Each lane looks at a flag of its own, and its warp waits until nobody finds one down: what a vote says of all lanes, it says of each. any: as long as any
// lane finds its flag down (ok); no fence before the flag (release, bad), or behind the wait (acquire, bad); one round only (once, bad); the flag of
// another lane (other, bad). all: until all are up (ok); as long as all are down (bad). ballot: until no bit is left (ok). some: until one flag is up (bad).
//@ verdict any_ok: race-free
//@ rule any_ok: flag
//@ verdict any_release_bad: racy
//@ verdict any_acquire_bad: racy
//@ verdict any_once_bad: racy
//@ verdict any_other_bad: racy
//@ verdict all_ok: race-free
//@ verdict all_bad: racy
//@ verdict ballot_ok: race-free
//@ verdict some_bad: racy
enum { ANY, RELEASE, ACQUIRE, ONCE, OTHER, ALL_UP, ALL_DOWN, BALLOT, SOME };

template <int way> __device__ void wait_for(volatile int *flags, int t) {
  if (way == ALL_UP)
    while (!__all_sync(~0u, flags[t] == 1))
      ;
  else if (way == ALL_DOWN)
    while (__all_sync(~0u, flags[t] == 0))
      ;
  else if (way == BALLOT)
    while (__ballot_sync(~0u, flags[t] == 0) != 0)
      ;
  else if (way == SOME)
    while (!__any_sync(~0u, flags[t] == 1))
      ;
  else
    while (__any_sync(~0u, flags[way == OTHER ? t ^ 1 : t] == 0))
      if (way == ONCE) break;
}

template <int way> __device__ void look(volatile int *flags, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race
    if (way != RELEASE) __threadfence();
    flags[t] = 1;
    return;
  }
  wait_for<way>(flags, t);
  if (way != ACQUIRE) __threadfence();
  out[blockIdx.x * blockDim.x + t] = data[t]; // expect-race
}
__global__ void any_ok(volatile int *flags, int *data, int *out) { look<ANY>(flags, data, out); } // expect-clean
__global__ void any_release_bad(volatile int *flags, int *data, int *out) { look<RELEASE>(flags, data, out); }
__global__ void any_acquire_bad(volatile int *flags, int *data, int *out) { look<ACQUIRE>(flags, data, out); }
__global__ void any_once_bad(volatile int *flags, int *data, int *out) { look<ONCE>(flags, data, out); }
__global__ void any_other_bad(volatile int *flags, int *data, int *out) { look<OTHER>(flags, data, out); }
__global__ void all_ok(volatile int *flags, int *data, int *out) { look<ALL_UP>(flags, data, out); } // expect-clean
__global__ void all_bad(volatile int *flags, int *data, int *out) { look<ALL_DOWN>(flags, data, out); }
__global__ void ballot_ok(volatile int *flags, int *data, int *out) { look<BALLOT>(flags, data, out); } // expect-clean
__global__ void some_bad(volatile int *flags, int *data, int *out) { look<SOME>(flags, data, out); }

int main() {
  int *flags, *data, *out;
  cudaMalloc(&flags, 4096);
  cudaMalloc(&data, 4096);
  cudaMalloc(&out, 4096);
#define LOOK(kernel)                 \
  cudaMemset(flags, 0, 4096);        \
  kernel<<<4, 64>>>(flags, data, out);
  LOOK(any_ok)
  LOOK(any_release_bad)
  LOOK(any_acquire_bad)
  LOOK(any_once_bad)
  LOOK(any_other_bad)
  LOOK(all_ok)
  LOOK(all_bad)
  LOOK(ballot_ok)
  LOOK(some_bad)
}
