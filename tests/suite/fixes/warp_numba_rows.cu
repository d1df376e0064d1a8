// Warp barrier. numba/numba #6127: in the reduction kernel each warp adds up a row of shared memory of its own, and took it that what a
// lane writes there is at once what the others see; since Volta it is not.
// Lane t reads what lane t + width put there at the start [start] or in the step before [step]. Fixed: __syncwarp() behind both.
//@ pairs: exact
//@ verdict row_sums: racy
//@ verdict row_sums_fixed: race-free
#include <cstdlib>

__global__ void row_sums(const float *array, float *partials, int n) {
  __shared__ float rows[4][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float *mine = rows[warp], value = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    value += array[i];
  mine[lane] = value; // expect-race[start](intra-warp)
  for (int width = 16; width > 0; width /= 2)
    if (lane < width) {
      float old = mine[lane];
      mine[lane] = old + mine[lane + width]; // expect-race[start](intra-warp) expect-race[step](intra-warp)
    }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 4; w++)
      rows[0][0] += rows[w][0];
    partials[blockIdx.x] = rows[0][0];
  }
}

__global__ void row_sums_fixed(const float *array, float *partials, int n) { // expect-clean
  __shared__ float rows[4][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float *mine = rows[warp], value = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    value += array[i];
  mine[lane] = value;
  __syncwarp();
  for (int width = 16; width > 0; width /= 2) {
    if (lane < width) {
      float old = mine[lane];
      mine[lane] = old + mine[lane + width];
    }
    __syncwarp();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 4; w++)
      rows[0][0] += rows[w][0];
    partials[blockIdx.x] = rows[0][0];
  }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), blocks = n / 128 < 1024 ? n / 128 + 1 : 1024;
  float *array, *partials;
  cudaMalloc(&array, n * sizeof(float));
  cudaMalloc(&partials, blocks * sizeof(float));
  row_sums<<<blocks, 128>>>(array, partials, n);
  row_sums_fixed<<<blocks, 128>>>(array, partials, n);
}
