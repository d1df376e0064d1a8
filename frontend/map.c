// Which number belongs to this pointer? Open addressing with linear probing on an arena; rebuilt at double
// the size when half full. Keys are handles of LLVM, which are never NULL. Soundness: a plain container; it
// decides nothing.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

static uint32_t slot_of(const PtrMap *map, const void *key) {
  uint32_t slot = (uint32_t)(((uintptr_t)key >> 4) * 2654435761u) & (map->capacity - 1);
  while (map->keys[slot] && map->keys[slot] != key)
    slot = (slot + 1) & (map->capacity - 1);
  return slot;
}

static void grow(PtrMap *map) {
  PtrMap bigger = {.arena = map->arena, .count = map->count};
  bigger.capacity = map->capacity ? map->capacity * 2 : 64;
  bigger.keys = arena_array(map->arena, bigger.capacity, const void *);
  bigger.values = arena_array(map->arena, bigger.capacity, uint32_t);
  for (uint32_t i = 0; i < map->capacity; i++) {
    if (!map->keys[i]) continue;
    uint32_t slot = slot_of(&bigger, map->keys[i]);
    bigger.keys[slot] = map->keys[i];
    bigger.values[slot] = map->values[i];
  }
  *map = bigger;
}

void ptr_map_put(PtrMap *map, const void *key, uint32_t value) {
  if (2 * (map->count + 1) > map->capacity) grow(map);
  uint32_t slot = slot_of(map, key);
  if (!map->keys[slot]) map->count++;
  map->keys[slot] = key;
  map->values[slot] = value;
}

bool ptr_map_get(const PtrMap *map, const void *key, uint32_t *value) {
  if (map->capacity == 0) return false;
  uint32_t slot = slot_of(map, key);
  if (!map->keys[slot]) return false;
  if (value) *value = map->values[slot];
  return true;
}
