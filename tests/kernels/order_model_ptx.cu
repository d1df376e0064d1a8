// In PTX's model a fence belongs to the thread that stores the flag, or reads it: the fences of the other threads of its
// block, on the far side of the barrier, do not stand in for it.
// beside: the fences stand beside the operations on the flag (ok). apart: each thread fences, then the barrier (bad).
// strong: two volatile accesses of one word are morally strong, and no race by themselves (ok); one of them plain (bad).
//@ args: --memory-model=ptx
//@ verdict beside_ok: race-free
//@ verdict apart_bad: racy
//@ verdict strong_ok: race-free
//@ verdict strong_bad: racy
__global__ void beside_ok(int *flag, int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[63 - t];
  }
}

__global__ void apart_bad(int *flag, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race {{cause=missing-fence}}
    __threadfence();
    __syncthreads();
    if (t == 0)
      atomicExch(flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = data[63 - t]; // expect-race
  }
}

__global__ void strong_ok(volatile int *stop, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0)
    *stop = 1;
  else
    out[blockIdx.x] = *stop;
}

__global__ void strong_bad(int *stop, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0)
    *(volatile int *)stop = 1; // expect-race {{-Winter-block-race}}
  else
    out[blockIdx.x] = *stop; // expect-race
}

int main() {
  int *flag, *data, *out;
  cudaMalloc((void **)&flag, sizeof(int));
  cudaMalloc((void **)&data, 64 * sizeof(int));
  cudaMalloc((void **)&out, 64 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  beside_ok<<<2, 64>>>(flag, data, out);
  apart_bad<<<2, 64>>>(flag, data, out);
  strong_ok<<<2, 64>>>(flag, out);
  strong_bad<<<2, 64>>>(flag, out);
  return 0;
}
