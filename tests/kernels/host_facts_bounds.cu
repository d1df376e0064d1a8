// Kernels that are right for the values that their parameters can have: the bounds of the host's loops, the sizes of its
// allocations. Each `_bad` twin is the same kernel, launched by the same code without the bound.
//   lu_row: one elimination step; the blocks own the tiles behind `offset`, which stays below the matrix, as many as there
//     are; more go over the end of the rows.
//   needle: the tiles of one antidiagonal; the last antidiagonal has as many tiles as the matrix has columns of tiles.
//   shift: rows of a pitched allocation do not overlap; of a plain one with any stride they can.
//   from_vector: `step` elements for each thread; positive because so many were allocated.
//@ verdict lu_row_ok: race-free
//@ verdict lu_row_bad: racy
//@ verdict needle_ok: race-free
//@ verdict needle_bad: racy
//@ verdict shift_ok: race-free
//@ verdict shift_bad: racy
//@ verdict from_vector_ok: race-free
//@ verdict from_vector_bad: racy
//@ verdict flipped_ok: race-free
//@ verdict flipped_bad: racy
#include <cassert>
#include <cstdlib>

enum { TILE = 16 };

__device__ void lu_row(float *m, int dim, int offset) {
  int x = offset + TILE + blockIdx.x * TILE + threadIdx.x;
  float pivot = 0.5f;
  for (int k = 1; k < TILE; k++)
    m[(offset + k) * dim + x] -= pivot * m[offset * dim + x]; // expect-race {{missing=dim == gridDim.x * blockDim.x weaker=gridDim.x * blockDim.x <= dim}}
}

__device__ void needle(int *score, int cols, int diagonal, int width) {
  int tile_x = blockIdx.x, tile_y = diagonal - 1 - blockIdx.x;
  int first = cols * TILE * tile_y + TILE * tile_x + cols + 1;
  for (int row = 0; row < TILE; row++)
    score[first + row * cols + threadIdx.x] = row + width; // expect-race {{missing=diagonal == width weaker=diagonal <= width}}
}

__device__ void shift(float *out, int pitch, int width, const float *in) {
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < width) out[y * pitch + x] = in[x]; // expect-race {{missing=pitch == width weaker=width <= pitch}}
}

__device__ void from_vector(float *out, const float *v, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * step] = v[i]; // expect-race {{missing=step >= 1}}
}

__global__ void lu_row_ok(float *m, int dim, int offset) { // expect-clean
  lu_row(m, dim, offset);
}
__global__ void lu_row_bad(float *m, int dim, int offset) { lu_row(m, dim, offset); }
__global__ void needle_ok(int *score, int cols, int diagonal, int width) { // expect-clean
  needle(score, cols, diagonal, width);
}
__global__ void needle_bad(int *score, int cols, int diagonal, int width) { needle(score, cols, diagonal, width); }
__global__ void shift_ok(float *out, int pitch, int width, const float *in) { // expect-clean
  shift(out, pitch, width, in);
}
__global__ void shift_bad(float *out, int pitch, int width, const float *in) { shift(out, pitch, width, in); }
__global__ void from_vector_ok(float *out, const float *v, int n, int step) { // expect-clean
  from_vector(out, v, n, step);
}
__global__ void from_vector_bad(float *out, const float *v, int n, int step) { from_vector(out, v, n, step); }

static void decompose(float *d_m, int dim, int blocks) {
  assert(dim % TILE == 0);
  for (int i = 0; i < dim - TILE; i += TILE)
    lu_row_ok<<<(dim - i) / TILE - 1, TILE>>>(d_m, dim, i);
  for (int i = 0; i < dim - TILE; i += TILE)
    lu_row_bad<<<blocks, TILE>>>(d_m, dim, i);
}

static void align(int *d_score, int length) {
  int cols = length + 1, width = length / TILE;
  for (int i = 1; i <= width; i++)
    needle_ok<<<i, TILE>>>(d_score, cols, i, width);
  for (int i = 1; i <= 2 * width; i++)
    needle_bad<<<i, TILE>>>(d_score, cols, i, width);
}

static void shift_image(const float *d_in, int width, int height, int stride) {
  float *d_pitched, *d_plain;
  size_t pitch;
  cudaMallocPitch((void **)&d_pitched, &pitch, width * sizeof(float), height);
  cudaMalloc((void **)&d_plain, 1 << 30);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), block(TILE, TILE);
  shift_ok<<<grid, block>>>(d_pitched, (int)(pitch / sizeof(float)), width, d_in);
  shift_bad<<<grid, block>>>(d_plain, stride, width, d_in);
}

static void spread(const float *d_v, int n, int step, int other) {
  float *d_out;
  cudaMalloc((void **)&d_out, (size_t)n * step * sizeof(float));
  from_vector_ok<<<(n + 255) / 256, 256>>>(d_out, d_v, n, step);
  from_vector_bad<<<(n + 255) / 256, 256>>>(d_out, d_v, n, other);
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int n = std::atoi(argv[1]), dim = std::atoi(argv[2]);
  float *d_m, *d_v;
  int *d_score;
  cudaMalloc((void **)&d_m, (size_t)dim * dim * sizeof(float));
  cudaMalloc((void **)&d_v, (size_t)n * sizeof(float));
  cudaMalloc((void **)&d_score, (size_t)(n + 1) * (n + 1) * sizeof(int));
  decompose(d_m, dim, std::atoi(argv[4]));
  align(d_score, n);
  shift_image(d_v, n, dim, std::atoi(argv[3]));
  spread(d_v, n, std::atoi(argv[3]), std::atoi(argv[4]));
  return cudaDeviceSynchronize() != cudaSuccess;
}

// An element of an array that is a member: there is one at the index, so it is not the member behind the array (ok). Of
// the pointer behind the array, or of an address that was computed without the array's type, nothing is known (bad).
struct Buffers {
  int *places[2];
  int *speeds;
};
__global__ void flipped_ok(int *to, const int *from, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i];
}
__global__ void flipped_bad(int *to, const int *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i]; // expect-race
}
void flip(Buffers *b, unsigned current, int n) {
  flipped_ok<<<(n + 31) / 32, 32>>>(b->places[1 - current], b->places[current], n);
  flipped_ok<<<(n + 31) / 32, 32>>>(b->places[1 - current], b->speeds, n);
}
void flip_plain(Buffers *b, unsigned current, int n) {
  int **all = b->places;
  flipped_bad<<<(n + 31) / 32, 32>>>(b->speeds, all[current], n);
}
