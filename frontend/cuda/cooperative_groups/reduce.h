// cooperative_groups::reduce. Over a tile of a warp all steps are made for integers; else the result is op(own value,
// the others'), of which nothing is known. In what is run (HGRD_RUN) all steps are made, over tiles of at most a warp. It is no barrier. With an operation of the library, for which the order does
// not matter, all threads of the group get one value, here that of the first.
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
template <class T> struct hgrd_integer { enum { yes = 0 }; };
#define HGRD_INTEGER(type) template <> struct hgrd_integer<type> { enum { yes = 1 }; };
HGRD_INTEGER(int) HGRD_INTEGER(unsigned int) HGRD_INTEGER(long) HGRD_INTEGER(unsigned long) HGRD_INTEGER(long long)
HGRD_INTEGER(unsigned long long)
#undef HGRD_INTEGER
// The lanes of a tile of a warp; of other groups the number is known only at run time.
template <unsigned int Lanes> HGRD_MEMBER constexpr unsigned int hgrd_lanes(const tile_base<Lanes> &) {
  return Lanes <= 32 ? Lanes : 0;
}
HGRD_MEMBER constexpr unsigned int hgrd_lanes(const coalesced_group &) { return 0; }
template <unsigned int Lanes> HGRD_MEMBER constexpr bool hgrd_is_of_a_warp(const tile_base<Lanes> &) { return Lanes <= 32; }
HGRD_MEMBER constexpr bool hgrd_is_of_a_warp(const coalesced_group &) { return true; }
// As far as all steps are made.
template <class Group, class T, class Op>
HGRD_MEMBER constexpr unsigned int hgrd_known_lanes(const Group &group, const T &, const Op &op) {
  return hgrd_integer<T>::yes && hgrd_gives_one_value(op) ? hgrd_lanes(group) : 0;
}

#ifdef HGRD_RUN
// In the order of the ranks: lanes of a tile in pairs, then pairs of pairs; those of another group one after the other.
template <unsigned int Lanes, class T, class Op> HGRD_GROUP T hgrd_reduce(const tile_base<Lanes> &group, T value, Op &op) {
  if (Lanes > 32)
    return __hgrd::unknown_like(value);
  for (unsigned int d = 1; d < Lanes; d *= 2) {
    T other = group.shfl_xor(value, d);
    value = group.thread_rank() & d ? op(other, value) : op(value, other);
  }
  return value;
}
template <class T, class Op> HGRD_GROUP T hgrd_reduce(const coalesced_group &group, T value, Op &op) {
  T all = group.shfl(value, 0);
  for (unsigned int rank = 1; rank < group.size(); rank++)
    all = op(all, group.shfl(value, (int)rank));
  return all;
}
template <class Group, class T, class Op>
HGRD_GROUP auto reduce(const Group &group, T value, Op &&op) -> decltype(op(value, value)) {
  return hgrd_reduce(group, value, op);
}
#else
template <class Group, class T, class Op>
HGRD_GROUP auto reduce(const Group &group, T value, Op &&op) -> decltype(op(value, value)) {
  unsigned int lanes = hgrd_known_lanes(group, value, op);
  auto step = op(value, lanes ? group.shfl_xor(value, 1) : __hgrd::unknown_like(value));
  for (unsigned int d = 2; d < lanes; d *= 2)
    step = op(step, group.shfl_xor(step, d));
  return hgrd_gives_one_value(op) ? group.shfl(step, 0) : step;
}
#endif
template <class Group, class Atomic, class T, class Op>
HGRD_GROUP void reduce_update_async(const Group &group, Atomic &place, T value, Op &&op) {
  T all = reduce(group, value, op);
  if (group.thread_rank() == 0)
    place.fetch_add(all);
}
} // namespace cooperative_groups
#endif
#endif
