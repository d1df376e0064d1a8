// Insufficient scope of atomic operations, as iGUARD counts it (AS). Each program has a mended twin (_ok).
// steal: a block takes the next piece of its own work with block scope, though other blocks steal from it with device scope; the piece is
// counted once by both. histogram: blocks count into one histogram with block scope. minimum: each block finds a minimum with block scope,
// rightly, in a word of its own, then all blocks put theirs into one word with block scope, wrongly.
//@ pairs: exact
//@ verdict steal: racy
//@ verdict steal_ok: race-free
//@ verdict histogram: racy
//@ verdict histogram_ok: race-free
//@ verdict minimum: racy
//@ verdict minimum_ok: race-free

__global__ void steal(int *next, int *taken, int victim) {
  if (threadIdx.x == 0) {
    int mine = atomicAdd_block(&next[blockIdx.x], 1); // expect-race[next](inter-block) {{cause=insufficient-scope-atomic}}
    if (mine > 100)
      mine = atomicAdd(&next[victim], 1); // expect-race[next](inter-block) {{cause=insufficient-scope-atomic}}
    taken[blockIdx.x] = mine;
  }
}

__global__ void steal_ok(int *next, int *taken, int victim) { // expect-clean
  if (threadIdx.x == 0) {
    int mine = atomicAdd(&next[blockIdx.x], 1);
    if (mine > 100)
      mine = atomicAdd(&next[victim], 1);
    taken[blockIdx.x] = mine;
  }
}

__global__ void histogram(const unsigned char *data, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd_block(&bins[data[i]], 1); // expect-race[bins](inter-block) {{cause=insufficient-scope-atomic}}
}

__global__ void histogram_ok(const unsigned char *data, int *bins) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[data[i]], 1);
}

__global__ void minimum(const int *in, int *of_block, int *of_all) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin_block(&of_block[blockIdx.x], in[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMin_block(&of_all[0], of_block[blockIdx.x]); // expect-race[all](inter-block) {{cause=insufficient-scope-atomic}}
}

__global__ void minimum_ok(const int *in, int *of_block, int *of_all) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin_block(&of_block[blockIdx.x], in[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMin(&of_all[0], of_block[blockIdx.x]);
}

int main(int argc, char **) {
  int *a, *b, *c;
  unsigned char *data;
  cudaMalloc((void **)&a, 2048 * sizeof(int));
  cudaMalloc((void **)&b, 2048 * sizeof(int));
  cudaMalloc((void **)&c, 2048 * sizeof(int));
  cudaMalloc((void **)&data, 2048);
  steal<<<16, 128>>>(a, b, argc);
  steal_ok<<<16, 128>>>(a, b, argc);
  histogram<<<16, 128>>>(data, a);
  histogram_ok<<<16, 128>>>(data, a);
  minimum<<<16, 128>>>(a, b, c);
  minimum_ok<<<16, 128>>>(a, b, c);
  return 0;
}
