// Where more pointers are handed on twice than are looked at, any two that come back may be in one allocation. The kernel shifts 100 words by
// one place, in one array. With few of them: pointers_handed_on_twice.cu.
//@ verdict later_bad: racy
#include <cuda_runtime.h>
#include <memory>
#include <vector>

__global__ void later_bad(int *to, const int *from) {
  if (threadIdx.x < 99) to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race {{possible}}
}

#define TEN(F, n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
#define HUNDRED(F) TEN(F, 0) TEN(F, 1) TEN(F, 2) TEN(F, 3) TEN(F, 4) TEN(F, 5) TEN(F, 6) TEN(F, 7) TEN(F, 8) TEN(F, 9)
#define MEMBER(n) int *at##n;
#define SET(n) all->at##n = array;
struct All {
  HUNDRED(MEMBER)
};
void fill(All *all, int *array) { HUNDRED(SET) }

struct Step {
  virtual void run() = 0;
  virtual ~Step() {}
};
struct Later : Step {
  int *to, *from;
  Later(int *to, int *from) : to(to), from(from) {}
  void run() override { later_bad<<<1, 128>>>(to, from); }
};

int main() {
  int *a;
  cudaMalloc(&a, 4096);
  All all;
  fill(&all, a);
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(std::make_unique<Later>(a, a));
  for (auto &step : steps)
    step->run();
  cudaDeviceSynchronize();
}
