// What one thread waited for, or holds, does not always hold for the others; what one writer says, not for all writers.
// team: the whole block writes, then thread 0 sets the flag; behind a barrier (ok), without one (bad).
// pair: two blocks may set the flag, the reader reads the data of both (bad).
// leaves: a thread that finds no work ends, perhaps the one that takes the lock: the rest holds nothing (not race-free).
// joined: the lock is taken on one way only (not race-free). past: the access comes after the release (bad).
// own: a waiting block waits for its own flag, not for that of the block whose data it reads (bad).
// nested: two locks, taken one inside the other (ok).
//@ verdict team_ok: race-free
//@ verdict team_bad: racy
//@ verdict pair_bad: racy
//@ verdict leaves_bad: racy
//@ verdict joined_bad: racy
//@ verdict past_bad: racy
//@ verdict own_bad: racy
//@ verdict nested_ok: race-free
__global__ void team_ok(int *flag, int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __threadfence();
    __syncthreads();
    if (t == 0)
      atomicExch(flag, 1);
  } else if (blockIdx.x == 1 && t == 0) {
    while (atomicAdd(flag, 0) != 1) {
    }
    __threadfence();
    for (int i = 0; i < 64; i++)
      out[i] = data[i];
  }
}

__global__ void team_bad(int *flag, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race {{-Winter-block-race}}
    __threadfence();
    if (t == 0)
      atomicExch(flag, 1);
  } else if (blockIdx.x == 1 && t == 0) {
    while (atomicAdd(flag, 0) != 1) {
    }
    __threadfence();
    for (int i = 0; i < 64; i++)
      out[i] = data[i]; // expect-race
  }
}

__global__ void pair_bad(int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x < 2) {
    data[blockIdx.x] = 1; // expect-race {{-Winter-block-race}}
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 2) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0] + data[1]; // expect-race
  }
}

__global__ void leaves_bad(int *lock, int *a, const int *work) {
  if (work[blockIdx.x * 64 + threadIdx.x] == 0)
    return;
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  a[threadIdx.x]++; // expect-race {{-Winter-block-race}}
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void joined_bad(int *lock, int *a, int n) {
  if (threadIdx.x == 0) {
    if (n > 5)
      while (atomicCAS(lock, 0, 1) != 0) {
      }
    __threadfence();
    a[0]++; // expect-race {{-Winter-block-race}}
    __threadfence();
    if (n > 5)
      atomicExch(lock, 0);
  }
}

__global__ void past_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    int v = a[0]; // expect-race {{cause=unlocked-access}}
    __threadfence();
    atomicExch(lock, 0);
    a[0] = v + 1; // expect-race {{cause=unlocked-access}}
  }
}

__global__ void own_bad(int *flags, int *data, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x != 0)
    return;
  data[b] = b; // expect-race {{-Winter-block-race}}
  __threadfence();
  atomicExch(&flags[b], 1);
  if (b > 0) {
    while (atomicAdd(&flags[b], 0) == 0) {
    }
    __threadfence();
    out[b] = data[b - 1]; // expect-race
  }
}

__global__ void nested_ok(int *locks, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicCAS(&locks[0], 0, 1) != 0) {
    }
    __threadfence();
    a[0]++;
    while (atomicCAS(&locks[1], 0, 1) != 0) {
    }
    __threadfence();
    a[1]++;
    __threadfence();
    atomicExch(&locks[1], 0);
    a[0]++;
    __threadfence();
    atomicExch(&locks[0], 0);
  }
}

int main(int argc, char **) {
  int *flag, *data, *out, *work;
  cudaMalloc((void **)&flag, 4096);
  cudaMalloc((void **)&data, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMalloc((void **)&work, 4096);
  cudaMemset(flag, 0, 4096);
  team_ok<<<2, 64>>>(flag, data, out);
  team_bad<<<2, 64>>>(flag, data, out);
  pair_bad<<<3, 32>>>(flag, data, out);
  leaves_bad<<<4, 64>>>(flag, data, work);
  joined_bad<<<4, 64>>>(flag, data, argc);
  past_bad<<<4, 64>>>(flag, data);
  own_bad<<<4, 64>>>(flag, data, out);
  nested_ok<<<4, 64>>>(flag, data);
  return 0;
}
