// The device-wide algorithms of cub as hgrd-run runs them (../hgrd_alone.h): element after element. Those that stand here by name alone
// are told before anything runs. Included within namespace cub.
// Departs from the library: sums of floating-point numbers are made in the order of the elements; the size of the memory to
// work with is one byte, and it is not used.
// SPDX-License-Identifier: Apache-2.0
#pragma GCC system_header

namespace __hgrd {
template <class I> using value_of = typename std::decay<decltype(*std::declval<I>())>::type;
template <class Body> inline __host__ cudaError_t alone(const void *temp, size_t &bytes, cudaStream_t stream, Body body) {
  if (temp)
    hgrd_alone::run<true, void>(body, stream);
  else
    bytes = 1;
  return temp ? cudaPeekAtLastError() : cudaSuccess;
}
template <class T, class I, class O, class Op> HGRD_HD void reduced(I in, O out, long first, long end, Op op, T sum) {
  for (long i = first; i < end; i++)
    sum = (T)op(sum, in[i]);
  *out = sum;
}
template <class I, class O, class Op> HGRD_HD void reduced_from_first(I in, O out, long n, Op op) {
  if (n > 0) reduced<value_of<I>>(in, out, 1, n, op, (value_of<I>)in[0]);
}
template <class T, class I, class O, class Op> HGRD_HD void scanned(I in, O out, long n, Op op, T sum, bool is_inclusive) {
  for (long i = 0; i < n; i++) {
    T next = (T)op(sum, in[i]);
    out[i] = is_inclusive ? next : sum;
    sum = next;
  }
}
template <class K> struct by_digits {
  typedef typename Traits<K>::UnsignedBits Bits;
  int begin, end;
  bool is_up;
  HGRD_HD Bits of(K key) const {
    Bits bits;
    __builtin_memcpy(&bits, &key, sizeof(K));
    bits = (Bits)(Traits<K>::TwiddleIn(bits) >> begin);
    return end - begin >= (int)sizeof(K) * 8 ? bits : (Bits)(bits & (((Bits)1 << (end - begin)) - 1));
  }
  HGRD_HD bool operator()(const K &a, const K &b) const { return is_up ? of(a) < of(b) : of(b) < of(a); }
};
template <class I> struct valued {
  typedef value_of<I> value_type;
  I it_;
  HGRD_HD auto operator[](long i) const -> decltype(it_[i]) { return it_[i]; }
};
// Values may be hgrd_alone::nowhere.
template <class K, class V, class W>
inline __host__ cudaError_t sorted(const void *temp, size_t &bytes, const K *from, K *to, V values, W values_to, long n,
                                   int begin, int end, bool is_up, cudaStream_t s) {
  typedef typename W::value_type value;
  K *keys = temp ? hgrd_alone::room<K>(n) : nullptr;
  value *room = temp ? hgrd_alone::room<value>(n) : nullptr;
  by_digits<K> less = {begin, end < 0 ? (int)sizeof(K) * 8 : end, is_up};
  cudaError_t error = alone(temp, bytes, s, [=] __host__ __device__() {
    for (long i = 0; i < n; i++) {
      to[i] = from[i];
      values_to[i] = (value)values[i];
    }
    hgrd_alone::sort(to, values_to, n, keys, room, less);
  });
  cudaFree((void *)keys);
  cudaFree((void *)room);
  return error;
}
} // namespace __hgrd

#define HGRD_WIDE(name, types, params, ...)                                                                            \
  template <HGRD_LIST types>                                                                                           \
  inline __host__ static cudaError_t name(void *temp, size_t &bytes, HGRD_LIST params, cudaStream_t s = 0,             \
                                          bool = false) {                                                              \
    return __hgrd::alone(temp, bytes, s, [=] __host__ __device__() __VA_ARGS__);                                       \
  }
