// A shuffle gives what the source lane put in: there must be such a lane, and it must come to this shuffle. arms: two arms of a branch exchange with
// each other (bad: all read 0), or each within itself (ok). partial: the last warp of 48 threads has 16 lanes (bad), of 64 it has 32 (ok). left: lanes
// that have left give nothing (bad), nobody reads from them (ok). before: a shuffle that some lanes make before is the one that the others' first
// one meets (bad), there is none (ok).
//@ verdict arms_ok: race-free
//@ verdict arms_bad: racy
//@ verdict partial_ok: race-free
//@ verdict partial_bad: racy
//@ verdict left_ok: race-free
//@ verdict left_bad: racy
//@ verdict before_ok: race-free
//@ verdict before_bad: racy
__global__ void arms_ok(int *out) { // expect-clean
  unsigned lane = threadIdx.x;
  if (lane < 16)
    out[__shfl_xor_sync(0x0000ffff, lane, 8)] = lane;
  else
    out[32 + __shfl_xor_sync(0xffff0000, lane, 8)] = lane;
}
__global__ void arms_bad(int *out, int *sink) {
  unsigned lane = threadIdx.x;
  if (lane < 16)
    out[__shfl_xor_sync(0xffffffff, lane, 16)] = lane; // expect-race[arms]
  else
    sink[lane] = __shfl_xor_sync(0xffffffff, 0u, 16);
}

__device__ void partial(int *out) {
  unsigned next = __shfl_down_sync(0xffffffff, threadIdx.x, 8);
  if (threadIdx.x % 32 < 24) out[next] = threadIdx.x; // expect-race[partial]
}
__global__ void partial_ok(int *out) { partial(out); } // expect-clean
__global__ void partial_bad(int *out) { partial(out); }

__global__ void left_ok(int *out) { // expect-clean
  if (threadIdx.x >= 24) return;
  unsigned next = __shfl_down_sync(0xffffffff, threadIdx.x, 8);
  if (threadIdx.x < 16) out[next] = threadIdx.x;
}
__global__ void left_bad(int *out) {
  if (threadIdx.x >= 24) return;
  unsigned next = __shfl_down_sync(0xffffffff, threadIdx.x, 8);
  if (threadIdx.x < 24) out[next] = threadIdx.x; // expect-race[left]
}

__global__ void before_ok(int *out) { // expect-clean
  unsigned lane = threadIdx.x;
  if (lane < 16) out[__shfl_xor_sync(0x0000ffff, lane, 8)] = lane;
}
__global__ void before_bad(int *out, int *sink) {
  unsigned lane = threadIdx.x;
  if (lane < 8) sink[lane] = __shfl_xor_sync(0x0000ffff, 0, 8);
  if (lane < 16) out[__shfl_xor_sync(0x0000ffff, lane, 8)] = lane; // expect-race[before]
}

int main() {
  int *out, *sink;
  cudaMalloc(&out, 4096);
  cudaMalloc(&sink, 4096);
  arms_ok<<<1, 32>>>(out);
  arms_bad<<<1, 32>>>(out, sink);
  partial_ok<<<1, 64>>>(out);
  partial_bad<<<1, 48>>>(out);
  left_ok<<<1, 32>>>(out);
  left_bad<<<1, 32>>>(out);
  before_ok<<<1, 32>>>(out);
  before_bad<<<1, 32>>>(out, sink);
  cudaDeviceSynchronize();
}
