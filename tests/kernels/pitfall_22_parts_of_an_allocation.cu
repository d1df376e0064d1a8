// Two arguments made from one allocation: [0, n) and [n, 2n). With m <= n asserted the kernel stays in its parts (ok);
// with an m that nothing ties to n, the write of element i meets the read of n + j for i = n + j (bad).
// pitch: rows of a pitched allocation are at least `width` elements apart (ok); stepping over them by width - 1 elements
// makes the last column of a row the first of the next (bad).
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict pitch_ok: race-free
//@ verdict pitch_bad: racy
#include <cassert>

__global__ void halves_ok(float *to, const float *from, int m) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    to[i] = from[i];
}

__global__ void halves_bad(float *to, const float *from, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    to[i] = from[i]; // expect-race
}

__global__ void pitch_ok(float *image, size_t pitch_bytes, int width) { // expect-clean
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (col < width) {
    float *line = (float *)((char *)image + row * pitch_bytes);
    line[col] *= 2;
  }
}

__global__ void pitch_bad(float *image, size_t pitch_bytes, int width) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (col < width) {
    float *line = image + row * (width - 1);
    line[col] *= 2; // expect-race {{-Winter-block-race}}
  }
}

int main(int argc, char **argv) {
  int n = argc, m = argv[0][0], width = argv[0][1], height = argv[0][2];
  float *buf, *image;
  size_t pitch;
  cudaMalloc((void **)&buf, 2 * (size_t)n * sizeof(float));
  halves_bad<<<(m + 127) / 128, 128>>>(buf, buf + n, m);
  cudaMallocPitch((void **)&image, &pitch, width * sizeof(float), height);
  pitch_ok<<<dim3((width + 127) / 128, height), 128>>>(image, pitch, width);
  pitch_bad<<<dim3((width + 127) / 128, height), 128>>>(image, pitch, width);
  assert(m <= n);
  halves_ok<<<(m + 127) / 128, 128>>>(buf, buf + n, m);
  return 0;
}
