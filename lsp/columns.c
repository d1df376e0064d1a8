// Where is the fifth character of a line? An editor counts UTF-16 units unless it knows better, the analysis
// counts bytes.
//
// Bytes that are no UTF-8 (RFC 3629, without surrogates and overlong forms) count as one character each, as
// editors show them. Names of files are written as RFC 3986 has it: everything but unreserved characters and
// slashes as %XX.
// SPDX-License-Identifier: Apache-2.0
#include "lsp/columns.h"
#include "core/bug.h"
#include "core/path.h"

#include <ctype.h>
#include <string.h>

// ---- characters

// Bytes of the character that begins here; 1 with *is_good false if none does.
static size_t character(const char *at, const char *end, bool *is_good) {
  unsigned char first = (unsigned char)*at;
  size_t length = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;
  *is_good = length > 0 && (size_t)(end - at) >= length;
  for (size_t i = 1; *is_good && i < length; i++)
    *is_good = ((unsigned char)at[i] & 0xc0) == 0x80;
  unsigned char second = *is_good && length > 1 ? (unsigned char)at[1] : 0x80;
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    *is_good = false;
  return *is_good ? length : 1;
}

static uint32_t units_of(size_t bytes, TextUnits units) {
  switch (units) {
  case UNITS_UTF8: return (uint32_t)bytes;
  case UNITS_UTF16: return bytes == 4 ? 2 : 1;
  case UNITS_UTF32: break;
  }
  return 1;
}

uint32_t text_units(TextLine line, size_t bytes, TextUnits units) {
  ASSERT(line.text || line.length == 0);
  uint32_t count = 0;
  bool is_good;
  if (bytes > line.length) bytes = line.length;
  for (size_t at = 0, step; at < bytes; at += step) {
    step = character(line.text + at, line.text + line.length, &is_good);
    count += units_of(step, units);
  }
  return count;
}

size_t text_bytes(TextLine line, uint32_t count, TextUnits units) {
  ASSERT(line.text || line.length == 0);
  size_t at = 0;
  bool is_good;
  for (uint32_t seen = 0; at < line.length && seen < count;) {
    size_t step = character(line.text + at, line.text + line.length, &is_good);
    seen += units_of(step, units);
    at += step;
  }
  return at;
}

void text_replace_bad(const char *text, size_t length, StrBuf *out) {
  ASSERT(text);
  ASSERT(out);
  bool is_good;
  for (size_t at = 0, step; at < length; at += step) {
    step = character(text + at, text + length, &is_good);
    if (is_good)
      strbuf_add_n(out, text + at, step);
    else
      strbuf_add(out, "\xef\xbf\xbd");
  }
}

void text_split(const char *text, size_t length, Arena *arena, TextLines *out) {
  ASSERT(text);
  ASSERT(out);
  *out = (TextLines){0};
  size_t start = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '\n' && text[i] != '\r') continue;
    vec_push(arena, &out->lines, (TextLine){text + start, i - start});
    if (text[i] == '\r' && i + 1 < length && text[i + 1] == '\n') i++;
    start = i + 1;
  }
  vec_push(arena, &out->lines, (TextLine){text + start, length - start});
}

// ---- names of files

static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  int small = tolower((unsigned char)c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

const char *uri_path(const char *uri, Arena *arena) {
  ASSERT(uri);
  static const char scheme[] = "file://", host[] = "localhost";
  if (!str_starts_with(uri, scheme)) return NULL;
  const char *at = uri + sizeof scheme - 1;
  if (str_starts_with(at, host)) at += sizeof host - 1;
  if (*at != '/') return NULL;
  char *path = arena_alloc(arena, strlen(at) + 1), *to = path;
  for (; *at && *at != '?' && *at != '#'; at++) {
    int high = *at == '%' ? hex_value(at[1]) : -1, low = high >= 0 ? hex_value(at[2]) : -1;
    if (*at == '%' && (low < 0 || high + low == 0)) return NULL;
    *to++ = *at == '%' ? (char)(high * 16 + low) : *at;
    at += *at == '%' ? 2 : 0;
  }
  return path_plain("/", path, arena);
}

const char *path_uri(const char *path, Arena *arena) {
  ASSERT(path);
  StrBuf out = {.arena = arena};
  strbuf_add(&out, "file://");
  for (const char *at = path; *at; at++)
    if (isalnum((unsigned char)*at) || strchr("/-._~", *at))
      strbuf_add_n(&out, at, 1);
    else
      strbuf_printf(&out, "%%%02X", (unsigned char)*at);
  return strbuf_text(&out);
}
