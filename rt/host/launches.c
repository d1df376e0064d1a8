// What does a launch ask for, and may it? All forms end in host_launch: the triple chevrons (a configuration that is pushed, and the
// kernel's stub, which pops it and calls cudaLaunchKernel), cudaLaunchKernel itself, cooperative launches and cudaLaunchKernelExC
// with its attributes. A launch that a device would not make is told on stderr, since programs seldom look; its error is CUDA's.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/state.h"
#include "rt/contract.h"

#include <stdio.h>

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream) {
  HostThread *thread = host_thread();
  if (thread->depth == HOST_PUSHED) {
    (void)host_return(cudaErrorMissingConfiguration);
    return 1;
  }
  thread->pushed[thread->depth++] = (HostPushed){grid, block, shared_bytes, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
  HostThread *thread = host_thread();
  if (thread->depth == 0) return host_return(cudaErrorMissingConfiguration);
  HostPushed pushed = thread->pushed[--thread->depth];
  *grid = pushed.grid;
  *block = pushed.block;
  *shared_bytes = pushed.shared_bytes;
  *(void **)stream = pushed.stream;
  return cudaSuccess;
}

// ---- may it?

static const char *kernel_name(const HostKernel *kernel) {
  return kernel->kernel->shown ? kernel->kernel->shown : kernel->name;
}

static cudaError_t not_made(const HostKernel *kernel, cudaError_t error, const char *why) {
  host_tell("kernel '%s' was not launched: %s (%s)", kernel_name(kernel), why, cudaGetErrorName(error));
  return error;
}

static cudaError_t check_shape(const HostKernel *kernel, const RtRequest *r) {
  static const uint32_t block_most[3] = {1024, 1024, 64}, grid_most[3] = {INT32_MAX, 65535, 65535};
  char why[160];
  uint64_t threads = (uint64_t)r->block[0] * r->block[1] * r->block[2];
  for (int i = 0; i < 3; i++) {
    if (r->block[i] == 0 || r->block[i] > block_most[i]) {
      (void)snprintf(why, sizeof why, "blocks of %u x %u x %u threads, and dimension %d goes from 1 to %u",
                     r->block[0], r->block[1], r->block[2], i + 1, block_most[i]);
      return not_made(kernel, cudaErrorInvalidConfiguration, why);
    }
    if (r->grid[i] == 0 || r->grid[i] > grid_most[i]) {
      (void)snprintf(why, sizeof why, "a grid of %u x %u x %u blocks, and dimension %d goes from 1 to %u",
                     r->grid[0], r->grid[1], r->grid[2], i + 1, grid_most[i]);
      return not_made(kernel, cudaErrorInvalidConfiguration, why);
    }
  }
  if (threads > HOST_THREADS_OF_BLOCK) {
    (void)snprintf(why, sizeof why, "blocks of %llu threads, and a device has room for %d",
                   (unsigned long long)threads, HOST_THREADS_OF_BLOCK);
    return not_made(kernel, cudaErrorInvalidConfiguration, why);
  }
  if (kernel->kernel->max_threads && threads > kernel->kernel->max_threads) {
    (void)snprintf(why, sizeof why, "blocks of %llu threads, and its __launch_bounds__ say %u",
                   (unsigned long long)threads, kernel->kernel->max_threads);
    return not_made(kernel, cudaErrorLaunchOutOfResources, why);
  }
  return cudaSuccess;
}

static cudaError_t check_shared(const HostKernel *kernel, const RtRequest *r) {
  char why[200];
  uint64_t fixed = kernel->kernel->static_shared_bytes;
  uint64_t most = kernel->dynamic_limit > 0 ? (uint64_t)HOST_SHARED_OPTIN : HOST_SHARED_USUAL;
  uint64_t dynamic_most = kernel->dynamic_limit > 0 ? (uint64_t)kernel->dynamic_limit : HOST_SHARED_USUAL;
  if (r->dynamic_shared_bytes <= dynamic_most && fixed + r->dynamic_shared_bytes <= most) return cudaSuccess;
  (void)snprintf(why, sizeof why,
                 "%llu bytes of dynamic shared memory beside %llu static ones; %llu are allowed%s",
                 (unsigned long long)r->dynamic_shared_bytes, (unsigned long long)fixed,
                 (unsigned long long)(dynamic_most < most ? dynamic_most : most),
                 kernel->dynamic_limit ? "" : " without cudaFuncAttributeMaxDynamicSharedMemorySize");
  return not_made(kernel, cudaErrorInvalidValue, why);
}

static cudaError_t check_cluster(const HostKernel *kernel, const RtRequest *r) {
  uint64_t blocks = 1;
  if (r->cluster[0] == 0) return cudaSuccess;
  for (int i = 0; i < 3; i++) {
    if (r->cluster[i] == 0 || r->grid[i] % r->cluster[i] != 0)
      return not_made(kernel, cudaErrorInvalidConfiguration, "the grid is no multiple of its clusters");
    blocks *= r->cluster[i];
  }
  if (blocks > (kernel->has_large_clusters ? HOST_CLUSTER_LARGE : HOST_CLUSTER))
    return not_made(kernel, cudaErrorInvalidConfiguration,
                    "its clusters have more blocks than a device puts together");
  return cudaSuccess;
}

static cudaError_t check_cooperative(const HostKernel *kernel, const RtRequest *r) {
  char why[160];
  if (!r->is_cooperative) return cudaSuccess;
  uint64_t blocks = (uint64_t)r->grid[0] * r->grid[1] * r->grid[2];
  int threads = (int)(r->block[0] * r->block[1] * r->block[2]);
  uint64_t most =
      (uint64_t)host_blocks_at_once(kernel, threads, r->dynamic_shared_bytes) * HOST_MULTIPROCESSORS;
  if (blocks <= most) return cudaSuccess;
  (void)snprintf(why, sizeof why, "%llu blocks have to be there at once, and this device has room for %llu",
                 (unsigned long long)blocks, (unsigned long long)most);
  return not_made(kernel, cudaErrorCooperativeLaunchTooLarge, why);
}

cudaError_t host_launch_check(const HostLaunch *launch) {
  RT_ASSERT(launch);
  cudaError_t error = check_shape(launch->kernel, &launch->request);
  if (!error) error = check_shared(launch->kernel, &launch->request);
  if (!error) error = check_cluster(launch->kernel, &launch->request);
  return error ? error : check_cooperative(launch->kernel, &launch->request);
}

cudaError_t host_launch(HostKernel *kernel, RtRequest request, cudaStream_t stream) {
  if (!kernel) {
    host_tell("a launch of what is no kernel of this program, or not compiled for the device "
              "(cudaErrorInvalidDeviceFunction)");
    return cudaErrorInvalidDeviceFunction;
  }
  if (!kernel->kernel) {
    host_tell("kernel '%s' was not launched: no machine code was made of it (cudaErrorInvalidDeviceFunction)",
              kernel->name);
    return cudaErrorInvalidDeviceFunction;
  }
  request.kernel = kernel->kernel;
  HostWork work = {.kind = HOST_LAUNCH, .launch = {kernel, request}};
  cudaError_t error = host_launch_check(&work.launch);
  return error ? error : host_submit(stream, &work);
}

static RtRequest request_of(dim3 grid, dim3 block, void **arguments, size_t shared_bytes) {
  return (RtRequest){.grid = {grid.x, grid.y, grid.z},
                     .block = {block.x, block.y, block.z},
                     .dynamic_shared_bytes = shared_bytes,
                     .arguments = arguments};
}

// ---- the forms of it

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared_bytes,
                             cudaStream_t stream) {
  RtRequest request = request_of(grid, block, args, shared_bytes);
  return host_return(host_launch(host_kernel(function), request, stream));
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args,
                                        size_t shared_bytes, cudaStream_t stream) {
  RtRequest request = request_of(grid, block, args, shared_bytes);
  request.is_cooperative = true;
  return host_return(host_launch(host_kernel(function), request, stream));
}

