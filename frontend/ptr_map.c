// Which number belongs to this pointer? A map (core/table.h) by the address, whose order nobody sees. Soundness: a
// plain container; it decides nothing.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

static uint64_t key_of(const void *key) {
  return (uint64_t)(uintptr_t)key;
}

void ptr_map_put(PtrMap *map, const void *key, uint32_t value) {
  map_set(map->arena, &map->map, key_of(key), value);
}

bool ptr_map_get(const PtrMap *map, const void *key, uint32_t *value) {
  const MapEntry *entry = map_find(&map->map, key_of(key));
  if (!entry) return false;
  if (value) *value = entry->value;
  return true;
}
