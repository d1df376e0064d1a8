// Races between blocks, as iGUARD counts them (DR). Each has a mended twin (_ok).
// barrier: a barrier of the grid made by hand in which only the leader of a block has a fence, next to its arrival, but the block
// barrier before it is missing: what other threads wrote is not covered. (With the block barrier, the fence is cumulative.)
// halo: a block reads the first element of the next one, which that one writes in place; the neighbour is in the same block
// as well, in the next warp or the next lane. last: the block that draws the last ticket sums the others' parts, but the
// parts are written behind the ticket.
//@ pairs: exact
//@ verdict barrier: racy
//@ verdict barrier_ok: race-free
//@ verdict halo: racy
//@ verdict halo_ok: race-free
//@ verdict last: racy
//@ verdict last_ok: race-free

__global__ void barrier(int *data, int *arrived, int *out) {
  int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128;
  data[i] = i; // expect-race[data](inter-block)
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) != gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = data[(i + 128) % n]; // expect-race[data](inter-block)
}

__global__ void barrier_ok(int *data, int *arrived, int *out) { // expect-clean
  int i = blockIdx.x * 128 + threadIdx.x, n = gridDim.x * 128;
  data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) != gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = data[(i + 128) % n];
}

__global__ void halo(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) {
    float right = data[i + 1]; // expect-race[halo](every)
    data[i] = data[i] + right; // expect-race[halo](every)
  }
}

__global__ void halo_ok(const float *data, float *out, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) {
    float right = data[i + 1];
    out[i] = data[i] + right;
  }
}

__global__ void last(const int *in, int *parts, int *ticket, int *total) {
  if (threadIdx.x == 0) {
    bool is_last = atomicAdd(ticket, 1) == gridDim.x - 1;
    parts[blockIdx.x] = in[blockIdx.x]; // expect-race[parts](inter-block)
    __threadfence();
    if (is_last) {
      int sum = 0;
      for (int b = 0; b < gridDim.x; b++)
        sum += parts[b]; // expect-race[parts](inter-block)
      total[0] = sum;
    }
  }
}

__global__ void last_ok(const int *in, int *parts, int *ticket, int *total) { // expect-clean
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    bool is_last = atomicAdd(ticket, 1) == gridDim.x - 1;
    if (is_last) {
      __threadfence();
      int sum = 0;
      for (int b = 0; b < gridDim.x; b++)
        sum += parts[b];
      total[0] = sum;
    }
  }
}

int main(int argc, char **) {
  int *a, *b, *c, *count;
  float *x, *y;
  cudaMalloc((void **)&a, 2048 * sizeof(int));
  cudaMalloc((void **)&b, 2048 * sizeof(int));
  cudaMalloc((void **)&c, 2048 * sizeof(int));
  cudaMalloc((void **)&count, sizeof(int));
  cudaMalloc((void **)&x, 2048 * sizeof(float));
  cudaMalloc((void **)&y, 2048 * sizeof(float));
  cudaMemset(count, 0, sizeof(int));
  barrier<<<16, 128>>>(a, count, b);
  cudaMemset(count, 0, sizeof(int));
  barrier_ok<<<16, 128>>>(a, count, b);
  halo<<<16, 128>>>(x, 2048);
  halo_ok<<<16, 128>>>(x, y, 2048);
  cudaMemset(count, 0, sizeof(int));
  last<<<16, 128>>>(a, b, count, c);
  cudaMemset(count, 0, sizeof(int));
  last_ok<<<16, 128>>>(a, b, count, c);
  return 0;
}
