// The leader of a block waits, and a barrier hands on what it has heard, on those ways only that need it. gate: all blocks but the first one
// wait for its table (ok); without the fence of who tells (fence, bad), with one of block scope (scope, bad), without the fence of who waits
// (acquire, bad), without the barrier behind the wait (barrier, bad), with a block that goes round the wait (some, bad), or with the flag raised
// before the table is written (early, bad). asked: only where the host asks for it is the table waited for, and read (ok); or read in any case
// (bad). either: each block waits for one of two tables, and reads that one (ok); or reads the other one (bad). looked: whether a block waits is
// what it has read of an array, before (ok); it reads the array of its neighbour (bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict gate_ok: race-free
//@ rule gate_ok: flag
//@ verdict gate_fence_bad: racy
//@ verdict gate_scope_bad: racy
//@ verdict gate_acquire_bad: racy
//@ verdict gate_barrier_bad: racy
//@ verdict gate_some_bad: racy
//@ verdict gate_early_bad: racy
//@ verdict asked_ok: race-free
//@ verdict asked_bad: racy
//@ verdict either_ok: race-free
//@ verdict either_bad: racy
//@ verdict looked_ok: race-free
//@ verdict looked_bad: racy

__device__ void fill(int *table) {
  table[threadIdx.x] = threadIdx.x; // expect-race[table]
}

__device__ void read(const int *table, int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[threadIdx.x]; // expect-race[table]
}

__device__ void tell(int *flag) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(flag, 1);
  }
}

__device__ void wait(int *flag) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void gate_ok(int *flag, int *table, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    fill(table);
    tell(flag);
  } else {
    wait(flag);
  }
  if (blockIdx.x != 0) read(table, out);
}

__global__ void gate_fence_bad(int *flag, int *table, int *out) {
  if (blockIdx.x == 0) {
    fill(table);
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    wait(flag);
  }
  if (blockIdx.x != 0) read(table, out);
}

__global__ void gate_scope_bad(int *flag, int *table, int *out) {
  if (blockIdx.x == 0) {
    fill(table);
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence_block();
      atomicExch(flag, 1);
    }
  } else {
    wait(flag);
  }
  if (blockIdx.x != 0) read(table, out);
}

__global__ void gate_acquire_bad(int *flag, int *table, int *out) {
  if (blockIdx.x == 0) {
    fill(table);
    tell(flag);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
    }
    __syncthreads();
  }
  if (blockIdx.x != 0) read(table, out);
}

__global__ void gate_barrier_bad(int *flag, int *table, int *out) {
  if (blockIdx.x == 0) {
    fill(table);
    tell(flag);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
  }
  if (blockIdx.x != 0) read(table, out);
}

__global__ void gate_some_bad(int *flag, int *table, int *out) {
  if (blockIdx.x == 0) {
    fill(table);
    tell(flag);
  } else if (blockIdx.x != 1) {
    wait(flag);
  }
  if (blockIdx.x != 0) read(table, out);
}

__global__ void gate_early_bad(int *flag, int *table, int *out) {
  if (blockIdx.x == 0) {
    tell(flag);
    fill(table);
  } else {
    wait(flag);
  }
  if (blockIdx.x != 0) read(table, out);
}

__global__ void asked_ok(int *flag, int *table, int *out, int ready) { // expect-clean
  if (blockIdx.x == 0) {
    fill(table);
    tell(flag);
  }
  if (blockIdx.x != 0 && ready) wait(flag);
  if (blockIdx.x != 0 && ready) read(table, out);
}

__global__ void asked_bad(int *flag, int *table, int *out, int ready) {
  if (blockIdx.x == 0) {
    fill(table);
    tell(flag);
  }
  if (blockIdx.x != 0 && ready) wait(flag);
  if (blockIdx.x != 0) read(table, out);
}

__device__ void either(int *flags, int *table, int *out, int other) {
  if (blockIdx.x < 2) {
    fill(table + blockIdx.x * blockDim.x);
    tell(flags + blockIdx.x);
    return;
  }
  if (blockIdx.x == 2)
    wait(flags);
  else
    wait(flags + 1);
  read(table + ((blockIdx.x == 2) == other) * blockDim.x, out);
}

__global__ void either_ok(int *flags, int *table, int *out) { // expect-clean
  either(flags, table, out, 0);
}

__global__ void either_bad(int *flags, int *table, int *out) {
  either(flags, table, out, 1);
}

__device__ void looked(int *flag, const int *asks, int *table, int *out, int neighbour) {
  if (blockIdx.x == 0) {
    fill(table);
    tell(flag);
    return;
  }
  int waits = asks[blockIdx.x];
  if (waits) wait(flag);
  if (asks[blockIdx.x + neighbour]) read(table, out);
}

__global__ void looked_ok(int *flag, const int *asks, int *table, int *out) { // expect-clean
  looked(flag, asks, table, out, 0);
}

__global__ void looked_bad(int *flag, const int *asks, int *table, int *out) {
  looked(flag, asks, table, out, 1);
}
