// Forced in front of every .cu file: what nvcc makes known without an include. Attributes, vector types, the built-in
// variables, the runtime API and device functions, as prototypes of our own, so that no toolkit is needed and the
// analysis sees calls by name instead of library code. Parsing it costs a few milliseconds, so whatever is large
// (cooperative groups, half precision, cub, thrust ...) stands in headers that only the user's includes bring in.
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

#include <assert.h>
#include <limits.h>
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

// What nvcc makes known of the C library besides mathematics, for files that rely on it.
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long clock_t;
typedef long time_t;
typedef struct _IO_FILE FILE;
extern "C" {
void exit(int) noexcept __attribute__((noreturn));
void abort(void) noexcept __attribute__((noreturn));
int atoi(const char *) noexcept __attribute__((pure));
double atof(const char *) noexcept __attribute__((pure));
long atol(const char *) noexcept __attribute__((pure));
void *realloc(void *, size_t) noexcept;
int rand(void) noexcept;
void srand(unsigned int) noexcept;
long random(void) noexcept;
void srandom(unsigned int) noexcept;
double drand48(void) noexcept;
char *getenv(const char *) noexcept;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
int strcmp(const char *, const char *) noexcept __attribute__((pure));
int strncmp(const char *, const char *, size_t) noexcept __attribute__((pure));
char *strcpy(char *, const char *) noexcept;
char *strcat(char *, const char *) noexcept;
char *strncpy(char *, const char *, size_t) noexcept;
char *strncat(char *, const char *, size_t) noexcept;
char *strdup(const char *) noexcept;
long strtol(const char *, char **, int) noexcept;
double strtod(const char *, char **) noexcept;
double difftime(time_t, time_t) noexcept;
int system(const char *);
time_t time(time_t *) noexcept;
clock_t clock(void) noexcept;
int puts(const char *);
int putchar(int);
}
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#endif
#ifndef EXIT_SUCCESS
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif

#include "hgrd_device.h"
#include "hgrd_clusters.h"
#include "hgrd_dpx.h"
#include "hgrd_math.h"
#include "hgrd_nv_atomic.h"
#include "hgrd_texture.h"

#endif
