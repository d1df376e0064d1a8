// Containers in which the program itself has put the allocation that a kernel is given besides an element, in ways that are not followed: the two are one
// (closure: a known miss). Each kernel shifts by one place. twin: the same of a vector, of which it is told; apart: of a vector that has other allocations.
// copied: a container in a container is copied; kept_not_copied.cu has the twin.
//@ verdict twin_bad: racy
//@ verdict apart_ok: race-free
//@ verdict copied_bad: racy
//@ verdict closure_bad: racy
//@ known-miss closure_bad: what a std::function of a container returns is not followed
#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <string>
#include <vector>

__device__ void shift(float *a, const float *b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) a[i] = b[i + 1]; // expect-race[shift]
}
__global__ void twin_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void apart_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void copied_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void closure_bad(float *a, const float *b, int n) { shift(a, b, n); }

void tables() {
  float *one, *other, *third;
  cudaMalloc(&one, 4096), cudaMalloc(&other, 4096), cudaMalloc(&third, 4096);
  std::vector<float *> twin{other, one};
  twin_bad<<<4, 256>>>(one, twin[1], 1024);
  apart_ok<<<4, 256>>>(third, twin[1], 1024);
}

void copied() {
  float *one;
  cudaMalloc(&one, 4096);
  std::map<int, std::vector<float *>> all;
  all[1].push_back(one);
  all[2] = all[1];
  copied_bad<<<4, 256>>>(all[1][0], all[2][0], 1024);
}

void closure() {
  float *one;
  cudaMalloc(&one, 4096);
  std::map<std::string, std::function<float *()>> all;
  all["a"] = [one] { return one; };
  closure_bad<<<4, 256>>>(one, all["a"](), 1024);
}

int main() {
  tables();
  copied();
  closure();
  return 0;
}
