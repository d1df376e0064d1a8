// What does a stream do with a piece of work? It is done at the call; or, while the stream is captured, it becomes a node of a graph.
// Copies and fills of all forms are boxes of rows and layers. They are checked before: each side that a device owns must hold
// the whole box, from its first byte to its last one; the host's side is the program's own business, as it is on a GPU.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/internal.h"
#include "rt/contract.h"

#include <stdlib.h>
#include <string.h>

// ---- checks

// The bytes from the first one of a box to its last one; false if no address space has as many.
static bool box_bytes(const HostSide *side, size_t width, size_t height, size_t depth, size_t *bytes) {
  size_t rows = 0, layers = 0;
  return !__builtin_mul_overflow(side->pitch, height - 1, &rows) &&
         !__builtin_mul_overflow(side->slice, depth - 1, &layers) &&
         !__builtin_add_overflow(rows, layers, bytes) && !__builtin_add_overflow(*bytes, width, bytes);
}

// A side is a device's if the map knows it, or if the direction says so.
static cudaError_t check_side(const HostSide *side, size_t width, size_t height, size_t depth, bool is_said,
                              const char *function, const char *role) {
  char wrong[384];
  RtMemory object;
  size_t bytes = 0;
  if (!box_bytes(side, width, height, depth, &bytes)) {
    host_tell("%s: %s more bytes than there can be (%zu in a row, %zu rows, %zu layers)", function, role,
              width, height, depth);
    return cudaErrorInvalidValue;
  }
  uint64_t address = (uint64_t)(uintptr_t)side->start;
  bool is_known = rt_memory_find(address, &object);
  if (!is_known && !is_said) {
    if (side->start) return cudaSuccess;
    host_tell("%s: %s a null pointer", function, role);
    return cudaErrorInvalidValue;
  }
  if (!rt_memory_tell(address, bytes, wrong, sizeof wrong)) return cudaSuccess;
  host_tell("%s: %s %s", function, role, wrong);
  return cudaErrorInvalidValue;
}

cudaError_t host_copy_check(const HostCopy *copy, enum cudaMemcpyKind kind, const char *function) {
  RT_ASSERT(copy);
  RT_ASSERT(function);
  if ((unsigned)kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (copy->width == 0 || copy->height == 0 || copy->depth == 0) return cudaSuccess;
  bool is_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool is_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  cudaError_t error =
      check_side(&copy->to, copy->width, copy->height, copy->depth, is_to, function, "writes");
  return error ? error
               : check_side(&copy->from, copy->width, copy->height, copy->depth, is_from, function, "reads");
}

cudaError_t host_fill_check(const HostFill *fill, const char *function) {
  RT_ASSERT(fill);
  RT_ASSERT(function);
  size_t width = 0;
  if (fill->width == 0 || fill->height == 0 || fill->depth == 0) return cudaSuccess;
  if (__builtin_mul_overflow(fill->width, (size_t)fill->element, &width)) return cudaErrorInvalidValue;
  return check_side(&fill->to, width, fill->height, fill->depth, true, function, "writes");
}

// ---- doing it

static void do_copy(const HostCopy *copy) {
  if (copy->width == 0) return;
  for (size_t z = 0; z < copy->depth; z++)
    for (size_t y = 0; y < copy->height; y++)
      memmove(copy->to.start + z * copy->to.slice + y * copy->to.pitch,
              copy->from.start + z * copy->from.slice + y * copy->from.pitch, copy->width);
}

static void fill_row(char *row, const HostFill *fill) {
  if (fill->element == 1) {
    memset(row, (int)(fill->value & 255), fill->width);
    return;
  }
  uint16_t half = (uint16_t)fill->value;
  for (size_t x = 0; x < fill->width; x++)
    memcpy(row + x * fill->element, fill->element == 2 ? (const void *)&half : (const void *)&fill->value,
           fill->element);
}

static void do_fill(const HostFill *fill) {
  for (size_t z = 0; z < fill->depth; z++)
    for (size_t y = 0; y < fill->height; y++)
      fill_row(fill->to.start + z * fill->to.slice + y * fill->to.pitch, fill);
}

static cudaError_t do_launch(const HostLaunch *launch) {
  if (rt_is_in_kernel()) return cudaErrorNotPermitted;
  RtOutcome outcome = rt_launch(&launch->request);
  cudaError_t error = cudaSuccess;
  switch (outcome) {
  case RT_RAN: return cudaSuccess;
  case RT_BAD_SHAPE: return cudaErrorInvalidConfiguration;
  case RT_NO_MEMORY: return cudaErrorLaunchOutOfResources;
  case RT_TOO_MANY_BLOCKS: return cudaErrorCooperativeLaunchTooLarge;
  case RT_TRAPPED: error = cudaErrorLaunchFailure; break;
  case RT_ASSERTED: error = cudaErrorAssert; break;
  case RT_BAD_ADDRESS: error = cudaErrorIllegalAddress; break;
  case RT_DEADLOCK: error = cudaErrorLaunchTimeout; break;
  }
  host_set_sticky(error ? error : cudaErrorLaunchFailure);
  return error ? error : cudaErrorLaunchFailure;
}

cudaError_t host_do(const HostWork *work) {
  RT_ASSERT(work);
  cudaError_t left = host_sticky();
  if (left) return left;
  switch (work->kind) {
  case HOST_NOTHING:
  case HOST_WAIT: return cudaSuccess; // whatever was recorded is done
  case HOST_COPY: do_copy(&work->copy); return cudaSuccess;
  case HOST_FILL: do_fill(&work->fill); return cudaSuccess;
  case HOST_LAUNCH: return do_launch(&work->launch);
  case HOST_CALL: work->call(work->data); return cudaSuccess;
  case HOST_RECORD:
    work->event->is_recorded = true;
    work->event->seconds = host_seconds();
    return cudaSuccess;
  case HOST_CHILD: return host_graph_do(work->child);
  }
  return cudaErrorUnknown;
}

cudaError_t host_submit(cudaStream_t stream, const HostWork *work) {
  RT_ASSERT(work);
  cudaStream_t s = host_stream(stream);
  if (!s) return cudaErrorInvalidResourceHandle;
  return s->graph ? host_capture(s, work) : host_do(work);
}

// The arguments are the caller's and may be gone when the work is done.
HostWork host_work_keep(const HostWork *work) {
  RT_ASSERT(work);
  HostWork kept = *work;
  if (work->kind != HOST_LAUNCH) return kept;
  const RtKernel *kernel = work->launch.request.kernel;
  void **arguments = host_new(kernel->argument_count + 1, sizeof *arguments);
  for (uint32_t i = 0; i < kernel->argument_count; i++) {
    arguments[i] = host_new(1, kernel->argument_bytes[i]);
    memcpy(arguments[i], work->launch.request.arguments[i], kernel->argument_bytes[i]);
  }
  kept.launch.request.arguments = arguments;
  return kept;
}

void host_work_forget(HostWork *kept) {
  RT_ASSERT(kept);
  if (kept->kind != HOST_LAUNCH) return;
  void **arguments = (void **)(uintptr_t)kept->launch.request.arguments;
  for (uint32_t i = 0; i < kept->launch.request.kernel->argument_count; i++)
    free(arguments[i]);
  free(arguments);
  kept->kind = HOST_NOTHING;
}
