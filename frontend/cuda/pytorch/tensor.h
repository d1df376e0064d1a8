// at::Tensor, how one is made, and what of others it may share memory with.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_PYTORCH_TENSOR_H
#define HGRD_PYTORCH_TENSOR_H
#pragma GCC system_header
#include <pytorch/scalars.h>
#include "hgrd_contents.h"
#if __cplusplus >= 201703L
#include <optional>
namespace c10 {
using std::nullopt;
using std::optional;
} // namespace c10
#endif
// A number that nobody knows: one for each object that it is of, and each place.
extern "C" __attribute__((const)) __host__ int64_t __hgrd_pytorch_number(const void *of, int64_t place);
inline const void *__hgrd_pytorch_anew() { return new char; } // to have other numbers than all before

namespace c10 {
template <class T> struct ArrayRef {
  const T *p_ = nullptr;
  size_t n_ = 0;
  ArrayRef() = default;
  ArrayRef(const T *p, size_t n) : p_(p), n_(n) {}
  ArrayRef(const T &one) : p_(&one), n_(1) {}
  ArrayRef(const std::vector<T> &v) : p_(v.data()), n_(v.size()) {}
  ArrayRef(const std::initializer_list<T> &l) : p_(l.begin()), n_(l.size()) {}
  template <size_t N> ArrayRef(const std::array<T, N> &a) : p_(a.data()), n_(N) {}
  size_t size() const { return n_; }
  const T *data() const { return p_; }
  const T *begin() const { return p_; }
  const T *end() const { return p_ + n_; }
  bool empty() const { return n_ == 0; }
  const T &operator[](size_t i) const { return p_[i]; }
  const T &front() const { return p_[0]; }
  const T &back() const { return p_[n_ - 1]; }
  std::vector<T> vec() const { return std::vector<T>(p_, p_ + n_); }
  bool operator==(const ArrayRef &o) const { return n_ == o.n_ && std::equal(p_, p_ + n_, o.p_); }
  bool operator!=(const ArrayRef &o) const { return !(*this == o); }
};
typedef ArrayRef<int64_t> IntArrayRef;
struct TensorOptions {
  ScalarType type_ = ScalarType::Float;
  bool has_type_ = false;
  TensorOptions() = default;
  TensorOptions(ScalarType t) : type_(t), has_type_(true) {}
  TensorOptions(Device) {}
  TensorOptions(DeviceType) {}
  TensorOptions dtype(ScalarType t) const { return TensorOptions(t); }
  ScalarType dtype() const { return type_; }
  ScalarType or_else(ScalarType t) const { return has_type_ ? type_ : t; }
  template <class D> TensorOptions device(D &&) const { return *this; }
  template <class D> TensorOptions device(D &&, int) const { return *this; }
  TensorOptions requires_grad(bool) const { return *this; }
  template <class L> TensorOptions layout(L &&) const { return *this; }
};
struct hgrd_type { // what type() and dtype() give
  ScalarType type_;
  bool is_cuda_;
  operator ScalarType() const { return type_; }
  ScalarType scalarType() const { return type_; }
  bool is_cuda() const { return is_cuda_; }
  bool operator==(const hgrd_type &o) const { return type_ == o.type_; }
  bool operator!=(const hgrd_type &o) const { return type_ != o.type_; }
  bool operator==(ScalarType o) const { return type_ == o; }
  bool operator!=(ScalarType o) const { return type_ != o; }
};
} // namespace c10

namespace at {
using namespace c10;
template <class T, size_t N> struct TensorAccessor;
template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };
template <class T, size_t N, template <class> class P, class I> struct GenericPackedTensorAccessor;
enum { hgrd_dims = 6 };
struct Tensor;
struct hgrd_sizes; // all sizes of a tensor
namespace indexing {
struct TensorIndex;
}

struct Tensor {
  void *data_ = nullptr;
  const void *layout_ = nullptr; // another one for each view, as what is asked of one need not hold of another
  int64_t dim_ = 0, numel_ = 0;
  int64_t sizes_[hgrd_dims], strides_[hgrd_dims];
  ScalarType type_ = ScalarType::Undefined;
  bool is_dense_ = false; // elements follow one another, the last index first, whatever strides_ says

