// The block that draws the last number comes after all others, if each block draws once, behind a barrier and a fence.
// inc: atomicInc with the limit that sets the counter back, volatile partial sums instead of a second fence, as in the programming
// guide (ok); plain partial sums without one (bad).
// reset: the last block sets the counter back for the next launch (ok). alone: thread 0 does all the work (ok).
// no_fence: partial sums may not have arrived (bad). no_barrier: thread 0 does not wait for its block (bad).
// threads: all threads draw and fence, so the last block's number is drawn early (bad). before: the sums are changed
// again behind the draw (bad). grid: two-dimensional grid, but only its width is counted (bad).
// near: words of block scope, used before and behind the ticket, hand on nothing of other blocks across the barriers: with a fence behind
// the ticket (ok), without (bad).
//@ verdict near_ok: race-free
//@ verdict near_bad: racy
//@ verdict inc_ok: race-free
//@ verdict inc_bad: racy
//@ verdict reset_ok: race-free
//@ rule reset_ok: last-arrival !count
//@ verdict alone_ok: race-free
//@ verdict no_fence_bad: racy
//@ verdict no_barrier_bad: racy
//@ verdict threads_bad: racy
//@ verdict grid_ok: race-free
//@ rule grid_ok: last-arrival !single-thread
//@ verdict grid_bad: racy
//@ verdict single_ok: race-free
//@ verdict single_bad: racy
__global__ void inc_ok(unsigned *count, volatile float *part, float *sum) { // expect-clean
  __shared__ bool is_last;
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned ticket = atomicInc(count, gridDim.x - 1);
    is_last = (ticket == gridDim.x - 1);
  }
  __syncthreads();
  if (is_last) {
    float s = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x * 64; i += 64)
      s += part[i];
    sum[threadIdx.x] = s;
  }
}

__global__ void inc_bad(unsigned *count, float *part, float *sum) {
  __shared__ bool is_last;
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race {{cause=missing-acquire-fence}}
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned ticket = atomicInc(count, gridDim.x - 1);
    is_last = (ticket == gridDim.x - 1);
  }
  __syncthreads();
  if (is_last) {
    float s = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x * 64; i += 64)
      s += part[i]; // expect-race
    sum[threadIdx.x] = s;
  }
}

__global__ void reset_ok(unsigned *count, float *part, float *sum) { // expect-clean
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    is_last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    __threadfence();
    float s = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
      s += part[i];
    sum[threadIdx.x] = s;
    if (threadIdx.x == 0)
      *count = 0;
  }
}

__global__ void alone_ok(unsigned *count, float *part, float *sum) { // expect-clean
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      __threadfence();
      float s = 0;
      for (unsigned i = 0; i < gridDim.x * 64; i++)
        s += part[i];
      *sum = s;
    }
  }
}

__global__ void no_fence_bad(unsigned *count, float *part, float *sum) {
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race {{cause=missing-fence}}
  __syncthreads();
  if (threadIdx.x == 0) {
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      __threadfence();
      float s = 0;
      for (unsigned i = 0; i < gridDim.x * 64; i++)
        s += part[i]; // expect-race
      *sum = s;
    }
  }
}

__global__ void no_barrier_bad(unsigned *count, float *part, float *sum) {
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race {{-Winter-block-race}} expect-race {{-Wintra}}
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      __threadfence();
      float s = 0;
      for (unsigned i = 0; i < gridDim.x * 64; i++)
        s += part[i]; // expect-race
      *sum = s;
    }
  }
}

__global__ void threads_bad(unsigned *count, float *part, float *sum) {
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race {{cause=incomplete-arrival}}
  __threadfence();
  __syncthreads();
  if (atomicAdd(count, 1) == gridDim.x - 1) {
    __threadfence();
    float s = 0;
    for (unsigned i = 0; i < gridDim.x * 64; i++)
      s += part[i]; // expect-race
    *sum = s;
  }
}

__global__ void grid_ok(unsigned *count, float *part, float *sum) { // expect-clean
  int b = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) {
    part[b] = b;
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x * gridDim.y - 1) {
      __threadfence();
      *sum = part[0] + part[1];
    }
  }
}

__global__ void grid_bad(unsigned *count, float *part, float *sum) {
  int b = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) {
    part[b] = b; // expect-race {{cause=incomplete-arrival}}
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      __threadfence();
      *sum = part[0] + part[1]; // expect-race
    }
  }
}

// In blocks of one thread there is nobody but the leader.
template <int LAST> __device__ void single(unsigned *count, float *part, float *sum) {
  __shared__ bool is_last;
  part[blockIdx.x] = blockIdx.x; // expect-race[single]
  __threadfence();
  if (threadIdx.x == 0)
    is_last = atomicAdd(count, 1) == gridDim.x - LAST;
  __syncthreads();
  if (is_last) {
    __threadfence();
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
      sum[i] = part[i]; // expect-race[single]
  }
}

__global__ void single_ok(unsigned *count, float *part, float *sum) { // expect-clean
  single<1>(count, part, sum);
}

__global__ void single_bad(unsigned *count, float *part, float *sum) {
  single<2>(count, part, sum);
}

int main() {
  unsigned *count;
  float *part, *sum;
  cudaMalloc((void **)&count, sizeof(unsigned));
  cudaMalloc((void **)&part, 32 * 64 * sizeof(float));
  cudaMalloc((void **)&sum, 64 * sizeof(float));
  cudaMemset(count, 0, sizeof(unsigned));
  inc_ok<<<32, 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  inc_bad<<<32, 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  reset_ok<<<32, 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  alone_ok<<<32, 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  no_fence_bad<<<32, 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  no_barrier_bad<<<32, 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  threads_bad<<<32, 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  grid_ok<<<dim3(4, 4), 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  grid_bad<<<dim3(4, 4), 64>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  single_ok<<<32, 1>>>(count, part, sum);
  cudaMemset(count, 0, sizeof(unsigned));
  single_bad<<<32, 1>>>(count, part, sum);
  return 0;
}

__global__ void near_ok(unsigned *count, int *part, int *near, int *out) { // expect-clean
  __shared__ bool is_last;
  int *word = &near[blockIdx.x];
  if (threadIdx.x == 1)
    atomicExch_block(word, 1);
  while (atomicAdd_block(word, 0) != 1) {
  }
  __threadfence();
  if (threadIdx.x == 0) {
    part[blockIdx.x] = 7;
    __threadfence();
    is_last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    __threadfence();
    out[threadIdx.x] = part[threadIdx.x % gridDim.x];
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0)
      atomicExch_block(word, 2);
  }
}

__global__ void near_bad(unsigned *count, int *part, int *near, int *out) {
  __shared__ bool is_last;
  int *word = &near[blockIdx.x];
  if (threadIdx.x == 1)
    atomicExch_block(word, 1);
  while (atomicAdd_block(word, 0) != 1) {
  }
  __threadfence();
  if (threadIdx.x == 0) {
    part[blockIdx.x] = 7; // expect-race {{cause=missing-acquire-fence}}
    __threadfence();
    is_last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    out[threadIdx.x] = part[threadIdx.x % gridDim.x]; // expect-race
    __syncthreads();
    __threadfence();
    if (threadIdx.x == 0)
      atomicExch_block(word, 2);
  }
}
