// The matrix of fences: one thread writes a datum and sets a flag, another one waits for a flag and reads; in two blocks, in
// two warps, in one warp.
// none, block, device: fences of that scope on both sides (none: on neither). no_release, no_acquire: device scope on the
// other side only. narrow_release, narrow_acquire: block scope on one side, device scope on the other. other_flag: the reader
// waits for a flag that a third thread sets, who knows nothing of the datum. narrow_flag: the operations on the flag have
// block scope. Ordered only with both fences, and operations on one flag, of scopes that hold both threads: block scope is
// too narrow between blocks and wide enough everywhere else.
//@ verdict blocks_none_bad: racy
//@ verdict blocks_block_bad: racy
//@ verdict blocks_device_ok: race-free
//@ verdict blocks_no_release_bad: racy
//@ verdict blocks_no_acquire_bad: racy
//@ verdict blocks_narrow_release_bad: racy
//@ verdict blocks_narrow_acquire_bad: racy
//@ verdict blocks_other_flag_bad: racy
//@ verdict blocks_narrow_flag_bad: racy
//@ verdict warps_none_bad: racy
//@ verdict warps_block_ok: race-free
//@ verdict warps_device_ok: race-free
//@ verdict warps_no_release_bad: racy
//@ verdict warps_no_acquire_bad: racy
//@ verdict warps_narrow_release_ok: race-free
//@ verdict warps_narrow_acquire_ok: race-free
//@ verdict warps_other_flag_bad: racy
//@ verdict warps_narrow_flag_ok: race-free
//@ verdict lanes_none_bad: racy
//@ verdict lanes_block_ok: race-free
//@ verdict lanes_device_ok: race-free
//@ verdict lanes_no_release_bad: racy
//@ verdict lanes_no_acquire_bad: racy
//@ verdict lanes_narrow_release_ok: race-free
//@ verdict lanes_narrow_acquire_ok: race-free
//@ verdict lanes_other_flag_bad: racy
//@ verdict lanes_narrow_flag_ok: race-free

__device__ void set(int *flag) { atomicExch(flag, 1); }
__device__ void wait(int *flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}
__device__ void set_block(int *flag) { atomicExch_block(flag, 1); } // expect-race[narrow]
__device__ void wait_block(int *flag) {
  while (atomicAdd_block(flag, 0) == 0) { // expect-race[narrow] {{cause=insufficient-scope-atomic}}
  }
}

__global__ void blocks_none_bad(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{inter-block-race] possible cause=missing-fence}}
    set(flag);
  } else if (blockIdx.x == 1) {
    wait(flag);
    out[0] = data[0]; // expect-race
  }
}

__global__ void blocks_block_bad(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{inter-block-race] possible cause=insufficient-scope-fence}}
    __threadfence_block();
    set(flag);
  } else if (blockIdx.x == 1) {
    wait(flag);
    __threadfence_block();
    out[0] = data[0]; // expect-race
  }
}

__global__ void blocks_device_ok(int *flag, int *data, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    set(flag);
  } else if (blockIdx.x == 1) {
    wait(flag);
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void blocks_no_release_bad(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{inter-block-race] possible cause=missing-fence}}
    set(flag);
  } else if (blockIdx.x == 1) {
    wait(flag);
    __threadfence();
    out[0] = data[0]; // expect-race
  }
}

__global__ void blocks_no_acquire_bad(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{inter-block-race] possible cause=missing-acquire-fence}}
    __threadfence();
    set(flag);
  } else if (blockIdx.x == 1) {
    wait(flag);
    out[0] = data[0]; // expect-race
  }
}

__global__ void blocks_narrow_release_bad(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{inter-block-race] possible cause=insufficient-scope-fence}}
    __threadfence_block();
    set(flag);
  } else if (blockIdx.x == 1) {
    wait(flag);
    __threadfence();
    out[0] = data[0]; // expect-race
  }
}

__global__ void blocks_narrow_acquire_bad(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{inter-block-race] possible cause=insufficient-scope-fence}}
    __threadfence();
    set(flag);
  } else if (blockIdx.x == 1) {
    wait(flag);
    __threadfence_block();
    out[0] = data[0]; // expect-race
  }
}

__global__ void blocks_other_flag_bad(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{inter-block-race] possible cause=different-flags}}
    __threadfence();
    set(flag);
  } else if (blockIdx.x == 1) {
    wait(flag + 1);
    __threadfence();
    out[0] = data[0]; // expect-race
  } else if (blockIdx.x == 2) {
    set(flag + 1);
  }
}

__global__ void blocks_narrow_flag_bad(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{inter-block-race] possible cause=insufficient-scope-atomic}}
    __threadfence();
    set_block(flag);
  } else if (blockIdx.x == 1) {
    wait_block(flag);
    __threadfence();
    out[0] = data[0]; // expect-race
  }
}

__global__ void warps_none_bad(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-block-race] possible cause=missing-fence}}
    set(flag);
  } else if (threadIdx.x == 32) {
    wait(flag);
    out[0] = data[0]; // expect-race
  }
}

