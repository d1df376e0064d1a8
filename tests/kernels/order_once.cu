// Something is made once, by whoever comes first, and told to all others by a flag: who has not won the word waits, and then all use it.
// once: the word goes from 0 to 1 to 2 (ok); who has not won it looks for anything but 0 (bad); it is set free again, so that there is a
// second winner (freed, bad); told before it is made (early, bad); a loser tells (told, bad); no fence (fence, bad); some do not wait (some, bad).
// words: a claim beside the flag, one for each of several words (ok); one flag for all of them (bad).
// table: the word is a slot that data name, one after the other until there is room (ok); looked at without waiting (bad), the
// slot behind that which was waited for (next, bad).
// looked: the word is looked at before it is asked for (ok); anything but 0 is taken for made (bad), no fence behind the look (fence, bad).
// busy: what the operation returned says that it is made (ok); that somebody makes it (bad), told before it is made (early, bad).
// spin: asked for until nobody makes it any more (ok); until somebody may (bad); the winner sets it free again (freed, bad).
// double: looked at, and looked at again under a lock (ok); not again, so that all make it (bad); raised when the lock has been given
// back, so that two may make it (late, bad); under one of two locks (locks, bad); no fence behind the first look (fence, bad).
// leader: the leader asks for its block, behind a barrier all use it (ok); no barrier (bad); some leaders do not wait (some, bad).
// block: each block has a word in its shared memory, and a flag (ok); one flag for all blocks, which another one's winner raises (bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict once_ok: race-free
//@ rule once_ok: once
//@ verdict once_bad: racy
//@ verdict once_freed_bad: racy
//@ verdict once_early_bad: racy
//@ verdict once_told_bad: racy
//@ verdict once_fence_bad: racy
//@ verdict once_some_bad: racy
//@ verdict words_ok: race-free
//@ verdict words_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict table_next_bad: racy
//@ verdict looked_ok: race-free
//@ rule looked_ok: once
//@ verdict looked_bad: racy
//@ verdict looked_fence_bad: racy
//@ verdict busy_ok: race-free
//@ rule busy_ok: once
//@ verdict busy_bad: racy
//@ verdict busy_early_bad: racy
//@ verdict spin_ok: race-free
//@ rule spin_ok: once
//@ verdict spin_bad: racy
//@ verdict spin_freed_bad: racy
//@ verdict double_ok: race-free
//@ rule double_ok: once
//@ verdict double_bad: racy
//@ verdict double_late_bad: racy
//@ verdict double_locks_bad: racy
//@ verdict double_fence_bad: racy
//@ verdict leader_ok: race-free
//@ verdict leader_bad: racy
//@ verdict leader_some_bad: racy
//@ verdict block_ok: race-free
//@ rule block_ok: once
//@ verdict block_bad: racy

__device__ void tell(int *state) {
  __threadfence();
  atomicExch(state, 2);
}

__device__ void hear(int *state) {
  while (atomicAdd(state, 0) != 2) {
  }
  __threadfence();
}

__device__ int me() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void once_ok(int *state, int *made, int *out) { // expect-clean
  if (atomicCAS(state, 0, 1) == 0) {
    made[0] = 7;
    tell(state);
  } else {
    hear(state);
  }
  out[me()] = made[0];
}

__global__ void once_bad(int *state, int *made, int *out) {
  if (atomicCAS(state, 0, 1) == 0) {
    made[0] = 7; // expect-race[once]
    tell(state);
  } else {
    while (atomicAdd(state, 0) == 0) {
    }
    __threadfence();
  }
  out[me()] = made[0]; // expect-race[once]
}

__global__ void once_freed_bad(int *state, int *made, int *out) {
  if (atomicCAS(state, 0, 1) == 0) {
    made[0] = me(); // expect-race[freed]
    tell(state);
    __threadfence();
    atomicExch(state, 0);
  } else {
    hear(state);
  }
  out[me()] = made[0]; // expect-race[freed]
}

__global__ void once_early_bad(int *state, int *made, int *out) {
  if (atomicCAS(state, 0, 1) == 0) {
    tell(state);
    made[0] = 7; // expect-race[early]
  } else {
    hear(state);
  }
  out[me()] = made[0]; // expect-race[early]
}

__global__ void once_told_bad(int *state, int *made, int *out) {
  if (atomicCAS(state, 0, 1) == 0) {
    made[0] = 7; // expect-race[told]
    tell(state);
  } else {
    if (threadIdx.x == 3) tell(state);
    hear(state);
  }
  out[me()] = made[0]; // expect-race[told]
}

