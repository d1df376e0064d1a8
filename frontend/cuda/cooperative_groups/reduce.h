// cooperative_groups::reduce. Its result is op(own value, the others'), and what the others give is a shuffle, which
// the analysis leaves unknown: one step stands for all. It is no barrier. With an operation of the library, for which the
// order does not matter, all threads of the group get one value, here that of the first.
// Left out: reduce_update_async and reduce_store_async on cuda::atomic (reduce_update is there).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_COOPERATIVE_GROUPS_REDUCE_H
#define HGRD_COOPERATIVE_GROUPS_REDUCE_H
#pragma GCC system_header
#include "../cooperative_groups.h"
#ifdef __CUDA__
namespace cooperative_groups {
template <class T> HGRD_MEMBER constexpr bool hgrd_gives_one_value(const plus<T> &) { return true; }
template <class T> HGRD_MEMBER constexpr bool hgrd_gives_one_value(const less<T> &) { return true; }
template <class T> HGRD_MEMBER constexpr bool hgrd_gives_one_value(const greater<T> &) { return true; }
template <class T> HGRD_MEMBER constexpr bool hgrd_gives_one_value(const bit_and<T> &) { return true; }
template <class T> HGRD_MEMBER constexpr bool hgrd_gives_one_value(const bit_or<T> &) { return true; }
template <class T> HGRD_MEMBER constexpr bool hgrd_gives_one_value(const bit_xor<T> &) { return true; }
template <class Op> HGRD_MEMBER constexpr bool hgrd_gives_one_value(const Op &) { return false; }

template <class Group, class T, class Op>
HGRD_GROUP auto reduce(const Group &group, T value, Op &&op) -> decltype(op(value, value)) {
  auto step = op(value, group.shfl_xor(value, 1));
  return hgrd_gives_one_value(op) ? group.shfl(step, 0) : step;
}
template <class Group, class Atomic, class T, class Op>
HGRD_GROUP void reduce_update_async(const Group &group, Atomic &place, T value, Op &&op) {
  T all = reduce(group, value, op);
  if (group.thread_rank() == 0)
    place.fetch_add(all);
}
} // namespace cooperative_groups
#endif
#endif
