// The collectives of warps and blocks as hgrd-run runs them: with their values. The models that hgrd-check reads (cub.cuh) know who
// touches the storage between which barriers, and leave open what comes out; here the storage is touched in the same way, but that
// only the threads that need a part of it read it. Included within namespace cub.
// Departs from the library: sums of floating-point numbers are made in the order of the threads.
// SPDX-License-Identifier: Apache-2.0
#pragma GCC system_header

namespace __hgrd {
HGRD_D unsigned int linear_thread() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
HGRD_D unsigned int threads_there() { return blockDim.x * blockDim.y * blockDim.z; }
template <int Width> HGRD_D unsigned int mask() { // the lanes of this part of the warp
  return Width >= 32 ? 0xffffffffu : ((1u << Width % 32) - 1) << (linear_thread() % 32 / Width * Width);
}
// The value of the lane `delta` above (or below) within a part of the warp; the own one at its end.
template <int Width, bool IsUp, class T> HGRD_D T neighbour(T v, unsigned int delta) {
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &v, sizeof(T));
  for (unsigned int i = 0; i < sizeof(words) / 4; i++)
    words[i] = IsUp ? __shfl_down_sync(mask<Width>(), words[i], delta, Width) : __shfl_up_sync(mask<Width>(), words[i], delta, Width);
  __builtin_memcpy(&v, words, sizeof(T));
  return v;
}
template <int Width, class T> HGRD_D T of_lane(T v, unsigned int lane) {
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &v, sizeof(T));
  for (unsigned int i = 0; i < sizeof(words) / 4; i++)
    words[i] = __shfl_sync(mask<Width>(), words[i], lane, Width);
  __builtin_memcpy(&v, words, sizeof(T));
  return v;
}
template <int Width> struct warp {
  static constexpr int width = Width <= 1 ? 1 : Width <= 2 ? 2 : Width <= 4 ? 4 : Width <= 8 ? 8 : Width <= 16 ? 16 : 32;
  static HGRD_D int lane() { return (int)(linear_thread() % width); }
  // Lanes of this part of the warp that there are.
  static HGRD_D int count() {
    int left = (int)(threads_there() - linear_thread() / width * width);
    return left < Width ? left : Width;
  }
  // The lane behind the last one whose value counts for this one, by flags at the heads or the tails of segments.
  static HGRD_D int end_of_segment(bool flag, bool is_head) {
    unsigned int flags = __ballot_sync(mask<width>(), flag) >> (linear_thread() % 32 / width * width);
    for (int i = lane() + (is_head ? 1 : 0); i < count(); i++)
      if (flags >> i & 1) return is_head ? i : i + 1;
    return count();
  }
  // Lane 0 (of each segment) has it all.
  template <class T, class Op> static HGRD_D T reduce(T v, Op op, int end) {
    for (int delta = 1; delta < width; delta *= 2) {
      T other = neighbour<width, true>(v, delta);
      if (lane() + delta < end) v = op(v, other);
    }
    return v;
  }
  template <class T, class Op> static HGRD_D T scan(T v, Op op) {
    for (int delta = 1; delta < width; delta *= 2) {
      T other = neighbour<width, false>(v, delta);
      if (lane() >= delta) v = op(other, v);
    }
    return v;
  }
};
template <class K, class Bits> HGRD_D Bits digits(K key, int begin, int end) {
  Bits bits;
  __builtin_memcpy(&bits, &key, sizeof(K));
  bits = Traits<K>::TwiddleIn(bits);
  bits = (Bits)(bits >> begin);
  return end - begin >= (int)sizeof(K) * 8 ? bits : (Bits)(bits & (((Bits)1 << (end - begin)) - 1));
}
HGRD_D constexpr bool has_descending(const char *name) {
  for (; *name; name++)
    if (*name == 'D') return true;
  return false;
}
} // namespace __hgrd

