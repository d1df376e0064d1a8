// The C functions of the CUDA runtime API, for host code in C, C++ and .cu files; prototypes only. The host scan knows
// allocations, copies and launches among them by name. All are marked nothrow, so that launches do not become invokes.
// Those that device code may call too (dynamic parallelism, __host__ __device__ helpers) stand in the second part.
// Left out: external memory, EGL, most graph node setters, profiler control (cuda_profiler_api.h).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_RUNTIME_API_H
#define HGRD_CUDA_RUNTIME_API_H
#pragma GCC system_header
#include "driver_types.h"
#include "hgrd_default_stream.h"

#ifdef __cplusplus
#define HGRD_OR(value) = value
extern "C" {
#else
#define HGRD_OR(value)
#endif
#define HGRD_NOTHROW __attribute__((nothrow))

// ---- memory ---------------------------------------------------------------------------------------------------------
cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags HGRD_OR(cudaMemAttachGlobal)) HGRD_NOTHROW;
cudaError_t cudaMallocHost(void **ptr, size_t bytes) HGRD_NOTHROW;
cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaFreeHost(void *ptr) HGRD_NOTHROW;
cudaError_t cudaHostRegister(void *ptr, size_t bytes, unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaHostUnregister(void *ptr) HGRD_NOTHROW;
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) HGRD_NOTHROW;
cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) HGRD_NOTHROW;
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent) HGRD_NOTHROW;
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height HGRD_OR(0), unsigned int flags HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
                              unsigned int flags HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap,
                                       unsigned int level) HGRD_NOTHROW;
cudaError_t cudaFreeArray(cudaArray_t array) HGRD_NOTHROW;
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) HGRD_NOTHROW;
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array) HGRD_NOTHROW;
cudaError_t cudaMallocAsync(void **ptr, size_t bytes, cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props) HGRD_NOTHROW;
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) HGRD_NOTHROW;
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value) HGRD_NOTHROW;
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value) HGRD_NOTHROW;
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) HGRD_NOTHROW;
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count) HGRD_NOTHROW;
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) HGRD_NOTHROW;
cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool, enum cudaMemAllocationHandleType type,
                                               unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 enum cudaMemAllocationHandleType type,
                                                 unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *ptr) HGRD_NOTHROW;
cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData *data) HGRD_NOTHROW;
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) HGRD_NOTHROW;
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) HGRD_NOTHROW;
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) HGRD_NOTHROW;
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) HGRD_NOTHROW;
cudaError_t cudaMemAdvise(const void *ptr, size_t bytes, enum cudaMemoryAdvise advice, int device) HGRD_NOTHROW;
cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t bytes, int device,
                                 cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_bytes, enum cudaMemRangeAttribute attribute,
                                     const void *ptr, size_t bytes) HGRD_NOTHROW;
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr) HGRD_NOTHROW;
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr) HGRD_NOTHROW;
cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle, unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaIpcCloseMemHandle(void *ptr) HGRD_NOTHROW;
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) HGRD_NOTHROW;
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) HGRD_NOTHROW;

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) HGRD_NOTHROW;
cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) HGRD_NOTHROW;
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters) HGRD_NOTHROW;
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *parameters) HGRD_NOTHROW;
cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes) HGRD_NOTHROW;
cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t bytes,
                                cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind) HGRD_NOTHROW;
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) HGRD_NOTHROW;
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) HGRD_NOTHROW;
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind) HGRD_NOTHROW;
cudaError_t cudaMemset(void *ptr, int value, size_t bytes) HGRD_NOTHROW;
cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height) HGRD_NOTHROW;
cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent) HGRD_NOTHROW;
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset HGRD_OR(0),
                               enum cudaMemcpyKind kind HGRD_OR(cudaMemcpyHostToDevice)) HGRD_NOTHROW;
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset HGRD_OR(0),
                                 enum cudaMemcpyKind kind HGRD_OR(cudaMemcpyDeviceToHost)) HGRD_NOTHROW;
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol) HGRD_NOTHROW;
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) HGRD_NOTHROW;

