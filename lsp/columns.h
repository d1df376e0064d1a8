// Places in texts, as the protocol counts them, and names of files as it writes them.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_LSP_COLUMNS_H
#define HGRD_LSP_COLUMNS_H

#include "core/str.h"
#include "core/vec.h"

// In what a position counts the characters of a line; agreed upon with the editor.
typedef enum TextUnits { UNITS_UTF16, UNITS_UTF8, UNITS_UTF32 } TextUnits;

typedef struct TextLine {
  const char *text; // not terminated
  size_t length;    // without its end
} TextLine;

typedef struct TextLines {
  VEC(TextLine) lines; // one more than there are ends of lines
} TextLines;

// Lines end as the protocol has it, and clang: "\n", "\r\n" or "\r". They point into `text`.
void text_split(const char *text, size_t length, Arena *arena, TextLines *out);
// Units in the first `bytes` of the line, and back; what lies behind the end is the end.
uint32_t text_units(TextLine line, size_t bytes, TextUnits units);
size_t text_bytes(TextLine line, uint32_t count, TextUnits units);
// The text with U+FFFD for every byte that is part of no character.
void text_replace_bad(const char *text, size_t length, StrBuf *out);

// "file:///a%20b.cu" to "/a b.cu"; NULL if it is no file of this machine.
const char *uri_path(const char *uri, Arena *arena);
const char *path_uri(const char *path, Arena *arena); // of an absolute path

#endif
