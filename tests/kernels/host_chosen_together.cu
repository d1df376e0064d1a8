// Which of several arrays two pointers are that loops of the host move, each by itself, is known; which choices go together is not: a race that needs
// two choices is possible, one that needs a single one is definite.
// four: pointers hand their arrays round in ways that hang on a number, four of them (ok, a false alarm: they are never one); one of two takes the
// place of the other for good (bad).
//@ verdict four_ok: racy
//@ known-false-alarm four_ok: orders of more than three pointers that change places are not followed
//@ verdict four_bad: racy
#include <cuda_runtime.h>
#include <utility>

__device__ void shift(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) out[i] = in[i - 1]; // expect-race[four_ok] {{possible}} // expect-race[four_bad] {{definite}}
}
__global__ void four_ok(const float *in, float *out, int n) { shift(in, out, n); }
__global__ void four_bad(const float *in, float *out, int n) { shift(in, out, n); }

void relax(int n, const int *ways, int rounds) {
  float *a, *b, *c, *d, *e;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&e, n * sizeof(float));
  float *first = a;
  for (int i = 0; i < rounds; i++) {
    four_ok<<<(n + 255) / 256, 256>>>(a, b, n);
    if (ways[i]) std::swap(a, c);
    if (ways[i] > 1) std::swap(b, d);
    if (ways[i] > 2) std::swap(c, d);
  }
  for (int i = 0; i < rounds; i++) {
    four_bad<<<(n + 255) / 256, 256>>>(e, first, n);
    if (ways[i] == 3) e = first;
  }
}
