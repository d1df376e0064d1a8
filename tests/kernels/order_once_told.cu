// What is made once comes to others by further ways than the winner's own flag.
// relayed: one thread waits for the winner, then raises the flag that all wait for (ok); it does not wait (bad), or is told
// before it is made (early, bad); anybody may raise what it waits for (any, bad).
// places: the word is asked for at one of two places (ok); each place has a word of its own, so that two make it (bad); at one of
// them nobody waits (some, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict relayed_ok: race-free
//@ verdict relayed_bad: racy
//@ verdict relayed_early_bad: racy
//@ verdict relayed_any_bad: racy
//@ verdict places_ok: race-free
//@ rule places_ok: once
//@ verdict places_bad: racy
//@ verdict places_some_bad: racy
__device__ void tell(int *flag, int value) {
  __threadfence();
  atomicExch(flag, value);
}

__device__ void hear(int *flag, int value) {
  while (atomicAdd(flag, 0) != value) {
  }
  __threadfence();
}

__device__ int me() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void relayed_ok(int *claim, int *flag, int *all, int *made, int *out) { // expect-clean
  if (atomicCAS(claim, 0, 1) == 0) {
    made[0] = 7;
    tell(flag, 1);
  }
  if (me() == 70) {
    hear(flag, 1);
    tell(all, 1);
  }
  hear(all, 1);
  out[me()] = made[0];
}

__global__ void relayed_bad(int *claim, int *flag, int *all, int *made, int *out) {
  if (atomicCAS(claim, 0, 1) == 0) {
    made[0] = 7; // expect-race[relayed]
    tell(flag, 1);
  }
  if (me() == 70) {
    tell(all, 1);
  }
  hear(all, 1);
  out[me()] = made[0]; // expect-race[relayed]
}

__global__ void relayed_early_bad(int *claim, int *flag, int *all, int *made, int *out) {
  if (atomicCAS(claim, 0, 1) == 0) {
    tell(flag, 1);
    made[0] = 7; // expect-race[early]
  }
  if (me() == 70) {
    hear(flag, 1);
    tell(all, 1);
  }
  hear(all, 1);
  out[me()] = made[0]; // expect-race[early]
}

__global__ void relayed_any_bad(int *claim, int *flag, int *all, int *made, int *out) {
  if (atomicCAS(claim, 0, 1) == 0) made[0] = 7; // expect-race[any]
  tell(flag, 1);
  if (me() == 70) {
    hear(flag, 1);
    tell(all, 1);
  }
  hear(all, 1);
  out[me()] = made[0]; // expect-race[any]
}

__global__ void places_ok(int *state, int *made, int *out) { // expect-clean
  if (threadIdx.x & 1) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7;
      tell(state, 2);
    } else {
      hear(state, 2);
    }
  } else {
    if (atomicCAS(state, 0, 3) == 0) {
      made[0] = 9;
      tell(state, 2);
    } else {
      hear(state, 2);
    }
  }
  out[me()] = made[0];
}

__global__ void places_bad(int *state, int *made, int *out) {
  if (threadIdx.x & 1) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7; // expect-race[places], expect-race[read]
      tell(state, 2);
    } else {
      hear(state, 2);
    }
  } else {
    if (atomicCAS(state + 1, 0, 3) == 0) {
      made[0] = 9; // expect-race[places], expect-race[other]
      tell(state + 1, 2);
    } else {
      hear(state + 1, 2);
    }
  }
  out[me()] = made[0]; // expect-race[other], expect-race[read]
}

__global__ void places_some_bad(int *state, int *made, int *out) {
  if (threadIdx.x & 1) {
    if (atomicCAS(state, 0, 1) == 0) {
      made[0] = 7; // expect-race[some]
      tell(state, 2);
    } else {
      hear(state, 2);
    }
  } else {
    if (atomicCAS(state, 0, 3) == 0) {
      made[0] = 9; // expect-race[some]
      tell(state, 2);
    }
  }
  out[me()] = made[0]; // expect-race[some]
}
