// The matrix of atomic operations: two threads of two blocks, of two warps, of one warp, add to one word.
// none: plain. block, device: both atomic with that scope. one_side: one atomic, one plain. one_narrow: device scope against
// block scope. other_word: two words. other_width: 4 bytes against 8 of the same place.
// Two accesses of one word do not race only if both are atomic, of one width, with scopes that hold both threads: block scope
// is too narrow between blocks and wide enough everywhere else; a plain access always races.
//@ verdict blocks_none_bad: racy
//@ verdict blocks_block_bad: racy
//@ verdict blocks_device_ok: race-free
//@ verdict blocks_one_side_bad: racy
//@ verdict blocks_one_narrow_bad: racy
//@ verdict blocks_other_word_ok: race-free
//@ verdict blocks_other_width_bad: racy
//@ verdict warps_none_bad: racy
//@ verdict warps_block_ok: race-free
//@ verdict warps_device_ok: race-free
//@ verdict warps_one_side_bad: racy
//@ verdict warps_one_narrow_ok: race-free
//@ verdict warps_other_word_ok: race-free
//@ verdict warps_other_width_bad: racy
//@ verdict lanes_none_bad: racy
//@ verdict lanes_block_ok: race-free
//@ verdict lanes_device_ok: race-free
//@ verdict lanes_one_side_bad: racy
//@ verdict lanes_one_narrow_ok: race-free
//@ verdict lanes_other_word_ok: race-free
//@ verdict lanes_other_width_bad: racy


__global__ void blocks_none_bad(int *n) {
  if (blockIdx.x == 0) {
    n[0] += 1; // expect-race {{inter-block-race] definite cause=no-synchronisation}}
  } else if (blockIdx.x == 1) {
    n[0] += 1; // expect-race
  }
}

__global__ void blocks_block_bad(int *n) {
  if (blockIdx.x == 0) {
    atomicAdd_block(n, 1); // expect-race {{inter-block-race] definite cause=insufficient-scope-atomic}}
  } else if (blockIdx.x == 1) {
    atomicAdd_block(n, 1); // expect-race
  }
}

__global__ void blocks_device_ok(int *n) { // expect-clean
  if (blockIdx.x == 0) {
    atomicAdd(n, 1);
  } else if (blockIdx.x == 1) {
    atomicAdd(n, 1);
  }
}

__global__ void blocks_one_side_bad(int *n) {
  if (blockIdx.x == 0) {
    atomicAdd(n, 1); // expect-race {{inter-block-race] definite cause=atomic-vs-plain}}
  } else if (blockIdx.x == 1) {
    n[0] += 1; // expect-race
  }
}

__global__ void blocks_one_narrow_bad(int *n) {
  if (blockIdx.x == 0) {
    atomicAdd(n, 1); // expect-race {{inter-block-race] definite cause=insufficient-scope-atomic}}
  } else if (blockIdx.x == 1) {
    atomicAdd_block(n, 1); // expect-race
  }
}

__global__ void blocks_other_word_ok(int *n) { // expect-clean
  if (blockIdx.x == 0) {
    atomicAdd(n, 1);
  } else if (blockIdx.x == 1) {
    atomicAdd(n + 1, 1);
  }
}

__global__ void blocks_other_width_bad(int *n) {
  if (blockIdx.x == 0) {
    atomicAdd(n, 1); // expect-race {{inter-block-race] definite cause=mixed-width-atomic}}
  } else if (blockIdx.x == 1) {
    atomicAdd((unsigned long long *)n, 1); // expect-race
  }
}

__global__ void warps_none_bad(int *n) {
  if (threadIdx.x == 0) {
    n[0] += 1; // expect-race {{intra-block-race] definite cause=missing-barrier}}
  } else if (threadIdx.x == 32) {
    n[0] += 1; // expect-race
  }
}

__global__ void warps_block_ok(int *n) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd_block(n, 1);
  } else if (threadIdx.x == 32) {
    atomicAdd_block(n, 1);
  }
}

__global__ void warps_device_ok(int *n) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd(n, 1);
  } else if (threadIdx.x == 32) {
    atomicAdd(n, 1);
  }
}

