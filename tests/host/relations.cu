// Class 3: dimensions and arguments come from the same value (toneMapping, convolutionSeparable).
__global__ void tone_mapping(const float *in, float *out, int width, int height, int channels) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[width * channels * y + x * channels] = in[width * channels * y + x * channels];
}

void compress(float *in, float *out, int hWidth, int hHeight) {
  dim3 block(16, 16);
  dim3 grid(hWidth / 16, hHeight / 16);
  tone_mapping<<<grid, block>>>(in, out, hWidth, hHeight, 4);
}

__global__ void rows(float *dst, const float *src, int imageW, int imageH, int pitch) {
  dst[blockIdx.y * pitch + blockIdx.x * 128 + threadIdx.x] = src[0];
}

#include <cassert>
extern "C" void convolution_rows(float *dst, float *src, int imageW, int imageH) {
  assert(imageW % (8 * 16) == 0);
  assert(imageH % 4 == 0);
  dim3 blocks(imageW / (8 * 16), imageH / 4);
  dim3 threads(16, 4);
  rows<<<blocks, threads>>>(dst, src, imageW, imageH, imageW);
}

//@ launch: tone_mapping<<<dim3(hWidth / 16, hHeight / 16), dim3(16, 16)>>>(in, out, hWidth, hHeight, 4)
//@ has: [launch] gridDim.x = hWidth / 16 > 0
//@ has: [hardware] gridDim.y <= 65535
//@ launch: rows<<<dim3(imageW / 128, imageH / 4), dim3(16, 4)>>>(dst, src, imageW, imageH, imageW)
//@ has: [assert] imageW % 128 == 0 (relations.cu:19)
//@ has: [assert] imageH % 4 == 0 (relations.cu:20)