// ---- device ---------------------------------------------------------------------------------------------------------
cudaError_t cudaSetDevice(int device) HGRD_NOTHROW;
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaSetDeviceFlags(unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaGetDeviceFlags(unsigned int *flags) HGRD_NOTHROW;
cudaError_t cudaSetValidDevices(int *devices, int count) HGRD_NOTHROW;
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop) HGRD_NOTHROW;
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) HGRD_NOTHROW;
cudaError_t cudaDeviceReset(void) HGRD_NOTHROW;
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) HGRD_NOTHROW;
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) HGRD_NOTHROW;
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) HGRD_NOTHROW;
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus) HGRD_NOTHROW;
cudaError_t cudaDeviceGetPCIBusId(char *bus, int length, int device) HGRD_NOTHROW;
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) HGRD_NOTHROW;
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src_device,
                                      int dst_device) HGRD_NOTHROW;
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) HGRD_NOTHROW;
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaDeviceDisablePeerAccess(int peer) HGRD_NOTHROW;
cudaError_t cudaThreadExit(void) HGRD_NOTHROW;
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope) HGRD_NOTHROW;
cudaError_t cudaCtxResetPersistingL2Cache(void) HGRD_NOTHROW;
cudaError_t cudaDriverGetVersion(int *version) HGRD_NOTHROW;

// ---- streams and events ---------------------------------------------------------------------------------------------
cudaError_t cudaStreamCreate(cudaStream_t *stream) HGRD_NOTHROW;
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) HGRD_NOTHROW;
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) HGRD_NOTHROW;
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) HGRD_NOTHROW;
cudaError_t cudaStreamSynchronize(cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaStreamQuery(cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t bytes HGRD_OR(0),
                                     unsigned int flags HGRD_OR(cudaMemAttachSingle)) HGRD_NOTHROW;
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value) HGRD_NOTHROW;
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value) HGRD_NOTHROW;
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) HGRD_NOTHROW;
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) HGRD_NOTHROW;
struct cudaGraphEdgeData_st;
typedef struct cudaGraphEdgeData_st cudaGraphEdgeData;
enum cudaStreamUpdateCaptureDependenciesFlags {
  cudaStreamAddCaptureDependencies = 0,
  cudaStreamSetCaptureDependencies = 1
};
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode) HGRD_NOTHROW;
#ifdef __cplusplus
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id = 0, cudaGraph_t *graph = 0,
                                     const cudaGraphNode_t **dependencies = 0, const cudaGraphEdgeData **edges = 0,
                                     size_t *count = 0) HGRD_NOTHROW;
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags = 0) HGRD_NOTHROW;
#endif
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) HGRD_NOTHROW;
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) HGRD_NOTHROW;
cudaError_t cudaEventCreate(cudaEvent_t *event) HGRD_NOTHROW;
cudaError_t cudaEventQuery(cudaEvent_t event) HGRD_NOTHROW;
cudaError_t cudaEventSynchronize(cudaEvent_t event) HGRD_NOTHROW;
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) HGRD_NOTHROW;
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) HGRD_NOTHROW;

// ---- kernels --------------------------------------------------------------------------------------------------------
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                             cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                                        cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list, unsigned int count,
                                                   unsigned int flags HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) HGRD_NOTHROW;
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes HGRD_OR(0),
                              cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attr, int value) HGRD_NOTHROW;
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config) HGRD_NOTHROW;
cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) HGRD_NOTHROW;
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                      int block_size) HGRD_NOTHROW;
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config) HGRD_NOTHROW;
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *function,
                                                 const cudaLaunchConfig_t *config) HGRD_NOTHROW;
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol) HGRD_NOTHROW;
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file, enum cudaJitOption *jit_options,
                                    void **jit_values, unsigned int jit_count, enum cudaLibraryOption *options,
                                    void **values, unsigned int count) HGRD_NOTHROW;
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options,
                                void **jit_values, unsigned int jit_count, enum cudaLibraryOption *options,
                                void **values, unsigned int count) HGRD_NOTHROW;
cudaError_t cudaLibraryUnload(cudaLibrary_t library) HGRD_NOTHROW;
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) HGRD_NOTHROW;
cudaError_t cudaLibraryGetGlobal(void **place, size_t *bytes, cudaLibrary_t library, const char *name) HGRD_NOTHROW;
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status HGRD_OR(0)) HGRD_NOTHROW;

