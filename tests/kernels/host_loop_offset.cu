// The host goes through an array chunk by chunk, one launch for each; within a launch, threads write elements of the chunk
// (ok). In the bad kernel a thread also clears the element `chunk` further on, which belongs to the next launch but, for a
// chunk smaller than the grid, to another thread of this one.
// In the second pair a grid's width changes from launch to launch; its height, in the same word of the struct, is 1 in all
// launches of row_ok, and in the first launch only of row_bad.
//@ verdict chunk_ok: race-free
//@ verdict chunk_bad: racy
// In the third pair the sizes lie in an array of structs that a loop fills, member by member.
//@ verdict matrix_ok: race-free
//@ verdict matrix_bad: racy
//@ verdict row_ok: race-free
//@ verdict row_bad: racy
#include <math.h>
#define N 2048
__global__ void chunk_ok(float *a, int first, int chunk) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < chunk)
    a[first + i] = first;
}

__global__ void chunk_bad(float *a, int first, int chunk) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[first + i] = i;          // expect-race
  a[first + i + chunk] = -i; // expect-race
}

__global__ void row_ok(float *a, int k) { // expect-clean
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < N) a[k * N + j] = a[k * N + j] / a[k * N + k];
}

__global__ void row_bad(float *a, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < N) a[k * N + j] = a[k * N + j] / a[k * N + k]; // expect-race
}

static void rows_ok(float *a) {
  dim3 block(256, 1), grid(1, 1, 1);
  for (int k = 0; k < N; k++) {
    grid.x = (unsigned)ceil((double)((float)(N - (k + 1)) / (float)block.x));
    row_ok<<<grid, block>>>(a, k);
    cudaDeviceSynchronize();
  }
}

static void rows_bad(float *a) {
  dim3 block(256, 1), grid(1, 1, 1);
  for (int k = 0; k < N; k++) {
    grid.x = (unsigned)ceil((double)((float)(N - (k + 1)) / (float)block.x));
    row_bad<<<grid, block>>>(a, k);
    grid.y = 2;
    cudaDeviceSynchronize();
  }
}

struct Matrix {
  int width, height, stride;
  float *elements;
};

__global__ void matrix_ok(Matrix c) { // expect-clean
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  c.elements[row * c.stride + col] = row;
}

__global__ void matrix_bad(Matrix c) {
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  c.elements[row * c.stride + col] = row; // expect-race
}

static Matrix on_device(const Matrix m) {
  Matrix d = m;
  cudaMalloc(&d.elements, m.height * m.stride * sizeof(float));
  return d;
}

static void matrices() {
  Matrix *m = new Matrix[3];
  for (int i = 0; i < 3; i++) {
    m[i].width = m[i].height = m[i].stride = 128;
    m[i].elements = new float[128 * 128];
  }
  matrix_ok<<<dim3(m[1].width / 32, m[0].height / 32), dim3(32, 32)>>>(on_device(m[2]));
  for (int i = 0; i < 3; i++)
    m[i].stride = 64;
  matrix_bad<<<dim3(m[1].width / 32, m[0].height / 32), dim3(32, 32)>>>(on_device(m[2]));
}

int main(int argc, char **argv) {
  int n = argc, chunk = argv[0][0];
  if (chunk <= 0)
    return 1;
  float *a;
  cudaMalloc((void **)&a, 2 * n * sizeof(float));
  for (int first = 0; first < n; first += chunk) {
    chunk_ok<<<(chunk + 31) / 32, 32>>>(a, first, chunk);
    chunk_bad<<<(chunk + 31) / 32, 32>>>(a, first, chunk);
  }
  float *square;
  cudaMalloc((void **)&square, N * N * sizeof(float));
  rows_ok(square);
  rows_bad(square);
  matrices();
  return 0;
}
