// Blocks that share a tile draw ranks from its counter; whoever draws the last one sums up what all have left. The leader leaves the rank
// itself in shared memory, and each thread compares it.
// rank: of the last one (ok), of the one before (bad), of anyone but the last one (others).
// tile: a counter for each tile, along z (ok); the counter of another tile (bad); number of blocks along x instead (fewer).
// reset: the last one sets the counter back behind its work (ok); all do (bad); plainly, before it has looked at what the others left (early_ok).
// stored: every thread leaves a rank of its own (bad). cleared: rank 0 is left there on another way, and is what is looked for (bad).
// own: compared with the thread's own number (bad).
// twice: each block draws twice (bad). barrier: no barrier before the draw (bad); fence: no fence before it (bad).
//@ verdict rank_ok: race-free
//@ verdict rank_bad: racy
//@ verdict rank_others: racy
//@ verdict tile_ok: race-free
//@ verdict tile_bad: racy
//@ verdict tile_fewer: racy
//@ known-undecided tile_bad: nobody says who shares a counter when it is another tile's, and a run would need blocks along three axes
//@ verdict reset_ok: race-free
//@ verdict reset_bad: racy
//@ verdict reset_early_ok: race-free
//@ verdict stored_bad: racy
//@ verdict cleared_bad: racy
//@ verdict own_bad: racy
//@ verdict twice_bad: racy
//@ verdict barrier_bad: racy
//@ verdict fence_bad: racy

__device__ int draw(int *count, int *rank) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    *rank = atomicAdd(count, 1);
  __syncthreads();
  return *rank;
}

__device__ int sum(const int *part, int first, int many) {
  int s = 0;
  __threadfence();
  for (int i = 0; i < many; i++)
    s += part[(first + i) * blockDim.x + threadIdx.x];
  return s;
}

__global__ void rank_ok(int *count, int *part, int *out) { // expect-clean
  __shared__ int rank;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  if (draw(count, &rank) != gridDim.x - 1)
    return;
  out[threadIdx.x] = sum(part, 0, gridDim.x);
}

__global__ void rank_bad(int *count, int *part, int *out) {
  __shared__ int rank;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
  if (draw(count, &rank) != gridDim.x - 2)
    return;
  int s = 0;
  __threadfence();
  for (int i = 0; i < gridDim.x; i++)
    s += part[i * blockDim.x + threadIdx.x]; // expect-race[data]
  out[threadIdx.x] = s;
}

