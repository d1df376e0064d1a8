// A barrier of the whole grid made of a counter: thread 0 of each block adds one behind a block barrier and a fence, and
// waits until all blocks have. counter: until gridDim.x (ok), until one fewer (bad), without its own block's barrier (bad).
// generation: the last one to arrive sets the counter back and starts the next generation: not understood.
//@ verdict counter_ok: race-free
//@ verdict counter_bad: racy
//@ verdict hurried_bad: racy
//@ verdict generation_ok: race-free
//@ known-undecided generation_ok: generations of a barrier are not understood
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

int main() {
  unsigned *count;
  int *a, *b;
  cudaMalloc((void **)&count, sizeof(unsigned));
  cudaMalloc((void **)&a, 8 * 64 * sizeof(int));
  cudaMalloc((void **)&b, 8 * 64 * sizeof(int));
  cudaMemset(count, 0, sizeof(unsigned));
  counter_ok<<<8, 64>>>(count, a, b);
  counter_bad<<<8, 64>>>(count, a, b);
  hurried_bad<<<8, 64>>>(count, a, b);
  generation_ok<<<8, 64>>>(a, b);
  return 0;
}
