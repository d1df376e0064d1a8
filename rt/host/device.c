// What device is played? One, with few multiprocessors (a grid that fills it is not more than a CPU can do), warps of 32 and what
// compute capability 9.0 has room for. Attributes and properties come from one table, so that they agree. Clocks and widths are made up:
// what a program computes of them (a share of the peak bandwidth) means nothing.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct AttributeRow {
  int attribute; // by the driver's numbers, which are the runtime's too
  int value;
} AttributeRow;

int host_attribute(int attribute, bool *is_known) {
  static const AttributeRow rows[] = {
      {cudaDevAttrMaxThreadsPerBlock, HOST_THREADS_OF_BLOCK},
      {cudaDevAttrMaxBlockDimX, 1024},
      {cudaDevAttrMaxBlockDimY, 1024},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimX, INT32_MAX},
      {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrMaxSharedMemoryPerBlock, HOST_SHARED_USUAL},
      {cudaDevAttrTotalConstantMemory, 65536},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMaxPitch, INT32_MAX},
      {cudaDevAttrMaxRegistersPerBlock, 65536},
      {cudaDevAttrClockRate, 1000000},
      {cudaDevAttrTextureAlignment, 512},
      {cudaDevAttrGpuOverlap, 1},
      {cudaDevAttrMultiProcessorCount, HOST_MULTIPROCESSORS},
      {cudaDevAttrKernelExecTimeout, 0},
      {cudaDevAttrIntegrated, 0},
      {cudaDevAttrCanMapHostMemory, 1},
      {cudaDevAttrComputeMode, cudaComputeModeDefault},
      {cudaDevAttrMaxTexture1DWidth, 131072},
      {cudaDevAttrMaxTexture2DWidth, 131072},
      {cudaDevAttrMaxTexture2DHeight, 65536},
      {24, 16384}, // of a 3D texture: width, height, depth
      {25, 16384},
      {26, 16384},
      {cudaDevAttrConcurrentKernels, 1},
      {cudaDevAttrEccEnabled, 0},
      {cudaDevAttrPciBusId, 0},
      {cudaDevAttrPciDeviceId, 0},
      {cudaDevAttrTccDriver, 0},
      {cudaDevAttrMemoryClockRate, 1000000},
      {cudaDevAttrGlobalMemoryBusWidth, 256},
      {cudaDevAttrL2CacheSize, 4 << 20},
      {cudaDevAttrMaxThreadsPerMultiProcessor, HOST_THREADS_OF_ONE},
      {cudaDevAttrAsyncEngineCount, 1},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrPciDomainId, 0},
      {cudaDevAttrComputeCapabilityMajor, 9},
      {cudaDevAttrComputeCapabilityMinor, 0},
      {cudaDevAttrStreamPrioritiesSupported, 1},
      {cudaDevAttrGlobalL1CacheSupported, 1},
      {cudaDevAttrLocalL1CacheSupported, 1},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, HOST_SHARED_OF_ONE},
      {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrIsMultiGpuBoard, 0},
      {cudaDevAttrMultiGpuBoardGroupID, 0},
      {cudaDevAttrHostNativeAtomicSupported, 0},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
      {cudaDevAttrPageableMemoryAccess, 0},
      {cudaDevAttrConcurrentManagedAccess, 1},
      {cudaDevAttrComputePreemptionSupported, 1},
      {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrCooperativeMultiDeviceLaunch, 0},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, HOST_SHARED_OPTIN},
      {cudaDevAttrCanFlushRemoteWrites, 0},
      {cudaDevAttrHostRegisterSupported, 1},
      {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
      {cudaDevAttrDirectManagedMemAccessFromHost, 0},
      {102, 0}, // virtual memory management
      {103, 0},
      {107, 0},
      {cudaDevAttrMaxBlocksPerMultiprocessor, HOST_BLOCKS_OF_ONE},
      {cudaDevAttrMaxPersistingL2CacheSize, 0},
      {cudaDevAttrMaxAccessPolicyWindowSize, 0},
      {110, 0},
      {cudaDevAttrReservedSharedMemoryPerBlock, HOST_SHARED_OF_SYSTEM},
      {cudaDevAttrMemoryPoolsSupported, 1},
      {cudaDevAttrMemoryPoolSupportedHandleTypes, 0},
      {cudaDevAttrClusterLaunch, 1},
      {125, 0}, // events of other processes
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].attribute == attribute) {
      *is_known = true;
      return rows[i].value;
    }
  *is_known = false;
  return 0;
}

