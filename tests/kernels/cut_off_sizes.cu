// A volume is gone through in boxes, which are cut off at its ends: whatever is left there, a box has places of its own for
// its points, as none of its sizes is larger than a whole one.
//   boxes: a place is x + y * width + z * width * height; the twin leaves the height out.
//@ verdict boxes_ok: race-free
//@ verdict boxes_bad: racy
#include <cstdint>

__global__ void boxes_ok(uint32_t width, uint32_t height, uint32_t depth, const float *in, float *out) {
  // expect-clean
  uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
  uint32_t z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth) return;
  out[x + y * width + z * width * height] = in[x] * in[y] * in[z];
}

__global__ void boxes_bad(uint32_t width, uint32_t height, uint32_t depth, const float *in, float *out) {
  uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
  uint32_t z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth) return;
  out[x + y * width + z * width] = in[x] * in[y] * in[z]; // expect-race
}

static int cut(int size, int rest) {
  return rest < size ? rest : size;
}

static void box(int width, int height, int depth, const float *in, float *out) {
  if (width <= 0 || height <= 0 || depth <= 0) return;
  dim3 blocks((width + 7u) / 8, (height + 7u) / 8, (depth + 7u) / 8);
  boxes_ok<<<blocks, dim3(8, 8, 8)>>>(width, height, depth, in, out);
  boxes_bad<<<blocks, dim3(8, 8, 8)>>>(width, height, depth, in, out);
}

void volume(const float *in, float *out) {
  const int width = 4096, height = 1024, depth = 1024, edge = 3;
  for (int z = edge; z < depth - edge; z += 16)
    for (int y = edge; y < height - edge; y += 16)
      for (int x = edge; x < width - edge; x += 4096)
        box(cut(4096, width - edge - x), cut(16, height - edge - y), cut(16, depth - edge - z), in, out);
}
