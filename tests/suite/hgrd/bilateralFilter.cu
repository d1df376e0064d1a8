// Each thread reads a window of one image and writes its own pixel of another; the guard keeps x below the width, so that
// y * width + x is another one for each thread. Broken: the image is filtered in place, so that a window holds pixels that other threads write [rw].
//@ pairs: exact
//@ verdict bilateralFilter: race-free
//@ verdict bilateralFilter_broken: racy
#include <cstdlib>

__global__ void bilateralFilter(const float *in, float *out, int width, int height, int radius) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float center = in[y * width + x], sum = 0, total = 0;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      int u = min(max(x + dx, 0), width - 1), v = min(max(y + dy, 0), height - 1);
      float value = in[v * width + u];
      float weight = 1 / (1 + fabsf(value - center));
      sum += weight * value;
      total += weight;
    }
  out[y * width + x] = sum / total;
}

__global__ void bilateralFilter_broken(float *image, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0, total = 0;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      int u = min(max(x + dx, 0), width - 1), v = min(max(y + dy, 0), height - 1);
      float value = image[v * width + u]; // expect-race[rw](every)
      float weight = 1 / (1 + fabsf(value));
      sum += weight * value;
      total += weight;
    }
  image[y * width + x] = sum / total; // expect-race[rw](every)
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]), radius = argc > 3 ? atoi(argv[3]) : 4;
  float *in, *out;
  cudaMalloc((void **)&in, width * height * sizeof(float));
  cudaMalloc((void **)&out, width * height * sizeof(float));
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  bilateralFilter<<<grid, block>>>(in, out, width, height, radius);
  bilateralFilter_broken<<<grid, block>>>(in, width, height, radius);
  return 0;
}
