// A call into a library of device algorithms (cub, thrust), from either side: it may read and write whatever the listed
// arguments reach, and writes its result. Templates call it instead of being left undefined, because clang does not
// let a template with a lambda among its arguments go without a definition.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_LIBRARY_H
#define HGRD_LIBRARY_H
#pragma GCC system_header
#include "crt/host_defines.h"
extern "C" __host__ __device__ int __hgrd_opaque_sync_library(const void *const *arguments, void *result);
// Code of the program runs on the device as part of the library's kernels: not checked (driver/stages.c).
extern "C" __host__ __device__ void __hgrd_hands_code(void);
#endif
