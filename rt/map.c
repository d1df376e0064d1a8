// The table of map.h.
// SPDX-License-Identifier: Apache-2.0
#include "rt/map.h"
#include "rt/contract.h"

#include <stdlib.h>

enum { LEAST_CAPACITY = 64 }; // a power of two, as all are

// Where the key is, or would be put.
static RtMapEntry *slot_of(const RtMap *map, uint64_t key) {
  uint32_t mask = map->capacity - 1, at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & mask;
  while (map->table[at].value && map->table[at].key != key)
    at = (at + 1) & mask;
  return &map->table[at];
}

uint64_t rt_map_get(const RtMap *map, uint64_t key) {
  RT_ASSERT(map->count * 2 <= map->capacity);
  return map->capacity ? slot_of(map, key)->value : 0;
}

static bool grow(RtMap *map) {
  if ((map->count + 1) * 2 <= map->capacity) return true;
  RtMap larger = *map;
  larger.capacity = map->capacity ? map->capacity * 2 : LEAST_CAPACITY;
  larger.table = calloc(larger.capacity, sizeof *larger.table);
  if (!larger.table) return false;
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->table[i].value) *slot_of(&larger, map->table[i].key) = map->table[i];
  free(map->table);
  *map = larger;
  return true;
}

bool rt_map_put(RtMap *map, uint64_t key, uint64_t value) {
  RT_ASSERT(map->count * 2 <= map->capacity);
  RT_ASSERT(value);
  RtMapEntry *known = map->capacity ? slot_of(map, key) : NULL;
  if (known && known->value) {
    known->value = value;
    return true;
  }
  if (!grow(map)) return false;
  *slot_of(map, key) = (RtMapEntry){key, value};
  map->count++;
  return true;
}

// Closes the gap that it leaves in the table.
void rt_map_remove(RtMap *map, uint64_t key) {
  RT_ASSERT(map->count * 2 <= map->capacity);
  RtMapEntry *slot = map->capacity ? slot_of(map, key) : NULL;
  if (!slot || !slot->value) return;
  slot->value = 0;
  map->count--;
  uint32_t mask = map->capacity - 1;
  for (uint32_t at = ((uint32_t)(slot - map->table) + 1) & mask; map->table[at].value; at = (at + 1) & mask) {
    RtMapEntry moved = map->table[at];
    map->table[at].value = 0;
    *slot_of(map, moved.key) = moved;
  }
}

void rt_map_close(RtMap *map) {
  RT_ASSERT(map->table || !map->capacity);
  free(map->table);
  *map = (RtMap){0};
}
