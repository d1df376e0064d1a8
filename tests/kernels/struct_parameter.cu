// A matrix travels as one structure. Its rows do not overlap if the stride is at least the number of columns, as the host
// asserts (ok) or does not say (bad).
// A kernel may change its copy of the structure: move the pointer to the block's part (moved_ok) or to a part that two blocks
// share (moved_bad), read what it has put there (kept), or take another pointer (other_bad).
// Rows are shared by all threads of several devices, whose number is a member behind the first (shares_ok); the step of the loop
// is half of that (shares_bad), or the kernel makes the number smaller from round to round (shares_less_bad).
//@ verdict shares_ok: race-free
//@ verdict shares_bad: racy
//@ verdict shares_less_bad: racy
//@ verdict moved_ok: race-free
//@ verdict moved_bad: racy
//@ verdict kept_ok: race-free
//@ verdict kept_bad: racy
//@ verdict other_bad: racy
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

__global__ void moved_ok(Matrix m) { // expect-clean
  m.data += blockIdx.x * 64;
  m.data[threadIdx.x] = threadIdx.x;
}

__global__ void moved_bad(Matrix m) {
  m.data += blockIdx.x / 2 * 64;
  m.data[threadIdx.x] = blockIdx.x; // expect-race {{-Winter-block-race}}
}

__global__ void kept_ok(float *out, Matrix m) { // expect-clean
  m.rows = threadIdx.x;
  out[blockIdx.x * 64 + m.rows] = 1;
}

__global__ void kept_bad(float *out, Matrix m) {
  if (threadIdx.x & 1)
    m.rows = -1;
  out[blockIdx.x * 64 + (m.rows >= 0 ? threadIdx.x : 1)] = threadIdx.x; // expect-race
}

__global__ void other_bad(float *out, Matrix m) {
  if (m.rows > 3)
    m.data = out;
  m.data[blockIdx.x * 64 + threadIdx.x] = 1; // expect-race
  out[blockIdx.x * 64 + (threadIdx.x ^ 1)] = 2; // expect-race
}

struct Share {
  unsigned char *flags;
  unsigned devices, rank;
};

__global__ void shares_ok(float *out, int rows, Share s) { // expect-clean
  unsigned threads = gridDim.x * blockDim.x;
  for (int i = s.rank * threads + blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += s.devices * threads)
    out[i] = blockIdx.x;
}

__global__ void shares_bad(float *out, int rows, Share s) {
  unsigned threads = gridDim.x * blockDim.x;
  for (int i = s.rank * threads + blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += s.devices * threads / 4)
    out[i] = blockIdx.x; // expect-race
}

__global__ void shares_less_bad(float *out, int rows, Share s) {
  for (int i = threadIdx.x; i < rows && s.devices > 0; i += s.devices) {
    out[blockIdx.x * rows + i] = threadIdx.x; // expect-race
    s.devices /= 2;
  }
}

static void share(int rank) {
  Share s = {nullptr, 2, (unsigned)rank};
  float *out;
  cudaMalloc(&out, 1 << 20);
  shares_ok<<<8, 128>>>(out, 1 << 18, s);
  shares_bad<<<8, 128>>>(out, 1 << 18, s);
  s.devices = 128;
  shares_less_bad<<<8, 128>>>(out, 1 << 15, s);
}

int main(int argc, char **argv) {
  share(argc);
  Matrix m;
  m.rows = argc;
  m.cols = argv[0][0];
  m.stride = argv[0][1];
  cudaMalloc((void **)&m.data, 1 << 20);
  dim3 block(16, 16), grid((m.cols + 15) / 16, (m.rows + 15) / 16);
  clear_bad<<<grid, block>>>(m, 0.0f);
  float *out;
  cudaMalloc((void **)&out, 1 << 20);
  moved_ok<<<8, 64>>>(m);
  moved_bad<<<8, 64>>>(m);
  kept_ok<<<8, 64>>>(out, m);
  kept_bad<<<8, 64>>>(out, m);
  other_bad<<<8, 64>>>(out, m);
  assert(m.stride >= m.cols);
  clear_ok<<<grid, block>>>(m, 0.0f);
  return 0;
}