  int64_t dim() const { return dim_; }
  int64_t ndimension() const { return dim_; }
  int64_t size(int64_t d) const {
    int64_t n = sizes_[d < 0 ? d + dim_ : d];
    if (n < 0) __hgrd_pytorch_throws();
    return n;
  }
  int64_t stride(int64_t d) const { return strides_[d < 0 ? d + dim_ : d]; }
  inline hgrd_sizes sizes() const;
  IntArrayRef strides() const { return IntArrayRef(strides_, (size_t)dim_); }
  int64_t numel() const {
    if (numel_ < 0) __hgrd_pytorch_throws();
    return numel_;
  }
  int64_t nbytes() const { return numel() * element_size(); }
  int64_t element_size() const { return elementSize(type_); }
  int64_t itemsize() const { return elementSize(type_); }
  int64_t storage_offset() const { return __hgrd_pytorch_number(data_, 0); }
  bool defined() const { return data_ != nullptr; }
  // Host code may go either way by the answers.
  bool asked(int64_t question) const { return __hgrd_pytorch_number(layout_, question) != 0; }
  bool is_cuda() const { return asked(1); }
  bool is_cpu() const { return !is_cuda(); }
  bool is_contiguous() const { return is_dense_ || asked(2); }
  bool is_contiguous(MemoryFormat f) const { return asked(10 + (int64_t)f); }
  bool is_non_overlapping_and_dense() const { return is_contiguous() || asked(3); }
  bool is_sparse() const { return asked(4); }
  bool is_floating_point() const {
    return type_ == kFloat || type_ == kDouble || type_ == kHalf || type_ == kBFloat16;
  }
  bool requires_grad() const { return asked(5); }
  bool is_same(const Tensor &o) const { return data_ == o.data_; }
  ScalarType scalar_type() const { return type_; }
  hgrd_type type() const { return hgrd_type{type_, is_cuda()}; }
  hgrd_type dtype() const { return type(); }
  TensorOptions options() const { return TensorOptions(type_); }
  Device device() const { return Device(DeviceType::CUDA); }
  int64_t get_device() const { return 0; }
  template <class T> T *data_ptr() const {
    if (!hgrd_is<T>::of(type_)) __hgrd_pytorch_throws();
    return static_cast<T *>(data_);
  }
  template <class T> const T *const_data_ptr() const { return data_ptr<T>(); }
  template <class T> T *mutable_data_ptr() const { return data_ptr<T>(); }
  template <class T> T *data() const { return data_ptr<T>(); }
  void *data_ptr() const { return data_; }
  const void *const_data_ptr() const { return data_; }
  void *mutable_data_ptr() const { return data_; }
  template <class T> T item() const {
    T value;
    (void)cudaMemcpy(&value, data_, sizeof value, cudaMemcpyDefault);
    return value;
  }
  Scalar item() const { return Scalar(__hgrd_pytorch_number(__hgrd_pytorch_anew(), 0)); }

  // ---- the same memory
  Tensor contiguous() const { // a copy, perhaps
    Tensor t = *this;
    t.is_dense_ = true;
    return t;
  }
  Tensor contiguous(MemoryFormat) const { return laid_out_anew(); }
  MemoryFormat suggest_memory_format() const { return (MemoryFormat)__hgrd_pytorch_number(layout_, 6); }
  Tensor detach() const { return *this; }
  Tensor variable_data() const { return *this; }
  Tensor cuda() const { return *this; }
  Tensor cpu() const { return *this; }
  Tensor set_requires_grad(bool) const { return *this; }
  inline Tensor to(TensorOptions o) const;
  inline Tensor to(ScalarType t) const;
  Tensor to(Device) const { return *this; }
  Tensor to(DeviceType) const { return *this; }
  Tensor type_as(const Tensor &o) const { return to(o.type_); }
  Tensor toType(ScalarType t) const { return to(t); }
  inline Tensor view(IntArrayRef s) const;
  Tensor view_as(const Tensor &o) const { return view(IntArrayRef(o.sizes_, (size_t)o.dim_)); }
  Tensor reshape(IntArrayRef s) const { return view(s); }
  inline Tensor flatten(int64_t from = 0, int64_t to = -1) const;
  inline Tensor transpose(int64_t a, int64_t b) const;
  Tensor t() const { return transpose(0, 1); }
  inline Tensor permute(IntArrayRef order) const;
  inline Tensor select(int64_t d, int64_t i) const;
  inline Tensor operator[](int64_t i) const;
  inline Tensor narrow(int64_t d, int64_t from, int64_t n) const;
  inline Tensor slice(int64_t d, int64_t from, int64_t to, int64_t step = 1) const;
  inline Tensor squeeze() const;
  inline Tensor squeeze(int64_t d) const;
  inline Tensor unsqueeze(int64_t d) const;
  inline Tensor expand(IntArrayRef s) const;

