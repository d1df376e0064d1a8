// Thrust as far as ordinary host programs use it. Vectors own memory from cudaMalloc and keep its size, which are facts
// for the host scan; iterators, function objects, tuples and complex numbers are plain inline code for both sides.
// Algorithms are calls of unknown effect on what their arguments reach; in device code the kernel is undecided there.
// Left out: asynchronous algorithms, memory resources, allocators, systems other than CUDA beyond their policy names.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_THRUST_H
#define HGRD_THRUST_H
#pragma GCC system_header
#include "../cuda_runtime.h"
#include "../hgrd_contents.h"
#include "../hgrd_library.h"
#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>
#include <iterator>
#include <math.h>
#include <memory>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define THRUST_VERSION 200200
#define THRUST_MAJOR_VERSION 2
#define THRUST_NS_QUALIFIER thrust
#define THRUST_DEVICE_SYSTEM_CUDA 1
#define THRUST_DEVICE_SYSTEM 1
#define HGRD_HD inline __host__ __device__ __attribute__((always_inline))

namespace thrust {
namespace __hgrd {
template <class R, class... Args> HGRD_HD R call(R result, const Args &...args) {
  const void *list[] = {(const void *)&args...};
  __hgrd_opaque_sync_library(list, &result);
  return result;
}
// Is the type a function object of the program, or one of the library that holds such?
template <class T> constexpr bool is_of_library() {
  const char *at = __PRETTY_FUNCTION__; // "... [T = thrust::plus<int>]"
  while (*at && !(at[0] == 'T' && at[1] == ' ' && at[2] == '='))
    at++;
  for (const char *name : {"T = thrust::", "T = std::", "T = cuda::"}) {
    int i = 0;
    while (name[i] && name[i] == at[i])
      i++;
    if (!name[i]) return true;
  }
  return false;
}
struct has_call {
  void operator()();
};
template <class T> struct has_two_calls : T, has_call {}; // then the name is ambiguous
template <class T, class = void> struct is_called : std::true_type {};
template <class T> struct is_called<T, decltype((void)&has_two_calls<T>::operator())> : std::false_type {};
template <class T, bool = std::is_class<T>::value> struct holds_code : std::false_type {};
template <class T, bool = is_of_library<T>() || std::is_final<T>::value> struct is_code : std::false_type {};
template <class T> struct is_code<T, false> : is_called<T> {};
template <class T> struct holds_code<T, true> : is_code<T> {};
template <template <class...> class W, class... A> struct holds_code<W<A...>, true> {
  static constexpr bool value = is_code<W<A...>>::value || (is_of_library<W<A...>>() && (holds_code<A>::value || ...));
};
// Of an algorithm that runs on the device: says that code of the program is handed to it, which is not checked.
template <class... Args> HGRD_HD void hands_code() {
#if !defined(__CUDA_ARCH__) && !defined(HGRD_RUN)
  if constexpr ((holds_code<Args>::value || ...)) __hgrd_hands_code();
#endif
}
// Without a policy the iterator says where the algorithm runs.
template <class I, class... Args> HGRD_HD void hands_code_by(const I &, const Args &...) {
  if constexpr (std::is_class<I>::value && is_of_library<I>()) hands_code<I, Args...>();
}
template <class... Args> HGRD_HD void hands_code_on(const Args &...) { hands_code<Args...>(); }
} // namespace __hgrd

// ---- pairs and tuples: the standard ones cannot be assigned in device code before C++20 -----------------------------
using std::swap;
struct null_type {};
template <class A, class B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  pair() = default;
  HGRD_HD pair(const A &a, const B &b) : first(a), second(b) {}
  template <class C, class D> HGRD_HD pair(const pair<C, D> &o) : first(o.first), second(o.second) {}
  template <class C, class D> HGRD_HD pair(const std::pair<C, D> &o) : first(o.first), second(o.second) {}
  HGRD_HD bool operator==(const pair &o) const { return first == o.first && second == o.second; }
  HGRD_HD bool operator!=(const pair &o) const { return !(*this == o); }
  HGRD_HD bool operator<(const pair &o) const {
    return first < o.first || (!(o.first < first) && second < o.second);
  }
};
template <class A, class B>
HGRD_HD pair<typename std::decay<A>::type, typename std::decay<B>::type> make_pair(A &&a, B &&b) {
  return pair<typename std::decay<A>::type, typename std::decay<B>::type>(a, b);
}