// ---- warps ----------------------------------------------------------------------------------------------------------
template <class T, int Threads = 32, int Arch = 0> class WarpReduce {
  typedef __hgrd::warp<Threads> warp;

public:
  struct TempStorage {
    char unused;
  };
  HGRD_D WarpReduce(TempStorage &) {}
  template <class Op> HGRD_D T Reduce(T v, Op op) { return warp::reduce(v, op, warp::count()); }
  template <class Op> HGRD_D T Reduce(T v, Op op, int valid) { return warp::reduce(v, op, valid); }
  HGRD_D T Sum(T v) { return Reduce(v, cub::Sum()); }
  HGRD_D T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  template <class Op, class Flag> HGRD_D T HeadSegmentedReduce(T v, Flag f, Op op) {
    return warp::reduce(v, op, warp::end_of_segment((bool)f, true));
  }
  template <class Op, class Flag> HGRD_D T TailSegmentedReduce(T v, Flag f, Op op) {
    return warp::reduce(v, op, warp::end_of_segment((bool)f, false));
  }
  template <class Flag> HGRD_D T HeadSegmentedSum(T v, Flag f) { return HeadSegmentedReduce(v, f, cub::Sum()); }
  template <class Flag> HGRD_D T TailSegmentedSum(T v, Flag f) { return TailSegmentedReduce(v, f, cub::Sum()); }
};
template <class T, int Threads = 32, int Arch = 0> class WarpScan {
  typedef __hgrd::warp<Threads> warp;
  static HGRD_D T last(T sum) { return __hgrd::of_lane<warp::width>(sum, warp::count() - 1); }
  static HGRD_D T before(T sum) { return __hgrd::neighbour<warp::width, false>(sum, 1); }

public:
  struct TempStorage {
    char unused;
  };
  HGRD_D WarpScan(TempStorage &) {}
  template <class Op> HGRD_D void InclusiveScan(T v, T &out, Op op) { out = warp::scan(v, op); }
  template <class Op> HGRD_D void InclusiveScan(T v, T &out, Op op, T &all) {
    out = warp::scan(v, op);
    all = last(out);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, T init, Op op, T &all) {
    T sum = warp::scan(v, op), left = before(sum);
    out = warp::lane() == 0 ? init : op(init, left);
    all = last(sum);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, T init, Op op) {
    T all;
    ExclusiveScan(v, out, init, op, all);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, Op op) { out = before(warp::scan(v, op)); }
  HGRD_D void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cub::Sum()); }
  HGRD_D void InclusiveSum(T v, T &out, T &all) { InclusiveScan(v, out, cub::Sum(), all); }
  HGRD_D void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), cub::Sum()); }
  HGRD_D void ExclusiveSum(T v, T &out, T &all) { ExclusiveScan(v, out, T(), cub::Sum(), all); }
  HGRD_D T Broadcast(T v, unsigned int lane) { return __hgrd::of_lane<warp::width>(v, lane); }
};

// ---- blocks: reduce -------------------------------------------------------------------------------------------------
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int Arch = 0>
class BlockReduce {
  enum { threads = X * Y * Z };
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
  // Each warp for itself, then thread 0 from what the first lanes have left; or all leave theirs.
  template <class Op> HGRD_D T Reduce(T v, Op op, int valid) {
    constexpr int step = rakes ? 1 : 32;
    int rank = HGRD_RANK, end = valid - rank / 32 * 32, there = __hgrd::warp<32>::count();
    if (!rakes || threads <= 32) v = __hgrd::warp<32>::reduce(v, op, end < there ? end : there);
    if (rakes && threads <= 32) return v;
    if (rank % step == 0) *temp_.at(rank / step) = v;
    __hgrd::barrier<threads>();
    if (rakes && rank < 32) __hgrd::leave<threads, 1>(temp_, rank);
    for (int i = 1; rank == 0 && i * step < threads && i * step < valid; i++)
      v = op(v, *temp_.at(i));
    return v;
  }
  template <class Op> HGRD_D T Reduce(T v, Op op) { return Reduce(v, op, (int)threads); }
  template <class Op, int N> HGRD_D T Reduce(T (&items)[N], Op op) { return Reduce(__hgrd::fold(items, op), op); }
  HGRD_D T Sum(T v) { return Reduce(v, cub::Sum()); }
  HGRD_D T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  template <int N> HGRD_D T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }
};

// ---- blocks: scan ---------------------------------------------------------------------------------------------------
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
  enum { threads = X * Y * Z };
  static constexpr bool is_warp = threads <= 32 && (Algorithm != BLOCK_SCAN_WARP_SCANS || threads % 32 != 0);

public:
  struct TempStorage : __hgrd::slots<threads, T> {};

