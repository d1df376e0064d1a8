// One block gathers the flags of all blocks, each of its threads one, and then tells all of them: a barrier of the grid
// without atomic operations (Xiao and Feng, "Inter-block GPU communication via fast barrier synchronization", IPDPS 2010).
// gather: so (ok); without the fence between gathering and telling (fence_bad), or the barrier (barrier_bad); the last block is not waited
// for (short_bad), or half of them (index_bad), or all but the first (first_bad). again_bad: a second one with the same number does not hold
// anybody back.
//@ args: --grid-dim=8 --block-dim=64
//@ verdict gather_ok: race-free
//@ verdict fence_bad: racy
//@ verdict barrier_bad: racy
//@ verdict short_bad: racy
//@ verdict index_bad: racy
//@ verdict first_bad: racy
//@ verdict again_bad: racy

__device__ void arrive(volatile int *in, int number) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    in[blockIdx.x] = number;
}

__device__ void leave(volatile int *out, int number) {
  if (threadIdx.x == 0) {
    while (out[blockIdx.x] != number) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void gather_ok(volatile int *in, volatile int *out, int *a, int *sum) { // expect-clean
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[i] = i;
  arrive(in, 1);
  if (blockIdx.x == 0) {
    if (t < gridDim.x)
      while (in[t] != 1) {
      }
    __threadfence();
    __syncthreads();
    if (t < gridDim.x)
      out[t] = 1;
  }
  leave(out, 1);
  sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}

__global__ void fence_bad(volatile int *in, volatile int *out, int *a, int *sum) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[i] = i; // expect-race[fence] {{cause=missing-fence}}
  arrive(in, 1);
  if (blockIdx.x == 0) {
    if (t < gridDim.x)
      while (in[t] != 1) {
      }
    __syncthreads();
    if (t < gridDim.x)
      out[t] = 1;
  }
  leave(out, 1);
  sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // expect-race[fence] {{cause=missing-fence}}
}

__global__ void barrier_bad(volatile int *in, volatile int *out, int *a, int *sum) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[i] = i; // expect-race[barrier]
  arrive(in, 1);
  if (blockIdx.x == 0) {
    if (t < gridDim.x)
      while (in[t] != 1) {
      }
    __threadfence();
    if (t < gridDim.x)
      out[t] = 1;
  }
  leave(out, 1);
  sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // expect-race[barrier]
}

__global__ void short_bad(volatile int *in, volatile int *out, int *a, int *sum) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[i] = i; // expect-race[short]
  arrive(in, 1);
  if (blockIdx.x == 0) {
    if (t < gridDim.x - 1)
      while (in[t] != 1) {
      }
    __threadfence();
    __syncthreads();
    if (t < gridDim.x)
      out[t] = 1;
  }
  leave(out, 1);
  sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // expect-race[short]
}

__global__ void index_bad(volatile int *in, volatile int *out, int *a, int *sum) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[i] = i; // expect-race[index]
  arrive(in, 1);
  if (blockIdx.x == 0) {
    if (t < gridDim.x)
      while (in[t / 2] != 1) {
      }
    __threadfence();
    __syncthreads();
    if (t < gridDim.x)
      out[t] = 1;
  }
  leave(out, 1);
  sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // expect-race[index]
}

__global__ void first_bad(volatile int *in, volatile int *out, int *a, int *sum) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[i] = i; // expect-race[first]
  arrive(in, 1);
  if (blockIdx.x == 0) {
    if (t == 0)
      while (in[t] != 1) {
      }
    __threadfence();
    __syncthreads();
    if (t < gridDim.x)
      out[t] = 1;
  }
  leave(out, 1);
  sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // expect-race[first]
}

__global__ void again_bad(volatile int *in, volatile int *out, int *a, int *sum) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[i] = i;
  for (int k = 0; k < 2; k++) {
    arrive(in, 1);
    if (blockIdx.x == 0) {
      if (t < gridDim.x)
        while (in[t] != 1) {
        }
      __threadfence();
      __syncthreads();
      if (t < gridDim.x)
        out[t] = 1;
    }
    leave(out, 1);
    if (k == 0)
      sum[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // expect-race[again]
  }
  a[i] = 3; // expect-race[again]
}
