// All ways to launch: cooperative, with an array of arguments, with a configuration, through kernel pointers, switch.
#include <cooperative_groups.h>
#include <cstdlib>

struct Params {
  float *data;
  int n;
  double scale;
  int extra[6];
};
__global__ void coop(float *a, int n) { a[n] = 0; }
__global__ void takes_struct(Params p) { p.data[p.n] = p.extra[2]; }
__global__ void k1(float *a, int n) { a[n] = 1; }
__global__ void k2(float *a, int n) { a[n] = 2; }
template <int B> __global__ void sized(float *a, int n) { a[n] = B; }
__global__ void dyn(float *a, int n) {
  extern __shared__ float s[];
  a[n] = s[0];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *a;
  cudaMalloc(&a, n * 4);
  void *args[] = {&a, &n};
  cudaLaunchCooperativeKernel((void *)coop, dim3(n / 32), dim3(32), args, 0, 0);
  cudaLaunchKernel((void *)k1, dim3(n / 64), dim3(64), args, 128, 0);

  Params p;
  p.data = a;
  p.n = n;
  p.extra[2] = 5;
  takes_struct<<<1, 32>>>(p);

  void (*f)(float *, int) = argc > 2 ? k1 : k2;
  f<<<n / 128, 128>>>(a, n);

  switch (n) {
  case 512: sized<512><<<1, n>>>(a, n); break;
  case 256:
  case 128: sized<256><<<1, n>>>(a, n); break;
  default: sized<1><<<1, n>>>(a, n);
  }
  dyn<<<1, n, n * sizeof(float)>>>(a, n);

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(n / 16);
  config.blockDim = dim3(16, 2);
  config.dynamicSmemBytes = 64;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, k2, a, n);
  return 0;
}

//@ launch: coop<<<n / 32, 32>>>(a, n)
//@ has: cooperative
//@ launch: k1<<<n / 64, 64, 128>>>(a, n)
//@ lacks: cooperative
//@ launch: takes_struct<<<1, 32>>>({0: a, 8: n, 32: 5})
//@ lacks: undecided:
//@ launch: k1<<<n / 128, 128>>>(a, n)
//@ has: 2 < argc
//@ launch: k2<<<n / 128, 128>>>(a, n)
//@ has: argc <= 2
//@ launch: sized<512><<<
//@ has: [assert] n == 512
//@ launch: sized<256><<<
//@ has: n == 256 || n == 128
//@ launch: sized<1><<<
//@ has: [assert] n != 512
//@ has: [assert] n != 256
//@ has: [assert] n != 128
//@ launch: dyn<<<1, n, n * 4>>>
//@ launch: k2<<<n / 16, dim3(16, 2), 64>>>(a, n)
//@ has: cooperative
