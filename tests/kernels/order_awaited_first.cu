// The comparison names what is awaited first, and then what is read: a number of the thread's own (ok), which is the one before it
// (bad); in a variable that is computed (computed, ok), from which too few are awaited (computed, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict ok: race-free
//@ verdict bad: racy
//@ verdict computed_ok: race-free
//@ verdict computed_bad: racy
template <int less> __device__ void chain(int *flag, int *a) {
  if (threadIdx.x != 0) return;
  int mine = blockIdx.x - less;
  while (mine > atomicAdd(flag, 0)) {
  }
  __threadfence();
  *a += blockIdx.x; // expect-race
  __threadfence();
  atomicAdd(flag, 1);
}
__global__ void ok(int *flag, int *a) { chain<0>(flag, a); } // expect-clean
__global__ void bad(int *flag, int *a) { chain<1>(flag, a); }

template <int less> __device__ void all(unsigned *count, int *a, int *b) {
  a[blockIdx.x * 64 + threadIdx.x] = 1; // expect-race
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    unsigned many = gridDim.x - less;
    while (many > atomicAdd(count, 0)) {
    }
    __threadfence();
  }
  __syncthreads();
  b[blockIdx.x * 64 + threadIdx.x] = a[(blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x]; // expect-race
}
__global__ void computed_ok(unsigned *count, int *a, int *b) { all<0>(count, a, b); } // expect-clean
__global__ void computed_bad(unsigned *count, int *a, int *b) { all<1>(count, a, b); }
