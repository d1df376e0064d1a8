// CUB. Block-wide collectives are inline code that touches their TempStorage as the library does: each warp or thread
// writes its part, a block barrier, then others read it. So a TempStorage that is used again without a barrier shows as
// the race it is. What comes back is read with volatile loads, which the analysis takes for unknown values.
// Which thread uses which part of a storage before its first barrier and behind its last one is left open: it is the
// library's from the call to a barrier behind it. A model orders no more than the algorithm that was asked for does; what
// is a matter of one warp's shuffles alone orders nothing. Device-wide algorithms are host calls of unknown effect.
// Left out: histogram and run-length details of block-wide classes, tuning parameters.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CUB_H
#define HGRD_CUB_H
#pragma GCC system_header
#include "../cuda_runtime.h"
#include <chrono>
#include <iterator>
#include <limits>
#include <type_traits>
#ifdef __CUDA__
#include "../hgrd_intrinsics.h"
#include "../hgrd_contents.h"
#include "../hgrd_library.h"
#ifdef HGRD_RUN
#include "../hgrd_alone.h"
#endif

#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_VERSION 200200
#define CUB_PTX_ARCH 800
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_MIN(a, b) (((a) < (b)) ? (a) : (b))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) ((((x) + (y)-1) / (y)) * y)
#define CUB_IS_POWER_OF_TWO(x) ((x) && !((x) & ((x)-1)))
#define CUB_PTX_WARP_THREADS 32
#define CUB_WARP_THREADS(arch) 32
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                                                                \
  if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__))                                                                \
  exit(1)

namespace cub {
#define HGRD_HD inline __host__ __device__ __attribute__((always_inline))
#define HGRD_D inline __device__ __attribute__((always_inline))
HGRD_HD cudaError_t Debug(cudaError_t error, const char *, int) { return error; }

// ---- values and operators -------------------------------------------------------------------------------------------
struct NullType {};
struct Sum {
  template <class T, class U> HGRD_HD auto operator()(const T &a, const U &b) const -> decltype(a + b) { return a + b; }
};
struct Difference { template <class T> HGRD_HD T operator()(const T &a, const T &b) const { return a - b; } };
struct Division { template <class T> HGRD_HD T operator()(const T &a, const T &b) const { return a / b; } };
struct Max { template <class T> HGRD_HD T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
struct Min { template <class T> HGRD_HD T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
struct ArgMax {
  template <class T> HGRD_HD T operator()(const T &a, const T &b) const { return a.value < b.value ? b : a; }
};
struct ArgMin {
  template <class T> HGRD_HD T operator()(const T &a, const T &b) const { return b.value < a.value ? b : a; }
};
struct Equality {
  template <class T, class U> HGRD_HD bool operator()(const T &a, const U &b) const { return a == b; }
};
struct Inequality {
  template <class T, class U> HGRD_HD bool operator()(const T &a, const U &b) const { return a != b; }
};
template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  HGRD_HD KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
  HGRD_HD bool operator!=(const KeyValuePair &o) const { return value != o.value || key != o.key; }
};
template <class T> struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  HGRD_HD DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  HGRD_HD DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0) {}
  HGRD_HD T *Current() { return d_buffers[selector]; }
  HGRD_HD T *Alternate() { return d_buffers[selector ^ 1]; }
};
template <class A, class B> HGRD_HD A DivideAndRoundUp(A a, B b) { return (a + b - 1) / b; }
template <class T> struct Uninitialized {
  alignas(T) char bytes[sizeof(T)];
  HGRD_HD T &Alias() { return *(T *)bytes; }
};

// The order-preserving bit patterns that radix sort works on.
template <class T> struct Traits {
  typedef typename std::conditional<
      sizeof(T) == 1, unsigned char,
      typename std::conditional<sizeof(T) == 2, unsigned short,
                                typename std::conditional<sizeof(T) == 4, unsigned int,
                                                          unsigned long long>::type>::type>::type UnsignedBits;
  static constexpr UnsignedBits HIGH_BIT = (UnsignedBits)((UnsignedBits)1 << (8 * sizeof(T) - 1));
  static HGRD_HD UnsignedBits TwiddleIn(UnsignedBits b) {
    return std::is_unsigned<T>::value          ? b
           : !std::is_floating_point<T>::value ? (UnsignedBits)(b ^ HIGH_BIT)
           : b & HIGH_BIT                      ? (UnsignedBits)~b
                                               : (UnsignedBits)(b ^ HIGH_BIT);
  }
  static HGRD_HD UnsignedBits TwiddleOut(UnsignedBits b) {
    return std::is_unsigned<T>::value          ? b
           : !std::is_floating_point<T>::value ? (UnsignedBits)(b ^ HIGH_BIT)
           : b & HIGH_BIT                      ? (UnsignedBits)(b ^ HIGH_BIT)
                                               : (UnsignedBits)~b;
  }
  static HGRD_HD T Max() { return std::numeric_limits<T>::max(); }
  static HGRD_HD T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <class T> struct NumericTraits : Traits<T> {};
template <class T> struct FpLimits : Traits<T> {};

HGRD_D unsigned int LaneId() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
HGRD_D unsigned int WarpId() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; }
// The number of a thread of a block whose sizes are said to be these: a size of one is believed, as the library does.
HGRD_D int RowMajorTid(int x, int y, int z) {
  return (int)threadIdx.x + (y == 1 ? 0 : x * (int)threadIdx.y) + (z == 1 ? 0 : x * y * (int)threadIdx.z);
}
HGRD_D void CTA_SYNC() { __hgrd_barrier_block(); }
HGRD_D void WARP_SYNC(unsigned int mask) { __hgrd_barrier_warp(mask); }

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier, class It> HGRD_D auto ThreadLoad(It p) -> typename std::decay<decltype(*p)>::type {
  return *p;
}
template <CacheStoreModifier, class It, class T> HGRD_D void ThreadStore(It p, T v) { *p = v; }

