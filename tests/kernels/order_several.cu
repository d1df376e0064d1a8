// Several threads count up when their part is done, another one waits until it has counted all of them.
// workers: the leaders of all blocks but the first add, the first one waits for as many (ok), for one fewer, for one that adds before its
// block is done, for one that adds twice, which a block that has nothing to say does as well, for others than it reads from (bad).
// threads: all threads of the grid add, the last block waits for them (ok), for one of each block (bad). warps: the first lanes of the
// warps of a block add in shared memory (ok), so do second lanes (bad). given: as many as the host says, which is
// checked to be all (ok), is not (bad). back: the one that has waited clears the count for the next launch (ok), fences
// are missing (bad).
//@ verdict workers_ok: race-free
//@ rule workers_ok: count !flag
//@ verdict workers_fewer_bad: racy
//@ rule workers_fewer_bad: !count
//@ verdict workers_early_bad: racy
//@ verdict workers_twice_bad: racy
//@ verdict workers_other_bad: racy
//@ verdict back_ok: race-free
//@ verdict back_bad: racy
//@ verdict threads_ok: race-free
//@ verdict threads_bad: racy
//@ verdict warps_ok: race-free
//@ verdict warps_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
__device__ void add(int *done) {
  __threadfence();
  atomicAdd(done, 1);
}

__global__ void workers_ok(int *done, int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x > 0) {
    data[blockIdx.x * 64 + t] = t;
    __syncthreads();
    if (t == 0)
      add(done);
  } else {
    if (t == 0)
      while (atomicAdd(done, 0) < gridDim.x - 1) {
      }
    __threadfence();
    __syncthreads();
    for (unsigned i = 64 + t; i < gridDim.x * 64; i += 64)
      out[i] = data[i];
  }
}

__global__ void workers_fewer_bad(int *done, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x > 0) {
    data[blockIdx.x * 64 + t] = t; // expect-race
    __syncthreads();
    if (t == 0)
      add(done);
  } else {
    if (t == 0)
      while (atomicAdd(done, 0) < gridDim.x - 2) {
      }
    __threadfence();
    __syncthreads();
    for (unsigned i = 64 + t; i < gridDim.x * 64; i += 64)
      out[i] = data[i]; // expect-race
  }
}

__global__ void workers_early_bad(int *done, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x > 0) {
    if (t == 1)
      add(done);
    data[blockIdx.x * 64 + t] = t; // expect-race
    __syncthreads();
    if (t == 0)
      ;
  } else {
    if (t == 0)
      while (atomicAdd(done, 0) < gridDim.x - 1) {
      }
    __threadfence();
    __syncthreads();
    for (unsigned i = 64 + t; i < gridDim.x * 64; i += 64)
      out[i] = data[i]; // expect-race
  }
}

__global__ void workers_twice_bad(int *done, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x > 0) {
    data[blockIdx.x * 64 + t] = t; // expect-race
    __syncthreads();
    if (t == 0)
      add(done);
    if (t == 0)
      add(done);
  } else {
    if (t == 0)
      while (atomicAdd(done, 0) < gridDim.x - 1) {
      }
    __threadfence();
    __syncthreads();
    for (unsigned i = 64 + t; i < gridDim.x * 64; i += 64)
      out[i] = data[i]; // expect-race
  }
}

__global__ void workers_other_bad(int *done, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x > 0) {
    data[blockIdx.x * 64 + t] = t; // expect-race
    __syncthreads();
    if (t == 0)
      add(blockIdx.x == 1 ? done + 1 : done);
  } else {
    if (t == 0)
      while (atomicAdd(done, 0) < gridDim.x - 2) {
      }
    __threadfence();
    __syncthreads();
    for (unsigned i = 64 + t; i < gridDim.x * 64; i += 64)
      out[i] = data[i]; // expect-race
  }
}

