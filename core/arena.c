// How is memory handed out by lifetime? A list of chunks, each bumped upward; closing or releasing frees
// whole chunks. Chunks double up to 1 MiB, so that small kernels cost little and large ones few calls.
// Soundness: no bearing on verdicts; zeroed memory matters, because a zero Verdict is "unknown".
// SPDX-License-Identifier: Apache-2.0
#include "core/arena.h"

#include "core/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MIN = 16 * 1024, CHUNK_MAX = 1024 * 1024, ALIGNMENT = 16 };

typedef struct Chunk Chunk;
struct Chunk {
  Chunk *previous;
  size_t size, used;
  size_t bytes_before; // handed out in all earlier chunks
  _Alignas(ALIGNMENT) unsigned char data[];
};

struct Arena {
  Chunk *top;
  Chunk *spare; // given up and zeroed: a loop of mark and release asks for one again and again
  size_t next_size;
  Arena *within, *next; // those that are closed with it; another one of the same owner
};

Arena *arena_open(void) {
  Arena *arena = calloc(1, sizeof *arena);
  if (!arena) BUG("out of memory");
  arena->next_size = CHUNK_MIN;
  return arena;
}

Arena *arena_open_within(Arena *owner) {
  ASSERT(owner);
  Arena *arena = arena_open();
  arena->next = owner->within;
  owner->within = arena;
  return arena;
}

void arena_close(Arena *arena) {
  if (!arena) return;
  while (arena->within) {
    Arena *inner = arena->within;
    arena->within = inner->next;
    arena_close(inner);
  }
  for (Chunk *chunk = arena->top, *previous; chunk; chunk = previous) {
    previous = chunk->previous;
    free(chunk);
  }
  free(arena->spare);
  free(arena);
}

static void chunk_push(Arena *arena, size_t at_least) {
  Chunk *chunk = arena->spare;
  if (chunk && chunk->size >= at_least) {
    arena->spare = NULL;
  } else {
    size_t size = arena->next_size > at_least ? arena->next_size : at_least;
    if (arena->next_size < CHUNK_MAX) arena->next_size *= 2;
    // calloc, not malloc: fresh pages come zeroed without being touched.
    chunk = size > SIZE_MAX - sizeof *chunk ? NULL : calloc(1, sizeof *chunk + size);
    if (!chunk) BUG("out of memory: %zu bytes", size);
    chunk->size = size;
  }
  chunk->previous = arena->top;
  chunk->bytes_before = arena->top ? arena->top->bytes_before + arena->top->used : 0;
  arena->top = chunk;
}

void *arena_alloc(Arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX - ALIGNMENT) BUG("out of memory: %zu bytes", bytes);
  size_t rounded = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (rounded == 0) rounded = ALIGNMENT;
  if (!arena->top || arena->top->size - arena->top->used < rounded) chunk_push(arena, rounded);
  void *block = arena->top->data + arena->top->used;
  arena->top->used += rounded;
  ASSERT(arena->top->used <= arena->top->size);
  return block;
}

void *arena_alloc_array(Arena *arena, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) BUG("out of memory: %zu objects of %zu bytes", count, size);
  return arena_alloc(arena, count * size);
}

void *arena_copy(Arena *arena, const void *from, size_t bytes) {
  ASSERT(from || !bytes);
  void *block = arena_alloc(arena, bytes);
  if (bytes) memcpy(block, from, bytes);
  return block;
}

char *arena_strndup(Arena *arena, const char *text, size_t length) {
  ASSERT(text);
  char *copy = arena_alloc(arena, length + 1);
  if (length) memcpy(copy, text, length);
  return copy;
}

char *arena_strdup(Arena *arena, const char *text) {
  ASSERT(text);
  return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(Arena *arena, const char *format, va_list args) {
  ASSERT(format);
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) BUG("bad format '%s'", format);
  char *text = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, args);
  return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  ASSERT(format);
  va_list args;
  va_start(args, format);
  char *text = arena_vprintf(arena, format, args);
  va_end(args);
  return text;
}

ArenaMark arena_mark(const Arena *arena) {
  return (ArenaMark){arena->top, arena->top ? arena->top->used : 0};
}

static void give_up(Arena *arena, Chunk *chunk) {
  if (chunk->size > CHUNK_MAX || (arena->spare && arena->spare->size >= chunk->size)) {
    free(chunk);
    return;
  }
  free(arena->spare);
  memset(chunk->data, 0, chunk->used);
  chunk->used = 0;
  arena->spare = chunk;
}

void arena_release(Arena *arena, ArenaMark mark) {
  while (arena->top && arena->top != mark.chunk) {
    Chunk *dead = arena->top;
    arena->top = dead->previous;
    give_up(arena, dead);
  }
  if (!arena->top) return;
  BUG_UNLESS(mark.used <= arena->top->used);
  memset(arena->top->data + mark.used, 0, arena->top->used - mark.used);
  arena->top->used = mark.used;
}

size_t arena_bytes(const Arena *arena) {
  return arena->top ? arena->top->bytes_before + arena->top->used : 0;
}