  Tensor laid_out_anew() const { // in this memory, of these sizes
    Tensor t = *this;
    t.layout_ = __hgrd_pytorch_anew();
    t.is_dense_ = false;
    for (int i = 0; i < hgrd_dims; i++) t.strides_[i] = __hgrd_pytorch_number(t.layout_, 10 + i);
    return t;
  }

  // ---- in place
  const Tensor &zero_() const {
    if (is_contiguous())
      (void)cudaMemset(data_, 0, (size_t)nbytes());
    else
      changed();
    return *this;
  }
  inline Tensor &fill_(Scalar v);
  inline const Tensor &changed() const;
  Tensor &changed() {
    const Tensor &t = *this;
    (void)t.changed();
    return *this;
  }
  Tensor &copy_(const Tensor &o) {
    bool is_plain = is_contiguous() && o.is_contiguous() && type_ == o.type_ && numel_ == o.numel_;
    if (is_plain) (void)cudaMemcpyAsync(data_, o.data_, (size_t)nbytes(), cudaMemcpyDefault);
    return is_plain ? *this : changed();
  }
  // x = y makes x another tensor; x[i] = y puts y there.
  Tensor() = default;
  Tensor(const Tensor &) = default;
  Tensor &operator=(const Tensor &) & = default;
  Tensor &operator=(const Tensor &o) && { return copy_(o); }
  Tensor &operator=(Scalar v) && { return fill_(v); }
  inline Tensor &resize_(IntArrayRef s);
#define HGRD_IN_PLACE(name)                                                                                            \
  template <class... A> Tensor &name(A &&...) { return changed(); }
  HGRD_IN_PLACE(add_) HGRD_IN_PLACE(sub_) HGRD_IN_PLACE(mul_) HGRD_IN_PLACE(div_) HGRD_IN_PLACE(clamp_)
  HGRD_IN_PLACE(uniform_) HGRD_IN_PLACE(normal_) HGRD_IN_PLACE(index_add_) HGRD_IN_PLACE(scatter_)
  HGRD_IN_PLACE(scatter_add_) HGRD_IN_PLACE(index_put_) HGRD_IN_PLACE(masked_fill_) HGRD_IN_PLACE(true_divide_)
#undef HGRD_IN_PLACE
  template <class A> Tensor &operator+=(A &&) { return changed(); }
  template <class A> Tensor &operator-=(A &&) { return changed(); }
  template <class A> Tensor &operator*=(A &&) { return changed(); }
  template <class A> Tensor &operator/=(A &&) { return changed(); }

