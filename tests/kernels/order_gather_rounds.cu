// One block gathers the flags of all blocks in each round of a loop, each of its threads one, and then tells all of them: a barrier of
// the grid without atomic operations (Xiao and Feng, "Inter-block GPU communication via fast barrier synchronization", IPDPS 2010).
// stencil: two barriers in each round, as in all but the last two (ok); without the fence between gathering and telling (fence_bad), or the
// barrier (barrier_bad); the last block is not waited for (short_bad), or nobody for the round in hand (stale_bad); all wait for what the
// first of the two barriers tells (early_bad). rows: one barrier, and a row of its own for each round (ok); the row of the round before is
// written again (again_bad).
// warps: first lanes store the number of the round behind a barrier of their warp (ok), or without it (bad); the lanes come to the barrier
// in different rounds (shift_bad).
//@ args: --grid-dim=8 --block-dim=64
//@ verdict stencil_ok: race-free
//@ verdict fence_bad: racy
//@ verdict barrier_bad: racy
//@ verdict short_bad: racy
//@ verdict stale_bad: racy
//@ verdict early_bad: racy
//@ verdict rows_ok: race-free
//@ verdict again_bad: racy
//@ verdict warps_ok: race-free
//@ verdict warps_bad: racy
//@ verdict shift_bad: racy

__device__ void arrive(volatile int *in, int number) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    in[blockIdx.x] = number;
}

__device__ void gather(volatile int *in, volatile int *out, int awaited, int number) {
  if (blockIdx.x == 0) {
    if (threadIdx.x < gridDim.x)
      while (in[threadIdx.x] != awaited) {
      }
    __threadfence();
    __syncthreads();
    if (threadIdx.x < gridDim.x)
      out[threadIdx.x] = number;
  }
}

__device__ void leave(volatile int *out, int number) {
  if (threadIdx.x == 0) {
    while (out[blockIdx.x] != number) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void stencil_ok(volatile int *in, volatile int *out, int *a, int *sum, int rounds) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < rounds; k++) {
    a[i] = k;
    arrive(in, 2 * k + 1);
    gather(in, out, 2 * k + 1, 2 * k + 1);
    leave(out, 2 * k + 1);
    sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)];
    arrive(in, 2 * k + 2);
    gather(in, out, 2 * k + 2, 2 * k + 2);
    leave(out, 2 * k + 2);
  }
}
__global__ void rows_ok(volatile int *in, volatile int *out, int *a, int *sum, int rounds) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < rounds; k++) {
    a[k * n + i] = k;
    arrive(in, k + 1);
    gather(in, out, k + 1, k + 1);
    leave(out, k + 1);
    sum[i] = a[k * n + (i + blockDim.x) % n];
  }
}

