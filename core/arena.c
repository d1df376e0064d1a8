// How is memory handed out by lifetime? A list of chunks, each bumped upward; closing or releasing frees
// whole chunks. Chunks double up to 1 MiB, so that small kernels cost little and large ones few calls.
// Soundness: no bearing on verdicts; zeroed memory matters, because a zero Verdict is "unknown".
// SPDX-License-Identifier: Apache-2.0
#include "core/arena.h"

#include "core/bug.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MIN = 16 * 1024, CHUNK_MAX = 1024 * 1024, ALIGNMENT = 16 };

typedef struct Chunk Chunk;
struct Chunk {
  Chunk *previous;
  size_t size, used;
  size_t bytes_before; // handed out in all earlier chunks
  unsigned char *data; // behind the chunk, or of its own: one large block, NULL once it was given back
  _Alignas(ALIGNMENT) unsigned char behind[];
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

static void chunk_free(Chunk *chunk) {
  if (chunk->data != chunk->behind) free(chunk->data);
  free(chunk);
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
    chunk_free(chunk);
  }
  free(arena->spare);
  free(arena);
}

// calloc, not malloc: fresh pages come zeroed without being touched.
static Chunk *chunk_make(size_t size) {
  bool is_large = size > CHUNK_MAX;
  if (size > SIZE_MAX - sizeof(Chunk)) return NULL;
  Chunk *chunk = calloc(1, sizeof *chunk + (is_large ? 0 : size));
  if (!chunk) return NULL;
  chunk->size = size;
  chunk->data = is_large ? calloc(1, size) : chunk->behind;
  if (chunk->data) return chunk;
  free(chunk);
  return NULL;
}

static void chunk_push(Arena *arena, size_t at_least) {
  Chunk *chunk = arena->spare;
  if (chunk && chunk->size >= at_least) {
    arena->spare = NULL;
  } else {
    size_t size = arena->next_size > at_least ? arena->next_size : at_least;
    if (arena->next_size < CHUNK_MAX) arena->next_size *= 2;
    chunk = chunk_make(size);
    if (!chunk) BUG("out of memory: %zu bytes", size);
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

// The chunk stays, as if it were full: a mark may name it.
void arena_give_back(Arena *arena, const void *block, size_t bytes) {
  if (!block || bytes <= CHUNK_MAX) return;
  Chunk *chunk = arena->top;
  while (chunk && chunk->data != block)
    chunk = chunk->previous;
  BUG_UNLESS(chunk && chunk->size > CHUNK_MAX);
  free(chunk->data);
  chunk->data = NULL;
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
    chunk_free(chunk);
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
  if (mark.used == arena->top->used) return; // also where that was given back
  memset(arena->top->data + mark.used, 0, arena->top->used - mark.used);
  arena->top->used = mark.used;
}

size_t arena_bytes(const Arena *arena) {
  return arena->top ? arena->top->bytes_before + arena->top->used : 0;
}
