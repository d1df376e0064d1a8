// In PTX's model a fence belongs to the thread that stores the flag, or reads it: the fences of the other threads of its
// block, on the far side of the barrier, do not stand in for it.
// beside: the fences stand beside the operations on the flag (ok). apart: each thread fences, then the barrier (bad).
// strong: two volatile accesses of one word are morally strong, and no race by themselves (ok); one of them plain (bad).
// given_back: volatile data under a lock in the same array, which is given back by a plain store (bad), by an exchange (ok).
//@ args: --memory-model=ptx
//@ verdict beside_ok: race-free
//@ verdict apart_bad: racy
//@ verdict strong_ok: race-free
//@ verdict strong_bad: racy
//@ verdict given_back_ok: race-free
//@ verdict given_back_bad: racy
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

template <bool is_plain> __device__ void give_back(int *words) {
  volatile int *data = words + 1;
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(words, 0, 1) != 0) { // expect-race[back]
  }
  __threadfence();
  *data = *data + 1;
  __threadfence();
  if (is_plain)
    *words = 0; // expect-race[back] expect-same-value
  else
    atomicExch(words, 0);
}
__global__ void given_back_ok(int *words) { give_back<false>(words); } // expect-clean
__global__ void given_back_bad(int *words) { give_back<true>(words); }

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
  cudaMemset(data, 0, 64 * sizeof(int));
  given_back_ok<<<2, 64>>>(data);
  given_back_bad<<<2, 64>>>(data);
  return 0;
}