__global__ void warps_one_side_bad(int *n) {
  if (threadIdx.x == 0) {
    atomicAdd(n, 1); // expect-race {{intra-block-race] definite cause=atomic-vs-plain}}
  } else if (threadIdx.x == 32) {
    n[0] += 1; // expect-race
  }
}

__global__ void warps_one_narrow_ok(int *n) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd(n, 1);
  } else if (threadIdx.x == 32) {
    atomicAdd_block(n, 1);
  }
}

__global__ void warps_other_word_ok(int *n) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd(n, 1);
  } else if (threadIdx.x == 32) {
    atomicAdd(n + 1, 1);
  }
}

__global__ void warps_other_width_bad(int *n) {
  if (threadIdx.x == 0) {
    atomicAdd(n, 1); // expect-race {{intra-block-race] definite cause=mixed-width-atomic}}
  } else if (threadIdx.x == 32) {
    atomicAdd((unsigned long long *)n, 1); // expect-race
  }
}

__global__ void lanes_none_bad(int *n) {
  if (threadIdx.x == 0) {
    n[0] += 1; // expect-race {{intra-warp-race] definite cause=missing-warp-barrier}}
  } else if (threadIdx.x == 1) {
    n[0] += 1; // expect-race
  }
}

__global__ void lanes_block_ok(int *n) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd_block(n, 1);
  } else if (threadIdx.x == 1) {
    atomicAdd_block(n, 1);
  }
}

__global__ void lanes_device_ok(int *n) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd(n, 1);
  } else if (threadIdx.x == 1) {
    atomicAdd(n, 1);
  }
}

__global__ void lanes_one_side_bad(int *n) {
  if (threadIdx.x == 0) {
    atomicAdd(n, 1); // expect-race {{intra-warp-race] definite cause=atomic-vs-plain}}
  } else if (threadIdx.x == 1) {
    n[0] += 1; // expect-race
  }
}

__global__ void lanes_one_narrow_ok(int *n) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd(n, 1);
  } else if (threadIdx.x == 1) {
    atomicAdd_block(n, 1);
  }
}

__global__ void lanes_other_word_ok(int *n) { // expect-clean
  if (threadIdx.x == 0) {
    atomicAdd(n, 1);
  } else if (threadIdx.x == 1) {
    atomicAdd(n + 1, 1);
  }
}

__global__ void lanes_other_width_bad(int *n) {
  if (threadIdx.x == 0) {
    atomicAdd(n, 1); // expect-race {{intra-warp-race] definite cause=mixed-width-atomic}}
  } else if (threadIdx.x == 1) {
    atomicAdd((unsigned long long *)n, 1); // expect-race
  }
}

int main() {
  int *n;
  cudaMalloc((void **)&n, 64);
  blocks_none_bad<<<2, 1>>>(n);
  blocks_block_bad<<<2, 1>>>(n);
  blocks_device_ok<<<2, 1>>>(n);
  blocks_one_side_bad<<<2, 1>>>(n);
  blocks_one_narrow_bad<<<2, 1>>>(n);
  blocks_other_word_ok<<<2, 1>>>(n);
  blocks_other_width_bad<<<2, 1>>>(n);
  warps_none_bad<<<1, 64>>>(n);
  warps_block_ok<<<1, 64>>>(n);
  warps_device_ok<<<1, 64>>>(n);
  warps_one_side_bad<<<1, 64>>>(n);
  warps_one_narrow_ok<<<1, 64>>>(n);
  warps_other_word_ok<<<1, 64>>>(n);
  warps_other_width_bad<<<1, 64>>>(n);
  lanes_none_bad<<<1, 32>>>(n);
  lanes_block_ok<<<1, 32>>>(n);
  lanes_device_ok<<<1, 32>>>(n);
  lanes_one_side_bad<<<1, 32>>>(n);
  lanes_one_narrow_ok<<<1, 32>>>(n);
  lanes_other_word_ok<<<1, 32>>>(n);
  lanes_other_width_bad<<<1, 32>>>(n);
  return 0;
}
