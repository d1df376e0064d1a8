// Can a file be read although one of its #includes is not there? Headers of other libraries often matter to
// the host only a little. When clang stops at one, the file is compiled again with an empty header of that
// name, which exists in a virtual file system alone (-ivfsoverlay, read from a memory file); and so on, up to
// a limit. If then everything else parses, the program is analysed with a note for each header left out; if
// not, the first complaint stands. Soundness: macros and code of the missing header are not seen; hence the
// notes.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memfd_create
#include "frontend/internal.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MISSING_LIMIT = 16 };
static const char virtual_folder[] = "/hgrd-missing-headers";

// The name in "fatal error: 'NAME' file not found", which clang shows as "#include <NAME>"; NULL if the
// failure is another.
static const char *missing_header(const Process *process, Arena *arena) {
  const char *text = strbuf_text(&process->errors), *mark = "fatal error: '";
  const char *at = process->exit_status > 0 ? strstr(text, mark) : NULL;
  if (!at) return NULL;
  at += strlen(mark);
  size_t length = strcspn(at, "'\n");
  const char *name = arena_strndup(arena, at, length);
  bool is_plain = length > 0 && name[0] != '/' && !strstr(name, "..") && !strpbrk(name, "\"\\{}[],:");
  bool is_fit = is_plain && str_starts_with(at + length, "' file not found");
  return is_fit && strstr(at, arena_printf(arena, "<%s>", name)) ? name : NULL;
}

// A description of the virtual folder, as an open memory file.
static int write_overlay(const Toolchain *tools, uint32_t count, const char *const *names, Arena *arena) {
  StrBuf text = {.arena = arena};
  strbuf_add(&text, "{\"version\": 0, \"case-sensitive\": true, \"roots\": [\n");
  for (uint32_t i = 0; i < count; i++)
    strbuf_printf(&text,
                  "%s{\"name\": \"%s/%s\", \"type\": \"file\", \"external-contents\": "
                  "\"%s/shim/texture_fetch_functions.h\"}",
                  i ? ",\n" : "", virtual_folder, names[i], tools->cuda_dir);
  strbuf_add(&text, "]}\n");
  int file = memfd_create("hgrd-overlay", MFD_CLOEXEC);
  if (file >= 0 && write(file, text.text, text.length) == (ssize_t)text.length) return file;
  if (file >= 0) close(file);
  return -1;
}

// The command with the virtual folder as the last one to look in.
static const char *const *with_overlay(const char *const *argv, Arena *arena) {
  uint32_t count = 0;
  while (argv[count])
    count++;
  const char *const added[] = {"-ivfsoverlay", PROCESS_EXTRA_FILE, "-idirafter", virtual_folder};
  enum { ADDED = sizeof added / sizeof *added };
  const char **out = arena_array(arena, count + ADDED + 1, const char *);
  out[0] = argv[0];
  memcpy(out + 1, added, sizeof added);
  memcpy(out + 1 + ADDED, argv + 1, (count - 1) * sizeof *argv);
  return out;
}

static bool all_succeeded(uint32_t count, const Process *runs) {
  for (uint32_t i = 0; i < count; i++)
    if (runs[i].start_error || runs[i].exit_status != 0) return false;
  return true;
}

static bool add_missing(uint32_t count, const Process *runs, const char **names, uint32_t *name_count,
                        Arena *arena) {
  uint32_t before = *name_count;
  for (uint32_t i = 0; i < count; i++) {
    const char *name = missing_header(&runs[i], arena);
    bool is_known = name == NULL;
    for (uint32_t k = 0; name && k < *name_count; k++)
      is_known |= strcmp(names[k], name) == 0;
    if (!is_known && *name_count < MISSING_LIMIT) names[(*name_count)++] = name;
  }
  return *name_count > before;
}

bool retry_without_missing(const Toolchain *tools, uint32_t count, Process **sides, const char *path,
                           Arena *arena, DiagSink *sink) {
  const char *names[MISSING_LIMIT];
  Process runs[2];
  uint32_t name_count = 0;
  for (uint32_t i = 0; i < count; i++)
    runs[i] = *sides[i];
  while (!all_succeeded(count, runs)) {
    if (!add_missing(count, runs, names, &name_count, arena)) return false;
    int overlay = write_overlay(tools, name_count, names, arena);
    if (overlay < 0) return false;
    for (uint32_t i = 0; i < count; i++) {
      runs[i] = (Process){.argv = with_overlay(sides[i]->argv, arena), .extra_file = overlay};
      runs[i].output.arena = runs[i].errors.arena = arena;
    }
    process_run_all(runs, count, count);
    close(overlay);
  }
  for (uint32_t i = 0; i < count; i++)
    *sides[i] = runs[i];
  for (uint32_t i = 0; i < name_count; i++)
    diag_report(sink, DIAG_NOTE, NULL, "%s: '%s' is not found and is left out: name its folder with -- -I",
                path, names[i]);
  return true;
}
