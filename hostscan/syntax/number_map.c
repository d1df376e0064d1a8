// How is a value found again by a few small numbers? By their hash (core/table.h); what was not put is 0.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/syntax.h"

#include <string.h>

// Multiplies and mixes word by word (as in Knuth's multiplicative hashing): the words are small numbers.
static uint32_t hash_of(const HostKey *key) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < HOST_KEY_WORDS; i++)
    hash = (hash ^ key->word[i]) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(hash >> 32);
}

static HostEntry *find(const HostMap *map, const HostKey *key, uint32_t hash) {
  TableLook look = table_look(&map->table, hash);
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    HostEntry *entry = &map->entries.items[number - 1];
    if (memcmp(&entry->key, key, sizeof *key) == 0) return entry;
  }
  return NULL;
}

uint32_t host_map_get(const HostMap *map, HostKey key) {
  ASSERT(map->table.count == map->entries.count);
  const HostEntry *entry = find(map, &key, hash_of(&key));
  return entry ? entry->value : 0;
}

void host_map_put(HostMap *map, HostKey key, uint32_t value) {
  ASSERT(map->arena);
  uint32_t hash = hash_of(&key);
  HostEntry *entry = find(map, &key, hash);
  if (entry) {
    entry->value = value;
    return;
  }
  vec_push(map->arena, &map->entries, (HostEntry){key, value});
  table_add(map->arena, &map->table, hash, map->entries.count);
}
