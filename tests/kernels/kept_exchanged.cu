// Steps of objects that are called through a table of virtual functions: what an object's pointers are before is not followed. A step that only
// exchanges them, two or three, leaves each allocation at one place; one that copies the one over the other does not.
//@ verdict two_ok: race-free
//@ leans two_ok: A2
//@ verdict three_ok: race-free
//@ leans three_ok: A2
//@ verdict copied_bad: racy
//@ verdict lost_bad: racy
#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>

__device__ void shift(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = in[i + 1]; // expect-race{{ possible }}
}
__global__ void two_ok(const float *in, float *out, int n) { shift(in, out, n); }   // expect-clean
__global__ void three_ok(const float *in, float *out, int n) { shift(in, out, n); } // expect-clean
__global__ void copied_bad(const float *in, float *out, int n) { shift(in, out, n); }
__global__ void lost_bad(const float *in, float *out, int n) { shift(in, out, n); }

struct Step {
  int n;
  explicit Step(int count) : n(count) {}
  virtual ~Step() = default;
  virtual void advance() = 0;
};
struct Two : Step {
  float *from = nullptr, *to = nullptr;
  explicit Two(int count) : Step(count) {
    cudaMalloc(&from, n * sizeof(float));
    cudaMalloc(&to, n * sizeof(float));
  }
  void advance() override {
    two_ok<<<(n + 255) / 256, 256>>>(from, to, n);
    std::swap(from, to);
  }
};
struct Three : Step {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  explicit Three(int count) : Step(count) {
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
  }
  void advance() override {
    three_ok<<<(n + 255) / 256, 256>>>(a, b, n);
    float *first = a;
    a = b;
    b = c;
    c = first;
  }
};
struct Copied : Step {
  float *left = nullptr, *right = nullptr;
  explicit Copied(int count) : Step(count) {
    cudaMalloc(&left, n * sizeof(float));
    cudaMalloc(&right, n * sizeof(float));
  }
  void advance() override {
    copied_bad<<<(n + 255) / 256, 256>>>(left, right, n);
    left = right;
  }
};
struct Lost : Step {
  float *a = nullptr, *b = nullptr, *c = nullptr;
  explicit Lost(int count) : Step(count) {
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
  }
  void advance() override {
    lost_bad<<<(n + 255) / 256, 256>>>(a, b, n);
    a = b;
    b = c;
    c = a;
  }
};

int main() {
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(std::make_unique<Two>(1000));
  steps.push_back(std::make_unique<Three>(1000));
  steps.push_back(std::make_unique<Copied>(1000));
  steps.push_back(std::make_unique<Lost>(1000));
  for (int round = 0; round < 10; round++)
    for (auto &step : steps)
      step->advance();
  return cudaDeviceSynchronize();
}