  // ---- new memory
  inline Tensor clone() const;
  inline Tensor alike() const;   // of these sizes
  inline Tensor unknown() const; // of sizes that nobody knows
  inline Tensor somewhere() const; // in this memory, of sizes that nobody knows
#define HGRD_ALIKE(name)                                                                                               \
  template <class... A> Tensor name(A &&...) const { return alike(); }
  HGRD_ALIKE(exp) HGRD_ALIKE(log) HGRD_ALIKE(sqrt) HGRD_ALIKE(abs) HGRD_ALIKE(neg) HGRD_ALIKE(sigmoid) HGRD_ALIKE(tanh)
  HGRD_ALIKE(softmax) HGRD_ALIKE(cumsum) HGRD_ALIKE(round) HGRD_ALIKE(floor) HGRD_ALIKE(ceil) HGRD_ALIKE(relu)
  HGRD_ALIKE(argsort) HGRD_ALIKE(flip) HGRD_ALIKE(logical_not) HGRD_ALIKE(rsqrt) HGRD_ALIKE(reciprocal)
  HGRD_ALIKE(bernoulli)
#define HGRD_WITH(name) /* another tensor has sizes of its own */                                                      \
  Tensor name(Scalar) const { return alike(); }                                                                        \
  template <class... A> Tensor name(const Tensor &, A &&...) const { return unknown(); }
  HGRD_WITH(add) HGRD_WITH(sub) HGRD_WITH(mul) HGRD_WITH(div) HGRD_WITH(pow) HGRD_WITH(gt) HGRD_WITH(lt) HGRD_WITH(ge)
  HGRD_WITH(le) HGRD_WITH(eq) HGRD_WITH(ne)
#undef HGRD_WITH
#undef HGRD_ALIKE
#define HGRD_UNKNOWN(name)                                                                                             \
  template <class... A> Tensor name(A &&...) const { return unknown(); }
  HGRD_UNKNOWN(sum) HGRD_UNKNOWN(mean) HGRD_UNKNOWN(prod) HGRD_UNKNOWN(amax) HGRD_UNKNOWN(amin) HGRD_UNKNOWN(argmax)
  HGRD_UNKNOWN(argmin) HGRD_UNKNOWN(matmul) HGRD_UNKNOWN(mm) HGRD_UNKNOWN(bmm) HGRD_UNKNOWN(mv) HGRD_UNKNOWN(norm)
  HGRD_UNKNOWN(clamp) HGRD_UNKNOWN(masked_fill) HGRD_UNKNOWN(index_select) HGRD_UNKNOWN(gather) HGRD_UNKNOWN(masked_select)
  HGRD_UNKNOWN(nonzero) HGRD_UNKNOWN(repeat) HGRD_UNKNOWN(repeat_interleave) HGRD_UNKNOWN(any) HGRD_UNKNOWN(all)
  HGRD_UNKNOWN(std) HGRD_UNKNOWN(var) HGRD_UNKNOWN(take)
#undef HGRD_UNKNOWN
  template <class... A> Tensor index(A &&...) const { return somewhere(); }
  inline Tensor index(std::initializer_list<indexing::TensorIndex>) const;
  Tensor max() const { return unknown(); }
  Tensor min() const { return unknown(); }
  std::tuple<Tensor, Tensor> max(int64_t, bool = false) const { return {unknown(), unknown()}; }
  std::tuple<Tensor, Tensor> min(int64_t, bool = false) const { return {unknown(), unknown()}; }
  template <class... A> std::tuple<Tensor, Tensor> sort(A &&...) const { return {alike(), alike()}; }
  template <class... A> std::tuple<Tensor, Tensor> topk(A &&...) const { return {unknown(), unknown()}; }

  template <class T, size_t N> inline TensorAccessor<T, N> accessor() const;
  template <class T, size_t N, template <class> class P = DefaultPtrTraits>
  inline GenericPackedTensorAccessor<T, N, P, int32_t> packed_accessor32() const;
  template <class T, size_t N, template <class> class P = DefaultPtrTraits>
  inline GenericPackedTensorAccessor<T, N, P, int64_t> packed_accessor64() const;
  template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
  inline GenericPackedTensorAccessor<T, N, P, I> packed_accessor() const;
};

struct hgrd_sizes : IntArrayRef {
  int64_t all_[hgrd_dims];
  int64_t numel_;
  hgrd_sizes(const Tensor &t) : IntArrayRef(t.sizes_, (size_t)t.dim_), numel_(t.numel_) {
    for (int i = 0; i < hgrd_dims; i++) all_[i] = t.sizes_[i];
  }
};
inline hgrd_sizes Tensor::sizes() const { return hgrd_sizes(*this); }

