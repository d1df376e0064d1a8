// Growth of VEC(T): doubling on the arena.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/vec.h"

#include "core/bug.h"

#include <string.h>

void *vec_grow(Arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size) {
  ASSERT(item_size > 0);
  ASSERT(items || !count);
  if (count < *capacity) return items;
  if (count > UINT32_MAX / 2) BUG("array too long");
  uint32_t wanted = count ? count * 2 : 8;
  void *block = arena_alloc_array(arena, wanted, item_size);
  if (count) memcpy(block, items, count * item_size);
  *capacity = wanted;
  return block;
}
