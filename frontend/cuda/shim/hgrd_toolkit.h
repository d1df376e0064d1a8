// Forced behind the headers of a toolkit: what nvcc makes known and clang's view of those headers leaves out.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TOOLKIT_H
#define HGRD_TOOLKIT_H
#pragma GCC system_header
#undef __CUDACC__
#define __CUDACC__ 1
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "../hgrd_default_stream.h"
#include "../hgrd_launch.h"
#include "../hgrd_min_max.h"
#include "../hgrd_nv_atomic.h"
#include "../hgrd_surface.h"
// What cooperative groups need for clusters, clang has.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define _CG_CLUSTER_INTRINSICS_AVAILABLE
#endif
// The size of clusters, which clang does not know as an attribute, is an annotation.
#undef __cluster_dims__
#undef __block_size__
#ifdef __CUDA_ARCH__
#define __cluster_dims__(...) __attribute__((annotate("hgrd.cluster_dims", ##__VA_ARGS__)))
#define __block_size__(...) __attribute__((annotate("hgrd.cluster_dims")))
#else
#define __cluster_dims__(...)
#define __block_size__(...)
#endif
typedef struct _IO_FILE FILE;
// Loads and stores with a cache hint, which clang's view of the headers has for half precision alone.
template <class T> __device__ T __ldcg(const T *);
template <class T> __device__ T __ldca(const T *);
template <class T> __device__ T __ldcs(const T *);
template <class T> __device__ T __ldlu(const T *);
template <class T> __device__ T __ldcv(const T *);
template <class T> __device__ void __stwb(T *, T);
template <class T> __device__ void __stcg(T *, T);
template <class T> __device__ void __stcs(T *, T);
template <class T> __device__ void __stwt(T *, T);
#endif
