// Surface functions for device code. A surface is memory with a place for each x (in bytes), y and z, far enough apart for
// the largest ones; its handle is a pointer to it. Who names a place outside ends the kernel or does nothing, as the mode
// says; the mode that takes the nearest place inside is not modelled. Also used with a toolkit, whose own functions are made
// of builtins that clang does not have. Left out: surface references.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_SURFACE_H
#define HGRD_CUDA_SURFACE_H
#pragma GCC system_header
#include "hgrd_intrinsics.h"

static inline __device__ bool __hgrd_surface_has(int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  if (mode == cudaBoundaryModeClamp) __hgrd_opaque_sync_surface_clamped();
  return (unsigned int)x < 1u << 22 && (unsigned int)y < 1u << 18 && (unsigned int)z < 1u << 15;
}
static inline __device__ char *__hgrd_surface_place(unsigned long long handle, int x, int y, int z) {
  return (char *)__hgrd_pure_surface_memory(handle) + x + ((long long)y << 22) + ((long long)z << 40);
}
// The bits of an element, which is read and written as a whole, not member by member. The largest ones have two words.
template <int bytes> struct __hgrd_texel_word { typedef unsigned long long type; };
template <> struct __hgrd_texel_word<4> { typedef unsigned int type; };
template <> struct __hgrd_texel_word<2> { typedef unsigned short type; };
template <> struct __hgrd_texel_word<1> { typedef unsigned char type; };
// What a member has of them, from the front.
struct __hgrd_texel_bits {
  unsigned long long low, high;
  template <class E> __device__ unsigned long long *word(int index) { return index * sizeof(E) < 8 ? &low : &high; }
};
struct __hgrd_put_member {
  __hgrd_texel_bits &bits;
  template <class E> __device__ void operator()(E &member, int index) {
    typename __hgrd_texel_word<sizeof(E)>::type word;
    __builtin_memcpy(&word, &member, sizeof word);
    *bits.word<E>(index) |= (unsigned long long)word << index * sizeof(E) % 8 * 8;
  }
};
struct __hgrd_get_member {
  __hgrd_texel_bits &bits;
  template <class E> __device__ void operator()(E &member, int index) {
    auto word = (typename __hgrd_texel_word<sizeof(E)>::type)(*bits.word<E>(index) >> index * sizeof(E) % 8 * 8);
    __builtin_memcpy(&member, &word, sizeof word);
  }
};
template <class T, class F> static inline __device__ void __hgrd_each_member(T &texel, F visit) {
  if constexpr (!__is_class(T)) {
    visit(texel, 0);
  } else {
    constexpr int members = sizeof(T) / sizeof(texel.x);
    visit(texel.x, 0);
    if constexpr (members > 1) visit(texel.y, 1);
    if constexpr (members > 2) visit(texel.z, 2);
    if constexpr (members > 3) visit(texel.w, 3);
  }
}
template <class T>
static inline __device__ T __hgrd_surface_read(unsigned long long handle, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  __hgrd_texel_bits bits = {0, 0};
  T texel;
  if (__hgrd_surface_has(x, y, z, mode)) {
    char *place = __hgrd_surface_place(handle, x, y, z);
    bits.low = *(typename __hgrd_texel_word<sizeof(T)>::type *)place;
    if constexpr (sizeof(T) > 8) bits.high = ((unsigned long long *)place)[1];
  }
  __hgrd_each_member(texel, __hgrd_get_member{bits});
  return texel;
}
template <class T>
static inline __device__ void __hgrd_surface_write(T texel, unsigned long long handle, int x, int y, int z,
                                                   cudaSurfaceBoundaryMode mode) {
  __hgrd_texel_bits bits = {0, 0};
  __hgrd_each_member(texel, __hgrd_put_member{bits});
  if (!__hgrd_surface_has(x, y, z, mode)) return;
  char *place = __hgrd_surface_place(handle, x, y, z);
  *(typename __hgrd_texel_word<sizeof(T)>::type *)place = bits.low;
  if constexpr (sizeof(T) > 8) ((unsigned long long *)place)[1] = bits.high;
}
#define HGRD_PLACE(...) __VA_ARGS__
#define HGRD_SURFACE(suffix, params, ...)                                                                        \
  template <class T>                                                                                                   \
  static inline __device__ T surf##suffix##read(cudaSurfaceObject_t surface_object, HGRD_PLACE params, \
 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    return __hgrd_surface_read<T>(surface_object, __VA_ARGS__, mode);                                                        \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  static inline __device__ void surf##suffix##read(T *result, cudaSurfaceObject_t surface_object, HGRD_PLACE params,   \
                                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                                             \
    *result = __hgrd_surface_read<T>(surface_object, __VA_ARGS__, mode);                                                     \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  static inline __device__ void surf##suffix##write(T value, cudaSurfaceObject_t surface_object, HGRD_PLACE params,    \
                                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                                            \
    __hgrd_surface_write<T>(value, surface_object, __VA_ARGS__, mode);                                             \
  }
HGRD_SURFACE(1D, (int x), x, 0, 0)
HGRD_SURFACE(2D, (int x, int y), x, y, 0)
HGRD_SURFACE(3D, (int x, int y, int z), x, y, z)
HGRD_SURFACE(1DLayered, (int x, int layer), x, 0, layer)
HGRD_SURFACE(2DLayered, (int x, int y, int layer), x, y, layer)
HGRD_SURFACE(Cubemap, (int x, int y, int face), x, y, face)
#undef HGRD_SURFACE
#undef HGRD_PLACE

#endif
