// No launch is visible: every launch counts. flat_ok keeps apart whatever the dimensions are; flat_bad forgets y and z,
// which some launch uses. Threads that take locks or draw numbers do not all do the same work, even if they look at no number of
// theirs: lock_ok is right, lock_bad lacks a fence; draw_ok writes where its number says, draw_bad where the half of it says.
//@ verdict flat_ok: race-free
//@ verdict flat_bad: racy
//@ verdict lock_ok: race-free
//@ verdict lock_bad: racy
//@ verdict draw_ok: race-free
//@ verdict draw_bad: racy
//@ verdict without_pointer_bad: racy
//@ verdict without_pointer_ok: race-free
__global__ void flat_ok(float *a) { // expect-clean
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  a[(size_t)block * (blockDim.x * blockDim.y * blockDim.z) + thread] = 1;
}

__global__ void flat_bad(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.y; // expect-race
}

__global__ void lock_ok(int *lock, int *a) { // expect-clean
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  a[0] = a[0] + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void lock_bad(int *lock, int *a) {
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  a[0] = a[0] + 1; // expect-race {{cause=missing-fence}}
  atomicExch(lock, 0);
}

__global__ void draw_ok(int *next, int *out) { // expect-clean
  out[atomicAdd(next, 1)] = 1;
}

__global__ void draw_bad(int *next, int *out) {
  int drawn = atomicAdd(next, 1);
  out[drawn / 2] = drawn; // expect-race
}

__global__ void without_pointer_bad(int *out, const int *order) {
  if (!order) out[threadIdx.x / 2] = threadIdx.x; // expect-race
}

__global__ void without_pointer_ok(int *out, const int *order) { // expect-clean
  if (!order) out[threadIdx.x] = threadIdx.x;
}
