// What a try at a lock returned is not looked at on the spot, but kept in a variable, merged with what other tries gave, left in shared
// memory for the block, or handed to the other lanes by a shuffle.
// twice: looked at for the fence, and again for the access (ok); for the access once more when the lock has been given back (bad).
// rounds: of some tries the last one counts (ok); with none at all the variable says that the lock is held (bad).
// both: the access is made if two locks were got (ok), if one of them was (bad).
// part: if it was got and something else holds (ok), or one of the two (bad).
// fence: made if the lock was got (ok), if it was not (bad).
// block: the leader leaves it in shared memory (ok); and gives the lock back before a barrier (bad).
// turned: what says yes in shared memory says that it was not got (bad).
// done: tried until the block has got it, which another variable says (ok); given back before a barrier (bad).
// warp: the first lane tells the others, between two warp barriers (ok); no second barrier (bad).
// own: one lock for each warp, for its own part of the data (ok); of all warps (bad).
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict both_ok: race-free
//@ verdict both_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
//@ verdict fence_ok: race-free
//@ verdict fence_bad: racy
//@ verdict block_ok: race-free
//@ verdict block_bad: racy
//@ verdict turned_bad: racy
//@ verdict done_ok: race-free
//@ verdict done_bad: racy
//@ verdict warp_ok: race-free
//@ verdict warp_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy

__device__ bool try_lock(int *lock) {
  bool got = atomicCAS(lock, 0, 1) == 0;
  if (got)
    __threadfence();
  return got;
}

__device__ void unlock(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void twice_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (try_lock(lock)) {
    a[0]++;
    unlock(lock);
  }
}

__global__ void twice_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  bool got = try_lock(lock);
  if (got)
    unlock(lock);
  if (got)
    a[0]++; // expect-race
}

__global__ void rounds_ok(int *lock, int *a, int n) { // expect-clean
  if (threadIdx.x != 0)
    return;
  int busy = 1;
  for (int i = 0; i < n && busy; i++)
    busy = atomicCAS(lock, 0, 1);
  if (!busy) {
    __threadfence();
    a[0]++;
    unlock(lock);
  }
}

__global__ void rounds_bad(int *lock, int *a, int n) {
  if (threadIdx.x != 0)
    return;
  int busy = 0;
  for (int i = 0; i < n && (i == 0 || busy); i++)
    busy = atomicCAS(lock, 0, 1);
  if (!busy) {
    __threadfence();
    a[0]++; // expect-race
    unlock(lock);
  }
}

__global__ void both_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  bool one = try_lock(lock), two = try_lock(lock + 1);
  if (one && two)
    a[0]++;
  if (two)
    unlock(lock + 1);
  if (one)
    unlock(lock);
}

__global__ void both_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  bool one = try_lock(lock), two = try_lock(lock + 1);
  if (one || two)
    a[0]++; // expect-race
  if (two)
    unlock(lock + 1);
  if (one)
    unlock(lock);
}

__global__ void part_ok(int *lock, int *a, int n) { // expect-clean
  if (threadIdx.x != 0)
    return;
  bool got = try_lock(lock), writes = got & n > 7;
  if (writes)
    a[0]++;
  if (got)
    unlock(lock);
}

__global__ void part_bad(int *lock, int *a, int n) {
  if (threadIdx.x != 0)
    return;
  bool got = try_lock(lock), writes = got | n > 7;
  if (writes)
    a[0]++; // expect-race
  if (got)
    unlock(lock);
}

__global__ void fence_ok(int *lock, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  bool got = atomicCAS(lock, 0, 1) == 0;
  if (got)
    __threadfence();
  out[blockIdx.x] = 1;
  if (got) {
    a[0]++;
    unlock(lock);
  }
}

__global__ void fence_bad(int *lock, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  bool got = atomicCAS(lock, 0, 1) == 0;
  if (!got)
    __threadfence();
  out[blockIdx.x] = 1;
  if (got) {
    a[0]++; // expect-race {{cause=missing-acquire-fence}}
    unlock(lock);
  }
}