// There is one device: a list of one is a launch.
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list, unsigned int count,
                                                   unsigned int flags) {
  if (!list || count == 0 || flags > 3) return host_return(cudaErrorInvalidValue);
  if (count > 1) return host_return(cudaErrorInvalidDevice);
  return cudaLaunchCooperativeKernel(list->func, list->gridDim, list->blockDim, list->args, list->sharedMem,
                                     list->stream);
}

static cudaError_t read_attribute(const cudaLaunchAttribute *attribute, RtRequest *request) {
  switch (attribute->id) {
  case cudaLaunchAttributeCooperative:
    request->is_cooperative = attribute->val.cooperative != 0;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    request->cluster[0] = attribute->val.clusterDim.x;
    request->cluster[1] = attribute->val.clusterDim.y;
    request->cluster[2] = attribute->val.clusterDim.z;
    return request->cluster[0] ? cudaSuccess : cudaErrorInvalidValue;
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeProgrammaticStreamSerialization: // kernels that overlap: one order is the one after the other
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain: return cudaSuccess;
  case cudaLaunchAttributeProgrammaticEvent:
  default: return host_refuse("cudaLaunchKernelEx", "this attribute of a launch");
  }
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) {
  if (!config || (config->numAttrs && !config->attrs)) return host_return(cudaErrorInvalidValue);
  RtRequest request = request_of(config->gridDim, config->blockDim, args, config->dynamicSmemBytes);
  for (unsigned i = 0; i < config->numAttrs; i++) {
    cudaError_t error = read_attribute(&config->attrs[i], &request);
    if (error) return host_return(error);
  }
  return host_return(host_launch(host_kernel(function), request, config->stream));
}

