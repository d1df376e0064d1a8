// Locks that are taken on some of a thread's ways only.
// either: one lock or another, by a value of the launch (ok), by a number of the thread's own beside which the data are chosen (data, ok), by the block's, while the data are
// one (bad), by data (read, bad); both are given back by another condition (crossed, bad).
// some: a lock that is taken and given back under one condition, and nobody else comes there without it (ok), tried once (tried, ok), with a loop while it is held (loop, ok),
// in shared memory (shared, ok); another thread comes without it (bad), the condition of giving back is wider (wider, bad), narrower and the lock is
// not held by who comes (narrow, bad), is another value by then (changed, bad); given back before under a condition (early, bad); taken under a wider one, made under that (wide, ok);
// no fence behind (acquire, bad), before (release, bad); of block scope (scope, bad); the loop gives up (gives_up, bad); a third thread gives it back (third, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict either_ok: race-free
//@ rule either_ok: lock
//@ verdict either_data_ok: race-free
//@ verdict either_bad: racy
//@ verdict either_read_bad: racy
//@ verdict either_crossed_bad: racy
//@ verdict some_ok: race-free
//@ rule some_ok: lock
//@ verdict some_tried_ok: race-free
//@ verdict some_loop_ok: race-free
//@ verdict some_shared_ok: race-free
//@ verdict some_wide_ok: race-free
//@ verdict some_bad: racy
//@ verdict some_wider_bad: racy
//@ verdict some_narrow_bad: racy
//@ verdict some_changed_bad: racy
//@ verdict some_early_bad: racy
//@ verdict some_acquire_bad: racy
//@ verdict some_release_bad: racy
//@ verdict some_scope_bad: racy
//@ verdict some_gives_up_bad: racy
//@ verdict some_third_bad: racy

__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}

__global__ void either_ok(int *a, int *b, int *sum, int n) { // expect-clean
  if (threadIdx.x != 0) return;
  if (n > 5) take(a);
  else take(b);
  __threadfence();
  sum[0] += 1;
  __threadfence();
  if (n > 5) atomicExch(a, 0);
  else atomicExch(b, 0);
}

__global__ void either_data_ok(int *a, int *b, int *sum) { // expect-clean
  if (threadIdx.x % 32 != 0) return;
  if (threadIdx.x == 0) take(a);
  else take(b);
  __threadfence();
  sum[threadIdx.x] += 1;
  __threadfence();
  if (threadIdx.x == 0) atomicExch(a, 0);
  else atomicExch(b, 0);
}

__global__ void either_bad(int *a, int *b, int *sum) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 1) take(a);
  else take(b);
  __threadfence();
  sum[0] += 1; // expect-race[either]
  __threadfence();
  if (blockIdx.x > 1) atomicExch(a, 0);
  else atomicExch(b, 0);
}

__global__ void either_read_bad(int *a, int *b, int *sum, const int *in) {
  if (threadIdx.x != 0) return;
  int c = in[blockIdx.x];
  if (c) take(a);
  else take(b);
  __threadfence();
  sum[0] += 1; // expect-race[read]
  __threadfence();
  if (c) atomicExch(a, 0);
  else atomicExch(b, 0);
}

__global__ void either_crossed_bad(int *a, int *b, int *sum, int n) {
  if (threadIdx.x != 0) return;
  if (n > 5) take(a);
  else take(b);
  __threadfence();
  sum[0] += 1; // expect-race[crossed]
  __threadfence();
  atomicExch(a, 0);
  if (n <= 5) atomicExch(b, 0);
  if (n > 5) take(a);
  __threadfence();
  sum[0] += 1; // expect-race[crossed]
  __threadfence();
  if (n > 5) atomicExch(a, 0);
}

