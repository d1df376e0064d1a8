// Facts belong to one chain of calls and to one moment. The kernel mirrors a matrix, which is right for square ones only
// (with more rows than columns a row runs into the next).
// chain: launched for squares only (ok); the same helper is also called for any rectangle, to which the assert of the
// other caller says nothing (bad).
// moment: the assert speaks of the shape before `resize` (bad), or after it (ok).
//@ verdict chain_ok: race-free
//@ verdict chain_bad: racy
//@ verdict moment_ok: race-free
//@ verdict moment_bad: racy
#include <cassert>

__global__ void chain_ok(float *a, int rows, int cols) { // expect-clean
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * cols + row] = a[row * cols + col];
}

__global__ void chain_bad(float *a, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * cols + row] = a[row * cols + col]; // expect-race
}

__global__ void moment_ok(float *a, int rows, int cols) { // expect-clean
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * cols + row] = a[row * cols + col];
}

__global__ void moment_bad(float *a, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < row)
    a[col * cols + row] = a[row * cols + col]; // expect-race
}

struct Matrix {
  float *data;
  int rows, cols;
  void resize(int r, int c) { rows = r, cols = c; }
};

static dim3 grid_for(int rows, int cols) { return dim3((cols + 15) / 16, (rows + 15) / 16); }

void run_ok(float *a, int r, int c) { chain_ok<<<grid_for(r, c), dim3(16, 16)>>>(a, r, c); }
void run_bad(float *a, int r, int c) { chain_bad<<<grid_for(r, c), dim3(16, 16)>>>(a, r, c); }

void square_ok(float *a, int r, int c) {
  assert(r == c);
  run_ok(a, r, c);
}

void square_bad(float *a, int r, int c) {
  assert(r == c);
  run_bad(a, r, c);
}

void rectangle_bad(float *a, int r, int c) { run_bad(a, r, c); }

int main(int argc, char **argv) {
  int r = argc, c = argv[0][0];
  float *a;
  cudaMalloc((void **)&a, 1 << 20);
  rectangle_bad(a, r, c);
  Matrix m = {a, r, r};
  assert(m.rows == m.cols);
  m.resize(r, c);
  moment_bad<<<grid_for(m.rows, m.cols), dim3(16, 16)>>>(m.data, m.rows, m.cols);
  m.resize(c, r);
  assert(m.rows == m.cols);
  moment_ok<<<grid_for(m.rows, m.cols), dim3(16, 16)>>>(m.data, m.rows, m.cols);
  square_ok(a, r, c);
  square_bad(a, r, c);
  return 0;
}
