// A loop of the host that goes on until its iterator is the end has not passed it: what it reads there has been put in before.
// each: out of one array into the other (ok), in the first step out of one into itself (bad).
// steps: behind work on a map, of two of the arrays (ok), of one (bad).
//@ verdict each_ok: race-free
//@ verdict each_bad: racy
//@ verdict steps_ok: race-free
//@ verdict steps_bad: racy
#include <map>
#include <string>
#include <vector>
__device__ void shift(float *a, const float *b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) a[i] = b[i + 1]; // expect-race[shift]
}
__global__ void each_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void each_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void steps_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void steps_bad(float *a, const float *b, int n) { shift(a, b, n); }

struct Step {
  float *from, *to, *scratch;
  int n;
};
float *made() {
  float *array;
  cudaMalloc(&array, 40000);
  return array;
}
void each() {
  float *a = made(), *b = made();
  std::vector<Step> apart, mixed;
  for (int i = 0; i < 10; i++) {
    apart.push_back({a, b, a, 10000});
    mixed.push_back({a, i ? b : a, a, 10000});
  }
  for (auto &s : apart) each_ok<<<40, 256>>>(s.to, s.from, s.n);
  for (auto &s : mixed) each_bad<<<40, 256>>>(s.to, s.from, s.n);
}
void steps() {
  std::map<std::string, float *> named;
  named["x"] = made();
  float *a = made(), *b = made();
  std::vector<Step> steps;
  for (int i = 0; i < 10; i++) steps.push_back({a, b, a, 10000});
  for (auto &s : steps) steps_ok<<<(s.n + 255) / 256, 256>>>(s.to, s.from, s.n);
  for (auto &s : steps) steps_bad<<<(s.n + 255) / 256, 256>>>(s.scratch, s.from, s.n);
}
int main() {
  each();
  steps();
  cudaDeviceSynchronize();
}
