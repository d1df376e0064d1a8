// A barrier of the grid in generations whose counter nobody sets back, as it is used once: with atomicAdd (ok) or atomicInc (wraps, ok);
// started by the one before the last (bad); used twice, where every number from the last one on starts a generation (twice, bad).
//@ args: --grid-dim=8 --block-dim=64
//@ verdict ok: race-free
//@ rule ok: generation
//@ verdict wraps_ok: race-free
//@ verdict early_bad: racy
//@ verdict twice_bad: racy
__device__ unsigned arrived;
__device__ volatile int generation;

enum { RIGHT, WRAPS, EARLY, TWICE };

template <int wrong> __device__ void wait_for_grid() {
  int now = generation;
  __threadfence();
  unsigned last = gridDim.x - (wrong == EARLY ? 2 : 1);
  unsigned number = wrong == WRAPS ? atomicInc(&arrived, gridDim.x) : atomicAdd(&arrived, 1);
  if (wrong == TWICE ? number >= last : number == last) {
    __threadfence();
    generation = now + 1; // expect-race[started]
  } else {
    while (generation == now) {
    }
  }
  __threadfence();
}

template <int wrong> __device__ void single(int *a, int *b) {
  int t = threadIdx.x;
  if (wrong == TWICE) {
    if (t == 0) wait_for_grid<wrong>();
    __syncthreads();
  }
  a[blockIdx.x * 64 + t] = t; // expect-race
  __syncthreads();
  if (t == 0) wait_for_grid<wrong>();
  __syncthreads();
  b[blockIdx.x * 64 + t] = a[(blockIdx.x + 1) % gridDim.x * 64 + t]; // expect-race
}
__global__ void ok(int *a, int *b) { single<RIGHT>(a, b); } // expect-clean
__global__ void wraps_ok(int *a, int *b) { single<WRAPS>(a, b); } // expect-clean
__global__ void early_bad(int *a, int *b) { single<EARLY>(a, b); }
__global__ void twice_bad(int *a, int *b) { single<TWICE>(a, b); }
