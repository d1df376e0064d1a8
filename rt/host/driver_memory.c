// The driver API: memory, copies, fills.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/driver.h"

#include <string.h>

static CUresult give_pointer(CUdeviceptr *ptr, void *made, cudaError_t error) {
  if (!error) *ptr = (CUdeviceptr)(uintptr_t)made;
  return driver_result(error);
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total) {
  return driver_result(cudaMemGetInfo(free_bytes, total));
}

CUresult cuMemAlloc(CUdeviceptr *ptr, size_t bytes) {
  void *made = NULL;
  if (!ptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaMalloc(&made, bytes);
  return give_pointer(ptr, made, error);
}

CUresult cuMemAllocPitch(CUdeviceptr *ptr, size_t *pitch, size_t width, size_t height, unsigned int element) {
  void *made = NULL;
  if (!ptr || (element != 4 && element != 8 && element != 16)) return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaMallocPitch(&made, pitch, width, height);
  return give_pointer(ptr, made, error);
}

CUresult cuMemAllocManaged(CUdeviceptr *ptr, size_t bytes, unsigned int flags) {
  void *made = NULL;
  if (!ptr) return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaMallocManaged(&made, bytes, flags);
  return give_pointer(ptr, made, error);
}

CUresult cuMemAllocAsync(CUdeviceptr *ptr, size_t bytes, CUstream stream) {
  void *made = NULL;
  if (!ptr) return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaMallocAsync(&made, bytes, stream);
  return give_pointer(ptr, made, error);
}

CUresult cuMemFree(CUdeviceptr ptr) {
  return driver_result(cudaFree(driver_pointer(ptr)));
}

CUresult cuMemFreeAsync(CUdeviceptr ptr, CUstream stream) {
  return driver_result(cudaFreeAsync(driver_pointer(ptr), stream));
}

CUresult cuMemAllocHost(void **ptr, size_t bytes) {
  return driver_result(cudaMallocHost(ptr, bytes));
}

CUresult cuMemFreeHost(void *ptr) {
  return driver_result(cudaFreeHost(ptr));
}

CUresult cuMemHostAlloc(void **ptr, size_t bytes, unsigned int flags) {
  return driver_result(cudaHostAlloc(ptr, bytes, flags));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags) {
  void *made = NULL;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = cudaHostGetDevicePointer(&made, host, flags);
  return give_pointer(device, made, error);
}

CUresult cuMemHostRegister(void *ptr, size_t bytes, unsigned int flags) {
  return driver_result(cudaHostRegister(ptr, bytes, flags));
}

CUresult cuMemHostUnregister(void *ptr) {
  return driver_result(cudaHostUnregister(ptr));
}

CUresult cuMemPrefetchAsync(CUdeviceptr ptr, size_t bytes, CUdevice device, CUstream stream) {
  return driver_result(cudaMemPrefetchAsync(driver_pointer(ptr), bytes, device, stream));
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr ptr) {
  RtMemory object;
  if (!rt_memory_find(ptr, &object) || !object.is_live) return CUDA_ERROR_NOT_FOUND;
  if (base) *base = object.address;
  if (bytes) *bytes = object.bytes;
  return CUDA_SUCCESS;
}

static CUresult pointer_type(void *data, const struct cudaPointerAttributes *a) {
  unsigned type = a->type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  memcpy(data, &type, sizeof type);
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  struct cudaPointerAttributes a;
  CUcontext context = NULL;
  unsigned is_managed;
  if (!data) return CUDA_ERROR_INVALID_VALUE;
  CUresult error = driver_result(cudaPointerGetAttributes(&a, driver_pointer(ptr)));
  if (error) return error;
  if (a.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
  is_managed = a.type == cudaMemoryTypeManaged;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    (void)cuCtxGetCurrent(&context);
    memcpy(data, &context, sizeof context);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return pointer_type(data, &a);
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    memcpy(data, &a.devicePointer, sizeof a.devicePointer);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (!a.hostPointer) return CUDA_ERROR_INVALID_VALUE;
    memcpy(data, &a.hostPointer, sizeof a.hostPointer);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: memcpy(data, &is_managed, sizeof is_managed); return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: memcpy(data, &a.device, sizeof a.device); return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_BUFFER_ID: break;
  }
  return driver_result(host_return(host_refuse("cuPointerGetAttribute", "this attribute")));
}

// ---- copies

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return driver_result(cudaMemcpy(driver_pointer(dst), driver_pointer(src), bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return driver_result(
      cudaMemcpyAsync(driver_pointer(dst), driver_pointer(src), bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes) {
  return driver_result(cudaMemcpy(driver_pointer(dst), src, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes) {
  return driver_result(cudaMemcpy(dst, driver_pointer(src), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return driver_result(cudaMemcpy(driver_pointer(dst), driver_pointer(src), bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream) {
  return driver_result(cudaMemcpyAsync(driver_pointer(dst), src, bytes, cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return driver_result(cudaMemcpyAsync(dst, driver_pointer(src), bytes, cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream) {
  return driver_result(
      cudaMemcpyAsync(driver_pointer(dst), driver_pointer(src), bytes, cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                      size_t bytes) {
  (void)dst_context, (void)src_context;
  return cuMemcpyDtoD(dst, src, bytes);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context,
                           size_t bytes, CUstream stream) {
  (void)dst_context, (void)src_context;
  return cuMemcpyDtoDAsync(dst, src, bytes, stream);
}

// One end of a 2D copy; arrays of the driver API are the runtime's.
static CUresult rows_end(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array, size_t x,
                         size_t y, size_t pitch, const CUDA_MEMCPY2D *copy, HostSide *side) {
  const struct cudaArray *a = (const struct cudaArray *)array;
  switch (type) {
  case CU_MEMORYTYPE_HOST: *side = (HostSide){(char *)(uintptr_t)host + y * pitch + x, pitch, 0}; break;
  case CU_MEMORYTYPE_DEVICE:
  case CU_MEMORYTYPE_UNIFIED:
    *side = (HostSide){(char *)driver_pointer(device) + y * pitch + x, pitch, 0};
    break;
  case CU_MEMORYTYPE_ARRAY:
    if (!host_handle_is(a, HOST_ARRAY)) return CUDA_ERROR_INVALID_HANDLE;
    if (x + copy->WidthInBytes > a->pitch || y + copy->Height > host_array_rows(a))
      return CUDA_ERROR_INVALID_VALUE;
    *side = (HostSide){a->data + y * a->pitch + x, a->pitch, 0};
    break;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
  return side->pitch && side->pitch < copy->WidthInBytes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult copy_rows(const CUDA_MEMCPY2D *c, CUstream stream, const char *function) {
  if (!c) return CUDA_ERROR_INVALID_VALUE;
  HostWork work = {.kind = HOST_COPY, .copy = {.width = c->WidthInBytes, .height = c->Height, .depth = 1}};
  CUresult error = rows_end(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY,
                            c->dstPitch, c, &work.copy.to);
  if (!error)
    error = rows_end(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY,
                     c->srcPitch, c, &work.copy.from);
  if (error) return error;
  bool is_to = c->dstMemoryType == CU_MEMORYTYPE_DEVICE, is_from = c->srcMemoryType == CU_MEMORYTYPE_DEVICE;
  enum cudaMemcpyKind kind = is_to && is_from ? cudaMemcpyDeviceToDevice
                             : is_to          ? cudaMemcpyHostToDevice
                             : is_from        ? cudaMemcpyDeviceToHost
                                              : cudaMemcpyDefault;
  cudaError_t wrong = host_copy_check(&work.copy, kind, function);
  if (!wrong && c->WidthInBytes && c->Height) wrong = host_submit(stream, &work);
  return driver_result(host_return(wrong));
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) {
  return copy_rows(copy, NULL, "cuMemcpy2D");
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) {
  return copy_rows(copy, NULL, "cuMemcpy2DUnaligned");
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) {
  return copy_rows(copy, stream, "cuMemcpy2DAsync");
}

// ---- fills

static CUresult fill(CUdeviceptr ptr, uint32_t value, uint32_t element, size_t count, CUstream stream,
                     const char *function) {
  HostWork work = {.kind = HOST_FILL, .fill = {{driver_pointer(ptr), 0, 0}, count, 1, 1, value, element}};
  if (ptr % element != 0) return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = host_fill_check(&work.fill, function);
  return driver_result(host_return(error || count == 0 ? error : host_submit(stream, &work)));
}

CUresult cuMemsetD8(CUdeviceptr ptr, unsigned char value, size_t count) {
  return fill(ptr, value, 1, count, NULL, "cuMemsetD8");
}

CUresult cuMemsetD16(CUdeviceptr ptr, unsigned short value, size_t count) {
  return fill(ptr, value, 2, count, NULL, "cuMemsetD16");
}

CUresult cuMemsetD32(CUdeviceptr ptr, unsigned int value, size_t count) {
  return fill(ptr, value, 4, count, NULL, "cuMemsetD32");
}

CUresult cuMemsetD8Async(CUdeviceptr ptr, unsigned char value, size_t count, CUstream stream) {
  return fill(ptr, value, 1, count, stream, "cuMemsetD8Async");
}

CUresult cuMemsetD32Async(CUdeviceptr ptr, unsigned int value, size_t count, CUstream stream) {
  return fill(ptr, value, 4, count, stream, "cuMemsetD32Async");
}

// ---- arrays

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc) {
  cudaArray_t made = NULL;
  if (!array || !desc || desc->NumChannels < 1 || desc->NumChannels > 4) return CUDA_ERROR_INVALID_VALUE;
  int bits = desc->Format & CU_AD_FORMAT_FLOAT || desc->Format == CU_AD_FORMAT_UNSIGNED_INT32 ||
                     desc->Format == CU_AD_FORMAT_SIGNED_INT32
                 ? 32
             : desc->Format == CU_AD_FORMAT_UNSIGNED_INT8 || desc->Format == CU_AD_FORMAT_SIGNED_INT8 ? 8
                                                                                                      : 16;
  bool is_real = desc->Format == CU_AD_FORMAT_FLOAT || desc->Format == CU_AD_FORMAT_HALF;
  bool is_signed = desc->Format >= CU_AD_FORMAT_SIGNED_INT8 && desc->Format <= CU_AD_FORMAT_SIGNED_INT32;
  unsigned lanes = desc->NumChannels;
  struct cudaChannelFormatDesc channels = {bits, lanes > 1 ? bits : 0, lanes > 2 ? bits : 0,
                                           lanes > 3 ? bits : 0,
                                           is_real     ? cudaChannelFormatKindFloat
                                           : is_signed ? cudaChannelFormatKindSigned
                                                       : cudaChannelFormatKindUnsigned};
  cudaError_t error = cudaMallocArray(&made, &channels, desc->Width, desc->Height, 0);
  if (!error) *array = (CUarray)made;
  return driver_result(error);
}

CUresult cuArrayDestroy(CUarray array) {
  return driver_result(cudaFreeArray((cudaArray_t)array));
}
