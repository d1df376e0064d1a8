// A loop that ends by a flag in shared memory. All threads read the flag behind a barrier that follows its last write, so
// they agree (ok). Without the third barrier a thread may read
// the flag while another still clears it, and threads disagree about the end of the loop (bad).
// vote: a reduction barrier gives all threads the same answer.
//@ verdict settle_ok: race-free
//@ verdict settle_bad: racy
//@ verdict vote_ok: race-free
//@ verdict vote_bad: racy
__global__ void settle_ok(int *left) { // expect-clean
  __shared__ int done;
  int t = threadIdx.x;
  do {
    __syncthreads();
    if (t == 0)
      done = 1;
    __syncthreads();
    if (left[blockIdx.x * 256 + t] > 0) {
      left[blockIdx.x * 256 + t]--;
      atomicExch(&done, 0);
    }
    __syncthreads();
  } while (!done);
}

__global__ void settle_bad(int *left) {
  __shared__ int done;
  int t = threadIdx.x;
  do {
    __syncthreads();
    if (t == 0)
      done = 1;
    __syncthreads();
    if (left[blockIdx.x * 256 + t] > 0) {
      left[blockIdx.x * 256 + t]--;
      atomicExch(&done, 0); // expect-race
    }
  } while (!done); // expect-race
}

__global__ void vote_ok(int *left) { // expect-clean
  __shared__ int s[256];
  int t = threadIdx.x;
  int mine = left[blockIdx.x * 256 + t];
  while (__syncthreads_or(mine > 0)) {
    s[t] = mine;
    __syncthreads();
    mine = mine > 0 ? mine - 1 - (s[255 - t] > mine) : 0;
  }
  left[blockIdx.x * 256 + t] = mine;
}

__global__ void vote_bad(int *left) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int mine = left[blockIdx.x * 256 + t];
  while (__syncthreads_or(mine > 0)) {
    s[t] = mine;                                           // expect-race {{-Wintra-block-race}}
    mine = mine > 0 ? mine - 1 - (s[255 - t] > mine) : 0; // expect-race {{-Wintra-block-race}}
  }
  left[blockIdx.x * 256 + t] = mine;
}

int main() {
  int *left;
  cudaMalloc((void **)&left, 4 * 256 * sizeof(int));
  settle_ok<<<4, 256>>>(left);
  settle_bad<<<4, 256>>>(left);
  vote_ok<<<4, 256>>>(left);
  vote_bad<<<4, 256>>>(left);
  return 0;
}
