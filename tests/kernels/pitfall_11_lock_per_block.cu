// A lock in shared memory is a different lock in each block: it protects nothing that blocks share (bad). A lock in global
// memory is one for all (ok).
//@ verdict tally_ok: race-free
//@ verdict tally_bad: racy
__global__ void tally_ok(int *lock, int *total) { // expect-clean
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    total[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void tally_bad(int *total) {
  __shared__ int lock;
  if (threadIdx.x == 0)
    lock = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    total[0] += 1; // expect-race {{-Winter-block-race}}
    __threadfence();
    atomicExch(&lock, 0);
  }
}

int main() {
  int *lock, *total;
  cudaMalloc((void **)&lock, sizeof(int));
  cudaMalloc((void **)&total, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  tally_ok<<<16, 64>>>(lock, total);
  tally_bad<<<16, 64>>>(total);
  return 0;
}
