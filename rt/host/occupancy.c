// How many blocks of a kernel does the device that is played have room for? By threads, blocks and shared memory of a multiprocessor;
// registers are told as HOST_REGISTERS of each thread, with which threads are the tighter limit.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/internal.h"
#include "rt/contract.h"

cudaError_t __hgrd_max_potential_block_size(int *min_grid, int *block, const void *function);

static int most_threads(const HostKernel *kernel) {
  return kernel->kernel && kernel->kernel->max_threads ? (int)kernel->kernel->max_threads
                                                       : HOST_THREADS_OF_BLOCK;
}

int host_blocks_at_once(const HostKernel *kernel, int threads, size_t dynamic_bytes) {
  RT_ASSERT(kernel);
  RT_ASSERT(threads > 0);
  if (threads <= 0 || threads > most_threads(kernel)) return 0;
  int blocks = HOST_THREADS_OF_ONE / ((threads + 31) / 32 * 32);
  uint64_t fixed = kernel->kernel ? kernel->kernel->static_shared_bytes : 0;
  uint64_t shared = dynamic_bytes + fixed + HOST_SHARED_OF_SYSTEM;
  if (blocks > HOST_BLOCKS_OF_ONE) blocks = HOST_BLOCKS_OF_ONE;
  if ((uint64_t)blocks > HOST_SHARED_OF_ONE / shared) blocks = (int)(HOST_SHARED_OF_ONE / shared);
  return blocks;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                   int block_size, size_t shared_bytes,
                                                                   unsigned int flags) {
  const HostKernel *kernel = host_kernel(function);
  if (!blocks || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride)
    return host_return(cudaErrorInvalidValue);
  if (!kernel) return host_return(cudaErrorInvalidDeviceFunction);
  *blocks = host_blocks_at_once(kernel, block_size, shared_bytes);
  return host_return(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int block_size,
                                                          size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes,
                                                                0);
}

// The largest block there may be, and the blocks of it that fill the device. Without the limits that a caller's templates know.
cudaError_t __hgrd_max_potential_block_size(int *min_grid, int *block, const void *function) {
  const HostKernel *kernel = host_kernel(function);
  if (!min_grid || !block) return host_return(cudaErrorInvalidValue);
  if (!kernel) return host_return(cudaErrorInvalidDeviceFunction);
  *block = most_threads(kernel);
  *min_grid = host_blocks_at_once(kernel, *block, 0) * HOST_MULTIPROCESSORS;
  return host_return(cudaSuccess);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                      int block_size) {
  const HostKernel *kernel = host_kernel(function);
  if (!bytes || blocks <= 0 || block_size <= 0) return host_return(cudaErrorInvalidValue);
  if (!kernel) return host_return(cudaErrorInvalidDeviceFunction);
  size_t each = (size_t)HOST_SHARED_OF_ONE / (size_t)blocks;
  size_t fixed = (kernel->kernel ? kernel->kernel->static_shared_bytes : 0) + HOST_SHARED_OF_SYSTEM;
  *bytes = host_blocks_at_once(kernel, block_size, 0) < blocks || each < fixed ? 0 : each - fixed;
  if (*bytes > HOST_SHARED_OPTIN) *bytes = HOST_SHARED_OPTIN;
  return host_return(cudaSuccess);
}

static uint64_t cluster_blocks(const cudaLaunchConfig_t *config) {
  for (unsigned i = 0; i < config->numAttrs; i++)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      return (uint64_t)config->attrs[i].val.clusterDim.x * config->attrs[i].val.clusterDim.y *
             config->attrs[i].val.clusterDim.z;
  return 1;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config) {
  const HostKernel *kernel = host_kernel(function);
  if (!clusters || !config) return host_return(cudaErrorInvalidValue);
  if (!kernel) return host_return(cudaErrorInvalidDeviceFunction);
  uint64_t of_each = cluster_blocks(config);
  uint64_t threads = (uint64_t)config->blockDim.x * config->blockDim.y * config->blockDim.z;
  int blocks = threads > HOST_THREADS_OF_BLOCK
                   ? 0
                   : host_blocks_at_once(kernel, (int)threads, config->dynamicSmemBytes);
  if (of_each == 0) return host_return(cudaErrorInvalidValue);
  *clusters = (int)((uint64_t)blocks * HOST_MULTIPROCESSORS / of_each);
  return host_return(cudaSuccess);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *function,
                                                 const cudaLaunchConfig_t *config) {
  const HostKernel *kernel = host_kernel(function);
  if (!size || !config) return host_return(cudaErrorInvalidValue);
  if (!kernel) return host_return(cudaErrorInvalidDeviceFunction);
  *size = kernel->has_large_clusters ? HOST_CLUSTER_LARGE : HOST_CLUSTER;
  return host_return(cudaSuccess);
}
