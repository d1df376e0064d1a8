// Profiler control: nothing for the analysis.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUDA_PROFILER_API_H
#define HGRD_CUDA_PROFILER_API_H
#pragma GCC system_header
#include "cuda_runtime.h"
#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
#ifdef __cplusplus
}
#endif
#endif
