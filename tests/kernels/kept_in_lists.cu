// Of two containers, filled by lists of values, elements are read back beside an allocation that is in both: a std::deque, a std::queue behind its first element.
// Each kernel shifts by one place. apart: the kernel is given an allocation that is in none.
//@ verdict listed_bad: racy
//@ verdict queued_bad: racy
//@ verdict apart_ok: race-free
#include <cuda_runtime.h>
#include <deque>
#include <queue>

__device__ void shift(const float *from, float *to, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) to[i] = from[i + 1]; // expect-race[shift]
}
__global__ void listed_bad(const float *from, float *to, int n) { shift(from, to, n); }
__global__ void queued_bad(const float *from, float *to, int n) { shift(from, to, n); }
__global__ void apart_ok(const float *from, float *to, int n) { shift(from, to, n); } // expect-clean

int main() {
  float *one, *other, *third;
  cudaMalloc(&one, 4096), cudaMalloc(&other, 4096), cudaMalloc(&third, 4096);
  std::deque<float *> values{other, one};
  std::queue<float *> left({other, one});
  left.pop();
  listed_bad<<<4, 256>>>(values[1], one, 1024);
  queued_bad<<<4, 256>>>(left.front(), one, 1024);
  apart_ok<<<4, 256>>>(values[1], third, 1024);
  return 0;
}
