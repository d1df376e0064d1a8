// The matrix of locks: two threads of two blocks, of two warps, of one warp, change a datum.
// none: no lock. block, device: both take one lock whose operations and fences have that scope. one_side: only one takes it.
// other_lock: each takes a lock of its own. narrow_take, narrow_give, narrow_fence: one side takes it, gives it back, fences
// behind taking it, with block scope. no_acquire, no_release: one side has no fence behind taking it, before giving it back.
// The lock orders only if both hold the same one, with operations and fences of scopes that hold both threads: block scope is
// too narrow between blocks (then the operations on the lock word race, too) and wide enough everywhere else.
//@ verdict blocks_none_bad: racy
//@ verdict blocks_block_bad: racy
//@ verdict blocks_device_ok: race-free
//@ verdict blocks_one_side_bad: racy
//@ verdict blocks_other_lock_bad: racy
//@ verdict blocks_narrow_take_bad: racy
//@ verdict blocks_narrow_give_bad: racy
//@ verdict blocks_narrow_fence_bad: racy
//@ verdict blocks_no_acquire_bad: racy
//@ verdict blocks_no_release_bad: racy
//@ verdict warps_none_bad: racy
//@ verdict warps_block_ok: race-free
//@ verdict warps_device_ok: race-free
//@ verdict warps_one_side_bad: racy
//@ verdict warps_other_lock_bad: racy
//@ verdict warps_narrow_take_ok: race-free
//@ verdict warps_narrow_give_ok: race-free
//@ verdict warps_narrow_fence_ok: race-free
//@ verdict warps_no_acquire_bad: racy
//@ verdict warps_no_release_bad: racy
//@ verdict lanes_none_bad: racy
//@ verdict lanes_block_ok: race-free
//@ verdict lanes_device_ok: race-free
//@ verdict lanes_one_side_bad: racy
//@ verdict lanes_other_lock_bad: racy
//@ verdict lanes_narrow_take_ok: race-free
//@ verdict lanes_narrow_give_ok: race-free
//@ verdict lanes_narrow_fence_ok: race-free
//@ verdict lanes_no_acquire_bad: racy
//@ verdict lanes_no_release_bad: racy

__device__ void take_no_fence(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) { // expect-race[word] {{cause=insufficient-scope-atomic}}
  }
}
__device__ void take(int *lock) {
  take_no_fence(lock);
  __threadfence();
}
__device__ void take_fence_block(int *lock) {
  take_no_fence(lock);
  __threadfence_block();
}
__device__ void take_block(int *lock) {
  while (atomicCAS_block(lock, 0, 1) != 0) { // expect-race[word]
  }
  __threadfence_block();
}
__device__ void give_no_fence(int *lock) { atomicExch(lock, 0); }
__device__ void give(int *lock) {
  __threadfence();
  atomicExch(lock, 0); // expect-race[word]
}
__device__ void give_block(int *lock) {
  __threadfence_block();
  atomicExch_block(lock, 0); // expect-race[word]
}

__global__ void blocks_none_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    a[0] += 1; // expect-race {{inter-block-race] definite cause=no-synchronisation}}
  } else if (blockIdx.x == 1) {
    a[0] += 2; // expect-race
  }
}

__global__ void blocks_block_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    take_block(lock);
    a[0] += 1; // expect-race {{inter-block-race] possible cause=insufficient-scope-lock}}
    give_block(lock);
  } else if (blockIdx.x == 1) {
    take_block(lock);
    a[0] += 2; // expect-race
    give_block(lock);
  }
}

__global__ void blocks_device_ok(int *lock, int *a) { // expect-clean
  if (blockIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (blockIdx.x == 1) {
    take(lock);
    a[0] += 2;
    give(lock);
  }
}

__global__ void blocks_one_side_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{inter-block-race] possible cause=unlocked-access}}
    give(lock);
  } else if (blockIdx.x == 1) {
    a[0] += 2; // expect-race
  }
}

