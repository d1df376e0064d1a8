// The driver API: devices, contexts (there is one, always current), streams, events, errors.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/driver.h"
#include "rt/host/state.h"

#include <stdio.h>
#include <string.h>

struct CUctx_st {
  int device;
};

static CUcontext the_context(void) {
  static const struct CUctx_st context = {0};
  return (CUcontext)(uintptr_t)&context;
}

CUresult cuInit(unsigned int flags) {
  return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version) {
  return driver_result(cudaDriverGetVersion(version));
}

static const char *error_name(CUresult error) {
#define HOST_DRIVER_ERROR(name) {name, #name},
  static const struct {
    int error;
    const char *name;
  } rows[] = {
#include "rt/host/driver_errors.def"
  };
#undef HOST_DRIVER_ERROR
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].error == (int)error) return rows[i].name;
  return NULL;
}

CUresult cuGetErrorName(CUresult error, const char **text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = error_name(error);
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = error_name(error) ? cudaGetErrorString((cudaError_t)(int)error) : NULL;
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// ---- the device

static CUresult check_device(const void *out, CUdevice device) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  CUresult error = check_device(device, ordinal);
  if (!error) *device = 0;
  return error;
}

CUresult cuDeviceGetCount(int *count) {
  return driver_result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  struct cudaDeviceProp prop;
  CUresult error = check_device(name, device);
  if (error || length <= 0) return error ? error : CUDA_ERROR_INVALID_VALUE;
  error = driver_result(cudaGetDeviceProperties(&prop, 0));
  if (!error) (void)snprintf(name, (size_t)length, "%s", prop.name);
  return error;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  CUresult error = check_device(uuid, device);
  if (!error) memset(uuid, 0, sizeof *uuid);
  return error;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  CUresult error = check_device(bytes, device);
  return error ? error : driver_result(cudaMemGetInfo(NULL, bytes));
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  return driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)(int)attribute, device));
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice device) {
  struct cudaDeviceProp p;
  CUresult error = check_device(prop, device);
  if (!error) error = driver_result(cudaGetDeviceProperties(&p, 0));
  if (error) return error;
  *prop = (CUdevprop){.maxThreadsPerBlock = p.maxThreadsPerBlock,
                      .sharedMemPerBlock = (int)p.sharedMemPerBlock,
                      .totalConstantMemory = (int)p.totalConstMem,
                      .SIMDWidth = p.warpSize,
                      .memPitch = (int)p.memPitch,
                      .regsPerBlock = p.regsPerBlock,
                      .clockRate = p.clockRate,
                      .textureAlign = (int)p.textureAlignment};
  memcpy(prop->maxThreadsDim, p.maxThreadsDim, sizeof p.maxThreadsDim);
  memcpy(prop->maxGridSize, p.maxGridSize, sizeof p.maxGridSize);
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  CUresult error = driver_result(cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device));
  return error ? error
               : driver_result(cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return driver_result(cudaDeviceCanAccessPeer(can, device, peer));
}

// ---- contexts

static CUresult give_context(CUcontext *context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = the_context();
  return CUDA_SUCCESS;
}

static CUresult is_context(CUcontext context) {
  return !context || context == the_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  CUresult error = check_device(context, device);
  return error ? error : give_context(context);
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return device == 0 ? driver_result(cudaDeviceReset()) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  (void)flags;
  return cuDevicePrimaryCtxRetain(context, device);
}

CUresult cuCtxDestroy(CUcontext context) {
  return is_context(context);
}

CUresult cuCtxDetach(CUcontext context) {
  return is_context(context);
}

CUresult cuCtxPushCurrent(CUcontext context) {
  return is_context(context);
}

CUresult cuCtxPopCurrent(CUcontext *context) {
  return context ? give_context(context) : CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return is_context(context);
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  return give_context(context);
}

CUresult cuCtxGetDevice(CUdevice *device) {
  return driver_result(cudaGetDevice(device));
}

CUresult cuCtxSynchronize(void) {
  return driver_result(cudaDeviceSynchronize());
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return driver_result(cudaDeviceSetLimit((enum cudaLimit)(int)limit, value));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  return driver_result(cudaDeviceGetLimit(value, (enum cudaLimit)(int)limit));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return driver_result(cudaDeviceSetCacheConfig((enum cudaFuncCache)(int)config));
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  (void)peer, (void)flags;
  return CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
  if (!version || is_context(context)) return version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

// ---- streams and events

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  return driver_result(cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
  return driver_result(cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream) {
  return driver_result(cudaStreamDestroy(stream));
}

CUresult cuStreamSynchronize(CUstream stream) {
  return driver_result(cudaStreamSynchronize(stream));
}

CUresult cuStreamQuery(CUstream stream) {
  return driver_result(cudaStreamQuery(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return driver_result(cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  return host_stream(stream) ? give_context(context) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr ptr, size_t bytes, unsigned int flags) {
  return driver_result(cudaStreamAttachMemAsync(stream, driver_pointer(ptr), bytes, flags));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  return driver_result(cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event) {
  return driver_result(cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return driver_result(cudaEventRecord(event, stream));
}

CUresult cuEventQuery(CUevent event) {
  return driver_result(cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event) {
  return driver_result(cudaEventSynchronize(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
  return driver_result(cudaEventElapsedTime(ms, start, end));
}

CUresult cuProfilerStart(void) {
  return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void) {
  return CUDA_SUCCESS;
}
