// Matrix fragments (wmma): a warp reads and writes a whole tile, and which lane has which element is left open.
// rows: each warp stores a tile of its own (ok), tiles that overlap by half (bad). staged: lanes fill a tile in shared memory,
// behind a warp barrier it is loaded (ok), without one (bad). taken: lanes read what a fragment left in shared memory, behind
// a warp barrier (ok), without (bad); that a lane has just what it reads is never known. place: a tile is loaded, scaled
// and stored where it was (ok); the load begins one row further, in the next warp's tile (bad).
// columns: stored column by column, with a stride of 16 (ok), of 8 (bad). unknown: what comes out of a load is no number of the
// fill before it (bad); without the load it is (ok).
// turned: a tile is read by rows and stored by columns where it was: other lanes' elements, behind a warp barrier (ok), without (bad).
//@ verdict turned_ok: race-free
//@ verdict turned_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict staged_ok: race-free
//@ verdict staged_bad: racy
//@ verdict taken_ok: race-free
//@ verdict taken_bad: racy
//@ verdict place_ok: race-free
//@ verdict place_bad: racy
//@ verdict columns_ok: race-free
//@ verdict columns_bad: racy
//@ verdict unknown_ok: race-free
//@ verdict unknown_bad: racy
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> Left;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> Right;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> Sum;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, int> Count;

__global__ void rows_ok(const half *a, const half *b, float *c) { // expect-clean
  Left left;
  Right right;
  Sum sum;
  int tile = blockIdx.x * 4 + threadIdx.x / 32;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < 64; k += 16) {
    wmma::load_matrix_sync(left, a + tile * 16 * 64 + k, 64);
    wmma::load_matrix_sync(right, b + k, 64);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + tile * 16, sum, 512, wmma::mem_row_major);
}

__global__ void rows_bad(const half *a, const half *b, float *c) {
  Left left;
  Right right;
  Sum sum;
  int tile = blockIdx.x * 4 + threadIdx.x / 32;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < 64; k += 16) {
    wmma::load_matrix_sync(left, a + tile * 16 * 64 + k, 64);
    wmma::load_matrix_sync(right, b + k, 64);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + tile * 8, sum, 512, wmma::mem_row_major); // expect-race
}

__global__ void staged_ok(const half *a, float *c) { // expect-clean
  __shared__ half s[4][16 * 24];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Left left;
  for (int i = lane; i < 256; i += 32)
    s[warp][i / 16 * 24 + i % 16] = a[i];
  __syncwarp();
  wmma::load_matrix_sync(left, s[warp], 24);
  c[blockIdx.x * 128 + threadIdx.x] = __half2float(left.x[0]);
}

__global__ void staged_bad(const half *a, float *c) {
  __shared__ half s[4][16 * 24];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Left left;
  for (int i = lane; i < 256; i += 32)
    s[warp][i / 16 * 24 + i % 16] = a[i]; // expect-race {{cause=missing-warp-barrier}}
  wmma::load_matrix_sync(left, s[warp], 24); // expect-race
  c[blockIdx.x * 128 + threadIdx.x] = __half2float(left.x[0]);
}

__global__ void taken_ok(float *c) { // expect-clean
  __shared__ float s[4][256];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(s[warp], sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = 0; i < 8; i++)
    c[(blockIdx.x * 4 + warp) * 256 + lane * 8 + i] = s[warp][lane * 8 + i];
}

__global__ void taken_bad(float *c) {
  __shared__ float s[4][256];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(s[warp], sum, 16, wmma::mem_row_major); // expect-race {{cause=missing-warp-barrier}}
  for (int i = 0; i < 8; i++)
    c[(blockIdx.x * 4 + warp) * 256 + lane * 8 + i] = s[warp][lane * 8 + i]; // expect-race
}

__global__ void place_ok(float *c) { // expect-clean
  Sum sum;
  float *tile = c + (blockIdx.x * 4 + threadIdx.x / 32) * 256;
  wmma::load_matrix_sync(sum, tile, 16, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; i++)
    sum.x[i] *= 2;
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
}

__global__ void place_bad(float *c) {
  Sum sum;
  float *tile = c + (blockIdx.x * 4 + threadIdx.x / 32) * 256;
  wmma::load_matrix_sync(sum, tile + 16, 16, wmma::mem_row_major); // expect-race
  for (int i = 0; i < sum.num_elements; i++)
    sum.x[i] *= 2;
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major); // expect-race
}

__global__ void columns_ok(float *c) { // expect-clean
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(c + (blockIdx.x * 4 + threadIdx.x / 32) * 256, sum, 16, wmma::mem_col_major);
}

__global__ void columns_bad(float *c) {
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(c + (blockIdx.x * 4 + threadIdx.x / 32) * 256, sum, 8, // expect-race
                          wmma::mem_col_major);
}

__global__ void unknown_ok(const int *a, int *c) { // expect-clean
  Count count;
  wmma::fill_fragment(count, 0);
  c[blockIdx.x * 128 + threadIdx.x + count.x[0]] = threadIdx.x;
}

__global__ void unknown_bad(const int *a, int *c) {
  Count count;
  wmma::fill_fragment(count, 0);
  wmma::load_matrix_sync(count, a, 16, wmma::mem_row_major);
  c[blockIdx.x * 128 + threadIdx.x + count.x[0]] = threadIdx.x; // expect-race {{possible}}
}

template <bool WAITS> __device__ void turned(half *s, const half *a) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
  for (int i = threadIdx.x; i < 256; i += 32)
    s[i] = a[i];
  __syncwarp();
  wmma::load_matrix_sync(sum, s, 16, wmma::mem_row_major); // expect-race[turned]
  if (WAITS) __syncwarp();
  wmma::store_matrix_sync(s, sum, 16, wmma::mem_col_major); // expect-race[turned]
}
__global__ void turned_ok(const half *a) { // expect-clean
  __shared__ half s[256];
  turned<true>(s, a);
}
__global__ void turned_bad(const half *a) {
  __shared__ half s[256];
  turned<false>(s, a);
}

int main() {
  half *a;
  float *c;
  int *n, *m;
  cudaMalloc(&a, 1 << 22);
  cudaMalloc(&c, 1 << 22);
  cudaMalloc(&n, 1 << 22);
  cudaMalloc(&m, 1 << 22);
  turned_ok<<<1, 32>>>(a);
  turned_bad<<<1, 32>>>(a);
  rows_ok<<<8, 128>>>(a, a, c);
  rows_bad<<<8, 128>>>(a, a, c);
  staged_ok<<<8, 128>>>(a, c);
  staged_bad<<<8, 128>>>(a, c);
  taken_ok<<<8, 128>>>(c);
  taken_bad<<<8, 128>>>(c);
  place_ok<<<8, 128>>>(c);
  place_bad<<<8, 128>>>(c);
  columns_ok<<<8, 128>>>(c);
  columns_bad<<<8, 128>>>(c);
  unknown_ok<<<8, 128>>>(n, m);
  unknown_bad<<<8, 128>>>(n, m);
}
