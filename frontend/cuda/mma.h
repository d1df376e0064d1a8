// Warp matrix functions. A fragment is private memory. The lanes of a warp share a matrix out among them, each an equal
// part of its elements; which one is not defined by CUDA, but the same for all fragments of one type. Here a matrix is
// cut into 32 pieces along its lines, and lane l has piece (l + turn) % 32, turn being an unknown number of the type
// and of the way the matrix lies (by rows or by columns: one lane's elements are at other places of the memory then).
// Between warps that is the whole matrix, and between lanes nobody knows whose element it is. What comes out of a load
// or a multiplication is of unknown value.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_MMA_H
#define HGRD_MMA_H
#pragma GCC system_header
#include <type_traits>
#ifdef HGRD_TOOLKIT
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#else
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif
#ifdef __CUDA__
extern "C" {
__device__ unsigned int __hgrd_laneid(void);
__device__ unsigned int __hgrd_pure_fragment_turn(unsigned int use, unsigned int type, unsigned int m,
                                                         unsigned int n, unsigned int k, bool is_by_rows);
__device__ unsigned int __hgrd_unknown_32(void);
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
// ---- which part of a matrix is a lane's
// The types of elements are told apart by number: two of one size may be shared out in two ways.
template <class T> struct __hgrd_element {
  static constexpr unsigned int bits = sizeof(T) * 8;
  static constexpr unsigned int type =
      bits + 128 * (std::is_integral<T>::value ? 1 + std::is_unsigned<T>::value : std::is_floating_point<T>::value ? 3 : 4);
};
template <> struct __hgrd_element<__nv_bfloat16> { static constexpr unsigned int bits = 16, type = 0; };
template <> struct __hgrd_element<precision::tf32> { static constexpr unsigned int bits = 32, type = 1; };
template <> struct __hgrd_element<precision::b1> { static constexpr unsigned int bits = 1, type = 2; };
template <> struct __hgrd_element<precision::u4> { static constexpr unsigned int bits = 4, type = 3; };
template <> struct __hgrd_element<precision::s4> { static constexpr unsigned int bits = 4, type = 4; };
template <class Use, int m, int n, int k> struct __hgrd_shape;
template <int m, int n, int k> struct __hgrd_shape<matrix_a, m, n, k> {
  static constexpr unsigned int use = 1, rows = m, columns = k;
};
template <int m, int n, int k> struct __hgrd_shape<matrix_b, m, n, k> {
  static constexpr unsigned int use = 2, rows = k, columns = n;
};
template <int m, int n, int k> struct __hgrd_shape<accumulator, m, n, k> {
  static constexpr unsigned int use = 3, rows = m, columns = n;
};
template <unsigned int Bytes> struct __hgrd_piece { unsigned char byte[Bytes]; };

// A matrix that lies in lines, rows or columns, `stride` elements from one to the next.
template <class Use, int m, int n, int k, class T, bool IsByRows> struct __hgrd_share {
  typedef __hgrd_shape<Use, m, n, k> shape;
  typedef __hgrd_element<T> element;
  static constexpr unsigned int length = IsByRows ? shape::columns : shape::rows;
  static constexpr unsigned int elements = shape::rows * shape::columns / 32, bytes = elements * element::bits / 8,
                                in_line = length / elements;
  typedef __hgrd_piece<bytes> piece;
  static inline __device__ __attribute__((always_inline)) unsigned long long at(unsigned int stride) {
    unsigned int turn = __hgrd_pure_fragment_turn(shape::use, element::type, m, n, k, IsByRows);
    unsigned int number = (__hgrd_laneid() + turn) % 32;
    return (unsigned long long)(number / in_line) * stride * element::bits / 8 + number % in_line * bytes;
  }
};
template <class Use, int m, int n, int k, class T> struct __hgrd_tile {
  typedef __hgrd_share<Use, m, n, k, T, true> by_rows;
  typedef __hgrd_share<Use, m, n, k, T, false> by_columns;
};

template <class F> HGRD_D void __hgrd_leave_open(F &f) {
  for (int i = 0; i < f.num_elements; i++)
    f.x[i] = (typename F::element_type)(int)__hgrd_unknown_32();
}
template <class Share> HGRD_D void __hgrd_read(const void *matrix, unsigned int stride) {
  typename Share::piece piece = *(const typename Share::piece *)((const char *)matrix + Share::at(stride));
  (void)piece;
}
template <class Share> HGRD_D void __hgrd_write(void *matrix, unsigned int stride) {
  typename Share::piece piece;
  *(typename Share::piece *)((char *)matrix + Share::at(stride)) = piece;
}
template <class Use, int m, int n, int k, class T, class U>
HGRD_D void load_matrix_sync(fragment<Use, m, n, k, T, row_major> &f, const U *matrix, unsigned int stride) {
  __hgrd_read<typename __hgrd_tile<Use, m, n, k, T>::by_rows>(matrix, stride);
  __hgrd_leave_open(f);
}
template <class Use, int m, int n, int k, class T, class U>
HGRD_D void load_matrix_sync(fragment<Use, m, n, k, T, col_major> &f, const U *matrix, unsigned int stride) {
  __hgrd_read<typename __hgrd_tile<Use, m, n, k, T>::by_columns>(matrix, stride);
  __hgrd_leave_open(f);
}
template <class Use, int m, int n, int k, class T, class L, class U>
HGRD_D void load_matrix_sync(fragment<Use, m, n, k, T, L> &f, const U *matrix, unsigned int stride, layout_t layout) {
  if (layout == mem_row_major)
    __hgrd_read<typename __hgrd_tile<Use, m, n, k, T>::by_rows>(matrix, stride);
  else
    __hgrd_read<typename __hgrd_tile<Use, m, n, k, T>::by_columns>(matrix, stride);
  __hgrd_leave_open(f);
}
template <class Use, int m, int n, int k, class T, class L, class U>
HGRD_D void store_matrix_sync(U *matrix, const fragment<Use, m, n, k, T, L> &f, unsigned int stride, layout_t layout) {
  if (layout == mem_row_major)
    __hgrd_write<typename __hgrd_tile<Use, m, n, k, T>::by_rows>(matrix, stride);
  else
    __hgrd_write<typename __hgrd_tile<Use, m, n, k, T>::by_columns>(matrix, stride);
}
template <class D, class A, class B, class C>
HGRD_D void mma_sync(D &d, const A &, const B &, const C &, bool = false) {
  __hgrd_leave_open(d);
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
