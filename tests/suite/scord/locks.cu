// ScoRD's locks: two threads change a datum, in two blocks or in two warps of one block, with or without a lock (compare-and-swap, fence;
// fence, exchange). 12 tests are racy, 5 are not. Names: who meets, what the one does, what the other does (one word: both do it).
// none: no lock. device, block: scope of the operations and fences. block_fence: of the fences alone. no_acquire: no fence behind
// taking the lock. no_fence: none at all. read: the one without the lock only reads. thread: one thread does both, one after the other.
// Why: a lock orders two critical sections if both threads take it and its operations and fences have scopes that hold both of them. Block
// scope is enough within a block and too narrow between blocks; there the operations on the lock race as well: taking
// with taking [take], taking with giving back [give], giving back with giving back [back]. An access without the lock is not ordered with
// anything. A missing fence lets the accesses leave the critical section. One thread is always ordered with itself.
//@ pairs: exact
//@ verdict blocks_device: race-free
//@ verdict warps_block: race-free
//@ verdict warps_device_block: race-free
//@ verdict thread_none_block: race-free
//@ verdict thread_none_block_no_fence: race-free
//@ verdict blocks_block: racy
//@ verdict blocks_block_fence: racy
//@ verdict blocks_no_fence: racy
//@ verdict blocks_no_acquire: racy
//@ verdict blocks_none_device: racy
//@ verdict blocks_read_none_device: racy
//@ verdict warps_none_device: racy
//@ verdict warps_none_block: racy
//@ verdict warps_block_no_fence: racy
//@ verdict warps_block_no_acquire: racy
//@ verdict warps_device_block_no_fence: racy
//@ verdict warps_device_block_no_acquire: racy

__global__ void blocks_device(int *lock, int *data) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    data[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void warps_block(int *lock, int *data) { // expect-clean
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    __threadfence_block();
    data[0] += 1;
    __threadfence_block();
    atomicExch_block(lock, 0);
  }
}

__global__ void warps_device_block(int *lock, int *data) { // expect-clean
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0) {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      __threadfence();
      data[0] += 1;
      __threadfence();
      atomicExch(lock, 0);
    } else {
      while (atomicCAS_block(lock, 0, 1) != 0) {
      }
      __threadfence_block();
      data[0] += 2;
      __threadfence_block();
      atomicExch_block(lock, 0);
    }
  }
}

__global__ void thread_none_block(int *lock, int *data) { // expect-clean
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    data[0] = 1;
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    __threadfence_block();
    data[0] += 2;
    __threadfence_block();
    atomicExch_block(lock, 0);
  }
}

__global__ void thread_none_block_no_fence(int *lock, int *data) { // expect-clean
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    data[0] = 1;
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    data[0] += 2;
    atomicExch_block(lock, 0);
  }
}

__global__ void blocks_block(int *lock, int *data) {
  if (threadIdx.x == 0) {
    while (atomicCAS_block(lock, 0, 1) != 0) { // expect-race[take](inter-block) {{cause=insufficient-scope-atomic}} expect-race[give](inter-block) {{cause=insufficient-scope-atomic}}
    }
    __threadfence_block();
    data[0] += 1; // expect-race[data](inter-block) {{cause=insufficient-scope-lock}}
    __threadfence_block();
    atomicExch_block(lock, 0); // expect-race[give](inter-block) {{cause=insufficient-scope-atomic}} expect-race[back](inter-block) {{cause=insufficient-scope-}}
  }
}

__global__ void blocks_block_fence(int *lock, int *data) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence_block();
    data[0] += 1; // expect-race[data](inter-block) {{cause=insufficient-scope-fence}}
    __threadfence_block();
    atomicExch(lock, 0);
  }
}

__global__ void blocks_no_fence(int *lock, int *data) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    data[0] += 1; // expect-race[data](inter-block) {{cause=missing-}}
    atomicExch(lock, 0);
  }
}

__global__ void blocks_no_acquire(int *lock, int *data) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    data[0] += 1; // expect-race[data](inter-block) {{cause=missing-acquire-fence}}
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void blocks_none_device(int *lock, int *data) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      data[0] = 1; // expect-race[data](inter-block) {{cause=unlocked-access}}
    } else {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      __threadfence();
      data[0] += 2; // expect-race[data](inter-block) {{cause=unlocked-access}}
      __threadfence();
      atomicExch(lock, 0);
    }
  }
}

