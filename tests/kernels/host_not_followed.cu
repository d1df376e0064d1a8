// Host code that is not followed to the launch.
// thread: two threads of the host launch, one after the other; the flag that is waited for is cleared between them (ok), is up when the second one
// launches (bad).
// listed: of objects in a list that have virtual functions one gives the array that the kernel reads (bad), or none does (ok).
// thrown: behind an exception that is thrown before one pointer is set to the other (ok), behind it (bad).
//@ verdict thread_ok: race-free
//@ verdict thread_bad: racy
//@ known-miss thread_bad: what a thread of the host is given is not followed to its launch
//@ verdict listed_ok: race-free
//@ verdict listed_bad: racy
//@ verdict thrown_ok: race-free
//@ known-false-alarm thrown_ok: that the number which is caught tells where it was thrown is not followed
//@ verdict thrown_bad: racy
#include <cuda_runtime.h>
#include <memory>
#include <thread>
#include <vector>

__device__ void pass_on(int *data, volatile int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 5;
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0];
  }
}
__device__ void move_on(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) to[i] = from[i + 1]; // expect-race[moved]
}
__global__ void thread_ok(int *data, int *flag, int *out) { pass_on(data, flag, out); } // expect-clean
__global__ void thread_bad(int *data, int *flag, int *out) { pass_on(data, flag, out); }
__global__ void listed_ok(float *to, const float *from, int n) { move_on(to, from, n); } // expect-clean
__global__ void listed_bad(float *to, const float *from, int n) { move_on(to, from, n); }
__global__ void thrown_ok(float *to, const float *from, int n) { move_on(to, from, n); } // expect-clean
__global__ void thrown_bad(float *to, const float *from, int n) { move_on(to, from, n); }

struct Owner {
  float *own = nullptr;
  virtual float *array() const { return own; }
  virtual ~Owner() {}
};
float *common;
struct Sharer : Owner {
  float *array() const override { return common; }
};

int main(int argc, char **argv) {
  int *data, *flag, *out;
  float *a, *b;
  cudaMalloc(&data, 64);
  cudaMalloc(&flag, 64);
  cudaMalloc(&out, 64);
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMalloc(&common, 4096);
  for (int i = 0; i < 2; i++) {
    cudaMemset(flag, 0, 64);
    std::thread([=] { thread_ok<<<2, 32>>>(data, flag, out); }).join();
  }
  cudaMemset(flag, 0, 64);
  for (int i = 0; i < 2; i++)
    std::thread([=] { thread_bad<<<2, 32>>>(data, flag, out); }).join();
  std::vector<std::unique_ptr<Owner>> owners;
  owners.push_back(std::make_unique<Owner>());
  owners.push_back(std::make_unique<Sharer>());
  cudaMalloc(&owners[0]->own, 4096);
  listed_ok<<<4, 256>>>(owners[0]->array(), common, 1024);
  listed_bad<<<4, 256>>>(owners[1]->array(), common, 1024);
  float *x = a, *y = b;
  try {
    if (argc > 2) throw 1;
    y = a;
    throw 2;
  } catch (int where) {
    if (where == 2)
      thrown_bad<<<4, 256>>>(x, y, 1024);
    else
      thrown_ok<<<4, 256>>>(x, y, 1024);
  }
  cudaDeviceSynchronize();
}
