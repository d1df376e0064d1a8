// One array is filled from its two ends with numbers drawn from two counters: as many are drawn as there are elements, so the two
// lists do not meet. ends: each thread of a block draws once, from one of them; twin: the right end begins one element too soon.
// both: who is at the pivot draws from both (racy). back: both counters count up. plane: a block with two axes. placed: the ends are
// those of the block's part of the array; twin: the parts overlap. rounds: threads go round, with an index below the number of
// elements; twin: two threads have the same indices. grid: the counters are of all blocks, the index is below n; twins: it may be n
// (limit), each block has the same indices (block). tiles: counters are set anew in each round; twin: only the left one is (half).
// again: a second number is drawn from a counter that was set anew in between (racy).
// part: one list that stays in the part of the array for the block; twin: one index too many. warp: as many as a warp has lanes;
// twin: a lane draws twice. leaves: threads that leave the loop take the reset of the counter with them (racy); twin: tiles that stay.
//@ verdict ends_ok: race-free
//@ verdict ends_bad: racy
//@ verdict both_bad: racy
//@ verdict back_ok: race-free
//@ verdict plane_ok: race-free
//@ verdict placed_ok: race-free
//@ verdict placed_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict grid_ok: race-free
//@ verdict grid_limit_bad: racy
//@ verdict grid_block_bad: racy
//@ verdict tiles_ok: race-free
//@ verdict tiles_half_bad: racy
//@ verdict again_bad: racy
//@ verdict part_ok: race-free
//@ verdict part_bad: racy
//@ verdict warp_ok: race-free
//@ verdict warp_bad: racy
//@ verdict leaves_ok: race-free
//@ verdict leaves_bad: racy
template <int LEFT, int RIGHT> __device__ int place(int v, int pivot, int t) {
  __shared__ int left, right;
  if (t == 0) {
    left = LEFT;
    right = RIGHT;
  }
  __syncthreads();
  return v < pivot ? atomicAdd(&left, 1) : atomicSub(&right, 1);
}

__global__ void ends_ok(const int *in, int *out, int pivot) { // expect-clean
  int t = threadIdx.x, v = in[blockIdx.x * 256 + t];
  out[blockIdx.x * 256 + place<0, 255>(v, pivot, t)] = v;
}

__global__ void ends_bad(const int *in, int *out, int pivot) {
  int t = threadIdx.x, v = in[blockIdx.x * 256 + t];
  out[blockIdx.x * 256 + place<0, 254>(v, pivot, t)] = v; // expect-race
}

__global__ void both_bad(const int *in, int *out, int pivot) {
  __shared__ int left, right;
  int t = threadIdx.x, v = in[blockIdx.x * 256 + t];
  if (t == 0) {
    left = 0;
    right = 255;
  }
  __syncthreads();
  if (v <= pivot)
    out[blockIdx.x * 256 + atomicAdd(&left, 1)] = v; // expect-race[left]
  if (v >= pivot)
    out[blockIdx.x * 256 + atomicSub(&right, 1)] = v; // expect-race[left]
}

__global__ void back_ok(const int *in, int *out, int pivot) { // expect-clean
  __shared__ int left, right;
  int t = threadIdx.x, v = in[blockIdx.x * blockDim.x + t];
  if (t == 0)
    left = right = 0;
  __syncthreads();
  int at = v < pivot ? atomicAdd(&left, 1) : blockDim.x - 1 - atomicAdd(&right, 1);
  out[blockIdx.x * blockDim.x + at] = v;
}

__global__ void plane_ok(const int *in, int *out, int pivot) { // expect-clean
  int t = threadIdx.y * 16 + threadIdx.x, v = in[blockIdx.x * 256 + t];
  out[blockIdx.x * 256 + place<0, 255>(v, pivot, t)] = v;
}

template <int LENGTH> __device__ int place_in(int v, int pivot) {
  __shared__ int left, right;
  if (threadIdx.x == 0) {
    left = blockIdx.x * LENGTH;
    right = blockIdx.x * LENGTH + 255;
  }
  __syncthreads();
  return v < pivot ? atomicAdd(&left, 1) : atomicSub(&right, 1);
}

__global__ void placed_ok(const int *in, int *out, int pivot) { // expect-clean
  int v = in[blockIdx.x * 256 + threadIdx.x];
  out[place_in<256>(v, pivot)] = v;
}

__global__ void placed_bad(const int *in, int *out, int pivot) {
  int v = in[blockIdx.x * 256 + threadIdx.x];
  out[place_in<255>(v, pivot)] = v; // expect-race
}

template <int STEP> __device__ void rounds(const int *in, int *out, int pivot) {
  __shared__ int left, right;
  if (threadIdx.x == 0) {
    left = 0;
    right = 1023;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += STEP) {
    int v = in[blockIdx.x * 1024 + i], at = v < pivot ? atomicAdd(&left, 1) : atomicSub(&right, 1);
    out[blockIdx.x * 1024 + at] = v; // expect-race
  }
}
__global__ void rounds_ok(const int *in, int *out, int pivot) { rounds<256>(in, out, pivot); } // expect-clean
__global__ void rounds_bad(const int *in, int *out, int pivot) { rounds<128>(in, out, pivot); }

__global__ void grid_ok(const int *in, int *out, int *ends, int pivot, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = in[i] < pivot ? atomicAdd(&ends[0], 1) : n - 1 - atomicAdd(&ends[1], 1);
  out[at] = in[i];
}

__global__ void grid_limit_bad(const int *in, int *out, int *ends, int pivot, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n)
    return;
  int at = in[i] < pivot ? atomicAdd(&ends[0], 1) : n - 1 - atomicAdd(&ends[1], 1);
  out[at] = in[i]; // expect-race
}

