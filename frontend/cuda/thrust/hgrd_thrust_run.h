// The algorithms of thrust as hgrd-run runs them (hgrd_alone.h): one element after the other, in the order of the ranges. Which side
// runs one is what thrust makes of it: the policy, else whether an iterator is of the device. Copies go between the sides.
// Departs from the library: sums of floating-point numbers are made in the order of the elements.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_THRUST_RUN_H
#define HGRD_THRUST_RUN_H
#pragma GCC system_header
#include "../hgrd_alone.h"
#include "hgrd_thrust.h"

namespace thrust {
namespace __hgrd {
template <class I> struct of_device : std::false_type {};
template <class T> struct of_device<device_ptr<T>> : std::true_type {};
template <class F, class I> struct of_device<transform_iterator<F, I>> : of_device<I> {};
template <class E, class M> struct of_device<permutation_iterator<E, M>> : of_device<E> {};
template <class... I> struct of_device<zip_iterator<tuple<I...>>> : std::integral_constant<bool, (of_device<I>::value || ...)> {};
template <class I> struct of_device<std::reverse_iterator<I>> : of_device<I> {};
template <class... I> constexpr bool any_of_device() { return (of_device<I>::value || ...); }
template <class I, class O> HGRD_HD O copy(I a, long n, O o) {
  for (long i = 0; i < n; i++)
    o[i] = (typename std::iterator_traits<I>::value_type)a[i];
  return o + n;
}
template <class T> HGRD_HD T *bare(T *p) { return p; }
template <class T> HGRD_HD T *bare(const device_ptr<T> &p) { return p.get(); }
template <class I> HGRD_HD I bare(const I &it) { return it; }
} // namespace __hgrd

#define HGRD_LIST(...) __VA_ARGS__
#define HGRD_V(I) typename std::iterator_traits<I>::value_type
// `iterators` are the types that say which side it is.
#define HGRD_RUNS(result, name, types, params, iterators, ...)                                                         \
  template <HGRD_LIST types> inline __host__ result name(HGRD_LIST params) {                                           \
    return hgrd_alone::run<__hgrd::any_of_device<HGRD_LIST iterators>(), result>(                                      \
        [=] __host__ __device__() mutable -> result __VA_ARGS__);                                                      \
  }                                                                                                                    \
  template <HGRD_LIST types> inline __host__ result name(const policy &with, HGRD_LIST params) {                       \
    return hgrd_alone::run<true, result>([=] __host__ __device__() mutable -> result __VA_ARGS__, with.stream_);       \
  }                                                                                                                    \
  template <HGRD_LIST types> inline __host__ result name(const host_policy &, HGRD_LIST params) {                      \
    return hgrd_alone::run<false, result>([=] __host__ __device__() mutable -> result __VA_ARGS__);                    \
  }                                                                                                                    \
  template <HGRD_LIST types> inline __device__ result name(HGRD_LIST params) __VA_ARGS__                               \
  template <HGRD_LIST types> inline __device__ result name(const policy &, HGRD_LIST params) __VA_ARGS__
#define HGRD_EACH for (long n = b - a, i = 0; i < n; i++)

// ---- what needs no function
template <class I, class O> inline __host__ O copy(I a, I b, O o) {
  if constexpr (__hgrd::of_device<I>::value && __hgrd::of_device<O>::value) {
    long n = b - a;
    return hgrd_alone::run<true, O>([=] __host__ __device__() { return __hgrd::copy(a, n, o); });
  } else {
    __hgrd::copy(__hgrd::bare(a), b - a, __hgrd::bare(o)); // between the sides: all of it is memory of the process
    return o + (b - a);
  }
}
template <class I, class O> inline __host__ O copy(const policy &with, I a, I b, O o) {
  return hgrd_alone::run<true, O>([=] __host__ __device__() { return __hgrd::copy(a, b - a, o); }, with.stream_);
}
template <class I, class O> inline __host__ O copy(const host_policy &, I a, I b, O o) { return __hgrd::copy(a, b - a, o); }
template <class I, class O> inline __device__ O copy(I a, I b, O o) { return __hgrd::copy(a, b - a, o); }
template <class I, class O> inline __device__ O copy(const policy &, I a, I b, O o) { return __hgrd::copy(a, b - a, o); }
#define HGRD_COPY_N(side)                                                                                              \
  template <class I, class N, class O> inline side O copy_n(I a, N n, O o) { return thrust::copy(a, a + (long)n, o); } \
  template <class I, class N, class O> inline side O copy_n(const policy &with, I a, N n, O o) {                       \
    return thrust::copy(with, a, a + (long)n, o);                                                                      \
  }                                                                                                                    \
  template <class I, class N, class O> inline side O copy_n(const host_policy &with, I a, N n, O o) {                  \
    return thrust::copy(with, a, a + (long)n, o);                                                                      \
  }
HGRD_COPY_N(__host__)
HGRD_COPY_N(__device__)
#undef HGRD_COPY_N
HGRD_RUNS(void, fill, (class I, class T), (I a, I b, T v), (I), { HGRD_EACH a[i] = v; })
HGRD_RUNS(void, uninitialized_fill, (class I, class T), (I a, I b, T v), (I), { HGRD_EACH a[i] = v; })
HGRD_RUNS(I, fill_n, (class I, class N, class T), (I a, N n, T v), (I), {
  for (long i = 0; i < (long)n; i++) a[i] = v;
  return a + (long)n;
})
HGRD_RUNS(void, sequence, (class I), (I a, I b), (I), { HGRD_EACH a[i] = (HGRD_V(I))i; })
HGRD_RUNS(void, sequence, (class I, class T), (I a, I b, T v), (I), { HGRD_EACH a[i] = (HGRD_V(I))(v + (T)i); })
HGRD_RUNS(void, sequence, (class I, class T), (I a, I b, T v, T step), (I), { HGRD_EACH a[i] = (HGRD_V(I))(v + step * (T)i); })
HGRD_RUNS(void, tabulate, (class I, class F), (I a, I b, F f), (I), { HGRD_EACH a[i] = f(i); })
HGRD_RUNS(void, generate, (class I, class F), (I a, I b, F f), (I), { HGRD_EACH a[i] = f(); })
HGRD_RUNS(O, gather, (class I, class J, class O), (I a, I b, J v, O o), (I, J, O), {
  HGRD_EACH o[i] = (HGRD_V(J))v[(long)(HGRD_V(I))a[i]];
  return o + (b - a);
})
HGRD_RUNS(void, scatter, (class I, class M, class O), (I a, I b, M m, O o), (I, M, O), {
  HGRD_EACH o[(long)(HGRD_V(M))m[i]] = (HGRD_V(I))a[i];
})
HGRD_RUNS(void, reverse, (class I), (I a, I b), (I), {
  for (long n = b - a, i = 0; i < n / 2; i++) {
    HGRD_V(I) v = a[i];
    a[i] = (HGRD_V(I))a[n - 1 - i];
    a[n - 1 - i] = v;
  }
})

// One draw of the generator says how.
#define HGRD_SHUFFLE(policies, is_on_device, ...)                                                                      \
  template <class I, class G> inline __host__ void shuffle(HGRD_LIST policies I a, I b, G &&g) {                       \
    unsigned long long state = g();                                                                                    \
    hgrd_alone::run<is_on_device, void>([=] __host__ __device__() mutable {                                            \
      for (long i = b - a - 1; i > 0; i--) {                                                                           \
        state = state * 6364136223846793005ull + 1442695040888963407ull;                                               \
        long other = (long)((state >> 33) % (unsigned long long)(i + 1));                                              \
        HGRD_V(I) v = a[i];                                                                                            \
        a[i] = (HGRD_V(I))a[other];                                                                                    \
        a[other] = v;                                                                                                  \
      }                                                                                                                \
    } __VA_ARGS__);                                                                                                    \
  }
HGRD_SHUFFLE((), __hgrd::of_device<I>::value)
HGRD_SHUFFLE((const policy &with, ), true, , with.stream_)
HGRD_SHUFFLE((const host_policy &, ), false)
#undef HGRD_SHUFFLE

// ---- for each
HGRD_RUNS(I, for_each, (class I, class F), (I a, I b, F f), (I), {
  HGRD_EACH f(a[i]);
  return b;
})
HGRD_RUNS(I, for_each_n, (class I, class N, class F), (I a, N n, F f), (I), {
  for (long i = 0; i < (long)n; i++) f(a[i]);
  return a + (long)n;
})
HGRD_RUNS(O, transform, (class I, class O, class F), (I a, I b, O o, F f), (I, O), {
  HGRD_EACH o[i] = f((HGRD_V(I))a[i]);
  return o + (b - a);
})
HGRD_RUNS(O, transform, (class I, class J, class O, class F), (I a, I b, J c, O o, F f), (I, J, O), {
  HGRD_EACH o[i] = f((HGRD_V(I))a[i], (HGRD_V(J))c[i]);
  return o + (b - a);
})
HGRD_RUNS(O, copy_if, (class I, class O, class F), (I a, I b, O o, F f), (I, O), {
  long k = 0;
  HGRD_EACH if (f((HGRD_V(I))a[i])) o[k++] = (HGRD_V(I))a[i];
  return o + k;
})
HGRD_RUNS(O, copy_if, (class I, class S, class O, class F), (I a, I b, S s, O o, F f), (I, S, O), {
  long k = 0;
  HGRD_EACH if (f((HGRD_V(S))s[i])) o[k++] = (HGRD_V(I))a[i];
  return o + k;
})
HGRD_RUNS(I, remove_if, (class I, class F), (I a, I b, F f), (I), {
  long k = 0;
  HGRD_EACH if (!f((HGRD_V(I))a[i])) a[k++] = (HGRD_V(I))a[i];
  return a + k;
})
HGRD_RUNS(void, replace_if, (class I, class F, class T), (I a, I b, F f, T v), (I), { HGRD_EACH if (f((HGRD_V(I))a[i])) a[i] = v; })

// ---- sums
#define HGRD_SUM(T, first, op)                                                                                         \
  T sum = first;                                                                                                       \
  HGRD_EACH sum = (T)op;                                                                                               \
  return sum;
HGRD_RUNS(HGRD_V(I), reduce, (class I), (I a, I b), (I), { HGRD_SUM(HGRD_V(I), HGRD_V(I)(), (sum + (HGRD_V(I))a[i])) })
HGRD_RUNS(T, reduce, (class I, class T), (I a, I b, T v), (I), { HGRD_SUM(T, v, (sum + (HGRD_V(I))a[i])) })
HGRD_RUNS(T, reduce, (class I, class T, class F), (I a, I b, T v, F f), (I), { HGRD_SUM(T, v, f(sum, (HGRD_V(I))a[i])) })
HGRD_RUNS(T, transform_reduce, (class I, class G, class T, class F), (I a, I b, G g, T v, F f), (I), { HGRD_SUM(T, v, f(sum, g((HGRD_V(I))a[i]))) })
HGRD_RUNS(T, inner_product, (class I, class J, class T), (I a, I b, J c, T v), (I, J), { HGRD_SUM(T, v, (sum + (HGRD_V(I))a[i] * (HGRD_V(J))c[i])) })
HGRD_RUNS(long, count, (class I, class T), (I a, I b, T v), (I), { HGRD_SUM(long, 0, (sum + ((HGRD_V(I))a[i] == v))) })
HGRD_RUNS(long, count_if, (class I, class F), (I a, I b, F f), (I), { HGRD_SUM(long, 0, (sum + (bool)f((HGRD_V(I))a[i]))) })
#define HGRD_SCAN(T, first, op, is_inclusive)                                                                          \
  T sum = first;                                                                                                       \
  HGRD_EACH {                                                                                                          \
    T next = (T)op;                                                                                                    \
    o[i] = is_inclusive ? next : sum;                                                                                  \
    sum = next;                                                                                                        \
  }                                                                                                                    \
  return o + (b - a);
HGRD_RUNS(O, inclusive_scan, (class I, class O), (I a, I b, O o), (I, O), { HGRD_SCAN(HGRD_V(I), HGRD_V(I)(), (sum + (HGRD_V(I))a[i]), true) })
HGRD_RUNS(O, inclusive_scan, (class I, class O, class F), (I a, I b, O o, F f), (I, O), {
  if (b - a <= 0) return o;
  HGRD_SCAN(HGRD_V(I), a[0], (i ? f(sum, (HGRD_V(I))a[i]) : sum), true)
})
HGRD_RUNS(O, exclusive_scan, (class I, class O), (I a, I b, O o), (I, O), { HGRD_SCAN(HGRD_V(I), HGRD_V(I)(), (sum + (HGRD_V(I))a[i]), false) })
HGRD_RUNS(O, exclusive_scan, (class I, class O, class T), (I a, I b, O o, T v), (I, O), { HGRD_SCAN(T, v, (sum + (HGRD_V(I))a[i]), false) })
HGRD_RUNS(O, exclusive_scan, (class I, class O, class T, class F), (I a, I b, O o, T v, F f), (I, O), { HGRD_SCAN(T, v, f(sum, (HGRD_V(I))a[i]), false) })
HGRD_RUNS(O, adjacent_difference, (class I, class O), (I a, I b, O o), (I, O), {
  HGRD_V(I) last = HGRD_V(I)();
  HGRD_EACH {
    HGRD_V(I) v = a[i];
    o[i] = i ? (HGRD_V(I))(v - last) : v;
    last = v;
  }
  return o + (b - a);
})

// ---- by keys
#define HGRD_BY_KEY(equal, op)                                                                                         \
  long k = 0;                                                                                                          \
  for (long n = b - a, i = 0; i < n; k++) {                                                                            \
    HGRD_V(I) key = a[i];                                                                                              \
    HGRD_V(J) sum = c[i];                                                                                              \
    for (i++; i < n && equal(key, (HGRD_V(I))a[i]); i++)                                                               \
      sum = (HGRD_V(J))op(sum, (HGRD_V(J))c[i]);                                                                       \
    o[k] = key;                                                                                                        \
    q[k] = sum;                                                                                                        \
  }                                                                                                                    \
  return pair<O, Q>(o + k, q + k);
HGRD_RUNS(HGRD_LIST(pair<O, Q>), reduce_by_key, (class I, class J, class O, class Q), (I a, I b, J c, O o, Q q), (I, J, O, Q), { HGRD_BY_KEY(equal_to<>(), plus<>()) })
HGRD_RUNS(HGRD_LIST(pair<O, Q>), reduce_by_key, (class I, class J, class O, class Q, class E), (I a, I b, J c, O o, Q q, E e), (I, J, O, Q), { HGRD_BY_KEY(e, plus<>()) })
HGRD_RUNS(HGRD_LIST(pair<O, Q>), reduce_by_key, (class I, class J, class O, class Q, class E, class F), (I a, I b, J c, O o, Q q, E e, F f), (I, J, O, Q), { HGRD_BY_KEY(e, f) })
#define HGRD_UNIQUE(equal)                                                                                             \
  long k = 0;                                                                                                          \
  HGRD_EACH {                                                                                                          \
    HGRD_V(I) v = a[i];                                                                                                \
    if (k && equal((HGRD_V(I))a[k - 1], v)) continue;                                                                  \
    a[k++] = v;                                                                                                        \
  }                                                                                                                    \
  return a + k;
HGRD_RUNS(I, unique, (class I), (I a, I b), (I), { HGRD_UNIQUE(equal_to<>()) })
HGRD_RUNS(I, unique, (class I, class F), (I a, I b, F f), (I), { HGRD_UNIQUE(f) })

HGRD_RUNS(HGRD_LIST(pair<I, J>), unique_by_key, (class I, class J), (I a, I b, J c), (I, J), {
  long k = 0;
  HGRD_EACH {
    HGRD_V(I) key = a[i];
    HGRD_V(J) value = c[i];
    if (k && (HGRD_V(I))a[k - 1] == key) continue;
    a[k] = key;
    c[k++] = value;
  }
  return pair<I, J>(a + k, c + k);
})

// ---- questions
HGRD_RUNS(I, min_element, (class I), (I a, I b), (I), {
  long k = 0;
  HGRD_EACH if ((HGRD_V(I))a[i] < (HGRD_V(I))a[k]) k = i;
  return a + k;
})
HGRD_RUNS(I, min_element, (class I, class F), (I a, I b, F f), (I), {
  long k = 0;
  HGRD_EACH if (f((HGRD_V(I))a[i], (HGRD_V(I))a[k])) k = i;
  return a + k;
})
HGRD_RUNS(I, max_element, (class I), (I a, I b), (I), {
  long k = 0;
  HGRD_EACH if ((HGRD_V(I))a[k] < (HGRD_V(I))a[i]) k = i;
  return a + k;
})
HGRD_RUNS(I, max_element, (class I, class F), (I a, I b, F f), (I), {
  long k = 0;
  HGRD_EACH if (f((HGRD_V(I))a[k], (HGRD_V(I))a[i])) k = i;
  return a + k;
})
HGRD_RUNS(I, find, (class I, class T), (I a, I b, T v), (I), {
  HGRD_EACH if ((HGRD_V(I))a[i] == v) return a + i;
  return b;
})
HGRD_RUNS(I, find_if, (class I, class F), (I a, I b, F f), (I), {
  HGRD_EACH if (f((HGRD_V(I))a[i])) return a + i;
  return b;
})
HGRD_RUNS(bool, all_of, (class I, class F), (I a, I b, F f), (I), {
  HGRD_EACH if (!f((HGRD_V(I))a[i])) return false;
  return true;
})
HGRD_RUNS(bool, any_of, (class I, class F), (I a, I b, F f), (I), {
  HGRD_EACH if (f((HGRD_V(I))a[i])) return true;
  return false;
})
HGRD_RUNS(bool, is_sorted, (class I), (I a, I b), (I), {
  HGRD_EACH if (i && (HGRD_V(I))a[i] < (HGRD_V(I))a[i - 1]) return false;
  return true;
})
HGRD_RUNS(bool, equal, (class I, class J), (I a, I b, J c), (I, J), {
  HGRD_EACH if (!((HGRD_V(I))a[i] == (HGRD_V(J))c[i])) return false;
  return true;
})

// ---- with a stencil, by keys, by two functions
HGRD_RUNS(O, uninitialized_copy, (class I, class O), (I a, I b, O o), (I, O), { return __hgrd::copy(a, b - a, o); })
HGRD_RUNS(J, swap_ranges, (class I, class J), (I a, I b, J c), (I, J), {
  HGRD_EACH {
    HGRD_V(I) v = a[i];
    a[i] = (HGRD_V(J))c[i];
    c[i] = v;
  }
  return c + (b - a);
})
HGRD_RUNS(O, gather_if, (class I, class S, class J, class O), (I a, I b, S s, J v, O o), (I, S, J, O), {
  HGRD_EACH if ((HGRD_V(S))s[i]) o[i] = (HGRD_V(J))v[(long)(HGRD_V(I))a[i]];
  return o + (b - a);
})
HGRD_RUNS(void, scatter_if, (class I, class M, class S, class O), (I a, I b, M m, S s, O o), (I, M, S, O), {
  HGRD_EACH if ((HGRD_V(S))s[i]) o[(long)(HGRD_V(M))m[i]] = (HGRD_V(I))a[i];
})
HGRD_RUNS(O, transform_if, (class I, class O, class F, class P), (I a, I b, O o, F f, P p), (I, O), {
  HGRD_EACH if (p((HGRD_V(I))a[i])) o[i] = f((HGRD_V(I))a[i]);
  return o + (b - a);
})
HGRD_RUNS(O, transform_if, (class I, class S, class O, class F, class P), (I a, I b, S s, O o, F f, P p), (I, S, O), {
  HGRD_EACH if (p((HGRD_V(S))s[i])) o[i] = f((HGRD_V(I))a[i]);
  return o + (b - a);
})
HGRD_RUNS(I, remove_if, (class I, class S, class F), (I a, I b, S s, F f), (I, S), {
  long k = 0;
  HGRD_EACH if (!f((HGRD_V(S))s[i])) a[k++] = (HGRD_V(I))a[i];
  return a + k;
})
HGRD_RUNS(void, replace_if, (class I, class S, class F, class T), (I a, I b, S s, F f, T v), (I, S), {
  HGRD_EACH if (f((HGRD_V(S))s[i])) a[i] = v;
})
HGRD_RUNS(I, remove, (class I, class T), (I a, I b, T v), (I), {
  long k = 0;
  HGRD_EACH if (!((HGRD_V(I))a[i] == v)) a[k++] = (HGRD_V(I))a[i];
  return a + k;
})
HGRD_RUNS(O, remove_copy_if, (class I, class O, class F), (I a, I b, O o, F f), (I, O), {
  long k = 0;
  HGRD_EACH if (!f((HGRD_V(I))a[i])) o[k++] = (HGRD_V(I))a[i];
  return o + k;
})
HGRD_RUNS(void, replace, (class I, class T), (I a, I b, T v, T w), (I), { HGRD_EACH if ((HGRD_V(I))a[i] == v) a[i] = w; })
HGRD_RUNS(O, reverse_copy, (class I, class O), (I a, I b, O o), (I, O), {
  HGRD_EACH o[i] = (HGRD_V(I))a[n - 1 - i];
  return o + (b - a);
})
HGRD_RUNS(O, unique_copy, (class I, class O), (I a, I b, O o), (I, O), {
  long k = 0;
  HGRD_EACH if (!i || !((HGRD_V(I))a[i - 1] == (HGRD_V(I))a[i])) o[k++] = (HGRD_V(I))a[i];
  return o + k;
})
HGRD_RUNS(T, inner_product, (class I, class J, class T, class F, class G), (I a, I b, J c, T v, F f, G g), (I, J), {
  HGRD_SUM(T, v, f(sum, g((HGRD_V(I))a[i], (HGRD_V(J))c[i])))
})
HGRD_RUNS(O, adjacent_difference, (class I, class O, class F), (I a, I b, O o, F f), (I, O), {
  HGRD_V(I) last = HGRD_V(I)();
  HGRD_EACH {
    HGRD_V(I) v = a[i];
    o[i] = i ? (HGRD_V(I))f(v, last) : v;
    last = v;
  }
  return o + (b - a);
})
HGRD_RUNS(O, transform_inclusive_scan, (class I, class O, class F, class G), (I a, I b, O o, F f, G g), (I, O), {
  if (b - a <= 0) return o;
  auto sum = f((HGRD_V(I))a[0]);
  HGRD_EACH o[i] = i ? (sum = g(sum, f((HGRD_V(I))a[i]))) : sum;
  return o + (b - a);
})
HGRD_RUNS(O, transform_exclusive_scan, (class I, class O, class F, class T, class G), (I a, I b, O o, F f, T v, G g), (I, O), {
  HGRD_SCAN(T, v, g(sum, f((HGRD_V(I))a[i])), false)
})
#define HGRD_SCANS_BY_KEY(T, first, equal, op, is_inclusive)                                                           \
  T sum = first;                                                                                                       \
  HGRD_EACH {                                                                                                          \
    bool is_new = !i || !equal((HGRD_V(I))a[i - 1], (HGRD_V(I))a[i]);                                                  \
    T value = (HGRD_V(J))c[i], before = is_new ? first : sum;                                                          \
    sum = is_inclusive && is_new ? value : (T)op(before, value);                                                       \
    o[i] = is_inclusive ? sum : before;                                                                                \
  }                                                                                                                    \
  return o + (b - a);
HGRD_RUNS(O, inclusive_scan_by_key, (class I, class J, class O), (I a, I b, J c, O o), (I, J, O), { HGRD_SCANS_BY_KEY(HGRD_V(J), HGRD_V(J)(), equal_to<>(), plus<>(), true) })
HGRD_RUNS(O, inclusive_scan_by_key, (class I, class J, class O, class E), (I a, I b, J c, O o, E e), (I, J, O), { HGRD_SCANS_BY_KEY(HGRD_V(J), HGRD_V(J)(), e, plus<>(), true) })
HGRD_RUNS(O, inclusive_scan_by_key, (class I, class J, class O, class E, class F), (I a, I b, J c, O o, E e, F f), (I, J, O), { HGRD_SCANS_BY_KEY(HGRD_V(J), HGRD_V(J)(), e, f, true) })
HGRD_RUNS(O, exclusive_scan_by_key, (class I, class J, class O), (I a, I b, J c, O o), (I, J, O), { HGRD_SCANS_BY_KEY(HGRD_V(J), HGRD_V(J)(), equal_to<>(), plus<>(), false) })
HGRD_RUNS(O, exclusive_scan_by_key, (class I, class J, class O, class T), (I a, I b, J c, O o, T v), (I, J, O), { HGRD_SCANS_BY_KEY(T, v, equal_to<>(), plus<>(), false) })
HGRD_RUNS(O, exclusive_scan_by_key, (class I, class J, class O, class T, class E), (I a, I b, J c, O o, T v, E e), (I, J, O), { HGRD_SCANS_BY_KEY(T, v, e, plus<>(), false) })
HGRD_RUNS(O, exclusive_scan_by_key, (class I, class J, class O, class T, class E, class F), (I a, I b, J c, O o, T v, E e, F f), (I, J, O), { HGRD_SCANS_BY_KEY(T, v, e, f, false) })
#undef HGRD_SCANS_BY_KEY

// ---- sorted ranges
#define HGRD_PLACE(result, name, types, params, iterators, before, made)                                               \
  HGRD_RUNS(result, name, types, params, iterators, {                                                                  \
    long low = 0;                                                                                                      \
    for (long high = b - a; low < high;) {                                                                             \
      long middle = low + (high - low) / 2;                                                                            \
      HGRD_V(I) at = a[middle];                                                                                        \
      if (before) low = middle + 1;                                                                                    \
      else high = middle;                                                                                              \
    }                                                                                                                  \
    return made;                                                                                                       \
  })
HGRD_PLACE(I, lower_bound, (class I, class T), (I a, I b, T v), (I), at < v, a + low)
HGRD_PLACE(I, upper_bound, (class I, class T), (I a, I b, T v), (I), !(v < at), a + low)
HGRD_PLACE(bool, binary_search, (class I, class T), (I a, I b, T v), (I), at < v, low < b - a && !(v < (HGRD_V(I))a[low]))
#undef HGRD_PLACE
#define HGRD_PLACES(name, made)                                                                                        \
  HGRD_RUNS(O, name, (class I, class J, class O), (I a, I b, J c, J d, O o), (I, J, O), {                              \
    for (long i = 0; i < d - c; i++) {                                                                                 \
      HGRD_V(J) v = c[i];                                                                                              \
      long low = 0, high = b - a;                                                                                      \
      while (low < high) {                                                                                             \
        long middle = low + (high - low) / 2;                                                                          \
        HGRD_V(I) at = a[middle];                                                                                      \
        if (__hgrd::is_before<is_upper>(at, v)) low = middle + 1;                                                      \
        else high = middle;                                                                                            \
      }                                                                                                                \
      o[i] = made;                                                                                                     \
    }                                                                                                                  \
    return o + (d - c);                                                                                                \
  })
namespace __hgrd {
template <bool IsUpper, class T, class U> HGRD_HD bool is_before(const T &at, const U &v) { return IsUpper ? !(v < at) : at < v; }
} // namespace __hgrd
#define is_upper false
HGRD_PLACES(lower_bound, low)
HGRD_PLACES(binary_search, (low < b - a && !(v < (HGRD_V(I))a[low])))
#undef is_upper
#define is_upper true
HGRD_PLACES(upper_bound, low)
#undef is_upper
#undef HGRD_PLACES
// What of two sorted ranges is kept: of the first alone, of the second alone, of both.
#define HGRD_MERGED(name, of_first, of_second, of_both)                                                                \
  HGRD_RUNS(O, name, (class I, class J, class O), (I a, I b, J c, J d, O o), (I, J, O), {                              \
    long i = 0, j = 0, k = 0;                                                                                          \
    while (i < b - a || j < d - c) {                                                                                   \
      bool is_first = j == d - c || (i < b - a && (HGRD_V(I))a[i] < (HGRD_V(J))c[j]);                                  \
      bool is_second = !is_first && (i == b - a || (HGRD_V(J))c[j] < (HGRD_V(I))a[i]);                                 \
      if (is_second) {                                                                                                 \
        if (of_second) o[k++] = (HGRD_V(J))c[j];                                                                       \
        j++;                                                                                                           \
        continue;                                                                                                      \
      }                                                                                                                \
      if (is_first ? of_first : of_both) o[k++] = (HGRD_V(I))a[i];                                                     \
      i++;                                                                                                             \
      j += !is_first && !is_merge;                                                                                     \
    }                                                                                                                  \
    return o + k;                                                                                                      \
  })
#define is_merge true
HGRD_MERGED(merge, true, true, true)
#undef is_merge
#define is_merge false
HGRD_MERGED(set_union, true, true, true)
HGRD_MERGED(set_difference, true, false, false)
HGRD_MERGED(set_intersection, false, false, true)
#undef is_merge
#undef HGRD_MERGED

// ---- more questions
HGRD_RUNS(HGRD_LIST(pair<I, I>), minmax_element, (class I), (I a, I b), (I), {
  long low = 0, high = 0;
  HGRD_EACH {
    if ((HGRD_V(I))a[i] < (HGRD_V(I))a[low]) low = i;
    if ((HGRD_V(I))a[high] < (HGRD_V(I))a[i]) high = i;
  }
  return pair<I, I>(a + low, a + high);
})
HGRD_RUNS(HGRD_LIST(pair<I, I>), minmax_element, (class I, class F), (I a, I b, F f), (I), {
  long low = 0, high = 0;
  HGRD_EACH {
    if (f((HGRD_V(I))a[i], (HGRD_V(I))a[low])) low = i;
    if (f((HGRD_V(I))a[high], (HGRD_V(I))a[i])) high = i;
  }
  return pair<I, I>(a + low, a + high);
})
HGRD_RUNS(I, find_if_not, (class I, class F), (I a, I b, F f), (I), {
  HGRD_EACH if (!f((HGRD_V(I))a[i])) return a + i;
  return b;
})
HGRD_RUNS(HGRD_LIST(pair<I, J>), mismatch, (class I, class J), (I a, I b, J c), (I, J), {
  long i = 0;
  while (i < b - a && (HGRD_V(I))a[i] == (HGRD_V(J))c[i]) i++;
  return pair<I, J>(a + i, c + i);
})
HGRD_RUNS(bool, none_of, (class I, class F), (I a, I b, F f), (I), {
  HGRD_EACH if (f((HGRD_V(I))a[i])) return false;
  return true;
})
HGRD_RUNS(bool, equal, (class I, class J, class F), (I a, I b, J c, F f), (I, J), {
  HGRD_EACH if (!f((HGRD_V(I))a[i], (HGRD_V(J))c[i])) return false;
  return true;
})
HGRD_RUNS(bool, is_sorted, (class I, class F), (I a, I b, F f), (I), {
  HGRD_EACH if (i && f((HGRD_V(I))a[i], (HGRD_V(I))a[i - 1])) return false;
  return true;
})

// ---- sorting
namespace __hgrd {
template <bool IsOnDevice, class I, class J, class F> inline __host__ void sorted(I a, long n, J c, F f, cudaStream_t s = nullptr) {
  typedef typename std::iterator_traits<I>::value_type K;
  typedef typename J::value_type V;
  K *keys = hgrd_alone::room<K>(n);
  V *values = hgrd_alone::room<V>(n);
  hgrd_alone::run<IsOnDevice, void>([=] __host__ __device__() { hgrd_alone::sort(a, c, n, keys, values, f); }, s);
  cudaFree((void *)keys);
  cudaFree((void *)values);
}
template <bool IsOnDevice, class I, class J, class F> inline __device__ void sorted(I a, long n, J c, F f, cudaStream_t = nullptr) {
  hgrd_alone::sort(a, c, n, (typename std::iterator_traits<I>::value_type *)nullptr, (typename J::value_type *)nullptr, f);
}
template <class J> struct valued { // an iterator that is a pointer has no value_type of its own
  typedef typename std::iterator_traits<J>::value_type value_type;
  J it_;
  HGRD_HD auto operator[](long i) const -> decltype(it_[i]) { return it_[i]; }
};
} // namespace __hgrd
#define HGRD_SORT(name, types, params, is_on_device, values, less, side)                                               \
  template <HGRD_LIST types> inline side void name(HGRD_LIST params) {                                                 \
    __hgrd::sorted<is_on_device>(a, b - a, HGRD_LIST values, less);                                                    \
  }                                                                                                                    \
  template <HGRD_LIST types> inline side void name(const policy &with, HGRD_LIST params) {                             \
    __hgrd::sorted<true>(a, b - a, HGRD_LIST values, less, with.stream_);                                              \
  }                                                                                                                    \
  template <HGRD_LIST types> inline side void name(const host_policy &, HGRD_LIST params) {                            \
    __hgrd::sorted<false>(a, b - a, HGRD_LIST values, less);                                                           \
  }
#define HGRD_SORTS(name, key_name, side)                                                                               \
  HGRD_SORT(name, (class I), (I a, I b), __hgrd::of_device<I>::value, (hgrd_alone::nowhere()), less<>(), side)         \
  HGRD_SORT(name, (class I, class F), (I a, I b, F f), __hgrd::of_device<I>::value, (hgrd_alone::nowhere()), f, side)  \
  HGRD_SORT(key_name, (class I, class J), (I a, I b, J c), __hgrd::of_device<I>::value, (__hgrd::valued<J>{c}),        \
            less<>(), side)                                                                                            \
  HGRD_SORT(key_name, (class I, class J, class F), (I a, I b, J c, F f), __hgrd::of_device<I>::value,                  \
            (__hgrd::valued<J>{c}), f, side)
HGRD_SORTS(sort, sort_by_key, __host__)
HGRD_SORTS(sort, sort_by_key, __device__)
HGRD_SORTS(stable_sort, stable_sort_by_key, __host__)
HGRD_SORTS(stable_sort, stable_sort_by_key, __device__)
#undef HGRD_SORTS
#undef HGRD_SORT
// Parts: sorted by whether the function holds, which keeps the order.
namespace __hgrd {
template <class F> struct holds_first {
  F f_;
  template <class T> HGRD_HD bool operator()(const T &x, const T &y) const {
    F f = f_;
    return f(x) && !f(y);
  }
};
} // namespace __hgrd
#define HGRD_PARTITION(name, side)                                                                                     \
  template <class I, class F> inline side I name(I a, I b, F f) {                                                      \
    thrust::stable_sort(a, b, __hgrd::holds_first<F>{f});                                                              \
    return a + thrust::count_if(a, b, f);                                                                              \
  }                                                                                                                    \
  template <class I, class F> inline side I name(const policy &with, I a, I b, F f) {                                  \
    thrust::stable_sort(with, a, b, __hgrd::holds_first<F>{f});                                                        \
    return a + thrust::count_if(with, a, b, f);                                                                        \
  }
HGRD_PARTITION(partition, __host__)
HGRD_PARTITION(partition, __device__)
HGRD_PARTITION(stable_partition, __host__)
HGRD_PARTITION(stable_partition, __device__)
#undef HGRD_PARTITION
#undef HGRD_UNIQUE
#undef HGRD_BY_KEY
#undef HGRD_SCAN
#undef HGRD_SUM
#undef HGRD_EACH
#undef HGRD_RUNS
#undef HGRD_V
#undef HGRD_LIST
} // namespace thrust
#endif
