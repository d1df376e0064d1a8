// Volatile words that look like flags, and are numbers that threads update: looked at behind a fence, set behind a fence. Two stores of
// different values are nothing that a flag does, unless something says who comes first.
// late: updated while the lock is held under which it was read (ok); behind giving it back (bad).
// some: by whoever drew one certain number (ok); by all who drew a small one (bad); values: one of two constants, by all of them.
// ways: on one way it is raised, on the other one set back.
// one: whoever drew the last number stores there, and so do others.
//@ verdict late_ok: race-free
//@ verdict late_bad: racy
//@ verdict some_ok: race-free
//@ verdict some_bad: racy
//@ verdict values_bad: racy
//@ verdict ways_bad: racy
//@ verdict one_bad: racy

__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void give(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void late_ok(int *lock, volatile int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  take(lock);
  int x = a[0];
  if (x < 100) {
    a[0] = x + 1;
    __threadfence();
  }
  give(lock);
}

__global__ void late_bad(int *lock, volatile int *a) {
  if (threadIdx.x != 0)
    return;
  take(lock);
  int x = a[0];
  give(lock);
  if (x < 100) {
    a[0] = x + 1; // expect-race {{cause=unlocked-access}}
    __threadfence();
  }
}

__global__ void some_ok(int *count, volatile int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (atomicAdd(count, 1) == 3) {
    int x = a[0];
    __threadfence();
    if (x < 100) {
      __threadfence();
      a[0] = x + 1;
    }
  }
}

__global__ void some_bad(int *count, volatile int *a) {
  if (threadIdx.x != 0)
    return;
  if (atomicAdd(count, 1) < 3) {
    int x = a[0];
    __threadfence();
    if (x < 100) {
      __threadfence();
      a[0] = x + 1; // expect-race {{inter-block-race]}}
    }
  }
}

__global__ void values_bad(int *count, volatile int *a) {
  if (threadIdx.x != 0)
    return;
  if (atomicAdd(count, 1) < 3) {
    int x = a[0];
    __threadfence();
    if (x < 100) {
      __threadfence();
      a[0] = x < 50 ? 7 : 8; // expect-race {{inter-block-race]}}
    }
  }
}

__global__ void ways_bad(int *count, volatile int *a) {
  if (threadIdx.x != 0)
    return;
  if (atomicAdd(count, 1) < 3) {
    int x = a[0];
    __threadfence();
    if (x < 100) {
      __threadfence();
      a[0] = 1; // expect-race {{inter-block-race]}}
    } else {
      __threadfence();
      a[0] = 0; // expect-race
    }
  }
}

__global__ void one_bad(int *count, volatile int *a) {
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd(count, 1), x = a[0];
  __threadfence();
  if (x >= 100)
    return;
  __threadfence();
  if (mine == (int)gridDim.x - 1)
    a[0] = 5; // expect-race {{inter-block-race]}}
  else
    a[0] = 6; // expect-race
}
