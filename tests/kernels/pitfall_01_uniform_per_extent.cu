// A loop counter is the same for all threads of a block after a block barrier, and has nothing to do with the counter of
// another block. carry_bad: block 0 in round 1 and block 1 in round 0 write out[1]. carry_ok: rows of gridDim.x elements.
// row_sums: the loop of each warp is uniform within the warp only; its warp barriers count nevertheless, and without the
// second one lane 0 still reads while the others write the next row.
//@ verdict carry_ok: race-free
//@ verdict carry_bad: racy
//@ verdict row_sums_ok: race-free
//@ verdict row_sums_bad: racy
__global__ void carry_ok(const float *g, float *out, int n) { // expect-clean
  __shared__ float s[256];
  for (int it = 0; it < n; it++) {
    s[threadIdx.x] = g[it * 256 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
      out[it * gridDim.x + blockIdx.x] = s[255];
    __syncthreads();
  }
}

__global__ void carry_bad(const float *g, float *out, int n) {
  __shared__ float s[256];
  for (int it = 0; it < n; it++) {
    s[threadIdx.x] = g[it * 256 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
      out[it + blockIdx.x] = s[255]; // expect-race {{-Winter-block-race}}
    __syncthreads();
  }
}

__global__ void row_sums_ok(const float *m, float *out, int rows, int cols) { // expect-clean
  __shared__ float part[8][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int row = blockIdx.x * 8 + warp; row < rows; row += gridDim.x * 8) {
    float sum = 0;
    for (int c = lane; c < cols; c += 32)
      sum += m[row * cols + c];
    part[warp][lane] = sum;
    __syncwarp();
    if (lane == 0) {
      for (int k = 1; k < 32; k++)
        sum += part[warp][k];
      out[row] = sum;
    }
    __syncwarp();
  }
}

__global__ void row_sums_bad(const float *m, float *out, int rows, int cols) {
  __shared__ float part[8][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int row = blockIdx.x * 8 + warp; row < rows; row += gridDim.x * 8) {
    float sum = 0;
    for (int c = lane; c < cols; c += 32)
      sum += m[row * cols + c];
    part[warp][lane] = sum; // expect-race {{-Wintra-warp-race}}
    __syncwarp();
    if (lane == 0) {
      for (int k = 1; k < 32; k++)
        sum += part[warp][k]; // expect-race {{-Wintra-warp-race}}
      out[row] = sum;
    }
  }
}

int main(int argc, char **) {
  int rows = argc, cols = argc + 1;
  float *d_in, *d_out;
  cudaMalloc((void **)&d_in, 1 << 20);
  cudaMalloc((void **)&d_out, 1 << 20);
  carry_ok<<<4, 256>>>(d_in, d_out, rows);
  carry_bad<<<4, 256>>>(d_in, d_out, rows);
  row_sums_ok<<<16, 256>>>(d_in, d_out, rows, cols);
  row_sums_bad<<<16, 256>>>(d_in, d_out, rows, cols);
  return 0;
}
