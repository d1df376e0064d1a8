// The one growable array: VEC(T) on an arena. Zero-initialised is empty; growing leaves the old block to the
// arena.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_VEC_H
#define HGRD_CORE_VEC_H

#include "core/arena.h"

#define VEC(Type)                                                                                            \
  struct {                                                                                                   \
    Type *items;                                                                                             \
    uint32_t count, capacity;                                                                                \
  }

// Returns a block that holds at least `count + 1` items; updates *capacity. Items that were made otherwise, and
// whose capacity is not known (0), are copied.
void *vec_grow(Arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size);

#define vec_push(arena, vec, ...)                                                                            \
  ((vec)->items = vec_grow((arena), (vec)->items, (vec)->count, &(vec)->capacity, sizeof *(vec)->items),     \
   (vec)->items[(vec)->count++] = (__VA_ARGS__))
#define vec_last(vec) ((vec)->items[(vec)->count - 1])

#endif
