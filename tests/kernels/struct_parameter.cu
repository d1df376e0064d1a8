// A matrix travels as one structure. Its rows do not overlap if the stride is at least the number of columns, as the host
// asserts (ok) or does not say (bad).
//@ verdict clear_ok: race-free
//@ verdict clear_bad: racy
#include <cassert>

struct Matrix {
  float *data;
  int rows, cols, stride;
};

__global__ void clear_ok(Matrix m, float v) { // expect-clean
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m.rows && col < m.cols)
    m.data[row * m.stride + col] = v + col;
}

__global__ void clear_bad(Matrix m, float v) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m.rows && col < m.cols)
    m.data[row * m.stride + col] = v + col; // expect-race
}

int main(int argc, char **argv) {
  Matrix m;
  m.rows = argc;
  m.cols = argv[0][0];
  m.stride = argv[0][1];
  cudaMalloc((void **)&m.data, 1 << 20);
  dim3 block(16, 16), grid((m.cols + 15) / 16, (m.rows + 15) / 16);
  clear_bad<<<grid, block>>>(m, 0.0f);
  assert(m.stride >= m.cols);
  clear_ok<<<grid, block>>>(m, 0.0f);
  return 0;
}
