// Pointers that the host looks up by a key: one key finds one element, whatever the container. Keys that are different constants find
// different ones (A8); of others it is not known. What is looked up among few numbers may not be just any number: such a race is possible.
//@ verdict same_bad: racy
//@ verdict names_bad: racy
//@ verdict pool_bad: racy
//@ verdict apart_ok: race-free
//@ verdict numbers_ok: race-free
//@ leans apart_ok: A2
//@ verdict number_bad: racy
//@ verdict strides_bad: racy
#include <list>
#include <map>
#include <set>
#include <string>

__device__ void shift(int *a, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i + 1]; // expect-race[inter-block, possible]
}
__global__ void same_bad(int *a, const int *b, int n) { shift(a, b, n); }
__global__ void names_bad(int *a, const int *b, int n) { shift(a, b, n); }
__global__ void pool_bad(int *a, const int *b, int n) { shift(a, b, n); }
__global__ void apart_ok(int *a, const int *b, int n) { shift(a, b, n); }   // expect-clean
__global__ void numbers_ok(int *a, const int *b, int n) { shift(a, b, n); } // expect-clean
__global__ void number_bad(int *a, const int *b, int n) { shift(a, b, n); }
__global__ void strides_bad(int *a, int stride) { a[threadIdx.x * stride] = threadIdx.x; } // expect-race[intra-block, possible]

static int *fresh(int n) {
  int *q;
  cudaMalloc(&q, n * 4 + 4);
  return q;
}

struct Pool {
  std::map<std::string, int *> all;
  void add(const char *name, int n) { all[name] = fresh(n); }
  int *get(const char *name) { return all[name]; }
};

int main(int argc, char **argv) {
  int n = 1000;
  std::map<std::string, int *> m;
  for (int i = 1; i < argc; i++)
    m[argv[i]] = fresh(n);
  same_bad<<<4, 256>>>(m["a"], m["a"], n);
  apart_ok<<<4, 256>>>(m["a"], m["b"], n);
  names_bad<<<4, 256>>>(m[argv[1]], m[argv[argc - 1]], n);
  Pool pool;
  pool.add("in", n);
  pool.add("out", n);
  pool_bad<<<4, 256>>>(pool.get("in"), pool.get("in"), n);

  std::map<int, int *> numbered;
  numbered[1] = fresh(n);
  numbered[2] = fresh(n);
  numbers_ok<<<4, 256>>>(numbered[1], numbered[2], n);
  number_bad<<<4, 256>>>(numbered[1], numbered[1], n);

  std::set<int> strides;
  strides.insert(argc);
  strides.insert(4);
  int *out = fresh(4096);
  for (int stride : strides)
    strides_bad<<<1, 64>>>(out, stride);
  return cudaDeviceSynchronize();
}
