// The driver API: kernels and modules. Machine code is made of the program's own kernels before it starts, so a module that is loaded
// at run time (PTX, cubin, a fat binary) cannot be run: every way of loading one says so. A kernel of the program is a CUfunction by
// cudaGetFuncBySymbol.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/driver.h"

static CUresult no_module(const char *function) {
  return driver_result(host_return(host_refuse(function, "device code that is loaded at run time")));
}

CUresult cuModuleLoad(CUmodule *module, const char *name) {
  (void)module, (void)name;
  return no_module("cuModuleLoad");
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  (void)module, (void)image;
  return no_module("cuModuleLoadData");
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options,
                            void **values) {
  (void)module, (void)image, (void)count, (void)options, (void)values;
  return no_module("cuModuleLoadDataEx");
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  (void)module, (void)image;
  return no_module("cuModuleLoadFatBinary");
}

CUresult cuModuleUnload(CUmodule module) {
  (void)module;
  return CUDA_ERROR_INVALID_HANDLE; // none was ever loaded
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  (void)function, (void)module, (void)name;
  return CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetGlobal(CUdeviceptr *ptr, size_t *bytes, CUmodule module, const char *name) {
  (void)ptr, (void)bytes, (void)module, (void)name;
  return CUDA_ERROR_INVALID_HANDLE;
}

static CUresult launch(CUfunction function, RtRequest request, CUstream stream, void **extra,
                       const char *by) {
  if (extra) return driver_result(host_return(host_refuse(by, "arguments in one buffer")));
  HostKernel *kernel = host_kernel(function);
  if (!kernel) return CUDA_ERROR_INVALID_HANDLE;
  return driver_result(host_return(host_launch(kernel, request, stream)));
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared_bytes, CUstream stream, void **params, void **extra) {
  RtRequest request = {.grid = {grid_x, grid_y, grid_z},
                       .block = {block_x, block_y, block_z},
                       .dynamic_shared_bytes = shared_bytes,
                       .arguments = params};
  return launch(function, request, stream, extra, "cuLaunchKernel");
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **params) {
  RtRequest request = {.grid = {grid_x, grid_y, grid_z},
                       .block = {block_x, block_y, block_z},
                       .dynamic_shared_bytes = shared_bytes,
                       .arguments = params,
                       .is_cooperative = true};
  return launch(function, request, stream, NULL, "cuLaunchCooperativeKernel");
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  struct cudaFuncAttributes a;
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = driver_result(cudaFuncGetAttributes(&a, function));
  if (error) return error;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)a.sharedSizeBytes; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)a.constSizeBytes; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)a.localSizeBytes; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = a.cacheModeCA; return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = a.maxDynamicSharedSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value = a.preferredShmemCarveout;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return driver_result(cudaFuncSetAttribute(function, (enum cudaFuncAttribute)(int)attribute, value));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return driver_result(cudaFuncSetCacheConfig(function, (enum cudaFuncCache)(int)config));
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size,
                                                     size_t shared_bytes) {
  return driver_result(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes));
}
