// Memory by lifetime: an arena hands out zeroed blocks and gives all of them back at once.
// Four lifetimes are used: run, unit (one program), kernel (one kernel under one launch), scratch (mark and
// release).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_ARENA_H
#define HGRD_CORE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;

// A place to come back to; valid until the arena is released to an earlier mark or closed.
typedef struct ArenaMark {
  void *chunk;
  size_t used;
} ArenaMark;

Arena *arena_open(void);
// One more that is closed with `owner` and not before: for a thread of its own.
Arena *arena_open_within(Arena *owner);
void arena_close(Arena *arena); // NULL is allowed

// Zeroed, 16-byte aligned, never NULL (out of memory goes to the bug hook, see core/bug.h).
void *arena_alloc(Arena *arena, size_t bytes);
// The same for `count` objects of `size` bytes; the product is checked for overflow.
void *arena_alloc_array(Arena *arena, size_t count, size_t size);
void *arena_copy(Arena *arena, const void *from, size_t bytes);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args);

// Nobody will look at the block of so many bytes again. A large one (CHUNK_MAX, arena.c), which has a chunk of its own, is freed
// at once, others with their arena; NULL is allowed.
void arena_give_back(Arena *arena, const void *block, size_t bytes);

ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark); // frees everything allocated since the mark
size_t arena_bytes(const Arena *arena);           // bytes handed out and not yet released

#define arena_new(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define arena_array(arena, count, Type) ((Type *)arena_alloc_array((arena), (count), sizeof(Type)))

#endif