#define HGRD_LIST(...) __VA_ARGS__
#define HGRD_T(I) __hgrd::value_of<I>
struct DeviceReduce {
  HGRD_WIDE(Reduce, (class I, class O, class N, class Op, class T), (I in, O out, N n, Op op, T first), { __hgrd::reduced<T>(in, out, 0, (long)n, op, first); })
  HGRD_WIDE(Sum, (class I, class O, class N), (I in, O out, N n), { __hgrd::reduced<HGRD_T(I)>(in, out, 0, (long)n, cub::Sum(), HGRD_T(I)()); })
  HGRD_WIDE(Min, (class I, class O, class N), (I in, O out, N n), { __hgrd::reduced_from_first(in, out, (long)n, cub::Min()); })
  HGRD_WIDE(Max, (class I, class O, class N), (I in, O out, N n), { __hgrd::reduced_from_first(in, out, (long)n, cub::Max()); })
#define HGRD_ARG(name, is_better)                                                                                      \
  HGRD_WIDE(name, (class I, class O, class N), (I in, O out, N n), {                                                   \
    HGRD_T(O) best = *out;                                                                                             \
    for (long i = 0; i < (long)n; i++)                                                                                 \
      if (i == 0 || is_better) {                                                                                       \
        best.key = (decltype(best.key))i;                                                                              \
        best.value = in[i];                                                                                            \
      }                                                                                                                \
    *out = best;                                                                                                       \
  })
  HGRD_ARG(ArgMin, in[i] < best.value)
  HGRD_ARG(ArgMax, best.value < in[i])
#undef HGRD_ARG
  HGRD_ALGORITHM(ReduceByKey) HGRD_ALGORITHM(TransformReduce)
};
struct DeviceSegmentedReduce {
  HGRD_WIDE(Sum, (class I, class O, class B, class E), (I in, O out, int n, B begin, E end), {
    for (long i = 0; i < n; i++)
      __hgrd::reduced<HGRD_T(I)>(in, out + i, (long)begin[i], (long)end[i], cub::Sum(), HGRD_T(I)());
  })
  HGRD_WIDE(Reduce, (class I, class O, class B, class E, class Op, class T), (I in, O out, int n, B begin, E end, Op op, T first), {
    for (long i = 0; i < n; i++)
      __hgrd::reduced<T>(in, out + i, (long)begin[i], (long)end[i], op, first);
  })
  HGRD_ALGORITHM(Min) HGRD_ALGORITHM(Max) HGRD_ALGORITHM(ArgMin) HGRD_ALGORITHM(ArgMax)
};
struct DeviceScan {
  HGRD_WIDE(ExclusiveSum, (class I, class O, class N), (I in, O out, N n), { __hgrd::scanned(in, out, (long)n, cub::Sum(), HGRD_T(I)(), false); })
  HGRD_WIDE(InclusiveSum, (class I, class O, class N), (I in, O out, N n), { __hgrd::scanned(in, out, (long)n, cub::Sum(), HGRD_T(I)(), true); })
  HGRD_WIDE(ExclusiveScan, (class I, class O, class Op, class T, class N), (I in, O out, Op op, T first, N n), { __hgrd::scanned(in, out, (long)n, op, first, false); })
  HGRD_WIDE(InclusiveScan, (class I, class O, class Op, class N), (I in, O out, Op op, N n), {
    HGRD_T(I) sum = HGRD_T(I)();
    for (long i = 0; i < (long)n; i++) {
      sum = i ? (HGRD_T(I))op(sum, in[i]) : (HGRD_T(I))in[i];
      out[i] = sum;
    }
  })
  HGRD_ALGORITHM(ExclusiveSumByKey) HGRD_ALGORITHM(InclusiveSumByKey) HGRD_ALGORITHM(InclusiveScanByKey)
};
#define HGRD_KEPT(...)                                                                                                 \
  {                                                                                                                    \
    long k = 0;                                                                                                        \
    for (long i = 0; i < (long)n; i++)                                                                                 \
      if (__VA_ARGS__) out[k++] = in[i];                                                                               \
    *count = (HGRD_T(C))k;                                                                                             \
  }
