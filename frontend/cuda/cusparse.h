// cuSPARSE: handles, status, and the generic interface with the common functions of the old one; prototypes for host
// code. What it computes is written by library kernels, which are not analysed.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUSPARSE_H
#define HGRD_CUSPARSE_H
#define CUSPARSEAPI // by which other code knows that it is there
#pragma GCC system_header
#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"
#include <stdint.h>
#include <stdio.h>

#define CUSPARSE_VERSION 12200
typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum {
  CUSPARSE_POINTER_MODE_HOST = 0,
  CUSPARSE_POINTER_MODE_DEVICE = 1
} cusparsePointerMode_t;
typedef enum {
  CUSPARSE_ACTION_SYMBOLIC = 0,
  CUSPARSE_ACTION_NUMERIC = 1
} cusparseAction_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum {
  CUSPARSE_FILL_MODE_LOWER = 0,
  CUSPARSE_FILL_MODE_UPPER = 1
} cusparseFillMode_t;
typedef enum {
  CUSPARSE_DIAG_TYPE_NON_UNIT = 0,
  CUSPARSE_DIAG_TYPE_UNIT = 1
} cusparseDiagType_t;
typedef enum {
  CUSPARSE_INDEX_BASE_ZERO = 0,
  CUSPARSE_INDEX_BASE_ONE = 1
} cusparseIndexBase_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum {
  CUSPARSE_DIRECTION_ROW = 0,
  CUSPARSE_DIRECTION_COLUMN = 1
} cusparseDirection_t;
typedef enum {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
  CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5,
  CUSPARSE_FORMAT_BSR = 6
} cusparseFormat_t;
typedef enum {
  CUSPARSE_ORDER_COL = 1,
  CUSPARSE_ORDER_ROW = 2
} cusparseOrder_t;
typedef enum {
  CUSPARSE_INDEX_16U = 1,
  CUSPARSE_INDEX_32I = 2,
  CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum {
  CUSPARSE_SPMAT_FILL_MODE = 0,
  CUSPARSE_SPMAT_DIAG_TYPE = 1
} cusparseSpMatAttribute_t;
typedef enum {
  CUSPARSE_MV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum {
  CUSPARSE_SPSV_ALG_DEFAULT = 0
} cusparseSpSVAlg_t;
typedef enum {
  CUSPARSE_SPSM_ALG_DEFAULT = 0
} cusparseSpSMAlg_t;
typedef enum {
  CUSPARSE_SDDMM_ALG_DEFAULT = 0
} cusparseSDDMMAlg_t;
typedef enum {
  CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0
} cusparseSparseToDenseAlg_t;
typedef enum {
  CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0
} cusparseDenseToSparseAlg_t;
typedef enum {
  CUSPARSE_CSR2CSC_ALG_DEFAULT = 1,
  CUSPARSE_CSR2CSC_ALG1 = 1
} cusparseCsr2CscAlg_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef cusparseSpVecDescr_t cusparseConstSpVecDescr_t;
typedef cusparseDnVecDescr_t cusparseConstDnVecDescr_t;
typedef cusparseSpMatDescr_t cusparseConstSpMatDescr_t;
typedef cusparseDnMatDescr_t cusparseConstDnMatDescr_t;
#ifdef __cplusplus
extern "C" {
#endif
cusparseStatus_t cusparseCreate(cusparseHandle_t *);
cusparseStatus_t cusparseDestroy(cusparseHandle_t);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int *);
cusparseStatus_t cusparseSetStream(cusparseHandle_t, cudaStream_t);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t, cusparsePointerMode_t);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t, cusparseMatrixType_t);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t, cusparseIndexBase_t);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t, cusparseFillMode_t);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t, cusparseDiagType_t);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t);
const char *cusparseGetErrorString(cusparseStatus_t);
const char *cusparseGetErrorName(cusparseStatus_t);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t, void *, void *, void *,
                                   cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t, void *, void *, void *,
                                   cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t, void *, void *, void *,
                                   cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t, int64_t, void *, void *,
                                          cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseDestroySpMat(cusparseSpMatDescr_t);
cusparseStatus_t cusparseSpMatGetSize(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t, cusparseSpMatAttribute_t, void *, size_t);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t, void *, void *, void *);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t, int, int64_t, int64_t);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t, void *);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *, int64_t, void *, cudaDataType);
cusparseStatus_t cusparseDestroyDnVec(cusparseDnVecDescr_t);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t, void *);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *, int64_t, int64_t, void *, void *, cusparseIndexType_t,
                                     cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseDestroySpVec(cusparseSpVecDescr_t);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *, int64_t, int64_t, int64_t, void *, cudaDataType,
                                     cusparseOrder_t);
cusparseStatus_t cusparseDestroyDnMat(cusparseDnMatDescr_t);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t, int, int64_t);
cusparseStatus_t cusparseSpMV(cusparseHandle_t, cusparseOperation_t, const void *, cusparseSpMatDescr_t,
                              cusparseDnVecDescr_t, const void *, cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                              void *);
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseSpMatDescr_t,
                                         cusparseDnVecDescr_t, const void *, cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, size_t *);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *, cusparseSpMatDescr_t,
                                         cusparseDnVecDescr_t, const void *, cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, void *);
