// A row of an image is at most as long as its stride, wherever others see it: where it is less by one the program ends, and nothing
// of it is run afterwards. Twins: members_left_by_exit.cu, members_left_by_jump.cu
//@ verdict rows: race-free
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void rows(int *a, int w, int stride) { // expect-clean
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < w) a[y * stride + x] = x + 7777 * y;
}

struct Image {
  int w, stride, *pixels;
  Image(int n) : w(n), stride(n) { cudaMalloc(&pixels, 4u << 20); }
  void shrink() { w--, stride--; }
  void draw() { rows<<<dim3((w + 255) / 256, 8), 256>>>(pixels, w, stride); }
};
Image *last;
[[noreturn]] __attribute__((noinline)) void die(int c) { exit(c); }
void narrow(Image &image, int n) {
  image.stride--;
  if (n > 5) die(n);
  image.stride++;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 2 || n > 1000) return 1;
  Image *image = new Image(n);
  image->shrink();
  last = image;
  narrow(*image, n);
  image->draw();
}
