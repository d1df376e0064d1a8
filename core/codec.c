// How do data structures become bytes that read back? Numbers are written seven bits a byte, texts and the
// calls that code was inlined into once each, by their number after that. One description serves both ways,
// so that what is written and what is read cannot differ.
//
// Soundness: no bearing on verdicts; what is damaged fails as a whole (codec_is_whole), and counts are
// bounded by what is left to read, so that memory is linear in the length of the input.
// SPDX-License-Identifier: Apache-2.0
#include "core/codec.h"
#include "core/bug.h"

#include <string.h>

enum { DEPTH_LIMIT = 10000 }; // of inlined calls

Codec codec_writer(Arena *arena) {
  return (Codec){.arena = arena, .is_writing = true, .out = {.arena = arena}};
}

Codec codec_reader(Arena *arena, StrTable *strings, const void *bytes, size_t length) {
  ASSERT(bytes);
  return (Codec){.arena = arena, .strings = strings, .at = bytes, .end = (const uint8_t *)bytes + length};
}

bool codec_is_whole(const Codec *codec) {
  ASSERT(codec->is_writing || codec->at <= codec->end);
  return !codec->has_failed && codec->at == codec->end;
}

void codec_fail(Codec *codec) {
  ASSERT(!codec->is_writing); // what is written is well formed
  codec->has_failed = true;
  codec->at = codec->end;
}

void codec_expect(Codec *codec, bool condition) {
  if (!codec->is_writing && !condition) codec_fail(codec);
}

// ---- numbers
static void put_number(Codec *codec, uint64_t value) {
  char bytes[10];
  size_t length = 0;
  do {
    bytes[length++] = (char)((value & 127) | (value > 127 ? 128 : 0));
    value >>= 7;
  } while (value);
  strbuf_add_n(&codec->out, bytes, length);
}

static uint64_t get_number(Codec *codec) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && codec->at < codec->end; shift += 7) {
    uint8_t byte = *codec->at++;
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
  codec_fail(codec);
  return 0;
}

uint64_t codec_number(Codec *codec, uint64_t value) {
  if (!codec->is_writing) return get_number(codec);
  put_number(codec, value);
  return value;
}

uint32_t codec_count(Codec *codec, uint32_t count) {
  uint64_t number = codec_number(codec, count);
  if (codec->is_writing) return count;
  codec_expect(codec, number <= (uint64_t)(codec->end - codec->at));
  return codec->has_failed ? 0 : (uint32_t)number;
}

// ---- texts
// The number of a text that was written: equal texts at several addresses have one. A text is 0 for NULL, 1
// for one that follows, else its number + 2.
static uint32_t find_text(Codec *codec, const char *text, uint64_t *hash) {
  *hash = str_hash(text, strlen(text), 0) | 1;
  for (uint64_t key = *hash;; key += 2) {
    uint32_t number = map_get(&codec->texts, key);
    ASSERT(number <= codec->text_list.count);
    *hash = key;
    if (!number || strcmp(codec->text_list.items[number - 1], text) == 0) return number;
  }
}

static const char *put_text(Codec *codec, const char *text) {
  uint64_t hash;
  uint32_t number = text ? find_text(codec, text, &hash) : 0;
  put_number(codec, !text ? 0 : number ? number + 1u : 1);
  if (!text || number) return text;
  size_t length = strlen(text);
  put_number(codec, length);
  strbuf_add_n(&codec->out, text, length);
  vec_push(codec->arena, &codec->text_list, text);
  map_set(codec->arena, &codec->texts, hash, codec->text_list.count);
  return text;
}

static const char *get_new_text(Codec *codec) {
  uint64_t length = get_number(codec);
  codec_expect(codec, length <= (uint64_t)(codec->end - codec->at));
  codec_expect(codec, codec->has_failed || !memchr(codec->at, 0, (size_t)length));
  if (codec->has_failed) return NULL;
  const char *start = (const char *)codec->at;
  const char *text = codec->strings ? str_intern_n(codec->strings, start, (size_t)length)
                                    : arena_strndup(codec->arena, start, (size_t)length);
  codec->at += length;
  vec_push(codec->arena, &codec->text_list, text);
  return text;
}

const char *codec_text(Codec *codec, const char *text) {
  if (codec->is_writing) return put_text(codec, text);
  uint64_t number = get_number(codec);
  if (number == 0) return NULL;
  if (number == 1) return get_new_text(codec);
  codec_expect(codec, number - 2 < codec->text_list.count);
  return codec->has_failed ? NULL : codec->text_list.items[number - 2];
}

const void *codec_bytes(Codec *codec, const void *bytes, size_t *length) {
  ASSERT(length && (!codec->is_writing || bytes || !*length));
  uint64_t count = codec_number(codec, codec->is_writing ? *length : 0);
  if (codec->is_writing) {
    strbuf_add_n(&codec->out, bytes, *length);
    return bytes;
  }
  codec_expect(codec, count <= (uint64_t)(codec->end - codec->at));
  *length = codec->has_failed ? 0 : (size_t)count;
  const void *start = codec->at;
  codec->at += *length;
  return start;
}

// ---- places
// 0: none; 1: one that follows; else the number of one that was met, + 2.
static const SrcLoc *code_caller(Codec *codec, const SrcLoc *caller) {
  uint64_t key = (uint64_t)(uintptr_t)caller;
  uint32_t known = codec->is_writing && caller ? map_get(&codec->places, key) : 0;
  uint64_t number = codec_number(codec, !caller ? 0 : known ? known + 1u : 1);
  if (number == 0 || (codec->is_writing && known)) return caller;
  if (number > 1) {
    codec_expect(codec, number - 2 < codec->place_list.count);
    return codec->has_failed ? NULL : codec->place_list.items[number - 2];
  }
  SrcLoc *place = codec->is_writing ? NULL : arena_new(codec->arena, SrcLoc);
  SrcLoc copy = codec->is_writing ? *caller : (SrcLoc){0};
  codec_expect(codec, ++codec->depth <= DEPTH_LIMIT);
  codec_loc(codec, &copy);
  codec->depth--;
  if (place) *place = copy;
  vec_push(codec->arena, &codec->place_list, place);
  if (codec->is_writing) map_set(codec->arena, &codec->places, key, codec->place_list.count);
  return codec->is_writing ? caller : place;
}

void codec_loc(Codec *codec, SrcLoc *loc) {
  CODE_TEXT(codec, loc->file);
  CODE_NUMBER(codec, loc->line);
  CODE_NUMBER(codec, loc->column);
  CODE_TEXT(codec, loc->function);
  const SrcLoc *caller = code_caller(codec, loc->inlined_at);
  if (!codec->is_writing) loc->inlined_at = caller;
}

void codec_digest(Codec *codec, Digest *digest) {
  uint64_t high = codec_number(codec, digest->high), low = codec_number(codec, digest->low);
  if (!codec->is_writing) *digest = (Digest){high, low};
}