namespace __hgrd {
// A value that some other thread of the group may have written.
template <class T> HGRD_D T unknown(const T *p) {
#ifdef HGRD_RUN
  return *p;
#else
  T v;
  if constexpr (sizeof(T) == 8 && alignof(T) == 8) {
    unsigned long long w = *(const volatile unsigned long long *)p;
    __builtin_memcpy(&v, &w, 8);
  } else if constexpr (sizeof(T) == 4 && alignof(T) == 4) {
    unsigned int w = *(const volatile unsigned int *)p;
    __builtin_memcpy(&v, &w, 4);
  } else if constexpr (alignof(T) % 4 == 0) {
    for (unsigned int i = 0; i < sizeof(T) / 4; i++)
      ((unsigned int *)&v)[i] = ((const volatile unsigned int *)p)[i];
  } else {
    for (unsigned int i = 0; i < sizeof(T); i++)
      ((unsigned char *)&v)[i] = ((const volatile unsigned char *)p)[i];
  }
  return v;
#endif
}
// A value of some other lane.
template <class T> HGRD_D T shuffle(T v) {
  if constexpr (sizeof(T) == 8) {
    unsigned long long w;
    __builtin_memcpy(&w, &v, 8);
    w = __shfl_xor_sync(0xffffffffu, w, 1);
    __builtin_memcpy(&v, &w, 8);
  } else if constexpr (sizeof(T) <= 4) {
    unsigned int w = 0;
    __builtin_memcpy(&w, &v, sizeof(T));
    w = __shfl_xor_sync(0xffffffffu, w, 1);
    __builtin_memcpy(&v, &w, sizeof(T));
  } else {
    unsigned int w[(sizeof(T) + 3) / 4];
    __builtin_memcpy(w, &v, sizeof(T));
    for (unsigned int i = 0; i < sizeof(w) / 4; i++)
      w[i] = __shfl_xor_sync(0xffffffffu, w[i], 1);
    __builtin_memcpy(&v, w, sizeof(T));
  }
  return v;
}
template <int Threads> HGRD_D void barrier() {
  if (Threads > 32)
    __hgrd_barrier_block();
  else
    __hgrd_barrier_warp(0xffffffffu);
}
template <class Op, class T, int N> HGRD_D T fold(T (&items)[N], Op op) {
  T all = items[0];
  for (int i = 1; i < N; i++)
    all = op(all, items[i]);
  return all;
}
// Each thread has a part of the storage of its own before the first barrier (writes it), and behind the last one (reads
// it): whose part is which is an unknown number. Two calls without a barrier between them touch each other's parts.
#ifdef HGRD_RUN
HGRD_D unsigned int __hgrd_pure_any_turn(unsigned int, unsigned int) { return 0; }
#else
extern "C" __device__ unsigned int __hgrd_pure_any_turn(unsigned int side, unsigned int threads);
#endif
template <unsigned int Bytes> struct piece { unsigned char byte[Bytes]; };
template <int Threads> HGRD_D int part(unsigned int side, int rank) {
  return ((unsigned int)rank + __hgrd_pure_any_turn(side, Threads) % Threads) % Threads;
}
template <int Threads, int N, class S> HGRD_D void enter(S &temp, int rank) {
  typedef piece<sizeof(*temp.at(0)) * N> Piece;
  Piece open;
  *(Piece *)temp.at(part<Threads>(0, rank) * N) = open;
}
template <int Threads, int N, class S> HGRD_D void leave(S &temp, int rank) {
  typedef piece<sizeof(*temp.at(0)) * N> Piece;
  Piece open = *(const Piece *)temp.at(part<Threads>(1, rank) * N);
  (void)open;
}
template <int Threads, class T> struct slots {
  alignas(T) char bytes[(Threads + 1) * sizeof(T)];
  HGRD_D T *at(int i) { return (T *)bytes + i; }
};
} // namespace __hgrd

#define HGRD_RANK RowMajorTid(X, Y, Z)
#ifdef HGRD_RUN
#include "hgrd_cub_run.h"
#else
// ---- warps ----------------------------------------------------------------------------------------------------------
template <class T, int Threads = 32, int Arch = 0> class WarpReduce {
public:
  struct TempStorage {
    char unused;
  };
  HGRD_D WarpReduce(TempStorage &) {}
  template <class Op> HGRD_D T Reduce(T v, Op op) { return op(v, __hgrd::shuffle(v)); }
  template <class Op> HGRD_D T Reduce(T v, Op op, int) { return op(v, __hgrd::shuffle(v)); }
  HGRD_D T Sum(T v) { return v + __hgrd::shuffle(v); }
  HGRD_D T Sum(T v, int) { return v + __hgrd::shuffle(v); }
  template <class Flag> HGRD_D T HeadSegmentedSum(T v, Flag) { return v + __hgrd::shuffle(v); }
  template <class Flag> HGRD_D T TailSegmentedSum(T v, Flag) { return v + __hgrd::shuffle(v); }
  template <class Op, class Flag> HGRD_D T HeadSegmentedReduce(T v, Flag, Op op) { return op(v, __hgrd::shuffle(v)); }
  template <class Op, class Flag> HGRD_D T TailSegmentedReduce(T v, Flag, Op op) { return op(v, __hgrd::shuffle(v)); }
};
template <class T, int Threads = 32, int Arch = 0> class WarpScan {
public:
  struct TempStorage {
    char unused;
  };
  HGRD_D WarpScan(TempStorage &) {}
  HGRD_D void InclusiveSum(T v, T &out) { out = v + __hgrd::shuffle(v); }
  HGRD_D void InclusiveSum(T v, T &out, T &all) { out = v + __hgrd::shuffle(v), all = __hgrd::shuffle(v); }
  HGRD_D void ExclusiveSum(T v, T &out) { out = __hgrd::shuffle(v); }
  HGRD_D void ExclusiveSum(T v, T &out, T &all) { out = __hgrd::shuffle(v), all = __hgrd::shuffle(v); }
  template <class Op> HGRD_D void InclusiveScan(T v, T &out, Op op) { out = op(v, __hgrd::shuffle(v)); }
  template <class Op> HGRD_D void InclusiveScan(T v, T &out, Op op, T &all) {
    out = op(v, __hgrd::shuffle(v)), all = __hgrd::shuffle(v);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, Op) { out = __hgrd::shuffle(v); }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, T, Op) { out = __hgrd::shuffle(v); }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, T, Op, T &all) {
    out = __hgrd::shuffle(v), all = __hgrd::shuffle(v);
  }
  HGRD_D T Broadcast(T v, unsigned int) { return __hgrd::shuffle(v); }
};

