// Text that grows, and visible escapes (text_buffer.h). Decoding is strict (Unicode 15, table 3-7).
// SPDX-License-Identifier: Apache-2.0
#include "rt/detect/text_buffer.h"
#include "rt/contract.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_bytes(Text *text, const char *more, size_t count) {
  if (text->length + count + 1 > text->capacity) {
    size_t wanted = (text->length + count + 1) * 2;
    char *larger = realloc(text->items, wanted);
    if (!larger) {
      text->is_cut = true;
      return;
    }
    text->items = larger;
    text->capacity = wanted;
  }
  memcpy(text->items + text->length, more, count);
  text->length += count;
  text->items[text->length] = '\0';
}

void text_add(Text *text, const char *more) {
  RT_ASSERT(text && more);
  RT_ASSERT(text->length <= text->capacity);
  add_bytes(text, more, strlen(more));
}

void text_printf(Text *text, const char *format, ...) {
  RT_ASSERT(text && format);
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text_add(text, line);
}

// The bytes of one character; 0: they are none.
static uint32_t utf8_length(const unsigned char *p, uint32_t *code) {
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  uint32_t size = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
  *code = p[0];
  if (size == 1) return 1;
  if (p[0] < 0xc2 || p[0] > 0xf4) return 0;
  *code = p[0] & (0x7fu >> size);
  for (uint32_t i = 1; i < size; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (p[i] & 0x3f);
  }
  bool is_valid = *code >= least[size] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
  return is_valid ? size : 0;
}

static bool reorders_text(uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

void text_add_visible(Text *text, const char *foreign) {
  RT_ASSERT(text);
  for (const unsigned char *p = (const unsigned char *)(foreign ? foreign : "?"); *p;) {
    uint32_t code, length = utf8_length(p, &code);
    if (*p == '\n')
      text_add(text, "\\n");
    else if (*p == '\t')
      text_add(text, "\\t");
    else if (!length || code < 0x20 || code == 0x7f)
      text_printf(text, "\\x%02x", *p);
    else if ((code >= 0x80 && code < 0xa0) || code == 0xfffe || code == 0xffff || reorders_text(code))
      text_printf(text, "<U+%04X>", (unsigned)code);
    else
      add_bytes(text, (const char *)p, length);
    p += length ? length : 1;
  }
}

void text_close(Text *text) {
  RT_ASSERT(text);
  free(text->items);
  *text = (Text){0};
}
