// cooperative_groups::inclusive_scan and exclusive_scan: unknown values from one shuffle, as in reduce.h; no barrier.
// Left out: the updating forms on atomics.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_COOPERATIVE_GROUPS_SCAN_H
#define HGRD_COOPERATIVE_GROUPS_SCAN_H
#pragma GCC system_header
#include "reduce.h"
#ifdef __CUDA__
namespace cooperative_groups {
template <class Group, class T, class Op> HGRD_GROUP T inclusive_scan(const Group &group, T value, Op &&op) {
  T before = group.shfl_up(value, 1);
  return group.thread_rank() == 0 ? value : op(before, value);
}
template <class Group, class T> HGRD_GROUP T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Op> HGRD_GROUP T exclusive_scan(const Group &group, T value, Op &&) {
  T before = group.shfl_up(value, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> HGRD_GROUP T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}
} // namespace cooperative_groups
#endif
#endif
