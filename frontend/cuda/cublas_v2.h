// cuBLAS: handles, status and the common functions of the three levels in four types; prototypes for host code. Vectors
// and matrices are written by library kernels, which are not analysed.
// Each name is there by itself, with _v2, by which cuBLAS has those of the first version, and with _64.
// Left out: the matrices of half precision beyond gemm, logging.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUBLAS_V2_H
#define HGRD_CUBLAS_V2_H
#define CUBLAS_API_H_ // by which other code knows that it is there
#pragma GCC system_header
#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"
#include <stdint.h>

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate_v2(cublasHandle_t *);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *);
cublasStatus_t cublasGetProperty(libraryPropertyType, int *);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream_v2(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void *, size_t);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t *);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t, int);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t, int *);
typedef void (*cublasLogCallback)(const char *);
cublasStatus_t cublasLoggerConfigure(int, int, int, const char *);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *);
void cublasXerbla(const char *, int);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasSetVectorAsync(int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasGetVectorAsync(int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasSetMatrixAsync(int, int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasGetMatrixAsync(int, int, int, const void *, int, void *, int, cudaStream_t);
const char *cublasGetStatusName(cublasStatus_t);
const char *cublasGetStatusString(cublasStatus_t);
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSetWorkspace cublasSetWorkspace_v2

#define HGRD_BLAS(x, type, real, n, s)                                                                                       \
  cublasStatus_t cublas##x##copy##s(cublasHandle_t, n, const type *, n, type *, n);                                 \
  cublasStatus_t cublas##x##swap##s(cublasHandle_t, n, type *, n, type *, n);                                       \
  cublasStatus_t cublas##x##scal##s(cublasHandle_t, n, const type *, type *, n);                                      \
  cublasStatus_t cublas##x##axpy##s(cublasHandle_t, n, const type *, const type *, n, type *, n);                   \
  cublasStatus_t cublas##x##gemv##s(cublasHandle_t, cublasOperation_t, n, n, const type *, const type *, n,         \
                                 const type *, n, const type *, type *, n);                                        \
  cublasStatus_t cublas##x##trsv##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, n,           \
                                 const type *, n, type *, n);                                                      \
  cublasStatus_t cublas##x##symv##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, n, const type *, \
                                 n, const type *, type *, n);                                                      \
  cublasStatus_t cublas##x##gemm##s(cublasHandle_t, cublasOperation_t, cublasOperation_t, n, n, n, const type *,    \
                                 const type *, n, const type *, n, const type *, type *, n);                     \
  cublasStatus_t cublas##x##gemmBatched##s(cublasHandle_t, cublasOperation_t, cublasOperation_t, n, n, n,           \
                                        const type *, const type *const *, n, const type *const *, n,              \
                                        const type *, type *const *, n, n);                                        \
  cublasStatus_t cublas##x##gemmStridedBatched##s(cublasHandle_t, cublasOperation_t, cublasOperation_t, n, n, n,    \
                                               const type *, const type *, n, long long, const type *, n,          \
                                               long long, const type *, type *, n, long long, n);                  \
  cublasStatus_t cublas##x##symm##s(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, n, n, const type *,           \
                                 const type *, n, const type *, n, const type *, type *, n);                     \
  cublasStatus_t cublas##x##syrk##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, n, n, const type *,          \
                                 const type *, n, const type *, type *, n);                                        \
  cublasStatus_t cublas##x##trsm##s(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,                \
                                 cublasDiagType_t, n, n, const type *, const type *, n, type *, n);            \
  cublasStatus_t cublas##x##trsmBatched##s(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,         \
                                        cublasDiagType_t, n, n, const type *, const type *const *, n,            \
                                        type *const *, n, n);                                                      \
  cublasStatus_t cublas##x##trmm##s(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,                \
                                 cublasDiagType_t, n, n, const type *, const type *, n, const type *, n,       \
                                 type *, n);                                                                         \
  cublasStatus_t cublas##x##geam##s(cublasHandle_t, cublasOperation_t, cublasOperation_t, n, n, const type *,         \
                                 const type *, n, const type *, const type *, n, type *, n);                     \
  cublasStatus_t cublas##x##dgmm##s(cublasHandle_t, cublasSideMode_t, n, n, const type *, n, const type *, n,     \
                                 type *, n);                                                                         \
  cublasStatus_t cublas##x##getrfBatched##s(cublasHandle_t, n, type *const *, n, n *, n *, n);                  \
  cublasStatus_t cublas##x##getriBatched##s(cublasHandle_t, n, const type *const *, n, const n *, type *const *,    \
                                         n, n *, n);                                                             \
  cublasStatus_t cublas##x##getrsBatched##s(cublasHandle_t, cublasOperation_t, n, n, const type *const *, n,        \
                                         const n *, type *const *, n, n *, n);                                 \
  cublasStatus_t cublas##x##gelsBatched##s(cublasHandle_t, cublasOperation_t, n, n, n, type *const *, n,          \
                                        type *const *, n, n *, n *, n);                                        \
  cublasStatus_t cublas##x##matinvBatched##s(cublasHandle_t, n, const type *const *, n, type *const *, n, n *,    \
                                          n); \
  cublasStatus_t cublas##x##trmv##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, n, \
                                 const type *, n, type *, n); \
  cublasStatus_t cublas##x##tbmv##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, n, n, \
                                 const type *, n, type *, n); \
  cublasStatus_t cublas##x##tbsv##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, n, n, \
                                 const type *, n, type *, n); \
  cublasStatus_t cublas##x##tpmv##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, n, \
                                 const type *, type *, n); \
  cublasStatus_t cublas##x##tpsv##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, n, \
                                 const type *, type *, n); \
  cublasStatus_t cublas##x##gbmv##s(cublasHandle_t, cublasOperation_t, n, n, n, n, const type *, const type *, n, \
                                 const type *, n, const type *, type *, n); \
  cublasStatus_t cublas##x##syr##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, n, type *, n); \
  cublasStatus_t cublas##x##syr2##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, n, const type *, \
                                 n, type *, n); \
  cublasStatus_t cublas##x##syr2k##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, n, n, const type *, \
                                 const type *, n, const type *, n, const type *, type *, n);
