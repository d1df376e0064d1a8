// What libraries of the toolkit are documented to leave in an array, as calls that the host scan understands
// (hostscan/contents/contents_library.c): `count` elements of `bytes` bytes from `out` on, put there in order with `stream`.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CONTENTS_H
#define HGRD_CONTENTS_H
#pragma GCC system_header
#include "crt/host_defines.h"
#include "driver_types.h"
#include <stddef.h>
#include <type_traits>
#define HGRD_LEAVES(name, ...)                                                                                         \
  extern "C" __host__ void __hgrd_contents_##name(void *out, size_t count, size_t bytes, cudaStream_t stream,          \
                                                  __VA_ARGS__);
HGRD_LEAVES(any, int)                             // anything
HGRD_LEAVES(fill, long long value)                // this value
HGRD_LEAVES(sequence, long long first, long long step) // first + step * i
HGRD_LEAVES(copy, const void *from)               // what is there
HGRD_LEAVES(order, const void *from)              // what was there, in any order
HGRD_LEAVES(sort, const void *from, int kind)     // what was there, ascending; kind + 2: descending
HGRD_LEAVES(keep, long kept)                      // `kept` of what was there, in the order it had; behind them anything
HGRD_LEAVES(distinct, long kept)                  // likewise, no two neighbours among them equal
HGRD_LEAVES(scan, const void *from, size_t from_bytes, int from_kind, int is_inclusive, long long first) // sums
#undef HGRD_LEAVES
extern "C" __host__ long __hgrd_contents_count(long most);   // from 0 to `most`
extern "C" __host__ int __hgrd_contents_size(size_t *bytes); // of the memory to work with; a status
// Of numbers that are signed (1) or not (2); 0: something else.
template <class T> constexpr int __hgrd_contents_kind() {
  return !std::is_integral<T>::value ? 0 : std::is_signed<T>::value ? 1 : 2;
}
#endif