// ---- blocks: reduce -------------------------------------------------------------------------------------------------
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int Arch = 0>
class BlockReduce {
  enum { threads = X * Y * Z, warps = (threads + 31) / 32 };
  static constexpr bool rakes = Algorithm != BLOCK_REDUCE_WARP_REDUCTIONS;

public:
  struct TempStorage : __hgrd::slots<threads, T> {};

private:
  TempStorage &temp_;
  static HGRD_D TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  HGRD_D BlockReduce() : temp_(own()) {}
  HGRD_D BlockReduce(TempStorage &temp) : temp_(temp) {}
  template <class Op> HGRD_D T Reduce(T v, Op op) {
    int rank = HGRD_RANK;
    v = op(v, __hgrd::shuffle(v));
    __hgrd::enter<threads, 1>(temp_, rank);
    if (rakes && threads <= 32) return v;
    __hgrd::barrier<threads>();
    if (rakes || rank == 0) __hgrd::leave<threads, 1>(temp_, rank);
    if (rank == 0)
      for (int i = 1; i < warps; i++)
        v = op(v, __hgrd::unknown(temp_.at(i)));
    return v;
  }
  template <class Op> HGRD_D T Reduce(T v, Op op, int) { return Reduce(v, op); }
  template <class Op, int N> HGRD_D T Reduce(T (&items)[N], Op op) { return Reduce(__hgrd::fold(items, op), op); }
  HGRD_D T Sum(T v) { return Reduce(v, cub::Sum()); }
  HGRD_D T Sum(T v, int) { return Reduce(v, cub::Sum()); }
  template <int N> HGRD_D T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }
};

// ---- blocks: scan ---------------------------------------------------------------------------------------------------
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
  enum { threads = X * Y * Z };
  // One warp scans by shuffles, without a barrier of any kind.
  static constexpr bool is_warp = threads <= 32 && (Algorithm != BLOCK_SCAN_WARP_SCANS || threads % 32 != 0);

public:
  struct TempStorage : __hgrd::slots<threads, T> {};

private:
  TempStorage &temp_;
  static HGRD_D TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  HGRD_D void enter(int rank) {
    __hgrd::enter<threads, 1>(temp_, rank);
    __hgrd::barrier<threads>();
  }
  // Threads read each other's slots to the last, by whichever algorithm: the storage is free behind a barrier only.
  HGRD_D void leave(int rank) { __hgrd::leave<threads, 1>(temp_, rank); }
  // Sums of integers are the same in whichever order they are made.
  template <class Op> static constexpr bool is_exact = std::is_integral<T>::value && std::is_same<Op, cub::Sum>::value;
  HGRD_D T sums(T v, T &all) {
    int rank = HGRD_RANK;
    enter(rank);
    *temp_.at(rank) = v;
    __hgrd::barrier<threads>();
    if (rank == 0) {
      T sum = T();
      for (int i = 0; i < threads; i++) {
        T here = *temp_.at(i);
        *temp_.at(i) = sum;
        sum += here;
      }
      *temp_.at(threads) = sum;
    }
    __hgrd::barrier<threads>();
    all = *temp_.at(threads);
    leave(rank);
    return *temp_.at(rank);
  }
  template <class Op> static HGRD_D T behind(T init, T v, Op) {
    if constexpr (is_exact<Op>) return init + v;
    return v;
  }
  // What stands before this thread, and the total.
  template <class Op> HGRD_D T scan(T v, Op op, T &all) {
    if constexpr (is_warp) {
      __hgrd::enter<threads, 1>(temp_, HGRD_RANK);
      all = __hgrd::shuffle(v);
      return __hgrd::shuffle(v);
    }
    if constexpr (is_exact<Op>) return sums(v, all);
    int rank = HGRD_RANK;
    enter(rank);
    *temp_.at(rank) = v;
    __hgrd::barrier<threads>();
    if (rank == 0)
      for (int i = 1; i <= threads; i++)
        *temp_.at(i) = op(*temp_.at(i - 1), __hgrd::unknown(temp_.at(i)));
    __hgrd::barrier<threads>();
    all = __hgrd::unknown(temp_.at(threads));
    leave(rank);
    return __hgrd::unknown(temp_.at(rank));
  }

