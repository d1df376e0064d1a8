// Cooperative groups. A group is a small value; sync() calls the intrinsic of its kind, so that the lowering sees a
// grid, block, tile or coalesced barrier. Ranks are plain arithmetic over the built-in variables.
// Members of coalesced and partitioned groups are known only at run time: their masks come from votes, and their
// barrier covers nothing provably. Collective results (reduce, scan, shuffles) are unknown values of the right shape.
// Left out: multi-device groups beyond sync, group-to-group invoke, tile memory for large tiles.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_COOPERATIVE_GROUPS_H
#define HGRD_COOPERATIVE_GROUPS_H
#pragma GCC system_header
#if __has_include(<bits/move.h>)
#include <bits/move.h> // std::move of tokens
#endif
#ifdef HGRD_TOOLKIT
#include <cuda_runtime.h>
#else
#include "cuda_runtime.h"
#endif

#ifdef __CUDA__
#include "hgrd_clusters.h"
#include "hgrd_intrinsics.h"

#define _CG_HAS_GRID_GROUP
#define HGRD_GROUP static inline __device__ __attribute__((always_inline))
#define HGRD_MEMBER inline __device__ __attribute__((always_inline))

extern "C" __device__ unsigned int __hgrd_pure_of_several_grids(int what);
extern "C" __device__ unsigned int __hgrd_unknown_32(void);

