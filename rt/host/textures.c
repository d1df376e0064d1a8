// What are texture and surface objects made of? Handles that know their resource, and for the machine a description of how to read it
// (rt/texture.h). What of it the machine cannot read is told when a kernel reads it. References (texture<...>) are not bound, and surfaces are not
// read.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/internal.h"
#include "rt/texture.h"

#include <string.h>

typedef struct HostTexture {
  RtTexture read; // its address is the handle
  struct cudaResourceDesc resource;
} HostTexture;

static cudaError_t check_resource(const struct cudaResourceDesc *resource, bool is_surface) {
  char wrong[384];
  switch (resource->resType) {
  case cudaResourceTypeArray:
    return host_handle_is(resource->res.array.array, HOST_ARRAY) ? cudaSuccess
                                                                 : cudaErrorInvalidResourceHandle;
  case cudaResourceTypeMipmappedArray:
    if (is_surface) return cudaErrorInvalidValue;
    return host_handle_is(resource->res.mipmap.mipmap, HOST_MIPMAP) ? cudaSuccess
                                                                    : cudaErrorInvalidResourceHandle;
  case cudaResourceTypeLinear:
  case cudaResourceTypePitch2D: {
    if (is_surface) return cudaErrorInvalidValue;
    bool is_flat = resource->resType == cudaResourceTypeLinear;
    void *start = is_flat ? resource->res.linear.devPtr : resource->res.pitch2D.devPtr;
    size_t bytes = is_flat ? resource->res.linear.sizeInBytes
                           : resource->res.pitch2D.pitchInBytes * resource->res.pitch2D.height;
    if (bytes == 0) return cudaErrorInvalidValue;
    if (!rt_memory_tell((uint64_t)(uintptr_t)start, bytes, wrong, sizeof wrong)) return cudaSuccess;
    host_tell("cudaCreateTextureObject: reads %s", wrong);
    return cudaErrorInvalidValue;
  }
  }
  return cudaErrorInvalidValue;
}

// ---- what the machine reads by

static void describe_channels(RtTexture *read, const struct cudaChannelFormatDesc *desc) {
  const int bits[] = {desc->x, desc->y, desc->z, desc->w};
  read->bits = (uint32_t)desc->x;
  for (int i = 0; i < 4 && bits[i]; i++) {
    read->channels++;
    if (bits[i] != desc->x)
      read->missing = "reads a texture of channels that differ in width, which hgrd-run cannot";
  }
  read->element = (uint64_t)read->channels * read->bits / 8;
  read->channel = desc->f == cudaChannelFormatKindSigned  ? RT_CHANNEL_SIGNED
                  : desc->f == cudaChannelFormatKindFloat ? RT_CHANNEL_FLOAT
                                                          : RT_CHANNEL_UNSIGNED;
  bool is_width = read->bits == 8 || read->bits == 16 || read->bits == 32;
  if (!is_width || desc->f > cudaChannelFormatKindFloat ||
      (read->channel == RT_CHANNEL_FLOAT && read->bits == 8))
    read->missing = "reads a texture of a packed format, which hgrd-run cannot";
}

static void describe_array(RtTexture *read, const struct cudaArray *array) {
  describe_channels(read, &array->desc);
  read->data = (const unsigned char *)array->data;
  read->size[0] = array->extent.width;
  read->size[1] = host_array_rows(array);
  read->size[2] = host_array_layers(array);
  read->pitch = array->pitch;
  read->slice = array->slice;
  read->is_layered = array->flags & cudaArrayLayered;
  if (array->flags & cudaArrayCubemap) read->missing = "reads a texture of a cube, which hgrd-run cannot";
}

static void describe_memory(RtTexture *read, const struct cudaResourceDesc *resource) {
  read->is_flat = resource->resType == cudaResourceTypeLinear;
  describe_channels(read, read->is_flat ? &resource->res.linear.desc : &resource->res.pitch2D.desc);
  read->data = read->is_flat ? resource->res.linear.devPtr : resource->res.pitch2D.devPtr;
  read->size[0] = read->is_flat ? resource->res.linear.sizeInBytes / (read->element ? read->element : 1)
                                : resource->res.pitch2D.width;
  read->size[1] = read->is_flat ? 1 : resource->res.pitch2D.height;
  read->size[2] = 1;
  read->pitch = read->is_flat ? 0 : resource->res.pitch2D.pitchInBytes;
}

static void describe_modes(RtTexture *read, const struct cudaTextureDesc *desc) {
  static const RtAddressing addressing[] = {RT_ADDRESS_WRAP, RT_ADDRESS_CLAMP, RT_ADDRESS_MIRROR,
                                            RT_ADDRESS_BORDER};
  for (int i = 0; i < 3; i++)
    read->addressing[i] = addressing[(unsigned)desc->addressMode[i] % 4];
  memcpy(read->border, desc->borderColor, sizeof read->border);
  read->has_normal_places = desc->normalizedCoords && !read->is_flat;
  read->has_normal_values =
      desc->readMode == cudaReadModeNormalizedFloat && read->channel != RT_CHANNEL_FLOAT;
  read->is_filtered = desc->filterMode == cudaFilterModeLinear && !read->is_flat;
  if (desc->sRGB) read->missing = "reads a texture of sRGB, which hgrd-run cannot";
}

static RtTexture described(const struct cudaResourceDesc *resource, const struct cudaTextureDesc *desc) {
  RtTexture read = {.mark = RT_TEXTURE_MARK};
  if (resource->resType == cudaResourceTypeArray)
    describe_array(&read, resource->res.array.array);
  else if (resource->resType == cudaResourceTypeMipmappedArray)
    read.missing = "reads a texture of several levels, which hgrd-run cannot";
  else
    describe_memory(&read, resource);
  describe_modes(&read, desc);
  return read;
}

// ---- texture and surface objects

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view) {
  if (!texture || !resource || !desc) return host_return(cudaErrorInvalidValue);
  if (view) return host_return(host_refuse("cudaCreateTextureObject", "a view of a resource"));
  cudaError_t error = check_resource(resource, false);
  if (error) return host_return(error);
  HostTexture *made = host_handle_new(HOST_TEXTURE, sizeof *made);
  *made = (HostTexture){described(resource, desc), *resource};
  *texture = (cudaTextureObject_t)(uintptr_t)made;
  return host_return(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  void *made = (void *)(uintptr_t)texture;
  if (!made) return host_return(cudaSuccess);
  if (!host_handle_is(made, HOST_TEXTURE)) return host_return(cudaErrorInvalidValue);
  ((HostTexture *)made)->read.mark = 0;
  host_handle_drop(made);
  return host_return(cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *desc, cudaTextureObject_t texture) {
  const HostTexture *made = (const HostTexture *)(uintptr_t)texture;
  if (!desc || !host_handle_is(made, HOST_TEXTURE)) return host_return(cudaErrorInvalidValue);
  *desc = made->resource;
  return host_return(cudaSuccess);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource) {
  if (!surface || !resource) return host_return(cudaErrorInvalidValue);
  cudaError_t error = check_resource(resource, true);
  if (error) return host_return(error);
  HostTexture *made = host_handle_new(HOST_SURFACE, sizeof *made);
  made->resource = *resource;
  *surface = (cudaSurfaceObject_t)(uintptr_t)made;
  return host_return(cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  void *made = (void *)(uintptr_t)surface;
  if (!made) return host_return(cudaSuccess);
  if (!host_handle_is(made, HOST_SURFACE)) return host_return(cudaErrorInvalidValue);
  host_handle_drop(made);
  return host_return(cudaSuccess);
}
