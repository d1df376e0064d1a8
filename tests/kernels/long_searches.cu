// A grid barrier in generations, passed many times: the last block opens the next generation for the whole device (ok), or by an atomic operation of
// block scope (narrow). What the threads of the launch would do one by one goes round the loop to the end and waits without end: trying that
// for each pair of accesses took minutes.
//@ verdict generations_ok: race-free
//@ verdict generations_narrow_bad: racy
//@ known-undecided generations_narrow_bad: a run of the whole launch has too many threads
struct Barrier {
  unsigned count, generation;
};
__device__ Barrier shared_barrier, narrow_barrier;

template <bool is_narrow> __device__ void meet(Barrier *barrier) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    volatile unsigned *generation = &barrier->generation;
    unsigned mine = *generation;
    __threadfence();
    if (atomicAdd(&barrier->count, 1) == gridDim.x - 1) {
      barrier->count = 0; // expect-same-value
      __threadfence();
      if (is_narrow)
        atomicAdd_block(&barrier->generation, 1);
      else
        atomicAdd(&barrier->generation, 1);
    } else {
      while (*generation == mine)
        ;
    }
    __threadfence();
  }
  __syncthreads();
}

template <bool is_narrow> __device__ void steps(Barrier *barrier, int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    x[i] = k;
    meet<is_narrow>(barrier);
    y[i] = x[(i + blockDim.x) % (gridDim.x * blockDim.x)];
    meet<is_narrow>(barrier);
  }
}
__global__ void generations_ok(int *x, int *y, int n) { steps<false>(&shared_barrier, x, y, n); } // expect-clean
__global__ void generations_narrow_bad(int *x, int *y, int n) { steps<true>(&narrow_barrier, x, y, n); }

int main(int count, char **words) {
  int *x, *y;
  cudaMalloc((void **)&x, 1 << 20);
  cudaMalloc((void **)&y, 1 << 20);
  generations_ok<<<64, 128>>>(x, y, count * 1000);
  generations_narrow_bad<<<64, 128>>>(x, y, count * 1000);
}
