// Something is made once, by whoever comes first, and told to all others by a flag: who has not won the word waits, and then all use it.
// once: the word goes from 0 to 1 to 2 (ok); who has not won it looks for anything but 0 (bad); it is set free again, so that there is a
// second winner (freed, bad); told before it is made (early, bad); a loser tells (told, bad); no fence (fence, bad); some do not wait (some, bad).
// words: a claim beside the flag, one for each of several words (ok); one flag for all of them (bad).
// table: the word is a slot that data name, one after the other until there is room (ok); looked at without waiting (bad), the
// slot behind that which was waited for (next, bad).
// leader: the leader asks for its block, behind a barrier all use it (ok); no barrier (bad); some leaders do not wait (some, bad).
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
//@ verdict leader_ok: race-free
//@ verdict leader_bad: racy
//@ verdict leader_some_bad: racy

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
