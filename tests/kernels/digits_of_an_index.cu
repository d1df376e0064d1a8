// A thread's number is taken apart into the places of a matrix in a struct: row of 36, then `id % 36 / 9`, `id % 9 / 3`
// and `id % 3`, each a digit of the number, which together say which one it is.
//   place_ok:  all digits are used, so no two threads of any launch store to one place.
//   place_bad: the digit of 9 is taken of `id % 18`, so threads 0 and 18 store to one place of link 0.
//@ verdict place_ok: race-free
//@ verdict place_bad: racy
#include <cuda_runtime.h>

struct Number {
  float real, imaginary;
};
struct Site {
  struct {
    Number e[3][3];
  } link[4];
  int at[4], index, pad[3];
};

template <int BELOW> __device__ void place(Site *c, int total) {
  int id = blockDim.x * blockIdx.x + threadIdx.x, i = id / 36;
  if (i >= total) return;
  int j = (id % BELOW) / 9, k = (id % 9) / 3, l = id % 3;
  Number one = {1.f * id, 2.f * id};
  c[i].link[j].e[k][l] = one; // expect-race[places]
}
__global__ void place_ok(Site *c, int total) { place<36>(c, total); } // expect-clean
__global__ void place_bad(Site *c, int total) { place<18>(c, total); }

void run(size_t width, int threads) {
  Site *c;
  size_t total = width * width * width * width;
  int bytes = sizeof(Site) * total;
  if (threads == 0) threads = 36;
  cudaMalloc(&c, bytes);
  place_ok<<<total, threads>>>(c, total);
  place_bad<<<total, threads>>>(c, total);
}
