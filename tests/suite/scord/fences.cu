// ScoRD's fences: one thread writes a datum, then sets a flag; another one, in another block or another warp of the block, waits for the flag,
// then reads. 2 tests are racy, 4 are not. Names: who meets, scope of the fences before setting and behind waiting (none: no fence).
// Why: the write comes before the read if there is a fence on both sides whose scope holds both threads: block scope is too narrow between
// blocks. indirect: a third thread hands it on, from a flag of block scope to one of device scope; fences are cumulative.
//@ pairs: exact
//@ verdict blocks_device: race-free
//@ verdict warps_device: race-free
//@ verdict warps_block: race-free
//@ verdict indirect: race-free
//@ verdict blocks_block: racy
//@ verdict blocks_none: racy

__global__ void blocks_device(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      data[0] = 1;
      __threadfence();
      atomicExch(flag, 1);
    } else {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
      out[0] = data[0];
    }
  }
}

__global__ void warps_device(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0) {
      data[0] = 1;
      __threadfence();
      atomicExch(flag, 1);
    } else {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
      out[0] = data[0];
    }
  }
}

__global__ void warps_block(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0) {
      data[0] = 1;
      __threadfence_block();
      atomicExch_block(flag, 1);
    } else {
      while (atomicAdd_block(flag, 0) == 0) {
      }
      __threadfence_block();
      out[0] = data[0];
    }
  }
}

__global__ void indirect(int *flag, int *data, int *out) { // expect-clean
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 1;
    __threadfence_block();
    atomicExch_block(&flag[0], 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    while (atomicAdd_block(&flag[0], 0) == 0) {
    }
    __threadfence();
    atomicExch(&flag[1], 1);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(&flag[1], 0) == 0) {
    }
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void blocks_block(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      data[0] = 1; // expect-race[data](inter-block) {{cause=insufficient-scope-fence}}
      __threadfence_block();
      atomicExch(flag, 1);
    } else {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence_block();
      out[0] = data[0]; // expect-race[data](inter-block) {{cause=insufficient-scope-fence}}
    }
  }
}

__global__ void blocks_none(int *flag, int *data, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      data[0] = 1; // expect-race[data](inter-block) {{cause=missing-}}
      atomicExch(flag, 1);
    } else {
      while (atomicAdd(flag, 0) == 0) {
      }
      out[0] = data[0]; // expect-race[data](inter-block) {{cause=missing-}}
    }
  }
}

int main() {
  int *lock, *data, *out;
  cudaMalloc((void **)&lock, 2 * sizeof(int));
  cudaMemset(lock, 0, 2 * sizeof(int));
  cudaMalloc((void **)&data, sizeof(int));
  cudaMalloc((void **)&out, sizeof(int));
  blocks_device<<<2, 64>>>(lock, data, out);
  cudaMemset(lock, 0, 2 * sizeof(int));
  warps_device<<<1, 64>>>(lock, data, out);
  cudaMemset(lock, 0, 2 * sizeof(int));
  warps_block<<<1, 64>>>(lock, data, out);
  cudaMemset(lock, 0, 2 * sizeof(int));
  indirect<<<2, 64>>>(lock, data, out);
  cudaMemset(lock, 0, 2 * sizeof(int));
  blocks_block<<<2, 64>>>(lock, data, out);
  cudaMemset(lock, 0, 2 * sizeof(int));
  blocks_none<<<2, 64>>>(lock, data, out);
  return 0;
}
