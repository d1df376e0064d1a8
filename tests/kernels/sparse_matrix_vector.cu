// Compressed rows: a thread gathers for its own row (ok), or scatters into the columns, which rows have in common (bad; it
// needs equal column numbers in memory, so the race is a possible one).
//@ verdict gather_ok: race-free
//@ verdict scatter_bad: racy
__global__ void gather_ok(const int *start, const int *col, const float *val, const float *x, float *y,
                          int rows) { // expect-clean
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
      sum += val[k] * x[col[k]];
    y[row] = sum;
  }
}

__global__ void scatter_bad(const int *start, const int *col, const float *val, const float *x, float *y,
                            int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows)
    for (int k = start[row]; k < start[row + 1]; k++)
      y[col[k]] += val[k] * x[row]; // expect-race {{possible}}
}

int main(int argc, char **) {
  int rows = argc;
  int *start, *col;
  float *val, *x, *y;
  cudaMalloc((void **)&start, (rows + 1) * sizeof(int));
  cudaMalloc((void **)&col, 1 << 20);
  cudaMalloc((void **)&val, 1 << 20);
  cudaMalloc((void **)&x, rows * sizeof(float));
  cudaMalloc((void **)&y, rows * sizeof(float));
  gather_ok<<<(rows + 127) / 128, 128>>>(start, col, val, x, y, rows);
  scatter_bad<<<(rows + 127) / 128, 128>>>(start, col, val, x, y, rows);
  return 0;
}