__global__ void fence_bad(volatile int *in, volatile int *out, int *a, int *sum, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < rounds; k++) {
    a[k * n + i] = k; // expect-race[fence]
    arrive(in, k + 1);
    if (blockIdx.x == 0) {
      if (threadIdx.x < gridDim.x)
        while (in[threadIdx.x] != k + 1) {
        }
      __syncthreads();
      if (threadIdx.x < gridDim.x)
        out[threadIdx.x] = k + 1;
    }
    leave(out, k + 1);
    sum[i] = a[k * n + (i + blockDim.x) % n]; // expect-race[fence]
  }
}
__global__ void barrier_bad(volatile int *in, volatile int *out, int *a, int *sum, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < rounds; k++) {
    a[k * n + i] = k; // expect-race[barrier]
    arrive(in, k + 1);
    if (blockIdx.x == 0) {
      if (threadIdx.x < gridDim.x)
        while (in[threadIdx.x] != k + 1) {
        }
      __threadfence();
      if (threadIdx.x < gridDim.x)
        out[threadIdx.x] = k + 1;
    }
    leave(out, k + 1);
    sum[i] = a[k * n + (i + blockDim.x) % n]; // expect-race[barrier]
  }
}
__global__ void short_bad(volatile int *in, volatile int *out, int *a, int *sum, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < rounds; k++) {
    a[k * n + i] = k; // expect-race[short]
    arrive(in, k + 1);
    if (blockIdx.x == 0) {
      if (threadIdx.x + 1 < gridDim.x)
        while (in[threadIdx.x] != k + 1) {
        }
      __threadfence();
      __syncthreads();
      if (threadIdx.x < gridDim.x)
        out[threadIdx.x] = k + 1;
    }
    leave(out, k + 1);
    sum[i] = a[k * n + (i + blockDim.x) % n]; // expect-race[short]
  }
}
__global__ void stale_bad(volatile int *in, volatile int *out, int *a, int *sum, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < rounds; k++) {
    a[k * n + i] = k; // expect-race[stale]
    arrive(in, k + 1);
    if (blockIdx.x == 0) {
      if (threadIdx.x < gridDim.x)
        while (in[threadIdx.x] < k) {
        }
      __threadfence();
      __syncthreads();
      if (threadIdx.x < gridDim.x)
        out[threadIdx.x] = k + 1;
    }
    leave(out, k + 1);
    sum[i] = a[k * n + (i + blockDim.x) % n]; // expect-race[stale]
  }
}
__global__ void early_bad(volatile int *in, volatile int *out, int *a, int *sum, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < rounds; k++) {
    a[i] = k; // expect-race[early]
    arrive(in, 2 * k + 1);
    gather(in, out, 2 * k + 1, 2 * k + 1);
    leave(out, 2 * k + 1);
    sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // expect-race[early]
    arrive(in, 2 * k + 2);
    gather(in, out, 2 * k + 2, 2 * k + 2);
    if (threadIdx.x == 0)
      while (out[blockIdx.x] < 2 * k + 1) {
      }
    __threadfence();
    __syncthreads();
  }
}
__global__ void again_bad(volatile int *in, volatile int *out, int *a, int *sum, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int k = 0; k < rounds; k++) {
    a[i] = k; // expect-race[again]
    arrive(in, k + 1);
    gather(in, out, k + 1, k + 1);
    leave(out, k + 1);
    sum[i] = a[(i + blockDim.x) % n]; // expect-race[again]
  }
}

// First lanes store the number of the round.
__global__ void warps_ok(int *flag, int *data, int *out, int rounds) { // expect-clean
  int w = threadIdx.x / 32, lane = threadIdx.x % 32, n = blockDim.x;
  for (int k = 0; k < rounds; k++) {
    if (blockIdx.x == 0) {
      data[k * n + threadIdx.x] = k;
      __threadfence();
      __syncwarp();
      if (lane == 0)
        atomicExch(&flag[w], k + 1);
    } else if (lane == 0) {
      while (atomicAdd(&flag[w], 0) < k + 1) {
      }
      __threadfence();
      out[blockIdx.x * n + w] = data[k * n + threadIdx.x + 1];
    }
  }
}
__global__ void warps_bad(int *flag, int *data, int *out, int rounds) {
  int w = threadIdx.x / 32, lane = threadIdx.x % 32, n = blockDim.x;
  for (int k = 0; k < rounds; k++) {
    if (blockIdx.x == 0) {
      __syncwarp();
      data[k * n + threadIdx.x] = k; // expect-race[warps]
      __threadfence();
      if (lane == 0)
        atomicExch(&flag[w], k + 1);
    } else if (lane == 0) {
      while (atomicAdd(&flag[w], 0) < k + 1) {
      }
      __threadfence();
      out[blockIdx.x * n + w] = data[k * n + threadIdx.x + 1]; // expect-race[warps]
    }
  }
}
__global__ void shift_bad(int *flag, int *data, int *out, int rounds) {
  int w = threadIdx.x / 32, lane = threadIdx.x % 32, n = blockDim.x;
  for (int k = 0; k < rounds; k++) {
    if (blockIdx.x == 0) {
      data[k * n + threadIdx.x] = k; // expect-race[shift]
      __threadfence();
      if ((k + lane) & 1)
        __syncwarp();
      if (lane == 0)
        atomicExch(&flag[w], k + 1);
    } else if (lane == 0) {
      while (atomicAdd(&flag[w], 0) < k + 1) {
      }
      __threadfence();
      out[blockIdx.x * n + w] = data[k * n + threadIdx.x + 1]; // expect-race[shift]
    }
  }
}