namespace cooperative_groups {

namespace __hgrd {
enum kind { grid, block, tile, coalesced, cluster };

HGRD_GROUP unsigned int block_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
HGRD_GROUP unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
HGRD_GROUP unsigned long long grid_block_rank() {
  return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
}
HGRD_GROUP unsigned long long grid_block_count() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
HGRD_GROUP unsigned int lanes_below() { return (1u << (block_rank() % 32)) - 1; }
template <unsigned int Lanes> HGRD_GROUP unsigned int tile_mask() {
  return Lanes >= 32 ? 0xffffffffu : ((1u << (Lanes % 32)) - 1) << (block_rank() % 32 / Lanes * Lanes);
}

// Any trivially copyable value travels word by word.
template <class T> struct words {
  unsigned int word[(sizeof(T) + 3) / 4];
};
template <class T> struct simple { enum { yes = 0 }; };
#define HGRD_SIMPLE(type) template <> struct simple<type> { enum { yes = 1 }; };
HGRD_SIMPLE(int) HGRD_SIMPLE(unsigned int) HGRD_SIMPLE(long) HGRD_SIMPLE(unsigned long) HGRD_SIMPLE(long long)
HGRD_SIMPLE(unsigned long long) HGRD_SIMPLE(float) HGRD_SIMPLE(double)
#undef HGRD_SIMPLE
template <bool> struct shuffler {
#define HGRD_SHUFFLE(name, param)                                                                                      \
  template <class T> static HGRD_MEMBER T name(unsigned int mask, T value, param other, int width) {                   \
    words<T> w;                                                                                                        \
    __builtin_memcpy(&w, &value, sizeof(T));                                                                           \
    for (unsigned int i = 0; i < sizeof(w) / 4; i++)                                                                   \
      w.word[i] = __shfl##name##_sync(mask, w.word[i], other, width);                                                  \
    __builtin_memcpy(&value, &w, sizeof(T));                                                                           \
    return value;                                                                                                      \
  }
#define __shfl_at_sync __shfl_sync
  HGRD_SHUFFLE(_at, int)
  HGRD_SHUFFLE(_up, unsigned int)
  HGRD_SHUFFLE(_down, unsigned int)
  HGRD_SHUFFLE(_xor, int)
#undef HGRD_SHUFFLE
};
template <> struct shuffler<true> {
#define HGRD_SHUFFLE(name, param)                                                                                      \
  template <class T> static HGRD_MEMBER T name(unsigned int mask, T value, param other, int width) {                   \
    return __shfl##name##_sync(mask, value, other, width);                                                             \
  }
  HGRD_SHUFFLE(_at, int)
  HGRD_SHUFFLE(_up, unsigned int)
  HGRD_SHUFFLE(_down, unsigned int)
  HGRD_SHUFFLE(_xor, int)
#undef HGRD_SHUFFLE
#undef __shfl_at_sync
};
// What other lanes give, of which nothing is known.
template <class T> HGRD_GROUP T unknown() {
  words<T> w;
  T value;
  for (unsigned int i = 0; i < sizeof(w) / 4; i++)
    w.word[i] = __hgrd_unknown_32();
  __builtin_memcpy(&value, &w, sizeof(T));
  return value;
}
template <class T> HGRD_GROUP T unknown_like(const T &) { return unknown<T>(); }
// Some lanes of a group, as bits by their ranks in it.
HGRD_GROUP unsigned int by_ranks(unsigned int members, unsigned int lanes) {
#ifdef HGRD_RUN
  unsigned int ranks = 0;
  for (unsigned int rank = 0; members; members &= members - 1)
    ranks |= (lanes & members & -members ? 1u : 0u) << rank++;
  return ranks;
#endif
  return members == 0xffffffffu ? lanes : __hgrd_unknown_32();
}
} // namespace __hgrd

// ---- any group ------------------------------------------------------------------------------------------------------
class thread_group {
protected:
  int kind_;
  unsigned int lanes_; // tile: its size; coalesced: its mask

public:
  HGRD_MEMBER thread_group(int kind, unsigned int lanes) : kind_(kind), lanes_(lanes) {}
  HGRD_MEMBER void sync() const {
    if (kind_ == __hgrd::block)
      __hgrd_barrier_block();
    else if (kind_ == __hgrd::tile)
      __hgrd_barrier_tile(lanes_);
    else if (kind_ == __hgrd::grid)
      __hgrd_barrier_grid();
    else
      __hgrd_barrier_coalesced();
  }
  HGRD_MEMBER unsigned long long size() const {
    return kind_ == __hgrd::block  ? __hgrd::block_size()
           : kind_ == __hgrd::tile ? lanes_
           : kind_ == __hgrd::grid ? __hgrd::block_size() * __hgrd::grid_block_count()
                                   : (unsigned long long)__popc(lanes_);
  }
  HGRD_MEMBER unsigned long long num_threads() const { return size(); }
  HGRD_MEMBER unsigned long long thread_rank() const {
    return kind_ == __hgrd::block  ? __hgrd::block_rank()
           : kind_ == __hgrd::tile ? __hgrd::block_rank() % lanes_
           : kind_ == __hgrd::grid ? __hgrd::grid_block_rank() * __hgrd::block_size() + __hgrd::block_rank()
                                   : (unsigned long long)__popc(lanes_ & __hgrd::lanes_below());
  }
  HGRD_MEMBER thread_group tiles_of(unsigned int lanes) const {
    return kind_ == __hgrd::coalesced
               ? thread_group(__hgrd::coalesced, __match_any_sync(lanes_, (unsigned int)thread_rank() / lanes))
               : thread_group(__hgrd::tile, kind_ == __hgrd::tile && lanes_ < lanes ? lanes_ : lanes);
  }
  HGRD_MEMBER unsigned int get_type() const { return (unsigned int)kind_; }
  HGRD_MEMBER bool is_valid() const { return true; }
};

// A barrier in two halves.
#define HGRD_SPLIT(what)                                                                                               \
  static HGRD_MEMBER arrival_token barrier_arrive() {                                                                  \
    __hgrd_arrival_##what();                                                                                           \
    return arrival_token();                                                                                            \
  }                                                                                                                    \
  static HGRD_MEMBER void barrier_wait() { __hgrd_await_##what(); }                                                    \
  static HGRD_MEMBER void barrier_wait(arrival_token) { __hgrd_await_##what(); }

// ---- grid and block -------------------------------------------------------------------------------------------------
class grid_group : public thread_group {
public:
  struct arrival_token {};
  HGRD_MEMBER grid_group() : thread_group(__hgrd::grid, 0) {}
  HGRD_MEMBER bool is_valid() const { return true; }
  HGRD_MEMBER void sync() const { __hgrd_barrier_grid(); }
  HGRD_SPLIT(grid)
  static HGRD_MEMBER unsigned long long size() { return __hgrd::grid_block_count() * __hgrd::block_size(); }
  static HGRD_MEMBER unsigned long long num_threads() { return size(); }
  static HGRD_MEMBER unsigned long long thread_rank() {
    return __hgrd::grid_block_rank() * __hgrd::block_size() + __hgrd::block_rank();
  }
  static HGRD_MEMBER unsigned long long block_rank() { return __hgrd::grid_block_rank(); }
  static HGRD_MEMBER unsigned long long num_blocks() { return __hgrd::grid_block_count(); }
  static HGRD_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static HGRD_MEMBER dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static HGRD_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static HGRD_MEMBER dim3 dim_clusters() {
    return dim3(gridDim.x / __hgrd_cluster_nctaid_x(), gridDim.y / __hgrd_cluster_nctaid_y(),
                gridDim.z / __hgrd_cluster_nctaid_z());
  }
  static HGRD_MEMBER dim3 cluster_index() {
    return dim3(blockIdx.x / __hgrd_cluster_nctaid_x(), blockIdx.y / __hgrd_cluster_nctaid_y(),
                blockIdx.z / __hgrd_cluster_nctaid_z());
  }
  static HGRD_MEMBER unsigned long long num_clusters() { return num_blocks() / __hgrd_cluster_nctarank(); }
  static HGRD_MEMBER unsigned long long cluster_rank() {
    dim3 at = cluster_index(), all = dim_clusters();
    return at.x + (unsigned long long)all.x * (at.y + (unsigned long long)all.y * at.z);
  }
};
HGRD_GROUP grid_group this_grid() { return grid_group(); }

class multi_grid_group : public thread_group {
public:
  HGRD_MEMBER multi_grid_group() : thread_group(__hgrd::grid, 0) {}
  HGRD_MEMBER void sync() const { __hgrd_barrier_grid(); }
  HGRD_MEMBER unsigned int grid_rank() const { return __hgrd_pure_of_several_grids(0); }
  HGRD_MEMBER unsigned int num_grids() const { return __hgrd_pure_of_several_grids(1); }
  HGRD_MEMBER unsigned long long thread_rank() const {
    return grid_rank() * grid_group::size() + grid_group::thread_rank();
  }
  HGRD_MEMBER unsigned long long size() const { return num_grids() * grid_group::size(); }
};
HGRD_GROUP multi_grid_group this_multi_grid() { return multi_grid_group(); }

class thread_block : public thread_group {
public:
  struct arrival_token {};
  HGRD_MEMBER thread_block() : thread_group(__hgrd::block, 0) {}
  static HGRD_MEMBER void sync() { __hgrd_barrier_block(); }
  HGRD_SPLIT(block)
  static HGRD_MEMBER unsigned int thread_rank() { return __hgrd::block_rank(); }
  static HGRD_MEMBER unsigned int size() { return __hgrd::block_size(); }
  static HGRD_MEMBER unsigned int num_threads() { return __hgrd::block_size(); }
  static HGRD_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static HGRD_MEMBER dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static HGRD_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static HGRD_MEMBER dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
HGRD_GROUP thread_block this_thread_block() { return thread_block(); }

class cluster_group : public thread_group {
public:
  struct arrival_token {};
  HGRD_MEMBER cluster_group() : thread_group(__hgrd::cluster, 0) {}
  static HGRD_MEMBER void sync() {
    __hgrd_arrival_cluster();
    __hgrd_await_cluster();
  }
  HGRD_SPLIT(cluster)
  static HGRD_MEMBER unsigned int block_rank() { return __hgrd_cluster_ctarank(); }
  static HGRD_MEMBER unsigned int num_blocks() { return __hgrd_cluster_nctarank(); }
  static HGRD_MEMBER dim3 block_index() {
    return dim3(__hgrd_cluster_ctaid_x(), __hgrd_cluster_ctaid_y(), __hgrd_cluster_ctaid_z());
  }
  static HGRD_MEMBER dim3 dim_blocks() {
    return dim3(__hgrd_cluster_nctaid_x(), __hgrd_cluster_nctaid_y(), __hgrd_cluster_nctaid_z());
  }
  static HGRD_MEMBER dim3 thread_index() {
    return dim3(__hgrd_cluster_ctaid_x() * blockDim.x + threadIdx.x, __hgrd_cluster_ctaid_y() * blockDim.y + threadIdx.y,
                __hgrd_cluster_ctaid_z() * blockDim.z + threadIdx.z);
  }
  static HGRD_MEMBER dim3 dim_threads() {
    return dim3(__hgrd_cluster_nctaid_x() * blockDim.x, __hgrd_cluster_nctaid_y() * blockDim.y,
                __hgrd_cluster_nctaid_z() * blockDim.z);
  }
  static HGRD_MEMBER unsigned int thread_rank() { return block_rank() * __hgrd::block_size() + __hgrd::block_rank(); }
  static HGRD_MEMBER unsigned int num_threads() { return num_blocks() * __hgrd::block_size(); }
  static HGRD_MEMBER unsigned int size() { return num_threads(); }
  template <class T> static HGRD_MEMBER T *map_shared_rank(T *shared, int rank) {
    return (T *)__hgrd_pure_mapa((size_t)shared, (unsigned int)rank);
  }
  static HGRD_MEMBER unsigned int query_shared_rank(const void *shared) {
    return __hgrd_pure_rank_of_shared((size_t)shared);
  }
};
HGRD_GROUP cluster_group this_cluster() { return cluster_group(); }
#undef HGRD_SPLIT

// ---- coalesced groups -----------------------------------------------------------------------------------------------
class coalesced_group : public thread_group {
  unsigned int meta_rank_, meta_size_; // among the groups that its parent was taken to pieces in

public:
  explicit HGRD_MEMBER coalesced_group(unsigned int mask, unsigned int meta_rank = 0, unsigned int meta_size = 1)
      : thread_group(__hgrd::coalesced, mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  HGRD_MEMBER void sync() const { __syncwarp(lanes_); }
  HGRD_MEMBER unsigned int mask() const { return lanes_; }
  HGRD_MEMBER unsigned int size() const { return (unsigned int)__popc(lanes_); }
  HGRD_MEMBER unsigned int num_threads() const { return (unsigned int)__popc(lanes_); }
  HGRD_MEMBER unsigned int thread_rank() const {
    return (unsigned int)__popc(lanes_ & __hgrd::lanes_below());
  }
  HGRD_MEMBER unsigned int meta_group_size() const { return meta_size_; }
  HGRD_MEMBER unsigned int meta_group_rank() const { return meta_rank_; }
  template <class T> HGRD_MEMBER T shfl(T value, int rank) const {
    return __hgrd::shuffler<__hgrd::simple<T>::yes>::_at(lanes_, value, (int)__fns(lanes_, 0, rank + 1), 32);
  }
  template <class T> HGRD_MEMBER T shfl_xor(T value, unsigned int) const { return __hgrd::unknown_like(value); }
  // By so many ranks; one's own value where there are not so many.
  template <class T> HGRD_MEMBER T shfl_up(T value, int delta) const {
    return from(value, __fns(lanes_, lane(), -(delta + 1)));
  }
  template <class T> HGRD_MEMBER T shfl_down(T value, int delta) const {
    return from(value, __fns(lanes_, lane(), delta + 1));
  }
  HGRD_MEMBER int any(int predicate) const { return __any_sync(lanes_, predicate); }
  HGRD_MEMBER int all(int predicate) const { return __all_sync(lanes_, predicate); }
  HGRD_MEMBER unsigned int ballot(int predicate) const {
    return __hgrd::by_ranks(lanes_, __ballot_sync(lanes_, predicate));
  }
  template <class T> HGRD_MEMBER unsigned int match_any(T value) const {
    return __hgrd::by_ranks(lanes_, __match_any_sync(lanes_, value));
  }
  template <class T> HGRD_MEMBER unsigned int match_all(T value, int &all_equal) const {
    return __hgrd::by_ranks(lanes_, __match_all_sync(lanes_, value, &all_equal));
  }

private:
  static HGRD_MEMBER unsigned int lane() { return __hgrd::block_rank() % 32; }
  template <class T> HGRD_MEMBER T from(T value, unsigned int source) const {
    return __hgrd::shuffler<__hgrd::simple<T>::yes>::_at(lanes_, value, (int)(source < 32 ? source : lane()), 32);
  }
};
HGRD_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// ---- tiles ----------------------------------------------------------------------------------------------------------
// What all tiles of a size have. One wider than a warp exchanges values through memory: nothing is known of them.
template <unsigned int Lanes> class tile_base : public thread_group {
public:
  HGRD_MEMBER tile_base() : thread_group(__hgrd::tile, Lanes) {}
  static HGRD_MEMBER unsigned int mask() { return __hgrd::tile_mask<Lanes>(); }
  static HGRD_MEMBER void sync() { __hgrd_barrier_tile(Lanes); }
  static HGRD_MEMBER unsigned int thread_rank() { return __hgrd::block_rank() % Lanes; }
  static constexpr __device__ unsigned int size() { return Lanes; }
  static constexpr __device__ unsigned int num_threads() { return Lanes; }
  template <class T> HGRD_MEMBER T shfl(T value, int rank) const {
    if (Lanes > 32)
      return __hgrd::unknown_like(value);
    return __hgrd::shuffler<__hgrd::simple<T>::yes>::_at(mask(), value, rank, Lanes);
  }
  template <class T> HGRD_MEMBER T shfl_up(T value, unsigned int delta) const {
    return __hgrd::shuffler<__hgrd::simple<T>::yes>::_up(mask(), value, delta, Lanes);
  }
  template <class T> HGRD_MEMBER T shfl_down(T value, unsigned int delta) const {
    return __hgrd::shuffler<__hgrd::simple<T>::yes>::_down(mask(), value, delta, Lanes);
  }
  template <class T> HGRD_MEMBER T shfl_xor(T value, unsigned int lane) const {
    return __hgrd::shuffler<__hgrd::simple<T>::yes>::_xor(mask(), value, (int)lane, Lanes);
  }
  HGRD_MEMBER int any(int predicate) const {
    return Lanes > 32 ? (int)__hgrd_unknown_32() : __any_sync(mask(), predicate);
  }
  HGRD_MEMBER int all(int predicate) const {
    return Lanes > 32 ? (int)__hgrd_unknown_32() : __all_sync(mask(), predicate);
  }
  HGRD_MEMBER unsigned int ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first(); }
  template <class T> HGRD_MEMBER unsigned int match_any(T value) const {
    return __match_any_sync(mask(), value) >> first();
  }
  template <class T> HGRD_MEMBER unsigned int match_all(T value, int &all_equal) const {
    return __match_all_sync(mask(), value, &all_equal) >> first();
  }

private:
  static HGRD_MEMBER unsigned int first() { return Lanes >= 32 ? 0 : __hgrd::block_rank() % 32 / Lanes * Lanes; }
};
// The parent says which of its tiles this is.
template <unsigned int Lanes, class Parent = void> class thread_block_tile : public tile_base<Lanes> {
public:
  static HGRD_MEMBER unsigned int meta_group_rank() { return Parent::thread_rank() / Lanes; }
  static HGRD_MEMBER unsigned int meta_group_size() { return (Parent::num_threads() + Lanes - 1) / Lanes; }
};
template <unsigned int Lanes> class thread_block_tile<Lanes, void> : public tile_base<Lanes> {
  unsigned int meta_rank_, meta_size_;

public:
  template <class Other> HGRD_MEMBER thread_block_tile(const thread_block_tile<Lanes, Other> &other)
      : meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}
  HGRD_MEMBER unsigned int meta_group_rank() const { return meta_rank_; }
  HGRD_MEMBER unsigned int meta_group_size() const { return meta_size_; }
};
template <unsigned int Lanes, class Parent>
HGRD_GROUP thread_block_tile<Lanes, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Lanes, Parent>();
}
// A group of one, which is the only tile of its parent.
namespace __hgrd {
struct alone {
  static HGRD_MEMBER unsigned int thread_rank() { return 0; }
  static HGRD_MEMBER unsigned int num_threads() { return 1; }
};
} // namespace __hgrd
HGRD_GROUP thread_block_tile<1, __hgrd::alone> this_thread() { return thread_block_tile<1, __hgrd::alone>(); }
// Tiles of a coalesced group go by the ranks in it.
HGRD_GROUP coalesced_group tiled_partition(const coalesced_group &parent, unsigned int lanes) {
  unsigned int rank = (unsigned int)parent.thread_rank() / lanes;
  if (parent.size() <= lanes)
    return parent;
  return coalesced_group(__match_any_sync(parent.mask(), rank), rank, ((unsigned int)parent.size() + lanes - 1) / lanes);
}
// Other sizes stop the program.
HGRD_GROUP thread_group tiled_partition(const thread_block &, unsigned int lanes) {
  if (lanes == 0 || lanes > 32 || (lanes & (lanes - 1)) != 0)
    __trap();
  return thread_group(__hgrd::tile, lanes);
}
HGRD_GROUP thread_group tiled_partition(const thread_group &parent, unsigned int lanes) {
  return parent.tiles_of(lanes);
}
template <unsigned int Lanes, unsigned int Count = 1> struct block_tile_memory {
  char bytes[Lanes * Count + 1];
};
template <unsigned int Lanes, unsigned int Count>
HGRD_GROUP thread_block this_thread_block(block_tile_memory<Lanes, Count> &) { return thread_block(); }
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block_tile;
template <unsigned int Lanes, class Parent>
HGRD_GROUP thread_block_tile<Lanes, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Lanes, Parent>();
}
} // namespace experimental