cusparseStatus_t cusparseSpMM(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                              cusparseSpMatDescr_t, cusparseDnMatDescr_t, const void *, cusparseDnMatDescr_t,
                              cudaDataType, cusparseSpMMAlg_t, void *);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                         cusparseSpMatDescr_t, cusparseDnMatDescr_t, const void *, cusparseDnMatDescr_t,
                                         cudaDataType, cusparseSpMMAlg_t, size_t *);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                         cusparseSpMatDescr_t, cusparseDnMatDescr_t, const void *, cusparseDnMatDescr_t,
                                         cudaDataType, cusparseSpMMAlg_t, void *);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                               cusparseDnMatDescr_t, cusparseDnMatDescr_t, const void *, cusparseSpMatDescr_t,
                               cudaDataType, cusparseSDDMMAlg_t, void *);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                          cusparseDnMatDescr_t, cusparseDnMatDescr_t, const void *,
                                          cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t, size_t *);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                          cusparseDnMatDescr_t, cusparseDnMatDescr_t, const void *,
                                          cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t, void *);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                               cusparseSpMatDescr_t, cusparseSpMatDescr_t, const void *,
                                               cusparseSpMatDescr_t, cudaDataType, cusparseSpGEMMAlg_t,
                                               cusparseSpGEMMDescr_t, size_t *, void *);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                        cusparseSpMatDescr_t, cusparseSpMatDescr_t, const void *, cusparseSpMatDescr_t,
                                        cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, size_t *, void *);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                     cusparseSpMatDescr_t, cusparseSpMatDescr_t, const void *, cusparseSpMatDescr_t,
                                     cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *, cusparseSpMatDescr_t,
                                         cusparseDnVecDescr_t, cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t, size_t *);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void *, cusparseSpMatDescr_t,
                                       cusparseDnVecDescr_t, cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t, void *);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t, cusparseOperation_t, const void *, cusparseSpMatDescr_t,
                                    cusparseDnVecDescr_t, cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                         cusparseSpMatDescr_t, cusparseDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
                                         cusparseSpSMAlg_t, cusparseSpSMDescr_t, size_t *);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                       cusparseSpMatDescr_t, cusparseDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
                                       cusparseSpSMAlg_t, cusparseSpSMDescr_t, void *);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void *,
                                    cusparseSpMatDescr_t, cusparseDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t);
cusparseStatus_t cusparseAxpby(cusparseHandle_t, const void *, cusparseSpVecDescr_t, const void *,
                               cusparseDnVecDescr_t);
cusparseStatus_t cusparseGather(cusparseHandle_t, cusparseDnVecDescr_t, cusparseSpVecDescr_t);
cusparseStatus_t cusparseScatter(cusparseHandle_t, cusparseSpVecDescr_t, cusparseDnVecDescr_t);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t, cusparseSpMatDescr_t, cusparseDnMatDescr_t,
                                       cusparseSparseToDenseAlg_t, void *);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseSpMatDescr_t, cusparseDnMatDescr_t,
                                                  cusparseSparseToDenseAlg_t, size_t *);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t, cusparseDnMatDescr_t, cusparseSpMatDescr_t,
                                                cusparseDenseToSparseAlg_t, void *);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t, cusparseDnMatDescr_t, cusparseSpMatDescr_t,
                                               cusparseDenseToSparseAlg_t, void *);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t, cusparseDnMatDescr_t, cusparseSpMatDescr_t,
                                                  cusparseDenseToSparseAlg_t, size_t *);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t, int, int, int, const void *, const int *, const int *, void *, int
                                    *, int *, cudaDataType, cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                    void *);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void *, const int *, const int *,
                                               void *, int *, int *, cudaDataType, cusparseAction_t,
                                               cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t *);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *, size_t *);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, const int *, int *, int *,
                                  void *);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t, int, int *);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t, const int *, int, int, int *, cusparseIndexBase_t);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t, const int *, int, int, int *, cusparseIndexBase_t);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t, csrilu02Info_t, int *);
cusparseStatus_t cusparseScsrilu02_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, float *, const int
                                              *, const int *, csrilu02Info_t, int *);
cusparseStatus_t cusparseScsrilu02_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t, float *, const int *,
                                            const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseScsrilu02(cusparseHandle_t, int, int, const cusparseMatDescr_t, float *, const int *, const int
                                   *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseSgthr(cusparseHandle_t, int, const float *, float *, const int *, cusparseIndexBase_t);
cusparseStatus_t cusparseSnnz(cusparseHandle_t, cusparseDirection_t, int, int, const cusparseMatDescr_t, const float *,
                              int, int *, int *);
cusparseStatus_t cusparseDcsrilu02_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, double *, const int
                                              *, const int *, csrilu02Info_t, int *);
cusparseStatus_t cusparseDcsrilu02_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t, double *, const int *,
                                            const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDcsrilu02(cusparseHandle_t, int, int, const cusparseMatDescr_t, double *, const int *, const
                                   int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);
cusparseStatus_t cusparseDgthr(cusparseHandle_t, int, const double *, double *, const int *, cusparseIndexBase_t);
cusparseStatus_t cusparseDnnz(cusparseHandle_t, cusparseDirection_t, int, int, const cusparseMatDescr_t, const double *,
                              int, int *, int *);
#ifdef __cplusplus
}
#endif
#endif
