// Transposition by tiles of 32 x 32 in shared memory (one column more against bank conflicts), four rows for each thread.
// barrier: left out, a thread reads what another thread has yet to write, in a warp of its own (a row of threads) or not.
// index: the block coordinates are not exchanged on the way out, so rows of `width` elements are written where rows have
// `height`; they overlap where width > height.
//@ verdict transpose_ok: race-free
//@ verdict barrier_bad: racy
//@ verdict index_bad: racy
__global__ void transpose_ok(const float *in, float *out, int width, int height) { // expect-clean
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void barrier_bad(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x]; // expect-race
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
      // expect-race@-1 {{-Wintra-block-race}} expect-race@-1 {{-Wintra-warp-race}}
}

__global__ void index_bad(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j]; // expect-race
}

int main(int argc, char **argv) {
  int width = argc, height = argv[0][0];
  float *in, *out;
  cudaMalloc((void **)&in, width * height * sizeof(float));
  cudaMalloc((void **)&out, width * height * sizeof(float));
  dim3 grid((width + 31) / 32, (height + 31) / 32), block(32, 8);
  transpose_ok<<<grid, block>>>(in, out, width, height);
  barrier_bad<<<grid, block>>>(in, out, width, height);
  index_bad<<<grid, block>>>(in, out, width, height);
  return 0;
}