// ---- made anew
// Index I and those in front of it, without a loop, so that nothing has to be known of its rounds.
template <int I> struct hgrd_index {
  static int64_t known(const int64_t *s, size_t n) {
    return hgrd_index<I - 1>::known(s, n) * ((size_t)I < n && s[I] >= 0 ? s[I] : 1);
  }
  static int64_t set(Tensor &t, const int64_t *s, size_t n, int64_t left_over, int64_t all) {
    if ((size_t)I < n) {
      t.sizes_[I] = s[I] < 0 ? left_over : s[I];
      t.strides_[I] = all;
      all *= t.sizes_[I];
    }
    return hgrd_index<I - 1>::set(t, s, n, left_over, all);
  }
  static void copy(Tensor &t, const Tensor &o) {
    t.sizes_[I] = o.sizes_[I];
    t.strides_[I] = o.strides_[I];
    hgrd_index<I - 1>::copy(t, o);
  }
  template <class A> static void fill(A &a, const Tensor &t, int64_t all) {
    a.sizes_[I] = (decltype(a.size(0)))t.size(I);
    a.strides_[I] = (decltype(a.size(0)))(t.is_contiguous() ? all : t.strides_[I]);
    hgrd_index<I - 1>::fill(a, t, all * t.sizes_[I]);
  }
};
template <> struct hgrd_index<-1> {
  static int64_t known(const int64_t *, size_t) { return 1; }
  static int64_t set(Tensor &, const int64_t *, size_t, int64_t, int64_t all) { return all; }
  static void copy(Tensor &, const Tensor &) {}
  template <class A> static void fill(A &, const Tensor &, int64_t) {}
};
inline void hgrd_set_sizes(Tensor &t, const int64_t *s, size_t n) {
  t.dim_ = (int64_t)n;
  t.numel_ = hgrd_index<hgrd_dims - 1>::set(t, s, n, 0, 1);
}
inline void hgrd_allocate(Tensor &t, ScalarType type) {
  void *p = nullptr;
  t.type_ = type;
  t.layout_ = __hgrd_pytorch_anew();
  t.is_dense_ = true;
  (void)cudaMalloc(&p, (size_t)(t.numel_ * elementSize(type)));
  t.data_ = p;
}
inline Tensor hgrd_made(IntArrayRef s, ScalarType type) {
  Tensor t;
  hgrd_set_sizes(t, s.data(), s.size());
  hgrd_allocate(t, type);
  return t;
}
inline Tensor hgrd_made_alike(const Tensor &o, ScalarType type) { // by members: the pointer is not copied
  Tensor t;
  t.dim_ = o.dim_, t.numel_ = o.numel_;
  hgrd_index<hgrd_dims - 1>::copy(t, o);
  hgrd_allocate(t, type);
  return t;
}
inline const Tensor &Tensor::changed() const { // of a view with gaps, who knows what of the memory
  int64_t count = is_contiguous() ? numel_ : __hgrd_pytorch_number(__hgrd_pytorch_anew(), 0);
  __hgrd_contents_any(data_, (size_t)count, (size_t)element_size(), nullptr, 0);
  return *this;
}
inline Tensor &Tensor::fill_(Scalar v) {
  bool is_number = !is_floating_point() && is_contiguous();
  if (is_number)
    __hgrd_contents_fill(data_, (size_t)numel_, (size_t)element_size(), nullptr, (long long)v.value_);
  else
    (void)changed();
  return *this;
}
inline Tensor Tensor::alike() const {
  Tensor t = hgrd_made_alike(*this, type_);
  return t.changed();
}
inline Tensor Tensor::somewhere() const {
  Tensor t;
  const void *anew = __hgrd_pytorch_anew();
  t.data_ = data_;
  t.layout_ = anew;
  t.type_ = type_;
  t.dim_ = __hgrd_pytorch_number(anew, 100);
  t.numel_ = __hgrd_pytorch_number(anew, 101);
  for (int i = 0; i < hgrd_dims; i++) {
    t.sizes_[i] = __hgrd_pytorch_number(anew, i);
    t.strides_[i] = __hgrd_pytorch_number(anew, 10 + i);
  }
  return t;
}
inline Tensor Tensor::unknown() const {
  Tensor t = somewhere();
  const void *anew = __hgrd_pytorch_anew();
  void *p = nullptr;
  (void)cudaMalloc(&p, (size_t)__hgrd_pytorch_number(anew, 0));
  t.data_ = p;
  t.type_ = (ScalarType)__hgrd_pytorch_number(anew, 1);
  t.is_dense_ = true;
  return t.changed();
}
inline Tensor Tensor::clone() const {
  Tensor t = hgrd_made_alike(*this, type_);
  return t.copy_(*this);
}
inline Tensor Tensor::to(ScalarType t) const {
  if (t == type_) return *this;
  Tensor made = hgrd_made_alike(*this, t);
  return made.changed();
}
inline Tensor Tensor::to(TensorOptions o) const { return o.has_type_ ? to(o.type_) : *this; }
inline Tensor &Tensor::resize_(IntArrayRef s) { // in its memory, if there is enough
  Tensor made = hgrd_made(s, type_);
  if (asked(7)) made.data_ = data_;
  return *this = made;
}

