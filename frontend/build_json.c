// What entries does a compile_commands.json have? A reader for that one format (JSON Compilation Database
// Format Specification of clang; RFC 8259): an array of objects whose "directory", "file" and either
// "arguments" or "command" count, everything else being read over. A command is cut into words as a shell
// would: quotes, backslashes;
// && || and ; are words of their own. Method: recursive descent over the text in memory. The text may be
// hostile: every index is checked, nesting is bounded, nothing in it is opened or expanded (no response
// files). Soundness: a file that is not well formed is refused as a whole, with the line and column of the
// first mistake.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <stdlib.h>
#include <string.h>

enum { NESTING_LIMIT = 64 };

typedef struct JsonReader {
  const char *start, *at, *end;
  Arena *arena;
  const char *mistake; // what was expected, of the first one
  const char *mistake_at;
} JsonReader;

static bool fail(JsonReader *reader, const char *mistake) {
  if (!reader->mistake) {
    reader->mistake = mistake;
    reader->mistake_at = reader->at;
  }
  return false;
}

static void skip_space(JsonReader *reader) {
  while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at)
    reader->at++;
}

static bool take(JsonReader *reader, char sign) {
  skip_space(reader);
  if (reader->at == reader->end || *reader->at != sign) return false;
  reader->at++;
  return true;
}

static bool expect(JsonReader *reader, char sign, const char *mistake) {
  return take(reader, sign) || fail(reader, mistake);
}

// ---- strings --------------------------------------------------------------------------------------------

static bool read_hex(JsonReader *reader, uint32_t *value) {
  *value = 0;
  for (int i = 0; i < 4; i++, reader->at++) {
    char digit = reader->at < reader->end ? *reader->at : '\0';
    const char *digits = "0123456789abcdef";
    const char *found = digit ? strchr(digits, digit >= 'A' && digit <= 'F' ? digit + 32 : digit) : NULL;
    if (!found) return fail(reader, "four hexadecimal digits are expected");
    *value = *value * 16 + (uint32_t)(found - digits);
  }
  return true;
}

static void add_utf8(StrBuf *out, uint32_t code) {
  char bytes[4];
  size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = count; i-- > 1; code >>= 6)
    bytes[i] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(count == 1 ? code : first[count] | code);
  strbuf_add_n(out, bytes, count);
}

static bool read_unicode(JsonReader *reader, StrBuf *out) {
  uint32_t code, low;
  if (!read_hex(reader, &code)) return false;
  if (code == 0) return fail(reader, "a path or flag cannot have a zero byte");
  bool is_high = code >= 0xd800 && code < 0xdc00;
  if (is_high && reader->end - reader->at > 6 && reader->at[0] == '\\' && reader->at[1] == 'u') {
    reader->at += 2;
    if (!read_hex(reader, &low)) return false;
    if (low >= 0xdc00 && low < 0xe000) code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  if (code >= 0xd800 && code < 0xe000) code = 0xfffd; // half a pair
  add_utf8(out, code);
  return true;
}

static bool read_escape(JsonReader *reader, StrBuf *out) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  char name = reader->at < reader->end ? *reader->at : '\0';
  if (name == 'u') {
    reader->at++;
    return read_unicode(reader, out);
  }
  const char *found = name ? strchr(names, name) : NULL;
  if (!found) return fail(reader, "an unknown escape");
  strbuf_add_n(out, &values[found - names], 1);
  reader->at++;
  return true;
}

static bool read_string(JsonReader *reader, const char **text) {
  StrBuf out = {.arena = reader->arena};
  if (!expect(reader, '"', "a string is expected")) return false;
  while (reader->at < reader->end && *reader->at != '"') {
    if ((unsigned char)*reader->at < 0x20) return fail(reader, "a control character in a string");
    if (*reader->at == '\\') {
      reader->at++;
      if (!read_escape(reader, &out)) return false;
    } else {
      const char *from = reader->at;
      while (reader->at < reader->end && *reader->at != '"' && *reader->at != '\\' &&
             (unsigned char)*reader->at >= 0x20)
        reader->at++;
      strbuf_add_n(&out, from, (size_t)(reader->at - from));
    }
  }
  if (reader->at == reader->end) return fail(reader, "the string does not end");
  reader->at++;
  *text = strbuf_text(&out);
  return true;
}

// ---- values that do not count ---------------------------------------------------------------------------

static bool skip_value(JsonReader *reader, int depth);

static bool skip_list(JsonReader *reader, char close, bool has_keys, int depth) {
  const char *key;
  reader->at++;
  if (take(reader, close)) return true;
  do {
    skip_space(reader);
    if (has_keys && (!read_string(reader, &key) || !expect(reader, ':', "':' is expected"))) return false;
    if (!skip_value(reader, depth + 1)) return false;
  } while (take(reader, ','));
  return expect(reader, close, "',' or the end of the list is expected");
}