__global__ void once_fence_bad(int *state, int *made, int *out) {
  if (atomicCAS(state, 0, 1) == 0) {
    made[0] = 7; // expect-race[fence]
    atomicExch(state, 2);
  } else {
    hear(state);
  }
  out[me()] = made[0]; // expect-race[fence]
}

__global__ void once_some_bad(int *state, int *made, int *out) {
  if (atomicCAS(state, 0, 1) == 0) {
    made[0] = 7; // expect-race[some]
    tell(state);
  } else if (threadIdx.x != 5) {
    hear(state);
  }
  out[me()] = made[0]; // expect-race[some]
}

__global__ void words_ok(int *claims, int *states, int *made, int *out) { // expect-clean
  int w = threadIdx.x / 32;
  if (atomicExch(&claims[w], 1) == 0) {
    made[w] = 7;
    tell(&states[w]);
  } else {
    hear(&states[w]);
  }
  out[me()] = made[w];
}

__global__ void words_bad(int *claims, int *states, int *made, int *out) {
  int w = threadIdx.x / 32;
  if (atomicExch(&claims[w], 1) == 0) {
    made[w] = 7; // expect-race[words]
    tell(&states[0]);
  } else {
    hear(&states[0]);
  }
  out[me()] = made[w]; // expect-race[words]
}

// Room for a key in a table whose slots are asked one after the other.
__global__ void table_ok(int *states, int *keys, const int *in, int *out) { // expect-clean
  int key = in[me()], slot = key & 255;
  for (;; slot = (slot + 1) & 255) {
    if (atomicCAS(&states[slot], 0, 1) == 0) {
      keys[slot] = key;
      tell(&states[slot]);
      break;
    }
    hear(&states[slot]);
    if (keys[slot] == key) break;
  }
  out[me()] = slot;
}

__global__ void table_bad(int *states, int *keys, const int *in, int *out) {
  int key = in[me()], slot = key & 255;
  for (;; slot = (slot + 1) & 255) {
    if (atomicCAS(&states[slot], 0, 1) == 0) {
      keys[slot] = key; // expect-race[table]
      tell(&states[slot]);
      break;
    }
    if (keys[slot] == key) break; // expect-race[table]
  }
  out[me()] = slot;
}

__global__ void table_next_bad(int *states, int *keys, const int *in, int *out) {
  int key = in[me()], slot = key & 255;
  for (;; slot = (slot + 1) & 255) {
    if (atomicCAS(&states[slot], 0, 1) == 0) {
      keys[slot] = key; // expect-race[next]
      tell(&states[slot]);
      break;
    }
    hear(&states[slot]);
    if (keys[(slot + 1) & 255] == key) break; // expect-race[next]
  }
  out[me()] = slot;
}

__global__ void looked_ok(int *state, int *made, int *out) { // expect-clean
  if (atomicAdd(state, 0) != 2) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7;
      tell(state);
    } else {
      hear(state);
    }
  } else {
    __threadfence();
  }
  out[me()] = made[0];
}

__global__ void looked_bad(int *state, int *made, int *out) {
  if (atomicAdd(state, 0) == 0) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7; // expect-race[looked]
      tell(state);
    } else {
      hear(state);
    }
  } else {
    __threadfence();
  }
  out[me()] = made[0]; // expect-race[looked]
}

__global__ void looked_fence_bad(int *state, int *made, int *out) {
  if (atomicAdd(state, 0) != 2) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7; // expect-race[lookedfence]
      tell(state);
    } else {
      hear(state);
    }
  }
  out[me()] = made[0]; // expect-race[lookedfence]
}

__global__ void busy_ok(int *state, int *made, int *out) { // expect-clean
  int old = atomicCAS(state, 0, 1);
  if (old == 0) {
    made[0] = 7;
    tell(state);
  } else if (old == 1) {
    hear(state);
  }
  __threadfence();
  out[me()] = made[0];
}

__global__ void busy_bad(int *state, int *made, int *out) {
  int old = atomicCAS(state, 0, 1);
  if (old == 0) {
    made[0] = 7; // expect-race[busy]
    tell(state);
  } else if (old == 2) {
    hear(state);
  }
  __threadfence();
  out[me()] = made[0]; // expect-race[busy]
}

__global__ void busy_early_bad(int *state, int *made, int *out) {
  int old = atomicCAS(state, 0, 1);
  if (old == 0) {
    tell(state);
    made[0] = 7; // expect-race[busyearly]
  } else if (old == 1) {
    hear(state);
  }
  __threadfence();
  out[me()] = made[0]; // expect-race[busyearly]
}

