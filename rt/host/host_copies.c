// Copies and fills as the runtime API has them: 1D, 2D, 3D, to and from arrays, between devices (there is one), in streams.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/internal.h"
#include "rt/contract.h"

static char *place(const void *address) {
  return (char *)(uintptr_t)address;
}

static cudaError_t submit_copy(const HostCopy *copy, enum cudaMemcpyKind kind, cudaStream_t stream,
                               const char *function) {
  HostWork work = {.kind = HOST_COPY, .copy = *copy};
  cudaError_t error = host_copy_check(copy, kind, function);
  if (error || copy->width == 0 || copy->height == 0 || copy->depth == 0) return error;
  return host_submit(stream, &work);
}

// ---- rows of bytes

static cudaError_t copy_flat(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                             cudaStream_t stream, const char *function) {
  HostCopy copy = {{dst, bytes, bytes}, {place(src), bytes, bytes}, bytes, 1, 1};
  return host_return(submit_copy(&copy, kind, stream, function));
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) {
  return copy_flat(dst, src, bytes, kind, NULL, "cudaMemcpy");
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_flat(dst, src, bytes, kind, stream, "cudaMemcpyAsync");
}

cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes) {
  if (dst_device != 0 || src_device != 0) return host_return(cudaErrorInvalidDevice);
  return copy_flat(dst, src, bytes, cudaMemcpyDeviceToDevice, NULL, "cudaMemcpyPeer");
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device, size_t bytes,
                                cudaStream_t stream) {
  if (dst_device != 0 || src_device != 0) return host_return(cudaErrorInvalidDevice);
  return copy_flat(dst, src, bytes, cudaMemcpyDeviceToDevice, stream, "cudaMemcpyPeerAsync");
}

static cudaError_t copy_rows(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                             size_t height, enum cudaMemcpyKind kind, cudaStream_t stream,
                             const char *function) {
  if (width > dst_pitch || width > src_pitch) {
    host_tell("%s: rows of %zu bytes do not fit into pitches of %zu and %zu", function, width, dst_pitch,
              src_pitch);
    return host_return(cudaErrorInvalidPitchValue);
  }
  HostCopy copy = {{dst, dst_pitch, 0}, {place(src), src_pitch, 0}, width, height, 1};
  return host_return(submit_copy(&copy, kind, stream, function));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
  return copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind, NULL, "cudaMemcpy2D");
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind, stream, "cudaMemcpy2DAsync");
}

// ---- boxes

static bool is_in_array(const struct cudaArray *array, const struct cudaPos *at, size_t columns, size_t rows,
                        size_t layers) {
  size_t all_rows = host_array_rows(array), all_layers = host_array_layers(array);
  return at->x <= array->extent.width && columns <= array->extent.width - at->x && at->y <= all_rows &&
         rows <= all_rows - at->y && at->z <= all_layers && layers <= all_layers - at->z;
}

// One end of a 3D copy. With an array on either end the width counts its elements.
static cudaError_t box_end(cudaArray_t array, const struct cudaPos *at, const struct cudaPitchedPtr *ptr,
                           const struct cudaExtent *extent, HostSide *side, const char *function) {
  if (array) {
    if (!host_handle_is(array, HOST_ARRAY)) return cudaErrorInvalidResourceHandle;
    if (!is_in_array(array, at, extent->width, extent->height, extent->depth)) {
      host_tell("%s: the box goes beyond the array", function);
      return cudaErrorInvalidValue;
    }
    *side = (HostSide){array->data + at->z * array->slice + at->y * array->pitch + at->x * array->element,
                       array->pitch, array->slice};
    return cudaSuccess;
  }
  if (!ptr->ptr) return cudaErrorInvalidValue;
  size_t slice = ptr->pitch * ptr->ysize;
  *side = (HostSide){(char *)ptr->ptr + at->z * slice + at->y * ptr->pitch + at->x, ptr->pitch, slice};
  return cudaSuccess;
}

