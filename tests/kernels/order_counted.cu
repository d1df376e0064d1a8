// Locks that are taken by counting a word up: who is returned 0 holds it.
// held: only the holder gives it back, by an exchange (set), a subtraction (less), a store behind a fence (store); in a loop (spin), kept for later (kept); by
// another amount than it was counted up (three).
// back: whoever has counted up counts down again: in both branches (ok), behind them (joined), before each further try (spin), in shared memory (shared).
// bad: no fence behind (acquire), before (release); of block scope (scope), a try of others that is (tries), a way back that is (undo); any number (any), 1 (one);
// who has not counted up counts down (bare), twice (twice), by two (amount), asked once more (again); before the work is done (early); the holder stores 0 while others
// still count down (mixed); another thread stores 0 (third), or -1 (lowered); counted down by the thread that follows in the array (next); the start is -1 (start).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict held_set_ok: race-free
//@ rule held_set_ok: lock
//@ verdict held_less_ok: race-free
//@ verdict held_store_ok: race-free
//@ verdict held_spin_ok: race-free
//@ verdict held_kept_ok: race-free
//@ verdict held_three_ok: race-free
//@ verdict back_ok: race-free
//@ rule back_ok: lock
//@ verdict back_joined_ok: race-free
//@ verdict back_spin_ok: race-free
//@ verdict back_shared_ok: race-free
//@ verdict acquire_bad: racy
//@ verdict release_bad: racy
//@ verdict scope_bad: racy
//@ verdict tries_bad: racy
//@ verdict undo_bad: racy
//@ verdict any_bad: racy
//@ verdict one_bad: racy
//@ verdict bare_bad: racy
//@ verdict twice_bad: racy
//@ verdict amount_bad: racy
//@ verdict again_bad: racy
//@ verdict early_bad: racy
//@ verdict mixed_bad: racy
//@ verdict third_bad: racy
//@ verdict lowered_bad: racy
//@ verdict next_bad: racy
//@ verdict start_bad: racy

__global__ void held_set_ok(int *lock, int *sum) { // expect-clean
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void held_less_ok(int *lock, int *sum) { // expect-clean
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicSub(lock, 1);
  }
}

__global__ void held_store_ok(int *lock, int *sum) { // expect-clean
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1;
    __threadfence();
    *(volatile int *)lock = 0;
  }
}

__global__ void held_spin_ok(int *lock, int *sum) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicAdd(lock, 1) != 0) {
    }
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void held_kept_ok(int *lock, int *sum, int *misses) { // expect-clean
  bool got = atomicAdd(&lock[blockIdx.x / 2], 1) == 0;
  if (!got) atomicAdd(misses, 1);
  if (got) {
    __threadfence();
    sum[blockIdx.x / 2] += 1;
    __threadfence();
    atomicExch(&lock[blockIdx.x / 2], 0);
  }
}

__global__ void held_three_ok(int *lock, int *sum) { // expect-clean
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicSub(lock, 3);
  }
}

__global__ void back_ok(int *lock, int *sum) { // expect-clean
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicSub(lock, 1);
  } else {
    atomicSub(lock, 1);
  }
}

__global__ void back_joined_ok(int *lock, int *sum) { // expect-clean
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1;
    __threadfence();
  }
  atomicAdd(lock, -1);
}

__global__ void back_spin_ok(int *lock, int *sum) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicAdd(lock, 1) != 0) {
      atomicSub(lock, 1);
    }
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicSub(lock, 1);
  }
}

__global__ void back_shared_ok(int *sum) { // expect-clean
  __shared__ int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  if (atomicAdd(&lock, 1) == 0) {
    __threadfence();
    sum[blockIdx.x] += 1;
    __threadfence();
  }
  atomicSub(&lock, 1);
}

__global__ void acquire_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 0) {
    sum[0] += 1; // expect-race[acquire]
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void release_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1; // expect-race[release]
    atomicSub(lock, 1);
  } else {
    atomicSub(lock, 1);
  }
}

