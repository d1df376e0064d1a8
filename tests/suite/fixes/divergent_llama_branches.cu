// Divergent barrier. ggml-org/llama.cpp #27955: the warps that combine the parts of an attention tile and those that do not have a
// __syncthreads() each, in the two branches of one condition, as if two barriers were one.
// Threads of one block wait at different barriers. Fixed: one barrier behind the branches. The parts are combined by the warp that has
// the even number of a pair.
//@ verdict combine: undecided
//@ verdict combine_fixed: race-free
#include <cstdlib>

__global__ void combine(const float2 *parts, float *out) {
  __shared__ float scale[128];
  int warp = threadIdx.x / 32, first = blockIdx.x * 128, t = threadIdx.x;
  if (warp % 2 == 0) {
    float2 mine = parts[first + t], other = parts[first + t + 32];
    float most = fmaxf(mine.x, other.x);
    scale[t] = expf(mine.x - most);
    scale[t + 32] = expf(other.x - most);
    __syncthreads(); // expect-divergence
  } else {
    __syncthreads(); // expect-divergence
  }
  out[first + t] = parts[first + t].y * scale[t];
}

__global__ void combine_fixed(const float2 *parts, float *out) { // expect-clean
  __shared__ float scale[128];
  int warp = threadIdx.x / 32, first = blockIdx.x * 128, t = threadIdx.x;
  if (warp % 2 == 0) {
    float2 mine = parts[first + t], other = parts[first + t + 32];
    float most = fmaxf(mine.x, other.x);
    scale[t] = expf(mine.x - most);
    scale[t + 32] = expf(other.x - most);
  }
  __syncthreads();
  out[first + t] = parts[first + t].y * scale[t];
}

int main(int argc, char **argv) {
  int tiles = atoi(argv[1]);
  float2 *parts;
  float *out;
  cudaMalloc(&parts, tiles * 128 * sizeof(float2));
  cudaMalloc(&out, tiles * 128 * sizeof(float));
  combine<<<tiles, 128>>>(parts, out);
  combine_fixed<<<tiles, 128>>>(parts, out);
}
