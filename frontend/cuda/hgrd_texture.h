// Texture functions for device code: objects (cudaTextureObject_t) and references (texture<...>). A read is a pure
// function of handle and place, one call for each component; its value is unknown.
// Left out: sparse textures, results through a pointer.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_TEXTURE_H
#define HGRD_CUDA_TEXTURE_H
#pragma GCC system_header
#include "hgrd_intrinsics.h"

template <class T> static inline __device__ T __hgrd_texel(unsigned long long handle, double x, double y, double z,
                                                           int layer) {
  if constexpr (!__is_class(T)) {
    return (T)__hgrd_pure_texture(handle, x, y, z, layer, 0);
  } else {
    typedef typename __hgrd_channel<T>::element E;
    T v;
    v.x = (E)__hgrd_pure_texture(handle, x, y, z, layer, 0);
    if constexpr (sizeof(T) > sizeof(E))
      v.y = (E)__hgrd_pure_texture(handle, x, y, z, layer, 1);
    if constexpr (sizeof(T) > 2 * sizeof(E))
      v.z = (E)__hgrd_pure_texture(handle, x, y, z, layer, 2);
    if constexpr (sizeof(T) > 3 * sizeof(E))
      v.w = (E)__hgrd_pure_texture(handle, x, y, z, layer, 3);
    return v;
  }
}
// What a reference gives: its elements, or floats in their number.
template <int lanes> struct __hgrd_real { typedef float4 type; };
template <> struct __hgrd_real<1> { typedef float type; };
template <> struct __hgrd_real<2> { typedef float2 type; };
template <class T, cudaTextureReadMode mode> struct __hgrd_fetched { typedef T type; };
template <class T> struct __hgrd_fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename __hgrd_real<(int)(sizeof(T) / sizeof(typename __hgrd_channel<T>::element))>::type type;
};

// name, parameters after the handle, and the place as x, y, z, layer: by object, by reference.
#define HGRD_FETCH(name, params, ...)                                                                                  \
  template <class T> static inline __device__ T name(cudaTextureObject_t texture_object, HGRD_LIST params) {           \
    return __hgrd_texel<T>(texture_object, __VA_ARGS__);                                                               \
  }                                                                                                                    \
  template <class T, int type, cudaTextureReadMode mode>                                                               \
  static inline __device__ typename __hgrd_fetched<T, mode>::type name(const texture<T, type, mode> &reference,        \
                                                                       HGRD_LIST params) {                             \
    return __hgrd_texel<typename __hgrd_fetched<T, mode>::type>((unsigned long long)&reference, __VA_ARGS__);          \
  }
#define HGRD_LIST(...) __VA_ARGS__
HGRD_FETCH(tex1Dfetch, (int x), x, 0, 0, 0)
HGRD_FETCH(tex1D, (float x), x, 0, 0, 0)
HGRD_FETCH(tex2D, (float x, float y), x, y, 0, 0)
HGRD_FETCH(tex3D, (float x, float y, float z), x, y, z, 0)
HGRD_FETCH(tex1DLayered, (float x, int layer), x, 0, 0, layer)
HGRD_FETCH(tex2DLayered, (float x, float y, int layer), x, y, 0, layer)
HGRD_FETCH(texCubemap, (float x, float y, float z), x, y, z, 0)
HGRD_FETCH(texCubemapLayered, (float x, float y, float z, int layer), x, y, z, layer)
HGRD_FETCH(tex1DLod, (float x, float), x, 0, 0, 0)
HGRD_FETCH(tex2DLod, (float x, float y, float), x, y, 0, 0)
HGRD_FETCH(tex3DLod, (float x, float y, float z, float), x, y, z, 0)
HGRD_FETCH(tex2DLayeredLod, (float x, float y, int layer, float), x, y, 0, layer)
HGRD_FETCH(tex2DGrad, (float x, float y, float2, float2), x, y, 0, 0)
HGRD_FETCH(tex2Dgather, (float x, float y, int component = 0), x, y, component, -1) // four texels: no layer
#undef HGRD_FETCH

#include "hgrd_surface.h"
#undef HGRD_LIST

#endif
