// How is something found again by what it is made of? Open addressing with linear probing on an arena: from a
// hash to a number, which is an index plus one into wherever the things themselves are kept. The caller says
// which of the numbers with one hash is meant. Zero-initialised is empty; growing gives the old block back. Nothing is taken out, and nothing lists what is in it, so that no order can leak.
// Soundness: a plain container; it decides nothing.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_TABLE_H
#define HGRD_CORE_TABLE_H

#include "core/arena.h"
#include "core/vec.h"

#include <stdbool.h>

typedef struct TableEntry {
  uint32_t hash;
  uint32_t number; // 0: free
} TableEntry;
typedef struct Table {
  TableEntry *entries;
  uint32_t count, capacity; // capacity is 0 or a power of two, and at least twice the count
} Table;

typedef struct TableLook {
  const Table *table;
  uint32_t hash, at;
} TableLook;

// for (look = table_look(&table, hash); (number = table_next(&look)) != 0;) if (it is the one) ...
static inline TableLook table_look(const Table *table, uint32_t hash) {
  return (TableLook){table, hash, hash};
}
static inline uint32_t table_next(TableLook *look) { // 0: no other one has this hash
  const Table *table = look->table;
  if (table->capacity == 0) return 0;
  for (;;) {
    const TableEntry *entry = &table->entries[look->at++ & (table->capacity - 1)];
    if (entry->number == 0 || entry->hash == look->hash) return entry->number;
  }
}
// One more with this hash, whatever is there already; `number` is not 0.
void table_add(Arena *arena, Table *table, uint32_t hash, uint32_t number);
Table table_copy(Arena *arena, const Table *table);

// ---- from a number of 64 bits to one of 32 bits; what was not put there is 0
typedef struct MapEntry {
  uint64_t key;
  uint32_t value;
} MapEntry;
typedef struct Map {
  Table table;
  VEC(MapEntry) entries;
} Map;

MapEntry *map_find(const Map *map, uint64_t key);                   // NULL: not there; until the next map_set
void map_set(Arena *arena, Map *map, uint64_t key, uint32_t value); // replaces
static inline uint32_t map_get(const Map *map, uint64_t key) {
  const MapEntry *entry = map_find(map, key);
  return entry ? entry->value : 0;
}
// Puts the key there with 1; false if it has been there.
bool map_is_new(Arena *arena, Map *map, uint64_t key);

#endif