__global__ void blocks_other_lock_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{inter-block-race] possible cause=different-locks}}
    give(lock);
  } else if (blockIdx.x == 1) {
    take(lock + 1);
    a[0] += 2; // expect-race
    give(lock + 1);
  }
}

__global__ void blocks_narrow_take_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{inter-block-race] possible cause=insufficient-scope-lock}}
    give(lock);
  } else if (blockIdx.x == 1) {
    take_block(lock);
    a[0] += 2; // expect-race
    give(lock);
  }
}

__global__ void blocks_narrow_give_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{inter-block-race] possible cause=insufficient-scope-lock}}
    give(lock);
  } else if (blockIdx.x == 1) {
    take(lock);
    a[0] += 2; // expect-race
    give_block(lock);
  }
}

__global__ void blocks_narrow_fence_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{inter-block-race] possible cause=insufficient-scope-fence}}
    give(lock);
  } else if (blockIdx.x == 1) {
    take_fence_block(lock);
    a[0] += 2; // expect-race
    give(lock);
  }
}

__global__ void blocks_no_acquire_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{inter-block-race] possible cause=missing-acquire-fence}}
    give(lock);
  } else if (blockIdx.x == 1) {
    take_no_fence(lock);
    a[0] += 2; // expect-race
    give(lock);
  }
}

__global__ void blocks_no_release_bad(int *lock, int *a) {
  if (blockIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{inter-block-race] possible cause=missing-fence}}
    give(lock);
  } else if (blockIdx.x == 1) {
    take(lock);
    a[0] += 2; // expect-race
    give_no_fence(lock);
  }
}

__global__ void warps_none_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    a[0] += 1; // expect-race {{intra-block-race] definite cause=missing-barrier}}
  } else if (threadIdx.x == 32) {
    a[0] += 2; // expect-race
  }
}

__global__ void warps_block_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take_block(lock);
    a[0] += 1;
    give_block(lock);
  } else if (threadIdx.x == 32) {
    take_block(lock);
    a[0] += 2;
    give_block(lock);
  }
}

__global__ void warps_device_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (threadIdx.x == 32) {
    take(lock);
    a[0] += 2;
    give(lock);
  }
}

__global__ void warps_one_side_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{intra-block-race] possible cause=unlocked-access}}
    give(lock);
  } else if (threadIdx.x == 32) {
    a[0] += 2; // expect-race
  }
}

__global__ void warps_other_lock_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{intra-block-race] possible cause=different-locks}}
    give(lock);
  } else if (threadIdx.x == 32) {
    take(lock + 1);
    a[0] += 2; // expect-race
    give(lock + 1);
  }
}

__global__ void warps_narrow_take_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (threadIdx.x == 32) {
    take_block(lock);
    a[0] += 2;
    give(lock);
  }
}

__global__ void warps_narrow_give_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (threadIdx.x == 32) {
    take(lock);
    a[0] += 2;
    give_block(lock);
  }
}

__global__ void warps_narrow_fence_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (threadIdx.x == 32) {
    take_fence_block(lock);
    a[0] += 2;
    give(lock);
  }
}

__global__ void warps_no_acquire_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{intra-block-race] possible cause=missing-acquire-fence}}
    give(lock);
  } else if (threadIdx.x == 32) {
    take_no_fence(lock);
    a[0] += 2; // expect-race
    give(lock);
  }
}

__global__ void warps_no_release_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{intra-block-race] possible cause=missing-fence}}
    give(lock);
  } else if (threadIdx.x == 32) {
    take(lock);
    a[0] += 2; // expect-race
    give_no_fence(lock);
  }
}

__global__ void lanes_none_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    a[0] += 1; // expect-race {{intra-warp-race] definite cause=missing-warp-barrier}}
  } else if (threadIdx.x == 1) {
    a[0] += 2; // expect-race
  }
}

__global__ void lanes_block_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take_block(lock);
    a[0] += 1;
    give_block(lock);
  } else if (threadIdx.x == 1) {
    take_block(lock);
    a[0] += 2;
    give_block(lock);
  }
}

