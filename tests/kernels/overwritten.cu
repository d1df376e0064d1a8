// A place that is read from shared memory, which was cleared before and then stored: only the later store counts.
// own: each thread reads its own number (ok); threads of the upper half have stored none (bad). exchange: the neighbour's (ok), who may have
// left early (bad). cleared: it is cleared again behind the store (bad: by one thread; ok: behind the load). rounds: the same in each round of a
// loop, and cleared at its end (ok); stored in every second round only (bad). tile: in two dimensions, transposed through a padded tile (ok), of
// which the last row is not stored (bad). beside: without a barrier between clearing and storing (bad), by the thread's own element (ok).
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict exchange_ok: race-free
//@ verdict exchange_bad: racy
//@ verdict cleared_ok: race-free
//@ verdict cleared_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict tile_ok: race-free
//@ verdict tile_bad: racy
//@ verdict beside_ok: race-free
//@ verdict beside_bad: racy
//@ verdict first_left_bad: racy
//@ verdict first_left_ok: race-free
__device__ void clear(int *s, int length) {
  for (int k = threadIdx.x; k < length; k += blockDim.x)
    s[k] = 0;
  __syncthreads();
}

__global__ void own_ok(int *out) { // expect-clean
  __shared__ int s[256];
  clear(s, 256);
  s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  out[s[threadIdx.x]] = threadIdx.x;
}

// Nobody has overwritten the first element: the thread that would have is the one before the first.
template <int further> __device__ void behind_the_first(int *out) {
  __shared__ int s[257];
  clear(s, 257);
  s[threadIdx.x + 1] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  out[s[threadIdx.x + further]] = threadIdx.x; // expect-race
}
__global__ void first_left_bad(int *out) { behind_the_first<0>(out); }
__global__ void first_left_ok(int *out) { behind_the_first<1>(out); } // expect-clean

__global__ void own_bad(int *out) {
  __shared__ int s[256];
  clear(s, 256);
  if (threadIdx.x < 32) s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  out[s[threadIdx.x]] = threadIdx.x; // expect-race[o](every)
}

__global__ void exchange_ok(int *out, int n) { // expect-clean
  __shared__ int s[256];
  clear(s, 256);
  s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  if (threadIdx.x < n) out[s[threadIdx.x ^ 1]] = threadIdx.x;
}

__global__ void exchange_bad(int *out, int n) {
  __shared__ int s[256];
  clear(s, 256);
  if (threadIdx.x >= n) return;
  s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads(); // expect-note {{sm_70 and later}}
  out[s[threadIdx.x ^ 1]] = threadIdx.x; // expect-race[e](every)
}

__global__ void cleared_ok(int *out) { // expect-clean
  __shared__ int s[256];
  clear(s, 256);
  s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  out[s[63 - threadIdx.x]] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) s[5] = 0;
}

__global__ void cleared_bad(int *out) {
  __shared__ int s[256];
  clear(s, 256);
  s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) s[5] = 0;
  __syncthreads();
  out[s[63 - threadIdx.x]] = threadIdx.x; // expect-race[c](inter-block,intra-warp)
}

__global__ void rounds_ok(int *out, int n) { // expect-clean
  __shared__ int s[256];
  clear(s, 256);
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    out[s[threadIdx.x ^ 1]] = threadIdx.x;
    __syncthreads();
    s[threadIdx.x] = 0;
    __syncthreads();
  }
}

__global__ void rounds_bad(int *out, int n) {
  __shared__ int s[256];
  clear(s, 256);
  for (int i = 0; i < n; i++) {
    if (i % 2 == 0) s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
    __syncthreads();
    out[s[threadIdx.x ^ 1]] = threadIdx.x; // expect-race[r](every)
    __syncthreads();
    s[threadIdx.x] = 0;
    __syncthreads();
  }
}

__device__ void clear_tile(int (*t)[17]) {
  for (int k = threadIdx.y; k < 16; k += blockDim.y)
    t[k][threadIdx.x] = -1;
  __syncthreads();
}

__global__ void tile_ok(int *out) { // expect-clean
  __shared__ int t[16][17];
  clear_tile(t);
  t[threadIdx.y][threadIdx.x] = (blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x;
  __syncthreads();
  int place = t[threadIdx.x][threadIdx.y];
  if (place >= 0) out[place] = 1;
}

__global__ void tile_bad(int *out) {
  __shared__ int t[16][17];
  clear_tile(t);
  if (threadIdx.y < 15) t[threadIdx.y][threadIdx.x] = (blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x;
  __syncthreads();
  int place = t[threadIdx.x][threadIdx.y];
  if (place >= -1) out[place + 1] = threadIdx.y; // expect-race[t](every)
}

__global__ void beside_ok(int *out) { // expect-clean
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  out[s[threadIdx.x]] = threadIdx.x;
}

__global__ void beside_bad(int *out) {
  __shared__ int s[64];
  s[63 - threadIdx.x] = 0; // expect-race[b](intra-block)
  s[threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x; // expect-race[b](intra-block)
  __syncthreads();
  out[s[threadIdx.x]] = threadIdx.x; // expect-race[d](every)
}

int main(int argc, char **) {
  int *out;
  cudaMalloc((void **)&out, 1 << 20);
  own_ok<<<4, 64>>>(out);
  own_bad<<<4, 64>>>(out);
  exchange_ok<<<4, 64>>>(out, argc);
  exchange_bad<<<4, 64>>>(out, argc);
  cleared_ok<<<4, 64>>>(out);
  cleared_bad<<<4, 64>>>(out);
  rounds_ok<<<4, 64>>>(out, argc);
  rounds_bad<<<4, 64>>>(out, argc);
  tile_ok<<<4, dim3(16, 16)>>>(out);
  tile_bad<<<4, dim3(16, 16)>>>(out);
  beside_ok<<<4, 64>>>(out);
  beside_bad<<<4, 64>>>(out);
}
