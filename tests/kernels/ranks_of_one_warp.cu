// Places from a ballot and from the totals of the warps before, in blocks where there may be none before: the loop over them
// is not gone round, and nothing is read in it. ok: who voted for it has a place of its own. bad: all take one, so
// who did not vote has that of the next that did. few: the same in a block of less than a warp, of two dimensions.
//@ verdict ranks_ok: race-free
//@ verdict ranks_bad: racy
//@ verdict few_ok: race-free
//@ verdict few_bad: racy
__device__ int rank_of(int *totals, int tid, unsigned votes) {
  int lane = tid & 31, warp = tid >> 5, place = 0;
  if (lane == 0) totals[warp] = __popc(votes);
  __syncthreads();
  for (int w = 0; w < warp; w++)
    place += totals[w];
  return place + __popc(votes & ((1u << lane) - 1));
}

__global__ void ranks_ok(int *out, const int *in) { // expect-clean
  __shared__ int totals[32];
  int tid = threadIdx.x;
  bool votes = in[blockIdx.x * 32 + tid] > 0;
  int place = rank_of(totals, tid, __ballot_sync(~0u, votes));
  if (votes) out[blockIdx.x * 32 + place] = tid;
}

__global__ void ranks_bad(int *out, const int *in) {
  __shared__ int totals[32];
  int tid = threadIdx.x;
  bool votes = in[blockIdx.x * 32 + tid] > 0;
  int place = rank_of(totals, tid, __ballot_sync(~0u, votes));
  out[blockIdx.x * 32 + place] = tid; // expect-race
}

__global__ void few_ok(int *out) { // expect-clean
  __shared__ int totals[32];
  int tid = threadIdx.y * blockDim.x + threadIdx.x;
  bool votes = tid == 1;
  int place = rank_of(totals, tid, __ballot_sync(0xffffffu, votes));
  if (votes) out[blockIdx.x * 32 + place] = tid;
}

__global__ void few_bad(int *out) {
  __shared__ int totals[32];
  int tid = threadIdx.y * blockDim.x + threadIdx.x;
  bool votes = tid == 1;
  int place = rank_of(totals, tid, __ballot_sync(0xffffffu, votes));
  out[blockIdx.x * 32 + place] = tid; // expect-race
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 100 * 32 * sizeof(int));
  cudaMalloc(&out, 100 * 32 * sizeof(int));
  ranks_ok<<<100, 32>>>(out, in);
  ranks_bad<<<100, 32>>>(out, in);
  few_ok<<<100, dim3(8, 3)>>>(out);
  few_bad<<<100, dim3(8, 3)>>>(out);
  return cudaDeviceSynchronize();
}
