// One row for each thread (ok); one row for each block, whose threads all add to the one result (bad).
//@ verdict times_ok: race-free
//@ verdict times_bad: racy
__global__ void times_ok(const float *m, const float *x, float *y, int rows, int cols) { // expect-clean
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    y[row] = 0;
    for (int c = 0; c < cols; c++)
      y[row] += m[row * cols + c] * x[c];
  }
}

__global__ void times_bad(const float *m, const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x;
  if (row < rows) {
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
      y[row] += m[row * cols + c] * x[c]; // expect-race {{-Wintra-block-race}} expect-race {{-Wintra-warp-race}}
  }
}

int main(int argc, char **argv) {
  int rows = argc, cols = argv[0][0];
  float *m, *x, *y;
  cudaMalloc((void **)&m, rows * cols * sizeof(float));
  cudaMalloc((void **)&x, cols * sizeof(float));
  cudaMalloc((void **)&y, rows * sizeof(float));
  times_ok<<<(rows + 127) / 128, 128>>>(m, x, y, rows, cols);
  times_bad<<<rows, 128>>>(m, x, y, rows, cols);
  return 0;
}