// Only in programs before CUDA 7: what it is called with went to calls that no longer exist.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream) {
  (void)grid, (void)block, (void)shared_bytes, (void)stream;
  return host_return(host_refuse("cudaConfigureCall", "launches by cudaSetupArgument and cudaLaunch"));
}

// ---- attributes of kernels

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  if (!attributes) return host_return(cudaErrorInvalidValue);
  const HostKernel *kernel = host_kernel(function);
  if (!kernel || !kernel->kernel) return host_return(cudaErrorInvalidDeviceFunction);
  uint32_t most = kernel->kernel->max_threads;
  *attributes = (struct cudaFuncAttributes){
      .sharedSizeBytes = kernel->kernel->static_shared_bytes,
      .maxThreadsPerBlock = most ? (int)most : HOST_THREADS_OF_BLOCK,
      .numRegs = HOST_REGISTERS,
      .ptxVersion = 90,
      .binaryVersion = 90,
      .maxDynamicSharedSizeBytes = kernel->dynamic_limit ? kernel->dynamic_limit : HOST_SHARED_USUAL,
      .preferredShmemCarveout = kernel->carveout};
  return host_return(cudaSuccess);
}

static cudaError_t set_dynamic_limit(HostKernel *kernel, int value) {
  uint64_t fixed = kernel->kernel ? kernel->kernel->static_shared_bytes : 0;
  if (value < 0 || (uint64_t)value + fixed > (uint64_t)HOST_SHARED_OPTIN) {
    host_tell("cudaFuncSetAttribute: kernel '%s' can have %llu bytes of dynamic shared memory, not %d",
              kernel->name, (unsigned long long)(HOST_SHARED_OPTIN - fixed), value);
    return cudaErrorInvalidValue;
  }
  kernel->dynamic_limit = value;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attr, int value) {
  HostKernel *kernel = host_kernel(function);
  if (!kernel) return host_return(cudaErrorInvalidDeviceFunction);
  switch (attr) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize: return host_return(set_dynamic_limit(kernel, value));
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < -1 || value > 100) return host_return(cudaErrorInvalidValue);
    kernel->carveout = value;
    return host_return(cudaSuccess);
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    kernel->has_large_clusters = value != 0;
    return host_return(cudaSuccess);
  case cudaFuncAttributeClusterSchedulingPolicyPreference: return host_return(cudaSuccess);
  case cudaFuncAttributeClusterDimMustBeSet:
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
    return host_return(host_refuse("cudaFuncSetAttribute", "required dimensions of clusters"));
  }
  return host_return(cudaErrorInvalidValue);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config) {
  (void)config; // a hint
  return host_return(host_kernel(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config) {
  (void)config; // banks: nothing of them is seen
  return host_return(host_kernel(function) ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol) {
  HostKernel *kernel = host_kernel(symbol);
  if (!function) return host_return(cudaErrorInvalidValue);
  if (!kernel) return host_return(cudaErrorInvalidDeviceFunction);
  *function = (cudaFunction_t)kernel;
  return host_return(cudaSuccess);
}