__global__ void spin_ok(int *state, int *made, int *out) { // expect-clean
  int old;
  while ((old = atomicCAS(state, 0, 1)) == 1) {
  }
  if (old == 0) {
    made[0] = 7;
    tell(state);
  }
  __threadfence();
  out[me()] = made[0];
}

__global__ void spin_bad(int *state, int *made, int *out) {
  int old;
  while ((old = atomicCAS(state, 0, 1)) == 2) {
  }
  if (old == 0) {
    made[0] = 7; // expect-race[spin]
    tell(state);
  }
  __threadfence();
  out[me()] = made[0]; // expect-race[spin]
}

__global__ void spin_freed_bad(int *state, int *made, int *out) {
  int old;
  while ((old = atomicCAS(state, 0, 1)) == 1) {
  }
  if (old == 0) {
    made[0] = me(); // expect-race[spinfreed]
    tell(state);
    __threadfence();
    atomicExch(state, 0);
  }
  __threadfence();
  out[me()] = made[0]; // expect-race[spinfreed]
}

// Made by the first one that comes under the lock: it finds the flag down, and raises it before it gives the lock back. All others find
// it up, before the lock or under it.
__global__ void double_ok(volatile int *done, int *lock, int *made, int *out) { // expect-clean
  if (*done == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (*done == 0) {
      made[0] = 7;
      __threadfence();
      *done = 1;
    }
    __threadfence();
    atomicExch(lock, 0);
  }
  __threadfence();
  out[me()] = made[0];
}

__global__ void double_bad(volatile int *done, int *lock, int *made, int *out) {
  if (*done == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    made[0] = me(); // expect-race[double]
    __threadfence();
    *done = 1;
    __threadfence();
    atomicExch(lock, 0);
  }
  __threadfence();
  out[me()] = made[0]; // expect-race[double]
}

__global__ void double_late_bad(volatile int *done, int *lock, int *made, int *out) {
  if (*done == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    bool is_down = *done == 0;
    if (is_down) made[0] = me(); // expect-race[doublelate]
    __threadfence();
    atomicExch(lock, 0);
    __threadfence();
    if (is_down) *done = 1;
  }
  __threadfence();
  out[me()] = made[0]; // expect-race[doublelate]
}

__global__ void double_locks_bad(volatile int *done, int *lock, int *made, int *out) {
  if (*done == 0) {
    while (atomicCAS(&lock[blockIdx.x], 0, 1) != 0) {
    }
    __threadfence();
    if (*done == 0) {
      made[0] = me(); // expect-race[doublelocks]
      __threadfence();
      *done = 1;
    }
    __threadfence();
    atomicExch(&lock[blockIdx.x], 0);
  }
  __threadfence();
  out[me()] = made[0]; // expect-race[doublelocks]
}

__global__ void double_fence_bad(volatile int *done, int *lock, int *made, int *out) {
  if (*done == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (*done == 0) {
      made[0] = 7; // expect-race[doublefence]
      __threadfence();
      *done = 1;
    }
    __threadfence();
    atomicExch(lock, 0);
  }
  out[me()] = made[0]; // expect-race[doublefence]
}

__global__ void leader_ok(int *state, int *made, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7;
      tell(state);
    } else {
      hear(state);
    }
  }
  __syncthreads();
  out[me()] = made[0];
}

__global__ void leader_bad(int *state, int *made, int *out) {
  if (threadIdx.x == 0) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7; // expect-race[leader]
      tell(state);
    } else {
      hear(state);
    }
  }
  out[me()] = made[0]; // expect-race[leader]
}

__global__ void leader_some_bad(int *state, int *made, int *out) {
  if (threadIdx.x == 0) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7; // expect-race[leaders]
      tell(state);
    } else if (blockIdx.x != 3) {
      hear(state);
    }
  }
  __syncthreads();
  out[me()] = made[0]; // expect-race[leaders]
}

__global__ void block_ok(int *flag, int *made, int *out) { // expect-clean
  __shared__ int state;
  if (threadIdx.x == 0) state = 0;
  __syncthreads();
  if (atomicCAS(&state, 0, 1) == 0) {
    made[blockIdx.x] = 7;
    tell(&flag[blockIdx.x]);
  } else {
    hear(&flag[blockIdx.x]);
  }
  out[me()] = made[blockIdx.x];
}

__global__ void block_bad(int *flag, int *made, int *out) {
  __shared__ int state;
  if (threadIdx.x == 0) state = 0;
  __syncthreads();
  if (atomicCAS(&state, 0, 1) == 0) {
    made[blockIdx.x] = 7; // expect-race[block]
    tell(flag);
  } else {
    hear(flag);
  }
  out[me()] = made[blockIdx.x]; // expect-race[block]
}
