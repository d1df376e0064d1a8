// Numbers that the host computes in ways that are not followed: that a witness may choose two of them freely is a guess.
// listed: width and stride of structs in a vector, which fit together (ok), or do not (bad: possible); all threads write one place (any: definite).
// largest: numbers of a list and the largest of all, which is at least (ok), or the smallest of all (bad: possible).
//@ verdict listed_ok: race-free
//@ known-false-alarm listed_ok: what lies in the structs of a vector is not followed
//@ verdict listed_bad: racy
//@ verdict listed_any: racy
//@ verdict largest_ok: race-free
//@ known-false-alarm largest_ok: that the largest of all is at least each is not followed
//@ verdict largest_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

struct Layer {
  int width, stride;
};

__device__ void row(int *out, int width, int stride) {
  if (threadIdx.x < width) out[blockIdx.x * stride + threadIdx.x] = blockIdx.x; // expect-race[row] {{possible}}
}
__global__ void listed_ok(int *out, int width, int stride) { row(out, width, stride); } // expect-clean
__global__ void listed_bad(int *out, int width, int stride) { row(out, width, stride); }
__global__ void listed_any(int *out, int width, int stride) { out[width + stride] = threadIdx.x; } // expect-race {{definite}}
__global__ void largest_ok(int *out, int width, int stride) { row(out, width, stride); } // expect-clean
__global__ void largest_bad(int *out, int width, int stride) { row(out, width, stride); }

int main(int argc, char **argv) {
  std::vector<Layer> good, bad;
  for (int i = 1; i < argc; i++) {
    int width = atoi(argv[i]);
    Layer fits, overlaps;
    fits.width = overlaps.width = width;
    fits.stride = (width + 31) / 32 * 32;
    overlaps.stride = width / 2;
    good.push_back(fits);
    bad.push_back(overlaps);
  }
  int *out;
  cudaMalloc(&out, 1 << 20);
  for (size_t i = 0; i < good.size(); i++) {
    listed_ok<<<4, 1024>>>(out, good[i].width, good[i].stride);
    listed_any<<<4, 1024>>>(out, good[i].width, good[i].stride);
    listed_bad<<<4, 1024>>>(out, bad[i].width, bad[i].stride);
  }

  int *sizes = (int *)malloc(argc * sizeof(int));
  for (int i = 0; i < argc; i++)
    sizes[i] = atoi(argv[i]);
  int most = 0, least = 1024;
  for (int i = 0; i < argc; i++) {
    most = sizes[i] > most ? sizes[i] : most;
    least = sizes[i] < least ? sizes[i] : least;
  }
  for (int i = 0; i < argc; i++) {
    largest_ok<<<4, 1024>>>(out, sizes[i], most);
    largest_bad<<<4, 1024>>>(out, sizes[i], least);
  }
}