template <class Group> HGRD_GROUP coalesced_group binary_partition(const Group &group, bool predicate) {
  return coalesced_group(__match_any_sync(group.mask(), predicate ? 1 : 0), __hgrd_unknown_32(), __hgrd_unknown_32());
}
template <class Group, class T> HGRD_GROUP coalesced_group labeled_partition(const Group &group, T label) {
  return coalesced_group(__match_any_sync(group.mask(), label), __hgrd_unknown_32(), __hgrd_unknown_32());
}

// ---- functions over groups ------------------------------------------------------------------------------------------
template <class Group> HGRD_GROUP void sync(const Group &group) { group.sync(); }
template <class Group> HGRD_GROUP auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group> HGRD_GROUP auto group_size(const Group &group) -> decltype(group.size()) { return group.size(); }
HGRD_GROUP dim3 group_index(const thread_block &) { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
HGRD_GROUP dim3 thread_index(const thread_block &) { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }

// The thread that is chosen may be any; all of the group know of one.
template <class Group> HGRD_GROUP unsigned __hgrd_chosen_rank(const Group &group) {
  return group.shfl(static_cast<unsigned>(clock()), 0) % static_cast<unsigned>(group.size());
}
HGRD_GROUP unsigned __hgrd_chosen_rank(const thread_block &) { return 0; } // as every toolkit so far does

template <class Group, class F, class... Args>
HGRD_GROUP void invoke_one(const Group &group, F &&function, Args &&...args) {
  if (group.thread_rank() == __hgrd_chosen_rank(group))
    function(static_cast<Args &&>(args)...);
}

// What the first thread of a group of lanes computed is handed to all of it.
template <class Group, class F, class... Args>
HGRD_GROUP auto invoke_one_broadcast(const Group &group, F &&function, Args &&...args)
    -> decltype(function(static_cast<Args &&>(args)...)) {
  decltype(function(static_cast<Args &&>(args)...)) result{};
  unsigned chosen = __hgrd_chosen_rank(group);
  if (group.thread_rank() == chosen)
    result = function(static_cast<Args &&>(args)...);
  return group.shfl(result, chosen);
}

template <class T> struct plus { HGRD_MEMBER T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { HGRD_MEMBER T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { HGRD_MEMBER T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { HGRD_MEMBER T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { HGRD_MEMBER T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { HGRD_MEMBER T operator()(T a, T b) const { return a ^ b; } };

} // namespace cooperative_groups
#endif // __CUDA__

#endif
