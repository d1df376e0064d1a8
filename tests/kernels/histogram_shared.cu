// A histogram for each block in shared memory, added to the one in global memory at the end.
// clear: without the barrier after clearing, a count may be cleared away. merge: without the barrier before the merge, or
// with a plain addition in it, counts are lost within a block or between blocks.
// parts: each block counts two bins for each byte in 256 bins of its own, by way of an array of the thread's own (ok); twice a byte may be
// a bin of the next block, of which atomics of block scope know nothing (bad).
//@ verdict parts_ok: race-free
//@ verdict parts_bad: racy
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

__global__ void parts_ok(const unsigned char *data, unsigned *bins, int n) { // expect-clean
  int t = blockIdx.x * 256 + threadIdx.x;
  unsigned places[2];
  if (t >= n)
    return;
  places[0] = data[t];
  places[1] = data[t] / 2;
  for (int p = 0; p < 2; p++)
    atomicAdd_block(&bins[blockIdx.x * 256 + places[p]], 1u);
}

__global__ void parts_bad(const unsigned char *data, unsigned *bins, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  unsigned places[2];
  if (t >= n)
    return;
  places[0] = data[t];
  places[1] = data[t] * 2;
  for (int p = 0; p < 2; p++)
    atomicAdd_block(&bins[blockIdx.x * 256 + places[p]], 1u); // expect-race {{-Winter-block-race}}
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
  cudaMalloc((void **)&bins, 64 * 256 * sizeof(unsigned));
  parts_ok<<<32, 256>>>(data, bins, n);
  parts_bad<<<32, 256>>>(data, bins, n);
  return 0;
}
