// cuBLAS with its first interface (no handle): set-up and the common functions; prototypes.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUBLAS_H
#define HGRD_CUBLAS_H
#pragma GCC system_header
#ifndef HGRD_CUBLAS_V2_H
#include "cublas_v2.h"
#undef cublasSetStream
#undef cublasGetVersion
#endif
#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasInit(void);
cublasStatus_t cublasShutdown(void);
cublasStatus_t cublasGetError(void);
cublasStatus_t cublasAlloc(int, int, void **);
cublasStatus_t cublasFree(void *);
cublasStatus_t cublasSetKernelStream(cudaStream_t);
#ifdef __cplusplus
}
#endif
#endif