__global__ void warps_block_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence_block();
    set(flag);
  } else if (threadIdx.x == 32) {
    wait(flag);
    __threadfence_block();
    out[0] = data[0];
  }
}

__global__ void warps_device_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    set(flag);
  } else if (threadIdx.x == 32) {
    wait(flag);
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void warps_no_release_bad(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-block-race] possible cause=missing-fence}}
    set(flag);
  } else if (threadIdx.x == 32) {
    wait(flag);
    __threadfence();
    out[0] = data[0]; // expect-race
  }
}

__global__ void warps_no_acquire_bad(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-block-race] possible cause=missing-acquire-fence}}
    __threadfence();
    set(flag);
  } else if (threadIdx.x == 32) {
    wait(flag);
    out[0] = data[0]; // expect-race
  }
}

__global__ void warps_narrow_release_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence_block();
    set(flag);
  } else if (threadIdx.x == 32) {
    wait(flag);
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void warps_narrow_acquire_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    set(flag);
  } else if (threadIdx.x == 32) {
    wait(flag);
    __threadfence_block();
    out[0] = data[0];
  }
}

__global__ void warps_other_flag_bad(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-block-race] possible cause=different-flags}}
    __threadfence();
    set(flag);
  } else if (threadIdx.x == 32) {
    wait(flag + 1);
    __threadfence();
    out[0] = data[0]; // expect-race
  } else if (threadIdx.x == 64) {
    set(flag + 1);
  }
}

__global__ void warps_narrow_flag_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    set_block(flag);
  } else if (threadIdx.x == 32) {
    wait_block(flag);
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void lanes_none_bad(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-warp-race] possible cause=missing-fence}}
    set(flag);
  } else if (threadIdx.x == 1) {
    wait(flag);
    out[0] = data[0]; // expect-race
  }
}

__global__ void lanes_block_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence_block();
    set(flag);
  } else if (threadIdx.x == 1) {
    wait(flag);
    __threadfence_block();
    out[0] = data[0];
  }
}

__global__ void lanes_device_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    set(flag);
  } else if (threadIdx.x == 1) {
    wait(flag);
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void lanes_no_release_bad(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-warp-race] possible cause=missing-fence}}
    set(flag);
  } else if (threadIdx.x == 1) {
    wait(flag);
    __threadfence();
    out[0] = data[0]; // expect-race
  }
}

__global__ void lanes_no_acquire_bad(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-warp-race] possible cause=missing-acquire-fence}}
    __threadfence();
    set(flag);
  } else if (threadIdx.x == 1) {
    wait(flag);
    out[0] = data[0]; // expect-race
  }
}

__global__ void lanes_narrow_release_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence_block();
    set(flag);
  } else if (threadIdx.x == 1) {
    wait(flag);
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void lanes_narrow_acquire_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    set(flag);
  } else if (threadIdx.x == 1) {
    wait(flag);
    __threadfence_block();
    out[0] = data[0];
  }
}

__global__ void lanes_other_flag_bad(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    data[0] = 42; // expect-race {{intra-warp-race] possible cause=different-flags}}
    __threadfence();
    set(flag);
  } else if (threadIdx.x == 1) {
    wait(flag + 1);
    __threadfence();
    out[0] = data[0]; // expect-race
  } else if (threadIdx.x == 2) {
    set(flag + 1);
  }
}

__global__ void lanes_narrow_flag_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    set_block(flag);
  } else if (threadIdx.x == 1) {
    wait_block(flag);
    __threadfence();
    out[0] = data[0];
  }
}

int main() {
  int *flag, *data, *out;
  cudaMalloc((void **)&flag, 64);
  cudaMalloc((void **)&data, 64);
  cudaMalloc((void **)&out, 64);
  cudaMemset(flag, 0, 64);
  blocks_none_bad<<<2, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  blocks_block_bad<<<2, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  blocks_device_ok<<<2, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  blocks_no_release_bad<<<2, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  blocks_no_acquire_bad<<<2, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  blocks_narrow_release_bad<<<2, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  blocks_narrow_acquire_bad<<<2, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  blocks_other_flag_bad<<<3, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  blocks_narrow_flag_bad<<<2, 1>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_none_bad<<<1, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_block_ok<<<1, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_device_ok<<<1, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_no_release_bad<<<1, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_no_acquire_bad<<<1, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_narrow_release_ok<<<1, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_narrow_acquire_ok<<<1, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_other_flag_bad<<<1, 96>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  warps_narrow_flag_ok<<<1, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_none_bad<<<1, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_block_ok<<<1, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_device_ok<<<1, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_no_release_bad<<<1, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_no_acquire_bad<<<1, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_narrow_release_ok<<<1, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_narrow_acquire_ok<<<1, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_other_flag_bad<<<1, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lanes_narrow_flag_ok<<<1, 32>>>(flag, data, out);
  return 0;
}
