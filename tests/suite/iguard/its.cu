// Races under independent thread scheduling, as iGUARD counts them (ITS): code that takes a warp for running in lock step. Each has
// a mended twin (_ok), with a __syncwarp() where it is needed; all races are between lanes of one warp.
// tail: the last steps of a sum, in global memory, 32 elements for each warp. shift: each lane takes the value of the lane before it and puts it in
// its own place. vote: lane 0 leaves a verdict for its warp, which the others read.
// In tail the second step reads what lane 1 writes in the first one [far]; what it writes itself, no other lane looks at.
//@ pairs: exact
//@ verdict tail: racy
//@ verdict tail_ok: race-free
//@ verdict shift: racy
//@ verdict shift_ok: race-free
//@ verdict vote: racy
//@ verdict vote_ok: race-free

__global__ void tail(int *data) {
  int lane = threadIdx.x % 32, *mine = data + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32;
  if (lane < 2)
    mine[lane] += mine[lane + 2]; // expect-race[far](intra-warp)
  if (lane < 1)
    mine[lane] += mine[lane + 1]; // expect-race[far](intra-warp)
}

__global__ void tail_ok(int *data) { // expect-clean
  int lane = threadIdx.x % 32, *mine = data + (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 32;
  if (lane < 2)
    mine[lane] += mine[lane + 2];
  __syncwarp();
  if (lane < 1)
    mine[lane] += mine[lane + 1];
}

__global__ void shift(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 > 0) {
    int before = data[i - 1]; // expect-race[rw](intra-warp)
    data[i] = before;         // expect-race[rw](intra-warp)
  }
}

__global__ void shift_ok(int *data) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, before = 0;
  if (threadIdx.x % 32 > 0)
    before = data[i - 1];
  __syncwarp();
  if (threadIdx.x % 32 > 0)
    data[i] = before;
}

__global__ void vote(const int *in, int *verdict, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0)
    verdict[i / 32] = in[i]; // expect-race[verdict](intra-warp)
  out[i] = verdict[i / 32];  // expect-race[verdict](intra-warp)
}

__global__ void vote_ok(const int *in, int *verdict, int *out) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0)
    verdict[i / 32] = in[i];
  __syncwarp();
  out[i] = verdict[i / 32];
}

int main() {
  int *a, *b, *c;
  cudaMalloc((void **)&a, 2048 * sizeof(int));
  cudaMalloc((void **)&b, 2048 * sizeof(int));
  cudaMalloc((void **)&c, 2048 * sizeof(int));
  tail<<<16, 128>>>(a);
  tail_ok<<<16, 128>>>(a);
  shift<<<16, 128>>>(a);
  shift_ok<<<16, 128>>>(a);
  vote<<<16, 128>>>(a, b, c);
  vote_ok<<<16, 128>>>(a, b, c);
  return 0;
}
