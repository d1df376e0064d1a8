// Attribute words of CUDA, for both sides of a .cu file and, as nothing at all, for plain C and C++.
// Clang knows the attributes; the words for them are ours. __managed__ memory is analysed as device memory, and what
// only steers code generation (__grid_constant__, __nv_pure__ ...) is dropped. The size of clusters is an annotation.
// __noinline__ is a keyword of clang in CUDA and must not be a macro: libstdc++ writes __attribute__((__noinline__)).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_HOST_DEFINES_H
#define HGRD_CUDA_HOST_DEFINES_H
#pragma GCC system_header

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device, section("hgrd_managed"))) // by which hgrd-run makes one variable of both sides
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#endif

#define __maxnreg__(...)
#define __grid_constant__
#ifdef __CUDA_ARCH__
#define __cluster_dims__(...) __attribute__((annotate("hgrd.cluster_dims", ##__VA_ARGS__)))
#define __block_size__(...) __attribute__((annotate("hgrd.cluster_dims")))
#else
#define __cluster_dims__(...)
#define __block_size__(...)
#endif
#define __nv_pure__
#define __inline_hint__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __location__(a) a
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB
#define CUDARTAPI_CDECL

#endif