public:
  HGRD_D BlockScan() : temp_(own()) {}
  HGRD_D BlockScan(TempStorage &temp) : temp_(temp) {}
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, T init, Op op, T &all) {
    out = behind(init, scan(v, op, all), op);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, T init, Op op) {
    T all;
    out = behind(init, scan(v, op, all), op);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, Op op) {
    T all;
    out = scan(v, op, all);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, Op op, T &all) { out = scan(v, op, all); }
  template <class Op> HGRD_D void InclusiveScan(T v, T &out, Op op) {
    T all;
    out = op(scan(v, op, all), v);
  }
  template <class Op> HGRD_D void InclusiveScan(T v, T &out, Op op, T &all) { out = op(scan(v, op, all), v); }
  template <int N, class Op> HGRD_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &all) {
    T sum = __hgrd::fold(in, op), before = scan(sum, op, all);
    for (int i = 0; i < N; i++)
      out[i] = before = op(before, in[i]);
  }
  template <int N, class Op> HGRD_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
    T all;
    InclusiveScan(in, out, op, all);
  }
  template <int N, class Op> HGRD_D void ExclusiveScan(T (&in)[N], T (&out)[N], T init, Op op, T &all) {
    T sum = __hgrd::fold(in, op), before = behind(init, scan(sum, op, all), op);
    for (int i = 0; i < N; i++) {
      T v = in[i];
      out[i] = before;
      before = op(before, v);
    }
  }
  template <int N, class Op> HGRD_D void ExclusiveScan(T (&in)[N], T (&out)[N], T init, Op op) {
    T all;
    ExclusiveScan(in, out, init, op, all);
  }
  template <int N, class Op> HGRD_D void ExclusiveScan(T (&in)[N], T (&out)[N], Op op) {
    T all;
    if constexpr (is_exact<Op>)
      ExclusiveScan(in, out, T(), op, all);
    else
      ExclusiveScan(in, out, in[0], op, all);
  }
  template <class Op, class Prefix>
  HGRD_D typename std::enable_if<std::is_class<Prefix>::value && !std::is_same<Prefix, T>::value>::type
  InclusiveScan(T v, T &out, Op op, Prefix &prefix) {
    T all;
    T before = scan(v, op, all);
    out = op(op(prefix(all), before), v);
  }
  HGRD_D void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cub::Sum()); }
  HGRD_D void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, cub::Sum(), all); }
  template <int N> HGRD_D void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, cub::Sum()); }
  template <int N> HGRD_D void InclusiveSum(T (&in)[N], T (&out)[N], T &all) {
    InclusiveScan(in, out, cub::Sum(), all);
  }
  HGRD_D void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), cub::Sum()); }
  HGRD_D void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(), cub::Sum(), all); }
  template <int N> HGRD_D void ExclusiveSum(T (&in)[N], T (&out)[N]) { ExclusiveScan(in, out, T(), cub::Sum()); }
  template <int N> HGRD_D void ExclusiveSum(T (&in)[N], T (&out)[N], T &all) {
    ExclusiveScan(in, out, T(), cub::Sum(), all);
  }
  template <class Prefix>
  HGRD_D typename std::enable_if<std::is_class<Prefix>::value && !std::is_same<Prefix, T>::value>::type
  ExclusiveSum(T v, T &out, Prefix &prefix) {
    T all;
    out = scan(v, cub::Sum(), all);
    out = prefix(all) + out;
  }
};

#endif // HGRD_RUN

// ---- blocks: load, store, exchange ----------------------------------------------------------------------------------
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
namespace __hgrd {
// Where item i of a thread lies in memory: in a row of its own, across the block, across its warp.
enum layout { blocked, striped, warp_striped };
template <layout L, int Threads, int N> HGRD_D int place(int rank, int i) {
  return L == blocked ? rank * N + i : L == striped ? i * Threads + rank : rank / 32 * 32 * N + i * 32 + rank % 32;
}
// Items of all threads go through shared memory from one layout to another. Sliced, the warps take turns in the storage,
// with a barrier of the block between them; what lies across a warp is a matter of that warp alone otherwise.
template <layout From, layout To, bool IsSliced, int Threads, int N, class T, class S>
HGRD_D void exchange(S &temp, int rank, T (&items)[N]) {
  constexpr bool is_of_warp = From != striped && To != striped;
  if (!is_of_warp || IsSliced) {
    enter<Threads, N>(temp, rank);
    barrier<Threads>();
  }
  for (int i = 0; i < N; i++)
    *temp.at(place<From, Threads, N>(rank, i)) = items[i];
  if (is_of_warp)
    __hgrd_barrier_warp(0xffffffffu);
  else
    barrier<Threads>();
  for (int i = 0; i < N; i++)
    items[i] = unknown(temp.at(place<To, Threads, N>(rank, i)));
  if (!is_of_warp || IsSliced) leave<Threads, N>(temp, rank);
}
} // namespace __hgrd
template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockLoad {
  enum { threads = X * Y * Z };
  static constexpr __hgrd::layout memory = Algorithm == BLOCK_LOAD_DIRECT || Algorithm == BLOCK_LOAD_VECTORIZE
                                               ? __hgrd::blocked
                                           : Algorithm == BLOCK_LOAD_STRIPED || Algorithm == BLOCK_LOAD_TRANSPOSE
                                               ? __hgrd::striped
                                               : __hgrd::warp_striped;
  static constexpr bool moves = Algorithm >= BLOCK_LOAD_TRANSPOSE;
  static constexpr bool is_sliced = Algorithm == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;

public:
  struct TempStorage : __hgrd::slots<moves ? threads * N : 0, T> {};

private:
  TempStorage &temp_;
  static HGRD_D TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  HGRD_D BlockLoad() : temp_(own()) {}
  HGRD_D BlockLoad(TempStorage &temp) : temp_(temp) {}
  template <class It> HGRD_D void Load(It in, T (&items)[N]) { Load(in, items, threads * N); }
  template <class It> HGRD_D void Load(It in, T (&items)[N], int valid) {
    int rank = HGRD_RANK;
    for (int i = 0; i < N; i++)
      if (__hgrd::place<memory, threads, N>(rank, i) < valid)
        items[i] = in[__hgrd::place<memory, threads, N>(rank, i)];
    if (moves)
      __hgrd::exchange<memory, __hgrd::blocked, is_sliced, threads, N>(temp_, rank, items);
  }
  template <class It, class D> HGRD_D void Load(It in, T (&items)[N], int valid, D other) {
    for (int i = 0; i < N; i++)
      items[i] = (T)other;
    Load(in, items, valid);
  }
};
template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockStore {
  enum { threads = X * Y * Z };
  static constexpr __hgrd::layout memory = Algorithm == BLOCK_STORE_DIRECT || Algorithm == BLOCK_STORE_VECTORIZE
                                               ? __hgrd::blocked
                                           : Algorithm == BLOCK_STORE_STRIPED || Algorithm == BLOCK_STORE_TRANSPOSE
                                               ? __hgrd::striped
                                               : __hgrd::warp_striped;
  static constexpr bool moves = Algorithm >= BLOCK_STORE_TRANSPOSE;
  static constexpr bool is_sliced = Algorithm == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED;

public:
  struct TempStorage : __hgrd::slots<moves ? threads * N : 0, T> {};

private:
  TempStorage &temp_;
  static HGRD_D TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  HGRD_D BlockStore() : temp_(own()) {}
  HGRD_D BlockStore(TempStorage &temp) : temp_(temp) {}
  template <class It> HGRD_D void Store(It out, T (&items)[N]) { Store(out, items, threads * N); }
  template <class It> HGRD_D void Store(It out, T (&items)[N], int valid) {
    int rank = HGRD_RANK;
    if (moves)
      __hgrd::exchange<__hgrd::blocked, memory, is_sliced, threads, N>(temp_, rank, items);
    for (int i = 0; i < N; i++)
      if (__hgrd::place<memory, threads, N>(rank, i) < valid)
        out[__hgrd::place<memory, threads, N>(rank, i)] = items[i];
  }
};
template <class T, int X, int N, bool Slices = false, int Y = 1, int Z = 1, int Arch = 0> class BlockExchange {
  enum { threads = X * Y * Z };

public:
  struct TempStorage : __hgrd::slots<threads * N, T> {};

private:
  TempStorage &temp_;
  static HGRD_D TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  HGRD_D BlockExchange() : temp_(own()) {}
  HGRD_D BlockExchange(TempStorage &temp) : temp_(temp) {}
#define HGRD_EXCHANGE(name, from, to)                                                                                  \
  HGRD_D void name(T (&items)[N]) { __hgrd::exchange<from, to, Slices, threads, N>(temp_, HGRD_RANK, items); }                 \
  template <class U> HGRD_D void name(T (&in)[N], U (&out)[N]) {                                                       \
    T items[N];                                                                                                        \
    for (int i = 0; i < N; i++)                                                                                        \
      items[i] = in[i];                                                                                                \
    name(items);                                                                                                       \
    for (int i = 0; i < N; i++)                                                                                        \
      out[i] = items[i];                                                                                               \
  }
  HGRD_EXCHANGE(StripedToBlocked, __hgrd::striped, __hgrd::blocked)
  HGRD_EXCHANGE(BlockedToStriped, __hgrd::blocked, __hgrd::striped)
  HGRD_EXCHANGE(WarpStripedToBlocked, __hgrd::warp_striped, __hgrd::blocked)
  HGRD_EXCHANGE(BlockedToWarpStriped, __hgrd::blocked, __hgrd::warp_striped)
#undef HGRD_EXCHANGE
};