__global__ void rank_others(int *count, int *part, int *out) {
  __shared__ int rank;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
  if (draw(count, &rank) == gridDim.x - 1)
    return;
  int s = 0;
  __threadfence();
  for (int i = 0; i < gridDim.x; i++)
    s += part[i * blockDim.x + threadIdx.x]; // expect-race[data]
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void tile_ok(int *count, int *part, int *out) { // expect-clean
  __shared__ int rank;
  int tile = blockIdx.y * gridDim.x + blockIdx.x;
  part[(tile * gridDim.z + blockIdx.z) * blockDim.x + threadIdx.x] = threadIdx.x;
  if (draw(&count[tile], &rank) != gridDim.z - 1)
    return;
  out[tile * blockDim.x + threadIdx.x] = sum(part, tile * gridDim.z, gridDim.z);
}

__global__ void tile_bad(int *count, int *part, int *out) {
  __shared__ int rank;
  int tile = blockIdx.y * gridDim.x + blockIdx.x;
  part[(tile * gridDim.z + blockIdx.z) * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
  if (draw(&count[blockIdx.x], &rank) != gridDim.z - 1)
    return;
  __threadfence();
  int s = 0;
  for (int i = 0; i < gridDim.z; i++)
    s += part[(tile * gridDim.z + i) * blockDim.x + threadIdx.x]; // expect-race[data]
  out[tile * blockDim.x + threadIdx.x] = s;
}

__global__ void tile_fewer(int *count, int *part, int *out) {
  __shared__ int rank;
  int tile = blockIdx.y * gridDim.x + blockIdx.x;
  part[(tile * gridDim.z + blockIdx.z) * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
  if (draw(&count[tile], &rank) != gridDim.x - 1)
    return;
  __threadfence();
  int s = 0;
  for (int i = 0; i < gridDim.z; i++)
    s += part[(tile * gridDim.z + i) * blockDim.x + threadIdx.x]; // expect-race[data]
  out[tile * blockDim.x + threadIdx.x] = s;
}

__global__ void reset_ok(int *count, int *part, int *out) { // expect-clean
  __shared__ int rank;
  part[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = threadIdx.x;
  if (draw(&count[blockIdx.y], &rank) != gridDim.x - 1)
    return;
  out[blockIdx.y * blockDim.x + threadIdx.x] = sum(part, blockIdx.y * gridDim.x, gridDim.x);
  if (threadIdx.x == 0)
    count[blockIdx.y] = 0;
}

__global__ void reset_bad(int *count, int *part, int *out) {
  __shared__ int rank;
  part[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    rank = atomicAdd(&count[blockIdx.y], 1); // expect-race[count] {{inter-block-race]}}
  __syncthreads();
  if (rank == gridDim.x - 1)
    out[blockIdx.y * blockDim.x + threadIdx.x] = sum(part, blockIdx.y * gridDim.x, gridDim.x);
  if (threadIdx.x == 0)
    count[blockIdx.y] = 0; // expect-race[count] expect-same-value[same]
}

__global__ void reset_early_ok(int *count, int *part, int *out) { // expect-clean
  __shared__ int rank;
  part[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = threadIdx.x;
  if (draw(&count[blockIdx.y], &rank) != gridDim.x - 1)
    return;
  if (threadIdx.x == 0)
    count[blockIdx.y] = 0;
  out[blockIdx.y * blockDim.x + threadIdx.x] = sum(part, blockIdx.y * gridDim.x, gridDim.x);
}

__global__ void stored_bad(int *count, int *part, int *out) {
  __shared__ int rank;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
  __threadfence();
  __syncthreads();
  rank = atomicAdd(count, 1); // expect-race[rank] {{race]}}
  __syncthreads();
  if (rank != gridDim.x - 1)
    return;
  __threadfence();
  int s = 0;
  for (int i = 0; i < gridDim.x; i++)
    s += part[i * blockDim.x + threadIdx.x]; // expect-race[data]
  out[threadIdx.x] = s;
}

__global__ void cleared_bad(int *count, int *part, int *out, int begin) {
  __shared__ int rank;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    rank = begin > 0 ? 0 : atomicAdd(count, 1);
  __syncthreads();
  if (rank != 0)
    return;
  __threadfence();
  int s = 0;
  for (int i = 0; i < gridDim.x; i++)
    s += part[i * blockDim.x + threadIdx.x]; // expect-race[data]
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void own_bad(int *count, int *part, int *out) {
  __shared__ int rank;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
  if (draw(count, &rank) != threadIdx.x)
    return;
  __threadfence();
  int s = 0;
  for (int i = 0; i < gridDim.x; i++)
    s += part[i * blockDim.x + threadIdx.x]; // expect-race[data]
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void twice_bad(int *count, int *part, int *out) {
  __shared__ int rank;
  part[2 * blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
  draw(count, &rank);
  part[(2 * blockIdx.x + 1) * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data]
  if (draw(count, &rank) != gridDim.x - 1)
    return;
  __threadfence();
  int s = 0;
  for (int i = 0; i < 2 * gridDim.x; i++)
    s += part[i * blockDim.x + threadIdx.x]; // expect-race[data]
  out[threadIdx.x] = s;
}

__global__ void barrier_bad(int *count, int *part, int *out) {
  __shared__ int rank;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{cause=missing-barrier}}
  __threadfence();
  if (threadIdx.x == 0)
    rank = atomicAdd(count, 1);
  __syncthreads();
  if (rank != gridDim.x - 1)
    return;
  __threadfence();
  int s = 0;
  for (int i = 0; i < gridDim.x; i++)
    s += part[i * blockDim.x + threadIdx.x]; // expect-race[data]
  out[threadIdx.x] = s;
}

__global__ void fence_bad(int *count, int *part, int *out) {
  __shared__ int rank;
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[data] {{cause=missing-fence}}
  __syncthreads();
  if (threadIdx.x == 0)
    rank = atomicAdd(count, 1);
  __syncthreads();
  if (rank != gridDim.x - 1)
    return;
  __threadfence();
  int s = 0;
  for (int i = 0; i < gridDim.x; i++)
    s += part[i * blockDim.x + threadIdx.x]; // expect-race[data]
  out[threadIdx.x] = s;
}
