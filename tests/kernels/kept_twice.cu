// Pointers that come out of containers which are not followed: that two of them differ is assumed (A2), unless the
// program itself keeps one allocation at both places. Each kernel shifts by one place, out of one array into the other.
// layers: records with two pointers each, made of two allocations (ok) or of one (bad). named: a map from names to arrays, of which two names
// are given different arrays (ok), or the same (bad). shared: a third member of all records is one allocation, which the kernel is not given (ok).
// listed: a vector of arrays; each is made for its place (ok), or one is put there in a loop (bad).
//@ verdict layers_ok: race-free
//@ verdict layers_bad: racy
//@ verdict named_ok: race-free
//@ leans named_ok: A2
//@ verdict named_bad: racy
//@ verdict shared_ok: race-free
//@ verdict listed_ok: race-free
//@ verdict listed_bad: racy
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <vector>

__device__ void shift(float *a, const float *b, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) a[i] = b[i + 1]; // expect-race[shift]
}
__global__ void layers_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void layers_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void named_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void named_bad(float *a, const float *b, int n) { shift(a, b, n); }
__global__ void shared_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void listed_ok(float *a, const float *b, int n) { shift(a, b, n); } // expect-clean
__global__ void listed_bad(float *a, const float *b, int n) { shift(a, b, n); }

struct Layer {
  float *in, *out;
  int n;
};
struct InPlace {
  float *in, *out;
  int n;
};
struct Step {
  float *from, *to, *scratch;
  int n;
};

void layers() {
  float *act, *other, *same;
  cudaMalloc(&act, 400000);
  cudaMalloc(&other, 400000);
  cudaMalloc(&same, 400000);
  std::vector<Layer> net;
  std::vector<InPlace> in_place;
  for (int i = 0; i < 10; i++) {
    net.push_back({act, other, 10000});
    in_place.push_back({same, same, 10000});
  }
  for (auto &l : net) layers_ok<<<(l.n + 255) / 256, 256>>>(l.out, l.in, l.n);
  for (auto &l : in_place) layers_bad<<<(l.n + 255) / 256, 256>>>(l.out, l.in, l.n);
}

void named() {
  float *act;
  cudaMalloc(&act, 400000);
  std::map<std::string, float *> t;
  float *one, *two;
  cudaMalloc(&one, 400000);
  cudaMalloc(&two, 400000);
  std::map<std::string, float *> apart;
  apart["x"] = one;
  apart["y"] = two;
  named_ok<<<40, 256>>>(apart["y"], apart["x"], 10000);
  t["x"] = act;
  t["y"] = act;
  named_bad<<<40, 256>>>(t["y"], t["x"], 10000);
}

void steps() {
  float *scratch, *from, *to;
  cudaMalloc(&scratch, 400000);
  cudaMalloc(&from, 400000);
  cudaMalloc(&to, 400000);
  std::vector<Step> steps;
  for (int i = 0; i < 10; i++) steps.push_back({from, to, scratch, 10000});
  for (auto &s : steps) shared_ok<<<(s.n + 255) / 256, 256>>>(s.to, s.from, s.n);
}

void listed() {
  float *row;
  cudaMalloc(&row, 400000);
  std::vector<float *> rows, own;
  for (int i = 0; i < 10; i++) {
    float *fresh;
    cudaMalloc(&fresh, 400000);
    own.push_back(fresh);
  }
  for (int i = 1; i < (int)own.size(); i++) listed_ok<<<40, 256>>>(own[i], own[i - 1], 10000);
  for (int i = 0; i < 10; i++) rows.push_back(row);
  for (int i = 1; i < (int)rows.size(); i++) listed_bad<<<40, 256>>>(rows[i], rows[i - 1], 10000);
}

int main() {
  layers();
  named();
  steps();
  listed();
  return 0;
}
