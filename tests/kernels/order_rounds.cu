// Flags and counters that serve round after round. step: a flag carries the number of the round, the neighbour waits for it
// and answers in the same way (ok), does not answer (bad), is told before the block is done (bad). some: the wait is only for those who have
// a neighbour (ok), for the neighbour on the wrong side (bad). barrier: a counter that all blocks count up in each round, waited for until
// all have, twice a round (ok), once (bad), until one fewer have (bad). goals: the same without a loop (ok), the second time
// for the same number (bad). later: who fills waits from the second round on for who uses (ok), from the third (bad), or only in odd rounds (some, bad).
//@ verdict step_ok: race-free
//@ rule step_ok: flag-per-round !flag
//@ verdict step_bad: racy
//@ verdict step_early_bad: racy
//@ verdict some_ok: race-free
//@ verdict some_bad: racy
//@ verdict barrier_ok: race-free
//@ verdict barrier_once_bad: racy
//@ verdict barrier_fewer_bad: racy
//@ verdict goals_ok: race-free
//@ verdict goals_bad: racy
//@ verdict later_ok: race-free
//@ rule later_ok: flag-per-round
//@ verdict later_bad: racy
//@ verdict later_some_bad: racy

__device__ void meet(unsigned *count, unsigned until) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < until) {
    }
    __threadfence();
  }
  __syncthreads();
}

// Block 0 fills, block 1 uses and says that it has.
__global__ void step_ok(int *flags, int *data, int *out, int n) { // expect-clean
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (blockIdx.x == 0) {
      data[t] = k + t;
      __threadfence();
      __syncthreads();
      if (t == 0) {
        atomicExch(&flags[0], k + 1);
        while (atomicAdd(&flags[1], 0) < k + 1) {
        }
        __threadfence();
      }
      __syncthreads();
    } else {
      if (t == 0) {
        while (atomicAdd(&flags[0], 0) < k + 1) {
        }
        __threadfence();
      }
      __syncthreads();
      out[t] += data[63 - t];
      __threadfence();
      __syncthreads();
      if (t == 0)
        atomicExch(&flags[1], k + 1);
    }
  }
}

__global__ void step_bad(int *flags, int *data, int *out, int n) {
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (blockIdx.x == 0) {
      data[t] = k + t; // expect-race {{-Winter-block-race}}
      __threadfence();
      __syncthreads();
      if (t == 0)
        atomicExch(&flags[0], k + 1);
    } else {
      if (t == 0) {
        while (atomicAdd(&flags[0], 0) < k + 1) {
        }
        __threadfence();
      }
      __syncthreads();
      out[t] += data[63 - t]; // expect-race
    }
  }
}

__global__ void step_early_bad(int *flags, int *data, int *out, int n) {
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (blockIdx.x == 0) {
      __syncthreads();
      if (t == 0)
        atomicExch(&flags[0], k + 1);
      data[t] = k + t; // expect-race {{-Winter-block-race}}
      __threadfence();
    } else {
      if (t == 0) {
        while (atomicAdd(&flags[0], 0) < k + 1) {
        }
        __threadfence();
      }
      __syncthreads();
      out[t] += data[63 - t]; // expect-race
    }
  }
}

__global__ void some_ok(int *flags, int *data, int *out) { // expect-clean
  int b = blockIdx.x;
  if (threadIdx.x != 0)
    return;
  data[b] = b;
  __threadfence();
  atomicExch(&flags[b], 1);
  while (b > 0 && atomicAdd(&flags[b - 1], 0) == 0) {
  }
  __threadfence();
  if (b > 0)
    out[b] = data[b - 1];
}

__global__ void some_bad(int *flags, int *data, int *out) {
  int b = blockIdx.x;
  if (threadIdx.x != 0)
    return;
  data[b] = b; // expect-race {{-Winter-block-race}}
  __threadfence();
  atomicExch(&flags[b], 1);
  while (b > 0 && atomicAdd(&flags[b - 1], 0) == 0) {
  }
  __threadfence();
  if (b + 1 < gridDim.x)
    out[b] = data[b + 1]; // expect-race
}

__global__ void barrier_ok(unsigned *count, int *a, int *b, int n) { // expect-clean
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  for (unsigned k = 0; k < n; k++) {
    a[at] = b[at] + 1;
    meet(count, gridDim.x * (2 * k + 1));
    b[at] = a[other];
    meet(count, gridDim.x * (2 * k + 2));
  }
}

