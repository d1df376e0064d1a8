// Words that say whose turn it is: who waited for its value holds the word until it stores the next one.
// handshake: one block fills a slot when it is empty, another one empties it when it is full (ok); two empty it (bad); it is
// handed back before it is read (bad). slots: the same with several slots (ok), the data in other ones than the flags (bad).
// turn: blocks add in the order of their numbers (ok); in pairs (bad); all threads of a block wait for its turn (bad); somebody else
// passes it on, too (bad); no fence behind the wait, before passing on (bad); once more behind passing it on (bad).
// add: passed on by an addition (ok). team: thread 0 waits for its block (ok), and does not wait for its end (bad). rounds: turns go
// round (ok), two blocks have one number in different rounds (bad). relay: a block in between passes the turn on by a volatile
// store with a fence (ok), without one, so that the next one has not heard of the last but one (bad); likewise a lock that
// somebody takes and gives back without any fence, by a store (bad), by an update of the word (ok). warps: within a block (ok),
// two lanes of each warp (bad). claim: who finds the word at a number of its own stores another one, and goes on when it reads that (ok);
// all find it at the same number, so the store of one does not keep others out that have looked before (bad). set_up: the word is set up by a plain store before a barrier (ok), without the barrier (bad).
//@ verdict handshake_ok: race-free
//@ verdict handshake_three_bad: racy
//@ verdict handshake_early_bad: racy
//@ verdict slots_ok: race-free
//@ verdict slots_bad: racy
//@ verdict turn_ok: race-free
//@ rule turn_ok: turn !lock
//@ verdict turn_half_bad: racy
//@ verdict turn_threads_bad: racy
//@ verdict turn_intruder_bad: racy
//@ verdict turn_no_acquire_bad: racy
//@ verdict turn_no_release_bad: racy
//@ verdict turn_past_bad: racy
//@ verdict turn_add_ok: race-free
//@ verdict team_ok: race-free
//@ verdict team_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict relay_ok: race-free
//@ verdict relay_bad: racy
//@ verdict lock_relay_ok: race-free
//@ verdict lock_relay_bad: racy
//@ verdict warps_ok: race-free
//@ verdict warps_bad: racy
//@ verdict claim_ok: race-free
//@ verdict claim_bad: racy
//@ verdict set_up_ok: race-free
//@ verdict set_up_bad: racy
__device__ void tell(int *turn, int value) {
  __threadfence();
  atomicExch(turn, value);
}
__device__ void hear(int *turn, int value) {
  while (atomicAdd(turn, 0) != value) { // expect-race[early]
  }
  __threadfence();
}

__global__ void handshake_ok(int *turn, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int k = 0; k < 8; k++) {
      hear(turn, 0);
      data[0] = k;
      tell(turn, 1);
    }
  } else if (blockIdx.x == 1) {
    for (int k = 0; k < 8; k++) {
      hear(turn, 1);
      out[k] = data[0];
      tell(turn, 0);
    }
  }
}

__global__ void handshake_three_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int k = 0; k < 8; k++) {
      hear(turn, 0);
      data[0] = k; // expect-race
      tell(turn, 1);
    }
  } else if (blockIdx.x < 3) {
    for (int k = 0; k < 8; k++) {
      hear(turn, 1);
      out[blockIdx.x * 8 + k] = data[0]; // expect-race
      tell(turn, 0);
    }
  }
}

__global__ void handshake_early_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int k = 0; k < 8; k++) {
      hear(turn, 0);
      data[0] = k; // expect-race {{cause=no-synchronisation}}
      tell(turn, 1);
    }
  } else if (blockIdx.x == 1) {
    for (int k = 0; k < 8; k++) {
      hear(turn, 1);
      tell(turn, 0);
      out[k] = data[0]; // expect-race
    }
  }
}

__global__ void slots_ok(int *turn, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int k = 0; k < 32; k++) {
      hear(&turn[k % 4], 0);
      data[k % 4] = k;
      tell(&turn[k % 4], 1);
    }
  } else if (blockIdx.x == 1) {
    for (int k = 0; k < 32; k++) {
      hear(&turn[k % 4], 1);
      out[k] = data[k % 4];
      tell(&turn[k % 4], 0);
    }
  }
}

