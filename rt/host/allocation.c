// How does the program get memory of the device, and give it back? Each form is an object of the map (rt/memory_map.h), of which a free of
// the wrong kind, a second free and an address inside are told. Device memory is memory of the process: host code that follows a
// device pointer is not caught. Advice, prefetches and attachments are hints, and do nothing.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/state.h"

#include <string.h>

enum { PITCH = 512 };

static cudaError_t new_object(void **ptr, size_t bytes, RtMemoryKind kind, const char *by) {
  if (!ptr) return cudaErrorInvalidValue;
  *ptr = NULL;
  if (bytes == 0) return cudaSuccess; // a null pointer, as CUDA gives
  *ptr = rt_memory_new(kind, bytes, by);
  if (*ptr) return cudaSuccess;
  uint64_t left = 0, total = 0;
  rt_memory_left(&left, &total);
  host_tell("%s: %zu bytes are not to be had: %llu of %llu are left (HGRD_RUN_MEMORY=BYTES sets how many "
            "there are)",
            by, bytes, (unsigned long long)left, (unsigned long long)total);
  return cudaErrorMemoryAllocation;
}

static const char *kind_name(RtMemoryKind kind) {
  static const char *const names[] = {
      [RT_MEMORY_DEVICE] = "device memory",      [RT_MEMORY_MANAGED] = "managed memory",
      [RT_MEMORY_PINNED] = "pinned memory",      [RT_MEMORY_ARRAY] = "an array",
      [RT_MEMORY_HEAP] = "the heap of kernels",  [RT_MEMORY_REGISTERED] = "registered memory",
      [RT_MEMORY_VARIABLE] = "a device variable"};
  return names[kind];
}

static cudaError_t free_object(void *ptr, RtMemoryKind kind, RtMemoryKind other, const char *function) {
  RtMemory object;
  if (!ptr) return cudaSuccess;
  RtMemoryFreed freed = rt_memory_drop(ptr, kind);
  if (freed == RT_MEMORY_NO_OBJECT && other != kind) freed = rt_memory_drop(ptr, other);
  bool is_object = rt_memory_find((uint64_t)(uintptr_t)ptr, &object);
  switch (freed) {
  case RT_MEMORY_FREED: return cudaSuccess;
  case RT_MEMORY_FREED_BEFORE:
    host_tell("%s: memory that was freed before: %llu bytes from %s (object %llu of the run)", function,
              (unsigned long long)object.bytes, object.by, (unsigned long long)object.number);
    break;
  case RT_MEMORY_INSIDE:
    host_tell("%s: byte %llu of %llu bytes from %s (object %llu of the run), and not where they start",
              function, (unsigned long long)((uint64_t)(uintptr_t)ptr - object.address),
              (unsigned long long)object.bytes, object.by, (unsigned long long)object.number);
    break;
  case RT_MEMORY_NO_OBJECT:
    if (is_object)
      host_tell("%s: %s, from %s", function, kind_name(object.kind), object.by);
    else
      host_tell("%s: an address that is no memory of the device", function);
    break;
  }
  return cudaErrorInvalidValue;
}

cudaError_t cudaMalloc(void **ptr, size_t bytes) {
  return host_return(new_object(ptr, bytes, RT_MEMORY_DEVICE, "cudaMalloc"));
}

cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return host_return(cudaErrorInvalidValue);
  if (bytes == 0) return host_return(cudaErrorInvalidValue);
  return host_return(new_object(ptr, bytes, RT_MEMORY_MANAGED, "cudaMallocManaged"));
}

cudaError_t cudaMallocHost(void **ptr, size_t bytes) {
  return host_return(new_object(ptr, bytes, RT_MEMORY_PINNED, "cudaMallocHost"));
}

cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags) {
  if (flags & ~7u) return host_return(cudaErrorInvalidValue);
  return host_return(new_object(ptr, bytes, RT_MEMORY_PINNED, "cudaHostAlloc"));
}

cudaError_t cudaFree(void *ptr) {
  return host_return(free_object(ptr, RT_MEMORY_DEVICE, RT_MEMORY_MANAGED, "cudaFree"));
}

cudaError_t cudaFreeHost(void *ptr) {
  return host_return(free_object(ptr, RT_MEMORY_PINNED, RT_MEMORY_PINNED, "cudaFreeHost"));
}

static bool pitched_bytes(size_t width, size_t height, size_t depth, size_t *pitch, size_t *bytes) {
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return *pitch >= width && !__builtin_mul_overflow(*pitch, height, bytes) &&
         !__builtin_mul_overflow(*bytes, depth, bytes);
}

cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) {
  size_t bytes = 0;
  if (!pitch || !ptr) return host_return(cudaErrorInvalidValue);
  if (!pitched_bytes(width, height, 1, pitch, &bytes)) return host_return(cudaErrorMemoryAllocation);
  return host_return(new_object(ptr, bytes, RT_MEMORY_DEVICE, "cudaMallocPitch"));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent) {
  size_t bytes = 0, pitch = 0;
  if (!ptr) return host_return(cudaErrorInvalidValue);
  if (!pitched_bytes(extent.width, extent.height, extent.depth, &pitch, &bytes))
    return host_return(cudaErrorMemoryAllocation);
  *ptr = (struct cudaPitchedPtr){NULL, pitch, extent.width, extent.height};
  return host_return(new_object(&ptr->ptr, bytes, RT_MEMORY_DEVICE, "cudaMalloc3D"));
}

// ---- memory of the program itself

cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags) {
  if (!ptr || bytes == 0 || flags & ~15u) return host_return(cudaErrorInvalidValue);
  bool is_new = rt_memory_add((RtMemory){.address = (uint64_t)(uintptr_t)ptr,
                                         .bytes = bytes,
                                         .kind = RT_MEMORY_REGISTERED,
                                         .by = "cudaHostRegister"});
  return host_return(is_new ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void *ptr) {
  if (!ptr) return host_return(cudaErrorInvalidValue);
  RtMemoryFreed freed = rt_memory_drop(ptr, RT_MEMORY_REGISTERED);
  return host_return(freed == RT_MEMORY_FREED ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

static bool is_host_object(const void *ptr, RtMemory *object) {
  return rt_memory_find((uint64_t)(uintptr_t)ptr, object) && object->is_live &&
         (object->kind == RT_MEMORY_PINNED || object->kind == RT_MEMORY_REGISTERED);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) {
  RtMemory object;
  if (!device || flags != 0 || !is_host_object(host, &object)) return host_return(cudaErrorInvalidValue);
  *device = host;
  return host_return(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
  RtMemory object;
  if (!flags || !is_host_object(host, &object)) return host_return(cudaErrorInvalidValue);
  *flags = cudaHostAllocMapped;
  return host_return(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr) {
  RtMemory object = {0};
  if (!attributes) return host_return(cudaErrorInvalidValue);
  *attributes = (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, -2, NULL, (void *)(uintptr_t)ptr};
  if (!rt_memory_find((uint64_t)(uintptr_t)ptr, &object) || !object.is_live) return host_return(cudaSuccess);
  bool is_of_host = object.kind == RT_MEMORY_PINNED || object.kind == RT_MEMORY_REGISTERED;
  bool is_managed = object.kind == RT_MEMORY_MANAGED;
  attributes->type = is_of_host   ? cudaMemoryTypeHost
                     : is_managed ? cudaMemoryTypeManaged
                                  : cudaMemoryTypeDevice;
  attributes->device = 0;
  attributes->devicePointer = (void *)(uintptr_t)ptr;
  if (!is_of_host && !is_managed) attributes->hostPointer = NULL;
  return host_return(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
  uint64_t left = 0, all = 0;
  rt_memory_left(&left, &all);
  if (free_bytes) *free_bytes = left;
  if (total) *total = all;
  return host_return(cudaSuccess);
}

// ---- hints

static cudaError_t check_range(const void *ptr, size_t bytes, RtMemoryKind kind, const char *function) {
  RtMemory object = {0};
  char wrong[384];
  if (!rt_memory_find((uint64_t)(uintptr_t)ptr, &object) || object.kind != kind || bytes == 0)
    return cudaErrorInvalidValue;
  if (!rt_memory_tell((uint64_t)(uintptr_t)ptr, bytes, wrong, sizeof wrong)) return cudaSuccess;
  host_tell("%s: %s", function, wrong);
  return cudaErrorInvalidValue;
}

cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice, int device) {
  if ((unsigned)advice - 1 > 5 || device < -1 || device > 0) return host_return(cudaErrorInvalidValue);
  return host_return(check_range(ptr, bytes, RT_MEMORY_MANAGED, "cudaMemAdvise"));
}

cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device, cudaStream_t stream) {
  if (!host_stream(stream)) return host_return(cudaErrorInvalidResourceHandle);
  if (device < -1 || device > 0) return host_return(cudaErrorInvalidDevice);
  return host_return(check_range(ptr, bytes, RT_MEMORY_MANAGED, "cudaMemPrefetchAsync"));
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_bytes, enum cudaMemRangeAttribute attribute,
                                     const void *ptr, size_t bytes) {
  (void)data, (void)data_bytes, (void)attribute, (void)ptr, (void)bytes;
  return host_return(host_refuse("cudaMemRangeGetAttribute", "where managed memory is"));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t bytes, unsigned int flags) {
  RtMemory object;
  if (!host_stream(stream)) return host_return(cudaErrorInvalidResourceHandle);
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
    return host_return(cudaErrorInvalidValue);
  (void)bytes;
  if (!rt_memory_find((uint64_t)(uintptr_t)ptr, &object) || object.kind != RT_MEMORY_MANAGED)
    return host_return(cudaErrorInvalidValue);
  return host_return(cudaSuccess);
}

// ---- in the order of a stream, from pools: both now

struct CUmemPoolHandle_st {
  unsigned long long threshold;
  int reuse[3];
};

static cudaMemPool_t default_pool(void) {
  host_lock();
  cudaMemPool_t pool = host_state()->pool;
  host_unlock();
  if (pool) return pool;
  pool = host_handle_new(HOST_POOL, sizeof *pool);
  host_lock();
  host_state()->pool = pool;
  host_unlock();
  return pool;
}

static cudaError_t new_in_stream(void **ptr, size_t bytes, cudaStream_t stream, const char *by) {
  cudaStream_t s = host_stream(stream);
  if (!s) return cudaErrorInvalidResourceHandle;
  if (s->graph) return host_refuse(by, "memory that a graph allocates");
  return new_object(ptr, bytes, RT_MEMORY_DEVICE, by);
}

cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream) {
  return host_return(new_in_stream(ptr, bytes, stream, "cudaMallocAsync"));
}

cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  if (!host_handle_is(pool, HOST_POOL)) return host_return(cudaErrorInvalidValue);
  return host_return(new_in_stream(ptr, bytes, stream, "cudaMallocFromPoolAsync"));
}

cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream) {
  cudaStream_t s = host_stream(stream);
  if (!s) return host_return(cudaErrorInvalidResourceHandle);
  if (s->graph) return host_return(host_refuse("cudaFreeAsync", "memory that a graph frees"));
  return host_return(free_object(ptr, RT_MEMORY_DEVICE, RT_MEMORY_MANAGED, "cudaFreeAsync"));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props) {
  if (!pool || !props) return host_return(cudaErrorInvalidValue);
  if (props->handleTypes != cudaMemHandleTypeNone)
    return host_return(host_refuse("cudaMemPoolCreate", "a pool that is shared with other processes"));
  *pool = host_handle_new(HOST_POOL, sizeof **pool);
  return host_return(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (!host_handle_is(pool, HOST_POOL) || pool == default_pool()) return host_return(cudaErrorInvalidValue);
  host_handle_drop(pool);
  return host_return(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value) {
  if (!host_handle_is(pool, HOST_POOL) || !value) return host_return(cudaErrorInvalidValue);
  if (attr >= cudaMemPoolReuseFollowEventDependencies && attr <= cudaMemPoolReuseAllowInternalDependencies)
    memcpy(&pool->reuse[attr - 1], value, sizeof(int));
  else if (attr == cudaMemPoolAttrReleaseThreshold)
    memcpy(&pool->threshold, value, sizeof pool->threshold);
  else if (attr != cudaMemPoolAttrUsedMemHigh && attr != cudaMemPoolAttrReservedMemHigh)
    return host_return(cudaErrorInvalidValue);
  return host_return(cudaSuccess);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value) {
  uint64_t left = 0, total = 0;
  if (!host_handle_is(pool, HOST_POOL) || !value) return host_return(cudaErrorInvalidValue);
  rt_memory_left(&left, &total);
  unsigned long long used = total - left; // of all pools, and what else there is
  if (attr >= cudaMemPoolReuseFollowEventDependencies && attr <= cudaMemPoolReuseAllowInternalDependencies)
    memcpy(value, &pool->reuse[attr - 1], sizeof(int));
  else if (attr == cudaMemPoolAttrReleaseThreshold)
    memcpy(value, &pool->threshold, sizeof pool->threshold);
  else if (attr >= cudaMemPoolAttrReservedMemCurrent && attr <= cudaMemPoolAttrUsedMemHigh)
    memcpy(value, &used, sizeof used);
  else
    return host_return(cudaErrorInvalidValue);
  return host_return(cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  (void)bytes; // nothing is held back
  return host_return(host_handle_is(pool, HOST_POOL) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count) {
  if (!host_handle_is(pool, HOST_POOL) || (count && !list)) return host_return(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; i++)
    if (list[i].location.id != 0) return host_return(cudaErrorInvalidDevice);
  return host_return(cudaSuccess);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
  if (!flags || !location || !host_handle_is(pool, HOST_POOL)) return host_return(cudaErrorInvalidValue);
  if (location->id != 0) return host_return(cudaErrorInvalidDevice);
  *flags = cudaMemAccessFlagsProtReadWrite;
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  if (!pool) return host_return(cudaErrorInvalidValue);
  if (device != 0) return host_return(cudaErrorInvalidDevice);
  *pool = default_pool();
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (device != 0) return host_return(cudaErrorInvalidDevice);
  return host_return(host_handle_is(pool, HOST_POOL) ? cudaSuccess : cudaErrorInvalidValue);
}
