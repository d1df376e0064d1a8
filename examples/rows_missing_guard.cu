// Scales every row of a picture. The grid is rounded up to whole blocks, but no thread asks whether its column is still
// inside the row: the last threads of a row work on the beginning of the next one, which other blocks scale as well.
//@ verdict scale_rows: racy
#include <cstdlib>

__global__ void scale_rows(float *image, int width, float factor) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y;
  image[row * width + column] *= factor;
  // expect-race@-1 {{-Winter-block-race}}
}

void scale(float *d_image, int width, int height, float factor) {
  dim3 block(256);
  dim3 grid((width + block.x - 1) / block.x, height);
  scale_rows<<<grid, block>>>(d_image, width, factor);
}

int main(int argc, char **argv) {
  int width = argc > 1 ? std::atoi(argv[1]) : 640;
  int height = argc > 2 ? std::atoi(argv[2]) : 480;
  float *d_image;
  if (width <= 0 || height <= 0)
    return 1;
  cudaMalloc((void **)&d_image, (size_t)width * height * sizeof(float));
  scale(d_image, width, height, 0.5f);
  cudaDeviceSynchronize();
  cudaFree(d_image);
  return 0;
}
