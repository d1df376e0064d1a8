// Any text as a compile_commands.json: it is read or refused with one mistake, and whatever commands stand in it,
// clang is handed only flags of the forms that are harmless, each with its value. The forms are listed anew here, so
// that a mistake in the tables of flags.c shows.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <string.h>

static bool is_one_of(const char *flag, const char *const *names, size_t count, bool is_prefix) {
  for (size_t i = 0; i < count; i++)
    if (is_prefix ? strncmp(flag, names[i], strlen(names[i])) == 0 : strcmp(flag, names[i]) == 0) return true;
  return false;
}
#define ONE_OF(flag, list, is_prefix) is_one_of((flag), (list), sizeof(list) / sizeof *(list), (is_prefix))

static void check_flags(const CompileFlags *flags) {
  static const char *const separate[] = {"-I",         "-D",       "-U",        "-isystem", "-iquote",
                                         "-idirafter", "-include", "-isysroot", "-imacros"};
  static const char *const harmless[] = {"-I",         "-D",       "-U",      "-isystem", "-iquote", "-idirafter",
                                         "-std=",      "--std=",   "-stdlib", "-nostdinc", "-ansi",  "-pthread",
                                         "-m32",       "-m64",     "-mavx",   "-msse",    "-mfma",   "-march=",
                                         "--sysroot",  "-f"};
  static const char *const harmful[] = {"-fplugin",  "-fpass-plugin", "-fmodule", "-fprebuilt", "-fcuda",
                                        "-foptimization", "-fproc",  "-fsave",   "-fdump",     "-ftime-trace",
                                        "-fprofile", "-fcrash",       "-fsanitize"};
  for (uint32_t i = 0; i < flags->args.count; i++) {
    const char *flag = flags->args.items[i];
    if (ONE_OF(flag, separate, false)) {
      BUG_UNLESS(++i < flags->args.count); // its value
      continue;
    }
    BUG_UNLESS(ONE_OF(flag, harmless, true) && !ONE_OF(flag, harmful, true));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena *arena = arena_open();
  DiagSink *sink = diag_sink_make(arena);
  BuildDatabase database = {0};
  const char *mistake = NULL;
  bool is_read = build_json_read((const char *)data, size, arena, &database, &mistake);
  BUG_UNLESS(is_read == (mistake == NULL));
  static const char *const nowhere[] = {"/nonexistent/a", "/nonexistent/b"};
  for (uint32_t i = 0; is_read && i < database.entries.count; i++) {
    BuildEntry *entry = &database.entries.items[i];
    BUG_UNLESS(entry->file && entry->directory);
    entry->resolved = entry->file;
    BuildCommand command = build_entry_command(entry, arena);
    command.roots = nowhere;
    CompileFlags flags = {0};
    build_command_flags(&command, arena, sink, &flags);
    check_flags(&flags);
  }
  if (!is_read) { // as a list of flags given by hand, one a line
    char *text = arena_strndup(arena, (const char *)data, size);
    VEC(const char *) words = {0};
    for (char *word = strtok(text, "\n"); word; word = strtok(NULL, "\n"))
      vec_push(arena, &words, word);
    CompileFlags flags = {0};
    flags_filter(words.count, words.items, arena, sink, &flags);
    check_flags(&flags);
  }
  arena_close(arena);
  return 0;
}
