// Blocks fetch items from a common queue until it is empty: thread 0 draws a number, all use it behind a barrier, and a
// second barrier keeps the next number from overwriting it too early (ok; without it, bad).
//@ verdict drain_ok: race-free
//@ verdict drain_bad: racy
__global__ void drain_ok(int *next, float *items, int n) { // expect-clean
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0)
      item = atomicAdd(next, 1);
    __syncthreads();
    int mine = item;
    __syncthreads();
    if (mine >= n)
      break;
    items[mine * 64 + threadIdx.x] *= 2;
  }
}

__global__ void drain_bad(int *next, float *items, int n) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0)
      item = atomicAdd(next, 1); // expect-race {{object=item}}
    __syncthreads();
    int mine = item; // expect-race {{object=item}}
    if (mine >= n)
      break;
    items[mine * 64 + threadIdx.x] *= 2;
  }
}

int main(int argc, char **) {
  int n = argc;
  int *next;
  float *items;
  cudaMalloc((void **)&next, sizeof(int));
  cudaMalloc((void **)&items, n * 64 * sizeof(float));
  cudaMemset(next, 0, sizeof(int));
  drain_ok<<<8, 64>>>(next, items, n);
  cudaMemset(next, 0, sizeof(int));
  drain_bad<<<8, 64>>>(next, items, n);
  return 0;
}
