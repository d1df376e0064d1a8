// Warp barrier. JustVugg/colibri #1099: a warp stores its 16 x 16 result of matrix products to shared memory, and its lanes then read
// each other's elements without a barrier of the warp; two kernels beside it had one.
// All lanes store parts of the tile; who stores which element is not specified, so that a lane reads what another has stored [tile].
// Each warp has a tile of its own. Fixed: __syncwarp() behind the store.
//@ pairs: exact
//@ verdict grouped: racy
//@ verdict grouped_fixed: race-free
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdlib>
using namespace nvcuda;

__global__ void grouped(const half *a, const half *b, float *c, const float *scale, int k) {
  __shared__ float out[4][256];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tile = blockIdx.x * 4 + warp;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + (size_t)tile * 16 * k + i, k);
    wmma::load_matrix_sync(fb, b + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(out[warp], sum, 16, wmma::mem_row_major); // expect-race[tile](intra-warp)
  for (int z = lane; z < 256; z += 32)
    c[(size_t)tile * 256 + z] = out[warp][z] * scale[z % 16]; // expect-race[tile](intra-warp)
}

__global__ void grouped_fixed(const half *a, const half *b, float *c, const float *scale, int k) { // expect-clean
  __shared__ float out[4][256];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tile = blockIdx.x * 4 + warp;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + (size_t)tile * 16 * k + i, k);
    wmma::load_matrix_sync(fb, b + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(out[warp], sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int z = lane; z < 256; z += 32)
    c[(size_t)tile * 256 + z] = out[warp][z] * scale[z % 16];
}

int main(int argc, char **argv) {
  int blocks = atoi(argv[1]), k = 16 * atoi(argv[2]);
  half *a, *b;
  float *c, *scale;
  cudaMalloc(&a, (size_t)blocks * 64 * k * sizeof(half));
  cudaMalloc(&b, 16 * k * sizeof(half));
  cudaMalloc(&c, (size_t)blocks * 1024 * sizeof(float));
  cudaMalloc(&scale, 16 * sizeof(float));
  grouped<<<blocks, 128>>>(a, b, c, scale, k);
  grouped_fixed<<<blocks, 128>>>(a, b, c, scale, k);
}