inline Tensor empty(IntArrayRef s, TensorOptions o = {}) { return hgrd_made(s, o.type_); }
inline Tensor zeros(IntArrayRef s, TensorOptions o = {}) { return hgrd_made(s, o.type_).zero_(); }
inline Tensor ones(IntArrayRef s, TensorOptions o = {}) { return hgrd_made(s, o.type_).fill_(1); }
inline Tensor full(IntArrayRef s, Scalar v, TensorOptions o = {}) { return hgrd_made(s, o.type_).fill_(v); }
inline Tensor rand(IntArrayRef s, TensorOptions o = {}) { return hgrd_made(s, o.type_).changed(); }
inline Tensor randn(IntArrayRef s, TensorOptions o = {}) { return hgrd_made(s, o.type_).changed(); }
inline Tensor hgrd_of_sizes(const hgrd_sizes &s, TensorOptions o) {
  Tensor t;
  const void *anew = __hgrd_pytorch_anew();
  t.dim_ = (int64_t)s.size();
  t.numel_ = s.numel_;
  for (int i = 0; i < hgrd_dims; i++) {
    t.sizes_[i] = s.all_[i];
    t.strides_[i] = __hgrd_pytorch_number(anew, i);
  }
  hgrd_allocate(t, o.type_);
  return t;
}
inline Tensor empty(IntArrayRef s, TensorOptions o, MemoryFormat) { return hgrd_made(s, o.type_); }
namespace indexing {
enum hgrd_none { None };
struct Slice {
  template <class... A> Slice(A &&...) {}
};
struct TensorIndex {
  template <class A> TensorIndex(A &&) {}
};
} // namespace indexing
inline Tensor empty(const hgrd_sizes &s, TensorOptions o = {}) { return hgrd_of_sizes(s, o); }
inline Tensor zeros(const hgrd_sizes &s, TensorOptions o = {}) { return hgrd_of_sizes(s, o).zero_(); }
inline Tensor ones(const hgrd_sizes &s, TensorOptions o = {}) { return hgrd_of_sizes(s, o).fill_(1); }
inline Tensor empty_like(const Tensor &x) { return hgrd_made_alike(x, x.type_); }
inline Tensor zeros_like(const Tensor &x) { return hgrd_made_alike(x, x.type_).zero_(); }
inline Tensor ones_like(const Tensor &x) { return hgrd_made_alike(x, x.type_).fill_(1); }
inline Tensor full_like(const Tensor &x, Scalar v) { return hgrd_made_alike(x, x.type_).fill_(v); }
inline Tensor empty_like(const Tensor &x, TensorOptions o, MemoryFormat) { return hgrd_made_alike(x, o.or_else(x.type_)); }
inline Tensor empty_like(const Tensor &x, TensorOptions o) { return hgrd_made_alike(x, o.or_else(x.type_)); }
inline Tensor zeros_like(const Tensor &x, TensorOptions o) { return hgrd_made_alike(x, o.or_else(x.type_)).zero_(); }
inline Tensor full_like(const Tensor &x, Scalar v, TensorOptions o) { return hgrd_made_alike(x, o.or_else(x.type_)).fill_(v); }
inline Tensor ones_like(const Tensor &x, TensorOptions o) { return hgrd_made_alike(x, o.or_else(x.type_)).fill_(1); }
inline Tensor arange(Scalar n, TensorOptions o = kLong) {
  return hgrd_made({(int64_t)n.value_}, o.type_).changed();
}
inline Tensor arange(Scalar from, Scalar to, Scalar step, TensorOptions o = kLong) {
  double count = std::ceil((to.value_ - from.value_) / step.value_);
  return hgrd_made({(int64_t)count}, o.type_).changed();
}
inline Tensor arange(Scalar from, Scalar to, TensorOptions o) { return arange(from, to, 1, o); }
inline Tensor from_blob(void *data, IntArrayRef s, TensorOptions o = {}) {
  Tensor t;
  hgrd_set_sizes(t, s.data(), s.size());
  t.type_ = o.type_;
  t.data_ = data;
  t.is_dense_ = true;
  return t;
}