static cudaError_t box_copy(const struct cudaMemcpy3DParms *p, HostCopy *copy, const char *function) {
  const struct cudaArray *array = p->dstArray ? p->dstArray : p->srcArray;
  cudaError_t error = box_end(p->dstArray, &p->dstPos, &p->dstPtr, &p->extent, &copy->to, function);
  if (!error) error = box_end(p->srcArray, &p->srcPos, &p->srcPtr, &p->extent, &copy->from, function);
  if (error) return error;
  if (p->dstArray && p->srcArray && p->dstArray->element != p->srcArray->element)
    return cudaErrorInvalidValue;
  copy->width = p->extent.width * (array ? array->element : 1);
  copy->height = p->extent.height;
  copy->depth = p->extent.depth;
  if ((!p->dstArray && p->dstPtr.pitch < copy->width) || (!p->srcArray && p->srcPtr.pitch < copy->width)) {
    host_tell("%s: rows of %zu bytes do not fit into the pitch", function, copy->width);
    return cudaErrorInvalidPitchValue;
  }
  return cudaSuccess;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream,
                            const char *function) {
  HostCopy copy;
  if (!parameters) return host_return(cudaErrorInvalidValue);
  cudaError_t error = box_copy(parameters, &copy, function);
  return host_return(error ? error : submit_copy(&copy, parameters->kind, stream, function));
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters) {
  return copy_box(parameters, NULL, "cudaMemcpy3D");
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream) {
  return copy_box(parameters, stream, "cudaMemcpy3DAsync");
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p) {
  if (!p) return host_return(cudaErrorInvalidValue);
  if (p->dstDevice != 0 || p->srcDevice != 0) return host_return(cudaErrorInvalidDevice);
  struct cudaMemcpy3DParms one = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                  p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return copy_box(&one, NULL, "cudaMemcpy3DPeer");
}

// For nodes of graphs, which are checked now and done later.
cudaError_t host_box_work(const struct cudaMemcpy3DParms *parameters, HostWork *work, const char *function) {
  RT_ASSERT(parameters && work);
  RT_ASSERT(function);
  work->kind = HOST_COPY;
  if (!parameters) return cudaErrorInvalidValue;
  cudaError_t error = box_copy(parameters, &work->copy, function);
  return error ? error : host_copy_check(&work->copy, parameters->kind, function);
}

// ---- arrays, of which x counts bytes here

static cudaError_t array_side(const struct cudaArray *array, size_t x, size_t y, size_t width, size_t height,
                              HostSide *side, const char *function) {
  if (!host_handle_is(array, HOST_ARRAY)) return cudaErrorInvalidResourceHandle;
  size_t row = array->extent.width * array->element, rows = host_array_rows(array);
  if (x > row || width > row - x || y > rows || height > rows - y) {
    host_tell("%s: %zu bytes of %zu rows at byte %zu of row %zu, and the array has %zu rows of %zu bytes",
              function, width, height, x, y, rows, row);
    return cudaErrorInvalidValue;
  }
  *side = (HostSide){array->data + y * array->pitch + x, array->pitch, array->slice};
  return cudaSuccess;
}

static cudaError_t rows_to_array(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
                                 size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream,
                                 const char *function) {
  HostCopy copy = {.from = {place(src), pitch, 0}, .width = width, .height = height, .depth = 1};
  if (width > pitch) return host_return(cudaErrorInvalidPitchValue);
  cudaError_t error = array_side(dst, x, y, width, height, &copy.to, function);
  return host_return(error ? error : submit_copy(&copy, kind, stream, function));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  return rows_to_array(dst, x, y, src, pitch, width, height, kind, NULL, "cudaMemcpy2DToArray");
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return rows_to_array(dst, x, y, src, pitch, width, height, kind, stream, "cudaMemcpy2DToArrayAsync");
}

