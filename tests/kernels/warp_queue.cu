// Each warp appends the elements that its lanes keep to one list: a leader draws room for all of them with one addition and
// hands the start to the others, who take their places by rank. Room for as many as voted yes is enough (append_ok); room
// for one lets warps write over each other (short_bad). A leader that hands on what it did not draw, because another lane
// drew, gives every warp the start 0 (wrong_lane_bad).
//@ verdict append_ok: race-free
//@ verdict short_bad: racy
//@ verdict wrong_lane_bad: racy
__global__ void append_ok(const int *in, int *list, int *count) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keep = in[i] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  int start = 0;
  if (lane == 0)
    start = atomicAdd(count, __popc(kept));
  start = __shfl_sync(0xffffffff, start, 0);
  if (keep)
    list[start + __popc(kept & ((1u << lane) - 1))] = i;
}

__global__ void short_bad(const int *in, int *list, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keep = in[i] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  int start = 0;
  if (lane == 0)
    start = atomicAdd(count, 1);
  start = __shfl_sync(0xffffffff, start, 0);
  if (keep)
    list[start + __popc(kept & ((1u << lane) - 1))] = i; // expect-race
}

__global__ void wrong_lane_bad(const int *in, int *list, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keep = in[i] > 0;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  int start = 0;
  if (lane == 1)
    start = atomicAdd(count, __popc(kept));
  start = __shfl_sync(0xffffffff, start, 0);
  if (keep)
    list[start + __popc(kept & ((1u << lane) - 1))] = i; // expect-race
}

int main() {
  int *in, *list, *count;
  cudaMalloc((void **)&in, 8192 * sizeof(int));
  cudaMalloc((void **)&list, 8192 * sizeof(int));
  cudaMalloc((void **)&count, sizeof(int));
  append_ok<<<32, 256>>>(in, list, count);
  short_bad<<<32, 256>>>(in, list, count);
  wrong_lane_bad<<<32, 256>>>(in, list, count);
  return 0;
}
