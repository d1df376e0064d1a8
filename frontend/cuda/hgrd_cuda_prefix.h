// Forced in front of every .cu file: what nvcc makes known without an include. The C library, attributes, vector types, the
// built-in variables, the runtime API and device functions, as prototypes of our own, so that no toolkit is needed and the
// analysis sees calls by name instead of library code. Whatever of it is large (cooperative groups, half precision, cub,
// thrust ...) stands in headers that only the user's includes bring in.
// The order matters: types first, then clang's built-in variables, then everything that uses them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_PREFIX_H
#define HGRD_CUDA_PREFIX_H
#pragma GCC system_header

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 3
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_API_VERSION_MAJOR__ 12
#define __CUDA_API_VERSION_MINOR__ 3
#define CUDA_API_PER_THREAD_DEFAULT_STREAM_NONE

#include "hgrd_c_library.h"
#include <stddef.h>

#include "crt/host_defines.h"
#include "vector_types.h"
#include <__clang_cuda_builtin_vars.h>

#define HGRD_BUILTIN_VAR(type)                                                                                         \
  inline __device__ type::operator dim3() const { return dim3(x, y, z); }                                              \
  inline __device__ type::operator uint3() const {                                                                     \
    uint3 v = {x, y, z};                                                                                               \
    return v;                                                                                                          \
  }
HGRD_BUILTIN_VAR(__cuda_builtin_threadIdx_t)
HGRD_BUILTIN_VAR(__cuda_builtin_blockIdx_t)
HGRD_BUILTIN_VAR(__cuda_builtin_blockDim_t)
HGRD_BUILTIN_VAR(__cuda_builtin_gridDim_t)
#undef HGRD_BUILTIN_VAR

#include "cuda_runtime.h"
#include "hgrd_launch.h"

// What clang makes of f<<<grid, block, bytes, stream>>>(...), with cudaLaunchKernel.
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                    void *stream = 0) noexcept;

#include "hgrd_device.h"
#include "hgrd_clusters.h"
#include "hgrd_dpx.h"
#include "hgrd_math.h"
#include "hgrd_nv_atomic.h"
#include "hgrd_texture.h"

#endif