__global__ void slots_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int k = 0; k < 32; k++) {
      hear(&turn[k % 4], 0);
      data[k % 8] = k; // expect-race
      tell(&turn[k % 4], 1);
    }
  } else if (blockIdx.x == 1) {
    for (int k = 0; k < 32; k++) {
      hear(&turn[k % 4], 1);
      out[k] = data[(k + 1) % 4]; // expect-race
      tell(&turn[k % 4], 0);
    }
  }
}

__global__ void turn_ok(int *turn, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  hear(turn, blockIdx.x);
  data[0] += 1;
  tell(turn, blockIdx.x + 1);
}

__global__ void turn_half_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  hear(turn, blockIdx.x / 2);
  data[0] += 1; // expect-race
  tell(turn, blockIdx.x / 2 + 1);
}

__global__ void turn_threads_bad(int *turn, int *data, int *out) {
  hear(turn, blockIdx.x);
  data[0] += 1; // expect-race
  tell(turn, blockIdx.x + 1);
}

__global__ void turn_intruder_bad(int *turn, int *data, int *out) {
  if (threadIdx.x == 1)
    atomicAdd(turn, 1);
  if (threadIdx.x != 0)
    return;
  hear(turn, blockIdx.x);
  data[0] += 1; // expect-race
  tell(turn, blockIdx.x + 1);
}

__global__ void turn_no_acquire_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  while (atomicAdd(turn, 0) != blockIdx.x) {
  }
  data[0] += 1; // expect-race {{cause=missing-acquire-fence}}
  tell(turn, blockIdx.x + 1);
}

__global__ void turn_no_release_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  hear(turn, blockIdx.x);
  data[0] += 1; // expect-race {{cause=missing-fence}}
  atomicExch(turn, blockIdx.x + 1);
}

__global__ void turn_past_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  hear(turn, blockIdx.x);
  data[0] += 1; // expect-race
  tell(turn, blockIdx.x + 1);
  data[0] += 2; // expect-race
}

__global__ void turn_add_ok(int *turn, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  hear(turn, blockIdx.x);
  data[0] += 1;
  __threadfence();
  atomicAdd(turn, 1);
}

__global__ void team_ok(int *turn, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0)
    hear(turn, blockIdx.x);
  __syncthreads();
  data[threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    tell(turn, blockIdx.x + 1);
}

__global__ void team_bad(int *turn, int *data, int *out) {
  if (threadIdx.x == 0)
    hear(turn, blockIdx.x);
  __syncthreads();
  data[threadIdx.x] += 1; // expect-race {{cause=missing-barrier}}
  if (threadIdx.x == 0)
    tell(turn, blockIdx.x + 1);
}

__global__ void rounds_ok(int *turn, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  for (int k = 0; k < 4; k++) {
    hear(turn, k * gridDim.x + blockIdx.x);
    data[0] += 1;
    tell(turn, k * gridDim.x + blockIdx.x + 1);
  }
}

__global__ void rounds_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  for (int k = 0; k < 4; k++) {
    hear(turn, k + blockIdx.x);
    data[0] += 1; // expect-race
    tell(turn, k + blockIdx.x + 1);
  }
}

__global__ void relay_ok(volatile int *turn, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  while (*turn != blockIdx.x) {
  }
  if (blockIdx.x == 1) {
    __threadfence();
    *turn = 2;
  } else {
    __threadfence();
    data[0] += 1;
    __threadfence();
    *turn = blockIdx.x + 1;
  }
}

__global__ void relay_bad(volatile int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  while (*turn != blockIdx.x) {
  }
  if (blockIdx.x == 1) {
    *turn = 2;
  } else {
    __threadfence();
    data[0] += 1; // expect-race {{cause=missing-fence}}
    __threadfence();
    *turn = blockIdx.x + 1;
  }
}