__global__ void some_ok(int *lock, int *sum, int n) { // expect-clean
  if (threadIdx.x != 0 || (blockIdx.x > 0 && n <= 5)) return;
  if (n > 5) take(lock);
  __threadfence();
  sum[0] += 1;
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_tried_ok(int *lock, int *sum, int n) { // expect-clean
  if (n > 5) {
    if (atomicCAS(lock, 0, 1) != 0) return;
  } else if (threadIdx.x > 0 || blockIdx.x > 0) {
    return;
  }
  __threadfence();
  sum[0] += 1;
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_loop_ok(int *lock, int *sum, int n) { // expect-clean
  if (threadIdx.x != 0 || (blockIdx.x > 0 && n <= 5)) return;
  if (n > 5) take(lock);
  __threadfence();
  for (int k = 0; k < n; k++)
    sum[k] += 1;
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_shared_ok(int *sum, int n) { // expect-clean
  __shared__ int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0 || (threadIdx.x > 0 && n <= 5)) return;
  if (n > 5) take(&lock);
  __threadfence();
  sum[blockIdx.x] += 1;
  __threadfence();
  if (n > 5) atomicExch(&lock, 0);
}

__global__ void some_wide_ok(int *lock, int *sum, int n) { // expect-clean
  if (threadIdx.x != 0) return;
  if (n > 4) take(lock);
  __threadfence();
  if (n > 5) sum[0] += 1;
  __threadfence();
  if (n > 4) atomicExch(lock, 0);
}

__global__ void some_bad(int *lock, int *sum, int n) {
  if (threadIdx.x != 0) return;
  if (n > 5) take(lock);
  __threadfence();
  sum[0] += 1; // expect-race[some]
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_wider_bad(int *lock, int *sum, int n) {
  if (threadIdx.x != 0) return;
  if (n > 5 && blockIdx.x > 0) take(lock);
  __threadfence();
  if (n > 5 && blockIdx.x > 0) sum[0] += 1; // expect-race[wider]
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_narrow_bad(int *lock, int *sum, int n) {
  if (threadIdx.x != 0) return;
  if (n > 5) take(lock);
  __threadfence();
  if (n > 4) sum[0] += 1; // expect-race[narrow]
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_changed_bad(int *lock, int *sum, int n, int m) {
  if (threadIdx.x != 0) return;
  int c = n + blockIdx.x;
  if (c > 5) take(lock);
  __threadfence();
  if (c > 5) sum[0] += 1; // expect-race[changed]
  __threadfence();
  c = m - blockIdx.x;
  if (c > 5) atomicExch(lock, 0);
}

__global__ void some_early_bad(int *lock, int *sum, int n, int m) {
  if (threadIdx.x != 0) return;
  if (n > 5) take(lock);
  __threadfence();
  if (n > 5 && m > 0) atomicExch(lock, 0);
  if (n > 5) sum[0] += 1; // expect-race[early]
  __threadfence();
  if (n > 5 && m <= 0) atomicExch(lock, 0);
}

__global__ void some_acquire_bad(int *lock, int *sum, int n) {
  if (threadIdx.x != 0 || (blockIdx.x > 0 && n <= 5)) return;
  if (n > 5) take(lock);
  sum[0] += 1; // expect-race[acquire]
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_release_bad(int *lock, int *sum, int n) {
  if (threadIdx.x != 0 || (blockIdx.x > 0 && n <= 5)) return;
  if (n > 5) take(lock);
  __threadfence();
  sum[0] += 1; // expect-race[release]
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_scope_bad(int *lock, int *sum, int n) {
  if (threadIdx.x != 0 || (blockIdx.x > 0 && n <= 5)) return;
  if (n > 5) take(lock);
  __threadfence_block();
  sum[0] += 1; // expect-race[scope]
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}

__global__ void some_gives_up_bad(int *lock, int *sum, int n) {
  if (threadIdx.x != 0 || (blockIdx.x > 0 && n <= 5)) return;
  bool has = false;
  if (n > 5)
    for (int k = 0; k < 3 && !has; k++)
      has = atomicCAS(lock, 0, 1) == 0;
  __threadfence();
  sum[0] += 1; // expect-race[gives_up]
  __threadfence();
  if (has) atomicExch(lock, 0);
}

__global__ void some_third_bad(int *lock, int *sum, int n) {
  if (threadIdx.x == 1) atomicExch(lock, 0); // expect-misuse {{cause=not-held}}
  if (threadIdx.x != 0 || (blockIdx.x > 0 && n <= 5)) return;
  if (n > 5) take(lock);
  __threadfence();
  sum[0] += 1; // expect-race[third]
  __threadfence();
  if (n > 5) atomicExch(lock, 0);
}
