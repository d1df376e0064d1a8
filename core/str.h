// Strings: an intern table (equal text, equal pointer) and a growable text buffer on an arena.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_STR_H
#define HGRD_CORE_STR_H

#include "core/arena.h"
#include <stdbool.h>

typedef struct StrTable StrTable;
StrTable *str_table_make(Arena *arena); // lives as long as the arena
// The one copy of `text`; NULL gives "". Several threads may ask one table, if nobody else uses its arena
// meanwhile.
const char *str_intern(StrTable *table, const char *text);
const char *str_intern_n(StrTable *table, const char *text, size_t length);

// Text that grows; `text` is always NUL-terminated once something was added, and NULL before.
typedef struct StrBuf {
  Arena *arena;
  char *text;
  size_t length, capacity;
} StrBuf;

void strbuf_add(StrBuf *buf, const char *text);
void strbuf_add_n(StrBuf *buf, const char *text, size_t length);
void strbuf_printf(StrBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *strbuf_text(const StrBuf *buf); // never NULL

bool str_starts_with(const char *text, const char *prefix);
bool str_ends_with(const char *text, const char *suffix);
// 64-bit FNV-1a, for hash tables and fingerprints; stable across runs and machines.
uint64_t str_hash(const void *data, size_t bytes, uint64_t seed);

#endif