__global__ void lock_relay_ok(int *turn, int *data, int *out) { // expect-clean
  if (blockIdx.x == 3) {
    while (atomicCAS(turn, 0, 1) != 0) {
    }
    atomicExch(turn, 0);
  } else {
    while (atomicCAS(turn, 0, 1) != 0) {
    }
    __threadfence();
    data[0] += 1;
    tell(turn, 0);
  }
}

__global__ void lock_relay_bad(int *turn, int *data, int *out) {
  if (blockIdx.x == 3) {
    while (atomicCAS(turn, 0, 1) != 0) {
    }
    *(volatile int *)turn = 0;
  } else {
    while (atomicCAS(turn, 0, 1) != 0) {
    }
    __threadfence();
    data[0] += 1; // expect-race {{cause=missing-fence}}
    tell(turn, 0);
  }
}

__global__ void warps_ok(int *out) { // expect-clean
  __shared__ volatile int turn;
  __shared__ int sum;
  if (threadIdx.x == 0)
    turn = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0)
    return;
  while (turn != threadIdx.x / 32) {
  }
  __threadfence_block();
  sum += 1;
  __threadfence_block();
  turn = threadIdx.x / 32 + 1;
}

__global__ void warps_bad(int *out) {
  __shared__ volatile int turn;
  __shared__ int sum;
  if (threadIdx.x == 0)
    turn = 0;
  __syncthreads();
  if (threadIdx.x % 32 > 1)
    return;
  while (turn != threadIdx.x / 32) {
  }
  __threadfence_block();
  sum += 1; // expect-race
  __threadfence_block();
  turn = threadIdx.x / 32 + 1;
}

__global__ void claim_ok(int *turn, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  int free = 2 * blockIdx.x, mine = 2 * blockIdx.x + 1;
  do {
    hear(turn, free);
    tell(turn, mine);
  } while (atomicAdd(turn, 0) != mine);
  __threadfence();
  data[0] += 1;
  tell(turn, free + 2);
}

__global__ void claim_bad(int *turn, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  int free = 0, mine = 2 * blockIdx.x + 1;
  do {
    hear(turn, free);
    tell(turn, mine);
  } while (atomicAdd(turn, 0) != mine);
  __threadfence();
  data[0] += 1; // expect-race
  tell(turn, free);
}

__global__ void set_up_ok(int *out) { // expect-clean
  __shared__ int turn;
  if (threadIdx.x == 0)
    turn = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0)
    return;
  hear(&turn, threadIdx.x / 32);
  out[blockIdx.x] += 1;
  tell(&turn, threadIdx.x / 32 + 1);
}

__global__ void set_up_bad(int *out) {
  __shared__ int turn;
  if (threadIdx.x == 0)
    turn = 0; // expect-race[early]
  if (threadIdx.x % 32 != 0)
    return;
  hear(&turn, threadIdx.x / 32);
  out[blockIdx.x] += 1;
  tell(&turn, threadIdx.x / 32 + 1);
}

int main() {
  int *turn, *data, *out;
  cudaMalloc((void **)&turn, 64);
  cudaMalloc((void **)&data, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMemset(turn, 0, 64);
  handshake_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  handshake_three_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  handshake_early_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  slots_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  slots_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  turn_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  turn_half_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  turn_threads_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  turn_intruder_bad<<<8, 64>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  turn_no_acquire_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  turn_no_release_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  turn_past_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  turn_add_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  team_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  team_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  rounds_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  rounds_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  relay_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  relay_bad<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  lock_relay_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  lock_relay_bad<<<4, 32>>>(turn, data, out);
  warps_ok<<<2, 64>>>(out);
  warps_bad<<<2, 64>>>(out);
  cudaMemset(turn, 0, 64);
  claim_ok<<<4, 32>>>(turn, data, out);
  cudaMemset(turn, 0, 64);
  claim_bad<<<4, 32>>>(turn, data, out);
  set_up_ok<<<2, 64>>>(out);
  set_up_bad<<<2, 64>>>(out);
  return 0;
}