__global__ void barrier_once_bad(unsigned *count, int *a, int *b, int n) {
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  for (unsigned k = 0; k < n; k++) {
    a[at] = b[at] + 1; // expect-race {{-Winter-block-race}}
    meet(count, gridDim.x * (k + 1));
    b[at] = a[other]; // expect-race
  }
}

__global__ void barrier_fewer_bad(unsigned *count, int *a, int *b, int n) {
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  for (unsigned k = 0; k < n; k++) {
    a[at] = b[at] + 1; // expect-race {{-Winter-block-race}}
    meet(count, gridDim.x * (2 * k + 1) - 1);
    b[at] = a[other]; // expect-race
    meet(count, gridDim.x * (2 * k + 2) - 1);
  }
}

__global__ void goals_ok(unsigned *count, int *a, int *b) { // expect-clean
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  a[at] = at;
  meet(count, gridDim.x);
  b[at] = a[other];
  meet(count, 2 * gridDim.x);
  a[at] = b[other];
}

__global__ void goals_bad(unsigned *count, int *a, int *b) {
  int at = blockIdx.x * 64 + threadIdx.x, other = (blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x;
  a[at] = at;
  meet(count, gridDim.x);
  b[at] = a[other]; // expect-race {{-Winter-block-race}}
  meet(count, gridDim.x);
  a[at] = b[other]; // expect-race
}

int main() {
  unsigned *count;
  int *flags, *a, *b;
  cudaMalloc((void **)&count, sizeof(unsigned));
  cudaMalloc((void **)&flags, 8 * sizeof(int));
  cudaMalloc((void **)&a, 8 * 64 * sizeof(int));
  cudaMalloc((void **)&b, 8 * 64 * sizeof(int));
  cudaMemset(count, 0, sizeof(unsigned));
  cudaMemset(flags, 0, 8 * sizeof(int));
  step_ok<<<2, 64>>>(flags, a, b, 10);
  cudaMemset(flags, 0, 8 * sizeof(int));
  step_bad<<<2, 64>>>(flags, a, b, 10);
  cudaMemset(flags, 0, 8 * sizeof(int));
  step_early_bad<<<2, 64>>>(flags, a, b, 10);
  cudaMemset(flags, 0, 8 * sizeof(int));
  some_ok<<<8, 64>>>(flags, a, b);
  cudaMemset(flags, 0, 8 * sizeof(int));
  some_bad<<<8, 64>>>(flags, a, b);
  cudaMemset(count, 0, sizeof(unsigned));
  barrier_ok<<<8, 64>>>(count, a, b, 10);
  cudaMemset(count, 0, sizeof(unsigned));
  barrier_once_bad<<<8, 64>>>(count, a, b, 10);
  cudaMemset(count, 0, sizeof(unsigned));
  barrier_fewer_bad<<<8, 64>>>(count, a, b, 10);
  cudaMemset(count, 0, sizeof(unsigned));
  goals_ok<<<8, 64>>>(count, a, b);
  cudaMemset(count, 0, sizeof(unsigned));
  goals_bad<<<8, 64>>>(count, a, b);
  return 0;
}

enum { LATER, THIRD, SOME };

template <int wrong> __device__ void later(int *flags, int *data, int *out, int n) {
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (blockIdx.x == 0) {
      if (t == 0 && (wrong == SOME ? k & 1 : k > (wrong == THIRD))) {
        while (atomicAdd(&flags[1], 0) < k) {
        }
        __threadfence();
      }
      __syncthreads();
      data[t] = k + t; // expect-race
      __threadfence();
      __syncthreads();
      if (t == 0)
        atomicExch(&flags[0], k + 1);
    } else if (blockIdx.x == 1) {
      if (t == 0) {
        while (atomicAdd(&flags[0], 0) < k + 1) {
        }
        __threadfence();
      }
      __syncthreads();
      out[t] += data[63 - t]; // expect-race
      __threadfence();
      __syncthreads();
      if (t == 0)
        atomicExch(&flags[1], k + 1);
    }
  }
}
__global__ void later_ok(int *flags, int *data, int *out, int n) { later<LATER>(flags, data, out, n); } // expect-clean
__global__ void later_bad(int *flags, int *data, int *out, int n) { later<THIRD>(flags, data, out, n); }
__global__ void later_some_bad(int *flags, int *data, int *out, int n) { later<SOME>(flags, data, out, n); }