private:
  TempStorage &temp_;
  static HGRD_D TempStorage &own() {
    __shared__ TempStorage storage;
    return storage;
  }
  // What stands before this thread (for the first one nothing), and the total.
  template <class Op> HGRD_D T scan(T v, Op op, T &all) {
    int rank = HGRD_RANK;
    __hgrd::enter<threads, 1>(temp_, rank);
    if constexpr (is_warp) {
      T sum = __hgrd::warp<32>::scan(v, op);
      all = __hgrd::of_lane<32>(sum, threads - 1);
      return __hgrd::neighbour<32, false>(sum, 1);
    }
    __hgrd::barrier<threads>();
    *temp_.at(rank) = v;
    __hgrd::barrier<threads>();
    if (rank == 0) {
      T sum = *temp_.at(0);
      for (int i = 1; i < threads; i++) {
        T here = *temp_.at(i);
        *temp_.at(i) = sum;
        sum = op(sum, here);
      }
      *temp_.at(threads) = sum;
    }
    __hgrd::barrier<threads>();
    all = *temp_.at(threads);
    return *temp_.at(rank);
  }
  // The first warp asks for what stands before the block; what thread 0 is given holds for all.
  template <class Prefix> HGRD_D T ask(Prefix &prefix, T all) {
    int rank = HGRD_RANK;
    T given = all;
    if (rank < 32) given = prefix(all);
    __hgrd::barrier<threads>();
    if (rank == 0) *temp_.at(threads) = given;
    __hgrd::barrier<threads>();
    return *temp_.at(threads);
  }
  template <class Prefix> static constexpr bool is_call = std::is_class<Prefix>::value && !std::is_same<Prefix, T>::value;

public:
  HGRD_D BlockScan() : temp_(own()) {}
  HGRD_D BlockScan(TempStorage &temp) : temp_(temp) {}
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, T init, Op op, T &all) {
    T before = scan(v, op, all);
    out = HGRD_RANK == 0 ? init : op(init, before);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, T init, Op op) {
    T all;
    ExclusiveScan(v, out, init, op, all);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, Op op) {
    T all;
    out = scan(v, op, all);
  }
  template <class Op> HGRD_D void ExclusiveScan(T v, T &out, Op op, T &all) { out = scan(v, op, all); }
  template <class Op> HGRD_D void InclusiveScan(T v, T &out, Op op, T &all) {
    T before = scan(v, op, all);
    out = HGRD_RANK == 0 ? v : op(before, v);
  }
  template <class Op> HGRD_D void InclusiveScan(T v, T &out, Op op) {
    T all;
    InclusiveScan(v, out, op, all);
  }
  template <int N, class Op> HGRD_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &all) {
    T sum = __hgrd::fold(in, op), before = scan(sum, op, all);
    for (int i = 0; i < N; i++)
      out[i] = before = HGRD_RANK == 0 && i == 0 ? in[0] : op(before, in[i]);
  }
  template <int N, class Op> HGRD_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
    T all;
    InclusiveScan(in, out, op, all);
  }
  template <int N, class Op> HGRD_D void ExclusiveScan(T (&in)[N], T (&out)[N], T init, Op op, T &all) {
    T sum = __hgrd::fold(in, op), before = scan(sum, op, all);
    before = HGRD_RANK == 0 ? init : op(init, before);
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
    ExclusiveScan(in, out, T(), op);
  }
  template <class Op, class Prefix>
  HGRD_D typename std::enable_if<is_call<Prefix>>::type InclusiveScan(T v, T &out, Op op, Prefix &prefix) {
    T all, before = scan(v, op, all), first = ask(prefix, all);
    out = op(HGRD_RANK == 0 ? first : op(first, before), v);
  }
  template <class Op, class Prefix>
  HGRD_D typename std::enable_if<is_call<Prefix>>::type ExclusiveScan(T v, T &out, Op op, Prefix &prefix) {
    T all, before = scan(v, op, all), first = ask(prefix, all);
    out = HGRD_RANK == 0 ? first : op(first, before);
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
  template <class Prefix> HGRD_D typename std::enable_if<is_call<Prefix>>::type ExclusiveSum(T v, T &out, Prefix &prefix) {
    ExclusiveScan(v, out, cub::Sum(), prefix);
  }
  template <class Prefix> HGRD_D typename std::enable_if<is_call<Prefix>>::type InclusiveSum(T v, T &out, Prefix &prefix) {
    InclusiveScan(v, out, cub::Sum(), prefix);
  }
};
