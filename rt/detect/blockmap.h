// Items by the number of a block: a hash table with open addressing. Of a grid of millions only some blocks run at a time.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RT_DETECT_BLOCKMAP_H
#define HGRD_RT_DETECT_BLOCKMAP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct BlockItem {
  void *item; // NULL: nothing stands here
  uint32_t block;
} BlockItem;

typedef struct BlockMap {
  BlockItem *table;
  uint32_t capacity, count;
} BlockMap;

void *blockmap_find(const BlockMap *map, uint32_t block); // NULL: not there
bool blockmap_put(BlockMap *map, uint32_t block,
                  void *item); // new, or in place of the old one; false: no memory
void blockmap_remove(BlockMap *map, uint32_t block);
void blockmap_close(BlockMap *map, void (*drop)(void *context, void *item), void *context);

#endif
