// A lock that is taken by an atomic maximum: who is returned the free value has raised the word above it, and only who holds it sets it free.
// plain: in a loop (ok); no fence before it is given back (release), none behind taking it (acquire); of block scope (scope).
// level: raised to the free value (bad): nobody is kept out. other: a word for each block (bad). outside: also behind giving it back (bad).
// freed: somebody who does not hold it sets it free (bad), or lowers it to the free value by a minimum (lowered).
// tested: it is looked for as it is when taken (bad). over: who finds it taken raises it further, and comes in as well (bad).
// two: taken at two places, to two heights (ok); at one to the free value (bad). once: tried once (ok); who did not get it comes as well (bad).
// unsigned: as numbers without sign (ok); free is above what it is raised to (high: not said to be race-free).
//@ verdict plain_ok: race-free
//@ verdict release_bad: racy
//@ verdict acquire_bad: racy
//@ verdict scope_bad: racy
//@ verdict level_bad: racy
//@ verdict other_bad: racy
//@ verdict freed_bad: racy
//@ verdict tested_bad: racy
//@ verdict lowered_bad: racy
//@ verdict two_ok: race-free
//@ verdict over_bad: racy
//@ verdict high_bad: undecided
//@ verdict two_bad: racy
//@ verdict once_ok: race-free
//@ verdict once_bad: racy
//@ verdict unsigned_ok: race-free
//@ verdict outside_bad: racy

__global__ void plain_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicMax(lock, 1) != 0)
      ;
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void release_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicMax(lock, 1) != 0)
      ;
    __threadfence();
    a[0]++; // expect-race {{cause=missing-fence}}
    atomicExch(lock, 0);
  }
}

__global__ void acquire_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicMax(lock, 1) != 0)
      ;
    a[0]++; // expect-race {{cause=missing-acquire-fence}}
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void scope_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicMax_block(lock, 1) != 0) // expect-race
      ;
    __threadfence();
    a[0]++; // expect-race
    __threadfence();
    atomicExch(lock, 0); // expect-race
  }
}

__global__ void level_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicMax(lock, 0) != 0)
      ;
    __threadfence();
    a[0]++; // expect-race
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void other_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicMax(&lock[blockIdx.x], 1) != 0)
      ;
    __threadfence();
    a[0]++; // expect-race
    __threadfence();
    atomicExch(&lock[blockIdx.x], 0);
  }
}

__global__ void freed_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0)
      atomicExch(lock, 0); // expect-misuse {{cause=not-held}}
    while (atomicMax(lock, 1) != 0)
      ;
    __threadfence();
    a[0]++; // expect-race
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void tested_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicMax(lock, 1) != 1)
      ;
    __threadfence();
    a[0]++; // expect-race
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void lowered_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0)
      atomicMin(lock, 0);
    while (atomicMax(lock, 1) != 0)
      ;
    __threadfence();
    a[0]++; // expect-race
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void two_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      while (atomicMax(lock, 1) != 0)
        ;
      __threadfence();
      a[0]++;
      __threadfence();
      atomicExch(lock, 0);
    } else {
      while (atomicMax(lock, 2) != 0)
        ;
      __threadfence();
      a[0]++;
      __threadfence();
      atomicExch(lock, 0);
    }
  }
}

__global__ void over_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      while (atomicMax(lock, 1) != 0)
        ;
      __threadfence();
      a[0]++; // expect-race
      __threadfence();
      atomicExch(lock, 0);
    } else {
      while (atomicMax(lock, 2) != 1)
        ;
      __threadfence();
      a[0]++; // expect-race
      __threadfence();
      atomicExch(lock, 0);
    }
  }
}

__global__ void high_bad(unsigned *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicMax(lock, 1u) != 0x80000000u)
      ;
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(lock, 0x80000000u);
  }
}

__global__ void two_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      while (atomicMax(lock, 1) != 0)
        ;
    } else {
      while (atomicMax(lock, 0) != 0)
        ;
    }
    __threadfence();
    a[0]++; // expect-race
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void once_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0 && atomicMax(lock, 1) == 0) {
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void once_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    if (atomicMax(lock, 1) == 0) {
      __threadfence();
      a[0]++; // expect-race
      __threadfence();
      atomicExch(lock, 0);
    } else
      a[0]++; // expect-race
  }
}

__global__ void unsigned_ok(unsigned *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicMax(lock, 1u) != 0)
      ;
    __threadfence();
    a[0]++;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

__global__ void outside_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicMax(lock, 1) != 0)
      ;
    __threadfence();
    a[0]++; // expect-race
    __threadfence();
    atomicExch(lock, 0);
    a[0]++; // expect-race
  }
}
