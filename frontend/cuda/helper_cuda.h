// Error checks and device selection of the CUDA samples. The checks are defined, because they are facts for the host
// scan: after checkCudaErrors(call) the call has succeeded. What asks the machine is a prototype.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HELPER_CUDA_H
#define HGRD_HELPER_CUDA_H
#pragma GCC system_header
#include "cuda_runtime.h"
#include "helper_string.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

template <class T> const char *_cudaGetErrorEnum(T error);
template <class T> inline void check(T result, const char *const call, const char *const file, const int line) {
  if (result) {
    fprintf(stderr, "%s:%d: error %d in %s\n", file, line, (int)result, call);
    exit(EXIT_FAILURE);
  }
}
inline void __getLastCudaError(const char *text, const char *file, const int line) {
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, text, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
inline void __printLastCudaError(const char *text, const char *file, const int line) {
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, text, cudaGetErrorString(error));
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(text) __getLastCudaError(text, __FILE__, __LINE__)
#define printLastCudaError(text) __printLastCudaError(text, __FILE__, __LINE__)
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif

#ifndef HGRD_HELPER_CUDA_DRVAPI_H
inline int ftoi(float value) { return value >= 0 ? (int)(value + 0.5) : (int)(value - 0.5); }
#endif
int _ConvertSMVer2Cores(int major, int minor);
const char *_ConvertSMVer2ArchName(int major, int minor);
int gpuDeviceInit(int device);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int argc, const char **argv);
int findIntegratedGPU();
bool checkCudaCapabilities(int major, int minor);

#endif