// ---- views
inline int64_t hgrd_wrapped(int64_t i, int64_t size) { return i < 0 ? i + size : i; }
inline int64_t hgrd_clamped(int64_t i, int64_t size) {
  i = hgrd_wrapped(i, size);
  return i < 0 ? 0 : i > size ? size : i;
}
inline Tensor Tensor::view(IntArrayRef s) const {
  Tensor t = *this;
  int64_t known = hgrd_index<hgrd_dims - 1>::known(s.data(), s.size());
  t.dim_ = (int64_t)s.size();
  (void)hgrd_index<hgrd_dims - 1>::set(t, s.data(), s.size(), known > 0 ? numel_ / known : 0, 1);
  if (!is_contiguous()) t = t.laid_out_anew();
  return t;
}
inline Tensor Tensor::flatten(int64_t from, int64_t to) const {
  return from == 0 && to == -1 ? view({numel_}) : somewhere();
}
inline Tensor Tensor::transpose(int64_t a, int64_t b) const {
  Tensor t = *this;
  a = a < 0 ? a + dim_ : a, b = b < 0 ? b + dim_ : b;
  t.layout_ = __hgrd_pytorch_anew();
  t.is_dense_ = false;
  t.sizes_[a] = sizes_[b], t.strides_[a] = strides_[b];
  t.sizes_[b] = sizes_[a], t.strides_[b] = strides_[a];
  return t;
}
inline Tensor Tensor::permute(IntArrayRef order) const {
  Tensor t = *this;
  t.layout_ = __hgrd_pytorch_anew();
  t.is_dense_ = false;
  for (size_t i = 0; i < order.size(); i++) {
    int64_t from = order[i] < 0 ? order[i] + dim_ : order[i];
    t.sizes_[i] = sizes_[from], t.strides_[i] = strides_[from];
  }
  return t;
}
inline Tensor Tensor::narrow(int64_t d, int64_t from, int64_t n) const {
  Tensor t = *this;
  d = d < 0 ? d + dim_ : d;
  t.data_ = (char *)data_ + hgrd_wrapped(from, sizes_[d]) * strides_[d] * element_size();
  t.layout_ = __hgrd_pytorch_anew();
  t.sizes_[d] = n;
  t.is_dense_ = d == 0 && is_contiguous();
  t.numel_ = sizes_[d] > 0 ? numel_ / sizes_[d] * n : 0;
  return t;
}
inline Tensor Tensor::slice(int64_t d, int64_t from, int64_t to, int64_t step) const {
  d = d < 0 ? d + dim_ : d;
  from = hgrd_clamped(from, sizes_[d]), to = hgrd_clamped(to, sizes_[d]);
  Tensor t = narrow(d, from, step > 0 && to > from ? (to - from + step - 1) / step : 0);
  t.strides_[d] *= step;
  t.is_dense_ = t.is_dense_ && step == 1;
  return t;
}
inline Tensor Tensor::select(int64_t d, int64_t i) const {
  Tensor t = *this;
  d = d < 0 ? d + dim_ : d;
  t.data_ = (char *)data_ + hgrd_wrapped(i, sizes_[d]) * strides_[d] * element_size();
  t.layout_ = __hgrd_pytorch_anew();
  t.dim_ = dim_ - 1;
  t.is_dense_ = d == 0 && is_contiguous();
  for (int k = 0; k + 1 < hgrd_dims; k++) {
    t.sizes_[k] = sizes_[k < d ? k : k + 1];
    t.strides_[k] = strides_[k < d ? k : k + 1];
  }
  t.numel_ = sizes_[d] > 0 ? numel_ / sizes_[d] : 0;
  return t;
}
inline Tensor Tensor::operator[](int64_t i) const { return select(0, i); }
inline Tensor Tensor::unsqueeze(int64_t d) const {
  Tensor t = *this;
  d = d < 0 ? d + dim_ + 1 : d;
  t.dim_ = dim_ + 1;
  t.layout_ = __hgrd_pytorch_anew();
  t.is_dense_ = is_dense_;
  for (int k = 0; k < hgrd_dims; k++) {
    t.sizes_[k] = k < d ? sizes_[k] : k == d ? 1 : sizes_[k - 1];
    t.strides_[k] = k < d ? strides_[k] : k == d ? (k < dim_ ? sizes_[k] * strides_[k] : 1) : strides_[k - 1];
  }
  return t;
}
inline Tensor Tensor::squeeze(int64_t d) const { return size(d) == 1 ? select(d, 0) : *this; }
inline Tensor Tensor::index(std::initializer_list<indexing::TensorIndex>) const { return somewhere(); }
inline Tensor Tensor::squeeze() const { return somewhere(); }
inline Tensor Tensor::expand(IntArrayRef) const { return somewhere(); }

