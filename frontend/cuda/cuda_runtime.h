// The C++ side of the runtime API over cuda_runtime_api.h: typed allocation, symbols, kernels as function values,
// texture references on the host. Each template only converts and calls the C function, so that after inlining the
// host scan sees one form. A .cu file has all of this already; a plain C or C++ host file gets it by including.
// Left out: cudaKernel_t handles, host classes for graphs.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_RUNTIME_H
#define HGRD_CUDA_RUNTIME_H
#pragma GCC system_header
#include "crt/host_defines.h"
#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus
// ---- typed allocation and copies ------------------------------------------------------------------------------------
template <class T> static inline __host__ __device__ cudaError_t cudaMalloc(T **ptr, size_t bytes) {
  return cudaMalloc((void **)(void *)ptr, bytes);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **ptr, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)(void *)ptr, bytes, flags);
}
template <class T> static inline cudaError_t cudaMallocHost(T **ptr, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)(void *)ptr, bytes, flags);
}
static inline cudaError_t cudaMallocHost(void **ptr, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(ptr, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **ptr, size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void **)(void *)ptr, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T> static inline cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch((void **)(void *)ptr, pitch, width, height);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **ptr, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)(void *)ptr, bytes, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)ptr, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)ptr, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, src, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **ptr, const T &symbol) {
  return cudaGetSymbolAddress(ptr, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

// ---- kernels --------------------------------------------------------------------------------------------------------
template <class F>
static inline cudaError_t cudaLaunchKernel(F *function, dim3 grid, dim3 block, void **args, size_t shared_bytes = 0,
                                           cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)function, grid, block, args, shared_bytes, stream);
}
template <class F>
static inline cudaError_t cudaLaunchCooperativeKernel(F *function, dim3 grid, dim3 block, void **args,
                                                      size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)function, grid, block, args, shared_bytes, stream);
}
template <class F> static inline cudaError_t cudaFuncSetAttribute(F *function, cudaFuncAttribute attr, int value) {
  return cudaFuncSetAttribute((const void *)function, attr, value);
}
template <class F> static inline cudaError_t cudaFuncSetCacheConfig(F *function, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)function, config);
}
template <class F> static inline cudaError_t cudaFuncSetSharedMemConfig(F *function, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <class F> static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *function) {
  return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <class F>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, F *function, int blocks,
                                                                    int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks, block_size);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F function, int block_size,
                                                                        size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size, shared_bytes);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F function,
                                                                                 int block_size, size_t shared_bytes,
                                                                                 unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, block_size,
                                                                shared_bytes, flags);
}
// The block size it finds is anything: a value of the machine.
extern "C" cudaError_t __hgrd_max_potential_block_size(int *min_grid, int *block, const void *function) noexcept;
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block, F function, size_t = 0,
                                                             int = 0) {
  return __hgrd_max_potential_block_size(min_grid, block, (const void *)function);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block, F function, size_t = 0,
                                                                      int = 0, unsigned int = 0) {
  return __hgrd_max_potential_block_size(min_grid, block, (const void *)function);
}
template <class S, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block, F function, S,
                                                                         int = 0) {
  return __hgrd_max_potential_block_size(min_grid, block, (const void *)function);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, F *function, const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxActiveClusters(clusters, (const void *)function, config);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, F *function,
                                                               const cudaLaunchConfig_t *config) {
  return cudaOccupancyMaxPotentialClusterSize(size, (const void *)function, config);
}
#if __cplusplus >= 201103L
template <class... Params, class... Args>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Params...),
                                             Args &&...args) {
  return [&](Params... values) {
    void *list[sizeof...(Params) + 1] = {(void *)&values..., nullptr};
    return cudaLaunchKernelExC(config, (const void *)kernel, list);
  }(static_cast<Args &&>(args)...);
}
#endif

// ---- streams, events, graphs ----------------------------------------------------------------------------------------
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *, char *,
                                               size_t) {
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                           const void *, size_t count, cudaGraphNodeParams *params) {
  return cudaGraphAddNode(node, graph, after, count, params);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *,
                                              cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  *result = info.result;
  return error;
}
static inline cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, cudaMemoryAdvise advice,
                                        cudaMemLocation location) {
  return cudaMemAdvise(ptr, bytes, advice, location.id);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, cudaMemLocation location, unsigned int,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(ptr, bytes, location.id, stream);
}

// ---- channel descriptors and texture references ---------------------------------------------------------------------
// A scalar is its own element; a vector's element is that of its x.
template <class T, bool is_vector = __is_class(T)> struct __hgrd_channel {
  typedef T element;
};
template <class T> struct __hgrd_channel<T, true> {
  typedef __typeof__(T::x) element;
};
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef typename __hgrd_channel<T>::element E;
  int bits = 8 * (int)sizeof(E), lanes = (int)(sizeof(T) / sizeof(E));
  return cudaCreateChannelDesc(bits, lanes > 1 ? bits : 0, lanes > 2 ? bits : 0, lanes > 3 ? bits : 0,
                               (E)0.5f != (E)0   ? cudaChannelFormatKindFloat
                               : (E)-1 < (E)0    ? cudaChannelFormatKindSigned
                                                 : cudaChannelFormatKindUnsigned);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#ifdef __CUDA__
#define HGRD_TEXTURE_TYPE __attribute__((device_builtin_texture_type))
#define HGRD_SURFACE_TYPE __attribute__((device_builtin_surface_type))
#else
#define HGRD_TEXTURE_TYPE
#define HGRD_SURFACE_TYPE
#endif
template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct HGRD_TEXTURE_TYPE texture : public textureReference {
#if __cplusplus >= 201103L
  texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{norm, filter, {address, address, address}, cudaCreateChannelDesc<T>(), 0, 0,
                         cudaFilterModePoint, 0, 0, 0} {}
  texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc desc)
      : textureReference{norm, filter, {address, address, address}, desc, 0, 0, cudaFilterModePoint, 0, 0, 0} {}
#endif
};
template <class T, int dim = 1> struct HGRD_SURFACE_TYPE surface : public surfaceReference {};

template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, type, mode> &tex, const void *ptr,
                                          const cudaChannelFormatDesc &desc, size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, &tex, ptr, &desc, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, type, mode> &tex, const void *ptr,
                                          size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, &tex, ptr, &tex.channelDesc, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &tex, const void *ptr,
                                            const cudaChannelFormatDesc &desc, size_t width, size_t height,
                                            size_t pitch) {
  return cudaBindTexture2D(offset, &tex, ptr, &desc, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &tex, const void *ptr,
                                            size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, &tex, ptr, &tex.channelDesc, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode> &tex, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &desc) {
  return cudaBindTextureToArray(&tex, array, &desc);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode> &tex, cudaArray_const_t array) {
  return cudaBindTextureToArray(&tex, array, &tex.channelDesc);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode> &tex) {
  return cudaUnbindTexture(&tex);
}
template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &surf, cudaArray_const_t array) {
  return cudaBindSurfaceToArray(&surf, array, &surf.channelDesc);
}
#endif // __cplusplus

#endif
