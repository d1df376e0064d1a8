// Who has tried often enough gives up, and goes on without the lock (bad), or without the work (ok); by a count beside the try (counted).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict tries_ok: race-free
//@ verdict tries_bad: racy
//@ verdict counted_ok: race-free
//@ verdict counted_bad: racy

__device__ bool take(int *lock, int tries) {
  for (int i = 0; i < tries; i++)
    if (atomicCAS(lock, 0, 1) == 0) return true;
  return false;
}

__device__ bool take_counted(int *lock) {
  int tries = 0;
  while (atomicCAS(lock, 0, 1) != 0)
    if (++tries == 64) return false;
  return true;
}

__device__ void work(int *lock, int *sum) {
  __threadfence();
  sum[0]++; // expect-race
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void tries_ok(int *lock, int *sum) { // expect-clean
  if (threadIdx.x != 0) return;
  if (take(lock, 100)) work(lock, sum);
}

__global__ void tries_bad(int *lock, int *sum) {
  if (threadIdx.x != 0) return;
  take(lock, 100);
  work(lock, sum);
}

__global__ void counted_ok(int *lock, int *sum) { // expect-clean
  if (threadIdx.x == 0 && take_counted(lock)) work(lock, sum);
}

__global__ void counted_bad(int *lock, int *sum) {
  if (threadIdx.x != 0) return;
  take_counted(lock);
  work(lock, sum);
}
