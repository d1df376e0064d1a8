// Data structures to bytes and back, by one description for both ways: a function `x_code(codec, &x)` writes
// `x`, or fills it in. Equal data gives equal bytes, on every machine and in every run.
//
// What is read may be damaged or made up: every count is bounded by the bytes that are left, and where
// something cannot be, the codec fails once and for all; what is filled in after that is zero. Who reads asks
// codec_is_whole at the end.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_CODEC_H
#define HGRD_CORE_CODEC_H

#include "core/arena.h"
#include "core/digest.h"
#include "core/srcloc.h"
#include "core/str.h"
#include "core/table.h"
#include "core/vec.h"
#include "core/verdict.h"
#include <stdbool.h>

typedef struct Codec {
  Arena *arena; // of what is read, and of what is written
  bool is_writing, has_failed;
  StrBuf out;
  const uint8_t *at, *end;
  StrTable *strings; // reading: where texts are interned; NULL: they are copied
  Map texts, places; // of what was written: its number, by hash or address
  VEC(const char *) text_list;
  VEC(const SrcLoc *) place_list;
  uint32_t depth; // of calls within calls
} Codec;

Codec codec_writer(Arena *arena);
Codec codec_reader(Arena *arena, StrTable *strings, const void *bytes, size_t length);
MUST_USE bool codec_is_whole(const Codec *codec); // everything was read, and nothing is left
void codec_fail(Codec *codec);
// Fails unless the condition holds, which it does when writing.
void codec_expect(Codec *codec, bool condition);

uint64_t codec_number(Codec *codec, uint64_t value);    // the value written, or the one read
uint32_t codec_count(Codec *codec, uint32_t count);     // of things of at least one byte each
const char *codec_text(Codec *codec, const char *text); // may be NULL
const void *codec_bytes(Codec *codec, const void *bytes, size_t *length);
void codec_loc(Codec *codec, SrcLoc *loc);
void codec_digest(Codec *codec, Digest *digest);

// Signed numbers so that small ones are short.
static inline uint64_t codec_fold(int64_t value) {
  return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}
static inline int64_t codec_unfold(uint64_t value) {
  return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

// A member that is a number, a truth value, a member of an enumeration below `limit`, a text. What is written
// is left alone: several threads may write one structure.
#define CODE_NUMBER(codec, lvalue)                                                                           \
  do {                                                                                                       \
    int64_t read_ = codec_unfold(codec_number((codec), codec_fold((int64_t)(lvalue))));                      \
    if (!(codec)->is_writing) (lvalue) = read_;                                                              \
  } while (0)
#define CODE_ENUM(codec, lvalue, limit)                                                                      \
  do {                                                                                                       \
    uint64_t read_ = codec_number((codec), (uint64_t)(lvalue));                                              \
    codec_expect((codec), read_ < (uint64_t)(limit));                                                        \
    if (!(codec)->is_writing) (lvalue) = (codec)->has_failed ? 0 : read_;                                    \
  } while (0)
#define CODE_BOOL(codec, lvalue) CODE_ENUM(codec, lvalue, 2)
#define CODE_TEXT(codec, lvalue)                                                                             \
  do {                                                                                                       \
    const char *read_ = codec_text((codec), (lvalue));                                                       \
    if (!(codec)->is_writing) (lvalue) = read_;                                                              \
  } while (0)
// The same for a text that is never NULL.
#define CODE_NAME(codec, lvalue)                                                                             \
  do {                                                                                                       \
    CODE_TEXT(codec, lvalue);                                                                                \
    codec_expect((codec), (lvalue) != NULL);                                                                 \
    if (!(codec)->is_writing && !(lvalue)) (lvalue) = "";                                                    \
  } while (0)
// The room for the items of a VEC; they themselves are coded by the caller.
#define CODE_ITEMS(codec, vec)                                                                               \
  do {                                                                                                       \
    uint32_t count_ = codec_count((codec), (vec)->count);                                                    \
    if (!(codec)->is_writing) {                                                                              \
      (vec)->items = arena_alloc_array((codec)->arena, (size_t)count_ + 1, sizeof *(vec)->items);            \
      (vec)->count = (vec)->capacity = count_;                                                               \
    }                                                                                                        \
  } while (0)

// Address to number, for sharing that is kept; 0: not there.

#endif
