// A row of an image is at most as long as its stride, wherever others see it: but for who jumps out of the function that has lessened the
// stride by one (longjmp), perhaps from a function that it calls. Twin: members_left_for_good.cu
//@ verdict rows: racy
#include <cstdlib>
#include <cuda_runtime.h>
#include <csetjmp>
__global__ void rows(int *a, int w, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < w) a[y * stride + x] = x + 7777 * y; // expect-race{{possible}}
}

struct Image {
  int w, stride, *pixels;
  Image(int n) : w(n), stride(n) { cudaMalloc(&pixels, 4u << 20); }
  void shrink() { w--, stride--; }
  void draw() { rows<<<dim3((w + 255) / 256, 8), 256>>>(pixels, w, stride); }
};
jmp_buf start;
__attribute__((noinline)) void leave(int c) {
  if (c > 5) longjmp(start, 1);
}
void narrow(Image &image, int n) {
  image.stride--;
  leave(n);
  image.stride++;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n < 2 || n > 1000) return 1;
  Image *image = new Image(n);
  image->shrink();
  if (!setjmp(start)) narrow(*image, n);
  image->draw();
}