HGRD_BLAS(S, float, float, int, )
HGRD_BLAS(S, float, float, int64_t, _64)
HGRD_BLAS(S, float, float, int, _v2)
HGRD_BLAS(S, float, float, int64_t, _v2_64)
HGRD_BLAS(D, double, double, int, )
HGRD_BLAS(D, double, double, int64_t, _64)
HGRD_BLAS(D, double, double, int, _v2)
HGRD_BLAS(D, double, double, int64_t, _v2_64)
HGRD_BLAS(C, cuComplex, float, int, )
HGRD_BLAS(C, cuComplex, float, int64_t, _64)
HGRD_BLAS(C, cuComplex, float, int, _v2)
HGRD_BLAS(C, cuComplex, float, int64_t, _v2_64)
HGRD_BLAS(Z, cuDoubleComplex, double, int, )
HGRD_BLAS(Z, cuDoubleComplex, double, int64_t, _64)
HGRD_BLAS(Z, cuDoubleComplex, double, int, _v2)
HGRD_BLAS(Z, cuDoubleComplex, double, int64_t, _v2_64)
#undef HGRD_BLAS
#define HGRD_BLAS(x, type, n, s)                                                                                             \
  cublasStatus_t cublasI##x##amax##s(cublasHandle_t, n, const type *, n, n *);                                      \
  cublasStatus_t cublasI##x##amin##s(cublasHandle_t, n, const type *, n, n *);
