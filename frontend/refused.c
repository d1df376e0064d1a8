// Which of the user's flags does clang itself refuse? What flags.c lets through by its form may still name a
// processor, a standard or a character set that this clang does not know ("-march=zen9"). It says so in lines
// without a place, which quote the flag or its value. Such a flag is left out with a note, and the file is
// compiled without it, as with any other that is not known. Soundness: the note says that the text may read
// otherwise than in the build.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <string.h>

static bool is_quoted_flag(const char *flag, const char *quoted, size_t length) {
  const char *value = strchr(flag, '=');
  bool is_flag = strlen(flag) == length && memcmp(flag, quoted, length) == 0;
  return is_flag || (value && strlen(value + 1) == length && memcmp(value + 1, quoted, length) == 0);
}

// The flag that the line quotes; `count` if none.
static uint32_t flag_in_line(const CompileFlags *flags, const char *line, size_t length) {
  const char *end = line + length;
  for (const char *at = line; (at = memchr(at, '\'', (size_t)(end - at))) != NULL;) {
    const char *quoted = at + 1, *close = memchr(quoted, '\'', (size_t)(end - quoted));
    if (!close) break;
    for (uint32_t i = 0; i < flags->args.count; i++)
      if (flags->args.items[i][0] == '-' &&
          is_quoted_flag(flags->args.items[i], quoted, (size_t)(close - quoted)))
        return i;
    at = close + 1;
  }
  return flags->args.count;
}

static uint32_t refused_flag(const char *text, const CompileFlags *flags, const char **reason, Arena *arena) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    const char *mark = strstr(text, "error: ");
    bool is_error = mark && mark < text + length && (mark == text || str_starts_with(text, "clang"));
    uint32_t found = is_error ? flag_in_line(flags, mark, (size_t)(text + length - mark)) : flags->args.count;
    if (found < flags->args.count) {
      mark += strlen("error: ");
      *reason = arena_strndup(arena, mark, (size_t)(text + length - mark));
      return found;
    }
    text += length + (text[length] == '\n');
  }
  return flags->args.count;
}

const CompileFlags *flags_clang_takes(const CompileFlags *flags, const Process *process, Arena *arena,
                                      DiagSink *sink) {
  const char *reason = "";
  uint32_t refused = process->start_error || process->exit_status <= 0
                         ? flags->args.count
                         : refused_flag(strbuf_text(&process->errors), flags, &reason, arena);
  if (refused == flags->args.count) return NULL;
  CompileFlags *fewer = arena_new(arena, CompileFlags);
  *fewer = *flags;
  fewer->args.items = NULL;
  fewer->args.count = fewer->args.capacity = 0;
  for (uint32_t i = 0; i < flags->args.count; i++)
    if (i != refused) vec_push(arena, &fewer->args, flags->args.items[i]);
  if (strstr(flags->args.items[refused], "-std=")) fewer->has_standard = false;
  flags_note_gap(sink, arena_printf(arena, "flag '%s' is not handed to clang, which refuses it: %s",
                                    flags->args.items[refused], reason));
  return fewer;
}