__global__ void back_ok(int *done, int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x > 0) {
    data[blockIdx.x * 64 + t] = t;
    __syncthreads();
    if (t == 0)
      add(done);
  } else {
    if (t == 0)
      while (atomicAdd(done, 0) < gridDim.x - 1) {
      }
    __threadfence();
    __syncthreads();
    for (unsigned i = 64 + t; i < gridDim.x * 64; i += 64)
      out[i] = data[i];
    __syncthreads();
    if (t == 0)
      atomicExch(done, 0);
  }
}

__global__ void back_bad(int *done, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x > 0) {
    data[blockIdx.x * 64 + t] = t; // expect-race
    __syncthreads();
    if (t == 0)
      atomicAdd(done, 1);
  } else {
    if (t == 0)
      while (atomicAdd(done, 0) < gridDim.x - 1) {
      }
    __threadfence();
    __syncthreads();
    for (unsigned i = 64 + t; i < gridDim.x * 64; i += 64)
      out[i] = data[i]; // expect-race
    __syncthreads();
    if (t == 0)
      atomicExch(done, 0);
  }
}

__global__ void threads_ok(int *done, int *data, int *out) { // expect-clean
  unsigned at = blockIdx.x * 64 + threadIdx.x;
  data[at] = at;
  add(done);
  if (at != 0)
    return;
  while (atomicAdd(done, 0) < gridDim.x * 64) {
  }
  __threadfence();
  for (unsigned i = 0; i < gridDim.x * 64; i++)
    out[i] = data[i];
}

__global__ void threads_bad(int *done, int *data, int *out) {
  unsigned at = blockIdx.x * 64 + threadIdx.x;
  data[at] = at; // expect-race
  add(done);
  if (at != 0)
    return;
  while (atomicAdd(done, 0) < gridDim.x) {
  }
  __threadfence();
  for (unsigned i = 0; i < gridDim.x * 64; i++)
    out[i] = data[i]; // expect-race
}

__global__ void warps_ok(int *done, int *data, int *out) { // expect-clean
  __shared__ int count, part[2];
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = threadIdx.x;
    add(&count);
  } else if (threadIdx.x == 40) {
    while (atomicAdd(&count, 0) != 2) {
    }
    __threadfence();
    out[blockIdx.x] = part[0] + part[1];
  }
}

__global__ void warps_bad(int *done, int *data, int *out) {
  __shared__ int count, part[2];
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (threadIdx.x % 32 < 2) {
    part[threadIdx.x / 32] = threadIdx.x; // expect-race expect-race[same]
    add(&count);
  } else if (threadIdx.x == 40) {
    while (atomicAdd(&count, 0) != 2) {
    }
    __threadfence();
    out[blockIdx.x] = part[0] + part[1]; // expect-race
  }
}

__global__ void given_ok(int *done, int *data, int *out, int workers) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x < gridDim.x - 1) {
    data[blockIdx.x] = 1;
    add(done);
  } else {
    while (atomicAdd(done, 0) != workers) {
    }
    __threadfence();
    for (unsigned i = 0; i < gridDim.x - 1; i++)
      out[i] = data[i];
  }
}

__global__ void given_bad(int *done, int *data, int *out, int workers) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x < gridDim.x - 1) {
    data[blockIdx.x] = 1; // expect-race
    add(done);
  } else {
    while (atomicAdd(done, 0) != workers) {
    }
    __threadfence();
    for (unsigned i = 0; i < gridDim.x - 1; i++)
      out[i] = data[i]; // expect-race
  }
}

int main(int argc, char **) {
  int *done, *data, *out, given = argc;
  cudaMalloc((void **)&done, 64);
  cudaMalloc((void **)&data, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMemset(done, 0, 64);
  workers_ok<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  workers_fewer_bad<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  workers_early_bad<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  workers_twice_bad<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  workers_other_bad<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  back_ok<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  back_bad<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  threads_ok<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  threads_bad<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  warps_ok<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  warps_bad<<<4, 64>>>(done, data, out);
  cudaMemset(done, 0, 64);
  given_ok<<<given + 1, 32>>>(done, data, out, given);
  cudaMemset(done, 0, 64);
  given_bad<<<given + 2, 32>>>(done, data, out, given);
  return 0;
}
