// The driver API over the runtime's: an error has the same number in both. A failed call is also the runtime's last error, which on a GPU it
// is not.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_HOST_DRIVER_H
#define HGRD_RT_HOST_DRIVER_H

#include "rt/host/internal.h"
#include "cuda.h"

static inline CUresult driver_result(cudaError_t error) {
  return (CUresult)(int)error;
}

static inline void *driver_pointer(CUdeviceptr ptr) {
  return (void *)(uintptr_t)ptr;
}

#endif
