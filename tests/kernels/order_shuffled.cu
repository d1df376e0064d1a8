// The last block, where the leader hands what it drew to its warp by a shuffle. A shuffle orders no memory: the other lanes know of the
// draw, and of all that it acquires, only behind a barrier of the warp; the leader itself has made it. Each kernel has a twin with one edit.
// Race-free: all blocks have stored and drawn before the number says "last"; the barrier of the warp, then the fence, order what the lanes read.

__device__ unsigned drawn_0, drawn_1, drawn_2, drawn_3, drawn_4, drawn_5, drawn_6, drawn_7, drawn_8, drawn_9;

//@ verdict shuffled_ok: race-free
//@ rule shuffled_ok: last-arrival
__global__ void shuffled_ok(const float *x, float *part, float *result) { // expect-clean
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned count;
    if (threadIdx.x == 0) count = atomicAdd(&drawn_0, 1u);
    count = __shfl_sync(0xffffffff, count, 0);
    __syncwarp();
    if (count == gridDim.x - 1) {
      __threadfence();
      float s = 0;
      for (unsigned i = threadIdx.x; i < gridDim.x; i += 32) s += part[i];
      for (int d = 16; d; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
      if (threadIdx.x == 0) *result = s;
    }
  }
}

// Nothing orders what the leader has acquired with what the other lanes read.
//@ verdict barrier_bad: racy
__global__ void barrier_bad(const float *x, float *part, float *result) {
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x]; // expect-race
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned count;
    if (threadIdx.x == 0) count = atomicAdd(&drawn_1, 1u);
    count = __shfl_sync(0xffffffff, count, 0);
    if (count == gridDim.x - 1) {
      __threadfence();
      float s = 0;
      for (unsigned i = threadIdx.x; i < gridDim.x; i += 32) s += part[i]; // expect-race
      for (int d = 16; d; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
      if (threadIdx.x == 0) *result = s;
    }
  }
}

// The leader alone reads, and sets the counter back: it has drawn itself.
//@ verdict leader_ok: race-free
__global__ void leader_ok(const float *x, float *part, float *result) { // expect-clean
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned count;
    if (threadIdx.x == 0) count = atomicAdd(&drawn_2, 1u);
    count = __shfl_sync(0xffffffff, count, 0);
    if (count == gridDim.x - 1 && threadIdx.x == 0) {
      __threadfence();
      float s = 0;
      for (unsigned i = 0; i < gridDim.x; i++) s += part[i];
      *result = s;
      drawn_2 = 0;
    }
  }
}

// The last but one as well: another block may not have stored yet.
//@ verdict early_bad: racy
__global__ void early_bad(const float *x, float *part, float *result) {
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x]; // expect-race
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned count;
    if (threadIdx.x == 0) count = atomicAdd(&drawn_3, 1u);
    count = __shfl_sync(0xffffffff, count, 0);
    __syncwarp();
    if (count >= gridDim.x - 2) {
      __threadfence();
      float s = 0;
      for (unsigned i = threadIdx.x; i < gridDim.x; i += 32) s += part[i]; // expect-race
      result[blockIdx.x * 32 + threadIdx.x] = s;
    }
  }
}

// Set back by the last one, while others may still read the number of their own: nobody draws any more.
//@ verdict reset_ok: race-free
__global__ void reset_ok(const float *x, float *part, float *result) { // expect-clean
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned count;
    if (threadIdx.x == 0) count = atomicAdd(&drawn_4, 1u);
    count = __shfl_sync(0xffffffff, count, 0);
    __syncwarp();
    if (count == gridDim.x - 1) {
      __threadfence();
      float s = 0;
      for (unsigned i = threadIdx.x; i < gridDim.x; i += 32) s += part[i];
      for (int d = 16; d; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
      if (threadIdx.x == 0) {
        *result = s;
        drawn_4 = 0;
      }
    }
  }
}

// Set back by everybody's leader: plain stores beside draws.
//@ verdict reset_bad: racy
__global__ void reset_bad(const float *x, float *part, float *result) {
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned count;
    if (threadIdx.x == 0) count = atomicAdd(&drawn_5, 1u); // expect-race
    count = __shfl_sync(0xffffffff, count, 0);
    __syncwarp();
    result[blockIdx.x * 32 + threadIdx.x] = count;
    if (threadIdx.x == 0) drawn_5 = 0; // expect-race, expect-same-value
  }
}

// What is handed on says whether it was the last number.
//@ verdict truth_ok: race-free
__global__ void truth_ok(const float *x, float *part, float *result) { // expect-clean
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    int is_last = 0;
    if (threadIdx.x == 0) is_last = atomicAdd(&drawn_6, 1u) == gridDim.x - 1;
    is_last = __shfl_sync(0xffffffff, is_last, 0);
    __syncwarp();
    if (is_last) {
      __threadfence();
      for (unsigned i = threadIdx.x; i < gridDim.x; i += 32) result[i] = part[i];
    }
  }
}

// The other branch.
//@ verdict truth_bad: racy
__global__ void truth_bad(const float *x, float *part, float *result) {
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x]; // expect-race
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    int is_last = 0;
    if (threadIdx.x == 0) is_last = atomicAdd(&drawn_7, 1u) == gridDim.x - 1;
    is_last = __shfl_sync(0xffffffff, is_last, 0);
    __syncwarp();
    if (!is_last) {
      __threadfence();
      for (unsigned i = threadIdx.x; i < gridDim.x; i += 32) result[blockIdx.x * gridDim.x + i] = part[i]; // expect-race
    }
  }
}

// The other warps hold the last number without having drawn it.
//@ verdict warps_bad: racy
//@ known-undecided warps_bad: which warps a shuffle is made by is only followed where it is one
__global__ void warps_bad(const float *x, float *part, float *result) {
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x]; // expect-race
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 128) {
    unsigned count = gridDim.x - 1;
    if (threadIdx.x == 0) count = atomicAdd(&drawn_8, 1u);
    count = __shfl_sync(0xffffffff, count, 0);
    __syncwarp();
    if (count == gridDim.x - 1) {
      __threadfence();
      result[blockIdx.x * 128 + threadIdx.x] = part[threadIdx.x]; // expect-race
    }
  }
}

// Another lane hands on a number that nobody has drawn.
//@ verdict lane_bad: racy
__global__ void lane_bad(const float *x, float *part, float *result) {
  if (threadIdx.x == 0) part[blockIdx.x] = x[blockIdx.x]; // expect-race
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned count = gridDim.x - 1;
    if (threadIdx.x == 0) count = atomicAdd(&drawn_9, 1u);
    count = __shfl_sync(0xffffffff, count, 1);
    __syncwarp();
    if (count == gridDim.x - 1) {
      __threadfence();
      result[blockIdx.x * 128 + threadIdx.x] = part[threadIdx.x]; // expect-race
    }
  }
}

int main() {
  float *x, *part, *result;
  cudaMalloc(&x, 4096);
  cudaMalloc(&part, 2048);
  cudaMalloc(&result, 512 * 512 * 4);
  shuffled_ok<<<512, 128>>>(x, part, result);
  barrier_bad<<<512, 128>>>(x, part, result);
  leader_ok<<<512, 128>>>(x, part, result);
  early_bad<<<512, 128>>>(x, part, result);
  reset_ok<<<512, 128>>>(x, part, result);
  reset_bad<<<512, 128>>>(x, part, result);
  truth_ok<<<512, 128>>>(x, part, result);
  truth_bad<<<512, 128>>>(x, part, result);
  warps_bad<<<512, 128>>>(x, part, result);
  lane_bad<<<512, 128>>>(x, part, result);
}
