// cooperative_groups::inclusive_scan and exclusive_scan. Sums over a tile are added up step by step, so that the
// analysis can read sums of prefixes off them; other results are unknown values from one shuffle. No barrier.
// Left out: the updating forms on atomics.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_COOPERATIVE_GROUPS_SCAN_H
#define HGRD_COOPERATIVE_GROUPS_SCAN_H
#pragma GCC system_header
#include "reduce.h"
#ifdef __CUDA__
namespace cooperative_groups {
template <class Group, class T, class Op> HGRD_GROUP T inclusive_scan(const Group &group, T value, Op &&op) {
  unsigned int rank = group.thread_rank(), last = hgrd_adds(op) ? hgrd_lanes(group) : 2;
  for (unsigned int d = 1; d < last; d *= 2) {
    T before = group.shfl_up(value, d);
    value = rank >= d ? op(before, value) : value;
  }
  return value;
}
template <class Group, class T> HGRD_GROUP T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <int> struct hgrd_before {
  template <class Group, class T, class Op> static HGRD_MEMBER T of(const Group &group, T all, T, const Op &) {
    T before = group.shfl_up(all, 1);
    return group.thread_rank() == 0 ? T() : before;
  }
};
// A sum of integers without one's own.
template <> struct hgrd_before<1> {
  template <class Group, class T, class Op>
  static HGRD_MEMBER T of(const Group &group, T all, T value, const Op &op) {
    return hgrd_adds(op) ? all - value : hgrd_before<0>::of(group, all, value, op);
  }
};
template <class Group, class T, class Op> HGRD_GROUP T exclusive_scan(const Group &group, T value, Op &&op) {
  T all = inclusive_scan(group, value, op);
  return hgrd_before<hgrd_sum<plus<T>>::yes>::of(group, all, value, op);
}
template <class Group, class T> HGRD_GROUP T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}
} // namespace cooperative_groups
#endif
#endif
