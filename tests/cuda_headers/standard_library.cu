// The standard library after our declarations of mathematics, and calls of it on both sides.
//@ call: cosf
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <math.h>
#include <random>
#include <string>
#include <vector>

template <class T> __host__ __device__ T both(T x) {
  return sqrt(x) + pow(x, 2) + std::max(x, T(1)) + exp(-x) + std::abs(x) + std::pow(x, T(2)) + floor(x) + isnan(x);
}
__global__ void kernel(float *a, double *b, int n) {
  a[0] = both(a[1]) + cosf(a[2]) + std::sqrt(a[3]) + log(n) + std::min(n, 3) + hypot(a[1], a[2]) + isinf(a[1]);
  b[0] = both(b[1]) + fmod(b[2], 2.0) + std::floor(b[3]) + std::isfinite(b[4]) + round(b[5]) + fmin(a[1], b[1]);
  std::complex<float> z(a[0], a[1]);
  a[4] = (z * z).real() + std::numeric_limits<float>::max() + abs(n) + abs(a[5]) + (float)clock64();
  int *list = new int[4];
  memset(list, 0, 16);
  delete[] list;
}
int main() {
  std::vector<float> v(10, both(1.0f));
  std::sort(v.begin(), v.end());
  std::mt19937 generator;
  v[0] = std::uniform_real_distribution<float>()(generator);
  std::cout << v[0] << both(2.0) << sqrt(2) << std::abs(-2.5) << abs(-3) << max(1, 2) << fabs(-1.f) << floor(1.5f);
  kernel<<<1, 1>>>(v.data(), 0, 1);
  assert(v.size() == 10);
  return EXIT_SUCCESS;
}