cudaError_t cudaMemcpy2DFromArray(void *dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind) {
  HostCopy copy = {.to = {dst, pitch, 0}, .width = width, .height = height, .depth = 1};
  if (width > pitch) return host_return(cudaErrorInvalidPitchValue);
  cudaError_t error = array_side(src, x, y, width, height, &copy.from, "cudaMemcpy2DFromArray");
  return host_return(error ? error : submit_copy(&copy, kind, NULL, "cudaMemcpy2DFromArray"));
}

// Bytes that go on in the next row where one ends.
static cudaError_t flow(const struct cudaArray *array, size_t x, size_t y, void *other, size_t bytes,
                        bool is_to, enum cudaMemcpyKind kind, cudaStream_t stream, const char *function) {
  if (!host_handle_is(array, HOST_ARRAY)) return cudaErrorInvalidResourceHandle;
  size_t row = array->extent.width * array->element, rows = host_array_rows(array);
  if (x >= row || y >= rows || bytes > row * rows - y * row - x) {
    host_tell("%s: %zu bytes at byte %zu of row %zu, and the array has %zu rows of %zu bytes", function,
              bytes, x, y, rows, row);
    return cudaErrorInvalidValue;
  }
  char *at = other;
  while (bytes > 0) {
    size_t many = bytes < row - x ? bytes : row - x;
    HostSide in_array = {array->data + y * array->pitch + x, many, many}, outside = {at, many, many};
    HostCopy copy = {is_to ? in_array : outside, is_to ? outside : in_array, many, 1, 1};
    cudaError_t error = submit_copy(&copy, kind, stream, function);
    if (error) return error;
    bytes -= many;
    at += many;
    x = 0;
    y++;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind) {
  return host_return(flow(dst, x, y, place(src), bytes, true, kind, NULL, "cudaMemcpyToArray"));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
  return host_return(flow(dst, x, y, place(src), bytes, true, kind, stream, "cudaMemcpyToArrayAsync"));
}

cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  return host_return(flow(src, x, y, dst, bytes, false, kind, NULL, "cudaMemcpyFromArray"));
}

// ---- fills

static cudaError_t submit_fill(const HostFill *fill, cudaStream_t stream, const char *function) {
  HostWork work = {.kind = HOST_FILL, .fill = *fill};
  cudaError_t error = host_fill_check(fill, function);
  if (error || fill->width == 0 || fill->height == 0 || fill->depth == 0) return host_return(error);
  return host_return(host_submit(stream, &work));
}

cudaError_t cudaMemset(void *ptr, int value, size_t bytes) {
  HostFill fill = {{ptr, bytes, bytes}, bytes, 1, 1, (uint32_t)value, 1};
  return submit_fill(&fill, NULL, "cudaMemset");
}

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream) {
  HostFill fill = {{ptr, bytes, bytes}, bytes, 1, 1, (uint32_t)value, 1};
  return submit_fill(&fill, stream, "cudaMemsetAsync");
}

static cudaError_t fill_rows(void *ptr, size_t pitch, int value, size_t width, size_t height,
                             cudaStream_t stream, const char *function) {
  HostFill fill = {{ptr, pitch, 0}, width, height, 1, (uint32_t)value, 1};
  if (width > pitch && height > 1) return host_return(cudaErrorInvalidPitchValue);
  return submit_fill(&fill, stream, function);
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width, size_t height) {
  return fill_rows(ptr, pitch, value, width, height, NULL, "cudaMemset2D");
}

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill_rows(ptr, pitch, value, width, height, stream, "cudaMemset2DAsync");
}

static cudaError_t fill_box(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
                            cudaStream_t stream, const char *name) {
  HostFill fill = {{ptr.ptr, ptr.pitch, ptr.pitch * ptr.ysize},
                   extent.width,
                   extent.height,
                   extent.depth,
                   (uint32_t)value,
                   1};
  if (extent.width > ptr.pitch) return host_return(cudaErrorInvalidPitchValue);
  return submit_fill(&fill, stream, name);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent) {
  return fill_box(ptr, value, extent, NULL, "cudaMemset3D");
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  return fill_box(ptr, value, extent, stream, "cudaMemset3DAsync");
}
