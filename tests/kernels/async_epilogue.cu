// Tiles are loaded two rounds ahead; the loop stops when all are under way, and the last two are taken behind it. What may still go on there
// hangs on how often the loop was gone round.
// drained: all but the newest are awaited, then all (ok); the second tile is read at once (second), which the first wait covers unless the loop is
// not gone round; the last wait leaves one (last). tiles: the same once in each round of an outer loop (ok), the next tile is begun while the last one is
// read (next). left: the loop may be left in the middle of a round, in which nothing was issued, and the newer tile is read (bad).
//@ verdict drained_ok: race-free
//@ verdict drained_second_bad: racy
//@ verdict drained_last_bad: racy
//@ verdict tiles_ok: race-free
//@ verdict tiles_next_bad: racy
//@ verdict left_bad: racy
#include <cuda_pipeline.h>

__device__ void load(float *tile, const float *in, int number) {
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[number * 128 + threadIdx.x], sizeof(float)); // expect-race
  __pipeline_commit();
}

template <bool second, bool last, bool leaves>
__device__ float sum_tiles(float (*s)[128], const int *stop, const float *in, int n) {
  float sum = 0;
  int t = threadIdx.x, k = 0;
  load(s[0], in, 0);
  load(s[1], in, 1);
  for (; k < n; k++) {
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[k % 3][127 - t];
    if (leaves && stop[k])
      break;
    load(s[(k + 2) % 3], in, k + 2);
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  sum += s[second ? 1 : (k + leaves) % 3][127 - t]; // expect-race
  __pipeline_wait_prior(last ? 0 : 1);
  __syncthreads();
  return sum + s[(k + 1) % 3][127 - t]; // expect-race
}

__global__ void drained_ok(const float *in, float *out, int n) { // expect-clean
  __shared__ float s[3][128];
  out[blockIdx.x * 128 + threadIdx.x] = sum_tiles<false, true, false>(s, nullptr, in, n);
}
__global__ void drained_second_bad(const float *in, float *out, int n) {
  __shared__ float s[3][128];
  out[blockIdx.x * 128 + threadIdx.x] = sum_tiles<true, true, false>(s, nullptr, in, n);
}
__global__ void drained_last_bad(const float *in, float *out, int n) {
  __shared__ float s[3][128];
  out[blockIdx.x * 128 + threadIdx.x] = sum_tiles<false, false, false>(s, nullptr, in, n);
}
__global__ void left_bad(const int *stop, const float *in, float *out, int n) {
  __shared__ float s[3][128];
  out[blockIdx.x * 128 + threadIdx.x] = sum_tiles<false, true, true>(s, stop, in, n);
}

template <bool waits> __device__ void tiles(const float *in, float *out, int n, int rows) {
  __shared__ float s[3][128];
  for (int row = 0; row < rows; row++) {
    out[(row * gridDim.x + blockIdx.x) * 128 + threadIdx.x] = sum_tiles<false, true, false>(s, nullptr, in + row, n);
    if (waits)
      __syncthreads();
  }
}
__global__ void tiles_ok(const float *in, float *out, int n, int rows) { tiles<true>(in, out, n, rows); } // expect-clean
__global__ void tiles_next_bad(const float *in, float *out, int n, int rows) { tiles<false>(in, out, n, rows); }

int main(int count, char **words) {
  int *stop;
  float *in, *out;
  cudaMalloc((void **)&stop, 1 << 20);
  cudaMalloc((void **)&in, 1 << 20);
  cudaMalloc((void **)&out, 1 << 24);
  drained_ok<<<8, 128>>>(in, out, count - 1);
  drained_second_bad<<<8, 128>>>(in, out, count - 1);
  drained_last_bad<<<8, 128>>>(in, out, count - 1);
  left_bad<<<8, 128>>>(stop, in, out, count - 1);
  tiles_ok<<<8, 128>>>(in, out, count - 1, count);
  tiles_next_bad<<<8, 128>>>(in, out, count - 1, count);
  return 0;
}
