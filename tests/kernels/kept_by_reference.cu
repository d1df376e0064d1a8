// The host edits tables of pointers in place, with what comes by reference: iterators of a container, closures, an object of std::function.
// Each kernel is given an element and one allocation, and shifts by one place. bad: that allocation may be what the edit puts there; ok: it puts
// another one there, and nothing else is given the one that the kernel writes.
//@ verdict by_function_ok: race-free
//@ verdict by_function_bad: racy
//@ verdict by_closure_ok: race-free
//@ verdict by_closure_bad: racy
//@ verdict by_object_ok: race-free
//@ verdict by_object_bad: racy
#include <algorithm>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

__device__ void shift(float *a, const float *b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) a[i] = b[i + 1]; // expect-race[shift]
}
__global__ void by_function_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void by_function_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void by_closure_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void by_closure_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void by_object_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void by_object_bad(float *a, const float *b, int n) { shift(a, b, n); }

template <class Iterator, class Value>
void substitute(Iterator at, Iterator end, Value old, const Value &value) {
  for (; at != end; ++at)
    if (*at == old) *at = value;
}


void function_ok() {
  float *to, *first, *second, *third;
  cudaMalloc(&to, 4096), cudaMalloc(&first, 4096), cudaMalloc(&second, 4096), cudaMalloc(&third, 4096);
  std::vector<float *> table{first, second};
  substitute(table.begin(), table.end(), second, third);
  by_function_ok<<<4, 256>>>(to, table[1], 1024);
}

void function_bad() {
  float *to, *first, *second, *third;
  cudaMalloc(&to, 4096), cudaMalloc(&first, 4096), cudaMalloc(&second, 4096), cudaMalloc(&third, 4096);
  std::vector<float *> table{first, second};
  substitute(table.begin(), table.end(), second, to);
  by_function_bad<<<4, 256>>>(to, table[1], 1024);
}

void closure_ok() {
  float *to, *first, *second, *third;
  cudaMalloc(&to, 4096), cudaMalloc(&first, 4096), cudaMalloc(&second, 4096), cudaMalloc(&third, 4096);
  std::vector<float *> table{first, second, first};
  std::for_each(table.begin(), table.end(), [&](float *&at) {
    if (at == second) at = third;
  });
  by_closure_ok<<<4, 256>>>(to, table[1], 1024);
}

void closure_bad() {
  float *to, *first, *second, *third;
  cudaMalloc(&to, 4096), cudaMalloc(&first, 4096), cudaMalloc(&second, 4096), cudaMalloc(&third, 4096);
  std::vector<float *> table{first, second, first};
  std::for_each(table.begin(), table.end(), [&](float *&at) {
    if (at == second) at = to;
  });
  by_closure_bad<<<4, 256>>>(to, table[1], 1024);
}

void object_ok() {
  float *to, *first, *second, *third;
  cudaMalloc(&to, 4096), cudaMalloc(&first, 4096), cudaMalloc(&second, 4096), cudaMalloc(&third, 4096);
  std::vector<float *> table{first, second, first};
  std::function<void(float *&)> edit = [&](float *&at) {
    if (at == second) at = third;
  };
  for (auto &at : table) edit(at);
  by_object_ok<<<4, 256>>>(to, table[1], 1024);
}

void object_bad() {
  float *to, *first, *second, *third;
  cudaMalloc(&to, 4096), cudaMalloc(&first, 4096), cudaMalloc(&second, 4096), cudaMalloc(&third, 4096);
  std::vector<float *> table{first, second, first};
  std::function<void(float *&)> edit = [&](float *&at) {
    if (at == second) at = to;
  };
  for (auto &at : table) edit(at);
  by_object_bad<<<4, 256>>>(to, table[1], 1024);
}

int main() {
  function_ok();
  function_bad();
  closure_ok();
  closure_bad();
  object_ok();
  object_bad();
  return 0;
}
