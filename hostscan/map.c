// How is a value found again by a few small numbers? A hash table with open addressing; a value of 0 means
// absent.
// Method: linear probing, doubled at three quarters full.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/internal.h"

#include <string.h>

// Multiplies and mixes word by word (as in Knuth's multiplicative hashing): the words are small numbers.
static uint32_t hash_of(const HostKey *key) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < HOST_KEY_WORDS; i++)
    hash = (hash ^ key->word[i]) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(hash >> 32);
}

static uint32_t slot_of(const HostMap *map, const HostKey *key) {
  uint32_t at = hash_of(key) & (map->capacity - 1);
  while (map->values[at] && memcmp(&map->keys[at], key, sizeof *key) != 0)
    at = (at + 1) & (map->capacity - 1);
  return at;
}

static void grow(HostMap *map) {
  HostMap larger = {.arena = map->arena, .capacity = map->capacity ? map->capacity * 2 : 256};
  larger.keys = arena_array(map->arena, larger.capacity, HostKey);
  larger.values = arena_array(map->arena, larger.capacity, uint32_t);
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->values[i]) host_map_put(&larger, map->keys[i], map->values[i]);
  *map = larger;
}

uint32_t host_map_get(const HostMap *map, HostKey key) {
  return map->capacity ? map->values[slot_of(map, &key)] : 0;
}

void host_map_put(HostMap *map, HostKey key, uint32_t value) {
  if (map->count >= map->capacity / 4 * 3) grow(map);
  uint32_t at = slot_of(map, &key);
  if (!map->values[at]) map->count++;
  map->keys[at] = key;
  map->values[at] = value;
}
