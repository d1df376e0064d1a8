// cooperative_groups::inclusive_scan and exclusive_scan. Sums over a tile are added up step by step, so that the
// analysis can read sums of prefixes off them; other results are combined with unknown values, but in what is run (HGRD_RUN), where all
// steps are made. No barrier.
// Left out: the updating forms on atomics.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_COOPERATIVE_GROUPS_SCAN_H
#define HGRD_COOPERATIVE_GROUPS_SCAN_H
#pragma GCC system_header
#include "reduce.h"
#ifdef __CUDA__
namespace cooperative_groups {
template <class Group, class T, class Op> HGRD_GROUP T inclusive_scan(const Group &group, T value, Op &&op) {
#ifdef HGRD_RUN
  unsigned int rank = group.thread_rank(), lanes = group.size();
  bool has_steps = hgrd_is_of_a_warp(group);
#else
  unsigned int rank = group.thread_rank(), lanes = hgrd_known_lanes(group, value, op);
  bool has_steps = lanes != 0;
#endif
  if (!has_steps)
    return op(__hgrd::unknown_like(value), value);
  for (unsigned int d = 1; d < lanes; d *= 2) {
    T before = group.shfl_up(value, d);
    value = rank >= d ? op(before, value) : value;
  }
  return value;
}
template <class Group, class T> HGRD_GROUP T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class T> HGRD_MEMBER constexpr bool hgrd_adds(const plus<T> &) { return hgrd_integer<T>::yes; }
template <class Op> HGRD_MEMBER constexpr bool hgrd_adds(const Op &) { return false; }
template <int> struct hgrd_before {
  template <class T, class Op> static HGRD_MEMBER T of(T all, T, const Op &) { return __hgrd::unknown_like(all); }
};
// A sum of integers without one's own.
template <> struct hgrd_before<1> {
  template <class T, class Op> static HGRD_MEMBER T of(T all, T value, const Op &op) {
    return hgrd_adds(op) ? all - value : __hgrd::unknown_like(all);
  }
};
template <class Group, class T, class Op> HGRD_GROUP T exclusive_scan(const Group &group, T value, Op &&op) {
  T all = inclusive_scan(group, value, op);
#ifdef HGRD_RUN
  T before = group.shfl_up(all, 1);
  return group.thread_rank() ? before : T();
#endif
  return hgrd_before<hgrd_integer<T>::yes>::of(all, value, op);
}
template <class Group, class T> HGRD_GROUP T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}
} // namespace cooperative_groups
#endif
#endif