__global__ void block_ok(int *lock, int *a) { // expect-clean
  __shared__ bool got;
  if (threadIdx.x == 0)
    got = try_lock(lock);
  __syncthreads();
  if (got)
    a[threadIdx.x]++;
  __syncthreads();
  if (threadIdx.x == 0 && got)
    unlock(lock);
}

__global__ void block_bad(int *lock, int *a) {
  __shared__ bool got;
  if (threadIdx.x == 0)
    got = try_lock(lock);
  __syncthreads();
  if (got)
    a[threadIdx.x]++; // expect-race
  if (threadIdx.x == 0 && got)
    unlock(lock);
}

__global__ void turned_bad(int *lock, int *a) {
  __shared__ bool busy;
  if (threadIdx.x == 0)
    busy = !try_lock(lock);
  __syncthreads();
  if (busy)
    a[threadIdx.x]++; // expect-race
  __syncthreads();
  if (threadIdx.x == 0 && !busy)
    unlock(lock);
}

__global__ void done_ok(int *lock, int *a) { // expect-clean
  __shared__ bool got;
  bool done = false;
  while (!done) {
    if (threadIdx.x == 0)
      got = try_lock(lock);
    __syncthreads();
    if (got) {
      a[threadIdx.x]++;
      done = true;
    }
    __syncthreads();
    if (threadIdx.x == 0 && done)
      unlock(lock);
  }
}

__global__ void done_bad(int *lock, int *a) {
  __shared__ bool got;
  bool done = false;
  while (!done) {
    if (threadIdx.x == 0)
      got = try_lock(lock);
    __syncthreads();
    if (got) {
      a[threadIdx.x]++; // expect-race
      done = true;
    }
    if (threadIdx.x == 0 && done)
      unlock(lock);
    __syncthreads();
  }
}

__global__ void warp_ok(int *lock, int *a) { // expect-clean
  int lane = threadIdx.x % 32, got = 0;
  if (lane == 0)
    got = try_lock(lock);
  got = __shfl_sync(0xffffffff, got, 0);
  __syncwarp();
  if (got)
    a[lane]++;
  __syncwarp();
  if (lane == 0 && got)
    unlock(lock);
}

__global__ void warp_bad(int *lock, int *a) {
  int lane = threadIdx.x % 32, got = 0;
  if (lane == 0)
    got = try_lock(lock);
  got = __shfl_sync(0xffffffff, got, 0);
  __syncwarp();
  if (got)
    a[lane]++; // expect-race
  if (lane == 0 && got)
    unlock(lock);
}

__global__ void own_ok(int *lock, int *a) { // expect-clean
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock + warp, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  a[threadIdx.x]++;
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    unlock(lock + warp);
}

__global__ void own_bad(int *lock, int *a) {
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock + warp, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncwarp();
  a[threadIdx.x % 32]++; // expect-race {{cause=different-locks}}
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    unlock(lock + warp);
}

int main(int argc, char **argv) {
  int *lock, *a, *out;
  cudaMalloc((void **)&lock, 4096);
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMemset(lock, 0, 4096);
  twice_ok<<<8, 64>>>(lock, a);
  twice_bad<<<8, 64>>>(lock, a);
  rounds_ok<<<8, 64>>>(lock, a, argc);
  rounds_bad<<<8, 64>>>(lock, a, argc);
  both_ok<<<8, 64>>>(lock, a);
  both_bad<<<8, 64>>>(lock, a);
  part_ok<<<8, 64>>>(lock, a, argc);
  part_bad<<<8, 64>>>(lock, a, argc);
  fence_ok<<<8, 64>>>(lock, a, out);
  fence_bad<<<8, 64>>>(lock, a, out);
  block_ok<<<8, 64>>>(lock, a);
  block_bad<<<8, 64>>>(lock, a);
  turned_bad<<<8, 64>>>(lock, a);
  done_ok<<<8, 64>>>(lock, a);
  done_bad<<<8, 64>>>(lock, a);
  warp_ok<<<8, 64>>>(lock, a);
  warp_bad<<<8, 64>>>(lock, a);
  own_ok<<<8, 64>>>(lock, a);
  own_bad<<<8, 64>>>(lock, a);
}
