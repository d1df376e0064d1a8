// Each warp puts what its lanes keep behind what is in the queue: lane 0 draws as many places as the ballot has bits, a shuffle hands
// the start round, and a lane's place is its rank among the kept ones. Ranks of kept lanes differ and are below that number, ranges of
// warps do not overlap (ok). Drawn one place for each warp (one_bad): ranges of warps overlap, of one block or two; lanes still
// differ. The warp's number as the start (number_bad): the same.
//@ pairs: exact
//@ verdict append_ok: race-free
//@ verdict append_one_bad: racy
//@ verdict append_number_bad: racy

__global__ void append_ok(const int *in, int *out, int *count, int limit) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keep = in[i] > limit;
  unsigned kept = __ballot_sync(0xffffffffu, keep);
  int start = 0;
  if (lane == 0)
    start = atomicAdd(count, __popc(kept));
  start = __shfl_sync(0xffffffffu, start, 0);
  if (keep)
    out[start + __popc(kept & ((1u << lane) - 1))] = in[i];
}

__global__ void append_one_bad(const int *in, int *out, int *count, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keep = in[i] > limit;
  unsigned kept = __ballot_sync(0xffffffffu, keep);
  int start = 0;
  if (lane == 0)
    start = atomicAdd(count, 1);
  start = __shfl_sync(0xffffffffu, start, 0);
  if (keep)
    out[start + __popc(kept & ((1u << lane) - 1))] = in[i]; // expect-race[one](inter-block,intra-block)
}

__global__ void append_number_bad(const int *in, int *out, int *count, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keep = in[i] > limit;
  unsigned kept = __ballot_sync(0xffffffffu, keep);
  int start = 0;
  if (lane == 0)
    start = i / 32;
  start = __shfl_sync(0xffffffffu, start, 0);
  if (keep)
    out[start + __popc(kept & ((1u << lane) - 1))] = in[i]; // expect-race[number](inter-block,intra-block)
}

int main(int argc, char **) {
  int blocks = argc * 10;
  int *in, *out, *count;
  cudaMalloc((void **)&in, blocks * 256 * sizeof(int));
  cudaMalloc((void **)&out, blocks * 256 * sizeof(int));
  cudaMalloc((void **)&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  append_ok<<<blocks, 256>>>(in, out, count, argc);
  cudaMemset(count, 0, sizeof(int));
  append_one_bad<<<blocks, 256>>>(in, out, count, argc);
  append_number_bad<<<blocks, 256>>>(in, out, count, argc);
  return 0;
}