__global__ void lanes_device_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (threadIdx.x == 1) {
    take(lock);
    a[0] += 2;
    give(lock);
  }
}

__global__ void lanes_one_side_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{intra-warp-race] possible cause=unlocked-access}}
    give(lock);
  } else if (threadIdx.x == 1) {
    a[0] += 2; // expect-race
  }
}

__global__ void lanes_other_lock_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{intra-warp-race] possible cause=different-locks}}
    give(lock);
  } else if (threadIdx.x == 1) {
    take(lock + 1);
    a[0] += 2; // expect-race
    give(lock + 1);
  }
}

__global__ void lanes_narrow_take_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (threadIdx.x == 1) {
    take_block(lock);
    a[0] += 2;
    give(lock);
  }
}

__global__ void lanes_narrow_give_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (threadIdx.x == 1) {
    take(lock);
    a[0] += 2;
    give_block(lock);
  }
}

__global__ void lanes_narrow_fence_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1;
    give(lock);
  } else if (threadIdx.x == 1) {
    take_fence_block(lock);
    a[0] += 2;
    give(lock);
  }
}

__global__ void lanes_no_acquire_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{intra-warp-race] possible cause=missing-acquire-fence}}
    give(lock);
  } else if (threadIdx.x == 1) {
    take_no_fence(lock);
    a[0] += 2; // expect-race
    give(lock);
  }
}

__global__ void lanes_no_release_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0] += 1; // expect-race {{intra-warp-race] possible cause=missing-fence}}
    give(lock);
  } else if (threadIdx.x == 1) {
    take(lock);
    a[0] += 2; // expect-race
    give_no_fence(lock);
  }
}

int main() {
  int *lock, *a;
  cudaMalloc((void **)&lock, 64);
  cudaMalloc((void **)&a, 64);
  cudaMemset(lock, 0, 64);
  blocks_none_bad<<<2, 1>>>(lock, a);
  blocks_block_bad<<<2, 1>>>(lock, a);
  blocks_device_ok<<<2, 1>>>(lock, a);
  blocks_one_side_bad<<<2, 1>>>(lock, a);
  blocks_other_lock_bad<<<2, 1>>>(lock, a);
  blocks_narrow_take_bad<<<2, 1>>>(lock, a);
  blocks_narrow_give_bad<<<2, 1>>>(lock, a);
  blocks_narrow_fence_bad<<<2, 1>>>(lock, a);
  blocks_no_acquire_bad<<<2, 1>>>(lock, a);
  blocks_no_release_bad<<<2, 1>>>(lock, a);
  warps_none_bad<<<1, 64>>>(lock, a);
  warps_block_ok<<<1, 64>>>(lock, a);
  warps_device_ok<<<1, 64>>>(lock, a);
  warps_one_side_bad<<<1, 64>>>(lock, a);
  warps_other_lock_bad<<<1, 64>>>(lock, a);
  warps_narrow_take_ok<<<1, 64>>>(lock, a);
  warps_narrow_give_ok<<<1, 64>>>(lock, a);
  warps_narrow_fence_ok<<<1, 64>>>(lock, a);
  warps_no_acquire_bad<<<1, 64>>>(lock, a);
  warps_no_release_bad<<<1, 64>>>(lock, a);
  lanes_none_bad<<<1, 32>>>(lock, a);
  lanes_block_ok<<<1, 32>>>(lock, a);
  lanes_device_ok<<<1, 32>>>(lock, a);
  lanes_one_side_bad<<<1, 32>>>(lock, a);
  lanes_other_lock_bad<<<1, 32>>>(lock, a);
  lanes_narrow_take_ok<<<1, 32>>>(lock, a);
  lanes_narrow_give_ok<<<1, 32>>>(lock, a);
  lanes_narrow_fence_ok<<<1, 32>>>(lock, a);
  lanes_no_acquire_bad<<<1, 32>>>(lock, a);
  lanes_no_release_bad<<<1, 32>>>(lock, a);
  return 0;
}
