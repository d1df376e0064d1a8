// Warp matrix functions. A fragment is private memory. Which elements of a matrix a lane loads or stores is not defined
// by CUDA, so loads and stores are opaque and the kernel is undecided there; multiplication is arithmetic of unknown
// value.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_MMA_H
#define HGRD_MMA_H
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#ifdef __CUDA__
extern "C" {
__device__ void __hgrd_opaque_sync_wmma_load(void *fragment, const void *matrix, unsigned int stride);
__device__ void __hgrd_opaque_sync_wmma_store(void *matrix, const void *fragment, unsigned int stride);
__device__ float __hgrd_pure_mma(float a, float b, float c);
}
namespace nvcuda {
namespace wmma {
#define HGRD_D static inline __device__ __attribute__((always_inline))
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
struct b1 {};
struct u4 {};
struct s4 {};
} // namespace precision
namespace experimental {
namespace precision {
using namespace nvcuda::wmma::precision;
}
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
template <class T> struct __hgrd_storage { typedef T type; };
template <> struct __hgrd_storage<precision::tf32> { typedef float type; };
template <> struct __hgrd_storage<precision::b1> { typedef int type; };
template <> struct __hgrd_storage<precision::u4> { typedef unsigned int type; };
template <> struct __hgrd_storage<precision::s4> { typedef int type; };

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
public:
  typedef typename __hgrd_storage<T>::type element_type;
  typedef element_type storage_element_type;
  static constexpr int num_elements = m * n >= 256 ? 8 : 4;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};
template <class Use, int m, int n, int k, class T, class L, class V>
HGRD_D void fill_fragment(fragment<Use, m, n, k, T, L> &f, const V &value) {
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = (typename fragment<Use, m, n, k, T, L>::element_type)value;
}
template <class Use, int m, int n, int k, class T, class L, class U>
HGRD_D void load_matrix_sync(fragment<Use, m, n, k, T, L> &f, const U *matrix, unsigned int stride) {
  __hgrd_opaque_sync_wmma_load(&f, matrix, stride);
}
template <class Use, int m, int n, int k, class T, class L, class U>
HGRD_D void load_matrix_sync(fragment<Use, m, n, k, T, L> &f, const U *matrix, unsigned int stride, layout_t) {
  __hgrd_opaque_sync_wmma_load(&f, matrix, stride);
}
template <class Use, int m, int n, int k, class T, class L, class U>
HGRD_D void store_matrix_sync(U *matrix, const fragment<Use, m, n, k, T, L> &f, unsigned int stride, layout_t) {
  __hgrd_opaque_sync_wmma_store(matrix, &f, stride);
}
template <class D, class A, class B, class C>
HGRD_D void mma_sync(D &d, const A &a, const B &b, const C &c, bool = false) {
  for (int i = 0; i < d.num_elements; i++)
    d.x[i] = (typename D::element_type)__hgrd_pure_mma((float)a.x[0], (float)b.x[0], (float)c.x[i]);
}
template <class D, class A, class B, class C>
HGRD_D void bmma_sync(D &d, const A &a, const B &b, const C &c,
                      experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                      experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  mma_sync(d, a, b, c);
}
HGRD_D float __float_to_tf32(float v) { return v; }
#undef HGRD_D
} // namespace wmma
} // namespace nvcuda
#endif // __CUDA__
#endif