HGRD_BLAS(s, float, int, )
HGRD_BLAS(s, float, int64_t, _64)
HGRD_BLAS(s, float, int, _v2)
HGRD_BLAS(s, float, int64_t, _v2_64)
HGRD_BLAS(d, double, int, )
HGRD_BLAS(d, double, int64_t, _64)
HGRD_BLAS(d, double, int, _v2)
HGRD_BLAS(d, double, int64_t, _v2_64)
HGRD_BLAS(c, cuComplex, int, )
HGRD_BLAS(c, cuComplex, int64_t, _64)
HGRD_BLAS(c, cuComplex, int, _v2)
HGRD_BLAS(c, cuComplex, int64_t, _v2_64)
HGRD_BLAS(z, cuDoubleComplex, int, )
HGRD_BLAS(z, cuDoubleComplex, int64_t, _64)
HGRD_BLAS(z, cuDoubleComplex, int, _v2)
HGRD_BLAS(z, cuDoubleComplex, int64_t, _v2_64)
#undef HGRD_BLAS
#define HGRD_BLAS_REAL(x, type, n, s)                                                                                        \
  cublasStatus_t cublas##x##dot##s(cublasHandle_t, n, const type *, n, const type *, n, type *);                    \
  cublasStatus_t cublas##x##nrm2##s(cublasHandle_t, n, const type *, n, type *);                                      \
  cublasStatus_t cublas##x##asum##s(cublasHandle_t, n, const type *, n, type *);                                      \
  cublasStatus_t cublas##x##rot##s(cublasHandle_t, n, type *, n, type *, n, const type *, const type *);            \
  cublasStatus_t cublas##x##ger##s(cublasHandle_t, n, n, const type *, const type *, n, const type *, n, type *,  \
                                n); \
  cublasStatus_t cublas##x##spr##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, n, type *); \
  cublasStatus_t cublas##x##spr2##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, n, const type *, \
                                 n, type *); \
  cublasStatus_t cublas##x##spmv##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, const type *, n, \
                                 const type *, type *, n); \
  cublasStatus_t cublas##x##sbmv##s(cublasHandle_t, cublasFillMode_t, n, n, const type *, const type *, n, \
                                 const type *, n, const type *, type *, n); \
  cublasStatus_t cublas##x##rotg##s(cublasHandle_t, type *, type *, type *, type *); \
  cublasStatus_t cublas##x##rotm##s(cublasHandle_t, n, type *, n, type *, n, const type *); \
  cublasStatus_t cublas##x##rotmg##s(cublasHandle_t, type *, type *, type *, const type *, type *);
HGRD_BLAS_REAL(S, float, int, )
HGRD_BLAS_REAL(S, float, int64_t, _64)
HGRD_BLAS_REAL(S, float, int, _v2)
HGRD_BLAS_REAL(S, float, int64_t, _v2_64)
HGRD_BLAS_REAL(D, double, int, )
HGRD_BLAS_REAL(D, double, int64_t, _64)
HGRD_BLAS_REAL(D, double, int, _v2)
HGRD_BLAS_REAL(D, double, int64_t, _v2_64)
#undef HGRD_BLAS_REAL
#define HGRD_BLAS_COMPLEX(x, type, y, real, n, s)                                                                            \
  cublasStatus_t cublas##x##dotu##s(cublasHandle_t, n, const type *, n, const type *, n, type *);                   \
  cublasStatus_t cublas##x##dotc##s(cublasHandle_t, n, const type *, n, const type *, n, type *);                   \
  cublasStatus_t cublas##y##nrm2##s(cublasHandle_t, n, const type *, n, real *);                                      \
  cublasStatus_t cublas##y##asum##s(cublasHandle_t, n, const type *, n, real *); \
  cublasStatus_t cublas##x##geru##s(cublasHandle_t, n, n, const type *, const type *, n, const type *, n, type *, n); \
  cublasStatus_t cublas##x##gerc##s(cublasHandle_t, n, n, const type *, const type *, n, const type *, n, type *, n); \
  cublasStatus_t cublas##x##hemv##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, n, const type *, \
                                 n, const type *, type *, n); \
  cublasStatus_t cublas##x##hbmv##s(cublasHandle_t, cublasFillMode_t, n, n, const type *, const type *, n, \
                                 const type *, n, const type *, type *, n); \
  cublasStatus_t cublas##x##hpmv##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, const type *, n, \
                                 const type *, type *, n); \
  cublasStatus_t cublas##x##her##s(cublasHandle_t, cublasFillMode_t, n, const real *, const type *, n, type *, n); \
  cublasStatus_t cublas##x##her2##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, n, const type *, \
                                 n, type *, n); \
  cublasStatus_t cublas##x##hpr##s(cublasHandle_t, cublasFillMode_t, n, const real *, const type *, n, type *); \
  cublasStatus_t cublas##x##hpr2##s(cublasHandle_t, cublasFillMode_t, n, const type *, const type *, n, const type *, \
                                 n, type *); \
  cublasStatus_t cublas##x##hemm##s(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, n, n, const type *, \
                                 const type *, n, const type *, n, const type *, type *, n); \
  cublasStatus_t cublas##x##herk##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, n, n, const real *, \
                                 const type *, n, const real *, type *, n); \
  cublasStatus_t cublas##x##her2k##s(cublasHandle_t, cublasFillMode_t, cublasOperation_t, n, n, const type *, \
                                 const type *, n, const type *, n, const real *, type *, n);