static int known(int attribute) {
  bool is_known = false;
  return host_attribute(attribute, &is_known);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
  bool is_known = false;
  int found = host_attribute((int)attr, &is_known);
  if (!value) return host_return(cudaErrorInvalidValue);
  if (device != 0) return host_return(cudaErrorInvalidDevice);
  if (!is_known) {
    host_tell("cudaDeviceGetAttribute: attribute %d is not known here (cudaErrorInvalidValue)", (int)attr);
    return host_return(cudaErrorInvalidValue);
  }
  *value = found;
  return host_return(cudaSuccess);
}

static void fill_sizes(struct cudaDeviceProp *prop) {
  uint64_t left = 0, total = 0;
  rt_memory_left(&left, &total);
  prop->totalGlobalMem = total;
  prop->sharedMemPerBlock = HOST_SHARED_USUAL;
  prop->sharedMemPerBlockOptin = HOST_SHARED_OPTIN;
  prop->sharedMemPerMultiprocessor = HOST_SHARED_OF_ONE;
  prop->reservedSharedMemPerBlock = HOST_SHARED_OF_SYSTEM;
  prop->totalConstMem = (size_t)known(cudaDevAttrTotalConstantMemory);
  prop->memPitch = INT32_MAX;
  prop->regsPerBlock = known(cudaDevAttrMaxRegistersPerBlock);
  prop->regsPerMultiprocessor = known(cudaDevAttrMaxRegistersPerMultiprocessor);
  prop->l2CacheSize = known(cudaDevAttrL2CacheSize);
  prop->textureAlignment = prop->surfaceAlignment = 512;
  prop->texturePitchAlignment = 32;
}

static void fill_shapes(struct cudaDeviceProp *prop) {
  static const int block[3] = {1024, 1024, 64}, grid[3] = {INT32_MAX, 65535, 65535};
  memcpy(prop->maxThreadsDim, block, sizeof block);
  memcpy(prop->maxGridSize, grid, sizeof grid);
  prop->warpSize = 32;
  prop->maxThreadsPerBlock = HOST_THREADS_OF_BLOCK;
  prop->maxThreadsPerMultiProcessor = HOST_THREADS_OF_ONE;
  prop->maxBlocksPerMultiProcessor = HOST_BLOCKS_OF_ONE;
  prop->multiProcessorCount = HOST_MULTIPROCESSORS;
  prop->maxTexture1D = prop->maxTexture1DLinear = prop->maxTexture2D[0] = 131072;
  prop->maxTexture2D[1] = 65536;
  prop->maxTexture3D[0] = prop->maxTexture3D[1] = prop->maxTexture3D[2] = 16384;
}

static void fill_abilities(struct cudaDeviceProp *prop) {
  prop->major = known(cudaDevAttrComputeCapabilityMajor);
  prop->minor = known(cudaDevAttrComputeCapabilityMinor);
  prop->clockRate = known(cudaDevAttrClockRate);
  prop->memoryClockRate = known(cudaDevAttrMemoryClockRate);
  prop->memoryBusWidth = known(cudaDevAttrGlobalMemoryBusWidth);
  prop->deviceOverlap = prop->asyncEngineCount = 1;
  prop->canMapHostMemory = prop->concurrentKernels = prop->unifiedAddressing = prop->managedMemory = 1;
  prop->streamPrioritiesSupported = prop->globalL1CacheSupported = prop->localL1CacheSupported = 1;
  prop->concurrentManagedAccess = prop->computePreemptionSupported = prop->canUseHostPointerForRegisteredMem =
      1;
  prop->cooperativeLaunch = prop->hostRegisterSupported = prop->memoryPoolsSupported = prop->clusterLaunch =
      1;
  prop->singleToDoublePrecisionPerfRatio = 2;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
  if (!prop) return host_return(cudaErrorInvalidValue);
  if (device != 0) return host_return(cudaErrorInvalidDevice);
  *prop = (struct cudaDeviceProp){.name = "hgrd-run (CPU)"};
  fill_sizes(prop);
  fill_shapes(prop);
  fill_abilities(prop);
  return host_return(cudaSuccess);
}

// ---- which device

