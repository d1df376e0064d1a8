// The first lane of each warp counts for all its lanes, behind a barrier of the warp; another warp, or block, waits until all are counted.
// Each kernel that is wrong differs from lanes_ok, or grid_ok, by one edit.
// lanes: each lane has a fence, the warp a barrier, and the first lane adds 32 (ok). after: the first lane has the fence, behind the barrier
// (ok). parted: no barrier of the warp (bad). unfenced: no fence (bad). half: a barrier of half of the lanes (bad). fewer: one warp less is
// waited for (bad). late: the other lanes store behind it (bad).
// grid: the warps of all blocks but the last one add 1 to a counter in global memory, for which the last block waits (ok); with fences of
// block scope (narrow, bad); no barrier of the warp (apart, bad).
//@ args: --arch=sm_80
//@ pairs: exact
//@ verdict lanes_ok: race-free
//@ rule lanes_ok: count
//@ verdict after_ok: race-free
//@ verdict parted_bad: racy
//@ verdict unfenced_bad: racy
//@ verdict half_bad: racy
//@ verdict fewer_bad: racy
//@ verdict late_bad: racy
//@ verdict grid_ok: race-free
//@ rule grid_ok: count
//@ verdict narrow_bad: racy
//@ verdict apart_bad: racy

__shared__ float values[256];
__shared__ unsigned arrived;

__device__ void begin() {
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
}

__device__ void gather(float *out, unsigned wanted) {
  while (atomicAdd(&arrived, 0) < wanted)
    ;
  __threadfence_block();
  float sum = 0;
  for (int i = 32 + threadIdx.x; i < 256; i += 32)
    sum += values[i]; // expect-race[value](intra-block)
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

__device__ void put(const float *in) {
  values[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x]; // expect-race[value](intra-block)
}

__device__ void count() {
  if (threadIdx.x % 32 == 0) atomicAdd(&arrived, 32);
}

__global__ void lanes_ok(const float *in, float *out) { // expect-clean
  begin();
  if (threadIdx.x >= 32) {
    put(in);
    __threadfence_block();
    __syncwarp();
    count();
  } else {
    gather(out, 224);
  }
}

__global__ void after_ok(const float *in, float *out) { // expect-clean
  begin();
  if (threadIdx.x >= 32) {
    put(in);
    __syncwarp();
    __threadfence_block();
    count();
  } else {
    gather(out, 224);
  }
}

__global__ void parted_bad(const float *in, float *out) {
  begin();
  if (threadIdx.x >= 32) {
    put(in);
    __threadfence_block();
    count();
  } else {
    gather(out, 224);
  }
}

__global__ void unfenced_bad(const float *in, float *out) {
  begin();
  if (threadIdx.x >= 32) {
    put(in);
    __syncwarp();
    count();
  } else {
    gather(out, 224);
  }
}

__global__ void half_bad(const float *in, float *out) {
  begin();
  if (threadIdx.x >= 32) {
    put(in);
    __threadfence_block();
    if (threadIdx.x % 32 < 16) __syncwarp(0xffff);
    count();
  } else {
    gather(out, 224);
  }
}

__global__ void fewer_bad(const float *in, float *out) {
  begin();
  if (threadIdx.x >= 32) {
    put(in);
    __threadfence_block();
    __syncwarp();
    count();
  } else {
    gather(out, 192);
  }
}

__global__ void late_bad(const float *in, float *out) {
  begin();
  if (threadIdx.x >= 32) {
    __threadfence_block();
    __syncwarp();
    count();
    put(in);
  } else {
    gather(out, 224);
  }
}

__device__ void fill(int *part) {
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race[part](inter-block)
}

__device__ void wait_for_all(const int *part, unsigned *done, int *out) {
  while (atomicAdd(done, 0) < (gridDim.x - 1) * 2)
    ;
  __threadfence();
  for (int i = threadIdx.x; i < (gridDim.x - 1) * 64; i += 64)
    out[i] = part[i]; // expect-race[part](inter-block)
}

__global__ void grid_ok(int *part, unsigned *done, int *out) { // expect-clean
  if (blockIdx.x < gridDim.x - 1) {
    fill(part);
    __threadfence();
    __syncwarp();
    if (threadIdx.x % 32 == 0) atomicAdd(done, 1);
  } else {
    wait_for_all(part, done, out);
  }
}

__global__ void narrow_bad(int *part, unsigned *done, int *out) {
  if (blockIdx.x < gridDim.x - 1) {
    fill(part);
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x % 32 == 0) atomicAdd(done, 1);
  } else {
    wait_for_all(part, done, out);
  }
}

__global__ void apart_bad(int *part, unsigned *done, int *out) {
  if (blockIdx.x < gridDim.x - 1) {
    fill(part);
    __threadfence();
    if (threadIdx.x % 32 == 0) atomicAdd(done, 1);
  } else {
    wait_for_all(part, done, out);
  }
}

int main() {
  float *in, *out;
  int *part, *all;
  unsigned *done;
  cudaMalloc(&in, 1024 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  cudaMalloc(&part, 1024 * sizeof(int));
  cudaMalloc(&all, 1024 * sizeof(int));
  cudaMalloc(&done, sizeof(unsigned));
  lanes_ok<<<2, 256>>>(in, out);
  after_ok<<<2, 256>>>(in, out);
  parted_bad<<<2, 256>>>(in, out);
  unfenced_bad<<<2, 256>>>(in, out);
  half_bad<<<2, 256>>>(in, out);
  fewer_bad<<<2, 256>>>(in, out);
  late_bad<<<2, 256>>>(in, out);
  cudaMemset(done, 0, sizeof(unsigned));
  grid_ok<<<4, 64>>>(part, done, all);
  cudaMemset(done, 0, sizeof(unsigned));
  narrow_bad<<<4, 64>>>(part, done, all);
  cudaMemset(done, 0, sizeof(unsigned));
  apart_bad<<<4, 64>>>(part, done, all);
}
