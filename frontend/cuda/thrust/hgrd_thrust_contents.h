// The algorithms of thrust that are documented to leave something in an array that is worth knowing: on the host, and
// for iterators that are pointers to numbers, they are calls that the host scan understands (hgrd_contents.h). All
// else is a call of unknown effect on what the arguments reach, as the other algorithms are.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_THRUST_CONTENTS_H
#define HGRD_THRUST_CONTENTS_H
#pragma GCC system_header
#include "../hgrd_contents.h"
#include "hgrd_thrust.h"

namespace thrust {
namespace __hgrd {
template <class I> struct raw {
  enum { is = 0, kind = 0 };
  typedef char value;
};
template <class T> struct raw<T *> {
  enum { is = !std::is_void<T>::value, kind = ::__hgrd_contents_kind<T>() };
  typedef T value;
  static HGRD_HD T *of(T *p) { return p; }
};
template <class T> struct raw<device_ptr<T>> {
  enum { is = !std::is_void<T>::value, kind = ::__hgrd_contents_kind<T>() };
  typedef T value;
  static HGRD_HD T *of(const device_ptr<T> &p) { return p.get(); }
};
#ifdef __CUDA_ARCH__
#define HGRD_IF_RAW(...) if constexpr (false)
#else
#define HGRD_IF_RAW(...) if constexpr (__VA_ARGS__)
#endif
#define HGRD_SIZE(I) sizeof(typename raw<I>::value)

template <class I, class T> HGRD_HD void fill(cudaStream_t s, I a, I b, const T &v) {
  HGRD_IF_RAW(raw<I>::kind != 0 && std::is_integral<T>::value) {
    __hgrd_contents_fill((void *)raw<I>::of(a), (size_t)(b - a), HGRD_SIZE(I), s, (long long)v);
  }
  else call(0, a, b, v);
}
template <class I, class N, class T> HGRD_HD I fill_n(cudaStream_t s, I a, N n, const T &v) {
  fill(s, a, a + n, v);
  return a + n;
}
template <class I, class T> HGRD_HD void sequence(cudaStream_t s, I a, I b, T v, T step) {
  HGRD_IF_RAW(raw<I>::kind != 0 && std::is_integral<T>::value) {
    __hgrd_contents_sequence((void *)raw<I>::of(a), (size_t)(b - a), HGRD_SIZE(I), s, (long long)v, (long long)step);
  }
  else call(0, a, b, v, step);
}
template <class I, class O> HGRD_HD O copy(cudaStream_t s, I a, I b, O o) {
  HGRD_IF_RAW(raw<I>::kind != 0 && (int)raw<I>::kind == (int)raw<O>::kind && HGRD_SIZE(I) == HGRD_SIZE(O)) {
    __hgrd_contents_copy((void *)raw<O>::of(o), (size_t)(b - a), HGRD_SIZE(I), s, raw<I>::of(a));
    return o + (b - a);
  }
  return call(o, a, b, o);
}
// The sums of what is before each element (inclusive: up to it), from v on.
template <class I, class O, class T> HGRD_HD O scan(cudaStream_t s, I a, I b, O o, T v, bool is_inclusive) {
  HGRD_IF_RAW(raw<I>::kind != 0 && raw<O>::kind != 0 && std::is_integral<T>::value && sizeof(T) >= HGRD_SIZE(I) &&
              sizeof(T) >= HGRD_SIZE(O)) {
    __hgrd_contents_scan((void *)raw<O>::of(o), (size_t)(b - a), HGRD_SIZE(O), s, raw<I>::of(a), HGRD_SIZE(I),
                         raw<I>::kind, is_inclusive, (long long)v);
    return o + (b - a);
  }
  return call(o, a, b, o, v);
}
template <class I> HGRD_HD void sort(cudaStream_t s, I a, I b) {
  HGRD_IF_RAW(raw<I>::is) {
    __hgrd_contents_sort((void *)raw<I>::of(a), (size_t)(b - a), HGRD_SIZE(I), s, raw<I>::of(a), raw<I>::kind);
  }
  else call(0, a, b);
}
// Any order: the values stay the same ones.
template <class I> HGRD_HD void order(cudaStream_t s, I a, long n) {
  HGRD_IF_RAW(raw<I>::is) __hgrd_contents_order((void *)raw<I>::of(a), (size_t)n, HGRD_SIZE(I), s, raw<I>::of(a));
}
template <class I, class F> HGRD_HD void sort(cudaStream_t s, I a, I b, const F &f) {
  HGRD_IF_RAW(raw<I>::is) order(s, a, b - a);
  else call(0, a, b, f);
}
template <class I, class J> HGRD_HD void sort_by_key(cudaStream_t s, I a, I b, J c) {
  HGRD_IF_RAW(raw<I>::is && raw<J>::is) {
    long n = b - a;
    sort(s, a, b);
    order(s, c, n);
  }
  else call(0, a, b, c);
}
template <class I, class J, class F> HGRD_HD void sort_by_key(cudaStream_t s, I a, I b, J c, const F &f) {
  HGRD_IF_RAW(raw<I>::is && raw<J>::is) {
    long n = b - a;
    order(s, a, n);
    order(s, c, n);
  }
  else call(0, a, b, c, f);
}
// Some of the elements, in the order that they had; behind them anything. How many is not known.
template <class I> HGRD_HD I unique(cudaStream_t s, I a, I b) {
  HGRD_IF_RAW(raw<I>::is) {
    long n = b - a, kept = __hgrd_contents_count(n);
    __builtin_assume(kept >= 0 && kept <= n);
    __hgrd_contents_distinct((void *)raw<I>::of(a), (size_t)n, HGRD_SIZE(I), s, kept);
    return a + kept;
  }
  return call(a, a, b);
}
template <class I, class J> HGRD_HD pair<I, J> unique_by_key(cudaStream_t s, I a, I b, J c) {
  HGRD_IF_RAW(raw<I>::is && raw<J>::is) {
    long n = b - a, kept = __hgrd_contents_count(n);
    __builtin_assume(kept >= 0 && kept <= n);
    __hgrd_contents_keep((void *)raw<I>::of(a), (size_t)n, HGRD_SIZE(I), s, kept);
    __hgrd_contents_keep((void *)raw<J>::of(c), (size_t)n, HGRD_SIZE(J), s, kept);
    return pair<I, J>(a + kept, c + kept);
  }
  return call(pair<I, J>(a, c), a, b, c);
}
} // namespace __hgrd

#define HGRD_KNOWN(result, name, types, params, expression)                                                            \
  template <HGRD_LIST types> HGRD_HD result name(HGRD_LIST params) {                                                   \
    cudaStream_t s = nullptr;                                                                                          \
    return __hgrd::expression;                                                                                         \
  }                                                                                                                    \
  template <HGRD_LIST types> HGRD_HD result name(const policy &with, HGRD_LIST params) {                               \
    cudaStream_t s = with.stream_;                                                                                     \
    return __hgrd::expression;                                                                                         \
  }
#define HGRD_LIST(...) __VA_ARGS__
#define HGRD_V(I) typename std::iterator_traits<I>::value_type
HGRD_KNOWN(void, fill, (class I, class T), (I a, I b, const T &v), fill(s, a, b, v))
HGRD_KNOWN(void, uninitialized_fill, (class I, class T), (I a, I b, const T &v), fill(s, a, b, v))
HGRD_KNOWN(I, fill_n, (class I, class N, class T), (I a, N n, const T &v), fill_n(s, a, n, v))
HGRD_KNOWN(void, sequence, (class I), (I a, I b), sequence(s, a, b, 0L, 1L))
HGRD_KNOWN(void, sequence, (class I, class T), (I a, I b, T v), sequence(s, a, b, v, T(1)))
HGRD_KNOWN(void, sequence, (class I, class T), (I a, I b, T v, T step), sequence(s, a, b, v, step))
HGRD_KNOWN(O, copy, (class I, class O), (I a, I b, O o), copy(s, a, b, o))
HGRD_KNOWN(O, copy_n, (class I, class N, class O), (I a, N n, O o), copy(s, a, a + n, o))
HGRD_KNOWN(O, inclusive_scan, (class I, class O), (I a, I b, O o), scan(s, a, b, o, HGRD_V(I)(), true))
HGRD_KNOWN(O, exclusive_scan, (class I, class O), (I a, I b, O o), scan(s, a, b, o, HGRD_V(I)(), false))
HGRD_KNOWN(O, exclusive_scan, (class I, class O, class T), (I a, I b, O o, T v), scan(s, a, b, o, v, false))
HGRD_KNOWN(void, sort, (class I), (I a, I b), sort(s, a, b))
HGRD_KNOWN(void, sort, (class I, class F), (I a, I b, F f), sort(s, a, b, f))
HGRD_KNOWN(void, stable_sort, (class I), (I a, I b), sort(s, a, b))
HGRD_KNOWN(void, stable_sort, (class I, class F), (I a, I b, F f), sort(s, a, b, f))
HGRD_KNOWN(void, sort_by_key, (class I, class J), (I a, I b, J c), sort_by_key(s, a, b, c))
HGRD_KNOWN(void, sort_by_key, (class I, class J, class F), (I a, I b, J c, F f), sort_by_key(s, a, b, c, f))
HGRD_KNOWN(void, stable_sort_by_key, (class I, class J), (I a, I b, J c), sort_by_key(s, a, b, c))
HGRD_KNOWN(void, stable_sort_by_key, (class I, class J, class F), (I a, I b, J c, F f), sort_by_key(s, a, b, c, f))
HGRD_KNOWN(I, unique, (class I), (I a, I b), unique(s, a, b))
HGRD_KNOWN(HGRD_LIST(pair<I, J>), unique_by_key, (class I, class J), (I a, I b, J c), unique_by_key(s, a, b, c))
#undef HGRD_KNOWN
#undef HGRD_LIST
#undef HGRD_V
#undef HGRD_IF_RAW
#undef HGRD_SIZE
} // namespace thrust
#endif