cudaError_t cudaGetDeviceCount(int *count) {
  if (!count) return host_return(cudaErrorInvalidValue);
  *count = 1;
  return host_return(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device) {
  if (!device) return host_return(cudaErrorInvalidValue);
  *device = 0;
  return host_return(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  return host_return(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  (void)device_flags;
  if (flags > cudaInitDeviceFlagsAreValid) return host_return(cudaErrorInvalidValue);
  return cudaSetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  if (count > 0 && !devices) return host_return(cudaErrorInvalidValue);
  for (int i = 0; i < count; i++)
    if (devices[i] != 0) return host_return(cudaErrorInvalidDevice);
  return host_return(cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop) {
  if (!device || !prop) return host_return(cudaErrorInvalidValue);
  *device = 0;
  return host_return(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  if (flags & ~(unsigned)cudaDeviceMask) return host_return(cudaErrorInvalidValue);
  host_lock();
  host_state()->device_flags = flags;
  host_unlock();
  return host_return(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  if (!flags) return host_return(cudaErrorInvalidValue);
  host_lock();
  *flags = host_state()->device_flags | cudaDeviceMapHost;
  host_unlock();
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *bus, int length, int device) {
  if (!bus || length < 13) return host_return(cudaErrorInvalidValue);
  if (device != 0) return host_return(cudaErrorInvalidDevice);
  (void)snprintf(bus, (size_t)length, "0000:00:00.0");
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus) {
  if (!device || !bus) return host_return(cudaErrorInvalidValue);
  if (strcmp(bus, "0000:00:00.0") != 0) return host_return(cudaErrorInvalidDevice);
  *device = 0;
  return host_return(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int *version) {
  if (!version) return host_return(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return host_return(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  return cudaDriverGetVersion(version);
}

// ---- waiting, and beginning again

cudaError_t cudaDeviceSynchronize(void) {
  return host_return(cudaSuccess); // nothing is under way
}

cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}

// The device's memory is gone afterwards on a GPU; here it stays, so that a later use is not told.
cudaError_t cudaDeviceReset(void) {
  cudaError_t left = host_sticky();
  host_clear_sticky();
  return left;
}

cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}

// ---- limits and hints

static size_t *limits(void) { // under the lock
  static const size_t usual[8] = {[cudaLimitStackSize] = 1024,
                                  [cudaLimitPrintfFifoSize] = 1 << 20,
                                  [cudaLimitMallocHeapSize] = 8 << 20,
                                  [cudaLimitDevRuntimeSyncDepth] = 2,
                                  [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                                  [cudaLimitMaxL2FetchGranularity] = 64};
  HostState *state = host_state();
  if (!state->has_limits) memcpy(state->limits, usual, sizeof usual);
  state->has_limits = true;
  return state->limits;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
  if (!value) return host_return(cudaErrorInvalidValue);
  if ((unsigned)limit > cudaLimitPersistingL2CacheSize) return host_return(cudaErrorUnsupportedLimit);
  host_lock();
  *value = limits()[limit];
  host_unlock();
  return host_return(cudaSuccess);
}

// What is set is given back, and nothing depends on it: the machine has its own stacks and its own heap.
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  if ((unsigned)limit > cudaLimitPersistingL2CacheSize) return host_return(cudaErrorUnsupportedLimit);
  host_lock();
  limits()[limit] = value;
  host_unlock();
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  if (!config) return host_return(cudaErrorInvalidValue);
  host_lock();
  *config = (enum cudaFuncCache)host_state()->cache;
  host_unlock();
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  if ((unsigned)config > cudaFuncCachePreferEqual) return host_return(cudaErrorInvalidValue);
  host_lock();
  host_state()->cache = (int)config;
  host_unlock();
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  if (!config) return host_return(cudaErrorInvalidValue);
  host_lock();
  *config = (enum cudaSharedMemConfig)host_state()->bank_size;
  host_unlock();
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  if ((unsigned)config > cudaSharedMemBankSizeEightByte) return host_return(cudaErrorInvalidValue);
  host_lock();
  host_state()->bank_size = (int)config;
  host_unlock();
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return host_return(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope) {
  (void)target, (void)scope;
  return host_return(cudaSuccess); // there is nobody who writes from outside
}

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaProfilerStart(void) {
  return host_return(cudaSuccess);
}
cudaError_t cudaProfilerStop(void) {
  return host_return(cudaSuccess);
}

// ---- peers: there are none

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can) return host_return(cudaErrorInvalidValue);
  if (device != 0 || peer != 0) return host_return(cudaErrorInvalidDevice);
  *can = 0;
  return host_return(cudaSuccess);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src_device,
                                      int dst_device) {
  (void)attr, (void)src_device, (void)dst_device;
  return host_return(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  (void)peer, (void)flags;
  return host_return(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  (void)peer;
  return host_return(cudaErrorInvalidDevice);
}
