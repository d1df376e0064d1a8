// Divergent barrier. ggml-org/llama.cpp #13469: a barrier that had been put in against a race (#13438) was executed by some of the warps
// only, so that from then on warps waited for each other at different places.
// The warps that fill the row take one barrier more in a round than the others, which read it without having waited [row]. Fixed: the
// barrier stands where all warps come by. The row is read behind it, and overwritten behind the barrier that ends the round.
//@ verdict attend: racy
//@ verdict attend_fixed: race-free
#include <cstdlib>

__global__ void attend(const float *k, float *out, int tiles) {
  __shared__ float row[64];
  int lane = threadIdx.x, warp = threadIdx.y;
  float sum = 0;
  for (int tile = 0; tile < tiles; tile++) {
    if (warp < 2) {
      row[warp * 32 + lane] = k[(blockIdx.x * tiles + tile) * 64 + warp * 32 + lane]; // expect-race[row](intra-block)
      __syncthreads(); // expect-divergence
    }
    sum += row[lane] * row[lane + 32]; // expect-race[row](intra-block)
    __syncthreads();
  }
  out[(blockIdx.x * 4 + warp) * 32 + lane] = sum;
}

__global__ void attend_fixed(const float *k, float *out, int tiles) { // expect-clean
  __shared__ float row[64];
  int lane = threadIdx.x, warp = threadIdx.y;
  float sum = 0;
  for (int tile = 0; tile < tiles; tile++) {
    if (warp < 2)
      row[warp * 32 + lane] = k[(blockIdx.x * tiles + tile) * 64 + warp * 32 + lane];
    __syncthreads();
    sum += row[lane] * row[lane + 32];
    __syncthreads();
  }
  out[(blockIdx.x * 4 + warp) * 32 + lane] = sum;
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), tiles = atoi(argv[2]);
  float *k, *out;
  cudaMalloc(&k, rows * tiles * 64 * sizeof(float));
  cudaMalloc(&out, rows * 128 * sizeof(float));
  dim3 block(32, 4);
  attend<<<rows, block>>>(k, out, tiles);
  attend_fixed<<<rows, block>>>(k, out, tiles);
}
