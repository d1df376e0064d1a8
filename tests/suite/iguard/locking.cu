// Improper locking, as iGUARD counts it (IL). Each program has a mended twin (_ok).
// two_locks: a queue's head is taken under one lock by some blocks and under another by the others. early: the lock is given back before the
// last access to what it guards. unlocked_read: one block reads the total without the lock. lane_lock: the lanes of a warp take
// turns with one lock, but the whole warp goes through as soon as lane 0 has it. All words are the same for all
// blocks, so the races are between blocks; in lane_lock each warp has a lock and a word of its own, so it is within the warp.
//@ pairs: exact
//@ verdict two_locks: racy
//@ verdict two_locks_ok: race-free
//@ verdict early: racy
//@ verdict early_ok: race-free
//@ verdict unlocked_read: racy
//@ verdict unlocked_read_ok: race-free
//@ verdict lane_lock: racy
//@ verdict lane_lock_ok: race-free

__global__ void two_locks(int *locks, int *head, int *work) {
  if (threadIdx.x == 0) {
    int *lock = &locks[blockIdx.x % 2];
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    int mine = head[0]; // expect-race[rw](inter-block) {{cause=different-locks}}
    head[0] = mine + 1; // expect-race[rw](inter-block) {{cause=different-locks}} expect-race[ww](inter-block) {{cause=different-locks}}
    __threadfence();
    atomicExch(lock, 0);
    work[blockIdx.x] = mine;
  }
}

__global__ void two_locks_ok(int *locks, int *head, int *work) { // expect-clean
  if (threadIdx.x == 0) {
    int *lock = &locks[0];
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    int mine = head[0];
    head[0] = mine + 1;
    __threadfence();
    atomicExch(lock, 0);
    work[blockIdx.x] = mine;
  }
}

__global__ void early(int *lock, int *count, int *stamp) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    count[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
    stamp[0] = blockIdx.x; // expect-race[stamp](inter-block)
  }
}

__global__ void early_ok(int *lock, int *count, int *stamp) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    count[0] += 1;
    stamp[0] = blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void unlocked_read(int *lock, int *total, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    out[0] = total[0]; // expect-race[total](inter-block) {{cause=unlocked-access}}
  } else {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    total[0] += blockIdx.x; // expect-race[total](inter-block) {{cause=unlocked-access}}
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void unlocked_read_ok(int *lock, int *total, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  if (blockIdx.x == 0)
    out[0] = total[0];
  else
    total[0] += blockIdx.x;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void lane_lock(int *locks, int *sums) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&locks[warp], 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  sums[warp] += threadIdx.x; // expect-race[sum](intra-warp)
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    __threadfence();
    atomicExch(&locks[warp], 0);
  }
}

__global__ void lane_lock_ok(int *locks, int *sums) { // expect-clean
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[warp], 0, 1) == 0) {
      __threadfence();
      sums[warp] += threadIdx.x;
      __threadfence();
      atomicExch(&locks[warp], 0);
      done = true;
    }
  }
}

int main() {
  int *locks, *a, *b;
  cudaMalloc((void **)&locks, 64 * sizeof(int));
  cudaMalloc((void **)&a, 64 * sizeof(int));
  cudaMalloc((void **)&b, 64 * sizeof(int));
  cudaMemset(locks, 0, 64 * sizeof(int));
  two_locks<<<16, 128>>>(locks, a, b);
  two_locks_ok<<<16, 128>>>(locks, a, b);
  early<<<16, 128>>>(locks, a, b);
  early_ok<<<16, 128>>>(locks, a, b);
  unlocked_read<<<16, 128>>>(locks, a, b);
  unlocked_read_ok<<<16, 128>>>(locks, a, b);
  lane_lock<<<16, 128>>>(locks, a);
  lane_lock_ok<<<16, 128>>>(locks, a);
  return 0;
}
