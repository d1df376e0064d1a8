// A barrier of the whole grid made of a counter: thread 0 of each block adds one behind a block barrier and a fence, and
// waits until all blocks have. counter: until gridDim.x (ok), until one fewer (bad), without its own block's barrier (bad).
// generation: the last one to arrive sets the counter back and starts the next generation (ok), so does the one before it (bad); the
// same in each round of a loop, with two buffers (ok), with one, so that a block may be ahead (bad).
// sense: the last one turns the sense, which the others wait for, each with the sense that it has turned itself (ok); the last but one
// turns it (bad).
//@ verdict sense_ok: race-free
//@ verdict sense_bad: racy
//@ verdict counter_ok: race-free
//@ verdict counter_bad: racy
//@ verdict hurried_bad: racy
//@ verdict generation_ok: race-free
//@ verdict generation_bad: racy
//@ verdict generations_ok: race-free
//@ verdict generations_bad: racy
__device__ unsigned arrived;
__device__ volatile int generation;

__global__ void counter_ok(unsigned *count, int *a, int *b) { // expect-clean
  int t = threadIdx.x;
  a[blockIdx.x * 64 + t] = t;
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  b[blockIdx.x * 64 + t] = a[(blockIdx.x + 1) % gridDim.x * 64 + t];
}

__global__ void counter_bad(unsigned *count, int *a, int *b) {
  int t = threadIdx.x;
  a[blockIdx.x * 64 + t] = t; // expect-race {{cause=incomplete-arrival}}
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x - 1) {
    }
    __threadfence();
  }
  __syncthreads();
  b[blockIdx.x * 64 + t] = a[(blockIdx.x + 1) % gridDim.x * 64 + t]; // expect-race
}

__global__ void hurried_bad(unsigned *count, int *a, int *b) {
  int t = threadIdx.x;
  a[blockIdx.x * 64 + t] = t; // expect-race {{cause=missing-barrier}}
  if (t == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  b[blockIdx.x * 64 + t] = a[(blockIdx.x + 1) % gridDim.x * 64 + t]; // expect-race
}

__global__ void generation_ok(int *a, int *b) { // expect-clean
  int t = threadIdx.x;
  a[blockIdx.x * 64 + t] = t;
  __syncthreads();
  if (t == 0) {
    int now = generation;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      arrived = 0;
      __threadfence();
      generation = now + 1;
    } else {
      while (generation == now) {
      }
    }
    __threadfence();
  }
  __syncthreads();
  b[blockIdx.x * 64 + t] = a[(blockIdx.x + 1) % gridDim.x * 64 + t];
}

__global__ void generation_bad(int *a, int *b) {
  int t = threadIdx.x;
  a[blockIdx.x * 64 + t] = t; // expect-race {{-Winter-block-race}}
  __syncthreads();
  if (t == 0) {
    int now = generation;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 2) { // expect-race
      arrived = 0; // expect-race {{cause=incomplete-arrival}} expect-note {{same-value}}
      __threadfence();
      generation = now + 1;
    } else {
      while (generation == now) {
      }
    }
    __threadfence();
  }
  __syncthreads();
  b[blockIdx.x * 64 + t] = a[(blockIdx.x + 1) % gridDim.x * 64 + t]; // expect-race
}

__device__ void next_generation() {
  __syncthreads();
  if (threadIdx.x == 0) {
    int now = generation;
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      atomicExch(&arrived, 0);
      __threadfence();
      generation = now + 1;
    } else {
      while (generation == now) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void generations_ok(int *a, int *b, int n) { // expect-clean
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  for (int k = 0; k < n; k++) {
    a[(k & 1) * 512 + at] = k;
    next_generation();
    b[at] += a[(k & 1) * 512 + other];
  }
}

__global__ void generations_bad(int *a, int *b, int n) {
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  for (int k = 0; k < n; k++) {
    a[at] = k; // expect-race {{-Winter-block-race}}
    next_generation();
    b[at] += a[other]; // expect-race
  }
}

__device__ void meet_by_sense(unsigned *count, volatile int *sense, int mine, unsigned last) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(count, 1) == last) {
      __threadfence();
      atomicExch(count, 0);
      __threadfence();
      *sense = mine;
    } else {
      while (*sense != mine) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void sense_ok(unsigned *count, int *sense, int *data, int *out) { // expect-clean
  unsigned at = blockIdx.x * 32 + threadIdx.x, all = gridDim.x * 32;
  int mine = 0;
  for (int k = 0; k < 8; k++) {
    mine = 1 - mine;
    data[(k & 1) * all + at] = k;
    meet_by_sense(count, sense, mine, gridDim.x - 1);
    out[at] += data[(k & 1) * all + (at + 32) % all];
  }
}

__global__ void sense_bad(unsigned *count, int *sense, int *data, int *out) {
  unsigned at = blockIdx.x * 32 + threadIdx.x, all = gridDim.x * 32;
  int mine = 0;
  for (int k = 0; k < 8; k++) {
    mine = 1 - mine;
    data[(k & 1) * all + at] = k; // expect-race
    meet_by_sense(count, sense, mine, gridDim.x - 2);
    out[at] += data[(k & 1) * all + (at + 32) % all]; // expect-race
  }
}

int main() {
  unsigned *count;
  int *a, *b;
  cudaMalloc((void **)&count, sizeof(unsigned));
  cudaMalloc((void **)&a, 2 * 8 * 64 * sizeof(int));
  cudaMalloc((void **)&b, 8 * 64 * sizeof(int));
  cudaMemset(count, 0, sizeof(unsigned));
  counter_ok<<<8, 64>>>(count, a, b);
  counter_bad<<<8, 64>>>(count, a, b);
  hurried_bad<<<8, 64>>>(count, a, b);
  generation_ok<<<8, 64>>>(a, b);
  generation_bad<<<8, 64>>>(a, b);
  generations_ok<<<8, 64>>>(a, b, 10);
  generations_bad<<<8, 64>>>(a, b, 10);
  unsigned *turns;
  int *sense, *pieces, *sums;
  cudaMalloc((void **)&turns, 4);
  cudaMalloc((void **)&sense, 4);
  cudaMalloc((void **)&pieces, 4096);
  cudaMalloc((void **)&sums, 4096);
  cudaMemset(turns, 0, 4);
  cudaMemset(sense, 0, 4);
  sense_ok<<<4, 32>>>(turns, sense, pieces, sums);
  cudaMemset(turns, 0, 4);
  cudaMemset(sense, 0, 4);
  sense_bad<<<4, 32>>>(turns, sense, pieces, sums);
  return 0;
}
