// The last block to arrive adds up what all blocks left. That works if each block arrives once, behind a barrier and a
// fence, and the last number drawn is the number of blocks less one (ok).
// every: every thread arrives, so the number gridDim.x - 1 is drawn while most have not written yet (bad).
// other: the number is compared with a parameter that nothing ties to the number of blocks (bad).
//@ verdict leader_ok: race-free
//@ verdict every_bad: racy
//@ verdict other_bad: racy
__global__ void leader_ok(unsigned *arrived, float *part, float *sum) { // expect-clean
  __shared__ bool is_last;
  int t = threadIdx.x;
  part[blockIdx.x * 64 + t] = t;
  __syncthreads();
  if (t == 0) {
    __threadfence();
    is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last && t == 0) {
    float s = 0;
    for (unsigned i = 0; i < gridDim.x * 64; i++)
      s += part[i];
    *sum = s;
  }
}

__global__ void every_bad(unsigned *arrived, float *part, float *sum) {
  int t = threadIdx.x;
  part[blockIdx.x * 64 + t] = t; // expect-race {{-Winter-block-race}} expect-race {{-Wintra}}
  __threadfence();
  if (atomicAdd(arrived, 1u) == gridDim.x - 1) {
    float s = 0;
    for (unsigned i = 0; i < gridDim.x * 64; i++)
      s += part[i]; // expect-race
    *sum = s;
  }
}

__global__ void other_bad(unsigned *arrived, float *part, float *sum, unsigned last) {
  __shared__ bool is_last;
  int t = threadIdx.x;
  part[blockIdx.x * 64 + t] = t; // expect-race {{-Winter-block-race}}
  __syncthreads();
  if (t == 0) {
    __threadfence();
    is_last = atomicAdd(arrived, 1u) == last;
    __threadfence();
  }
  __syncthreads();
  if (is_last && t == 0) {
    float s = 0;
    for (unsigned i = 0; i < gridDim.x * 64; i++)
      s += part[i]; // expect-race {{-Winter-block-race}}
    *sum = s;
  }
}

int main(int argc, char **) {
  unsigned *arrived;
  float *part, *sum;
  cudaMalloc((void **)&arrived, sizeof(unsigned));
  cudaMalloc((void **)&part, 32 * 64 * sizeof(float));
  cudaMalloc((void **)&sum, sizeof(float));
  cudaMemset(arrived, 0, sizeof(unsigned));
  leader_ok<<<32, 64>>>(arrived, part, sum);
  cudaMemset(arrived, 0, sizeof(unsigned));
  every_bad<<<32, 64>>>(arrived, part, sum);
  cudaMemset(arrived, 0, sizeof(unsigned));
  other_bad<<<32, 64>>>(arrived, part, sum, argc);
  return 0;
}
