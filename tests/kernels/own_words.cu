// A word of global memory for each block, written by the block's leader and read by all its threads behind a barrier, is one
// value for the block: barriers in loops that hang on it are reached by all.
// steal: blocks take pieces of work until none is left, the piece is told through bases[blockIdx.x] (ok); the next piece is told while
// others may still read the last one (bad). looked: the word is read by an atomic addition of nothing (ok).
// neighbour: the leader writes the word of the next block as well (bad). plane: two rows of blocks share the words (bad).
// halves: two blocks share a word (bad).
//@ verdict steal_ok: race-free
//@ verdict steal_bad: racy
//@ verdict looked_ok: race-free
//@ verdict neighbour_bad: racy
//@ verdict plane_bad: racy
//@ verdict halves_bad: racy
__global__ void steal_ok(int *head, int *bases, int *out, int n) { // expect-clean
  int *base = &bases[blockIdx.x];
  if (threadIdx.x == 0)
    *base = atomicAdd(head, 64);
  __syncthreads();
  int at = *base;
  while (at < n) {
    out[blockIdx.x * 64 + threadIdx.x] += at;
    __syncthreads();
    if (threadIdx.x == 0)
      *base = atomicAdd(head, 64);
    __syncthreads();
    at = *base;
  }
}

__global__ void steal_bad(int *head, int *bases, int *out, int n) {
  int *base = &bases[blockIdx.x];
  if (threadIdx.x == 0)
    *base = atomicAdd(head, 64);
  __syncthreads();
  int at = *base; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  while (at < n) {
    out[blockIdx.x * 64 + threadIdx.x] += at;
    if (threadIdx.x == 0)
      *base = atomicAdd(head, 64); // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
    __syncthreads();
    at = *base; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  }
}

__global__ void looked_ok(int *head, int *bases, int *out, int n) { // expect-clean
  int *base = &bases[blockIdx.x];
  if (threadIdx.x == 0)
    atomicExch_block(base, atomicAdd(head, 64));
  __syncthreads();
  int at = atomicAdd_block(base, 0);
  while (at < n) {
    out[blockIdx.x * 64 + threadIdx.x] += at;
    __syncthreads();
    if (threadIdx.x == 0)
      atomicExch_block(base, atomicAdd(head, 64));
    __syncthreads();
    at = atomicAdd_block(base, 0);
  }
}

__global__ void neighbour_bad(int *head, int *bases, int n) {
  int *base = &bases[blockIdx.x];
  if (threadIdx.x == 0) {
    *base = atomicAdd(head, 64); // expect-race
    bases[(blockIdx.x + 1) % gridDim.x] = n; // expect-race
  }
  __syncthreads();
  for (int at = *base; at < n; at += 64) // expect-race
    __syncthreads();
}

__global__ void plane_bad(int *head, int *bases, int n) {
  int *base = &bases[blockIdx.x];
  if (threadIdx.x == 0)
    *base = atomicAdd(head, 64); // expect-race
  __syncthreads();
  for (int at = *base; at < n; at += 64) // expect-race
    __syncthreads();
}

__global__ void halves_bad(int *head, int *bases, int n) {
  int *base = &bases[blockIdx.x / 2];
  if (threadIdx.x == 0)
    *base = atomicAdd(head, 64); // expect-race
  __syncthreads();
  for (int at = *base; at < n; at += 64) // expect-race
    __syncthreads();
}

int main() {
  int *head, *bases, *out;
  cudaMalloc((void **)&head, 4);
  cudaMalloc((void **)&bases, 64);
  cudaMalloc((void **)&out, 4096);
  cudaMemset(head, 0, 4);
  steal_ok<<<8, 64>>>(head, bases, out, 1024);
  steal_bad<<<8, 64>>>(head, bases, out, 1024);
  looked_ok<<<8, 64>>>(head, bases, out, 1024);
  neighbour_bad<<<8, 64>>>(head, bases, 1024);
  plane_bad<<<dim3(4, 2), 64>>>(head, bases, 1024);
  halves_bad<<<8, 64>>>(head, bases, 1024);
  return 0;
}
