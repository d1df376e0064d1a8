// Races between warps of one block in global memory, as iGUARD counts them (BR). Each has a mended twin (_ok), one barrier more.
// scratch: each block uses a stretch of global memory as if it were shared, and reads its mirror image without a barrier: the partner
// 127 - t is in another warp. rounds: halving sums over such a stretch, with the barrier left out of the loop: a thread reads at
// t + half what another one writes, in the same round (t + half is not below half) or in the one before [sum]; with 128 elements
// partners are 64, 32 in other warps, 16 and less in the same warp. reuse: the stretch is filled anew for the next row while
// others still read it.
//@ pairs: exact
//@ verdict scratch: racy
//@ verdict scratch_ok: race-free
//@ verdict rounds: racy
//@ verdict rounds_ok: race-free
//@ verdict reuse: racy
//@ verdict reuse_ok: race-free

__global__ void scratch(const int *in, int *room, int *out) {
  int *mine = room + blockIdx.x * 128, t = threadIdx.x;
  mine[t] = in[blockIdx.x * 128 + t];          // expect-race[room](intra-block)
  out[blockIdx.x * 128 + t] = mine[127 - t]; // expect-race[room](intra-block)
}

__global__ void scratch_ok(const int *in, int *room, int *out) { // expect-clean
  int *mine = room + blockIdx.x * 128, t = threadIdx.x;
  mine[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  out[blockIdx.x * 128 + t] = mine[127 - t];
}

__global__ void rounds(int *room) {
  int *mine = room + blockIdx.x * 128, t = threadIdx.x;
  for (int half = 64; half > 0; half /= 2)
    if (t < half)
      mine[t] += mine[t + half]; // expect-race[sum](intra-block,intra-warp)
}

__global__ void rounds_ok(int *room) { // expect-clean
  int *mine = room + blockIdx.x * 128, t = threadIdx.x;
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      mine[t] += mine[t + half];
    __syncthreads();
  }
}

__global__ void reuse(const int *in, int *room, int *out, int rows) {
  int *mine = room + blockIdx.x * 128, t = threadIdx.x;
  for (int row = 0; row < rows; row++) {
    mine[t] = in[row * 128 + t]; // expect-race[room](intra-block)
    __syncthreads();
    out[(blockIdx.x * rows + row) * 128 + t] = mine[127 - t]; // expect-race[room](intra-block)
  }
}

__global__ void reuse_ok(const int *in, int *room, int *out, int rows) { // expect-clean
  int *mine = room + blockIdx.x * 128, t = threadIdx.x;
  for (int row = 0; row < rows; row++) {
    mine[t] = in[row * 128 + t];
    __syncthreads();
    out[(blockIdx.x * rows + row) * 128 + t] = mine[127 - t];
    __syncthreads();
  }
}

int main(int argc, char **) {
  int *a, *b, *c;
  cudaMalloc((void **)&a, 4096 * sizeof(int));
  cudaMalloc((void **)&b, 4096 * sizeof(int));
  cudaMalloc((void **)&c, 4096 * sizeof(int));
  scratch<<<16, 128>>>(a, b, c);
  scratch_ok<<<16, 128>>>(a, b, c);
  rounds<<<16, 128>>>(a);
  rounds_ok<<<16, 128>>>(a);
  reuse<<<16, 128>>>(a, b, c, argc);
  reuse_ok<<<16, 128>>>(a, b, c, argc);
  return 0;
}