// ---- blocks: sort ---------------------------------------------------------------------------------------------------
template <class K, int X, int N, class V = NullType, int RadixBits = 4, bool Memoize = true, int Scan = 0, int Smem = 0,
          int Y = 1, int Z = 1, int Arch = 0>
class BlockRadixSort {
  enum { threads = X * Y * Z };

public:
  union TempStorage {
    __hgrd::slots<threads * N, K> keys;
    __hgrd::slots<threads * N, V> values;
    __hgrd::slots<threads * N, __hgrd::piece<CUB_MAX(CUB_MAX(sizeof(K), sizeof(V)), sizeof(int))>> counters;
  };

private:
  TempStorage &temp_;
  static HGRD_D TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  // The digits are counted where keys and values lie later. The sort ends in reads of the storage, not in a barrier.
  HGRD_D void count() {
    __hgrd::enter<threads, N>(temp_.counters, HGRD_RANK);
    __hgrd::barrier<threads>();
  }

public:
  HGRD_D BlockRadixSort() : temp_(own()) {}
  HGRD_D BlockRadixSort(TempStorage &temp) : temp_(temp) {}
#ifdef HGRD_RUN
  // Where each item of this thread goes: how many come before it, by the bits that count, and by place where these are equal.
  HGRD_D void rank(K (&keys)[N], int (&to)[N], bool is_up, int begin, int end) {
    typedef typename Traits<K>::UnsignedBits Bits;
    int self = HGRD_RANK;
    for (int i = 0; i < N; i++)
      *temp_.keys.at(self * N + i) = keys[i];
    __hgrd::barrier<threads>();
    for (int i = 0; i < N; i++) {
      Bits mine = __hgrd::digits<K, Bits>(keys[i], begin, end);
      to[i] = 0;
      for (int j = 0; j < threads * N; j++) {
        Bits other = __hgrd::digits<K, Bits>(*temp_.keys.at(j), begin, end);
        to[i] += (is_up ? other < mine : mine < other) || (other == mine && j < self * N + i);
      }
    }
    __hgrd::barrier<threads>();
  }
  template <__hgrd::layout To, class T, class S> HGRD_D void move(S &temp, T (&items)[N], const int (&to)[N]) {
    for (int i = 0; i < N; i++)
      *temp.at(to[i]) = items[i];
    __hgrd::barrier<threads>();
    for (int i = 0; i < N; i++)
      items[i] = *temp.at(__hgrd::place<To, threads, N>(HGRD_RANK, i));
  }
#define HGRD_SORT(name, layout)                                                                                        \
  HGRD_D void name(K (&keys)[N], int begin = 0, int end = sizeof(K) * 8) {                                             \
    int to[N];                                                                                                         \
    count();                                                                                                           \
    rank(keys, to, !__hgrd::has_descending(#name), begin, end);                                                        \
    move<layout>(temp_.keys, keys, to);                                                                                \
  }                                                                                                                    \
  HGRD_D void name(K (&keys)[N], V (&values)[N], int begin = 0, int end = sizeof(K) * 8) {                             \
    int to[N];                                                                                                         \
    count();                                                                                                           \
    rank(keys, to, !__hgrd::has_descending(#name), begin, end);                                                        \
    move<layout>(temp_.keys, keys, to);                                                                                \
    __hgrd::barrier<threads>();                                                                                        \
    move<layout>(temp_.values, values, to);                                                                            \
  }
#else
#define HGRD_SORT(name, to)                                                                                            \
  HGRD_D void name(K (&keys)[N], int = 0, int = 0) {                                                                   \
    count();                                                                                                           \
    __hgrd::exchange<__hgrd::striped, to, false, threads, N>(temp_.keys, HGRD_RANK, keys);                             \
  }                                                                                                                    \
  HGRD_D void name(K (&keys)[N], V (&values)[N], int = 0, int = 0) {                                                   \
    name(keys);                                                                                                        \
    __hgrd::barrier<threads>();                                                                                        \
    __hgrd::exchange<__hgrd::striped, to, false, threads, N>(temp_.values, HGRD_RANK, values);                         \
  }
#endif
  HGRD_SORT(Sort, __hgrd::blocked)
  HGRD_SORT(SortDescending, __hgrd::blocked)
  HGRD_SORT(SortBlockedToStriped, __hgrd::striped)
  HGRD_SORT(SortDescendingBlockedToStriped, __hgrd::striped)
#undef HGRD_SORT
};

// ---- blocks: marks of where items differ ----------------------------------------------------------------------------
template <class T, int X, int Y = 1, int Z = 1, int Arch = 0> class BlockDiscontinuity {
  enum { threads = X * Y * Z };

public:
  struct TempStorage : __hgrd::slots<threads, T> {};

private:
  TempStorage &temp_;
  static HGRD_D TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }

public:
  HGRD_D BlockDiscontinuity() : temp_(own()) {}
  HGRD_D BlockDiscontinuity(TempStorage &temp) : temp_(temp) {}
  template <int N, class F, class Op> HGRD_D void FlagHeads(F (&flags)[N], T (&items)[N], Op op) {
    int rank = HGRD_RANK;
    __hgrd::enter<threads, 1>(temp_, rank);
    __hgrd::barrier<threads>();
    *temp_.at(rank) = items[N - 1];
    __hgrd::barrier<threads>();
    flags[0] = rank == 0 ? (F)1 : (F)op(__hgrd::unknown(temp_.at(rank - 1)), items[0]);
    for (int i = 1; i < N; i++)
      flags[i] = (F)op(items[i - 1], items[i]);
    __hgrd::leave<threads, 1>(temp_, rank);
  }
  template <int N, class F, class Op> HGRD_D void FlagTails(F (&flags)[N], T (&items)[N], Op op) {
    int rank = HGRD_RANK;
    __hgrd::enter<threads, 1>(temp_, rank);
    __hgrd::barrier<threads>();
    *temp_.at(rank) = items[0];
    __hgrd::barrier<threads>();
    for (int i = 0; i + 1 < N; i++)
      flags[i] = (F)op(items[i], items[i + 1]);
    flags[N - 1] = rank == threads - 1 ? (F)1 : (F)op(items[N - 1], __hgrd::unknown(temp_.at(rank + 1)));
    __hgrd::leave<threads, 1>(temp_, rank);
  }
};
template <class T, int X, int Y = 1, int Z = 1, int Arch = 0> class BlockAdjacentDifference {
  enum { threads = X * Y * Z };

public:
  struct TempStorage : __hgrd::slots<threads, T> {};

private:
  TempStorage &temp_;

public:
  HGRD_D BlockAdjacentDifference(TempStorage &temp) : temp_(temp) {}
  template <int N, class U, class Op> HGRD_D void SubtractLeft(T (&in)[N], U (&out)[N], Op op) {
    int rank = HGRD_RANK;
    __hgrd::enter<threads, 1>(temp_, rank);
    __hgrd::barrier<threads>();
    *temp_.at(rank) = in[N - 1];
    __hgrd::barrier<threads>();
    for (int i = N - 1; i > 0; i--)
      out[i] = op(in[i], in[i - 1]);
    T left = rank == 0 ? in[0] : __hgrd::unknown(temp_.at(rank - 1));
    out[0] = rank == 0 ? (U)in[0] : (U)op(in[0], left);
    __hgrd::leave<threads, 1>(temp_, rank);
  }
  template <int N, class U, class Op> HGRD_D void SubtractRight(T (&in)[N], U (&out)[N], Op op) {
    int rank = HGRD_RANK;
    __hgrd::enter<threads, 1>(temp_, rank);
    __hgrd::barrier<threads>();
    *temp_.at(rank) = in[0];
    __hgrd::barrier<threads>();
    for (int i = 0; i + 1 < N; i++)
      out[i] = op(in[i], in[i + 1]);
    T right = rank == threads - 1 ? in[N - 1] : __hgrd::unknown(temp_.at(rank + 1));
    out[N - 1] = rank == threads - 1 ? (U)in[N - 1] : (U)op(in[N - 1], right);
    __hgrd::leave<threads, 1>(temp_, rank);
  }
};
#undef HGRD_RANK

template <int N, class T, class It> HGRD_D void LoadDirectBlocked(int rank, It in, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    items[i] = in[rank * N + i];
}
template <int N, class T, class It> HGRD_D void StoreDirectBlocked(int rank, It out, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    out[rank * N + i] = items[i];
}
template <int Threads, int N, class T, class It> HGRD_D void LoadDirectStriped(int rank, It in, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    items[i] = in[i * Threads + rank];
}
template <int Threads, int N, class T, class It> HGRD_D void StoreDirectStriped(int rank, It out, T (&items)[N]) {
  for (int i = 0; i < N; i++)
    out[i * Threads + rank] = items[i];
}
template <int Threads, int N, class T, class It>
HGRD_D void StoreDirectStriped(int rank, It out, T (&items)[N], int valid) {
  for (int i = 0; i < N; i++)
    if (i * Threads + rank < valid)
      out[i * Threads + rank] = items[i];
}
template <int Threads, int N, class T, class It, class D>
HGRD_D void LoadDirectStriped(int rank, It in, T (&items)[N], int valid, D other) {
  for (int i = 0; i < N; i++)
    items[i] = i * Threads + rank < valid ? (T)in[i * Threads + rank] : (T)other;
}

// ---- iterators ------------------------------------------------------------------------------------------------------
#define HGRD_ITERATOR(self, value)                                                                                     \
  typedef value value_type;                                                                                            \
  typedef value reference;                                                                                             \
  typedef value *pointer;                                                                                              \
  typedef long difference_type;                                                                                        \
  typedef std::random_access_iterator_tag iterator_category;                                                           \
  HGRD_HD value operator[](long n) const { return *(*this + n); }                                                      \
  HGRD_HD self &operator++() { return *this = *this + 1; }                                                             \
  HGRD_HD self operator-(long n) const { return *this + -n; }
template <class T, class Offset = long> struct CountingInputIterator {
  T value_;
  HGRD_HD CountingInputIterator(const T &v) : value_(v) {}
  HGRD_HD T operator*() const { return value_; }
  HGRD_HD CountingInputIterator operator+(long n) const { return CountingInputIterator((T)(value_ + n)); }
  HGRD_ITERATOR(CountingInputIterator, T)
};
template <class T, class Offset = long> struct ConstantInputIterator {
  T value_;
  HGRD_HD ConstantInputIterator(const T &v, Offset = 0) : value_(v) {}
  HGRD_HD T operator*() const { return value_; }
  HGRD_HD ConstantInputIterator operator+(long) const { return *this; }
  HGRD_ITERATOR(ConstantInputIterator, T)
};
template <class T, class Op, class It, class Offset = long> struct TransformInputIterator {
  It it_;
  Op op_;
  HGRD_HD TransformInputIterator(It it, Op op) : it_(it), op_(op) {}
  HGRD_HD T operator*() const { return op_(*it_); }
  HGRD_HD TransformInputIterator operator+(long n) const { return TransformInputIterator(it_ + n, op_); }
  HGRD_ITERATOR(TransformInputIterator, T)
};
template <CacheLoadModifier M, class T, class Offset = long> struct CacheModifiedInputIterator {
  const T *ptr_;
  HGRD_HD CacheModifiedInputIterator(const T *p) : ptr_(p) {}
  HGRD_HD T operator*() const { return *ptr_; }
  HGRD_HD CacheModifiedInputIterator operator+(long n) const { return CacheModifiedInputIterator(ptr_ + n); }
  HGRD_ITERATOR(CacheModifiedInputIterator, T)
};
template <class It, class Offset = long> struct ArgIndexInputIterator {
  It it_;
  Offset offset_;
  typedef KeyValuePair<Offset, typename std::iterator_traits<It>::value_type> Pair;
  HGRD_HD ArgIndexInputIterator(It it, Offset offset = 0) : it_(it), offset_(offset) {}
  HGRD_HD Pair operator*() const { return Pair(offset_, it_[offset_]); }
  HGRD_HD ArgIndexInputIterator operator+(long n) const { return ArgIndexInputIterator(it_, offset_ + n); }
  HGRD_ITERATOR(ArgIndexInputIterator, Pair)
};
#undef HGRD_ITERATOR

// ---- device-wide ----------------------------------------------------------------------------------------------------
namespace __hgrd {
// The library may read and write what its arguments reach.
template <class... Ptrs> HGRD_HD cudaError_t library(Ptrs... ptrs) {
  const void *list[] = {(const void *)ptrs...};
  return (cudaError_t)__hgrd_opaque_sync_library(list, nullptr);
}
} // namespace __hgrd
#define HGRD_ALGORITHM(name)                                                                                           \
  template <class... Args> CUB_RUNTIME_FUNCTION static cudaError_t name(void *temp, size_t &bytes, Args... args) {     \
    return __hgrd::library(&temp, &bytes, &args...);                                                                   \
  }
// Of pointers to numbers, on the host: what is documented to lie there afterwards (hgrd_contents.h). Without memory to
// work with, only the size of that is written.
namespace __hgrd {
template <class T> struct raw { enum { is = 0, kind = 0 }; };
template <class T> struct raw<T *> { enum { is = !std::is_void<T>::value, kind = ::__hgrd_contents_kind<T>() }; };
#ifdef __CUDA_ARCH__
#define HGRD_IF_RAW(...) if constexpr (false)
#else
#define HGRD_IF_RAW(...) if constexpr (__VA_ARGS__)
#endif
template <class A, class B> void sorted(A from, B to, size_t n, bool is_up, bool is_whole, cudaStream_t s) {
  const int kind = raw<B>::kind;
  __hgrd_contents_sort((void *)to, n, sizeof *to, s, from, !is_whole || !kind ? 0 : is_up ? kind : kind + 2);
}
template <class A, class B> void ordered(A from, B to, size_t n, cudaStream_t s) {
  __hgrd_contents_order((void *)to, n, sizeof *to, s, from);
}
template <class A, class B> void summed(A from, B to, size_t n, bool is_inclusive, cudaStream_t s) {
  __hgrd_contents_scan((void *)to, n, sizeof *to, s, from, sizeof *from, raw<A>::kind, is_inclusive, 0);
}
} // namespace __hgrd
#define HGRD_SORT_PAIRS(name, is_up)                                                                                   \
  template <class A, class B, class C, class D, class N>                                                               \
  CUB_RUNTIME_FUNCTION static cudaError_t name(void *temp, size_t &bytes, A a, B b, C c, D d, N n, int first = 0,      \
                                               int end = -1, cudaStream_t s = 0, bool = false) {                       \
    HGRD_IF_RAW(__hgrd::raw<A>::is && __hgrd::raw<B>::is && __hgrd::raw<C>::is && __hgrd::raw<D>::is) {                \
      if (temp) {                                                                                                      \
        __hgrd::sorted(a, b, n, is_up, first == 0 && (end == -1 || end == (int)sizeof *b * 8), s);                   \
        __hgrd::ordered(c, d, n, s);                                                                                   \
      }                                                                                                                \
      return (cudaError_t)__hgrd_contents_size(&bytes);                                                                \
    }                                                                                                                  \
    return __hgrd::library(&temp, &bytes, &a, &b, &c, &d, &n);                                                         \
  }
#define HGRD_SORT_KEYS(name, is_up)                                                                                    \
  template <class A, class B, class N>                                                                                 \
  CUB_RUNTIME_FUNCTION static cudaError_t name(void *temp, size_t &bytes, A a, B b, N n, int first = 0, int end = -1,  \
                                               cudaStream_t s = 0, bool = false) {                                     \
    HGRD_IF_RAW(__hgrd::raw<A>::is && __hgrd::raw<B>::is) {                                                            \
      if (temp) __hgrd::sorted(a, b, n, is_up, first == 0 && (end == -1 || end == (int)sizeof *b * 8), s);           \
      return (cudaError_t)__hgrd_contents_size(&bytes);                                                                \
    }                                                                                                                  \
    return __hgrd::library(&temp, &bytes, &a, &b, &n);                                                                 \
  }
#define HGRD_SUM(name, is_inclusive)                                                                                   \
  template <class A, class B, class N>                                                                                 \
  CUB_RUNTIME_FUNCTION static cudaError_t name(void *temp, size_t &bytes, A a, B b, N n, cudaStream_t s = 0,           \
                                               bool = false) {                                                         \
    HGRD_IF_RAW(__hgrd::raw<A>::kind != 0 && __hgrd::raw<B>::kind != 0) {                                              \
      if (temp) __hgrd::summed(a, b, n, is_inclusive, s);                                                              \
      return (cudaError_t)__hgrd_contents_size(&bytes);                                                                \
    }                                                                                                                  \
    return __hgrd::library(&temp, &bytes, &a, &b, &n);                                                                 \
  }
#ifdef HGRD_RUN
#include "hgrd_cub_device_run.h"
#else
struct DeviceReduce {
  HGRD_ALGORITHM(Reduce) HGRD_ALGORITHM(Sum) HGRD_ALGORITHM(Min) HGRD_ALGORITHM(Max) HGRD_ALGORITHM(ArgMin)
  HGRD_ALGORITHM(ArgMax) HGRD_ALGORITHM(ReduceByKey) HGRD_ALGORITHM(TransformReduce)
};
struct DeviceSegmentedReduce {
  HGRD_ALGORITHM(Reduce) HGRD_ALGORITHM(Sum) HGRD_ALGORITHM(Min) HGRD_ALGORITHM(Max) HGRD_ALGORITHM(ArgMin)
  HGRD_ALGORITHM(ArgMax)
};
struct DeviceScan {
  HGRD_SUM(ExclusiveSum, false) HGRD_SUM(InclusiveSum, true)
  HGRD_ALGORITHM(ExclusiveSum) HGRD_ALGORITHM(InclusiveSum) HGRD_ALGORITHM(ExclusiveScan) HGRD_ALGORITHM(InclusiveScan)
  HGRD_ALGORITHM(ExclusiveSumByKey) HGRD_ALGORITHM(InclusiveSumByKey) HGRD_ALGORITHM(InclusiveScanByKey)
};
struct DeviceSelect {
  HGRD_ALGORITHM(Flagged) HGRD_ALGORITHM(If) HGRD_ALGORITHM(Unique) HGRD_ALGORITHM(UniqueByKey)
};
struct DeviceRunLengthEncode { HGRD_ALGORITHM(Encode) HGRD_ALGORITHM(NonTrivialRuns) };
struct DeviceRadixSort {
  HGRD_ALGORITHM(SortPairs) HGRD_ALGORITHM(SortPairsDescending) HGRD_ALGORITHM(SortKeys)
  HGRD_ALGORITHM(SortKeysDescending)
  HGRD_SORT_PAIRS(SortPairs, true) HGRD_SORT_PAIRS(SortPairsDescending, false)
  HGRD_SORT_KEYS(SortKeys, true) HGRD_SORT_KEYS(SortKeysDescending, false)
};
#endif // HGRD_RUN
struct DevicePartition { HGRD_ALGORITHM(Flagged) HGRD_ALGORITHM(If) };
struct DeviceSegmentedRadixSort {
  HGRD_ALGORITHM(SortPairs) HGRD_ALGORITHM(SortPairsDescending) HGRD_ALGORITHM(SortKeys)
  HGRD_ALGORITHM(SortKeysDescending)
};
struct DeviceSegmentedSort {
  HGRD_ALGORITHM(SortPairs) HGRD_ALGORITHM(SortPairsDescending) HGRD_ALGORITHM(SortKeys)
  HGRD_ALGORITHM(SortKeysDescending) HGRD_ALGORITHM(StableSortPairs) HGRD_ALGORITHM(StableSortKeys)
};
struct DeviceMergeSort {
  HGRD_ALGORITHM(SortPairs) HGRD_ALGORITHM(SortKeys) HGRD_ALGORITHM(StableSortPairs) HGRD_ALGORITHM(StableSortKeys)
  HGRD_ALGORITHM(SortPairsCopy) HGRD_ALGORITHM(SortKeysCopy)
};
struct DeviceHistogram {
  HGRD_ALGORITHM(HistogramEven) HGRD_ALGORITHM(HistogramRange)
  template <int Channels, int Active, class... Args>
  CUB_RUNTIME_FUNCTION static cudaError_t MultiHistogramEven(void *temp, size_t &bytes, Args... args) {
    return __hgrd::library(&temp, &bytes, &args...);
  }
  template <int Channels, int Active, class... Args>
  CUB_RUNTIME_FUNCTION static cudaError_t MultiHistogramRange(void *temp, size_t &bytes, Args... args) {
    return __hgrd::library(&temp, &bytes, &args...);
  }
};
struct DeviceSpmv { HGRD_ALGORITHM(CsrMV) };
struct DeviceMemcpy { HGRD_ALGORITHM(Batched) };
#undef HGRD_SORT_PAIRS
#undef HGRD_SORT_KEYS
#undef HGRD_SUM
#undef HGRD_IF_RAW
#undef HGRD_ALGORITHM

struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(unsigned int = 8, unsigned int = 3, unsigned int = 7, size_t = 0, bool = false,
                                  bool = false) {}
  explicit CachingDeviceAllocator(bool, bool = false) {}
  template <class T> cudaError_t DeviceAllocate(T **ptr, size_t bytes, cudaStream_t = 0) {
    return cudaMalloc((void **)(void *)ptr, bytes);
  }
  cudaError_t DeviceFree(void *ptr) { return cudaFree(ptr); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};
#undef HGRD_HD
#undef HGRD_D
} // namespace cub
#endif // __CUDA__
#endif
