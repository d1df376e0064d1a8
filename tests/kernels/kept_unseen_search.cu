// Two searches of one array, which may give one element. Each kernel shifts by one place. twice: both are for the same; others: for two numbers; apart: two
// elements by their numbers. same: one element by its number.
//@ verdict twice_bad: racy
//@ verdict others_ok: race-free
//@ leans others_ok: A2
//@ verdict same_bad: racy
//@ verdict apart_ok: race-free
#include <algorithm>
#include <cuda_runtime.h>
#include <vector>

__device__ void shift(const float *from, float *to, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) to[i] = from[i + 1]; // expect-race[shift]
}
__global__ void twice_bad(const float *from, float *to, int n) { shift(from, to, n); }
__global__ void others_ok(const float *from, float *to, int n) { shift(from, to, n); } // expect-clean
__global__ void same_bad(const float *from, float *to, int n) { shift(from, to, n); }
__global__ void apart_ok(const float *from, float *to, int n) { shift(from, to, n); } // expect-clean

struct Block {
  float *data;
  int n;
  bool is_used;
};

float *made() {
  float *data;
  cudaMalloc(&data, 4096);
  return data;
}

int main() {
  std::vector<Block> blocks{{made(), 1024, false}, {made(), 2048, false}};
  float *a = std::find_if(blocks.begin(), blocks.end(), [](const Block &b) { return !b.is_used; })->data;
  float *b = std::find_if(blocks.begin(), blocks.end(), [](const Block &b) { return !b.is_used; })->data;
  twice_bad<<<4, 256>>>(a, b, 1024);
  float *c = std::find_if(blocks.begin(), blocks.end(), [](const Block &b) { return b.n == 1024; })->data;
  float *d = std::find_if(blocks.begin(), blocks.end(), [](const Block &b) { return b.n == 2048; })->data;
  others_ok<<<4, 256>>>(c, d, 1024);
  same_bad<<<4, 256>>>(blocks[0].data, blocks[0].data, 1024);
  apart_ok<<<4, 256>>>(blocks[0].data, blocks[1].data, 1024);
  return 0;
}
