// A histogram for each block in shared memory, added to the one in global memory at the end.
// clear: without the barrier after clearing, a count may be cleared away. merge: without the barrier before the merge, or
// with a plain addition in it, counts are lost within a block or between blocks.
//@ verdict histogram_ok: race-free
//@ verdict clear_bad: racy
//@ verdict merge_bad: racy
//@ verdict plain_bad: racy
__global__ void histogram_ok(const unsigned char *data, unsigned *bins, int n) { // expect-clean
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void clear_bad(const unsigned char *data, unsigned *bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0; // expect-race
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&local[data[i]], 1u); // expect-race
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void merge_bad(const unsigned char *data, unsigned *bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&local[data[i]], 1u);                  // expect-race
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]); // expect-race {{-Wintra}}
}

__global__ void plain_bad(const unsigned char *data, unsigned *bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  bins[threadIdx.x] += local[threadIdx.x]; // expect-race {{-Winter-block-race}}
}

int main(int argc, char **) {
  int n = argc;
  unsigned char *data;
  unsigned *bins;
  cudaMalloc((void **)&data, n);
  cudaMalloc((void **)&bins, 256 * sizeof(unsigned));
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  histogram_ok<<<32, 256>>>(data, bins, n);
  clear_bad<<<32, 256>>>(data, bins, n);
  merge_bad<<<32, 256>>>(data, bins, n);
  plain_bad<<<32, 256>>>(data, bins, n);
  return 0;
}
