// Elements of a tensor by indices: what kernels are given in place of pointers.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_PYTORCH_ACCESSORS_H
#define HGRD_PYTORCH_ACCESSORS_H
#pragma GCC system_header
#include <pytorch/tensor.h>
namespace at {
template <class T, size_t N, class I> struct hgrd_part;
template <class T, size_t N, class I> struct hgrd_step { // by the first index
  typedef hgrd_part<T, N - 1, I> t;
  static HGRD_BOTH t at(T *data, const I *sizes, const I *strides, I i) {
    return t{data + strides[0] * i, sizes + 1, strides + 1};
  }
};
template <class T, class I> struct hgrd_step<T, 1, I> {
  typedef T &t;
  static HGRD_BOTH t at(T *data, const I *, const I *strides, I i) { return data[strides[0] * i]; }
};
template <class T, size_t N, class I> struct hgrd_part { // of an accessor, at some indices
  T *data_;
  const I *sizes_, *strides_;
  HGRD_BOTH I size(int d) const { return sizes_[d]; }
  HGRD_BOTH I stride(int d) const { return strides_[d]; }
  HGRD_BOTH T *data() const { return data_; }
  HGRD_BOTH typename hgrd_step<T, N, I>::t operator[](I i) const {
    return hgrd_step<T, N, I>::at(data_, sizes_, strides_, i);
  }
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
struct GenericPackedTensorAccessor {
  typename P<T>::PtrType data_;
  I sizes_[N], strides_[N];
  HGRD_BOTH I size(int d) const { return sizes_[d]; }
  HGRD_BOTH I stride(int d) const { return strides_[d]; }
  HGRD_BOTH T *data() const { return data_; }
  HGRD_BOTH typename hgrd_step<T, N, I>::t operator[](I i) const {
    return hgrd_step<T, N, I>::at(data_, sizes_, strides_, i);
  }
};
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int32_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, int64_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, P, I>;
template <class T, size_t N> struct TensorAccessor : GenericPackedTensorAccessor<T, N, DefaultPtrTraits, int64_t> {};

// The layout of a tensor of any number of dimensions, for elements by one number.
namespace cuda {
namespace detail {
template <class T, class I> struct TensorInfo {
  T *data;
  I sizes[hgrd_dims], strides[hgrd_dims];
  int dims;
};
template <class T, class I, int Dims> struct IndexToOffset {
  static HGRD_BOTH I get(I i, const TensorInfo<T, I> &info) {
    I offset = 0;
    for (int d = (Dims > 0 ? Dims : info.dims) - 1; d > 0; d--) {
      offset += i % info.sizes[d] * info.strides[d];
      i /= info.sizes[d];
    }
    return offset + i * info.strides[0];
  }
};
template <class T, class I> inline TensorInfo<T, I> getTensorInfo(const Tensor &t) {
  TensorInfo<T, I> info;
  info.data = t.data_ptr<T>();
  info.dims = (int)t.dim();
  for (int i = 0; i < hgrd_dims; i++) {
    info.sizes[i] = (I)t.sizes_[i];
    info.strides[i] = (I)t.strides_[i];
  }
  return info;
}
} // namespace detail
} // namespace cuda
template <class T, size_t N> inline TensorAccessor<T, N> Tensor::accessor() const {
  TensorAccessor<T, N> a;
  a.data_ = data_ptr<T>();
  hgrd_index<(int)N - 1>::fill(a, *this, 1);
  return a;
}
template <class T, size_t N, template <class> class P, class I>
inline GenericPackedTensorAccessor<T, N, P, I> Tensor::packed_accessor() const {
  GenericPackedTensorAccessor<T, N, P, I> a;
  a.data_ = data_ptr<T>();
  hgrd_index<(int)N - 1>::fill(a, *this, 1);
  return a;
}
template <class T, size_t N, template <class> class P>
inline GenericPackedTensorAccessor<T, N, P, int32_t> Tensor::packed_accessor32() const {
  return packed_accessor<T, N, P, int32_t>();
}
template <class T, size_t N, template <class> class P>
inline GenericPackedTensorAccessor<T, N, P, int64_t> Tensor::packed_accessor64() const {
  return packed_accessor<T, N, P, int64_t>();
}
} // namespace at
#endif
