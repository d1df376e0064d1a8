// A future of the C++ library waits on words that are read as atomic ones at places that are not followed: the launch behind it is read all the same.
//@ verdict apart_ok: race-free
//@ verdict same_bad: racy
#include <future>
__device__ void shift(float *a, const float *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) a[i] = b[i + 1]; // expect-race[shift]
}
__global__ void apart_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void same_bad(float *a, const float *b, int n) { shift(a, b, n); }
struct Arrays {
  float *a, *b;
  int n;
};
float *made() {
  float *array;
  cudaMalloc(&array, 1 << 20);
  return array;
}
int main() {
  Arrays x = {made(), made(), 0};
  auto counted = std::async([&x] { x.n = 6400; });
  counted.get();
  apart_ok<<<100, 64>>>(x.a, x.b, x.n);
  same_bad<<<100, 64>>>(x.a, x.a, x.n);
  cudaDeviceSynchronize();
}
