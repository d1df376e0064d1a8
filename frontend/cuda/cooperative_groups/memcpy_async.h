// cooperative_groups::memcpy_async, wait and wait_prior. The threads of the group share the copy (hgrd_async.h); each call
// closes one group of copies. wait synchronises the group after its copies.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HGRD_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#pragma GCC system_header
#include "../cooperative_groups.h"
#include "../hgrd_async.h"
#ifdef __CUDA__
namespace cooperative_groups {
template <class Group, class T, class U, class Size>
HGRD_GROUP void memcpy_async(const Group &group, T *dst, const U *src, const Size &bytes) {
  __hgrd_async_copy_shared_out(group, dst, src, (size_t)bytes);
  __hgrd_async_commit();
}
template <class Group, class T, class D, class S>
HGRD_GROUP void memcpy_async(const Group &group, T *dst, const D &dst_count, const T *src, const S &src_count) {
  size_t count = (size_t)dst_count < (size_t)src_count ? (size_t)dst_count : (size_t)src_count;
  __hgrd_async_copy_shared_out(group, dst, src, count * sizeof(T));
  __hgrd_async_commit();
}
template <class Group> HGRD_GROUP void wait(const Group &group) {
  __hgrd_async_wait(0);
  group.sync();
}
template <unsigned int Newest, class Group> HGRD_GROUP void wait_prior(const Group &group) {
  __hgrd_async_wait(Newest);
  group.sync();
}
} // namespace cooperative_groups
#endif
#endif
