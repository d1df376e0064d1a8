// Error checks and device selection of the CUDA samples over the driver API; as helper_cuda.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_HELPER_CUDA_DRVAPI_H
#define HGRD_HELPER_CUDA_DRVAPI_H
#pragma GCC system_header
#include "cuda.h"
#include "helper_string.h"
#include <sstream>

#ifndef checkCudaErrors
#define checkCudaErrors(value) __checkCudaErrors(value, __FILE__, __LINE__)
inline void __checkCudaErrors(CUresult result, const char *file, const int line) {
  if (result != CUDA_SUCCESS) {
    fprintf(stderr, "%s:%d: driver error %d\n", file, line, (int)result);
    exit(EXIT_FAILURE);
  }
}
#endif
#ifndef HGRD_HELPER_CUDA_H
inline int ftoi(float value) { return value >= 0 ? (int)(value + 0.5) : (int)(value - 0.5); }
#endif
template <class T> void getCudaAttribute(T *value, CUdevice_attribute attribute, int device);
int _ConvertSMVer2CoresDRV(int major, int minor);
int gpuDeviceInitDRV(int argc, const char **argv);
int gpuGetMaxGflopsDeviceIdDRV();
CUdevice findCudaDeviceDRV(int argc, const char **argv);
CUdevice findIntegratedGPUDrv();
bool checkCudaCapabilitiesDRV(int major, int minor, int device);
bool findFatbinPath(const char *module, std::string &path, char **argv, std::ostringstream &stream);

#endif
