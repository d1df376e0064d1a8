// Possession of a lock begins on the edge where the exchange returned the free value and ends at the release.
// proper: both increments inside. ignored: the result of the exchange is not looked at, so it is no lock. between: the
// lock is taken and given back, then an increment, then taken again: dominated by one, followed by the other, inside none.
// block: thread 0 takes the lock for its block and hands possession on by a barrier, and back by another (ok); giving it
// back before that barrier lets the next block in while other threads still write (bad).
//@ verdict proper_ok: race-free
//@ verdict ignored_bad: racy
//@ verdict between_bad: racy
//@ verdict block_ok: race-free
//@ verdict block_bad: racy
__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void give(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void proper_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0) {
    take(lock);
    a[0]++;
    give(lock);
    take(lock);
    a[1]++;
    give(lock);
  }
}

__global__ void ignored_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    atomicCAS(lock, 0, 1);
    __threadfence();
    a[0]++; // expect-race {{-Winter-block-race}}
    give(lock);
  }
}

__global__ void between_bad(int *lock, int *a) {
  if (threadIdx.x == 0) {
    take(lock);
    a[0]++;
    give(lock);
    a[1]++; // expect-race {{-Winter-block-race}}
    take(lock);
    a[2]++;
    give(lock);
  }
}

__global__ void block_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x == 0)
    take(lock);
  __syncthreads();
  a[threadIdx.x]++;
  __syncthreads();
  if (threadIdx.x == 0)
    give(lock);
}

__global__ void block_bad(int *lock, int *a) {
  if (threadIdx.x == 0)
    take(lock);
  __syncthreads();
  a[threadIdx.x]++; // expect-race {{-Winter-block-race}}
  if (threadIdx.x == 0)
    give(lock);
}

int main() {
  int *lock, *a;
  cudaMalloc((void **)&lock, sizeof(int));
  cudaMalloc((void **)&a, 4096);
  cudaMemset(lock, 0, sizeof(int));
  proper_ok<<<16, 64>>>(lock, a);
  ignored_bad<<<16, 64>>>(lock, a);
  between_bad<<<16, 64>>>(lock, a);
  block_ok<<<16, 64>>>(lock, a);
  block_bad<<<16, 64>>>(lock, a);
  return 0;
}
