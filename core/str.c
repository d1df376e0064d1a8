// Interned strings and text buffers. Hashes are FNV-1a.
// Soundness: no bearing on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "core/str.h"
#include "core/bug.h"
#include "core/table.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct StrTable {
  Arena *arena;
  Table table; // index into texts + 1
  VEC(const char *) texts;
  pthread_mutex_t lock;
};

uint64_t str_hash(const void *data, size_t bytes, uint64_t seed) {
  ASSERT(data);
  uint64_t hash = seed ? seed : 0xcbf29ce484222325u;
  const unsigned char *byte = data;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ byte[i]) * 0x100000001b3u;
  return hash;
}

StrTable *str_table_make(Arena *arena) {
  StrTable *table = arena_new(arena, StrTable);
  *table = (StrTable){.arena = arena, .lock = PTHREAD_MUTEX_INITIALIZER};
  return table;
}

static const char *intern_hashed(StrTable *table, const char *text, size_t length, uint32_t hash) {
  TableLook look = table_look(&table->table, hash);
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    const char *known = table->texts.items[number - 1];
    if (strncmp(known, text, length) == 0 && !known[length]) return known;
  }
  const char *copy = arena_strndup(table->arena, text, length);
  vec_push(table->arena, &table->texts, copy);
  table_add(table->arena, &table->table, hash, table->texts.count);
  return copy;
}

const char *str_intern_n(StrTable *table, const char *text, size_t length) {
  ASSERT(text);
  const char *zero = memchr(text, 0, length);
  if (zero) length = (size_t)(zero - text);
  uint32_t hash = (uint32_t)str_hash(text, length, 0);
  pthread_mutex_lock(&table->lock);
  const char *found = intern_hashed(table, text, length, hash);
  pthread_mutex_unlock(&table->lock);
  return found;
}

const char *str_intern(StrTable *table, const char *text) {
  return text ? str_intern_n(table, text, strlen(text)) : str_intern_n(table, "", 0);
}

static void reserve(StrBuf *buf, size_t more) {
  size_t wanted = buf->length + more + 1;
  if (wanted <= buf->capacity) return;
  size_t capacity = buf->capacity ? buf->capacity : 128;
  while (capacity < wanted)
    capacity *= 2;
  char *text = arena_alloc(buf->arena, capacity);
  if (buf->length) memcpy(text, buf->text, buf->length);
  buf->text = text;
  buf->capacity = capacity;
}

void strbuf_add_n(StrBuf *buf, const char *text, size_t length) {
  ASSERT(text);
  reserve(buf, length);
  if (length) memcpy(buf->text + buf->length, text, length);
  buf->length += length;
  buf->text[buf->length] = 0;
}

void strbuf_add(StrBuf *buf, const char *text) {
  ASSERT(text);
  strbuf_add_n(buf, text, strlen(text));
}

void strbuf_printf(StrBuf *buf, const char *format, ...) {
  ASSERT(format);
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length > 0) {
    reserve(buf, (size_t)length);
    vsnprintf(buf->text + buf->length, (size_t)length + 1, format, args);
    buf->length += (size_t)length;
  }
  va_end(args);
}

const char *strbuf_text(const StrBuf *buf) {
  return buf->text ? buf->text : "";
}

bool str_starts_with(const char *text, const char *prefix) {
  ASSERT(text);
  ASSERT(prefix);
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends_with(const char *text, const char *suffix) {
  ASSERT(text);
  ASSERT(suffix);
  size_t length = strlen(text), end = strlen(suffix);
  return length >= end && strcmp(text + length - end, suffix) == 0;
}
