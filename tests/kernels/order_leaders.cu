// The thread that acts for its block need not be thread 0: the fifth one, the last one, one of a number that the host gives.
// lock: it takes a lock for the block; with no barrier before it gives it back (bad). flag: it sets and waits for a flag; the
// data are written with no barrier before (bad). ticket: it draws a number; another thread's results are read by the last block
// before that has drawn (bad). barrier: the grid's, by a counter that it counts up; with a target of one block less (bad).
// nobody: blocks may be so small that they have no such thread, and so nobody waits.
//@ verdict lock_ok: race-free
//@ verdict lock_bad: racy
//@ verdict flag_ok: race-free
//@ verdict flag_bad: racy
//@ verdict ticket_ok: race-free
//@ verdict ticket_bad: racy
//@ verdict barrier_ok: race-free
//@ verdict barrier_bad: racy
//@ verdict nobody_ok: race-free
//@ verdict nobody_bad: racy

__global__ void lock_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == blockDim.x - 1) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  a[threadIdx.x] += blockIdx.x;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void lock_bad(int *lock, int *a) {
  if (threadIdx.x == blockDim.x - 1) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  a[threadIdx.x] += blockIdx.x; // expect-race
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void flag_ok(int *flag, int *a, int *out, int leader) { // expect-clean
  if (leader < 0 || leader >= blockDim.x)
    return;
  if (blockIdx.x == 0) {
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == leader) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (threadIdx.x == leader) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = a[threadIdx.x ^ 1];
  }
}

__global__ void flag_bad(int *flag, int *a, int *out, int leader) {
  if (leader < 0 || leader >= blockDim.x)
    return;
  if (blockIdx.x == 0) {
    a[threadIdx.x] = threadIdx.x; // expect-race[flag] {{cause=missing-barrier}}
    if (threadIdx.x == leader) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (threadIdx.x == leader) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = a[threadIdx.x ^ 1]; // expect-race[flag]
  }
}

__global__ void ticket_ok(int *count, int *part, int *out) { // expect-clean
  __shared__ bool last;
  if (threadIdx.x == 0)
    part[blockIdx.x] = blockIdx.x * 3;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x)
    out[threadIdx.x] = part[threadIdx.x];
}

__global__ void ticket_bad(int *count, int *part, int *out) {
  __shared__ bool last;
  if (threadIdx.x == 0)
    part[blockIdx.x] = blockIdx.x * 3; // expect-race[ticket]
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x)
    out[threadIdx.x] = part[threadIdx.x]; // expect-race[ticket]
}

__global__ void barrier_ok(int *count, int *a, int *out) { // expect-clean
  a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = a[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x];
}

__global__ void barrier_bad(int *count, int *a, int *out) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[barrier] {{cause=incomplete-arrival}}
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x - 1) {
    }
    __threadfence();
  }
  __syncthreads();
  int other = (gridDim.x - 1 - blockIdx.x) * blockDim.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = a[other + threadIdx.x]; // expect-race[barrier]
}

__global__ void nobody_ok(int *lock, int *a) { // expect-clean
  if (blockDim.x <= 5)
    return;
  if (threadIdx.x == 5) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  a[threadIdx.x] += blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 5) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void nobody_bad(int *lock, int *a) {
  if (blockDim.x <= 4)
    return;
  if (threadIdx.x == 5) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  a[threadIdx.x] += blockIdx.x; // expect-race
  __syncthreads();
  if (threadIdx.x == 5) {
    __threadfence();
    atomicExch(lock, 0);
  }
}
