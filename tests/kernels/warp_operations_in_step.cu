// A vote, a shuffle, a barrier of the warp waits for the next one of its kind of each lane that its mask names, wherever in the text that one
// stands. In *_bad odd lanes make one more before and even lanes one more behind, so that what all lanes come to joins different ones; in *_ok the
// one before is of another kind, another mask, or made by all. whole: a butterfly in which all lanes are there (ok), or some have left (bad).
//@ verdict ballot_ok: race-free
//@ verdict ballot_bad: racy
//@ verdict after_loop_ok: race-free
//@ verdict after_loop_bad: racy
//@ verdict sum_ok: race-free
//@ verdict sum_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict barrier_ok: race-free
//@ verdict barrier_bad: racy
//@ verdict whole_ok: race-free
//@ verdict whole_bad: racy
#define ALL 0xffffffff

__global__ void ballot_ok(int *out) { // expect-clean
  int lane = threadIdx.x;
  if (lane & 1) __any_sync(ALL, 0);
  unsigned yes = __ballot_sync(ALL, 1);
  if (lane == __ffs(yes) - 1) out[0] = lane;
  if (!(lane & 1)) __any_sync(ALL, 0);
}
__global__ void ballot_bad(int *out) {
  int lane = threadIdx.x;
  if (lane & 1) __ballot_sync(ALL, 0);
  unsigned yes = __ballot_sync(ALL, 1);
  if (lane == __ffs(yes) - 1) out[0] = lane; // expect-race[ballot]
  if (!(lane & 1)) __ballot_sync(ALL, 0);
}

__global__ void after_loop_ok(int *out) { // expect-clean
  int lane = threadIdx.x;
  for (int i = 0; i < 4; i++)
    __ballot_sync(ALL, i == lane);
  unsigned yes = __ballot_sync(ALL, 1);
  out[__popc(yes & ((1u << lane) - 1))] = lane;
}
__global__ void after_loop_bad(int *out) {
  int lane = threadIdx.x;
  for (int i = 0; i < lane; i++)
    __ballot_sync(ALL, i == lane);
  unsigned yes = __ballot_sync(ALL, 1);
  out[__popc(yes & ((1u << lane) - 1))] = lane; // expect-race[after_loop]
}

__global__ void sum_ok(int *out, const int *in) { // expect-clean
  int lane = threadIdx.x;
  if (lane & 1) __reduce_max_sync(ALL, in[lane] & 7);
  int sum = __reduce_add_sync(ALL, in[lane] & 7);
  out[sum + lane] = lane;
  if (!(lane & 1)) __reduce_max_sync(ALL, 3);
}
__global__ void sum_bad(int *out, const int *in) {
  int lane = threadIdx.x;
  if (lane & 1) __reduce_add_sync(ALL, in[lane] & 7);
  int sum = __reduce_add_sync(ALL, in[lane] & 7);
  out[sum + lane] = lane; // expect-race[sum]
  if (!(lane & 1)) __reduce_add_sync(ALL, 3);
}

__global__ void given_ok(int *out) { // expect-clean
  unsigned lane = threadIdx.x;
  if (lane & 1) __shfl_xor_sync(0xaaaaaaaa, 7u, 2);
  out[__shfl_xor_sync(ALL, lane, 1)] = lane;
}
__global__ void given_bad(int *out) {
  unsigned lane = threadIdx.x;
  if (lane & 1) __shfl_xor_sync(ALL, 7u, 1);
  out[__shfl_xor_sync(ALL, lane, 1)] = lane; // expect-race[given]
  if (!(lane & 1)) __shfl_xor_sync(ALL, 7u, 1);
}

__global__ void barrier_ok(int *out) { // expect-clean
  __shared__ int kept[32];
  int lane = threadIdx.x;
  if (lane & 1) __syncwarp(0xaaaaaaaa);
  kept[lane] = lane;
  __syncwarp();
  out[lane] = kept[lane ^ 1];
}
__global__ void barrier_bad(int *out) {
  __shared__ int kept[32];
  int lane = threadIdx.x;
  if (lane & 1) __syncwarp();
  kept[lane] = lane; // expect-race[barrier]
  __syncwarp();
  out[lane] = kept[lane ^ 1]; // expect-race[barrier]
  if (!(lane & 1)) __syncwarp();
}

__device__ void whole(int *out, const int *in) {
  int lane = threadIdx.x, sum = in[lane] & 7;
  for (int d = 16; d > 0; d >>= 1)
    sum += __shfl_xor_sync(ALL, sum, d);
  out[sum + lane] = lane; // expect-race[whole]
}
__global__ void whole_ok(int *out, const int *in) { whole(out, in); } // expect-clean
__global__ void whole_bad(int *out, const int *in) {
  if (threadIdx.x >= 19) return;
  whole(out, in);
}

void fill(int *in);
int main() {
  int *out, *in;
  cudaMalloc(&out, 4096);
  cudaMalloc(&in, 4096);
  fill(in);
  ballot_ok<<<1, 32>>>(out);
  ballot_bad<<<1, 32>>>(out);
  after_loop_ok<<<1, 32>>>(out);
  after_loop_bad<<<1, 32>>>(out);
  sum_ok<<<1, 32>>>(out, in);
  sum_bad<<<1, 32>>>(out, in);
  given_ok<<<1, 32>>>(out);
  given_bad<<<1, 32>>>(out);
  barrier_ok<<<1, 32>>>(out);
  barrier_bad<<<1, 32>>>(out);
  whole_ok<<<1, 32>>>(out, in);
  whole_bad<<<1, 32>>>(out, in);
  cudaDeviceSynchronize();
}
