// Two pointers that change places in the innermost of several loops of the host are two at all times. rounds: the launch is as large as a number says that
// is read in the loop around, so that what is found out first is what happens in the inner loops (ok); one of them takes the place of both once (bad).
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
#include <cstdlib>
#include <cuda_runtime.h>

template <typename T> void exchange(T &a, T &b) {
  T held = a;
  a = b;
  b = held;
}

__device__ void shift(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) out[i] = in[i - 1]; // expect-race[shift] {{possible}}
}
__global__ void rounds_ok(const float *in, float *out, int n) { shift(in, out, n); } // expect-clean
__global__ void rounds_bad(const float *in, float *out, int n) { shift(in, out, n); }

int main(int argc, char **argv) {
  int n = atoi(argv[1]), levels = atoi(argv[2]), warps = atoi(argv[3]), steps = atoi(argv[4]);
  if (n < 1 || levels < 1 || levels > 8) return 1;
  int *size = new int[levels];
  for (int level = levels - 1, here = n; level >= 0; level--, here /= 2) size[level] = here;
  float *a, *b, *c, *d;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  for (int level = 0; level < levels; level++)
    for (int warp = 0; warp < warps; warp++) {
      cudaMemset(a, 0, n * sizeof(float));
      cudaMemset(b, 0, n * sizeof(float));
      for (int step = 0; step < steps; step++) {
        rounds_ok<<<(size[level] + 255) / 256, 256>>>(a, b, size[level]);
        exchange(a, b);
      }
    }
  for (int level = 0; level < levels; level++)
    for (int warp = 0; warp < warps; warp++) {
      cudaMemset(c, 0, n * sizeof(float));
      for (int step = 0; step < steps; step++) {
        rounds_bad<<<(size[level] + 255) / 256, 256>>>(c, d, size[level]);
        exchange(c, d);
      }
      if (warp == 7) c = d;
    }
}
