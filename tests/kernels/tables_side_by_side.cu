// A pyramid of images: the host keeps the width, the height and the stride of each level in three arrays, which it fills
// level by level. Strides are widths, rounded up: rows of one level do not overlap (ok); rounded down they do (bad).
//@ verdict level_ok: race-free
//@ leans level_ok: A12
//@ verdict level_bad: racy
//   One entry is set apart, behind the loop: as wide as its stride (ok), or wider (bad).
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
//   The stride that is handed over is that of the same level (ok), or that of the next smaller one (bad).
//@ verdict same_ok: race-free
//@ verdict same_bad: racy
#include <cstdlib>

__device__ void fill(float *out, int width, int height, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * stride + x] = x + 0.5f * y;
}

__global__ void level_ok(float *out, int width, int height, int stride) { // expect-clean
  fill(out, width, height, stride);
}
__global__ void last_ok(float *out, int width, int height, int stride) { // expect-clean
  fill(out, width, height, stride);
}
__global__ void same_ok(float *out, int width, int height, int stride) { // expect-clean
  fill(out, width, height, stride);
}
__global__ void level_bad(float *out, int width, int height, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * stride + x] = x + 0.5f * y; // expect-race
}
__global__ void last_bad(float *out, int width, int height, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * stride + x] = x + 0.5f * y; // expect-race
}
__global__ void same_bad(float *out, int width, int height, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * stride + x] = x + 0.5f * y; // expect-race
}

static int up(int n) { return n % 32 == 0 ? n : n + 32 - n % 32; }
static int down(int n) { return n - n % 32; }

static void levels(int width, int height, int stride, int count, float *out) {
  int *widths = new int[count], *heights = new int[count], *strides = new int[count], *others = new int[count];
  int at = count - 1;
  widths[at] = width;
  heights[at] = height;
  strides[at] = stride;
  others[at] = down(width);
  for (; at > 0; --at) {
    int w = widths[at] / 2, h = heights[at] / 2, s = up(w);
    widths[at - 1] = w;
    heights[at - 1] = h;
    strides[at - 1] = s;
    others[at - 1] = down(w);
  }
  for (; at < count; ++at) {
    dim3 block(32, 8), grid((widths[at] + 31) / 32, (heights[at] + 7) / 8);
    level_ok<<<grid, block>>>(out, widths[at], heights[at], strides[at]);
    level_bad<<<grid, block>>>(out, widths[at], heights[at], others[at]);
  }
  for (at = 1; at < count; ++at) {
    dim3 block(32, 8), grid((widths[at] + 31) / 32, (heights[at] + 7) / 8);
    same_ok<<<grid, block>>>(out, widths[at], heights[at], strides[at]);
    same_bad<<<grid, block>>>(out, widths[at], heights[at], strides[at - 1]);
  }
}

template <bool is_wide>
static void apart(int count, int width, int height, float *out) {
  int *widths = new int[count], *strides = new int[count];
  for (int i = 0; i < count; i++) {
    widths[i] = width + i;
    strides[i] = 2 * width + i;
  }
  widths[0] = is_wide ? 8 : 4;
  strides[0] = 4;
  for (int i = 0; i < count; i++) {
    dim3 block(32, 8), grid((widths[i] + 31) / 32, (height + 7) / 8);
    if (is_wide)
      last_bad<<<grid, block>>>(out, widths[i], height, strides[i]);
    else
      last_ok<<<grid, block>>>(out, widths[i], height, strides[i]);
  }
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]), stride = up(width);
  float *out;
  if (width <= 0 || height <= 0 || width > 4096 || height > 4096) return 1;
  cudaMalloc((void **)&out, 2 * stride * height * sizeof(float));
  levels(width, height, stride, 5, out);
  apart<false>(atoi(argv[3]), width, height, out);
  apart<true>(atoi(argv[3]), width, height, out);
}