template <class... T> struct tuple;
template <> struct tuple<> {
  HGRD_HD bool operator==(const tuple &) const { return true; }
  HGRD_HD bool operator<(const tuple &) const { return false; }
};
template <class H, class... T> struct tuple<H, T...> {
  typedef H head_type;
  typedef tuple<T...> tail_type;
  H head;
  tuple<T...> tail;
  tuple() = default;
  tuple(const tuple &) = default;
  HGRD_HD tuple(const H &h, const T &...t) : head(h), tail(t...) {}
  template <class G, class... U, class = typename std::enable_if<sizeof...(U) == sizeof...(T)>::type>
  HGRD_HD tuple(const tuple<G, U...> &o) : head(o.head), tail(o.tail) {}
  template <class A, class B> HGRD_HD tuple(const pair<A, B> &o) : head(o.first), tail(o.second) {}
  HGRD_HD tuple &operator=(const tuple &o) {
    head = o.head;
    tail = o.tail;
    return *this;
  }
  template <class G, class... U> HGRD_HD tuple &operator=(const tuple<G, U...> &o) {
    head = o.head;
    tail = o.tail;
    return *this;
  }
  template <class A, class B> HGRD_HD tuple &operator=(const pair<A, B> &o) {
    head = o.first;
    tail.head = o.second;
    return *this;
  }
  template <size_t N> HGRD_HD auto &get();
  template <size_t N> HGRD_HD const auto &get() const;
  HGRD_HD bool operator==(const tuple &o) const { return head == o.head && tail == o.tail; }
  HGRD_HD bool operator!=(const tuple &o) const { return !(*this == o); }
  HGRD_HD bool operator<(const tuple &o) const { return head < o.head || (!(o.head < head) && tail < o.tail); }
};
namespace __hgrd {
template <size_t N> struct at {
  template <class T> static HGRD_HD auto &of(T &t) { return at<N - 1>::of(t.tail); }
};
template <> struct at<0> {
  template <class T> static HGRD_HD auto &of(T &t) { return t.head; }
};
} // namespace __hgrd
template <class H, class... T> template <size_t N> HGRD_HD auto &tuple<H, T...>::get() {
  return __hgrd::at<N>::of(*this);
}
template <class H, class... T> template <size_t N> HGRD_HD const auto &tuple<H, T...>::get() const {
  return __hgrd::at<N>::of(*this);
}
template <int N, class... T> HGRD_HD auto &get(tuple<T...> &t) { return __hgrd::at<N>::of(t); }
template <int N, class... T> HGRD_HD auto &get(const tuple<T...> &t) { return __hgrd::at<N>::of(t); }
template <int N, class... T> HGRD_HD auto get(tuple<T...> &&t) { return __hgrd::at<N>::of(t); }
template <int N, class A, class B> HGRD_HD auto &get(pair<A, B> &p) {
  if constexpr (N == 0)
    return p.first;
  else
    return p.second;
}
template <int N, class A, class B> HGRD_HD auto &get(const pair<A, B> &p) {
  if constexpr (N == 0)
    return p.first;
  else
    return p.second;
}
template <class... T> HGRD_HD tuple<typename std::decay<T>::type...> make_tuple(T &&...t) {
  return tuple<typename std::decay<T>::type...>(t...);
}
template <class... T> HGRD_HD tuple<T &...> tie(T &...t) { return tuple<T &...>(t...); }
template <size_t N, class T> struct tuple_element : std::tuple_element<N, T> {};
template <class T> struct tuple_size : std::tuple_size<T> {};
} // namespace thrust
namespace std {
template <class... T> struct tuple_size<thrust::tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t N, class... T> struct tuple_element<N, thrust::tuple<T...>> : tuple_element<N, std::tuple<T...>> {};
template <class A, class B> struct tuple_size<thrust::pair<A, B>> : integral_constant<size_t, 2> {};
template <size_t N, class A, class B>
struct tuple_element<N, thrust::pair<A, B>> : tuple_element<N, std::tuple<A, B>> {};
} // namespace std
namespace thrust {

// ---- execution policies ---------------------------------------------------------------------------------------------
struct policy {
  cudaStream_t stream_ = nullptr;
  HGRD_HD policy on(cudaStream_t stream) const {
    policy with = *this;
    with.stream_ = stream;
    return with;
  }
  template <class A> HGRD_HD const policy &operator()(const A &) const { return *this; }
  template <class A> HGRD_HD const policy &with(const A &) const { return *this; }
};
template <class Derived> struct execution_policy : policy {};
struct host_policy : policy {}; // a system of the host
struct device_execution_policy_tag : policy {};
struct host_execution_policy_tag : host_policy {};
typedef host_policy host_system_tag;
typedef policy device_system_tag;
namespace detail {
typedef host_policy host_t;
typedef policy device_t;
typedef host_policy seq_t;
using std::integral_constant;
} // namespace detail
static constexpr host_policy seq = {};
static constexpr host_policy host = {};
static constexpr policy device = {};
namespace cuda {
static constexpr policy par = {};
static constexpr policy par_nosync = {};
typedef policy tag;
} // namespace cuda
namespace omp {
static constexpr host_policy par = {};
}
namespace tbb {
static constexpr host_policy par = {};
}
namespace cpp {
static constexpr host_policy par = {};
}
namespace system {
namespace cuda {
using thrust::cuda::par;
}
} // namespace system

// ---- memory ---------------------------------------------------------------------------------------------------------
template <class T> class device_ptr;
template <class T> class device_reference {
  T *ptr_;

public:
  explicit HGRD_HD device_reference(T *p) : ptr_(p) {}
  typedef typename std::remove_cv<T>::type value_type;
  HGRD_HD operator value_type() const {
#ifdef __CUDA_ARCH__
    return *ptr_;
#else
    value_type v;
    cudaMemcpy((void *)&v, ptr_, sizeof(T), cudaMemcpyDeviceToHost);
    return v;
#endif
  }
  HGRD_HD const device_reference &operator=(const value_type &v) const {
#ifdef __CUDA_ARCH__
    *ptr_ = v;
#else
    cudaMemcpy((void *)ptr_, &v, sizeof(T), cudaMemcpyHostToDevice);
#endif
    return *this;
  }
  HGRD_HD const device_reference &operator=(const device_reference &o) const { return *this = (value_type)o; }
  HGRD_HD device_ptr<T> operator&() const;
#define HGRD_COMPOUND(op)                                                                                              \
  template <class U> HGRD_HD const device_reference &operator op##=(const U &v) const {                                \
    return *this = (value_type)((value_type) * this op v);                                                             \
  }
  HGRD_COMPOUND(+) HGRD_COMPOUND(-) HGRD_COMPOUND(*) HGRD_COMPOUND(/)
#undef HGRD_COMPOUND
  HGRD_HD const device_reference &operator++() const { return *this += 1; }
};
template <class S, class T> inline S &operator<<(S &out, const device_reference<T> &r) {
  out << (typename device_reference<T>::value_type)r;
  return out;
}
template <class T> class device_ptr {
  T *ptr_;

public:
  typedef typename std::remove_cv<T>::type value_type;
  typedef device_reference<T> reference;
  typedef device_ptr pointer;
  typedef long difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  HGRD_HD device_ptr() : ptr_(nullptr) {}
  HGRD_HD device_ptr(std::nullptr_t) : ptr_(nullptr) {}
  template <class U> explicit HGRD_HD device_ptr(U *p) : ptr_((T *)p) {}
  template <class U, class = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
  HGRD_HD device_ptr(const device_ptr<U> &o) : ptr_(o.get()) {}
  HGRD_HD T *get() const { return ptr_; }
  HGRD_HD T *base() const { return ptr_; }
  HGRD_HD device_reference<T> operator*() const { return device_reference<T>(ptr_); }
  HGRD_HD T *operator->() const { return ptr_; }
  template <class I> HGRD_HD device_reference<T> operator[](I i) const { return device_reference<T>(ptr_ + i); }
  HGRD_HD device_ptr operator+(long n) const { return device_ptr(ptr_ + n); }
  HGRD_HD device_ptr operator-(long n) const { return device_ptr(ptr_ - n); }
  HGRD_HD long operator-(const device_ptr &o) const { return ptr_ - o.ptr_; }
  HGRD_HD device_ptr &operator+=(long n) { return *this = *this + n; }
  HGRD_HD device_ptr &operator-=(long n) { return *this = *this - n; }
  HGRD_HD device_ptr &operator++() { return *this += 1; }
  HGRD_HD device_ptr operator++(int) {
    device_ptr old = *this;
    ++*this;
    return old;
  }
  HGRD_HD device_ptr &operator--() { return *this -= 1; }
  HGRD_HD bool operator==(const device_ptr &o) const { return ptr_ == o.ptr_; }
  HGRD_HD bool operator!=(const device_ptr &o) const { return ptr_ != o.ptr_; }
  HGRD_HD bool operator<(const device_ptr &o) const { return ptr_ < o.ptr_; }
  explicit HGRD_HD operator bool() const { return ptr_ != nullptr; }
};
template <> class device_ptr<void> {
  void *ptr_;

public:
  explicit HGRD_HD device_ptr(void *p = nullptr) : ptr_(p) {}
  HGRD_HD void *get() const { return ptr_; }
};
template <class T> HGRD_HD device_ptr<T> device_reference<T>::operator&() const { return device_ptr<T>(ptr_); }
template <class T> HGRD_HD T *raw_pointer_cast(T *p) { return p; }
template <class T> HGRD_HD T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <class T> HGRD_HD T &raw_reference_cast(T &r) { return r; }
template <class T> HGRD_HD T &raw_reference_cast(const device_reference<T> &r) { return *(&r).get(); }
template <class T> HGRD_HD device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> HGRD_HD device_ptr<T> device_pointer_cast(const device_ptr<T> &p) { return p; }
template <class T> inline device_ptr<T> device_malloc(size_t n) {
  T *p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  return device_ptr<T>(p);
}
inline device_ptr<void> device_malloc(size_t n) {
  void *p = nullptr;
  cudaMalloc(&p, n);
  return device_ptr<void>(p);
}
template <class T> inline void device_free(device_ptr<T> p) { cudaFree((void *)p.get()); }
template <class T> inline device_ptr<T> device_new(size_t n = 1) { return device_malloc<T>(n); }
template <class T> inline void device_delete(device_ptr<T> p, size_t = 0) { device_free(p); }
template <class T> struct device_allocator : std::allocator<T> {};
template <class T> struct device_malloc_allocator : std::allocator<T> {};

