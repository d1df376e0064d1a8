// The one hash table (table.h). Method: linear probing at a load of at most one half; an entry holds its hash,
// so that growing asks nobody and most numbers are passed by without a look at the thing. Maps multiply their
// key by a golden number (Knuth, "The Art of Computer Programming" 3, 6.4) and take the high half.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/table.h"
#include "core/bug.h"

enum { FIRST_CAPACITY = 64 };

static void put(Table *table, uint32_t hash, uint32_t number) {
  ASSERT(table->capacity && (table->capacity & (table->capacity - 1)) == 0); // a power of two: the mask below
  uint32_t at = hash & (table->capacity - 1);
  while (table->entries[at].number)
    at = (at + 1) & (table->capacity - 1);
  table->entries[at] = (TableEntry){hash, number};
}

static void grow(Arena *arena, Table *table) {
  Table old = *table;
  BUG_UNLESS(old.capacity <= UINT32_MAX / 4);
  table->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
  table->entries = arena_array(arena, table->capacity, TableEntry);
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.entries[i].number) put(table, old.entries[i].hash, old.entries[i].number);
  arena_give_back(arena, old.entries, old.capacity * sizeof *old.entries);
}

void table_add(Arena *arena, Table *table, uint32_t hash, uint32_t number) {
  BUG_UNLESS(number != 0);
  if (2 * (table->count + 1) > table->capacity) grow(arena, table);
  put(table, hash, number);
  table->count++;
  ASSERT(2 * table->count <= table->capacity); // so that every look ends
}

Table table_copy(Arena *arena, const Table *table) {
  ASSERT(table->count <= table->capacity / 2);
  Table copy = *table;
  if (copy.capacity) copy.entries = arena_copy(arena, table->entries, copy.capacity * sizeof *copy.entries);
  return copy;
}

// ---- maps
static uint32_t hash_of(uint64_t key) {
  return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

MapEntry *map_find(const Map *map, uint64_t key) {
  TableLook look = table_look(&map->table, hash_of(key));
  ASSERT(map->table.count == map->entries.count);
  for (uint32_t number; (number = table_next(&look)) != 0;)
    if (map->entries.items[number - 1].key == key) return &map->entries.items[number - 1];
  return NULL;
}

static void add(Arena *arena, Map *map, uint64_t key, uint32_t value) {
  vec_push(arena, &map->entries, (MapEntry){key, value});
  table_add(arena, &map->table, hash_of(key), map->entries.count);
}

void map_set(Arena *arena, Map *map, uint64_t key, uint32_t value) {
  MapEntry *entry = map_find(map, key);
  if (entry)
    entry->value = value;
  else
    add(arena, map, key, value);
}

bool map_is_new(Arena *arena, Map *map, uint64_t key) {
  if (map_find(map, key)) return false;
  add(arena, map, key, 1);
  return true;
}
