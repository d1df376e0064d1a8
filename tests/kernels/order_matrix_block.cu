// The rest of the matrices of order_matrix_*.cu: what has block scope where it is there, within a block, and is missing on one side,
// or is another object. within = warps, lanes; fence_no_release, fence_no_acquire: the other side has a fence of block scope.
// flag: the reader waits for another flag, fences of block scope. lock_one_side, lock_other: a lock of block scope, taken on one side
// only, another one on the other side. lock_no_acquire, lock_no_release: one side has no fence. atomic_one_side: an atomic
// operation of block scope against a plain access; atomic_other: two words (ok). Block scope is enough within a block;
// what is missing stays missing.
//@ verdict warps_fence_no_release_bad: racy
//@ verdict warps_fence_no_acquire_bad: racy
//@ verdict warps_flag_bad: racy
//@ verdict warps_lock_one_side_bad: racy
//@ verdict warps_lock_other_bad: racy
//@ verdict warps_lock_no_acquire_bad: racy
//@ verdict warps_lock_no_release_bad: racy
//@ verdict warps_atomic_one_side_bad: racy
//@ verdict warps_atomic_other_ok: race-free
//@ verdict lanes_fence_no_release_bad: racy
//@ verdict lanes_fence_no_acquire_bad: racy
//@ verdict lanes_flag_bad: racy
//@ verdict lanes_lock_one_side_bad: racy
//@ verdict lanes_lock_other_bad: racy
//@ verdict lanes_lock_no_acquire_bad: racy
//@ verdict lanes_lock_no_release_bad: racy
//@ verdict lanes_atomic_one_side_bad: racy
//@ verdict lanes_atomic_other_ok: race-free

__device__ void take(int *lock) {
  while (atomicCAS_block(lock, 0, 1) != 0) {
  }
  __threadfence_block();
}
__device__ void give(int *lock) {
  __threadfence_block();
  atomicExch_block(lock, 0);
}

__global__ void warps_fence_no_release_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-block-race] possible cause=missing-fence}}
    atomicExch_block(word, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(word, 0) == 0) {
    }
    __threadfence_block();
    out[0] = data[0]; // expect-race
  }
}

__global__ void warps_fence_no_acquire_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-block-race] possible cause=missing-acquire-fence}}
    __threadfence_block();
    atomicExch_block(word, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(word, 0) == 0) {
    }
    out[0] = data[0]; // expect-race
  }
}

__global__ void warps_flag_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-block-race] possible cause=different-flags}}
    __threadfence_block();
    atomicExch_block(word, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(word + 1, 0) == 0) {
    }
    __threadfence_block();
    out[0] = data[0]; // expect-race
  } else if (threadIdx.x == 64) {
    __threadfence_block();
    atomicExch_block(word + 1, 1);
  }
}

__global__ void warps_lock_one_side_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    take(word);
    data[0] += 1; // expect-race {{intra-block-race] possible cause=unlocked-access}}
    give(word);
  } else if (threadIdx.x == 32) {
    data[0] += 2; // expect-race
  }
}

__global__ void warps_lock_other_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    take(word);
    data[0] += 1; // expect-race {{intra-block-race] possible cause=different-locks}}
    give(word);
  } else if (threadIdx.x == 32) {
    take(word + 1);
    data[0] += 2; // expect-race
    give(word + 1);
  }
}

__global__ void warps_lock_no_acquire_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    take(word);
    data[0] += 1; // expect-race {{intra-block-race] possible cause=missing-acquire-fence}}
    give(word);
  } else if (threadIdx.x == 32) {
    while (atomicCAS_block(word, 0, 1) != 0) {
    }
    data[0] += 2; // expect-race
    give(word);
  }
}

__global__ void warps_lock_no_release_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    take(word);
    data[0] += 1; // expect-race {{intra-block-race] possible cause=missing-fence}}
    give(word);
  } else if (threadIdx.x == 32) {
    take(word);
    data[0] += 2; // expect-race
    atomicExch_block(word, 0);
  }
}

__global__ void warps_atomic_one_side_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    atomicAdd_block(data, 1); // expect-race {{intra-block-race] definite cause=atomic-vs-plain}}
  } else if (threadIdx.x == 32) {
    data[0] += 1; // expect-race
  }
}

__global__ void warps_atomic_other_ok(int *word, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd_block(data, 1);
  } else if (threadIdx.x == 32) {
    atomicAdd_block(data + 1, 1);
  }
}

