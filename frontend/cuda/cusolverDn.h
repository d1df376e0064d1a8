// cuSOLVER for dense matrices: the common factorisations in four types; prototypes for host code.
// Left out: sparse solvers beyond their handles.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUSOLVERDN_H
#define HGRD_CUSOLVERDN_H
#define CUSOLVER_COMMON_H_ // by which other code knows that it is there
#pragma GCC system_header
#include "cublas_v2.h"
#include "cusparse.h"

typedef enum {
  CUSOLVER_STATUS_SUCCESS = 0,
  CUSOLVER_STATUS_NOT_INITIALIZED = 1,
  CUSOLVER_STATUS_ALLOC_FAILED = 2,
  CUSOLVER_STATUS_INVALID_VALUE = 3,
  CUSOLVER_STATUS_ARCH_MISMATCH = 4,
  CUSOLVER_STATUS_MAPPING_ERROR = 5,
  CUSOLVER_STATUS_EXECUTION_FAILED = 6,
  CUSOLVER_STATUS_INTERNAL_ERROR = 7,
  CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSOLVER_STATUS_NOT_SUPPORTED = 9,
  CUSOLVER_STATUS_ZERO_PIVOT = 10,
  CUSOLVER_STATUS_INVALID_LICENSE = 11
} cusolverStatus_t;
typedef enum {
  CUSOLVER_EIG_TYPE_1 = 1,
  CUSOLVER_EIG_TYPE_2 = 2,
  CUSOLVER_EIG_TYPE_3 = 3
} cusolverEigType_t;
typedef enum {
  CUSOLVER_EIG_MODE_NOVECTOR = 0,
  CUSOLVER_EIG_MODE_VECTOR = 1
} cusolverEigMode_t;
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t, cudaStream_t);
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t, cudaStream_t);
cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, int *);
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, float *, int, int *);
cusolverStatus_t cusolverDnSpotrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const float *, int, float *, int, int
                                  *);
cusolverStatus_t cusolverDnSpotri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, int *);
cusolverStatus_t cusolverDnSpotri(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, float *, int, int *);
cusolverStatus_t cusolverDnSgetrf_bufferSize(cusolverDnHandle_t, int, int, float *, int, int *);
cusolverStatus_t cusolverDnSgetrf(cusolverDnHandle_t, int, int, float *, int, float *, int *, int *);
cusolverStatus_t cusolverDnSgetrs(cusolverDnHandle_t, cublasOperation_t, int, int, const float *, int, const int *,
                                  float *, int, int *);
cusolverStatus_t cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t, int, int, float *, int, int *);
cusolverStatus_t cusolverDnSgeqrf(cusolverDnHandle_t, int, int, float *, int, float *, float *, int, int *);
cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
                                             const float *, int, const float *, const float *, int, int *);
cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int, const float *,
                                  int, const float *, float *, int, float *, int, int *);
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t, int, int, int, const float *, int, const float *, int
                                             *);
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t, int, int, int, float *, int, const float *, float *, int, int *);
cusolverStatus_t cusolverDnSgesvd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnSgesvd(cusolverDnHandle_t, signed char, signed char, int, int, float *, int, float *, float
                                  *, int, float *, int, float *, int, float *, int *);
cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, const float
                                             *, int, const float *, int *);
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, float *, int, float *,
                                  float *, int, int *);
cusolverStatus_t cusolverSpScsrlsvchol(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *, const int
                                       *, const int *, const float *, float, int, float *, int *);
cusolverStatus_t cusolverSpScsrlsvqr(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const float *, const int *,
                                     const int *, const float *, float, int, float *, int *);
cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, int *);
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, double *, int, int *);
cusolverStatus_t cusolverDnDpotrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const double *, int, double *, int,
                                  int *);
cusolverStatus_t cusolverDnDpotri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, int *);
cusolverStatus_t cusolverDnDpotri(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, double *, int, int *);
cusolverStatus_t cusolverDnDgetrf_bufferSize(cusolverDnHandle_t, int, int, double *, int, int *);
cusolverStatus_t cusolverDnDgetrf(cusolverDnHandle_t, int, int, double *, int, double *, int *, int *);
cusolverStatus_t cusolverDnDgetrs(cusolverDnHandle_t, cublasOperation_t, int, int, const double *, int, const int *,
                                  double *, int, int *);
cusolverStatus_t cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t, int, int, double *, int, int *);
cusolverStatus_t cusolverDnDgeqrf(cusolverDnHandle_t, int, int, double *, int, double *, double *, int, int *);
cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
                                             const double *, int, const double *, const double *, int, int *);
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int, const double
                                  *, int, const double *, double *, int, double *, int, int *);
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t, int, int, int, const double *, int, const double *, int
                                             *);
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t, int, int, int, double *, int, const double *, double *, int, int
                                  *);
