// Block barrier. NVIDIA/apex #1798, commit a7de60e5: a sum over the block that ends with its barrier only if the result is shared was
// called twice in a row; the second call put its values into shared memory while the first was still being added there.
// A warp above the first one has left the first call behind its barrier and writes its part of the second sum; warp 0 is still reading
// the parts of the first [again]. Warp 0 itself ends the first call with shuffles of all its lanes. Fixed: the barrier stands behind the
// branch.
//@ pairs: exact
//@ verdict mean_and_square: racy
//@ verdict mean_and_square_fixed: race-free
#include <cstdlib>

__device__ float add_up(float v, float *parts, bool share, bool always) {
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = v; // expect-race[again](intra-block)
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0; // expect-race[again](intra-block)
    for (int offset = 16; offset > 0; offset /= 2)
      v += __shfl_down_sync(0xffffffffu, v, offset);
    if (share && threadIdx.x == 0)
      parts[0] = v;
  }
  if (share || always)
    __syncthreads();
  return v;
}

__global__ void mean_and_square(const float *x, float *out, int n) {
  __shared__ float parts[32];
  float sum = 0, square = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float v = x[(size_t)blockIdx.x * n + i];
    sum += v;
    square += v * v;
  }
  sum = add_up(sum, parts, false, false);
  square = add_up(square, parts, false, false);
  if (threadIdx.x == 0)
    out[2 * blockIdx.x] = sum, out[2 * blockIdx.x + 1] = square;
}

__global__ void mean_and_square_fixed(const float *x, float *out, int n) { // expect-clean
  __shared__ float parts[32];
  float sum = 0, square = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float v = x[(size_t)blockIdx.x * n + i];
    sum += v;
    square += v * v;
  }
  sum = add_up(sum, parts, false, true);
  square = add_up(square, parts, false, true);
  if (threadIdx.x == 0)
    out[2 * blockIdx.x] = sum, out[2 * blockIdx.x + 1] = square;
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), n = atoi(argv[2]);
  float *x, *out;
  cudaMalloc(&x, (size_t)rows * n * sizeof(float));
  cudaMalloc(&out, 2 * rows * sizeof(float));
  mean_and_square<<<rows, 256>>>(x, out, n);
  mean_and_square_fixed<<<rows, 256>>>(x, out, n);
}