// ---- vectors --------------------------------------------------------------------------------------------------------
namespace __hgrd { // what is in a range, or in a vector, comes to `to`, the elements of `vector`
#ifdef HGRD_RUN       // memory of the device is memory of the process
template <class V, class I, class T> inline void bring(V &, I a, I b, T *to) {
  for (long n = b - a, i = 0; i < n; i++)
    to[i] = (T)(typename std::iterator_traits<I>::value_type)a[i];
}
template <class V, class U, class T> inline void bring(V &vector, device_ptr<U> a, device_ptr<U> b, T *to) {
  bring(vector, a.get(), b.get(), to);
}
#else
template <class V, class I, class T> inline void bring(V &vector, I a, I b, T *) { call(0, a, b, vector); }
#endif
} // namespace __hgrd
template <class T, class A = std::allocator<T>> class device_vector;
template <class T, class A = std::allocator<T>> class host_vector : public std::vector<T, A> {
  typedef std::vector<T, A> base;

public:
  host_vector() {}
  explicit host_vector(size_t n) : base(n) {}
  host_vector(size_t n, const T &v) : base(n, v) {}
  host_vector(const base &v) : base(v) {}
  host_vector(std::initializer_list<T> l) : base(l) {}
  template <class I, class = typename std::iterator_traits<I>::iterator_category>
  host_vector(I first, I last) : base((size_t)(last - first)) {
    __hgrd::bring(*this, first, last, this->data());
  }
  template <class B> host_vector(const device_vector<T, B> &v) : base(v.size()) {
    cudaMemcpy((void *)this->data(), v.data().get(), v.size() * sizeof(T), cudaMemcpyDeviceToHost);
  }
  template <class B> host_vector &operator=(const device_vector<T, B> &v) {
    this->resize(v.size());
    cudaMemcpy((void *)this->data(), v.data().get(), v.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return *this;
  }
};
template <class T, class A> class device_vector {
  T *data_;
  size_t size_;
  void allocate(size_t n) {
    data_ = nullptr;
    size_ = n;
    if (n)
      cudaMalloc(&data_, n * sizeof(T));
  }
  void set(size_t from, size_t n, const T &v) {
#ifdef HGRD_RUN
    for (size_t i = from; i < n; i++)
      data_[i] = v;
#else
    if constexpr (std::is_integral<T>::value)
      __hgrd_contents_fill((void *)(data_ + from), n - from, sizeof(T), nullptr, (long long)v);
    else
      __hgrd_contents_any((void *)(data_ + from), n - from, sizeof(T), nullptr, 0);
#endif
  }
  void upload(const T *from) { cudaMemcpy((void *)data_, from, size_ * sizeof(T), cudaMemcpyHostToDevice); }

public:
  typedef T value_type;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_pointer;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;
  typedef size_t size_type;
  typedef long difference_type;
  device_vector() : data_(nullptr), size_(0) {}
  explicit device_vector(size_t n) {
    allocate(n);
    set(0, n, T());
  }
  device_vector(size_t n, const T &v) {
    allocate(n);
    set(0, n, v);
  }
  device_vector(std::initializer_list<T> l) {
    allocate(l.size());
    upload(l.begin());
  }
  device_vector(const device_vector &o) {
    allocate(o.size_);
    cudaMemcpy((void *)data_, o.data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  device_vector(device_vector &&o) : data_(o.data_), size_(o.size_) { o.data_ = nullptr, o.size_ = 0; }
  template <class B> device_vector(const std::vector<T, B> &v) {
    allocate(v.size());
    upload(v.data());
  }
  template <class U, class B> device_vector(const std::vector<U, B> &v) {
    allocate(v.size());
    __hgrd::bring(*this, v.begin(), v.end(), data_);
  }
  template <class I, class = typename std::iterator_traits<I>::iterator_category> device_vector(I first, I last) {
    allocate((size_t)(last - first));
    __hgrd::bring(*this, first, last, data_);
  }
  ~device_vector() { cudaFree(data_); }
  device_vector &operator=(const device_vector &o) {
    resize(o.size_);
    cudaMemcpy((void *)data_, o.data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    return *this;
  }
  template <class U, class B> device_vector &operator=(const std::vector<U, B> &v) {
    resize(v.size());
    __hgrd::bring(*this, v.begin(), v.end(), data_);
    return *this;
  }
  device_vector &operator=(device_vector &&o) {
    swap(o);
    return *this;
  }
#ifdef HGRD_RUN
  void resize(size_t n) { resize(n, T()); }
  void resize(size_t n, const T &v) {
    size_t old = size_, kept = old < n ? old : n;
    T *from = data_;
    if (n == old)
      return;
    allocate(n);
    __hgrd::bring(*this, from, from + kept, data_);
    cudaFree((void *)from);
    set(kept, n, v);
  }
#else
  void resize(size_t n) {
    if (n != size_) { // what was there is there again, somewhere else
      cudaFree(data_);
      allocate(n);
      __hgrd_contents_any((void *)data_, n, sizeof(T), nullptr, 0);
    }
  }
  void resize(size_t n, const T &) { resize(n); }
#endif
  void assign(size_t n, const T &v) {
    resize(n);
    set(0, n, v);
  }
  template <class I, class = typename std::iterator_traits<I>::iterator_category> void assign(I first, I last) {
    resize((size_t)(last - first));
    __hgrd::bring(*this, first, last, data_);
  }
  void reserve(size_t) {}
  void shrink_to_fit() {}
  void clear() { resize(0); }
  void push_back(const T &v) { resize(size_ + 1, v); }
  void pop_back() { resize(size_ - 1); }
#ifdef HGRD_RUN
  iterator erase(iterator at) { return erase(at, at + 1); }
  iterator erase(iterator first, iterator last) {
    long from = last - begin(), to = first - begin();
    for (long i = from; i < (long)size_; i++)
      data_[to + i - from] = data_[i];
    resize(size_ - (size_t)(from - to));
    return begin() + to;
  }
  template <class I> iterator insert(iterator at, I first, I last) {
    long place = at - begin(), n = last - first, old = (long)size_;
    resize(size_ + (size_t)n);
    for (long i = old - 1; i >= place; i--)
      data_[i + n] = data_[i];
    __hgrd::bring(*this, first, last, data_ + place);
    return begin() + place;
  }
#else
  iterator erase(iterator at) { return __hgrd::call(at, *this); }
  iterator erase(iterator first, iterator) { return __hgrd::call(first, *this); }
  template <class I> iterator insert(iterator at, I first, I last) { return __hgrd::call(at, *this, first, last); }
#endif
  void swap(device_vector &o) {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
  }
  size_t size() const { return size_; }
  size_t capacity() const { return size_; }
  size_t max_size() const { return ~(size_t)0; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  const_iterator cbegin() const { return const_iterator(data_); }
  const_iterator cend() const { return const_iterator(data_ + size_); }
  std::reverse_iterator<iterator> rbegin() { return std::reverse_iterator<iterator>(end()); }
  std::reverse_iterator<iterator> rend() { return std::reverse_iterator<iterator>(begin()); }
  pointer data() { return pointer(data_); }
  const_pointer data() const { return const_pointer(data_); }
  reference operator[](size_t i) { return reference(data_ + i); }
  const_reference operator[](size_t i) const { return const_reference(data_ + i); }
  reference front() { return reference(data_); }
  reference back() { return reference(data_ + size_ - 1); }
};
template <class T> using universal_vector = std::vector<T>;

// ---- function objects -----------------------------------------------------------------------------------------------
template <class A, class R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};
#define HGRD_FUNCTION(name, result, expression)                                                                        \
  template <class T = void> struct name {                                                                              \
    typedef T first_argument_type;                                                                                     \
    typedef result result_type;                                                                                        \
    HGRD_HD result operator()(const T &a, const T &b) const { return expression; }                                     \
  };                                                                                                                   \
  template <> struct name<void> {                                                                                      \
    template <class T, class U> HGRD_HD auto operator()(const T &a, const U &b) const { return expression; }           \
  };
HGRD_FUNCTION(plus, T, a + b)
HGRD_FUNCTION(minus, T, a - b)
HGRD_FUNCTION(multiplies, T, a *b)
HGRD_FUNCTION(divides, T, a / b)
HGRD_FUNCTION(modulus, T, a % b)
HGRD_FUNCTION(maximum, T, a < b ? b : a)
HGRD_FUNCTION(minimum, T, b < a ? b : a)
HGRD_FUNCTION(bit_and, T, a &b)
HGRD_FUNCTION(bit_or, T, a | b)
HGRD_FUNCTION(bit_xor, T, a ^ b)
HGRD_FUNCTION(less, bool, a < b)
HGRD_FUNCTION(less_equal, bool, a <= b)
HGRD_FUNCTION(greater, bool, a > b)
HGRD_FUNCTION(greater_equal, bool, a >= b)
HGRD_FUNCTION(equal_to, bool, a == b)
HGRD_FUNCTION(not_equal_to, bool, a != b)
HGRD_FUNCTION(logical_and, bool, a &&b)
HGRD_FUNCTION(logical_or, bool, a || b)
#undef HGRD_FUNCTION
#define HGRD_FUNCTION(name, expression)                                                                                \
  template <class T = void> struct name {                                                                              \
    typedef T argument_type;                                                                                           \
    typedef T result_type;                                                                                             \
    HGRD_HD T operator()(const T &a) const { return expression; }                                                      \
  };
HGRD_FUNCTION(identity, a)
HGRD_FUNCTION(negate, -a)
HGRD_FUNCTION(square, a *a)
HGRD_FUNCTION(logical_not, !a)
#undef HGRD_FUNCTION
template <class F> HGRD_HD auto not1(F f) {
  return [f](const auto &a) { return !f(a); };
}
namespace placeholders {
// _1 op value, value op _1 and _1 op _2, as function objects.
template <int N> struct place {
  template <class... A> HGRD_HD auto operator()(const A &...a) const { return std::get<N>(std::tie(a...)); }
};
template <class V> struct constant {
  V v;
  template <class... A> HGRD_HD V operator()(const A &...) const { return v; }
};
template <class Op, class L, class R> struct expression {
  L l;
  R r;
  template <class... A> HGRD_HD auto operator()(const A &...a) const { return Op()(l(a...), r(a...)); }
};
template <class T> struct is_actor : std::false_type {};
template <int N> struct is_actor<place<N>> : std::true_type {};
template <class Op, class L, class R> struct is_actor<expression<Op, L, R>> : std::true_type {};
#define HGRD_PLACE(op, name)                                                                                           \
  template <class L, class R>                                                                                          \
  HGRD_HD typename std::enable_if<is_actor<L>::value && is_actor<R>::value, expression<name<>, L, R>>::type            \
  operator op(L l, R r) {                                                                                              \
    return {l, r};                                                                                                     \
  }                                                                                                                    \
  template <class L, class R>                                                                                          \
  HGRD_HD typename std::enable_if<is_actor<L>::value && !is_actor<R>::value, expression<name<>, L, constant<R>>>::type \
  operator op(L l, R r) {                                                                                              \
    return {l, {r}};                                                                                                   \
  }                                                                                                                    \
  template <class L, class R>                                                                                          \
  HGRD_HD typename std::enable_if<!is_actor<L>::value && is_actor<R>::value, expression<name<>, constant<L>, R>>::type \
  operator op(L l, R r) {                                                                                              \
    return {{l}, r};                                                                                                   \
  }
HGRD_PLACE(+, plus) HGRD_PLACE(-, minus) HGRD_PLACE(*, multiplies) HGRD_PLACE(/, divides) HGRD_PLACE(%, modulus)
HGRD_PLACE(<, less) HGRD_PLACE(<=, less_equal) HGRD_PLACE(>, greater) HGRD_PLACE(>=, greater_equal)
HGRD_PLACE(==, equal_to) HGRD_PLACE(!=, not_equal_to) HGRD_PLACE(&&, logical_and) HGRD_PLACE(||, logical_or)
#undef HGRD_PLACE
static constexpr place<0> _1 = {};
static constexpr place<1> _2 = {};
static constexpr place<2> _3 = {};
} // namespace placeholders
#ifdef __CUDA__
template <class T> HGRD_HD const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> HGRD_HD const T &min(const T &a, const T &b) { return b < a ? b : a; }
#endif
template <class T, class C> HGRD_HD const T &max(const T &a, const T &b, C less) { return less(a, b) ? b : a; }
template <class T, class C> HGRD_HD const T &min(const T &a, const T &b, C less) { return less(b, a) ? b : a; }

// ---- iterators ------------------------------------------------------------------------------------------------------
#define HGRD_ITERATOR(self, value, ref)                                                                                \
  typedef value value_type;                                                                                            \
  typedef ref reference;                                                                                               \
  typedef value *pointer;                                                                                              \
  typedef long difference_type;                                                                                        \
  typedef std::random_access_iterator_tag iterator_category;                                                           \
  HGRD_HD reference operator[](long n) const { return *(*this + n); }                                                  \
  HGRD_HD self &operator++() { return *this = *this + 1; }                                                             \
  HGRD_HD self &operator--() { return *this = *this + -1; }                                                            \
  HGRD_HD self &operator+=(long n) { return *this = *this + n; }                                                       \
  HGRD_HD self operator-(long n) const { return *this + -n; }                                                          \
  HGRD_HD bool operator==(const self &o) const { return *this - o == 0; }                                              \
  HGRD_HD bool operator!=(const self &o) const { return *this - o != 0; }
template <class T, class S = void, class C = void, class D = long> struct counting_iterator {
  T value_;
  explicit HGRD_HD counting_iterator(T v = T()) : value_(v) {}
  HGRD_HD T operator*() const { return value_; }
  HGRD_HD counting_iterator operator+(long n) const { return counting_iterator((T)(value_ + n)); }
  HGRD_HD long operator-(const counting_iterator &o) const { return (long)(value_ - o.value_); }
  HGRD_ITERATOR(counting_iterator, T, T)
};
template <class T> HGRD_HD counting_iterator<T> make_counting_iterator(T v) { return counting_iterator<T>(v); }
template <class T, class I = void, class S = void> struct constant_iterator {
  T value_;
  long at_;
  HGRD_HD constant_iterator(T v, long at = 0) : value_(v), at_(at) {}
  HGRD_HD T operator*() const { return value_; }
  HGRD_HD constant_iterator operator+(long n) const { return constant_iterator(value_, at_ + n); }
  HGRD_HD long operator-(const constant_iterator &o) const { return at_ - o.at_; }
  HGRD_ITERATOR(constant_iterator, T, T)
};
template <class T> HGRD_HD constant_iterator<T> make_constant_iterator(T v) { return constant_iterator<T>(v); }
template <class S = void> struct discard_iterator {
  struct sink {
    template <class T> HGRD_HD const sink &operator=(const T &) const { return *this; }
  };
  long at_;
  HGRD_HD discard_iterator(long at = 0) : at_(at) {}
  HGRD_HD sink operator*() const { return sink(); }
  HGRD_HD discard_iterator operator+(long n) const { return discard_iterator(at_ + n); }
  HGRD_HD long operator-(const discard_iterator &o) const { return at_ - o.at_; }
  HGRD_ITERATOR(discard_iterator, sink, sink)
};
HGRD_HD discard_iterator<> make_discard_iterator() { return discard_iterator<>(); }
template <class F, class I, class R = void, class V = void> struct transform_iterator {
  I it_;
  F f_;
  typedef typename std::decay<decltype(std::declval<F>()(*std::declval<I>()))>::type result;
  HGRD_HD transform_iterator(I it, F f = F()) : it_(it), f_(f) {}
  HGRD_HD result operator*() const { return f_(*it_); }
  HGRD_HD transform_iterator operator+(long n) const { return transform_iterator(it_ + n, f_); }
  HGRD_HD long operator-(const transform_iterator &o) const { return it_ - o.it_; }
  HGRD_ITERATOR(transform_iterator, result, result)
};
template <class F, class I> HGRD_HD transform_iterator<F, I> make_transform_iterator(I it, F f) {
  return transform_iterator<F, I>(it, f);
}
template <class E, class M> struct permutation_iterator {
  E elements_;
  M map_;
  typedef typename std::iterator_traits<E>::value_type element;
  HGRD_HD permutation_iterator(E e, M m) : elements_(e), map_(m) {}
  HGRD_HD auto operator*() const -> decltype(elements_[*map_]) { return elements_[*map_]; }
  HGRD_HD permutation_iterator operator+(long n) const { return permutation_iterator(elements_, map_ + n); }
  HGRD_HD long operator-(const permutation_iterator &o) const { return map_ - o.map_; }
  HGRD_ITERATOR(permutation_iterator, element, decltype(elements_[*map_]))
};
template <class E, class M> HGRD_HD permutation_iterator<E, M> make_permutation_iterator(E e, M m) {
  return permutation_iterator<E, M>(e, m);
}
template <class Tuple> struct zip_iterator;
template <class... I> struct zip_iterator<tuple<I...>> {
  tuple<I...> its_;
  typedef tuple<typename std::iterator_traits<I>::value_type...> values;
  typedef tuple<decltype(*std::declval<I>())...> references;
  template <size_t... N> HGRD_HD references at(std::index_sequence<N...>) const {
    return references(*thrust::get<N>(its_)...);
  }
  template <size_t... N> HGRD_HD zip_iterator step(long n, std::index_sequence<N...>) const {
    return zip_iterator(tuple<I...>(thrust::get<N>(its_) + n...));
  }
  HGRD_HD zip_iterator(const tuple<I...> &its) : its_(its) {}
  HGRD_HD const tuple<I...> &get_iterator_tuple() const { return its_; }
  HGRD_HD references operator*() const { return at(std::index_sequence_for<I...>()); }
  HGRD_HD zip_iterator operator+(long n) const { return step(n, std::index_sequence_for<I...>()); }
  HGRD_HD long operator-(const zip_iterator &o) const { return its_.head - o.its_.head; }
  HGRD_ITERATOR(zip_iterator, values, references)
};
template <class... I> HGRD_HD zip_iterator<tuple<I...>> make_zip_iterator(const tuple<I...> &its) {
  return zip_iterator<tuple<I...>>(its);
}
template <class... I> HGRD_HD zip_iterator<tuple<I...>> make_zip_iterator(I... its) {
  return zip_iterator<tuple<I...>>(tuple<I...>(its...));
}
template <class F> struct zip_function {
  F f;
  template <class... T, size_t... N> HGRD_HD auto apply(const tuple<T...> &t, std::index_sequence<N...>) const {
    return f(thrust::get<N>(t)...);
  }
  template <class... T> HGRD_HD auto operator()(const tuple<T...> &t) const {
    return apply(t, std::index_sequence_for<T...>());
  }
};
template <class F> HGRD_HD zip_function<F> make_zip_function(F f) { return zip_function<F>{f}; }
#undef HGRD_ITERATOR
template <class I> using reverse_iterator = std::reverse_iterator<I>;
template <class I> HGRD_HD std::reverse_iterator<I> make_reverse_iterator(I it) { return std::reverse_iterator<I>(it); }
template <class I> using iterator_traits = std::iterator_traits<I>;
template <class I> using iterator_value = typename std::iterator_traits<I>::value_type;
template <class I> struct iterator_value_t { typedef typename std::iterator_traits<I>::value_type type; };
template <class I> struct iterator_difference { typedef long type; };
template <class I> HGRD_HD long distance(I first, I last) { return last - first; }
template <class I> HGRD_HD void advance(I &it, long n) { it = it + n; }
template <class I> HGRD_HD I next(I it, long n = 1) { return it + n; }
template <class I> HGRD_HD I prev(I it, long n = 1) { return it - n; }

// ---- algorithms -----------------------------------------------------------------------------------------------------
// Each with and without a policy; `initial` is what the result is before the library writes it.
} // namespace thrust
#ifdef HGRD_RUN
#include "hgrd_thrust_run.h"
#else
#include "hgrd_thrust_contents.h"
#endif
namespace thrust {
#define HGRD_LIST(...) __VA_ARGS__
#define HGRD_ALGORITHM(result, name, types, params, initial, ...)                                                      \
  template <HGRD_LIST types> HGRD_HD result name(HGRD_LIST params) {                                                   \
    __hgrd::hands_code_by(__VA_ARGS__);                                                                                \
    return (result)__hgrd::call(initial, __VA_ARGS__);                                                                 \
  }                                                                                                                    \
  template <HGRD_LIST types> HGRD_HD result name(const policy &, HGRD_LIST params) {                                   \
    __hgrd::hands_code_on(__VA_ARGS__);                                                                                \
    return (result)__hgrd::call(initial, __VA_ARGS__);                                                                 \
  }                                                                                                                    \
  template <HGRD_LIST types> HGRD_HD result name(const host_policy &, HGRD_LIST params) {                              \
    return (result)__hgrd::call(initial, __VA_ARGS__);                                                                 \
  }
#define HGRD_V(I) typename std::iterator_traits<I>::value_type
#define HGRD_KEYS (pair<O, Q>(o, q))
#define HGRD_PAIR pair<O, Q>
#ifndef HGRD_RUN // those of hgrd_thrust_run.h
HGRD_ALGORITHM(void, shuffle, (class I, class G), (I a, I b, G &&g), 0, a, b, g)
HGRD_ALGORITHM(void, tabulate, (class I, class F), (I a, I b, F f), 0, a, b, f)
HGRD_ALGORITHM(void, generate, (class I, class F), (I a, I b, F f), 0, a, b, f)
HGRD_ALGORITHM(O, copy_if, (class I, class O, class F), (I a, I b, O o, F f), o, a, b, o, f)
HGRD_ALGORITHM(O, copy_if, (class I, class S, class O, class F), (I a, I b, S s, O o, F f), o, a, b, s, o, f)
HGRD_ALGORITHM(O, gather, (class I, class J, class O), (I a, I b, J v, O o), o, a, b, v, o)
HGRD_ALGORITHM(void, scatter, (class I, class M, class O), (I a, I b, M m, O o), 0, a, b, m, o)
HGRD_ALGORITHM(I, for_each, (class I, class F), (I a, I b, F f), b, a, b, f)
HGRD_ALGORITHM(I, for_each_n, (class I, class N, class F), (I a, N n, F f), a, a, n, f)
HGRD_ALGORITHM(O, transform, (class I, class O, class F), (I a, I b, O o, F f), o, a, b, o, f)
HGRD_ALGORITHM(O, transform, (class I, class J, class O, class F), (I a, I b, J c, O o, F f), o, a, b, c, o, f)
HGRD_ALGORITHM(HGRD_V(I), reduce, (class I), (I a, I b), (HGRD_V(I)()), a, b)
HGRD_ALGORITHM(T, reduce, (class I, class T), (I a, I b, T v), v, a, b, v)
HGRD_ALGORITHM(T, reduce, (class I, class T, class F), (I a, I b, T v, F f), v, a, b, v, f)
HGRD_ALGORITHM(T, transform_reduce, (class I, class G, class T, class F), (I a, I b, G g, T v, F f), v, a, b, g, v, f)
HGRD_ALGORITHM(T, inner_product, (class I, class J, class T), (I a, I b, J c, T v), v, a, b, c, v)
HGRD_ALGORITHM(HGRD_LIST(pair<O, Q>), reduce_by_key, (class I, class J, class O, class Q), (I a, I b, J c, O o, Q q), HGRD_KEYS, a, b, c, o, q)
HGRD_ALGORITHM(HGRD_LIST(pair<O, Q>), reduce_by_key, (class I, class J, class O, class Q, class E), (I a, I b, J c, O o, Q q, E e), HGRD_KEYS, a, b, c, o, q, e)
HGRD_ALGORITHM(HGRD_LIST(pair<O, Q>), reduce_by_key, (class I, class J, class O, class Q, class E, class F), (I a, I b, J c, O o, Q q, E e, F f), HGRD_KEYS, a, b, c, o, q, e, f)
HGRD_ALGORITHM(O, inclusive_scan, (class I, class O, class F), (I a, I b, O o, F f), o, a, b, o, f)
HGRD_ALGORITHM(O, exclusive_scan, (class I, class O, class T, class F), (I a, I b, O o, T v, F f), o, a, b, o, v, f)
HGRD_ALGORITHM(O, adjacent_difference, (class I, class O), (I a, I b, O o), o, a, b, o)
HGRD_ALGORITHM(bool, is_sorted, (class I), (I a, I b), false, a, b)
HGRD_ALGORITHM(void, reverse, (class I), (I a, I b), 0, a, b)
HGRD_ALGORITHM(I, unique, (class I, class F), (I a, I b, F f), a, a, b, f)
HGRD_ALGORITHM(I, remove_if, (class I, class F), (I a, I b, F f), a, a, b, f)
HGRD_ALGORITHM(void, replace_if, (class I, class F, class T), (I a, I b, F f, const T &v), 0, a, b, f, v)
HGRD_ALGORITHM(I, min_element, (class I), (I a, I b), a, a, b)
HGRD_ALGORITHM(I, min_element, (class I, class F), (I a, I b, F f), a, a, b, f)
HGRD_ALGORITHM(I, max_element, (class I), (I a, I b), a, a, b)
HGRD_ALGORITHM(I, max_element, (class I, class F), (I a, I b, F f), a, a, b, f)
HGRD_ALGORITHM(I, find, (class I, class T), (I a, I b, const T &v), b, a, b, v)
HGRD_ALGORITHM(I, find_if, (class I, class F), (I a, I b, F f), b, a, b, f)
HGRD_ALGORITHM(long, count, (class I, class T), (I a, I b, const T &v), 0L, a, b, v)
HGRD_ALGORITHM(long, count_if, (class I, class F), (I a, I b, F f), 0L, a, b, f)
HGRD_ALGORITHM(bool, all_of, (class I, class F), (I a, I b, F f), false, a, b, f)
HGRD_ALGORITHM(bool, any_of, (class I, class F), (I a, I b, F f), false, a, b, f)
HGRD_ALGORITHM(bool, equal, (class I, class J), (I a, I b, J c), false, a, b, c)
HGRD_ALGORITHM(O, uninitialized_copy, (class I, class O), (I a, I b, O o), o, a, b, o)
HGRD_ALGORITHM(J, swap_ranges, (class I, class J), (I a, I b, J c), c, a, b, c)
HGRD_ALGORITHM(O, gather_if, (class I, class S, class J, class O), (I a, I b, S s, J v, O o), o, a, b, s, v, o)
HGRD_ALGORITHM(void, scatter_if, (class I, class M, class S, class O), (I a, I b, M m, S s, O o), 0, a, b, m, s, o)
HGRD_ALGORITHM(O, transform_if, (class I, class O, class F, class P), (I a, I b, O o, F f, P p), o, a, b, o, f, p)
HGRD_ALGORITHM(O, transform_if, (class I, class J, class O, class F, class P), (I a, I b, J c, O o, F f, P p), o, a, b, c, o, f, p)
HGRD_ALGORITHM(T, inner_product, (class I, class J, class T, class F, class G), (I a, I b, J c, T v, F f, G g), v, a, b, c, v, f, g)
HGRD_ALGORITHM(O, inclusive_scan_by_key, (class I, class J, class O), (I a, I b, J c, O o), o, a, b, c, o)
HGRD_ALGORITHM(O, exclusive_scan_by_key, (class I, class J, class O), (I a, I b, J c, O o), o, a, b, c, o)
HGRD_ALGORITHM(O, inclusive_scan_by_key, (class I, class J, class O, class E), (I a, I b, J c, O o, E e), o, a, b, c, o, e)
HGRD_ALGORITHM(O, inclusive_scan_by_key, (class I, class J, class O, class E, class F), (I a, I b, J c, O o, E e, F f), o, a, b, c, o, e, f)
HGRD_ALGORITHM(O, exclusive_scan_by_key, (class I, class J, class O, class T), (I a, I b, J c, O o, T v), o, a, b, c, o, v)
HGRD_ALGORITHM(O, exclusive_scan_by_key, (class I, class J, class O, class T, class E), (I a, I b, J c, O o, T v, E e), o, a, b, c, o, v, e)
HGRD_ALGORITHM(O, exclusive_scan_by_key, (class I, class J, class O, class T, class E, class F), (I a, I b, J c, O o, T v, E e, F f), o, a, b, c, o, v, e, f)
HGRD_ALGORITHM(O, transform_inclusive_scan, (class I, class O, class F, class G), (I a, I b, O o, F f, G g), o, a, b, o, f, g)
HGRD_ALGORITHM(O, transform_exclusive_scan, (class I, class O, class F, class T, class G), (I a, I b, O o, F f, T v, G g), o, a, b, o, f, v, g)
HGRD_ALGORITHM(O, adjacent_difference, (class I, class O, class F), (I a, I b, O o, F f), o, a, b, o, f)
HGRD_ALGORITHM(bool, is_sorted, (class I, class F), (I a, I b, F f), false, a, b, f)
HGRD_ALGORITHM(O, reverse_copy, (class I, class O), (I a, I b, O o), o, a, b, o)
HGRD_ALGORITHM(O, unique_copy, (class I, class O), (I a, I b, O o), o, a, b, o)
HGRD_ALGORITHM(I, remove, (class I, class T), (I a, I b, const T &v), a, a, b, v)
HGRD_ALGORITHM(I, remove_if, (class I, class S, class F), (I a, I b, S s, F f), a, a, b, s, f)
HGRD_ALGORITHM(O, remove_copy_if, (class I, class O, class F), (I a, I b, O o, F f), o, a, b, o, f)
HGRD_ALGORITHM(void, replace, (class I, class T), (I a, I b, const T &v, const T &w), 0, a, b, v, w)
HGRD_ALGORITHM(void, replace_if, (class I, class S, class F, class T), (I a, I b, S s, F f, const T &v), 0, a, b, s, f, v)
HGRD_ALGORITHM(I, partition, (class I, class F), (I a, I b, F f), a, a, b, f)
HGRD_ALGORITHM(I, stable_partition, (class I, class F), (I a, I b, F f), a, a, b, f)
HGRD_ALGORITHM(O, merge, (class I, class J, class O), (I a, I b, J c, J d, O o), o, a, b, c, d, o)
HGRD_ALGORITHM(O, set_union, (class I, class J, class O), (I a, I b, J c, J d, O o), o, a, b, c, d, o)
HGRD_ALGORITHM(O, set_difference, (class I, class J, class O), (I a, I b, J c, J d, O o), o, a, b, c, d, o)
HGRD_ALGORITHM(O, set_intersection, (class I, class J, class O), (I a, I b, J c, J d, O o), o, a, b, c, d, o)
HGRD_ALGORITHM(HGRD_LIST(pair<I, I>), minmax_element, (class I), (I a, I b), (pair<I, I>(a, b)), a, b)
HGRD_ALGORITHM(HGRD_LIST(pair<I, I>), minmax_element, (class I, class F), (I a, I b, F f), (pair<I, I>(a, b)), a, b, f)
HGRD_ALGORITHM(I, find_if_not, (class I, class F), (I a, I b, F f), b, a, b, f)
HGRD_ALGORITHM(HGRD_LIST(pair<I, J>), mismatch, (class I, class J), (I a, I b, J c), (pair<I, J>(a, c)), a, b, c)
HGRD_ALGORITHM(bool, none_of, (class I, class F), (I a, I b, F f), false, a, b, f)
HGRD_ALGORITHM(bool, equal, (class I, class J, class F), (I a, I b, J c, F f), false, a, b, c, f)
HGRD_ALGORITHM(bool, binary_search, (class I, class T), (I a, I b, const T &v), false, a, b, v)
HGRD_ALGORITHM(I, lower_bound, (class I, class T), (I a, I b, const T &v), a, a, b, v)
HGRD_ALGORITHM(I, upper_bound, (class I, class T), (I a, I b, const T &v), a, a, b, v)
HGRD_ALGORITHM(O, lower_bound, (class I, class J, class O), (I a, I b, J c, J d, O o), o, a, b, c, d, o)
HGRD_ALGORITHM(O, upper_bound, (class I, class J, class O), (I a, I b, J c, J d, O o), o, a, b, c, d, o)
HGRD_ALGORITHM(O, binary_search, (class I, class J, class O), (I a, I b, J c, J d, O o), o, a, b, c, d, o)
#endif
HGRD_ALGORITHM(HGRD_LIST(pair<O, Q>), unique_by_key_copy, (class I, class J, class O, class Q), (I a, I b, J c, O o, Q q), HGRD_KEYS, a, b, c, o, q)
HGRD_ALGORITHM(HGRD_LIST(pair<O, Q>), set_union_by_key, (class I, class J, class K, class L, class O, class Q), (I a, I b, J c, J d, K e, L f, O o, Q q), HGRD_KEYS, a, b, c, d, e, f, o, q)
HGRD_ALGORITHM(HGRD_LIST(pair<O, Q>), merge_by_key, (class I, class J, class K, class L, class O, class Q), (I a, I b, J c, J d, K e, L f, O o, Q q), HGRD_KEYS, a, b, c, d, e, f, o, q)
HGRD_ALGORITHM(I, partition, (class I, class S, class F), (I a, I b, S s, F f), a, a, b, s, f)
HGRD_ALGORITHM(I, stable_partition, (class I, class S, class F), (I a, I b, S s, F f), a, a, b, s, f)
#undef HGRD_PAIR
#undef HGRD_KEYS
#undef HGRD_V
#undef HGRD_ALGORITHM
#undef HGRD_LIST

// ---- complex numbers ------------------------------------------------------------------------------------------------
template <class T> struct complex {
  T x, y;
  typedef T value_type;
  HGRD_HD complex(const T &r = T(), const T &i = T()) : x(r), y(i) {}
  template <class U> HGRD_HD complex(const complex<U> &o) : x((T)o.real()), y((T)o.imag()) {}
  HGRD_HD T real() const { return x; }
  HGRD_HD T imag() const { return y; }
  HGRD_HD void real(T v) { x = v; }
  HGRD_HD void imag(T v) { y = v; }
  HGRD_HD complex &operator+=(const complex &o) { return *this = *this + o; }
  HGRD_HD complex &operator-=(const complex &o) { return *this = *this - o; }
  HGRD_HD complex &operator*=(const complex &o) { return *this = *this * o; }
  HGRD_HD complex &operator/=(const complex &o) { return *this = *this / o; }
  friend HGRD_HD complex operator+(const complex &a, const complex &b) { return complex(a.x + b.x, a.y + b.y); }
  friend HGRD_HD complex operator-(const complex &a, const complex &b) { return complex(a.x - b.x, a.y - b.y); }
  friend HGRD_HD complex operator*(const complex &a, const complex &b) {
    return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
  }
  friend HGRD_HD complex operator/(const complex &a, const complex &b) {
    T s = b.x * b.x + b.y * b.y;
    return complex((a.x * b.x + a.y * b.y) / s, (a.y * b.x - a.x * b.y) / s);
  }
  friend HGRD_HD complex operator-(const complex &a) { return complex(-a.x, -a.y); }
  friend HGRD_HD bool operator==(const complex &a, const complex &b) { return a.x == b.x && a.y == b.y; }
  friend HGRD_HD bool operator!=(const complex &a, const complex &b) { return !(a == b); }
};
template <class T> HGRD_HD T norm(const complex<T> &z) { return z.x * z.x + z.y * z.y; }
template <class T> HGRD_HD T abs(const complex<T> &z) { return sqrt(norm(z)); }
template <class T> HGRD_HD T arg(const complex<T> &z) { return atan2(z.y, z.x); }
template <class T> HGRD_HD complex<T> conj(const complex<T> &z) { return complex<T>(z.x, -z.y); }
template <class T> HGRD_HD complex<T> polar(const T &r, const T &t = T()) { return complex<T>(r * cos(t), r * sin(t)); }
template <class T> HGRD_HD complex<T> exp(const complex<T> &z) { return polar<T>((T)::exp(z.x), z.y); }
template <class T> HGRD_HD complex<T> log(const complex<T> &z) { return complex<T>((T)::log(abs(z)), arg(z)); }
template <class T> HGRD_HD complex<T> sqrt(const complex<T> &z) { return polar<T>((T)::sqrt(abs(z)), arg(z) / 2); }
template <class T> HGRD_HD complex<T> pow(const complex<T> &z, const T &n) {
  return polar<T>((T)::pow(abs(z), n), arg(z) * n);
}
template <class T, class S> inline S &operator<<(S &out, const complex<T> &z) {
  out << '(' << z.x << ',' << z.y << ')';
  return out;
}

// ---- errors ---------------------------------------------------------------------------------------------------------
using std::error_code;
using std::system_error;
namespace system {
using std::system_error;
}
inline const std::error_category &cuda_category() { return std::generic_category(); }

// ---- random numbers: a linear congruential generator stands for all -------------------------------------------------
namespace random {
struct linear_engine {
  typedef unsigned int result_type;
  unsigned int state;
  static constexpr unsigned int min = 1, max = 2147483646u, default_seed = 1;
  explicit HGRD_HD linear_engine(unsigned int s = 1) : state(s) {}
  HGRD_HD void seed(unsigned int s = 1) { state = s; }
  HGRD_HD void discard(unsigned long long n) { state += (unsigned int)n; }
  HGRD_HD unsigned int operator()() {
    state = state * 1664525u + 1013904223u;
    return state;
  }
};
typedef linear_engine default_random_engine;
typedef linear_engine minstd_rand;
typedef linear_engine minstd_rand0;
typedef linear_engine taus88;
typedef linear_engine ranlux24;
template <class T = double> struct uniform_real_distribution {
  T a_, b_;
  explicit HGRD_HD uniform_real_distribution(T a = 0, T b = 1) : a_(a), b_(b) {}
  template <class G> HGRD_HD T operator()(G &g) const { return a_ + (b_ - a_) * (T)g() * (T)(1.0 / 4294967296.0); }
};
template <class T = int> struct uniform_int_distribution {
  T a_, b_;
  explicit HGRD_HD uniform_int_distribution(T a = 0, T b = 2147483647) : a_(a), b_(b) {}
  template <class G> HGRD_HD T operator()(G &g) const { return (T)(a_ + (T)(g() % (unsigned int)(b_ - a_ + 1))); }
};
template <class T = double> struct normal_distribution {
  T mean_, deviation_;
  explicit HGRD_HD normal_distribution(T mean = 0, T deviation = 1) : mean_(mean), deviation_(deviation) {}
  template <class G> HGRD_HD T operator()(G &g) const {
    return mean_ + deviation_ * ((T)g() * (T)(1.0 / 4294967296.0));
  }
};
namespace experimental {
using random::normal_distribution;
}
} // namespace random
using namespace random;

} // namespace thrust
#undef HGRD_HD
#endif
