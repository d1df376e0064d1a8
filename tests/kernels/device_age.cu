// No device is older than those that the compiler has code for: two dimensions of blocks for devices of the third kind are never launched
// (young_ok, code_ok), for those of the eighth they may be (young_bad), and so they may be of code (code_bad).
//@ verdict young_ok: race-free
//@ verdict young_bad: racy
//@ verdict code_ok: race-free
//@ verdict code_bad: racy
#include <cuda_runtime.h>

__global__ void young_ok(float *out, int n) { // expect-clean
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] += 1;
}

__global__ void young_bad(float *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] += 1; // expect-race
}

__global__ void code_ok(float *out, int n) { // expect-clean
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] += 1;
}

__global__ void code_bad(float *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] += 1; // expect-race
}

void run(int n) {
  float *out;
  cudaMalloc(&out, n * sizeof(float));
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  cudaFuncAttributes code;
  cudaFuncGetAttributes(&code, young_ok);
  int blocks = (n + 127) / 128, major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  dim3 flat(blocks), high = dim3(256, (blocks + 255) / 256);
  young_ok<<<(prop.major < 3 || major < 5) && blocks > 256 ? high : flat, 128>>>(out, n);
  young_bad<<<prop.major < 8 && blocks > 256 ? high : flat, 128>>>(out, n);
  code_ok<<<code.ptxVersion < 30 && blocks > 256 ? high : flat, 128>>>(out, n);
  code_bad<<<code.binaryVersion < 80 && blocks > 256 ? high : flat, 128>>>(out, n);
}