// ---- functions of tensors
#define HGRD_UNKNOWN(name)                                                                                             \
  template <class... A> inline Tensor name(const Tensor &x, A &&...) { return x.unknown(); }
HGRD_UNKNOWN(matmul) HGRD_UNKNOWN(mm) HGRD_UNKNOWN(bmm) HGRD_UNKNOWN(sum) HGRD_UNKNOWN(mean) HGRD_UNKNOWN(norm)
HGRD_UNKNOWN(linear) HGRD_UNKNOWN(addmm) HGRD_UNKNOWN(where) HGRD_UNKNOWN(index_select) HGRD_UNKNOWN(gather)
HGRD_UNKNOWN(max) HGRD_UNKNOWN(min) HGRD_UNKNOWN(nonzero) HGRD_UNKNOWN(clamp) HGRD_UNKNOWN(pow)
#undef HGRD_UNKNOWN
#define HGRD_ALIKE(name)                                                                                               \
  template <class... A> inline Tensor name(const Tensor &x, A &&...) { return x.alike(); }
HGRD_ALIKE(exp) HGRD_ALIKE(log) HGRD_ALIKE(sqrt) HGRD_ALIKE(abs) HGRD_ALIKE(cumsum)
HGRD_ALIKE(sigmoid) HGRD_ALIKE(softmax) HGRD_ALIKE(rand_like) HGRD_ALIKE(randn_like)
#undef HGRD_ALIKE
inline Tensor cat(ArrayRef<Tensor> list, int64_t = 0) { return list[0].unknown(); }
inline Tensor stack(ArrayRef<Tensor> list, int64_t = 0) { return list[0].unknown(); }
typedef ArrayRef<Tensor> TensorList;
#define HGRD_OPERATOR(op)                                                                                              \
  inline Tensor operator op(const Tensor &a, const Tensor &) { return a.unknown(); }                                   \
  inline Tensor operator op(const Tensor &a, Scalar) { return a.alike(); }                                             \
  inline Tensor operator op(Scalar, const Tensor &b) { return b.alike(); }
HGRD_OPERATOR(+) HGRD_OPERATOR(-) HGRD_OPERATOR(*) HGRD_OPERATOR(/)
HGRD_OPERATOR(>) HGRD_OPERATOR(<) HGRD_OPERATOR(>=) HGRD_OPERATOR(<=) HGRD_OPERATOR(==) HGRD_OPERATOR(!=)
#undef HGRD_OPERATOR
inline Tensor operator-(const Tensor &a) { return a.alike(); }
} // namespace at
namespace torch {
using namespace at;
inline TensorOptions dtype(ScalarType t) { return TensorOptions(t); }
template <class D> inline TensorOptions device(D &&) { return TensorOptions(); }
template <class T> inline Tensor tensor(T, TensorOptions o = {}) { return hgrd_made({1}, o.type_).changed(); }
template <class T> inline Tensor tensor(std::initializer_list<T> l, TensorOptions o = {}) {
  return hgrd_made({(int64_t)l.size()}, o.type_).changed();
}
} // namespace torch
#endif
