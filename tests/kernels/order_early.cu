// Waits that are over too early though all fences are there: what is told is the number, not a fence.
// all: every thread counts itself in, and waits for all of them (ok); for as many as there are blocks (bad).
// some: one block waits for the threads of another one (ok), for all but one of them (bad).
// once: of two rounds, each waits for the number of its own round (ok), for that of the one before (bad).
// mute: the fence before counting up is missing as well, and is named first (bad).
//@ verdict all_ok: race-free
//@ verdict all_bad: racy
//@ verdict some_ok: race-free
//@ verdict some_bad: racy
//@ verdict once_ok: race-free
//@ verdict once_bad: racy
//@ verdict mute_bad: racy

__device__ void count_in(int *count, int awaited) {
  __threadfence();
  atomicAdd(count, 1);
  while (atomicAdd(count, 0) < awaited) {
  }
  __threadfence();
}

__device__ void round_trip(int *count, int awaited) {
  __syncthreads();
  if (threadIdx.x == 0)
    count_in(count, awaited);
  __syncthreads();
}

__global__ void all_ok(int *count, int *a, int *b) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i;
  count_in(count, n);
  b[i] = a[n - 1 - i];
}

__global__ void all_bad(int *count, int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i; // expect-race[all](every) {{cause=incomplete-arrival}}
  count_in(count, gridDim.x);
  b[i] = a[n - 1 - i]; // expect-race[all](every)
}

__global__ void some_ok(int *count, int *a, int *b) { // expect-clean
  if (blockIdx.x == 0) {
    a[threadIdx.x] = 1;
    __threadfence();
    atomicAdd(count, 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(count, 0) < blockDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
    b[blockIdx.x * blockDim.x + threadIdx.x] = a[threadIdx.x];
  }
}

__global__ void some_bad(int *count, int *a, int *b) {
  if (blockIdx.x == 0) {
    a[threadIdx.x] = 1; // expect-race {{cause=incomplete-arrival}}
    __threadfence();
    atomicAdd(count, 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(count, 0) < blockDim.x - 1) {
      }
      __threadfence();
    }
    __syncthreads();
    b[blockIdx.x * blockDim.x + threadIdx.x] = a[threadIdx.x]; // expect-race
  }
}

__global__ void once_ok(int *count, float *a, float *b, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; k++) {
    if (i > 0 && i < n - 1)
      b[i] = a[i - 1] + a[i + 1];
    round_trip(count, (2 * k + 1) * gridDim.x);
    if (i > 0 && i < n - 1)
      a[i] = b[i];
    round_trip(count, (2 * k + 2) * gridDim.x);
  }
}

__global__ void once_bad(int *count, float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; k++) {
    if (i > 0 && i < n - 1)
      b[i] = a[i - 1] + a[i + 1]; // expect-race[rounds] {{inter-block-race] possible cause=incomplete-arrival}}
    round_trip(count, 2 * k * gridDim.x);
    if (i > 0 && i < n - 1)
      a[i] = b[i]; // expect-race[rounds]
    round_trip(count, (2 * k + 1) * gridDim.x);
  }
}

__global__ void mute_bad(int *count, int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  a[i] = i; // expect-race {{cause=missing-fence}}
  atomicAdd(count, 1);
  while (atomicAdd(count, 0) < gridDim.x) {
  }
  __threadfence();
  b[i] = a[n - 1 - i]; // expect-race
}
