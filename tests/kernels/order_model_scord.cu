// In ScoRD's model a fence only makes visible what its own thread wrote: the leader's fence says nothing about the
// writes of the other threads of its block.
// Fences order strong accesses only there, and it is for the writer to fence: who reads strongly needs none.
// each: every thread fences its own writes before the barrier (ok). leader: only thread 0 does (bad; in CUDA's own model,
// where fences are cumulative, it is right).
// plain: as "each", but the data are written and read by plain accesses, which no fence orders (bad).
// order: as "leader", with an operation of release order in place of the fence, for a flag and for a lock (bad); its own writes
// it does release (ok).
// stage: the flag is set for the first time before the data are written, and the reader waits for that (bad), for the second one (ok).
// generation: a barrier of the grid in generations, with a fence of each thread before it (ok), of the leaders only (bad).
// unfenced: the reader has no fence, which only the writer needs (ok).
// wave: block by block in rounds, counted up by the leader, whose fence is the only one: that is what is missing, not the barrier (bad).
//@ args: --memory-model=scord
//@ verdict each_ok: race-free
//@ verdict leader_bad: racy
//@ verdict plain_bad: racy
//@ verdict generation_ok: race-free
//@ verdict generation_bad: racy
//@ verdict unfenced_ok: race-free
//@ verdict stage_ok: race-free
//@ verdict stage_bad: racy
//@ verdict wave_bad: racy
//@ verdict order_ok: race-free
//@ verdict order_bad: racy
//@ verdict order_lock_bad: racy
__global__ void each_ok(int *flag, volatile int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0)
      atomicExch(flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[63 - t];
  }
}

__global__ void leader_bad(int *flag, volatile int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race {{cause=missing-fence}}
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[63 - t]; // expect-race
  }
}

__global__ void plain_bad(int *flag, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race {{cause=weak-access}}
    __threadfence();
    __syncthreads();
    if (t == 0)
      atomicExch(flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[63 - t]; // expect-race
  }
}

__global__ void unfenced_ok(int *flag, volatile int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0)
      atomicExch(flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
    }
    __syncthreads();
    out[t] = data[63 - t];
  }
}

__device__ void meet(int *count, volatile int *generation) {
  __syncthreads();
  if (threadIdx.x == 0) {
    int mine = *generation;
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      atomicExch(count, 0);
      __threadfence();
      atomicAdd((int *)generation, 1);
    } else {
      while (*generation == mine) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void generation_ok(int *count, volatile int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  data[blockIdx.x * 32 + t] = t;
  __threadfence();
  meet(count, count + 1);
  out[blockIdx.x * 32 + t] = data[(gridDim.x - 1 - blockIdx.x) * 32 + t];
}

__global__ void generation_bad(int *count, volatile int *data, int *out) {
  int t = threadIdx.x;
  data[blockIdx.x * 32 + t] = t; // expect-race[generation] {{cause=missing-fence}}
  meet(count, count + 1);
  out[blockIdx.x * 32 + t] = data[(gridDim.x - 1 - blockIdx.x) * 32 + t]; // expect-race[generation]
}

int main() {
  int *flag, *data, *out;
  cudaMalloc((void **)&flag, 2 * sizeof(int));
  cudaMalloc((void **)&data, 64 * sizeof(int));
  cudaMalloc((void **)&out, 64 * sizeof(int));
  cudaMemset(flag, 0, 2 * sizeof(int));
  generation_ok<<<2, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 2 * sizeof(int));
  generation_bad<<<2, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 2 * sizeof(int));
  each_ok<<<2, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 2 * sizeof(int));
  leader_bad<<<2, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 2 * sizeof(int));
  plain_bad<<<2, 64>>>(flag, data, out);
  cudaMemset(flag, 0, 2 * sizeof(int));
  unfenced_ok<<<2, 64>>>(flag, data, out);
  return 0;
}

__global__ void order_ok(int *flag, volatile int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  if (t != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = t;
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    out[blockIdx.x] = data[0];
  }
}

__global__ void order_bad(int *flag, volatile int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race[order] {{cause=missing-fence}}
    __syncthreads();
    if (t == 0)
      __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = data[t]; // expect-race[order]
  }
}

__global__ void order_lock_bad(int *lock, volatile int *data) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  data[threadIdx.x] = data[threadIdx.x] + blockIdx.x; // expect-race {{cause=missing-fence}}
  __syncthreads();
  if (threadIdx.x == 0)
    __nv_atomic_store_n(lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

__device__ void in_stages(int *flag, volatile int *data, int *out, int stage) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    atomicExch(flag, 1);
    data[0] = 42; // expect-race[stage]
    __threadfence();
    atomicExch(flag, 2);
  } else {
    while (atomicAdd(flag, 0) < stage) {
    }
    out[blockIdx.x] = data[0]; // expect-race[stage]
  }
}

__global__ void stage_ok(int *flag, volatile int *data, int *out) { // expect-clean
  in_stages(flag, data, out, 2);
}

__global__ void stage_bad(int *flag, volatile int *data, int *out) {
  in_stages(flag, data, out, 1);
}

__global__ void wave_bad(int *done, volatile float *row, int rounds) {
  int b = blockIdx.x, t = threadIdx.x;
  for (int k = 0; k < rounds; k++) {
    if (b > 0) {
      if (t == 0) {
        while (atomicAdd(&done[b - 1], 0) <= k) {
        }
        __threadfence();
      }
      __syncthreads();
    }
    float x = b > 0 ? row[((b - 1) * rounds + k) * blockDim.x + t] : 1.f; // expect-race[wave] {{cause=missing-fence}}
    row[(b * rounds + k) * blockDim.x + t] = x * 2; // expect-race[wave]
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicAdd(&done[b], 1);
    }
  }
}