static bool skip_value(JsonReader *reader, int depth) {
  const char *text;
  skip_space(reader);
  if (depth > NESTING_LIMIT) return fail(reader, "nested too deeply");
  char sign = reader->at < reader->end ? *reader->at : '\0';
  if (sign == '"') return read_string(reader, &text);
  if (sign == '[') return skip_list(reader, ']', false, depth);
  if (sign == '{') return skip_list(reader, '}', true, depth);
  const char *from = reader->at;
  while (reader->at < reader->end && *reader->at &&
         strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", *reader->at))
    reader->at++;
  return reader->at > from || fail(reader, "a value is expected");
}

// ---- words of a command ---------------------------------------------------------------------------------

typedef struct Words {
  Arena *arena;
  BuildEntry *entry;
  StrBuf word;
  bool is_begun; // also by empty quotes
} Words;

static void end_word(Words *words) {
  if (words->is_begun) vec_push(words->arena, &words->entry->args, strbuf_text(&words->word));
  words->word = (StrBuf){.arena = words->arena};
  words->is_begun = false;
}

static void add_char(Words *words, char c) {
  strbuf_add_n(&words->word, &c, 1);
  words->is_begun = true;
}

// Backslashes in double quotes stand before few characters only.
static const char *read_quoted(Words *words, const char *at) {
  char quote = *at++;
  words->is_begun = true;
  for (; *at && *at != quote; at++) {
    if (quote == '"' && *at == '\\' && at[1] && strchr("\"\\$`", at[1])) at++;
    add_char(words, *at);
  }
  return *at ? at + 1 : at;
}

void build_split_command(BuildEntry *entry, const char *command, Arena *arena) {
  Words words = {.arena = arena, .entry = entry, .word.arena = arena};
  for (const char *at = command; *at;) {
    size_t joint = str_starts_with(at, "&&") || str_starts_with(at, "||") ? 2 : *at == ';' ? 1 : 0;
    if (strchr(" \t\r\n", *at)) {
      end_word(&words);
      at++;
    } else if (*at == '"' || *at == '\'') {
      at = read_quoted(&words, at);
    } else if (joint) {
      end_word(&words);
      vec_push(arena, &entry->args, arena_strndup(arena, at, joint));
      at += joint;
    } else {
      if (*at == '\\' && at[1]) at++;
      add_char(&words, *at++);
    }
  }
  end_word(&words);
}

// ---- entries --------------------------------------------------------------------------------------------

static bool read_arguments(JsonReader *reader, BuildEntry *entry) {
  if (!expect(reader, '[', "a list of strings is expected")) return false;
  entry->args.count = 0;
  if (take(reader, ']')) return true;
  do {
    const char *word;
    if (!read_string(reader, &word)) return false;
    vec_push(reader->arena, &entry->args, word);
  } while (take(reader, ','));
  return expect(reader, ']', "',' or ']' is expected");
}

static bool read_member(JsonReader *reader, BuildEntry *entry, const char **command) {
  const char *key;
  if (!read_string(reader, &key) || !expect(reader, ':', "':' is expected")) return false;
  skip_space(reader);
  if (strcmp(key, "file") == 0) return read_string(reader, &entry->file);
  if (strcmp(key, "directory") == 0) return read_string(reader, &entry->directory);
  if (strcmp(key, "command") == 0) return read_string(reader, command);
  if (strcmp(key, "arguments") == 0) return read_arguments(reader, entry);
  return skip_value(reader, 0);
}

static bool read_entry(JsonReader *reader, BuildEntry *entry) {
  const char *command = NULL;
  if (!expect(reader, '{', "an entry in braces is expected")) return false;
  const char *begin = reader->at;
  if (!take(reader, '}')) {
    do
      if (!read_member(reader, entry, &command)) return false;
    while (take(reader, ','));
    if (!expect(reader, '}', "',' or '}' is expected")) return false;
  }
  const char *missing = !entry->file        ? "this entry has no \"file\""
                        : !entry->directory ? "this entry has no \"directory\""
                        : !command && !entry->args.count
                            ? "this entry has neither \"command\" nor \"arguments\""
                            : NULL;
  if (missing) {
    reader->at = begin;
    return fail(reader, missing);
  }
  if (!entry->args.count) build_split_command(entry, command, reader->arena);
  return true;
}

static bool read_all(JsonReader *reader, BuildDatabase *out) {
  if (!expect(reader, '[', "a list of entries is expected")) return false;
  if (!take(reader, ']')) {
    do {
      BuildEntry entry = {0};
      if (!read_entry(reader, &entry)) return false;
      vec_push(reader->arena, &out->entries, entry);
    } while (take(reader, ','));
    if (!expect(reader, ']', "',' or ']' is expected")) return false;
  }
  skip_space(reader);
  return reader->at == reader->end || fail(reader, "the end of the file is expected");
}

bool build_json_read(const char *text, size_t length, Arena *arena, BuildDatabase *out,
                     const char **mistake) {
  JsonReader reader = {.start = text, .at = text, .end = text + length, .arena = arena};
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) reader.at += 3;
  if (read_all(&reader, out)) return true;
  uint32_t line = 1, column = 1;
  for (const char *at = text; at < reader.mistake_at; at++) {
    column = *at == '\n' ? 1 : column + 1;
    line += *at == '\n';
  }
  *mistake = arena_printf(arena, "%u:%u: %s", line, column, reader.mistake);
  return false;
}
