// `step` threads work on one point and add their parts one after the other, in the order of a loop that keeps nobody waiting:
// the first writes, the others read and write. So first against read [fr], first against write [fw], read against write
// [rw], write against write [ww]. Any number of threads may share a point, wherever it lies among the blocks, so the two may
// be any two. Mended: the sum is cleared by another kernel and each part is added with atomicAdd.
//@ pairs: exact
//@ verdict tissue: racy
//@ verdict tissue_fixed: race-free
#include <cstdlib>

__global__ void tissue(const float *source, float *sum, int points, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= step * points)
    return;
  int point = i / step, part = i % step;
  float p = 0;
  for (int j = part; j < points; j += step)
    p += source[j] / (1 + abs(point - j));
  if (part == 0)
    sum[point] = p; // expect-race[fr](every) expect-race[fw](every)
  for (int s = 1; s < step; s++)
    if (part == s) {
      float old = sum[point]; // expect-race[fr](every) expect-race[rw](every)
      sum[point] = old + p;   // expect-race[fw](every) expect-race[rw](every) expect-race[ww](every)
    }
}

__global__ void tissue_fixed(const float *source, float *sum, int points, int step) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= step * points)
    return;
  int point = i / step, part = i % step;
  float p = 0;
  for (int j = part; j < points; j += step)
    p += source[j] / (1 + abs(point - j));
  atomicAdd(&sum[point], p);
}

int main(int argc, char **argv) {
  int points = argc > 1 ? atoi(argv[1]) : 1000, step = argc > 2 ? atoi(argv[2]) : 4;
  if (points < 1 || step < 1)
    return 1;
  float *source, *sum;
  cudaMalloc((void **)&source, points * sizeof(float));
  cudaMalloc((void **)&sum, points * sizeof(float));
  tissue<<<(step * points + 255) / 256, 256>>>(source, sum, points, step);
  cudaMemset(sum, 0, points * sizeof(float));
  tissue_fixed<<<(step * points + 255) / 256, 256>>>(source, sum, points, step);
  return 0;
}
