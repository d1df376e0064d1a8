// A pair is taken apart into two variables by a tuple of references to them: the references pass through structs in structs,
// and each store goes to the variable that was tied.
//   apart: both are the thread's own; in the twin one is the block's.
//@ verdict apart_ok: race-free
//@ verdict apart_bad: racy
#include <thrust/pair.h>
#include <thrust/tuple.h>

static __device__ thrust::pair<float, float> moments(float sum, float squares, int n) {
  return thrust::pair<float, float>(sum / n, squares / n);
}

__global__ void apart_ok(const float *sums, float *mean, float *deviation, int n) {
  // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m, square;
  thrust::tie(m, square) = moments(sums[2 * i], sums[2 * i + 1], n);
  mean[i] = m;
  deviation[i] = sqrtf(square - m * m);
}

__global__ void apart_bad(const float *sums, float *mean, float *deviation, int n) {
  __shared__ float square;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m;
  thrust::tie(m, square) = moments(sums[2 * i], sums[2 * i + 1], n); // expect-race[square]
  mean[i] = m;
  deviation[i] = sqrtf(square - m * m); // expect-race[square]
}
