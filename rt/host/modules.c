// Which kernels and variables does the program have? Clang's constructors register them, one module for each file that was compiled; a
// kernel is known by its stub's address, a variable by the address of the host's shadow of it (of a __managed__ one that is the variable
// itself). A variable that no device code uses has no place in the machine's image: it gets memory here, so that copies to it still work.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/state.h"
#include "rt/contract.h"

#include <string.h>

typedef struct HostModule {
  struct HostModule *next;
  uint32_t unit;
  HostKernel **kernels;
  size_t kernel_count;
  HostVariable **variables;
  size_t variable_count;
} HostModule;

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **module);
void __cudaUnregisterFatBinary(void **module);
int __cudaRegisterFunction(void **module, const char *stub, char *device_name, const char *name, int limit,
                           void *thread, void *block, void *block_dim, void *grid_dim, int *warp);
void __cudaRegisterVar(void **module, char *shadow, char *device_name, const char *name, int is_external,
                       size_t bytes, int is_constant, int is_global);
void __cudaRegisterTexture(void **module, const void *shadow, const void **device, const char *name, int dim,
                           int norm, int is_external);
void __cudaRegisterSurface(void **module, const void *shadow, const void **device, const char *name, int dim,
                           int is_external);

void **__cudaRegisterFatBinary(void *wrapper) {
  HostModule *module = host_new(1, sizeof *module);
  module->unit = rt_unit_of_fatbin(wrapper);
  host_lock();
  module->next = host_state()->modules;
  host_state()->modules = module;
  host_unlock();
  return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **module) {
  (void)module;
}

// At the end of the program, when destructors of the user may still call: nothing goes away.
void __cudaUnregisterFatBinary(void **module) {
  (void)module;
}

int __cudaRegisterFunction(void **handle, const char *stub, char *device_name, const char *name, int limit,
                           void *thread, void *block, void *block_dim, void *grid_dim, int *warp) {
  (void)name, (void)limit, (void)thread, (void)block, (void)block_dim, (void)grid_dim, (void)warp;
  HostModule *module = (HostModule *)handle;
  HostKernel *kernel = host_new(1, sizeof *kernel);
  *kernel = (HostKernel){.stub = stub, .name = device_name, .unit = module->unit, .carveout = -1};
  kernel->kernel = rt_kernel_named(module->unit, device_name);
  host_lock();
  host_push((void **)&module->kernels, &module->kernel_count, sizeof kernel, &kernel);
  host_unlock();
  return 0;
}

void __cudaRegisterVar(void **handle, char *shadow, char *device_name, const char *name, int is_external,
                       size_t bytes, int is_constant, int is_global) {
  (void)is_external, (void)is_global;
  HostModule *module = (HostModule *)handle;
  HostVariable *variable = host_new(1, sizeof *variable);
  const RtVariable *there = rt_variable_named(module->unit, device_name);
  *variable =
      (HostVariable){.shadow = shadow, .name = device_name, .bytes = bytes, .is_constant = is_constant != 0};
  if (there) {
    variable->address = there->address;
    variable->bytes = there->bytes;
    (void)rt_memory_add(
        (RtMemory){.address = (uint64_t)(uintptr_t)there->address, // a file may register it again
                   .bytes = there->bytes,
                   .kind = RT_MEMORY_VARIABLE,
                   .is_constant = variable->is_constant,
                   .by = name,
                   .name = device_name});
  } else {
    variable->address = rt_memory_new(RT_MEMORY_DEVICE, bytes, name);
  }
  host_lock();
  host_push((void **)&module->variables, &module->variable_count, sizeof variable, &variable);
  host_unlock();
}

void __cudaRegisterTexture(void **handle, const void *shadow, const void **device, const char *name, int dim,
                           int norm, int is_external) {
  (void)handle, (void)shadow, (void)device, (void)name, (void)dim, (void)norm, (void)is_external;
}

void __cudaRegisterSurface(void **handle, const void *shadow, const void **device, const char *name, int dim,
                           int is_external) {
  (void)handle, (void)shadow, (void)device, (void)name, (void)dim, (void)is_external;
}

