// Compressed rows, a warp for each row: lanes take every 32nd element, a tree of shuffles adds up, lane 0 writes (ok). All lanes write
// (bad): different values into one word, since only lane 0 has the whole sum; rows of other warps are other words.
// Two rows for each warp's number (share): lanes 0 of two warps write one row; they are in one block or, at its end, not: a block has four
// warps and so two rows to itself, so blocks never share.
//@ pairs: exact
//@ verdict row_ok: race-free
//@ verdict row_bad: racy
//@ verdict row_share_bad: racy

__global__ void row_ok(const int *start, const int *col, const float *val, const float *x, float *y, int rows) { // expect-clean
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32)
    sum += val[k] * x[col[k]];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0)
    y[row] = sum;
}

__global__ void row_bad(const int *start, const int *col, const float *val, const float *x, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32)
    sum += val[k] * x[col[k]];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  y[row] = sum; // expect-race[lanes](intra-warp)
}

__global__ void row_share_bad(const int *start, const int *col, const float *val, const float *x, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32)
    sum += val[k] * x[col[k]];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0)
    y[row] = sum; // expect-race[warps](intra-block)
}

int main(int argc, char **) {
  int rows = argc * 100;
  int *start, *col;
  float *val, *x, *y;
  cudaMalloc((void **)&start, (rows + 1) * sizeof(int));
  cudaMalloc((void **)&col, 1 << 20);
  cudaMalloc((void **)&val, 1 << 20);
  cudaMalloc((void **)&x, rows * sizeof(float));
  cudaMalloc((void **)&y, rows * sizeof(float));
  row_ok<<<(rows + 3) / 4, 128>>>(start, col, val, x, y, rows);
  row_bad<<<(rows + 3) / 4, 128>>>(start, col, val, x, y, rows);
  row_share_bad<<<(rows + 3) / 4, 128>>>(start, col, val, x, y, rows);
  return 0;
}
