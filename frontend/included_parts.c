// Is a file that does not compile by itself a part of another one? Many programs include their kernels as
// text ("kernels.cu" in "main.cu"); who names all files of a folder names both. clang lists what the other
// file includes (-M), which is compared by the files meant, not by their names. Soundness: what the part
// defines under the macros of the other file is checked there, and nowhere else; the caller says so.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memmem, realpath
#include "frontend/lower.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

const char *const *part_list_command(const char *const *compile, Arena *arena) {
  ASSERT(compile);
  uint32_t count = 0;
  while (compile[count])
    count++;
  const char **out = arena_array(arena, count + 1, const char *);
  for (uint32_t i = 0; i < count; i++)
    out[i] = strcmp(compile[i], "-c") == 0           ? "-M"
             : strcmp(compile[i], "-emit-llvm") == 0 ? "-MG"
                                                     : compile[i];
  return out;
}

// The next name of "main.o: main.cu \<end of line> kernels.cu"; "\ " is a space in a name. NULL at the end.
const char *part_list_next(const char **at, Arena *arena) {
  ASSERT(at);
  while (**at == ' ' || **at == '\n' || (**at == '\\' && (*at)[1] == '\n'))
    *at += **at == '\\' ? 2 : 1;
  StrBuf name = {.arena = arena};
  for (; **at && **at != ' ' && **at != '\n'; (*at)++) {
    if (**at == '\\' && (*at)[1] == '\n') break;
    if (**at == '\\' && (*at)[1] == ' ') (*at)++;
    strbuf_add_n(&name, *at, 1);
  }
  return name.length ? strbuf_text(&name) : NULL;
}

const char *part_list(const char *const *compile_other, Arena *arena) {
  ASSERT(compile_other);
  Process process = {.argv = part_list_command(compile_other, arena)};
  process.output.arena = process.errors.arena = arena;
  process_run_all(&process, 1, 1);
  return process.start_error || process.exit_status != 0 ? "" : strbuf_text(&process.output);
}

enum { PART_BYTES_LIMIT = 16 << 20 };

bool part_list_mentions(const char *list, const char *word, const Toolchain *tools) {
  ASSERT(list);
  ASSERT(word);
  Arena *scratch = arena_open();
  bool is_found = false;
  const char *at = list;
  for (const char *name; !is_found && (name = part_list_next(&at, scratch)) != NULL;) {
    size_t length;
    const char *text =
        path_is_system(tools, name) ? NULL : source_text(tools, name, PART_BYTES_LIMIT, scratch, &length);
    is_found = text && memmem(text, length, word, strlen(word));
  }
  arena_close(scratch);
  return is_found;
}

bool part_is_in(const char *path, const char *list, Arena *arena) {
  ASSERT(path);
  ASSERT(list);
  char *part = realpath(path, NULL);
  bool is_found = false;
  const char *at = list;
  for (const char *name; part && !is_found && (name = part_list_next(&at, arena)) != NULL;) {
    char *whole = realpath(name, NULL);
    is_found = whole && strcmp(whole, part) == 0;
    free(whole);
  }
  free(part);
  return is_found;
}