// By stub, or by name where `stub` is NULL.
static HostKernel *kernel_by(const void *stub, const char *name) {
  HostKernel *found = NULL;
  host_lock();
  for (const HostModule *module = host_state()->modules; module && !found; module = module->next)
    for (size_t i = 0; i < module->kernel_count && !found; i++) {
      HostKernel *kernel = module->kernels[i];
      if (stub ? kernel->stub == stub || (const void *)kernel == stub : strcmp(kernel->name, name) == 0)
        found = kernel;
    }
  host_unlock();
  return found;
}

// A cudaFunction_t is the HostKernel itself.
HostKernel *host_kernel(const void *stub) {
  return stub ? kernel_by(stub, NULL) : NULL;
}

HostKernel *host_kernel_named(const char *name) {
  RT_ASSERT(name);
  return kernel_by(NULL, name);
}

static HostVariable *variable_by(const void *shadow, const char *name) {
  HostVariable *found = NULL;
  host_lock();
  for (const HostModule *module = host_state()->modules; module && !found; module = module->next)
    for (size_t i = 0; i < module->variable_count && !found; i++) {
      HostVariable *variable = module->variables[i];
      if (shadow ? variable->shadow == shadow : strcmp(variable->name, name) == 0) found = variable;
    }
  host_unlock();
  return found;
}

HostVariable *host_variable(const void *shadow) {
  return shadow ? variable_by(shadow, NULL) : NULL;
}

HostVariable *host_variable_named(const char *name) {
  RT_ASSERT(name);
  return variable_by(NULL, name);
}

// ---- symbols

static cudaError_t symbol_place(const void *symbol, size_t offset, size_t bytes, const char *function,
                                char **place) {
  const HostVariable *variable = host_variable(symbol);
  if (!variable || !variable->address) {
    host_tell("%s: the symbol is no __device__ or __constant__ variable", function);
    return cudaErrorInvalidSymbol;
  }
  if (offset > variable->bytes || bytes > variable->bytes - offset) {
    host_tell("%s: %zu bytes at byte %zu of the variable '%s', which has %zu", function, bytes, offset,
              variable->name, variable->bytes);
    return cudaErrorInvalidValue;
  }
  *place = variable->address + offset;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol) {
  char *place = NULL;
  if (!ptr) return host_return(cudaErrorInvalidValue);
  cudaError_t error = symbol_place(symbol, 0, 0, "cudaGetSymbolAddress", &place);
  if (!error) *ptr = place;
  return host_return(error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  const HostVariable *variable = host_variable(symbol);
  if (!bytes) return host_return(cudaErrorInvalidValue);
  if (!variable) return host_return(cudaErrorInvalidSymbol);
  *bytes = variable->bytes;
  return host_return(cudaSuccess);
}

static cudaError_t copy_flat(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                             cudaStream_t stream, const char *function) {
  HostWork work = {.kind = HOST_COPY,
                   .copy = {{to, bytes, bytes}, {(char *)(uintptr_t)from, bytes, bytes}, bytes, 1, 1}};
  cudaError_t error = host_copy_check(&work.copy, kind, function);
  return error ? error : host_submit(stream, &work);
}

static cudaError_t to_symbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind, cudaStream_t stream, const char *function) {
  char *place = NULL;
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  cudaError_t error = symbol_place(symbol, offset, bytes, function, &place);
  return error ? error : copy_flat(place, src, bytes, kind, stream, function);
}

static cudaError_t from_symbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind, cudaStream_t stream, const char *function) {
  char *place = NULL;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  cudaError_t error = symbol_place(symbol, offset, bytes, function, &place);
  return error ? error : copy_flat(dst, place, bytes, kind, stream, function);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  return host_return(to_symbol(symbol, src, bytes, offset, kind, NULL, "cudaMemcpyToSymbol"));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return host_return(to_symbol(symbol, src, bytes, offset, kind, stream, "cudaMemcpyToSymbolAsync"));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
  return host_return(from_symbol(dst, symbol, bytes, offset, kind, NULL, "cudaMemcpyFromSymbol"));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return host_return(from_symbol(dst, symbol, bytes, offset, kind, stream, "cudaMemcpyFromSymbolAsync"));
}
