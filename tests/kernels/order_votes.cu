// The last number of a counter, handed on to the block by a barrier that takes a vote, or through shared memory.
// or, count, and: only the leader draws, and only a true value of it makes the others go on (ok).
// others_bad: another thread may bring a true value. one_bad: all the others do. none_bad: who goes on if nobody did. five_bad: whatever the
// vote said. first_bad: the number is not the last one. two_bad: another vote is looked at. differs_bad: what shared memory holds is not
// compared with zero. early_bad: the block goes on without the writers' fence. deaf_bad: without the readers'.
// tiles: a counter hands out tiles, which the leader tells its block (ok); with no barrier before the next one (bad); with draws of
// block scope, so that two blocks get the same one (bad).
//@ args: --grid-dim=8 --block-dim=64
//@ verdict or_ok: race-free
//@ verdict count_ok: race-free
//@ verdict and_ok: race-free
//@ verdict others_bad: racy
//@ verdict one_bad: racy
//@ verdict none_bad: racy
//@ verdict five_bad: racy
//@ verdict first_bad: racy
//@ verdict two_bad: racy
//@ verdict differs_bad: racy
//@ verdict early_bad: racy
//@ verdict deaf_bad: racy
//@ verdict tiles_ok: race-free
//@ verdict tiles_bad: racy
//@ verdict tiles_scope_bad: racy

__device__ void put(int *part) {
  if (threadIdx.x == 0)
    part[blockIdx.x] = blockIdx.x; // expect-race[sum]
}

// What the others bring is `otherwise`.
__device__ int draw(unsigned *count, unsigned most, int otherwise) {
  int last = otherwise;
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(count, 1) >= most;
  }
  return last;
}

__device__ void sum(const int *part, int *out) {
  __threadfence();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; i++)
      sum += part[i]; // expect-race[sum]
    *out = sum;       // expect-race[out]
  }
}

__global__ void or_ok(unsigned *count, int *part, int *out) { // expect-clean
  put(part);
  if (__syncthreads_or(draw(count, gridDim.x - 1, 0)))
    sum(part, out);
}

__global__ void count_ok(unsigned *count, int *part, int *out) { // expect-clean
  put(part);
  if (__syncthreads_count(draw(count, gridDim.x - 1, 0)))
    sum(part, out);
}

__global__ void and_ok(unsigned *count, int *part, int *out) { // expect-clean
  put(part);
  if (__syncthreads_and(draw(count, gridDim.x - 1, 1)))
    sum(part, out);
}

__global__ void others_bad(unsigned *count, int *part, int *out, int n) {
  put(part);
  if (__syncthreads_or(draw(count, gridDim.x - 1, threadIdx.x == n)))
    sum(part, out);
}

__global__ void one_bad(unsigned *count, int *part, int *out) {
  put(part);
  if (__syncthreads_or(draw(count, gridDim.x - 1, 1)))
    sum(part, out);
}

__global__ void none_bad(unsigned *count, int *part, int *out) {
  put(part);
  if (!__syncthreads_or(draw(count, gridDim.x - 1, 0)))
    sum(part, out);
}

__global__ void five_bad(unsigned *count, int *part, int *out) {
  put(part);
  if (__syncthreads_count(draw(count, gridDim.x - 1, 0)) != 5)
    sum(part, out);
}

__global__ void first_bad(unsigned *count, int *part, int *out) {
  put(part);
  if (__syncthreads_and(draw(count, gridDim.x - 2, 1)))
    sum(part, out);
}

__global__ void two_bad(unsigned *count, int *part, int *out) {
  put(part);
  int last = __syncthreads_or(draw(count, gridDim.x - 1, 0)), other = __syncthreads_or(threadIdx.x == 3);
  if (other + last)
    sum(part, out);
}

__global__ void differs_bad(unsigned *count, int *part, int *out) {
  __shared__ int last;
  put(part);
  int mine = draw(count, gridDim.x - 1, 0);
  if (threadIdx.x == 0)
    last = mine;
  __syncthreads();
  if (last != 2)
    sum(part, out);
}

__global__ void early_bad(unsigned *count, int *part, int *out) {
  int last = 0;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x; // expect-race[early] {{cause=missing-fence}}
    last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  if (__syncthreads_or(last)) {
    __threadfence();
    if (threadIdx.x < gridDim.x)
      out[threadIdx.x] = part[threadIdx.x]; // expect-race[early]
  }
}

__global__ void deaf_bad(unsigned *count, int *part, int *out) {
  int last = 0;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x; // expect-race[deaf] {{cause=missing-acquire-fence}}
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  if (__syncthreads_or(last) && threadIdx.x < gridDim.x)
    out[threadIdx.x] = part[threadIdx.x]; // expect-race[deaf]
}

__global__ void tiles_ok(int *next, int *data, int n) { // expect-clean
  __shared__ int shared;
  for (;;) {
    if (threadIdx.x == 0)
      shared = atomicAdd(next, 1);
    __syncthreads();
    int tile = shared;
    __syncthreads();
    if (tile >= n)
      break;
    data[tile * blockDim.x + threadIdx.x] += 1;
  }
}

__global__ void tiles_bad(int *next, int *data, int n) {
  __shared__ int shared;
  for (;;) {
    if (threadIdx.x == 0)
      shared = atomicAdd(next, 1); // expect-race[tile] {{cause=missing-barrier}}
    __syncthreads();
    int tile = shared; // expect-race[tile]
    if (tile >= n)
      break;
    data[tile * blockDim.x + threadIdx.x] += 1;
  }
}

__global__ void tiles_scope_bad(int *next, int *data, int n) {
  __shared__ int shared;
  for (;;) {
    if (threadIdx.x == 0)
      shared = atomicAdd_block(next, 1); // expect-race[scope] {{cause=insufficient-scope-atomic}}
    __syncthreads();
    int tile = shared;
    __syncthreads();
    if (tile >= n)
      break;
    data[tile * blockDim.x + threadIdx.x] += 1;
  }
}
