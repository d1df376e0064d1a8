// Can a file be compiled although clang stops where nvcc goes on? Headers of other libraries that are not
// there often matter to the host only a little: they are replaced by empty ones. And two spellings that nvcc
// takes and clang refuses are corrected where clang points at them: "__shared__ alignas(16)" becomes
// _Alignas, which may stand there, and a single % before a letter in assembly is doubled. Both exist in a
// virtual file system alone
// (-ivfsoverlay), read from memory files; the file is compiled again and again until nothing new is found.
// If then everything parses, the program is analysed with a note for each header left out; if not, the first
// complaint stands. Soundness: macros and code of a missing header are not seen; hence the notes. Corrections
// change the spelling, not the meaning, and keep every line where it is.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // memfd_create
#include "frontend/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MISSING_LIMIT = 16, PATCHED_LIMIT = 8, EDIT_LIMIT = 256, ROUND_LIMIT = 24 };
#define SOURCE_LIMIT ((long)16 << 20)
static const char virtual_folder[] = "/hgrd-missing-headers";

typedef struct Edit {
  uint32_t line, column;
  const char *cut, *put; // what stands there, and what is to stand there
} Edit;

typedef struct Patched {
  const char *path;
  StrBuf text; // with the corrections so far
  uint32_t edit_count;
  Edit edits[EDIT_LIMIT]; // that are to come, in the order of the text
  int file;               // memory file with the text, or -1
} Patched;

typedef struct Mend {
  const Toolchain *tools;
  Arena *arena;
  uint32_t missing_count, patched_count;
  const char *missing[MISSING_LIMIT];
  Patched *patched[PATCHED_LIMIT];
} Mend;

// ---- what clang complains about -------------------------------------------------------------------------

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

static bool note_missing(Mend *mend, const Process *run) {
  const char *name = missing_header(run, mend->arena);
  if (!name || mend->missing_count == MISSING_LIMIT) return false;
  for (uint32_t i = 0; i < mend->missing_count; i++)
    if (strcmp(mend->missing[i], name) == 0) return false;
  mend->missing[mend->missing_count++] = name;
  return true;
}

static bool read_source(const char *path, StrBuf *text) {
  FILE *file = fopen(path, "rb");
  char buffer[65536];
  size_t got;
  if (!file) return false;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0 && (long)text->length < SOURCE_LIMIT)
    strbuf_add_n(text, buffer, got);
  bool good = !ferror(file) && (long)text->length < SOURCE_LIMIT;
  fclose(file);
  return good;
}

static Patched *patched_file(Mend *mend, const char *path) {
  for (uint32_t i = 0; i < mend->patched_count; i++)
    if (strcmp(mend->patched[i]->path, path) == 0) return mend->patched[i];
  bool is_plain = path[0] == '/' && !strpbrk(path, "\"\\\n");
  if (!is_plain || mend->patched_count == PATCHED_LIMIT) return NULL;
  Patched *made = arena_new(mend->arena, Patched);
  *made = (Patched){.path = path, .text.arena = mend->arena, .file = -1};
  if (!read_source(path, &made->text)) return NULL;
  return mend->patched[mend->patched_count++] = made;
}

static bool note_edit(Mend *mend, const char *path, Edit edit) {
  char *whole = path_is_system(mend->tools, path) ? NULL : realpath(path, NULL);
  Patched *patched = whole ? patched_file(mend, arena_strdup(mend->arena, whole)) : NULL;
  free(whole);
  if (!patched || patched->edit_count == EDIT_LIMIT) return false;
  uint32_t at = patched->edit_count;
  while (at > 0 &&
         (patched->edits[at - 1].line > edit.line ||
          (patched->edits[at - 1].line == edit.line && patched->edits[at - 1].column >= edit.column)))
    at--;
  const Edit *same = &patched->edits[at];
  if (at < patched->edit_count && same->line == edit.line && same->column == edit.column) return false;
  memmove(&patched->edits[at + 1], &patched->edits[at], (patched->edit_count - at) * sizeof(Edit));
  patched->edits[at] = edit;
  patched->edit_count++;
  return true;
}

// "PATH:LINE:COLUMN: error: TEXT": one line of what clang writes.
static bool note_complaint(Mend *mend, const char *line) {
  static const struct {
    const char *text, *cut, *put;
    uint32_t back; // how far behind the spelling clang points
  } known[] = {{"an attribute list cannot appear here", "alignas", "_Alignas", 0},
               {"invalid % escape in inline assembly string", "%", "%%", 2}};
  const char *mark = strstr(line, ": error: ");
  unsigned row = 0, column = 0;
  if (!mark) return false;
  const char *at = mark;
  for (int colons = 0; at > line && colons < 2; colons += *at == ':')
    at--;
  if (at == line || sscanf(at, ":%u:%u: error", &row, &column) != 2) return false;
  const char *path = arena_strndup(mend->arena, line, (size_t)(at - line));
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (str_starts_with(mark + strlen(": error: "), known[i].text) && column > known[i].back)
      return note_edit(mend, path, (Edit){row, column - known[i].back, known[i].cut, known[i].put});
  return false;
}

