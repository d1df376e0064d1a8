// Parts of programs that synchronise with scopes, each right and with the mistakes that are easily made in it.
// product: threads of a block add their share of a product to one cell under a lock of the block (ok); no fences (bad); then
// blocks add cells to a matrix under a lock for each cell, of device scope (ok), of block scope (bad).
// reduce: halves of a block add up pairwise, each waiting for the flag of its partner (ok); no fence before the flag (bad).
// border: each block waits for the border flag of its neighbour, fences of device scope (ok); of block scope (bad).
// steal: numbers of work are drawn from the counters of all blocks with device scope (ok); from one's own with block scope (bad).
// convolve: products are added to a cell by the threads of one block with block scope (ok), though a neighbour block adds to
// the cell as well (bad); then with device scope (ok).
// stack: lane 0 of each block pushes under a lock of device scope that other blocks take, too (ok); the block that pushes takes
// it with block scope (bad); the top is read without it (bad).
//@ verdict product_ok: race-free
//@ verdict product_bad: racy
//@ verdict cells_ok: race-free
//@ verdict cells_bad: racy
//@ verdict reduce_ok: race-free
//@ verdict reduce_bad: racy
//@ verdict border_ok: race-free
//@ verdict border_bad: racy
//@ verdict steal_ok: race-free
//@ verdict steal_bad: racy
//@ verdict convolve_ok: race-free
//@ verdict convolve_bad: racy
//@ verdict convolve_wide_ok: race-free
//@ verdict stack_ok: race-free
//@ verdict stack_bad: racy
//@ verdict stack_peek_bad: racy

__global__ void product_ok(int *locks, float *sums, const float *a, const float *b) { // expect-clean
  int t = threadIdx.x, cell = blockIdx.x;
  float share = a[blockIdx.x * 64 + t] * b[t];
  bool done = false;
  while (!done) {
    if (atomicCAS_block(&locks[cell], 0, 1) == 0) {
      __threadfence_block();
      sums[cell] += share;
      __threadfence_block();
      atomicExch_block(&locks[cell], 0);
      done = true;
    }
  }
}

__global__ void product_bad(int *locks, float *sums, const float *a, const float *b) {
  int t = threadIdx.x, cell = blockIdx.x;
  float share = a[blockIdx.x * 64 + t] * b[t];
  bool done = false;
  while (!done) {
    if (atomicCAS_block(&locks[cell], 0, 1) == 0) {
      sums[cell] += share; // expect-race {{cause=missing-acquire-fence}}
      atomicExch_block(&locks[cell], 0);
      done = true;
    }
  }
}

__global__ void cells_ok(int *locks, float *sums, const float *parts) { // expect-clean
  int cell = threadIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[cell], 0, 1) == 0) {
      __threadfence();
      sums[cell] += parts[blockIdx.x * 64 + cell];
      __threadfence();
      atomicExch(&locks[cell], 0);
      done = true;
    }
  }
}

__global__ void cells_bad(int *locks, float *sums, const float *parts) {
  int cell = threadIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS_block(&locks[cell], 0, 1) == 0) { // expect-race {{cause=insufficient-scope-atomic}}
      __threadfence_block();
      sums[cell] += parts[blockIdx.x * 64 + cell]; // expect-race[data] {{cause=insufficient-scope-lock}}
      __threadfence();
      atomicExch(&locks[cell], 0); // expect-race {{cause=insufficient-scope-atomic}}
      done = true;
    }
  }
}

__global__ void reduce_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[128], ready[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  ready[t] = 0;
  __syncthreads();
  if (t >= 64) {
    s[t] = s[t] * 2;
    __threadfence_block();
    atomicExch_block(&ready[t], 1);
  } else {
    while (atomicAdd_block(&ready[t + 64], 0) != 1) {
    }
    __threadfence_block();
    out[blockIdx.x * 64 + t] = s[t] + s[t + 64];
  }
}

__global__ void reduce_bad(const int *in, int *out) {
  __shared__ int s[128], ready[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  ready[t] = 0;
  __syncthreads();
  if (t >= 64) {
    s[t] = s[t] * 2; // expect-race {{cause=missing-fence}}
    atomicExch_block(&ready[t], 1);
  } else {
    while (atomicAdd_block(&ready[t + 64], 0) != 1) {
    }
    __threadfence_block();
    out[blockIdx.x * 64 + t] = s[t] + s[t + 64]; // expect-race
  }
}

__global__ void border_ok(int *ready, int *cells, int *next) { // expect-clean
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    cells[b] = b * 3;
    __threadfence();
    atomicExch(&ready[b], 1);
    if (b > 0) {
      while (atomicAdd(&ready[b - 1], 0) != 1) {
      }
      __threadfence();
      next[b] = cells[b - 1];
    }
  }
}

__global__ void border_bad(int *ready, int *cells, int *next) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    cells[b] = b * 3; // expect-race {{cause=insufficient-scope-fence}}
    __threadfence_block();
    atomicExch(&ready[b], 1);
    if (b > 0) {
      while (atomicAdd(&ready[b - 1], 0) != 1) {
      }
      __threadfence();
      next[b] = cells[b - 1]; // expect-race
    }
  }
}

