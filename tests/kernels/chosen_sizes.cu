// The sizes of a grid come from the file's settings, if there are any, else from others: whichever they are, a place is
// x + y * width + z * width * height of one and the same sizes.
//   chosen: the sizes bound the threads; in the twin the threads go one too far along x.
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
#include <cstdlib>

struct Box {
  int first[3], last[3];
};

#define WIDTH (last0 - first0 + 1)
#define HEIGHT (last1 - first1 + 1)

__global__ void chosen_ok(int first0, int last0, int first1, int last1, int first2, int last2, float *out) {
  // expect-clean
  int i = first0 + 2 + threadIdx.x + blockIdx.x * blockDim.x;
  int j = first1 + 2 + threadIdx.y + blockIdx.y * blockDim.y;
  int k = first2 + 2 + threadIdx.z + blockIdx.z * blockDim.z;
  if (i < last0 - 1 && j < last1 - 1 && k < last2 - 1)
    out[-(first0 + WIDTH * first1 + WIDTH * HEIGHT * first2) + i + WIDTH * j + WIDTH * HEIGHT * k] *= 2;
}

__global__ void chosen_bad(int first0, int last0, int first1, int last1, int first2, int last2, float *out) {
  int i = first0 + threadIdx.x + blockIdx.x * blockDim.x;
  int j = first1 + threadIdx.y + blockIdx.y * blockDim.y;
  int k = first2 + threadIdx.z + blockIdx.z * blockDim.z;
  if (i < last0 + 2 && j < last1 && k < last2)
    out[-(first0 + WIDTH * first1 + WIDTH * HEIGHT * first2) + i + WIDTH * j + WIDTH * HEIGHT * k] *= 2; // expect-race
}

void grid(const char *setting, int n, float *out) {
  Box box = {{1, 1, 1}, {n, n, n}};
  if (setting) {
    int from = atoi(setting);
    if (from > 0)
      for (int a = 0; a < 3; a++)
        box.first[a] = from + a;
    else
      box.last[2] = n / 2;
  }
  dim3 blocks(16, 16, 16), threads(64, 2, 2);
  chosen_ok<<<blocks, threads>>>(box.first[0], box.last[0], box.first[1], box.last[1], box.first[2], box.last[2], out);
  chosen_bad<<<blocks, threads>>>(box.first[0], box.last[0], box.first[1], box.last[1], box.first[2], box.last[2], out);
}
