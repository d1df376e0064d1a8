// The address of a variable of the device: cuModuleGetGlobal gives that of the variable named. The kernel reads a variable by its name and is given the
// same one (bad), another one (ok), or a pointer of which nothing is known (unknown), which is assumed to be none of them (A2).
//@ verdict given_ok: race-free
//@ leans given_ok: !A2
//@ verdict given_bad: racy
//@ verdict unknown: race-free
//@ leans unknown: A2
#include <cuda.h>
#include <cuda_runtime.h>

__device__ int buffer[128], other[128];
int *from_elsewhere(const void *symbol);

extern "C" __global__ void given_ok(int *a, int n) { // expect-clean
  int i = threadIdx.x;
  a[i] = buffer[(i + 1) % n];
}
extern "C" __global__ void given_bad(int *a, int n) {
  int i = threadIdx.x;
  a[i] = buffer[(i + 1) % n]; // expect-race
}
__global__ void unknown(int *a, int n) { // expect-clean
  int i = threadIdx.x;
  a[i] = buffer[(i + 1) % n];
}

int main() {
  CUmodule module;
  CUfunction ok, bad;
  CUdeviceptr at_other, at_buffer;
  size_t bytes;
  int n = 64;
  cuModuleLoad(&module, "variables.cubin");
  cuModuleGetFunction(&ok, module, "given_ok");
  cuModuleGetFunction(&bad, module, "given_bad");
  cuModuleGetGlobal(&at_other, &bytes, module, "other");
  cuModuleGetGlobal(&at_buffer, &bytes, module, "buffer");
  void *of_ok[] = {&at_other, &n}, *of_bad[] = {&at_buffer, &n};
  cuLaunchKernel(ok, 1, 1, 1, 64, 1, 1, 0, 0, of_ok, 0);
  cuLaunchKernel(bad, 1, 1, 1, 64, 1, 1, 0, 0, of_bad, 0);
  unknown<<<1, 64>>>(from_elsewhere(&buffer), 64);
}