__global__ void blocks_read_none_device(int *lock, int *data, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      out[0] = data[0]; // expect-race[data](inter-block) {{cause=unlocked-access}}
    } else {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      __threadfence();
      data[0] += 2; // expect-race[data](inter-block) {{cause=unlocked-access}}
      __threadfence();
      atomicExch(lock, 0);
    }
  }
}

__global__ void warps_none_device(int *lock, int *data) {
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0) {
      data[0] = 1; // expect-race[data](intra-block) {{cause=unlocked-access}}
    } else {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      __threadfence();
      data[0] += 2; // expect-race[data](intra-block) {{cause=unlocked-access}}
      __threadfence();
      atomicExch(lock, 0);
    }
  }
}

__global__ void warps_none_block(int *lock, int *data) {
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0) {
      data[0] = 1; // expect-race[data](intra-block) {{cause=unlocked-access}}
    } else {
      while (atomicCAS_block(lock, 0, 1) != 0) {
      }
      __threadfence_block();
      data[0] += 2; // expect-race[data](intra-block) {{cause=unlocked-access}}
      __threadfence_block();
      atomicExch_block(lock, 0);
    }
  }
}

__global__ void warps_block_no_fence(int *lock, int *data) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    data[0] += 1; // expect-race[data](intra-block) {{cause=missing-}}
    atomicExch_block(lock, 0);
  }
}

__global__ void warps_block_no_acquire(int *lock, int *data) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    data[0] += 1; // expect-race[data](intra-block) {{cause=missing-acquire-fence}}
    __threadfence_block();
    atomicExch_block(lock, 0);
  }
}

__global__ void warps_device_block_no_fence(int *lock, int *data) {
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0) {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      data[0] += 1; // expect-race[data](intra-block) {{cause=missing-}}
      atomicExch(lock, 0);
    } else {
      while (atomicCAS_block(lock, 0, 1) != 0) {
      }
      data[0] += 2; // expect-race[data](intra-block) {{cause=missing-}}
      atomicExch_block(lock, 0);
    }
  }
}

__global__ void warps_device_block_no_acquire(int *lock, int *data) {
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0) {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
      data[0] += 1; // expect-race[data](intra-block) {{cause=missing-acquire-fence}}
      __threadfence();
      atomicExch(lock, 0);
    } else {
      while (atomicCAS_block(lock, 0, 1) != 0) {
      }
      data[0] += 2; // expect-race[data](intra-block) {{cause=missing-acquire-fence}}
      __threadfence_block();
      atomicExch_block(lock, 0);
    }
  }
}

int main() {
  int *lock, *data, *out;
  cudaMalloc((void **)&lock, 2 * sizeof(int));
  cudaMemset(lock, 0, 2 * sizeof(int));
  cudaMalloc((void **)&data, sizeof(int));
  cudaMalloc((void **)&out, sizeof(int));
  blocks_device<<<2, 64>>>(lock, data);
  warps_block<<<1, 64>>>(lock, data);
  warps_device_block<<<1, 64>>>(lock, data);
  thread_none_block<<<1, 64>>>(lock, data);
  thread_none_block_no_fence<<<1, 64>>>(lock, data);
  blocks_block<<<2, 64>>>(lock, data);
  blocks_block_fence<<<2, 64>>>(lock, data);
  blocks_no_fence<<<2, 64>>>(lock, data);
  blocks_no_acquire<<<2, 64>>>(lock, data);
  blocks_none_device<<<2, 64>>>(lock, data);
  blocks_read_none_device<<<2, 64>>>(lock, data, out);
  warps_none_device<<<1, 64>>>(lock, data);
  warps_none_block<<<1, 64>>>(lock, data);
  warps_block_no_fence<<<1, 64>>>(lock, data);
  warps_block_no_acquire<<<1, 64>>>(lock, data);
  warps_device_block_no_fence<<<1, 64>>>(lock, data);
  warps_device_block_no_acquire<<<1, 64>>>(lock, data);
  return 0;
}
