// Kernels that never look at their block's number, and of which no launch is seen: whoever makes a fence for the device means that there
// are other blocks, and all of them do the same.
// lock: one in global memory (ok); in shared memory, where each block has its own (bad).
// alone: as in "bad", with fences for the block. Nothing speaks of other blocks, but a launch has as many as it likes along x (bad); with an
// element for each block they do not meet (ok).
// given: given back as if it had been taken (bad).
//@ verdict lock_ok: race-free
//@ verdict lock_bad: racy
//@ verdict alone_bad: racy
//@ verdict alone_ok: race-free
//@ verdict given_bad: racy

__global__ void lock_ok(int *lock, int *a) { // expect-clean
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  a[0]++;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void lock_bad(int *a) {
  __shared__ int lock;
  if (threadIdx.x == 0)
    lock = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  a[0]++; // expect-race {{inter-block-race]}}
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void alone_bad(int *a) {
  __shared__ int lock;
  if (threadIdx.x == 0)
    lock = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence_block();
  a[0]++; // expect-race {{/inter-block-race].*missing=gridDim.x == 1/}}
  __threadfence_block();
  atomicExch(&lock, 0);
}

__global__ void alone_ok(int *a) { // expect-clean
  __shared__ int lock;
  if (threadIdx.x == 0)
    lock = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence_block();
  a[blockIdx.x]++;
  __threadfence_block();
  atomicExch(&lock, 0);
}

__global__ void given_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  __threadfence();
  a[0]++; // expect-race {{inter-block-race]}}
  __threadfence();
  atomicExch(lock, 0);
}
