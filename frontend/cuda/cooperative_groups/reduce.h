// cooperative_groups::reduce. Its result is op(own value, the others'), and what the others give is a shuffle, which
// the analysis leaves unknown: one step stands for all, but for sums of integers over a tile, which can be amounts. It is no barrier. With an operation of the library, for which the
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
// Sums of integers are added up in full.
template <class Op> struct hgrd_sum { enum { yes = 0 }; };
#define HGRD_SUM(type) template <> struct hgrd_sum<plus<type>> { enum { yes = 1 }; };
HGRD_SUM(int) HGRD_SUM(unsigned int) HGRD_SUM(long) HGRD_SUM(unsigned long) HGRD_SUM(long long)
HGRD_SUM(unsigned long long)
#undef HGRD_SUM
template <class Op> HGRD_MEMBER constexpr bool hgrd_adds(const Op &) { return hgrd_sum<Op>::yes; }
// Of a tile; of other groups the number is known only at run time.
template <unsigned int Lanes, class Parent>
HGRD_MEMBER constexpr unsigned int hgrd_lanes(const thread_block_tile<Lanes, Parent> &) { return Lanes; }
template <class Group> HGRD_MEMBER constexpr unsigned int hgrd_lanes(const Group &) { return 2; }

template <class Group, class T, class Op>
HGRD_GROUP auto reduce(const Group &group, T value, Op &&op) -> decltype(op(value, value)) {
  auto step = op(value, group.shfl_xor(value, 1));
  for (unsigned int d = 2; hgrd_adds(op) && d < hgrd_lanes(group); d *= 2)
    step = op(step, group.shfl_xor(step, d));
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