__global__ void lanes_fence_no_release_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-warp-race] possible cause=missing-fence}}
    atomicExch_block(word, 1);
  } else if (threadIdx.x == 1) {
    while (atomicAdd_block(word, 0) == 0) {
    }
    __threadfence_block();
    out[0] = data[0]; // expect-race
  }
}

__global__ void lanes_fence_no_acquire_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-warp-race] possible cause=missing-acquire-fence}}
    __threadfence_block();
    atomicExch_block(word, 1);
  } else if (threadIdx.x == 1) {
    while (atomicAdd_block(word, 0) == 0) {
    }
    out[0] = data[0]; // expect-race
  }
}

__global__ void lanes_flag_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-warp-race] possible cause=different-flags}}
    __threadfence_block();
    atomicExch_block(word, 1);
  } else if (threadIdx.x == 1) {
    while (atomicAdd_block(word + 1, 0) == 0) {
    }
    __threadfence_block();
    out[0] = data[0]; // expect-race
  } else if (threadIdx.x == 2) {
    __threadfence_block();
    atomicExch_block(word + 1, 1);
  }
}

__global__ void lanes_lock_one_side_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    take(word);
    data[0] += 1; // expect-race {{intra-warp-race] possible cause=unlocked-access}}
    give(word);
  } else if (threadIdx.x == 1) {
    data[0] += 2; // expect-race
  }
}

__global__ void lanes_lock_other_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    take(word);
    data[0] += 1; // expect-race {{intra-warp-race] possible cause=different-locks}}
    give(word);
  } else if (threadIdx.x == 1) {
    take(word + 1);
    data[0] += 2; // expect-race
    give(word + 1);
  }
}

__global__ void lanes_lock_no_acquire_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    take(word);
    data[0] += 1; // expect-race {{intra-warp-race] possible cause=missing-acquire-fence}}
    give(word);
  } else if (threadIdx.x == 1) {
    while (atomicCAS_block(word, 0, 1) != 0) {
    }
    data[0] += 2; // expect-race
    give(word);
  }
}

__global__ void lanes_lock_no_release_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    take(word);
    data[0] += 1; // expect-race {{intra-warp-race] possible cause=missing-fence}}
    give(word);
  } else if (threadIdx.x == 1) {
    take(word);
    data[0] += 2; // expect-race
    atomicExch_block(word, 0);
  }
}

__global__ void lanes_atomic_one_side_bad(int *word, int *data, int *out) {
  if (threadIdx.x == 0) {
    atomicAdd_block(data, 1); // expect-race {{intra-warp-race] definite cause=atomic-vs-plain}}
  } else if (threadIdx.x == 1) {
    data[0] += 1; // expect-race
  }
}

__global__ void lanes_atomic_other_ok(int *word, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd_block(data, 1);
  } else if (threadIdx.x == 1) {
    atomicAdd_block(data + 1, 1);
  }
}

int main() {
  int *word, *data, *out;
  cudaMalloc((void **)&word, 64);
  cudaMalloc((void **)&data, 64);
  cudaMalloc((void **)&out, 64);
  cudaMemset(word, 0, 64);
  warps_fence_no_release_bad<<<1, 96>>>(word, data, out);
  warps_fence_no_acquire_bad<<<1, 96>>>(word, data, out);
  warps_flag_bad<<<1, 96>>>(word, data, out);
  warps_lock_one_side_bad<<<1, 96>>>(word, data, out);
  warps_lock_other_bad<<<1, 96>>>(word, data, out);
  warps_lock_no_acquire_bad<<<1, 96>>>(word, data, out);
  warps_lock_no_release_bad<<<1, 96>>>(word, data, out);
  warps_atomic_one_side_bad<<<1, 96>>>(word, data, out);
  warps_atomic_other_ok<<<1, 96>>>(word, data, out);
  lanes_fence_no_release_bad<<<1, 32>>>(word, data, out);
  lanes_fence_no_acquire_bad<<<1, 32>>>(word, data, out);
  lanes_flag_bad<<<1, 32>>>(word, data, out);
  lanes_lock_one_side_bad<<<1, 32>>>(word, data, out);
  lanes_lock_other_bad<<<1, 32>>>(word, data, out);
  lanes_lock_no_acquire_bad<<<1, 32>>>(word, data, out);
  lanes_lock_no_release_bad<<<1, 32>>>(word, data, out);
  lanes_atomic_one_side_bad<<<1, 32>>>(word, data, out);
  lanes_atomic_other_ok<<<1, 32>>>(word, data, out);
  return 0;
}