__global__ void scope_bad(int *lock, int *sum) {
  if (atomicAdd_block(lock, 1) == 0) { // expect-race[scopes]
    __threadfence();
    sum[0] += 1; // expect-race[scope]
    __threadfence();
    atomicExch(lock, 0); // expect-race[scopes]
  }
}

__global__ void tries_bad(int *lock, int *sum) {
  if (threadIdx.x == 1) atomicAdd_block(lock, 1);    // expect-race[word]
  if (threadIdx.x == 0 && atomicAdd(lock, 1) == 0) { // expect-race[word]
    __threadfence();
    sum[0] += 1; // expect-race[tries]
    __threadfence();
    atomicSub(lock, 1); // expect-race[word]
  }
}

__global__ void undo_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 0) { // expect-race[undone]
    __threadfence();
    sum[0] += 1; // expect-race[undo]
    __threadfence();
    atomicSub(lock, 1); // expect-race[undone]
  } else {
    atomicSub_block(lock, 1); // expect-race[undone]
  }
}

__global__ void any_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) >= 0) {
    __threadfence();
    sum[0] += 1; // expect-race[any]
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void one_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 1) {
    __threadfence();
    sum[0] += 1; // expect-race[one]
    __threadfence();
  }
  atomicSub(lock, 1);
}

__global__ void bare_bad(int *lock, int *sum) {
  if (threadIdx.x == 0 && atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1; // expect-race[bare]
    __threadfence();
  }
  if (threadIdx.x == 32) atomicSub(lock, 1);
}

__global__ void twice_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1; // expect-race[twice]
    __threadfence();
  } else {
    atomicSub(lock, 1);
  }
  atomicSub(lock, 1);
}

__global__ void amount_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1; // expect-race[amount]
    __threadfence();
    atomicSub(lock, 1);
  } else {
    atomicSub(lock, 2);
  }
}

__global__ void again_bad(int *lock, int *sum) {
  int old = atomicAdd(lock, 1);
  if (old == 0) {
    __threadfence();
    sum[0] += 1; // expect-race[again]
    __threadfence();
  }
  atomicSub(lock, 1);
  if (old != 0) atomicSub(lock, 1);
}

__global__ void early_bad(int *lock, int *sum) {
  bool got = atomicAdd(lock, 1) == 0;
  if (!got) atomicSub(lock, 1);
  if (got) {
    __threadfence();
    atomicSub(lock, 1);
    sum[0] += 1; // expect-race[early]
    __threadfence();
  }
}

__global__ void mixed_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1; // expect-race[mixed]
    __threadfence();
    atomicExch(lock, 0);
  } else {
    atomicSub(lock, 1);
  }
}

__global__ void third_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1; // expect-race[third]
    __threadfence();
    atomicExch(lock, 0);
  }
  if (threadIdx.x == 5) atomicExch(lock, 0);
}

__global__ void lowered_bad(int *lock, int *sum) {
  if (atomicAdd(lock, 1) == 0) {
    __threadfence();
    sum[0] += 1; // expect-race[lowered]
    __threadfence();
    atomicExch(lock, 0);
  }
  if (threadIdx.x == 5) atomicExch(lock, -1);
}

__global__ void next_bad(int *lock, int *sum) {
  if (atomicAdd(&lock[blockIdx.x], 1) == 0) {
    __threadfence();
    sum[blockIdx.x] += 1; // expect-race[next]
    __threadfence();
  }
  atomicSub(&lock[(blockIdx.x + 1) % 4], 1);
}

__global__ void start_bad(int *sum) {
  __shared__ int lock;
  if (threadIdx.x == 0) lock = -1;
  __syncthreads();
  if (atomicAdd(&lock, 1) == 0) {
    __threadfence();
    sum[blockIdx.x] += 1; // expect-race[start]
    __threadfence();
  }
  atomicSub(&lock, 1);
}