// ---- textures, surfaces, graphics -----------------------------------------------------------------------------------
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f) HGRD_NOTHROW;
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) HGRD_NOTHROW;
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view) HGRD_NOTHROW;
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) HGRD_NOTHROW;
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *desc, cudaTextureObject_t texture) HGRD_NOTHROW;
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource) HGRD_NOTHROW;
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) HGRD_NOTHROW;
cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture, const void *ptr,
                            const struct cudaChannelFormatDesc *desc, size_t bytes) HGRD_NOTHROW;
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture, const void *ptr,
                              const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
                              size_t pitch) HGRD_NOTHROW;
cudaError_t cudaBindTextureToArray(const struct textureReference *texture, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc) HGRD_NOTHROW;
cudaError_t cudaUnbindTexture(const struct textureReference *texture) HGRD_NOTHROW;
cudaError_t cudaGetTextureReference(const struct textureReference **texture, const void *symbol) HGRD_NOTHROW;
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *surface, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *desc) HGRD_NOTHROW;
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) HGRD_NOTHROW;
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                     cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                       cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaGraphicsResourceGetMappedPointer(void **ptr, size_t *bytes,
                                                 cudaGraphicsResource_t resource) HGRD_NOTHROW;
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource,
                                                  unsigned int index, unsigned int level) HGRD_NOTHROW;
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags) HGRD_NOTHROW;

// ---- graphs ---------------------------------------------------------------------------------------------------------
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaGraphDestroy(cudaGraph_t graph) HGRD_NOTHROW;
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) HGRD_NOTHROW;
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) HGRD_NOTHROW;
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) HGRD_NOTHROW;
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) HGRD_NOTHROW;
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) HGRD_NOTHROW;
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) HGRD_NOTHROW;
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) HGRD_NOTHROW;
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) HGRD_NOTHROW;
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     size_t count) HGRD_NOTHROW;
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *params) HGRD_NOTHROW;
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params) HGRD_NOTHROW;
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params) HGRD_NOTHROW;
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params) HGRD_NOTHROW;
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *params) HGRD_NOTHROW;
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, void *dst, const void *src, size_t bytes,
                                     enum cudaMemcpyKind kind) HGRD_NOTHROW;
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *params) HGRD_NOTHROW;
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *params) HGRD_NOTHROW;
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                       size_t count, cudaGraph_t child) HGRD_NOTHROW;
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                  size_t count) HGRD_NOTHROW;
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t count, struct cudaMemAllocNodeParams *params) HGRD_NOTHROW;
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                    size_t count, void *ptr) HGRD_NOTHROW;
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                             struct cudaGraphNodeParams *params) HGRD_NOTHROW;
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int initial HGRD_OR(0),
                                             unsigned int flags HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags) HGRD_NOTHROW;
cudaError_t cudaDeviceGraphMemTrim(int device) HGRD_NOTHROW;
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value) HGRD_NOTHROW;
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void *value) HGRD_NOTHROW;

// ---- what device code may call as well ------------------------------------------------------------------------------
CUDART_DEVICE cudaError_t cudaMalloc(void **ptr, size_t bytes) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaFree(void *ptr) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                                          cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                                            size_t width, size_t height, enum cudaMemcpyKind kind,
                                            cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters,
                                            cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes,
                                          cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
                                            cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
                              cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaGetLastError(void) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaPeekAtLastError(void) HGRD_NOTHROW;
CUDART_DEVICE const char *cudaGetErrorString(cudaError_t error) HGRD_NOTHROW;
CUDART_DEVICE const char *cudaGetErrorName(cudaError_t error) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaGetDevice(int *device) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaGetDeviceCount(int *count) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaDeviceSynchronize(void) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaThreadSynchronize(void) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t stream) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                              unsigned int flags HGRD_OR(0)) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream HGRD_OR(0)) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                   unsigned int flags) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t event) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                                const void *function) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaRuntimeGetVersion(int *version) HGRD_NOTHROW;
CUDART_DEVICE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                                        int block_size,
                                                                        size_t shared_bytes) HGRD_NOTHROW;

#ifdef __cplusplus
}
#endif

static inline __host__ __device__ struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize,
                                                                            size_t ysize) {
  struct cudaPitchedPtr p = {ptr, pitch, xsize, ysize};
  return p;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos p = {x, y, z};
  return p;
}
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent e = {width, height, depth};
  return e;
}

#endif