__global__ void grid_block_bad(const int *in, int *out, int *ends, int pivot, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  int at = in[i] < pivot ? atomicAdd(&ends[0], 1) : n - 1 - atomicAdd(&ends[1], 1);
  out[at] = in[i]; // expect-race
}

template <bool BOTH> __device__ void tiles(const int *in, int *out, int pivot, int count) {
  __shared__ int left, right;
  if (!BOTH && threadIdx.x == 0)
    right = 255;
  for (int k = blockIdx.x; k < count; k += gridDim.x) {
    if (threadIdx.x == 0) {
      left = 0;
      if (BOTH)
        right = 255;
    }
    __syncthreads();
    int v = in[k * 256 + threadIdx.x], at = v < pivot ? atomicAdd(&left, 1) : atomicSub(&right, 1);
    out[k * 256 + at] = v; // expect-race
    __syncthreads();
  }
}
__global__ void tiles_ok(const int *in, int *out, int pivot, int n) { tiles<true>(in, out, pivot, n); } // expect-clean
__global__ void tiles_half_bad(const int *in, int *out, int pivot, int n) { tiles<false>(in, out, pivot, n); }

__global__ void again_bad(const int *in, int *out, int pivot) {
  __shared__ int left, right;
  int t = threadIdx.x, v = in[blockIdx.x * 256 + t];
  if (t == 0) {
    left = 0;
    right = 255;
  }
  __syncthreads();
  int at = v < pivot ? atomicAdd(&left, 1) : atomicSub(&right, 1);
  __syncthreads();
  if (t == 0)
    left = 100;
  __syncthreads();
  if (v == pivot)
    at = atomicAdd(&left, 1);
  out[blockIdx.x * 256 + at] = v; // expect-race
}

template <int LENGTH> __device__ void part(const int *in, int *out) {
  __shared__ int n;
  if (threadIdx.x == 0)
    n = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < LENGTH; i += blockDim.x)
    if (in[blockIdx.x * 1024 + i] > 0)
      out[blockIdx.x * 1024 + atomicAdd(&n, 1)] = i; // expect-race
}
__global__ void part_ok(const int *in, int *out) { part<1024>(in, out); } // expect-clean
__global__ void part_bad(const int *in, int *out) { part<1025>(in, out); }

template <int DRAWS> __device__ void warp(const int *in) {
  __shared__ int count[8], queue[8][32];
  int w = threadIdx.x / 32, v = in[blockIdx.x * 256 + threadIdx.x];
  if (threadIdx.x % 32 == 0)
    count[w] = 0;
  __syncwarp();
  if (v > 0)
    queue[w][atomicAdd(&count[w], 1)] = v; // expect-race[once] expect-race[more]
  if (DRAWS > 1 && v > 1)
    queue[w][atomicAdd(&count[w], 1)] = v; // expect-race[more] expect-race[twice]
}
__global__ void warp_ok(const int *in) { warp<1>(in); } // expect-clean
__global__ void warp_bad(const int *in) { warp<2>(in); }

template <bool LEAVES> __device__ void leaves(const int *in, int *out, int count) {
  __shared__ int n;
  for (int k = blockIdx.x; k < count; k += gridDim.x) {
    if (threadIdx.x == 0)
      n = 0;
    __syncthreads();
    int v = in[k * 256 + threadIdx.x];
    if (v > 0)
      out[k * 256 + atomicAdd(&n, 1)] = v; // expect-race
    if (LEAVES && v < -9)
      return;
    __syncthreads();
  }
}
__global__ void leaves_ok(const int *in, int *out, int count) { leaves<false>(in, out, count); } // expect-clean
__global__ void leaves_bad(const int *in, int *out, int count) { leaves<true>(in, out, count); }

int main(int argc, char **) {
  int n = argc * 1000, *in, *out, *ends;
  cudaMalloc(&in, 65537 * sizeof(int));
  cudaMalloc(&out, 65537 * sizeof(int));
  cudaMalloc(&ends, 2 * sizeof(int));
  ends_ok<<<64, 256>>>(in, out, 5);
  ends_bad<<<64, 256>>>(in, out, 5);
  both_bad<<<64, 256>>>(in, out, 5);
  back_ok<<<64, 256>>>(in, out, 5);
  plane_ok<<<64, dim3(16, 16)>>>(in, out, 5);
  placed_ok<<<64, 256>>>(in, out, 5);
  placed_bad<<<64, 256>>>(in, out, 5);
  rounds_ok<<<64, 256>>>(in, out, 5);
  rounds_bad<<<64, 256>>>(in, out, 5);
  cudaMemset(ends, 0, 2 * sizeof(int));
  grid_ok<<<(n + 255) / 256, 256>>>(in, out, ends, 5, n);
  cudaMemset(ends, 0, 2 * sizeof(int));
  grid_limit_bad<<<(n + 256) / 256, 256>>>(in, out, ends, 5, n);
  cudaMemset(ends, 0, 2 * sizeof(int));
  grid_block_bad<<<(n + 255) / 256, 256>>>(in, out, ends, 5, n);
  tiles_ok<<<64, 256>>>(in, out, 5, n);
  tiles_half_bad<<<64, 256>>>(in, out, 5, n);
  again_bad<<<64, 256>>>(in, out, 5);
  part_ok<<<64, 256>>>(in, out);
  part_bad<<<64, 256>>>(in, out);
  warp_ok<<<64, 256>>>(in);
  warp_bad<<<64, 256>>>(in);
  leaves_ok<<<64, 256>>>(in, out, n);
  leaves_bad<<<64, 256>>>(in, out, n);
  return 0;
}
