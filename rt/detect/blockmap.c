// Items by block (blockmap.h).
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/blockmap.h"
#include "rt/contract.h"

#include <stdlib.h>

static BlockItem *slot_of(const BlockMap *map, uint32_t block) {
  uint32_t mask = map->capacity - 1, at = (uint32_t)(block * 0x9e3779b97f4a7c15u >> 32) & mask;
  while (map->table[at].item && map->table[at].block != block)
    at = (at + 1) & mask;
  return &map->table[at];
}

void *blockmap_find(const BlockMap *map, uint32_t block) {
  RT_ASSERT(map);
  RT_ASSERT(map->count <= map->capacity);
  return map->capacity ? slot_of(map, block)->item : NULL;
}

static bool grow(BlockMap *map) {
  if ((map->count + 1) * 2 <= map->capacity) return true;
  BlockMap larger = *map;
  larger.capacity = map->capacity ? map->capacity * 2 : 64;
  larger.table = calloc(larger.capacity, sizeof *larger.table);
  if (!larger.table) return false;
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->table[i].item) *slot_of(&larger, map->table[i].block) = map->table[i];
  free(map->table);
  *map = larger;
  return true;
}

bool blockmap_put(BlockMap *map, uint32_t block, void *item) {
  RT_ASSERT(map);
  RT_ASSERT(item);
  if (!grow(map)) return false;
  BlockItem *slot = slot_of(map, block);
  map->count += !slot->item;
  *slot = (BlockItem){item, block};
  return true;
}

// Closes the gap that it leaves in the table.
void blockmap_remove(BlockMap *map, uint32_t block) {
  RT_ASSERT(map);
  BlockItem *slot = map->capacity ? slot_of(map, block) : NULL;
  if (!slot || !slot->item) return;
  slot->item = NULL;
  map->count--;
  uint32_t mask = map->capacity - 1;
  for (uint32_t at = ((uint32_t)(slot - map->table) + 1) & mask; map->table[at].item; at = (at + 1) & mask) {
    BlockItem moved = map->table[at];
    map->table[at].item = NULL;
    *slot_of(map, moved.block) = moved;
  }
}

void blockmap_close(BlockMap *map, void (*drop)(void *context, void *item), void *context) {
  RT_ASSERT(map);
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->table[i].item) drop(context, map->table[i].item);
  free(map->table);
  *map = (BlockMap){0};
}
