// No launch is visible: every launch counts. flat_ok keeps apart whatever the dimensions are; flat_bad forgets y and z,
// which some launch uses. Threads that take locks or draw numbers do not all do the same work, even if they look at no number of
// theirs: lock_ok is right, lock_bad lacks a fence; draw_ok writes where its number says, draw_bad where the half of it says.
// A kernel that looks at no number at all may be started by many threads, along x, all of which do the same (one_bad); one thread of one
// block does it alone (one_ok), one thread of each block does not (leader_bad). So may blocks that do not look at theirs (row_bad), which
// is right for one block, as is told; what lies in shared memory is each block's own (tile_ok). Along y, which no kernel here but the first two
// looks at, there is one thread (A10).
//@ verdict flat_ok: race-free
//@ verdict flat_bad: racy
//@ verdict lock_ok: race-free
//@ verdict lock_bad: racy
//@ verdict draw_ok: race-free
//@ verdict draw_bad: racy
//@ verdict without_pointer_bad: racy
//@ verdict without_pointer_ok: race-free
//@ verdict one_bad: racy
//@ verdict one_ok: race-free
//@ verdict leader_bad: racy
//@ verdict row_bad: racy
//@ verdict row_ok: race-free
//@ verdict tile_ok: race-free
//@ leans one_ok: A10
//@ leans flat_ok: !A10
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
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!order) out[i / 2] = i; // expect-race
}

__global__ void without_pointer_ok(int *out, const int *order) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!order) out[i] = i;
}

__global__ void one_bad(int *p, int v) {
  p[0] += v; // expect-race {{possible}}
}

__global__ void one_ok(int *p, int v) { // expect-clean
  if (threadIdx.x == 0 && blockIdx.x == 0) p[0] += v;
}

__global__ void leader_bad(int *p, int v) {
  if (threadIdx.x == 0) p[0] += v; // expect-race {{/inter-block-race].*missing=gridDim.x == 1/}}
}

__global__ void row_bad(int *p, int v) {
  p[threadIdx.x] += v; // expect-race {{/inter-block-race].*missing=gridDim.x == 1/}}
}

__global__ void row_ok(int *p, int v) { // expect-clean
  p[blockIdx.x * blockDim.x + threadIdx.x] += v;
}

__global__ void tile_ok(int *p, const int *q) { // expect-clean
  __shared__ int tile[1024];
  tile[threadIdx.x] = q[threadIdx.x];
  __syncthreads();
  if (tile[threadIdx.x ^ 1] < 0) atomicAdd(p, 1);
}