__global__ void steal_ok(int *head, int *work) { // expect-clean
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd(&head[blockIdx.x], 1);
  int theirs = atomicAdd(&head[(blockIdx.x + 1) % gridDim.x], 1);
  atomicAdd(work, mine + theirs);
}

__global__ void steal_bad(int *head, int *work) {
  if (threadIdx.x != 0)
    return;
  int mine = atomicAdd_block(&head[blockIdx.x], 1);               // expect-race {{cause=insufficient-scope-atomic}}
  int theirs = atomicAdd(&head[(blockIdx.x + 1) % gridDim.x], 1); // expect-race
  atomicAdd(work, mine + theirs);
}

__global__ void convolve_ok(const int *in, int *out) { // expect-clean
  int t = threadIdx.x, cell = blockIdx.x * 64 + t;
  atomicAdd_block(&out[cell], in[cell]);
  if (t > 0)
    atomicAdd_block(&out[cell - 1], in[cell] * 2);
}

__global__ void convolve_bad(const int *in, int *out) {
  int t = threadIdx.x, cell = blockIdx.x * 64 + t;
  atomicAdd_block(&out[cell], in[cell]); // expect-race {{cause=insufficient-scope-atomic}}
  if (cell > 0)
    atomicAdd_block(&out[cell - 1], in[cell] * 2); // expect-race
}

__global__ void convolve_wide_ok(const int *in, int *out) { // expect-clean
  int t = threadIdx.x, cell = blockIdx.x * 64 + t;
  atomicAdd(&out[cell], in[cell]);
  if (cell > 0)
    atomicAdd(&out[cell - 1], in[cell] * 2);
}

__global__ void stack_ok(int *lock, int *top, int *items) { // expect-clean
  if (threadIdx.x != 0)
    return;
  int b = blockIdx.x % 2 ? blockIdx.x : (blockIdx.x + 1) % gridDim.x;
  while (atomicCAS(&lock[b], 0, 1) != 0) {
  }
  __threadfence();
  int at = top[b];
  top[b] = at + 1;
  items[b] = at;
  __threadfence();
  atomicExch(&lock[b], 0);
}

__global__ void stack_bad(int *lock, int *top, int *items) {
  if (threadIdx.x != 0)
    return;
  int b = blockIdx.x % 2 ? blockIdx.x : (blockIdx.x + 1) % gridDim.x;
  while (atomicCAS_block(&lock[b], 0, 1) != 0) { // expect-race {{cause=insufficient-scope-atomic}}
  }
  __threadfence();
  int at = top[b];  // expect-race[data] {{cause=insufficient-scope-lock}}
  top[b] = at + 1;  // expect-race[data] {{cause=insufficient-scope-lock}} expect-race[item]
  items[b] = at;    // expect-race {{cause=insufficient-scope-lock}}
  __threadfence();
  atomicExch(&lock[b], 0); // expect-race {{cause=insufficient-scope-atomic}}
}

__global__ void stack_peek_bad(int *lock, int *top, int *items) {
  if (threadIdx.x != 0)
    return;
  int b = blockIdx.x % 2 ? blockIdx.x : (blockIdx.x + 1) % gridDim.x;
  if (top[b] > 100) // expect-race {{cause=unlocked-access}}
    return;
  while (atomicCAS(&lock[b], 0, 1) != 0) {
  }
  __threadfence();
  top[b]++; // expect-race
  __threadfence();
  atomicExch(&lock[b], 0);
}

int main() {
  int *lock, *top, *a, *b;
  float *x, *y, *z;
  cudaMalloc((void **)&lock, 4096);
  cudaMalloc((void **)&top, 4096);
  cudaMalloc((void **)&a, 1 << 16);
  cudaMalloc((void **)&b, 1 << 16);
  cudaMalloc((void **)&x, 1 << 16);
  cudaMalloc((void **)&y, 1 << 16);
  cudaMalloc((void **)&z, 1 << 16);
  cudaMemset(lock, 0, 4096);
  product_ok<<<16, 64>>>(lock, x, y, z);
  product_bad<<<16, 64>>>(lock, x, y, z);
  cells_ok<<<16, 64>>>(lock, x, y);
  cells_bad<<<16, 64>>>(lock, x, y);
  reduce_ok<<<16, 128>>>(a, b);
  reduce_bad<<<16, 128>>>(a, b);
  border_ok<<<16, 64>>>(lock, a, b);
  border_bad<<<16, 64>>>(lock, a, b);
  steal_ok<<<16, 64>>>(top, a);
  steal_bad<<<16, 64>>>(top, a);
  convolve_ok<<<16, 64>>>(a, b);
  convolve_bad<<<16, 64>>>(a, b);
  convolve_wide_ok<<<16, 64>>>(a, b);
  stack_ok<<<16, 64>>>(lock, top, a);
  stack_bad<<<16, 64>>>(lock, top, a);
  stack_peek_bad<<<16, 64>>>(lock, top, a);
  return 0;
}
