// What entries does a compile_commands.json have? The format is clang's (JSON Compilation Database Format
// Specification): an array of objects whose "directory", "file", "output" and either "arguments" or "command" count.
// jansson reads the JSON; libclang's own reader of this format tells neither place nor text of a mistake, and
// writes to stderr by itself. A command is cut into words as a shell would: quotes, backslashes;
// && || and ; are words of their own. Nothing in the text is opened or expanded (no response files).
// Soundness: a file that is not well formed is refused as a whole, with the place of the first mistake.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <jansson.h>
#include <string.h>

// ---- words of a command

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
  ASSERT(command);
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

// ---- entries

// The member's text; NULL with what is wrong in `mistake`, which stays as it is where the member is merely
// missing.
static const char *text_of(const json_t *object, const char *key, Arena *arena, const char **mistake) {
  const json_t *value = json_object_get(object, key);
  if (value && !json_is_string(value)) *mistake = arena_printf(arena, "\"%s\" is no string", key);
  return json_is_string(value) ? arena_strdup(arena, json_string_value(value)) : NULL;
}

static bool read_arguments(const json_t *list, BuildEntry *entry, Arena *arena) {
  size_t index;
  json_t *word;
  if (list && !json_is_array(list)) return false;
  json_array_foreach(list, index, word) {
    if (!json_is_string(word)) return false;
    vec_push(arena, &entry->args, arena_strdup(arena, json_string_value(word)));
  }
  return true;
}

// NULL: read; otherwise what is wrong.
static const char *read_entry(const json_t *object, BuildEntry *entry, Arena *arena) {
  const char *mistake = NULL;
  if (!json_is_object(object)) return "it is no object";
  entry->file = text_of(object, "file", arena, &mistake);
  entry->directory = text_of(object, "directory", arena, &mistake);
  entry->output = text_of(object, "output", arena, &mistake);
  const char *command = text_of(object, "command", arena, &mistake);
  if (mistake) return mistake;
  if (!entry->file) return "it has no \"file\"";
  if (!entry->directory) return "it has no \"directory\"";
  if (!read_arguments(json_object_get(object, "arguments"), entry, arena))
    return "\"arguments\" is no list of strings";
  if (!entry->args.count && !command) return "it has neither \"command\" nor \"arguments\"";
  if (!entry->args.count) build_split_command(entry, command, arena);
  return NULL;
}

static bool read_all(const json_t *list, Arena *arena, BuildDatabase *out, const char **mistake) {
  size_t index;
  json_t *object;
  if (!json_is_array(list)) {
    *mistake = "1:1: a list of entries is expected";
    return false;
  }
  json_array_foreach(list, index, object) {
    BuildEntry entry = {0};
    const char *wrong = read_entry(object, &entry, arena);
    if (wrong) {
      *mistake = arena_printf(arena, " entry %zu: %s", index + 1, wrong);
      return false;
    }
    vec_push(arena, &out->entries, entry);
  }
  return true;
}

bool build_json_read(const char *text, size_t length, Arena *arena, BuildDatabase *out,
                     const char **mistake) {
  ASSERT(text);
  ASSERT(out);
  ASSERT(mistake);
  static const char byte_order_mark[] = {'\xef', '\xbb', '\xbf'};
  json_error_t error;
  size_t mark = length >= sizeof byte_order_mark && memcmp(text, byte_order_mark, sizeof byte_order_mark) == 0
                    ? sizeof byte_order_mark
                    : 0;
  json_t *list = json_loadb(text + mark, length - mark, 0, &error);
  if (!list) *mistake = arena_printf(arena, "%d:%d: %s", error.line, error.column, error.text);
  bool is_read = list && read_all(list, arena, out, mistake);
  json_decref(list);
  return is_read;
}
