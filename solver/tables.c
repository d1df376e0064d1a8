// Two hash tables with open addressing for the solver's memos and interning. No iteration, so no order leaks
// out. Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "solver/internal.h"

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  return x;
}

// Keys are stored plus one, so that zero is free to mean "empty".
static uint32_t map_slot(const Map *map, uint64_t key) {
  uint32_t at = (uint32_t)mix(key) & (map->capacity - 1);
  while (map->keys[at] && map->keys[at] != key + 1)
    at = (at + 1) & (map->capacity - 1);
  return at;
}

uint32_t map_get(const Map *map, uint64_t key) {
  if (map->capacity == 0) return 0;
  uint32_t at = map_slot(map, key);
  return map->keys[at] ? map->values[at] : 0;
}

static void map_grow(Arena *arena, Map *map) {
  Map old = *map;
  map->capacity = old.capacity ? old.capacity * 2 : 64;
  map->keys = arena_array(arena, map->capacity, uint64_t);
  map->values = arena_array(arena, map->capacity, uint32_t);
  for (uint32_t i = 0; i < old.capacity; i++) {
    if (!old.keys[i]) continue;
    uint32_t at = map_slot(map, old.keys[i] - 1);
    map->keys[at] = old.keys[i];
    map->values[at] = old.values[i];
  }
}

void map_set(Arena *arena, Map *map, uint64_t key, uint32_t value) {
  if (map->count + 1 > map->capacity / 2) map_grow(arena, map);
  uint32_t at = map_slot(map, key);
  if (!map->keys[at]) map->count++;
  map->keys[at] = key + 1;
  map->values[at] = value;
}

uint32_t idtable_next(const IdTable *table, uint64_t hash, uint32_t *cursor) {
  if (table->capacity == 0) return 0;
  for (;; (*cursor)++) {
    uint32_t at = ((uint32_t)hash + *cursor) & (table->capacity - 1);
    if (!table->ids[at]) return 0;
    if (table->hashes[at] != hash) continue;
    (*cursor)++;
    return table->ids[at];
  }
}

static void idtable_put(IdTable *table, uint64_t hash, uint32_t id) {
  uint32_t at = (uint32_t)hash & (table->capacity - 1);
  while (table->ids[at])
    at = (at + 1) & (table->capacity - 1);
  table->hashes[at] = hash;
  table->ids[at] = id;
}

void idtable_add(Arena *arena, IdTable *table, uint64_t hash, uint32_t id) {
  if (table->count + 1 > table->capacity / 2) {
    IdTable old = *table;
    table->capacity = old.capacity ? old.capacity * 2 : 128;
    table->hashes = arena_array(arena, table->capacity, uint64_t);
    table->ids = arena_array(arena, table->capacity, uint32_t);
    for (uint32_t i = 0; i < old.capacity; i++)
      if (old.ids[i]) idtable_put(table, old.hashes[i], old.ids[i]);
  }
  idtable_put(table, hash, id);
  table->count++;
}
