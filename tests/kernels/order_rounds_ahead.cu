// A counter that leaders count up once in a round is a barrier of the grid only if nobody counts ahead. Each block writes its part,
// counts up, and waits until all have; all but block 0 then read the part of another one (ok). Block 0, which reads nothing, does not wait,
// so that what it counts ahead stands for others (ahead, bad); it waits for nobody in every other round (other, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict ok: race-free
//@ rule ok: count
//@ verdict ahead_bad: racy
//@ verdict other_bad: racy
enum { WAITS, AHEAD, OTHER };

template <int how> __device__ void rounds(unsigned *count, int *a, int *b, int n) {
  for (int k = 0; k < n; k++) {
    a[(k * gridDim.x + blockIdx.x) * 64 + threadIdx.x] = k; // expect-race
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(count, 1);
      if (how == WAITS || blockIdx.x != 0 || (how == OTHER && k % 2))
        while (atomicAdd(count, 0) < gridDim.x * (k + 1)) {
        }
      __threadfence();
    }
    __syncthreads();
    if (blockIdx.x != 0) b[blockIdx.x * 64 + threadIdx.x] = a[(k * gridDim.x + blockIdx.x - 1) * 64 + threadIdx.x]; // expect-race
  }
}
__global__ void ok(unsigned *count, int *a, int *b, int n) { rounds<WAITS>(count, a, b, n); } // expect-clean
__global__ void ahead_bad(unsigned *count, int *a, int *b, int n) { rounds<AHEAD>(count, a, b, n); }
__global__ void other_bad(unsigned *count, int *a, int *b, int n) { rounds<OTHER>(count, a, b, n); }