cusolverStatus_t cusolverDnDgesvd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnDgesvd(cusolverDnHandle_t, signed char, signed char, int, int, double *, int, double *,
                                  double *, int, double *, int, double *, int, double *, int *);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, const double
                                             *, int, const double *, int *);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, double *, int, double *,
                                  double *, int, int *);
cusolverStatus_t cusolverSpDcsrlsvchol(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const double *, const int
                                       *, const int *, const double *, double, int, double *, int *);
cusolverStatus_t cusolverSpDcsrlsvqr(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const double *, const int
                                     *, const int *, const double *, double, int, double *, int *);
cusolverStatus_t cusolverDnCpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCpotrf(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCpotrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const cuComplex *, int, cuComplex *,
                                  int, int *);
cusolverStatus_t cusolverDnCpotri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCpotri(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgetrf_bufferSize(cusolverDnHandle_t, int, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgetrf(cusolverDnHandle_t, int, int, cuComplex *, int, cuComplex *, int *, int *);
cusolverStatus_t cusolverDnCgetrs(cusolverDnHandle_t, cublasOperation_t, int, int, const cuComplex *, int, const int *,
                                  cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t, int, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgeqrf(cusolverDnHandle_t, int, int, cuComplex *, int, cuComplex *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCunmqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
                                             const cuComplex *, int, const cuComplex *, const cuComplex *, int, int *);
cusolverStatus_t cusolverDnCunmqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int, const
                                  cuComplex *, int, const cuComplex *, cuComplex *, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCungqr_bufferSize(cusolverDnHandle_t, int, int, int, const cuComplex *, int, const cuComplex
                                             *, int *);
cusolverStatus_t cusolverDnCungqr(cusolverDnHandle_t, int, int, int, cuComplex *, int, const cuComplex *, cuComplex *,
                                  int, int *);
cusolverStatus_t cusolverDnCgesvd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnCgesvd(cusolverDnHandle_t, signed char, signed char, int, int, cuComplex *, int, float *,
                                  cuComplex *, int, cuComplex *, int, cuComplex *, int, float *, int *);
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, const
                                             cuComplex *, int, const float *, int *);
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, cuComplex *, int, float
                                  *, cuComplex *, int, int *);
cusolverStatus_t cusolverSpCcsrlsvchol(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuComplex *, const
                                       int *, const int *, const cuComplex *, float, int, cuComplex *, int *);
cusolverStatus_t cusolverSpCcsrlsvqr(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuComplex *, const
                                     int *, const int *, const cuComplex *, float, int, cuComplex *, int *);
cusolverStatus_t cusolverDnZpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotrf(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int, cuDoubleComplex *,
                                  int, int *);
cusolverStatus_t cusolverDnZpotrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const cuDoubleComplex *, int,
                                  cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZpotri(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int, cuDoubleComplex *,
                                  int, int *);
cusolverStatus_t cusolverDnZgetrf_bufferSize(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgetrf(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, cuDoubleComplex *, int *, int
                                  *);
cusolverStatus_t cusolverDnZgetrs(cusolverDnHandle_t, cublasOperation_t, int, int, const cuDoubleComplex *, int, const
                                  int *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgeqrf(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, cuDoubleComplex *,
                                  cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZunmqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
                                             const cuDoubleComplex *, int, const cuDoubleComplex *, const
                                             cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZunmqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int, const
                                  cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int,
                                  cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZungqr_bufferSize(cusolverDnHandle_t, int, int, int, const cuDoubleComplex *, int, const
                                             cuDoubleComplex *, int *);
cusolverStatus_t cusolverDnZungqr(cusolverDnHandle_t, int, int, int, cuDoubleComplex *, int, const cuDoubleComplex *,
                                  cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgesvd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnZgesvd(cusolverDnHandle_t, signed char, signed char, int, int, cuDoubleComplex *, int, double
                                  *, cuDoubleComplex *, int, cuDoubleComplex *, int, cuDoubleComplex *, int, double *,
                                  int *);
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, const
                                             cuDoubleComplex *, int, const double *, int *);
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, cuDoubleComplex *, int,
                                  double *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverSpZcsrlsvchol(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuDoubleComplex *,
                                       const int *, const int *, const cuDoubleComplex *, double, int, cuDoubleComplex
                                       *, int *);
cusolverStatus_t cusolverSpZcsrlsvqr(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const cuDoubleComplex *,
                                     const int *, const int *, const cuDoubleComplex *, double, int, cuDoubleComplex *,
                                     int *);
#ifdef __cplusplus
}
#endif
#endif