struct DeviceSelect {
  HGRD_WIDE(Flagged, (class I, class F, class O, class C, class N), (I in, F flags, O out, C count, N n), HGRD_KEPT((bool)flags[i]))
  HGRD_WIDE(If, (class I, class O, class C, class N, class Op), (I in, O out, C count, N n, Op op), HGRD_KEPT((bool)op(in[i])))
  HGRD_WIDE(Unique, (class I, class O, class C, class N), (I in, O out, C count, N n), HGRD_KEPT(i == 0 || !(in[i] == in[i - 1])))
  HGRD_ALGORITHM(UniqueByKey)
};
#undef HGRD_KEPT
struct DeviceRunLengthEncode {
  HGRD_WIDE(Encode, (class I, class O, class L, class C, class N), (I in, O out, L lengths, C count, N n), {
    long k = 0;
    for (long i = 0, end; i < (long)n; i = end) {
      HGRD_T(I) value = in[i];
      for (end = i + 1; end < (long)n && in[end] == value;)
        end++;
      out[k] = value;
      lengths[k++] = (HGRD_T(L))(end - i);
    }
    *count = (HGRD_T(C))k;
  })
  HGRD_ALGORITHM(NonTrivialRuns)
};
// What is sorted in a double buffer comes to lie in the other half.
#define HGRD_SORTS(pairs, keys, is_up)                                                                                 \
  template <class K, class V, class N>                                                                                 \
  inline __host__ static cudaError_t pairs(void *temp, size_t &bytes, const K *from, K *to, const V *values, V *values_to, \
                                           N n, int begin = 0, int end = -1, cudaStream_t s = 0, bool = false) {       \
    return __hgrd::sorted(temp, bytes, from, to, values, __hgrd::valued<V *>{values_to}, (long)n, begin, end, is_up, s); \
  }                                                                                                                    \
  template <class K, class V, class N>                                                                                 \
  inline __host__ static cudaError_t pairs(void *temp, size_t &bytes, DoubleBuffer<K> &k, DoubleBuffer<V> &v, N n,     \
                                           int begin = 0, int end = -1, cudaStream_t s = 0, bool = false) {            \
    cudaError_t error = pairs(temp, bytes, k.Current(), k.Alternate(), v.Current(), v.Alternate(), n, begin, end, s);  \
    if (temp) k.selector ^= 1, v.selector ^= 1;                                                                        \
    return error;                                                                                                      \
  }                                                                                                                    \
  template <class K, class N>                                                                                          \
  inline __host__ static cudaError_t keys(void *temp, size_t &bytes, const K *from, K *to, N n, int begin = 0,         \
                                          int end = -1, cudaStream_t s = 0, bool = false) {                            \
    hgrd_alone::nowhere none;                                                                                          \
    return __hgrd::sorted(temp, bytes, from, to, none, none, (long)n, begin, end, is_up, s);                           \
  }                                                                                                                    \
  template <class K, class N>                                                                                          \
  inline __host__ static cudaError_t keys(void *temp, size_t &bytes, DoubleBuffer<K> &k, N n, int begin = 0,           \
                                          int end = -1, cudaStream_t s = 0, bool = false) {                            \
    cudaError_t error = keys(temp, bytes, k.Current(), k.Alternate(), n, begin, end, s);                               \
    if (temp) k.selector ^= 1;                                                                                         \
    return error;                                                                                                      \
  }
struct DeviceRadixSort {
  HGRD_SORTS(SortPairs, SortKeys, true)
  HGRD_SORTS(SortPairsDescending, SortKeysDescending, false)
};
#undef HGRD_SORTS
#undef HGRD_T
#undef HGRD_LIST
#undef HGRD_WIDE
