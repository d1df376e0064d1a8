// Host code with the standard library: sizes of vectors, string to number, min and max, rounding, smart pointers.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

__global__ void k(float *d, int n) { d[n] = 0; }
__global__ void swapped(float *a, float *b) { a[0] = b[0]; }

struct Buffer {
  float *p;
  size_t n;
  explicit Buffer(size_t count) : n(count) { cudaMalloc(&p, n * sizeof(float)); }
  ~Buffer() { cudaFree(p); }
};

class Solver {
  int n_;
  std::vector<float> h_;
  float *d_in_, *d_out_;

public:
  explicit Solver(int n) : n_(n), h_(n) {
    cudaMalloc(&d_in_, n_ * sizeof(float));
    cudaMalloc(&d_out_, n_ * sizeof(float));
  }
  void step() {
    assert(n_ % 128 == 0);
    k<<<n_ / 128, 128>>>(d_out_, n_);
    std::swap(d_in_, d_out_);
  }
  void all(int times) {
    for (int i = 0; i < times; i++) step();
    swapped<<<1, 128>>>(d_in_, d_out_);
  }
};

int main(int argc, char **argv) {
  int n = std::stoi(argv[1]);
  std::vector<int> v(n);
  for (int i = 0; i < n; i++) v[i] = i;
  Buffer b(v.size());
  k<<<(v.size() + 255) / 256, 256>>>(b.p, v.size());
  std::cout << "size " << n << std::endl;
  int g = (int)ceil(n / 64.0), h = std::min(n, 1024);
  k<<<g, h>>>(b.p, n);
  k<<<(int)ceilf((float)n / 32), std::max(32, n)>>>(b.p, n);
  Solver s(n);
  s.all(10);
  auto u = std::make_unique<Buffer>(n);
  k<<<1, 1>>>(u->p, u->n);
  return 0;
}

//@ launch: k<<<(n + 255) / 256, 256>>>(b, n)
//@ has: object  b: allocation of n * 4 bytes
//@ launch: k<<<g, h>>>
//@ has: value   g = 0 <= n ? (n + 63) / 64 : quotient
//@ has: value   h = 1024 < n ? 1024 : n
//@ launch: k<<<0 <= n && n <= 16777216 ? (n + 31) / 32 : quotient, 32 < n ? n : 32>>>
//@ launch: k<<<n / 128, 128>>>((i & 1) == 0
//@ has: [assert] n % 128 == 0
//@ lacks: unknown pointer
//@ launch: swapped<<<
//@ lacks: unknown pointer
//@ launch: k<<<1, 1>>>
//@ has: allocation of n * 4 bytes
