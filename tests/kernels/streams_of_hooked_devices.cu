// A call through a pointer may make another device current, which a wait for "the device" is then for (bad); in front of the copy, and of the wait as well, it does not matter what is current (ok).
//@ verdict before_ok: race-free
//@ verdict between_bad: racy
#include <cuda_runtime.h>

__global__ void before_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void between_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race

static void other() { cudaSetDevice(1); }
static void rest() {}
void (*hooks[2])() = {rest, other};

static int *zeros() {
  int *to;
  cudaMalloc(&to, 1024);
  cudaMemset(to, 0, 1024);
  cudaDeviceSynchronize();
  return to;
}

int main(int argc, char **) {
  int *a, *places;
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaMalloc(&a, 2048);
  cudaMallocHost(&places, 1024);
  for (int i = 0; i < 256; i++)
    places[i] = i;

  int *one = zeros();
  cudaMemcpyAsync(one, places, 1024, cudaMemcpyHostToDevice, s);
  cudaDeviceSynchronize();
  before_ok<<<1, 256, 0, t>>>(a, one);

  int *two = zeros();
  cudaMemcpyAsync(two, places, 1024, cudaMemcpyHostToDevice, s);
  hooks[argc & 1]();
  cudaDeviceSynchronize();
  between_bad<<<1, 256, 0, t>>>(a, two);
}
