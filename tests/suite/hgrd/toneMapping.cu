// Each thread writes the four channels of one pixel. No guard; but the grid has width / 16 columns of 16 threads, so that x < width
// and width * y + x is another one for each thread. Broken: the width is rounded up to whole blocks, and the threads
// behind the end of a row write to the start of the next one, each channel to itself [c0] .. [c3].
//@ pairs: exact
//@ verdict toneMapping: race-free
//@ verdict toneMapping_broken: racy
#include <cstdlib>

__global__ void toneMapping(const float *in, float *out, int width, int channels) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float value = in[width * y + x] + x;
  out[width * channels * y + x * channels] = value;
  out[width * channels * y + x * channels + 1] = value * 2;
  out[width * channels * y + x * channels + 2] = value * 3;
  out[width * channels * y + x * channels + 3] = value * 4;
}

__global__ void toneMapping_broken(const float *in, float *out, int width, int channels) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float value = in[width * y + x] + x;
  out[width * channels * y + x * channels] = value;         // expect-race[c0](every)
  out[width * channels * y + x * channels + 1] = value * 2; // expect-race[c1](every)
  out[width * channels * y + x * channels + 2] = value * 3; // expect-race[c2](every)
  out[width * channels * y + x * channels + 3] = value * 4; // expect-race[c3](every)
}

void compress(const float *in, float *out, int width, int height) {
  dim3 block(16, 16), grid(width / 16, height / 16), larger((width + 15) / 16, height / 16);
  toneMapping<<<grid, block>>>(in, out, width, 4);
  toneMapping_broken<<<larger, block>>>(in, out, width, 4);
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  float *in, *out;
  cudaMalloc((void **)&in, width * height * sizeof(float));
  cudaMalloc((void **)&out, 4 * width * height * sizeof(float));
  compress(in, out, width, height);
  return 0;
}
