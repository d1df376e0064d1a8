// Surface functions for device code. A read is a pure function of handle and place; a write is opaque: the kernel is
// undecided there, because surfaces are not objects that the analysis knows. Also used with a toolkit, whose own
// functions are made of builtins that clang does not have.
// Left out: surface references.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_SURFACE_H
#define HGRD_CUDA_SURFACE_H
#pragma GCC system_header
#include "hgrd_intrinsics.h"

// x of a surface is a byte offset.
template <class T> static inline __device__ T __hgrd_surface_read(unsigned long long handle, int x, int y, int z) {
  T value;
  unsigned char *bytes = (unsigned char *)&value;
  for (unsigned int i = 0; i < sizeof(T); i++)
    bytes[i] = (unsigned char)__hgrd_pure_surface(handle, x, y, z, (int)i);
  return value;
}
#define HGRD_PLACE(...) __VA_ARGS__
#define HGRD_SURFACE(suffix, params, mode, ...)                                                                        \
  template <class T>                                                                                                   \
  static inline __device__ T surf##suffix##read(cudaSurfaceObject_t surface_object, HGRD_PLACE params, mode) {         \
    return __hgrd_surface_read<T>(surface_object, __VA_ARGS__);                                                        \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  static inline __device__ void surf##suffix##read(T *result, cudaSurfaceObject_t surface_object, HGRD_PLACE params,   \
                                                   mode) {                                                             \
    *result = __hgrd_surface_read<T>(surface_object, __VA_ARGS__);                                                     \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  static inline __device__ void surf##suffix##write(T value, cudaSurfaceObject_t surface_object, HGRD_PLACE params,    \
                                                    mode) {                                                            \
    __hgrd_opaque_sync_surface_write(surface_object, &value, __VA_ARGS__);                                             \
  }
#define HGRD_MODE cudaSurfaceBoundaryMode = cudaBoundaryModeTrap
HGRD_SURFACE(1D, (int x), HGRD_MODE, x, 0, 0)
HGRD_SURFACE(2D, (int x, int y), HGRD_MODE, x, y, 0)
HGRD_SURFACE(3D, (int x, int y, int z), HGRD_MODE, x, y, z)
HGRD_SURFACE(1DLayered, (int x, int layer), HGRD_MODE, x, 0, layer)
HGRD_SURFACE(2DLayered, (int x, int y, int layer), HGRD_MODE, x, y, layer)
HGRD_SURFACE(Cubemap, (int x, int y, int face), HGRD_MODE, x, y, face)
#undef HGRD_MODE
#undef HGRD_SURFACE
#undef HGRD_PLACE

#endif
