// The map of objects behind rt/memory_map.h, as a value; the process has one (state.c).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_HOST_OBJECT_MAP_H
#define HGRD_RT_HOST_OBJECT_MAP_H

#include "rt/memory_map.h"

typedef struct MemoryMap {
  RtMemoryRegion region;
  uint32_t *grains;
  RtMemory *objects;
  uint32_t count;
  uint64_t next; // no object has ever started here or behind it
  uint64_t used, most, total, numbers;
  int fill;
  RtMemory *outside; // sorted by address
  uint32_t outside_count, outside_room;
} MemoryMap;

bool memory_map_open(MemoryMap *map); // false: no addresses are left
void *memory_map_new(MemoryMap *map, RtMemoryKind kind, uint64_t bytes, const char *by);
RtMemoryFreed memory_map_drop(MemoryMap *map, uint64_t address, RtMemoryKind kind);
bool memory_map_add(MemoryMap *map, RtMemory object);
RtMemory *memory_map_find(const MemoryMap *map, uint64_t address);
bool memory_map_holds(const MemoryMap *map, uint64_t address, uint64_t bytes);
bool memory_map_tell(const MemoryMap *map, uint64_t address, uint64_t bytes, char *text, size_t size);

// The process's map, opened at first; until memory_map_give nobody else changes it.
MemoryMap *memory_map_take(void);
void memory_map_give(void);

#endif
