// The last arrival among the warps of the grid: the first lane of each draws, and hands its number to its warp by a shuffle. ok: the lanes of the
// warp that has drawn the last number read what all have stored, and its first lane sets the counter back. No fence before the draw (release, bad), or behind
// it (acquire, bad), or one of block scope (scope, bad); no barrier of the warp before the draw (early, bad), or behind the shuffle (late, bad); the last but
// one (less, bad); only the first warp of each block draws, the others hold the last number (own, bad); two lanes of each warp draw (each, bad); the number of another lane
// is handed on (lane, bad).
//@ verdict ok: race-free
//@ rule ok: count
//@ verdict release_bad: racy
//@ verdict acquire_bad: racy
//@ verdict scope_bad: racy
//@ verdict early_bad: racy
//@ verdict late_bad: racy
//@ verdict less_bad: racy
//@ verdict own_bad: racy
//@ verdict each_bad: racy
//@ verdict lane_bad: racy
enum { NOTHING, RELEASE, ACQUIRE, SCOPE, EARLY, LATE, LESS, OWN, EACH, LANE };

template <int wrong> __device__ void last(int *count, int *parts, int *out) {
  int lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int warps = (gridDim.x * blockDim.x) >> 5;
  parts[warp * 32 + lane] = lane * warp; // expect-race
  if (wrong == SCOPE) __threadfence_block();
  else if (wrong != RELEASE) __threadfence();
  if (wrong != EARLY) __syncwarp();
  int drawn = wrong == OWN || wrong == LANE ? warps - 1 : 0;
  bool draws = wrong == OWN ? threadIdx.x == 0 : wrong == EACH ? lane < 2 : lane == 0;
  if (draws) drawn = atomicAdd(count, 1); // expect-race[reset]
  drawn = __shfl_sync(0xffffffffu, drawn, wrong == LANE ? 1 : 0);
  if (wrong != LATE) __syncwarp();
  if (drawn != warps - (wrong == LESS ? 2 : 1)) return;
  if (wrong != ACQUIRE) __threadfence();
  int sum = 0;
  for (int i = 0; i < warps; i++)
    sum += parts[i * 32 + 31 - lane]; // expect-race
  out[lane] = sum; // expect-race[out]
  if (lane == 0) *count = 0; // expect-race[reset], expect-same-value
}
__global__ void ok(int *count, int *parts, int *out) { last<NOTHING>(count, parts, out); } // expect-clean
__global__ void release_bad(int *count, int *parts, int *out) { last<RELEASE>(count, parts, out); }
__global__ void acquire_bad(int *count, int *parts, int *out) { last<ACQUIRE>(count, parts, out); }
__global__ void scope_bad(int *count, int *parts, int *out) { last<SCOPE>(count, parts, out); }
__global__ void early_bad(int *count, int *parts, int *out) { last<EARLY>(count, parts, out); }
__global__ void late_bad(int *count, int *parts, int *out) { last<LATE>(count, parts, out); }
__global__ void less_bad(int *count, int *parts, int *out) { last<LESS>(count, parts, out); }
__global__ void own_bad(int *count, int *parts, int *out) { last<OWN>(count, parts, out); }
__global__ void each_bad(int *count, int *parts, int *out) { last<EACH>(count, parts, out); }
__global__ void lane_bad(int *count, int *parts, int *out) { last<LANE>(count, parts, out); }

int main() {
  int *count, *parts, *out;
  cudaMalloc(&count, sizeof *count);
  cudaMalloc(&parts, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  cudaMemset(count, 0, sizeof *count);
#define LAST(kernel)                \
  cudaMemset(count, 0, 4);          \
  kernel<<<16, 128>>>(count, parts, out);
  LAST(ok)
  LAST(release_bad)
  LAST(acquire_bad)
  LAST(scope_bad)
  LAST(early_bad)
  LAST(late_bad)
  LAST(less_bad)
  LAST(own_bad)
  LAST(each_bad)
  LAST(lane_bad)
}
