// Pointers that a class puts at more members than are looked at: a pointer that is handed on twice may be at any two of them. Each kernel shifts 100
// words by one place. wide: an object that is given two arrays (ok), or one of them twice (bad).
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
#include <cuda_runtime.h>
#include <memory>
#include <vector>

__device__ void shift(int *to, const int *from) {
  if (threadIdx.x < 99) to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race {{possible}}
}
__global__ void wide_ok(int *to, const int *from) { shift(to, from); } // expect-clean
__global__ void wide_bad(int *to, const int *from) { shift(to, from); }

#define FIVE(F, n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4)
#define FORTY(F) FIVE(F, 1) FIVE(F, 2) FIVE(F, 3) FIVE(F, 4) FIVE(F, 5) FIVE(F, 6) FIVE(F, 7) FIVE(F, 8)
#define MEMBER(n) int *to##n;
#define SET(n) to##n = to;
struct Step {
  virtual void run() = 0;
  virtual ~Step() {}
};
struct WideOk : Step {
  FORTY(MEMBER)
  int *from;
  WideOk(int *to, int *from) : from(from) { FORTY(SET) }
  void run() override { wide_ok<<<1, 128>>>(to84, from); }
};
struct WideBad : Step {
  FORTY(MEMBER)
  int *from;
  WideBad(int *to, int *from) : from(from) { FORTY(SET) }
  void run() override { wide_bad<<<1, 128>>>(to84, from); }
};

int main() {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(std::make_unique<WideOk>(a, b));
  steps.push_back(std::make_unique<WideBad>(a, a));
  for (auto &step : steps)
    step->run();
  cudaDeviceSynchronize();
}
