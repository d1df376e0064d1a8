// What is known under a number of 64 bits: an address, a block, a page, a pair of places? The one table of rt/, for the runtime's host side
// and for the detectors, as core/table.h is for all that is not linked into the user's program: open addressing, linear probing. What is
// asked of it that core's does not give: an entry may be taken out, the table lasts as long as a launch or the process, so that its room
// is given back when it grows, and where the system has no more memory it says so. Not for concurrent use: who shares one has a lock.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_MAP_H
#define HGRD_RT_MAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RtMapEntry {
  uint64_t key;
  uint64_t value; // 0: nothing stands here
} RtMapEntry;

// All zero is empty. Who goes through all entries finds them in an order that hangs on nothing but which were put and taken out.
typedef struct RtMap {
  RtMapEntry *table;
  uint32_t capacity, count;
} RtMap;

uint64_t rt_map_get(const RtMap *map, uint64_t key); // 0: not there
static inline void *rt_map_item(const RtMap *map,
                                uint64_t key) { // of a value that is an address; NULL: not there
  return (void *)(uintptr_t)rt_map_get(map, key);
}
// A value other than 0, new, or in place of the old one; false: no memory for a new one, and nothing has changed.
bool rt_map_put(RtMap *map, uint64_t key, uint64_t value);
void rt_map_remove(RtMap *map, uint64_t key);
void rt_map_close(RtMap *map); // what the values are is not asked: it is empty then
static inline uint64_t rt_map_bytes(const RtMap *map) {
  return (uint64_t)map->capacity * sizeof(RtMapEntry);
}

#endif
