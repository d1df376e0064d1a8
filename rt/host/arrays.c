// Arrays (cudaArray, mipmapped ones), of which textures and surfaces are made. An array is rows of elements in an object of the map
// that only functions of textures and surfaces reach.
// SPDX-License-Identifier: Apache-2.0
#include "rt/host/internal.h"
#include "rt/contract.h"

#include <string.h>

struct cudaMipmappedArray {
  struct cudaChannelFormatDesc desc;
  unsigned levels;
  cudaArray_t *of_level;
};

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

size_t host_array_rows(const struct cudaArray *array) {
  RT_ASSERT(array);
  return array->extent.height ? array->extent.height : 1;
}

size_t host_array_layers(const struct cudaArray *array) {
  RT_ASSERT(array);
  return array->extent.depth ? array->extent.depth : 1;
}

static cudaError_t new_array(cudaArray_t *made, const struct cudaChannelFormatDesc *desc,
                             struct cudaExtent extent, unsigned flags, const char *by) {
  enum {
    KNOWN_FLAGS = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather
  };
  if (!made || !desc || extent.width == 0 || flags & ~(unsigned)KNOWN_FLAGS) return cudaErrorInvalidValue;
  int bits = desc->x + desc->y + desc->z + desc->w;
  if (bits < 8 || bits > 128 || bits % 8 != 0) return cudaErrorInvalidChannelDescriptor;
  struct cudaArray array = {.desc = *desc, .extent = extent, .flags = flags, .element = (size_t)bits / 8};
  size_t bytes = 0;
  if (__builtin_mul_overflow(extent.width, array.element, &array.pitch) ||
      __builtin_mul_overflow(array.pitch, host_array_rows(&array), &array.slice) ||
      __builtin_mul_overflow(array.slice, host_array_layers(&array), &bytes))
    return cudaErrorMemoryAllocation;
  array.data = rt_memory_new(RT_MEMORY_ARRAY, bytes, by);
  if (!array.data) return cudaErrorMemoryAllocation;
  *made = host_handle_new(HOST_ARRAY, sizeof array);
  **made = array;
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned int flags) {
  return host_return(new_array(array, desc, (struct cudaExtent){width, height, 0}, flags, "cudaMallocArray"));
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags) {
  return host_return(new_array(array, desc, extent, flags, "cudaMalloc3DArray"));
}

static cudaError_t free_array(cudaArray_t array) {
  (void)rt_memory_drop(array->data, RT_MEMORY_ARRAY);
  host_handle_drop(array);
  return cudaSuccess;
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (!array) return host_return(cudaSuccess);
  if (!host_handle_is(array, HOST_ARRAY)) {
    host_tell("cudaFreeArray: no array, or one that was freed before");
    return host_return(cudaErrorInvalidResourceHandle);
  }
  return host_return(array->is_level ? cudaErrorInvalidValue : free_array(array));
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array) {
  if (!host_handle_is(array, HOST_ARRAY)) return host_return(cudaErrorInvalidResourceHandle);
  if (desc) *desc = array->desc;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return host_return(cudaSuccess);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  if (!desc) return host_return(cudaErrorInvalidValue);
  if (!host_handle_is(array, HOST_ARRAY)) return host_return(cudaErrorInvalidResourceHandle);
  *desc = array->desc;
  return host_return(cudaSuccess);
}

// ---- mipmapped arrays: an array for each level

static size_t halved(size_t length, unsigned level) {
  size_t left = level < 64 ? length >> level : 0;
  return length && left == 0 ? 1 : left;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *made, const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int levels, unsigned int flags) {
  if (!made || !desc || levels == 0 || levels > 32) return host_return(cudaErrorInvalidValue);
  cudaMipmappedArray_t mipmap = host_handle_new(HOST_MIPMAP, sizeof *mipmap);
  *mipmap = (struct cudaMipmappedArray){*desc, levels, host_new(levels, sizeof *mipmap->of_level)};
  bool is_layered = flags & cudaArrayLayered;
  for (unsigned i = 0; i < levels; i++) {
    struct cudaExtent of_level = {halved(extent.width, i), halved(extent.height, i),
                                  is_layered ? extent.depth : halved(extent.depth, i)};
    cudaError_t error = new_array(&mipmap->of_level[i], desc, of_level, flags, "cudaMallocMipmappedArray");
    if (error) {
      while (i-- > 0)
        (void)free_array(mipmap->of_level[i]);
      host_handle_drop(mipmap);
      return host_return(error);
    }
    mipmap->of_level[i]->is_level = true;
  }
  *made = mipmap;
  return host_return(cudaSuccess);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap,
                                       unsigned int level) {
  if (!array || !host_handle_is(mipmap, HOST_MIPMAP)) return host_return(cudaErrorInvalidResourceHandle);
  if (level >= mipmap->levels) return host_return(cudaErrorInvalidValue);
  *array = mipmap->of_level[level];
  return host_return(cudaSuccess);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap) {
  if (!mipmap) return host_return(cudaSuccess);
  if (!host_handle_is(mipmap, HOST_MIPMAP)) return host_return(cudaErrorInvalidResourceHandle);
  for (unsigned i = 0; i < mipmap->levels; i++)
    (void)free_array(mipmap->of_level[i]);
  host_handle_drop(mipmap);
  return host_return(cudaSuccess);
}