HGRD_BLAS_COMPLEX(C, cuComplex, Sc, float, int, )
HGRD_BLAS_COMPLEX(C, cuComplex, Sc, float, int64_t, _64)
HGRD_BLAS_COMPLEX(C, cuComplex, Sc, float, int, _v2)
HGRD_BLAS_COMPLEX(C, cuComplex, Sc, float, int64_t, _v2_64)
HGRD_BLAS_COMPLEX(Z, cuDoubleComplex, Dz, double, int, )
HGRD_BLAS_COMPLEX(Z, cuDoubleComplex, Dz, double, int64_t, _64)
HGRD_BLAS_COMPLEX(Z, cuDoubleComplex, Dz, double, int, _v2)
HGRD_BLAS_COMPLEX(Z, cuDoubleComplex, Dz, double, int64_t, _v2_64)
#undef HGRD_BLAS_COMPLEX
#define HGRD_BLAS(x, type, real, n, s) cublasStatus_t cublas##x##scal##s(cublasHandle_t, n, const real *, type *, n);
HGRD_BLAS(Cs, cuComplex, float, int, )
HGRD_BLAS(Cs, cuComplex, float, int64_t, _64)
HGRD_BLAS(Cs, cuComplex, float, int, _v2)
HGRD_BLAS(Cs, cuComplex, float, int64_t, _v2_64)
HGRD_BLAS(Zd, cuDoubleComplex, double, int, )
HGRD_BLAS(Zd, cuDoubleComplex, double, int64_t, _64)
HGRD_BLAS(Zd, cuDoubleComplex, double, int, _v2)
HGRD_BLAS(Zd, cuDoubleComplex, double, int64_t, _v2_64)
#undef HGRD_BLAS
#ifdef __CUDA__
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const __half *,
                           const __half *, int, const __half *, int, const __half *, __half *, int);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                         const __half *, const __half *, int, long long, const __half *, int,
                                         long long, const __half *, __half *, int, long long, int);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const __half *,
                                  const __half *const *, int, const __half *const *, int, const __half *,
                                  __half *const *, int, int);
#endif
cublasStatus_t cublasDotEx(cublasHandle_t, int, const void *, cudaDataType, int, const void *, cudaDataType, int,
                           void *, cudaDataType, cudaDataType);
cublasStatus_t cublasNrm2Ex(cublasHandle_t, int, const void *, cudaDataType, int, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasAxpyEx(cublasHandle_t, int, const void *, cudaDataType, const void *, cudaDataType, int, void *,
                            cudaDataType, int, cudaDataType);
cublasStatus_t cublasScalEx(cublasHandle_t, int, const void *, cudaDataType, void *, cudaDataType, int, cudaDataType);
cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const float *,
                             const void *, cudaDataType, int, const void *, cudaDataType, int, const float *, void *,
                             cudaDataType, int);
#ifdef __cplusplus
}
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                            const void *, cudaDataType, int, const void *, cudaDataType, int, const void *, void *,
                            cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                            const void *, cudaDataType, int, const void *, cudaDataType, int, const void *, void *,
                            cudaDataType, int, cudaDataType, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                          const void *, const void *, cudaDataType, int, long long, const void *,
                                          cudaDataType, int, long long, const void *, void *, cudaDataType, int,
                                          long long, int, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                          const void *, const void *, cudaDataType, int, long long, const void *,
                                          cudaDataType, int, long long, const void *, void *, cudaDataType, int,
                                          long long, int, cudaDataType, cublasGemmAlgo_t);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                                   const void *const *, cudaDataType, int, const void *const *, cudaDataType, int,
                                   const void *, void *const *, cudaDataType, int, int, cublasComputeType_t,
                                   cublasGemmAlgo_t);
#endif
#endif
