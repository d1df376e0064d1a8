// A part of the block fills four stages of two tiles, row after row, up to one more than there are; the rest of the block multiplies them (ok).
// Every copy meets those of all other stages: many questions, and a host that says little of the size. few: three buffers for the four stages (bad).
// early: a stage is given back before it is read (bad).
//@ verdict product_ok: race-free
//@ verdict product_few_bad: racy
//@ verdict product_early_bad: racy
#include <cassert>
#include <cooperative_groups.h>
#include <cstdlib>
#include <cuda/pipeline>

template <int buffers, bool early> __device__ void product(const float *a, const float *b, float *c, int width) {
  constexpr int side = 16, stages = 4;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ float left[buffers][side][side], right[buffers][side][side];
  auto role = threadIdx.y < side ? cuda::pipeline_role::consumer : cuda::pipeline_role::producer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
  int begin = width * side * blockIdx.y, end = begin + width - 1;
  float sum = 0;
  for (int at = begin, i = 0, next = begin, filled = 0; at <= end; at += side, ++i) {
    if (threadIdx.y >= side) {
      for (; next <= at + side * stages; next += side, ++filled) {
        if (next <= end) {
          int buffer = filled % buffers;
          pipe.producer_acquire();
          for (int row = threadIdx.y - side; row < side; row += blockDim.y - side) {
            cuda::memcpy_async(&left[buffer][row][threadIdx.x], &a[next + width * row + threadIdx.x], sizeof(float), pipe); // expect-race
            cuda::memcpy_async(&right[buffer][row][threadIdx.x], &b[next + width * row + threadIdx.x], sizeof(float), pipe); // expect-race
          }
          pipe.producer_commit();
        }
      }
    } else {
      int buffer = i % buffers;
      pipe.consumer_wait();
      if (early)
        pipe.consumer_release();
      for (int k = 0; k < side; ++k)
        sum += left[buffer][threadIdx.y][k] * right[buffer][k][threadIdx.x]; // expect-race
      if (!early)
        pipe.consumer_release();
    }
  }
  if (threadIdx.y < side)
    c[width * side * blockIdx.y + side * blockIdx.x + width * threadIdx.y + threadIdx.x] = sum;
}
__global__ void product_ok(const float *a, const float *b, float *c, int width) { // expect-clean
  product<4, false>(a, b, c, width);
}
__global__ void product_few_bad(const float *a, const float *b, float *c, int width) { product<3, false>(a, b, c, width); }
__global__ void product_early_bad(const float *a, const float *b, float *c, int width) { product<4, true>(a, b, c, width); }

static int given(int count, char **words, int which, int otherwise) {
  bool found = count > which;
  int value = found ? atoi(words[which]) : 0;
  if (found && value < 1)
    exit(1);
  return found ? (value ? value : otherwise) : otherwise;
}

int main(int count, char **words) {
  float *a, *b, *c;
  int width = given(count, words, 1, 1280), kind = given(count, words, 2, 1), height = given(count, words, 3, 1280);
  assert(kind >= 0 && kind < 8 && width % 32 == 0 && height == width);
  cudaMalloc((void **)&a, width * width * sizeof(float));
  cudaMalloc((void **)&b, width * width * sizeof(float));
  cudaMalloc((void **)&c, width * width * sizeof(float));
  dim3 block(16, 18), grid(width / 16, width / 16);
  product_ok<<<grid, block>>>(a, b, c, width);
  product_few_bad<<<grid, block>>>(a, b, c, width);
  product_early_bad<<<grid, block>>>(a, b, c, width);
  return 0;
}
