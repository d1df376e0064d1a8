// An allocation that a kernel is given twice is one thing in both places: where it may be a pointer that was read back, it is that in both. Each kernel
// shifts by one place. once: given once beside a word of a table that it may have been put into; twice: and once more; fresh: the table was empty. ok: another one is put there.
//@ verdict once_ok: race-free
//@ verdict once_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict fresh_ok: race-free
//@ verdict fresh_bad: racy
#include <cuda_runtime.h>

__device__ void shift(const float *in, float *mark, float *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) out[i] = in[i + 1]; // expect-race[shift]
  if (i == n - 1) mark[2048] = 1;
}
__global__ void once_ok(const float *in, float *mark, float *out, int n) { shift(in, mark, out, n); } // expect-clean
__global__ void once_bad(const float *in, float *mark, float *out, int n) { shift(in, mark, out, n); }
__global__ void twice_ok(const float *in, float *mark, float *out, int n) { shift(in, mark, out, n); } // expect-clean
__global__ void twice_bad(const float *in, float *mark, float *out, int n) { shift(in, mark, out, n); }
__global__ void fresh_ok(const float *in, float *mark, float *out, int n) { shift(in, mark, out, n); } // expect-clean
__global__ void fresh_bad(const float *in, float *mark, float *out, int n) { shift(in, mark, out, n); }

struct Table {
  float *word[4];
  void put(int i, float *const &data) {
    if (i >= 0 && i < 4) word[i] = data;
  }
};

void apart(int at) {
  float *first, *out, *other, *mark;
  cudaMalloc(&first, 16384), cudaMalloc(&out, 16384), cudaMalloc(&other, 16384), cudaMalloc(&mark, 16384);
  Table *table = new Table;
  for (int i = 0; i < 4; i++)
    table->word[i] = first;
  table->put(at, other);
  once_ok<<<4, 256>>>(table->word[1], mark, out, 1024);
  Table *fresh = new Table;
  fresh->put(at, other);
  fresh_ok<<<4, 256>>>(fresh->word[1], mark, out, 1024);
  twice_ok<<<4, 256>>>(table->word[1], out, out, 1024);
}

void together(int at) {
  float *first, *out, *mark;
  cudaMalloc(&first, 16384), cudaMalloc(&out, 16384), cudaMalloc(&mark, 16384);
  Table *table = new Table;
  for (int i = 0; i < 4; i++)
    table->word[i] = first;
  table->put(at, out);
  once_bad<<<4, 256>>>(table->word[1], mark, out, 1024);
  Table *fresh = new Table;
  fresh->put(at, out);
  fresh_bad<<<4, 256>>>(fresh->word[1], mark, out, 1024);
  twice_bad<<<4, 256>>>(table->word[1], out, out, 1024);
}

int main(int argc, char **argv) {
  apart(argc);
  together(argc);
  return 0;
}