static bool note_complaints(Mend *mend, const Process *run) {
  bool is_new = note_missing(mend, run);
  if (run->exit_status <= 0) return is_new;
  for (const char *line = strbuf_text(&run->errors); *line;) {
    size_t length = strcspn(line, "\n");
    is_new |= note_complaint(mend, arena_strndup(mend->arena, line, length));
    line += length + (line[length] != '\0');
  }
  return is_new;
}

// ---- the virtual file system ----------------------------------------------------------------------------

static int memory_file(const char *text, size_t length) {
  int file = memfd_create("hgrd", MFD_CLOEXEC);
  if (file >= 0 && write(file, text, length) == (ssize_t)length) return file;
  if (file >= 0) close(file);
  return -1;
}

// Makes the edits of this round; false if the text does not have what they speak of.
static bool correct(Patched *patched, Arena *arena) {
  const StrBuf old = patched->text, *source = &old;
  StrBuf made = {.arena = arena}, *out = &made;
  uint32_t line = 1, column = 1, next = 0;
  for (size_t i = 0; i < source->length; i++) {
    const Edit *edit = next < patched->edit_count ? &patched->edits[next] : NULL;
    if (edit && edit->line == line && edit->column == column) {
      size_t length = strlen(edit->cut);
      if (source->length - i < length || memcmp(source->text + i, edit->cut, length) != 0) return false;
      strbuf_add(out, edit->put);
      i += length - 1;
      column += (uint32_t)length;
      next++;
      continue;
    }
    strbuf_add_n(out, source->text + i, 1);
    column = source->text[i] == '\n' ? 1 : column + 1;
    line += source->text[i] == '\n';
  }
  bool is_done = next == patched->edit_count;
  patched->text = made;
  patched->edit_count = 0;
  return is_done;
}

static bool write_patched(Patched *patched, Arena *arena) {
  if (!correct(patched, arena)) return false;
  if (patched->file >= 0) close(patched->file);
  patched->file = memory_file(patched->text.text, patched->text.length);
  return patched->file >= 0;
}

// A description of the virtual folder and of the corrected files, as an open memory file.
static int write_overlay(Mend *mend) {
  StrBuf text = {.arena = mend->arena};
  strbuf_add(&text,
             "{\"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [\n");
  for (uint32_t i = 0; i < mend->missing_count; i++)
    strbuf_printf(&text,
                  "%s{\"name\": \"%s/%s\", \"type\": \"file\", \"external-contents\": "
                  "\"%s/shim/texture_fetch_functions.h\"}",
                  i ? ",\n" : "", virtual_folder, mend->missing[i], mend->tools->cuda_dir);
  for (uint32_t i = 0; i < mend->patched_count; i++) {
    if (!write_patched(mend->patched[i], mend->arena)) return -1;
    strbuf_printf(&text,
                  "%s{\"name\": \"%s\", \"type\": \"file\", \"external-contents\": \"/proc/%ld/fd/%d\"}",
                  i || mend->missing_count ? ",\n" : "", mend->patched[i]->path, (long)getpid(),
                  mend->patched[i]->file);
  }
  strbuf_add(&text, "]}\n");
  return memory_file(text.text, text.length);
}

// ---- once more ------------------------------------------------------------------------------------------

// The command with the virtual folder as the last one to look in, and all errors at once.
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

static bool run_again(Mend *mend, uint32_t count, Process **sides, Process *runs) {
  int overlay = write_overlay(mend);
  if (overlay < 0) return false;
  for (uint32_t i = 0; i < count; i++) {
    runs[i] = (Process){.argv = with_overlay(sides[i]->argv, mend->arena), .extra_file = overlay};
    runs[i].output.arena = runs[i].errors.arena = mend->arena;
  }
  process_run_all(runs, count, count);
  close(overlay);
  return true;
}

static bool mend_until_done(Mend *mend, uint32_t count, Process **sides, Process *runs) {
  for (int round = 0; round < ROUND_LIMIT && !all_succeeded(count, runs); round++) {
    bool is_new = false;
    for (uint32_t i = 0; i < count; i++)
      is_new |= note_complaints(mend, &runs[i]);
    if (!is_new || !run_again(mend, count, sides, runs)) return false;
  }
  return all_succeeded(count, runs);
}

bool retry_mended(const Toolchain *tools, uint32_t count, Process **sides, const char *path, Arena *arena,
                  DiagSink *sink) {
  Mend mend = {.tools = tools, .arena = arena};
  Process runs[2];
  for (uint32_t i = 0; i < count; i++)
    runs[i] = *sides[i];
  bool is_mended = mend_until_done(&mend, count, sides, runs);
  for (uint32_t i = 0; i < mend.patched_count; i++)
    if (mend.patched[i]->file >= 0) close(mend.patched[i]->file);
  if (!is_mended) return false;
  for (uint32_t i = 0; i < count; i++)
    *sides[i] = runs[i];
  for (uint32_t i = 0; i < mend.missing_count; i++)
    diag_report(sink, DIAG_NOTE, NULL, "%s: '%s' is not found and is left out: name its folder with -- -I",
                path, mend.missing[i]);
  return true;
}
