// How does text that others wrote (names, paths, source lines, clang's output) get into a report without
// changing what the report says?
//
// Names and source lines may hold anything: control characters that move a terminal's cursor, bytes that are
// not UTF-8, and the Unicode controls that reorder text on screen (Boucher and Anderson, "Trojan Source",
// 2021). For people they become visible escapes (\x1b, <U+202E>); for JSON only what is not UTF-8 has to go,
// the encoder does the rest. Decoding is strict (Unicode 15, table 3-7).
//
// Soundness: no effect on verdicts.
// SPDX-License-Identifier: Apache-2.0
#include "report/internal.h"
#include "core/bug.h"

#include <stdio.h>
#include <string.h>

static bool is_continuation(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

uint32_t utf8_next(const char *text, uint32_t *length) {
  ASSERT(text);
  ASSERT(length);
  const unsigned char *p = (const unsigned char *)text;
  *length = 1;
  if (p[0] < 0x80) return p[0];
  uint32_t size = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
  if (p[0] < 0xc2 || p[0] > 0xf4) return UTF8_INVALID;
  uint32_t code = p[0] & (0x7fu >> size);
  for (uint32_t i = 1; i < size; i++) {
    if (!is_continuation(p[i])) return UTF8_INVALID;
    code = code << 6 | (p[i] & 0x3f);
  }
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return UTF8_INVALID;
  *length = size;
  return code;
}

static bool reorders_text(uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool escape_character(uint32_t code, unsigned char byte, char *out) {
  ASSERT(out);
  if (code == '\n')
    strcpy(out, "\\n");
  else if (code == '\t')
    strcpy(out, "\\t");
  else if (code == UTF8_INVALID || code < 0x20 || code == 0x7f)
    snprintf(out, 16, "\\x%02x", byte);
  else if ((code >= 0x80 && code < 0xa0) || code == 0xfffe || code == 0xffff || reorders_text(code))
    snprintf(out, 16, "<U+%04X>", (unsigned)code);
  else
    return false;
  return true;
}

uint32_t escape_columns(uint32_t code) {
  ASSERT(code != UTF8_INVALID);
  static const uint32_t none[][2] = {{0x300, 0x36f}, {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
  static const uint32_t wide[][2] = {{0x1100, 0x115f},   {0x2e80, 0x303e},  {0x3041, 0xa4cf},
                                     {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f},
                                     {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
                                     {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    if (code >= none[i][0] && code <= none[i][1]) return 0;
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (code >= wide[i][0] && code <= wide[i][1]) return 2;
  return 1;
}

const char *escape_visible(Arena *arena, const char *text) {
  ASSERT(arena); // no text: an empty one
  StrBuf out = {.arena = arena};
  for (uint32_t length; text && *text; text += length) {
    char escape[16];
    uint32_t code = utf8_next(text, &length);
    if (escape_character(code, (unsigned char)*text, escape))
      strbuf_add(&out, escape);
    else
      strbuf_add_n(&out, text, length);
  }
  return strbuf_text(&out);
}

const char *escape_utf8(Arena *arena, const char *text) {
  ASSERT(arena); // no text: an empty one
  StrBuf out = {.arena = arena};
  for (uint32_t length; text && *text; text += length)
    if (utf8_next(text, &length) == UTF8_INVALID)
      strbuf_add(&out, "\xef\xbf\xbd");
    else
      strbuf_add_n(&out, text, length);
  return strbuf_text(&out);
}

// Characters that a path segment may hold unescaped; '/' separates segments.
static bool is_uri_plain(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c != 0 && strchr("-._~!$&'()*+,;=@/", c) != NULL);
}

const char *escape_uri(Arena *arena, const char *path) {
  ASSERT(arena); // no path: an empty one
  StrBuf out = {.arena = arena};
  if (path && path[0] == '/') strbuf_add(&out, "file://");
  for (; path && *path; path++)
    if (is_uri_plain((unsigned char)*path))
      strbuf_add_n(&out, path, 1);
    else
      strbuf_printf(&out, "%%%02X", (unsigned char)*path);
  return strbuf_text(&out);
}
