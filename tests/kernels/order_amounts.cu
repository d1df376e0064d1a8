// Counters that rise by more than one: each block adds 4 behind its part, once. The sum says "all" where one part less would not reach it.
// last: who drew 4 * (n - 1) has drawn last, since all others have added before (ok); one draw less is enough (bad); no fence behind the draw (fence, bad).
// carried: the leader draws, and leaves for its block what the number says (ok); of one block less (bad).
// wait: block 0 waits for what all others add up to (ok); for one part less (bad); some add 8, so that others may be missing (mixed, bad).
// between: of the others, all but one add up to 4 * (n - 2): a sum above that takes all of them (ok); that very sum does not (bad).
// part: each thread of a block adds 2 in shared memory, and the first one waits for the sum (ok); the first warp alone reaches it (bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict last_ok: race-free
//@ rule last_ok: last-arrival
//@ verdict last_bad: racy
//@ verdict last_fence_bad: racy
//@ verdict carried_ok: race-free
//@ verdict carried_bad: racy
//@ verdict wait_ok: race-free
//@ rule wait_ok: count
//@ verdict wait_bad: racy
//@ verdict wait_mixed_bad: racy
//@ verdict between_ok: race-free
//@ verdict between_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy

__global__ void last_ok(int *count, int *part, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (atomicAdd(count, 4) == 4 * (gridDim.x - 1)) {
      __threadfence();
      for (int i = 0; i < gridDim.x; i++)
        out[i] = part[i];
    }
  }
}

__global__ void last_bad(int *count, int *part, int *out) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x; // expect-race[last]
    __threadfence();
    if (atomicAdd(count, 4) == 4 * (gridDim.x - 2)) {
      __threadfence();
      for (int i = 0; i < gridDim.x; i++)
        out[i] = part[i]; // expect-race[last]
    }
  }
}

__global__ void last_fence_bad(int *count, int *part, int *out) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x; // expect-race[fence]
    __threadfence();
    if (atomicAdd(count, 4) == 4 * (gridDim.x - 1)) {
      for (int i = 0; i < gridDim.x; i++)
        out[i] = part[i]; // expect-race[fence]
    }
  }
}

__global__ void carried_ok(int *count, int *part, int *out) { // expect-clean
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    is_last = atomicAdd(count, 4) == 4 * (gridDim.x - 1);
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) out[threadIdx.x] = part[threadIdx.x];
}

__global__ void carried_bad(int *count, int *part, int *out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x; // expect-race[carried]
    __threadfence();
    is_last = atomicAdd(count, 4) == 4 * (gridDim.x - 2);
    __threadfence();
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) out[threadIdx.x] = part[threadIdx.x]; // expect-race[carried]
}

__global__ void wait_ok(int *count, int *part, int *out) { // expect-clean
  if (threadIdx.x > 0) return;
  if (blockIdx.x > 0) {
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicAdd(count, 4);
  } else {
    while (atomicAdd(count, 0) < 4 * (gridDim.x - 1)) {
    }
    __threadfence();
    for (int i = 1; i < gridDim.x; i++)
      out[i] = part[i];
  }
}

__global__ void wait_bad(int *count, int *part, int *out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x > 0) {
    part[blockIdx.x] = blockIdx.x; // expect-race[wait]
    __threadfence();
    atomicAdd(count, 4);
  } else {
    while (atomicAdd(count, 0) < 4 * (gridDim.x - 2)) {
    }
    __threadfence();
    for (int i = 1; i < gridDim.x; i++)
      out[i] = part[i]; // expect-race[wait]
  }
}

__global__ void wait_mixed_bad(int *count, int *part, int *out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x > 0) {
    part[blockIdx.x] = blockIdx.x; // expect-race[mixed]
    __threadfence();
    if (blockIdx.x == 1)
      atomicAdd(count, 8);
    else
      atomicAdd(count, 4);
  } else {
    while (atomicAdd(count, 0) < 4 * (gridDim.x - 1)) {
    }
    __threadfence();
    for (int i = 1; i < gridDim.x; i++)
      out[i] = part[i]; // expect-race[mixed]
  }
}

__global__ void between_ok(int *count, int *part, int *out) { // expect-clean
  if (threadIdx.x > 0) return;
  if (blockIdx.x > 0) {
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicAdd(count, 4);
  } else {
    while (atomicAdd(count, 0) <= 4 * (gridDim.x - 2)) {
    }
    __threadfence();
    for (int i = 1; i < gridDim.x; i++)
      out[i] = part[i];
  }
}

__global__ void between_bad(int *count, int *part, int *out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x > 0) {
    part[blockIdx.x] = blockIdx.x; // expect-race[between]
    __threadfence();
    atomicAdd(count, 4);
  } else {
    while (atomicAdd(count, 0) <= 4 * (gridDim.x - 2) - 1) {
    }
    __threadfence();
    for (int i = 1; i < gridDim.x; i++)
      out[i] = part[i]; // expect-race[between]
  }
}

__global__ void part_ok(int *out) { // expect-clean
  __shared__ int count, part[64];
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  part[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  atomicAdd(&count, 2);
  if (threadIdx.x == 0) {
    while (atomicAdd(&count, 0) != 2 * blockDim.x) {
    }
    __threadfence_block();
    for (int i = 0; i < blockDim.x; i++)
      out[blockIdx.x * blockDim.x + i] = part[i];
  }
}

__global__ void part_bad(int *out) {
  __shared__ int count, part[64];
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  part[threadIdx.x] = threadIdx.x; // expect-race[part]
  __threadfence_block();
  atomicAdd(&count, 2);
  if (threadIdx.x == 0) {
    while (atomicAdd(&count, 0) < blockDim.x) {
    }
    __threadfence_block();
    for (int i = 0; i < blockDim.x; i++)
      out[blockIdx.x * blockDim.x + i] = part[i]; // expect-race[part]
  }
}
