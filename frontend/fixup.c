// Can a file be compiled although clang stops where nvcc goes on? Headers of other libraries that are not
// there (missing.c) often matter to the host only a little: they are replaced by empty ones. And what nvcc
// takes and clang refuses is corrected where clang points at it: "__shared__ alignas(16)" becomes _Alignas,
// which may stand there; the brackets of a launch that an editor has parted (`<< <`) are joined; a single %
// before a letter in assembly is doubled; a function that is declared without
// __device__ and defined with it gets both attributes at both places; a kernel launch in device code becomes
// a call (see mend_launch.c). All this exists in a virtual file system alone (-ivfsoverlay), read from memory
// files; the file is compiled again and again until nothing new is found. Host code that does not parse
// without a missing header is left out (see mend_host.c). If then everything parses, the program is analysed
// with a note for each header left out; if not, the first complaint stands. Soundness: macros and code of a
// missing header are not seen; hence the notes. Corrections change the spelling, not the
// meaning, and keep every line where it is.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // realpath
#include "frontend/internal.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MISSING_LIMIT = 32, PATCHED_LIMIT = 8, EDIT_LIMIT = 256, ROUND_LIMIT = 40 };
#define SOURCE_LIMIT ((long)16 << 20)
static const char virtual_folder[] = MEND_FOLDER;

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

typedef struct MacroUse {
  Patched *patched;
  uint32_t line, column;
} MacroUse;

typedef struct Mend {
  const Toolchain *tools;
  Arena *arena;
  uint32_t missing_count, patched_count;
  MissingHeader missing[MISSING_LIMIT];
  Patched *patched[PATCHED_LIMIT];
  MendResult *result;
  int stand_in; // memory file that stands in place of each header that is not there; -1: an empty one
  bool awaits_declaration; // of what the last error speaks of
  MacroUse macro_use;      // to which the last error belongs, until it is known where the macro stands
} Mend;

// ---- what clang complains about

static bool read_source(const Toolchain *tools, const char *path, StrBuf *text) {
  FILE *file = fopen(overlay_text_path(tools->overlay, path), "rb");
  char buffer[65536];
  size_t got;
  if (!file) return false;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0 && (long)text->length < SOURCE_LIMIT)
    strbuf_add_n(text, buffer, got);
  bool good = !ferror(file) && (long)text->length < SOURCE_LIMIT;
  fclose(file);
  return good;
}

// The file of that name, if it is the user's.
static Patched *patched_file(Mend *mend, const char *given) {
  char *whole = path_is_system(mend->tools, given) ? NULL : realpath(given, NULL);
  const char *path = whole ? arena_strdup(mend->arena, whole) : "";
  free(whole);
  for (uint32_t i = 0; i < mend->patched_count; i++)
    if (strcmp(mend->patched[i]->path, path) == 0) return mend->patched[i];
  bool is_plain = path[0] == '/' && !strpbrk(path, "\"\\\n");
  if (!is_plain || mend->patched_count == PATCHED_LIMIT) return NULL;
  Patched *made = arena_new(mend->arena, Patched);
  *made = (Patched){.path = path, .text.arena = mend->arena, .file = -1};
  if (!read_source(mend->tools, path, &made->text)) return NULL;
  return mend->patched[mend->patched_count++] = made;
}

static bool note_edit(Patched *patched, Edit edit) {
  if (patched->edit_count == EDIT_LIMIT) return false;
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

// A name such as "../other/library.h", which no folder named makes whole, becomes that of the file itself.
static bool note_whole_name(Mend *mend, const MissingHeader *header) {
  Patched *patched = patched_file(mend, header->includer);
  const char *folder = header->folder ? header->folder : virtual_folder;
  const char *put = arena_printf(mend->arena, "%s/%s", folder, header->plain);
  return patched && note_edit(patched, (Edit){header->line, header->column + 1, header->name, put});
}

static bool add_missing(Mend *mend, MissingHeader header) {
  if (mend->missing_count == MISSING_LIMIT) return false;
  for (uint32_t i = 0; i < mend->missing_count; i++)
    if (strcmp(mend->missing[i].name, header.name) == 0 &&
        strcmp(mend->missing[i].includer, header.includer) == 0)
      return false;
  header.folder = missing_header_folder(&header, mend->arena);
  trail_note_search(mend->tools->trail, &header);
  if (header.plain != header.name && !note_whole_name(mend, &header)) return false;
  mend->missing[mend->missing_count++] = header;
  return true;
}

static bool note_missing(Mend *mend, const Process *run) {
  MissingHeader header;
  return missing_header_of(run, mend->arena, &header) && add_missing(mend, header);
}

// What is done about what clang says, at the place that it names.
typedef enum Correction {
  CORRECT_TEXT,
  CORRECT_COMMA,
  CORRECT_ZEROS,
  CORRECT_TEMPLATE,
  CORRECT_LAUNCH_SPELLING,
  CORRECT_BEFORE_BRACE,
  CORRECT_SIDES,
  CORRECT_LAUNCH_OF_FUNCTION,
  CORRECT_LAUNCH,
  CORRECT_LAUNCH_OF_FUNCTION_BOTH, // in a function of both sides
  CORRECT_LAUNCH_BOTH,
  CORRECT_DECLARATION
} Correction;

static const char both_sides[] = "__attribute__((host)) __attribute__((device)) ";

// nvcc merges the attributes of all declarations of a function; clang takes them for different functions.
static bool note_both_sides(Mend *mend, Patched *patched, uint32_t line, uint32_t column) {
  const char *text = strbuf_text(&patched->text), *at = text;
  for (uint32_t row = 1; row < line && *at; row++) {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  if (column > strcspn(at, "\n")) return false;
  at += column - 1;
  size_t length = 0, before = strlen(both_sides);
  while (isalnum((unsigned char)at[length]) || at[length] == '_')
    length++;
  bool is_done = (size_t)(at - text) >= before && memcmp(at - before, both_sides, before) == 0;
  const char *name = arena_strndup(mend->arena, at, length);
  if (is_done || length == 0) return false;
  const char *put = arena_printf(mend->arena, "%s%s", both_sides, name);
  return note_edit(patched, (Edit){line, column, name, put});
}

// "a = {x, y}" where several classes could be meant: that of `a` is, which the message names first.
static bool note_type(Mend *mend, Patched *patched, uint32_t line, uint32_t column, const char *message) {
  const char *mark = strstr(message, "(with operand types '"), *end = NULL;
  if (mark) mark += strlen("(with operand types '"), end = strchr(mark, '\'');
  if (!end) return false;
  const char *put = arena_printf(mend->arena, "= %.*s", (int)(end - mark), mark);
  return note_edit(patched, (Edit){line, column, "=", put});
}

static const char *replace_all(const char *text, const char *what, const char *by, Arena *arena) {
  StrBuf out = {.arena = arena};
  for (const char *at; (at = strstr(text, what)) != NULL; text = at + strlen(what)) {
    strbuf_add_n(&out, text, (size_t)(at - text));
    strbuf_add(&out, by);
  }
  strbuf_add(&out, text);
  return strbuf_text(&out);
}

static bool note_launch_edits(Patched *patched, const MendLaunch *launch, const char *start,
                              const char *close) {
  return note_edit(patched, (Edit){launch->start.line, launch->start.column, launch->callee, start}) &&
         note_edit(patched, (Edit){launch->open.line, launch->open.column, "<<<", ""}) &&
         note_edit(patched, (Edit){launch->close.line, launch->close.column, ">>>", close});
}

// NULL is a number where its type is deduced, and may be a pointer for the kernel.
static void note_nulls(Patched *patched, size_t arguments) {
  for (size_t at = arguments; mend_launch_next_null(&patched->text, &at); at++) {
    MendPlace place = mend_place_of(&patched->text, at);
    (void)note_edit(patched, (Edit){place.line, place.column, "NULL", "nullptr"});
  }
}

// The host's calls of the macro are read with the device's code as well.
static void note_nulls_of_calls(Patched *patched, const MendLaunch *launch) {
  for (uint32_t i = 0; i < launch->macros.count; i++)
    for (size_t at = 0; mend_launch_next_call(&patched->text, launch->macros.items[i], &at);)
      note_nulls(patched, at);
}

// A macro may stand in code of either side, and in another file than its use. Each use names another kernel.
static bool note_launch_in_macro(Mend *mend, Patched *macros, const MacroUse *use) {
  MendLaunch launch;
  if (!mend_launch_find_macro(&macros->text, &use->patched->text, use->line, use->column, mend->arena,
                              &launch))
    return false;
  const char *put = arena_printf(mend->arena, "__HGRD_LAUNCH_ANYWHERE((%s), (", launch.callee);
  vec_push(mend->arena, &mend->result->device_launches, launch.kernel);
  note_nulls_of_calls(use->patched, &launch);
  return note_launch_edits(macros, &launch, put, "), ") &&
         note_edit(macros, (Edit){launch.end.line, launch.end.column, ")", "))"});
}

// A kernel whose template arguments are deduced from the launch cannot be named by itself. In a function of
// both sides the launch stays what it is on the host.
static bool note_launch(Mend *mend, Patched *patched, uint32_t line, uint32_t column, Correction kind) {
  MendLaunch launch;
  if (!mend_launch_find(&patched->text, line, column, mend->arena, &launch)) {
    mend->macro_use = (MacroUse){patched, line, column};
    return note_launch_in_macro(mend, patched, &mend->macro_use);
  }
  bool is_function = kind == CORRECT_LAUNCH_OF_FUNCTION || kind == CORRECT_LAUNCH_OF_FUNCTION_BOTH;
  bool is_both = kind == CORRECT_LAUNCH_BOTH || kind == CORRECT_LAUNCH_OF_FUNCTION_BOTH;
  bool is_named = is_function || strchr(launch.callee, '>');
  const char *form = is_both    ? (is_named ? "__HGRD_LAUNCH_NAMED(%s) " : "__HGRD_LAUNCH_DEDUCED(%s) ")
                     : is_named ? "__hgrd_device_launch<decltype(&%s), &%s>("
                                : "__hgrd_device_launch(__HGRD_LAUNCHER(%s), ";
  const char *put = replace_all(form, "%s", launch.callee, mend->arena);
  vec_push(mend->arena, &mend->result->device_launches, launch.kernel);
  if (!is_named) note_nulls(patched, launch.arguments);
  return note_launch_edits(patched, &launch, put, is_both ? " __HGRD_LAUNCH_CLOSE" : ")");
}

static const struct {
  const char *text, *also; // how the message begins, and what it has besides
  Correction correction;
  const char *cut, *put;
  uint32_t back; // how far behind the spelling clang points
} known[] = {
    {"error: an attribute list cannot appear here", "", CORRECT_TEXT, "alignas", "_Alignas", 0},
    {"error: 'alignas' attribute cannot be applied to types", "", CORRECT_TEXT, "alignas", "_Alignas", 0},
    {"error: invalid % escape in inline assembly string", "", CORRECT_TEXT, "%", "%%", 2},
    {"error: string literal with user-defined suffix cannot be used here", "", CORRECT_TEXT, "_", " _", 0},
    {"error: expected ')'", "", CORRECT_COMMA, "", "", 0},
    {"error: reference to overloaded function could not be resolved", "", CORRECT_TEMPLATE, "", "", 0},
    {"error: missing 'template' keyword prior to dependent template name", "", CORRECT_TEMPLATE, "", "", 0},
    {"error: expected expression", "", CORRECT_LAUNCH_SPELLING, "", "", 0},
    {"error: variable-sized object may not be initialized", "", CORRECT_ZEROS, "", "", 0},
    {"error: use of overloaded operator '=' is ambiguous (with operand types '", "and 'void')",
     CORRECT_BEFORE_BRACE, "", "", 0},
    {"note: candidate function not viable: call to __host__ function from __", "", CORRECT_SIDES, "", "", 0},
    {"error: __device__ function '", "' cannot overload __host__ __device__ function '", CORRECT_SIDES, "",
     "", 0},
    {"error: __host__ function '", "' cannot overload __host__ __device__ function '", CORRECT_SIDES, "", "",
     0},
    {"error: reference to __global__ function '", "' in __global__ function", CORRECT_LAUNCH_OF_FUNCTION, "",
     "", 0},
    {"error: reference to __global__ function '", "' in __device__ function", CORRECT_LAUNCH_OF_FUNCTION, "",
     "", 0},
    {"error: reference to __global__ function '", "' in __host__ __device__ function",
     CORRECT_LAUNCH_OF_FUNCTION_BOTH, "", "", 0},
    {"error: reference to __host__ function '__cudaPushCallConfiguration' in __host__ __device__ function",
     "", CORRECT_LAUNCH_BOTH, "", "", 0},
    {"error: reference to __host__ function '__cudaPushCallConfiguration' in __global__ function", "",
     CORRECT_LAUNCH, "", "", 0},
    {"error: reference to __host__ function '__cudaPushCallConfiguration' in __device__ function", "",
     CORRECT_LAUNCH, "", "", 0},
    {"error: reference to __host__ function '", "", CORRECT_DECLARATION, "", "", 0},
};

static bool note_cut(Patched *patched, const MendCut *cut) {
  return note_edit(patched, (Edit){cut->start.line, cut->start.column, cut->cut, cut->put});
}

static bool note_correction(Mend *mend, size_t which, const char *path, uint32_t line, uint32_t column,
                            const char *message) {
  Patched *patched = patched_file(mend, path);
  MendCut cut;
  if (!patched || column <= known[which].back) return false;
  switch (known[which].correction) {
  case CORRECT_TEXT:
    return note_edit(patched, (Edit){line, column - known[which].back, known[which].cut, known[which].put});
  case CORRECT_COMMA:
    return mend_missing_comma(&patched->text, line, column, &cut) && note_cut(patched, &cut);
  case CORRECT_ZEROS:
    return mend_zeroed_array(&patched->text, line, column, mend->arena, &cut) && note_cut(patched, &cut);
  case CORRECT_LAUNCH_SPELLING:
    return (mend_parted_launch(&patched->text, line, column, mend->arena, &cut) ||
            mend_braced_dimension(&patched->text, line, column, &cut)) &&
           note_cut(patched, &cut);
  case CORRECT_TEMPLATE:
    return mend_missing_template(&patched->text, line, column, mend->arena, &cut) && note_cut(patched, &cut);
  case CORRECT_SIDES: return note_both_sides(mend, patched, line, column);
  case CORRECT_BEFORE_BRACE: return note_type(mend, patched, line, column, message);
  case CORRECT_LAUNCH_OF_FUNCTION:
  case CORRECT_LAUNCH:
  case CORRECT_LAUNCH_OF_FUNCTION_BOTH:
  case CORRECT_LAUNCH_BOTH: return note_launch(mend, patched, line, column, known[which].correction);
  case CORRECT_DECLARATION: mend->awaits_declaration = true; return false;
  }
  return false;
}

// What uses a header that is not there. Without such a header, an error is the user's.
static bool note_left_out(Mend *mend, const char *path, uint32_t line, uint32_t column) {
  MendCut cut;
  bool is_missing = false;
  for (uint32_t i = 0; i < mend->missing_count; i++)
    is_missing |= !mend->missing[i].folder;
  Patched *patched = is_missing ? patched_file(mend, path) : NULL;
  if (!patched || !mend_leave_out(&patched->text, line, column, mend->arena, &cut)) return false;
  if (!note_cut(patched, &cut)) return false;
  vec_push(mend->arena, &mend->result->left_out, arena_printf(mend->arena, "%s:%u", path, cut.start.line));
  return true;
}

// Whether all headers that were missing lie somewhere.
static bool has_all_headers(const Mend *mend) {
  for (uint32_t i = 0; i < mend->missing_count; i++)
    if (!mend->missing[i].folder) return false;
  return true;
}

// "PATH:LINE:COLUMN: error: TEXT" or note: one line of what clang writes.
static bool note_complaint(Mend *mend, const char *line) {
  const char *mark = strstr(line, ": error: ");
  unsigned row = 0, column = 0;
  if (!mark) mark = strstr(line, ": note: ");
  if (!mark) return false;
  const char *at = mark;
  for (int colons = 0; at > line && colons < 2; colons += *at == ':')
    at--;
  if (at == line || sscanf(at, ":%u:%u: ", &row, &column) != 2) return false;
  const char *path = arena_strndup(mend->arena, line, (size_t)(at - line)), *text = mark + strlen(": ");
  if (str_starts_with(text, "error: ")) {
    mend->awaits_declaration = false;
    mend->macro_use.patched = NULL;
  }
  if (mend->macro_use.patched && str_starts_with(text, "note: expanded from macro '")) {
    Patched *macros = patched_file(mend, path);
    return macros && note_launch_in_macro(mend, macros, &mend->macro_use);
  }
  if (mend->awaits_declaration && str_ends_with(text, "' declared here")) {
    Patched *patched = patched_file(mend, path);
    mend->awaits_declaration = false;
    return patched && note_both_sides(mend, patched, row, column);
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (str_starts_with(text, known[i].text) && strstr(text, known[i].also))
      return note_correction(mend, i, path, row, column, text);
  }
  return str_starts_with(text, "error: ") && note_left_out(mend, path, row, column);
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

// ---- the virtual file system

static void advance(const char *text, size_t length, uint32_t *line, uint32_t *column) {
  for (size_t i = 0; i < length; i++) {
    *column = text[i] == '\n' ? 1 : *column + 1;
    *line += text[i] == '\n';
  }
}

static bool is_behind(const Edit *edit, uint32_t line, uint32_t column) {
  return edit->line < line || (edit->line == line && edit->column < column);
}

// Makes the edits of this round, but those in what another one cuts; false if the text does not have what
// they speak of.
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
      advance(source->text + i, length, &line, &column);
      i += length - 1;
      while (next < patched->edit_count && is_behind(&patched->edits[next], line, column))
        next++;
      continue;
    }
    strbuf_add_n(out, source->text + i, 1);
    advance(source->text + i, 1, &line, &column);
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

// Is an empty header of the name among those before?
static bool is_listed(const Mend *mend, uint32_t which) {
  for (uint32_t i = 0; i < which; i++)
    if (!mend->missing[i].folder && strcmp(mend->missing[i].plain, mend->missing[which].plain) == 0)
      return true;
  return false;
}

// A description of the virtual folder and of the corrected files, as an open memory file.
static int write_overlay(Mend *mend) {
  StrBuf text = {.arena = mend->arena};
  strbuf_add(&text,
             "{\"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [\n");
  const char *separator = "";
  const char *empty =
      mend->stand_in < 0
          ? arena_printf(mend->arena, "%s/shim/texture_fetch_functions.h", mend->tools->cuda_dir)
          : arena_printf(mend->arena, "/proc/%ld/fd/%d", (long)getpid(), mend->stand_in);
  for (uint32_t i = 0; i < mend->missing_count; i++) {
    if (mend->missing[i].folder || is_listed(mend, i)) continue;
    strbuf_printf(&text, "%s{\"name\": \"%s/%s\", \"type\": \"file\", \"external-contents\": \"%s\"}",
                  separator, virtual_folder, mend->missing[i].plain, empty);
    separator = ",\n";
  }
  for (uint32_t i = 0; i < mend->patched_count; i++) {
    if (!write_patched(mend->patched[i], mend->arena)) return -1;
    strbuf_printf(&text,
                  "%s{\"name\": \"%s\", \"type\": \"file\", \"external-contents\": \"/proc/%ld/fd/%d\"}",
                  separator, mend->patched[i]->path, (long)getpid(), mend->patched[i]->file);
    separator = ",\n";
  }
  strbuf_add(&text, "]}\n");
  return memory_file(text.text, text.length);
}

// ---- once more

// The command with the folders of headers that were found, and the virtual one as the last to look in.
static const char *const *with_overlay(const Mend *mend, const char *const *argv) {
  VEC(const char *) out = {0};
  uint32_t first = 1; // of the arguments that follow: what is named later lies on top
  vec_push(mend->arena, &out, argv[0]);
  for (uint32_t i = 1; mend->tools->overlay_file && argv[i]; i++)
    if (argv[i] == mend->tools->overlay_file) first = i + 1;
  for (uint32_t i = 1; i < first; i++)
    vec_push(mend->arena, &out, argv[i]);
  vec_push(mend->arena, &out, "-ivfsoverlay");
  vec_push(mend->arena, &out, PROCESS_EXTRA_FILE);
  for (uint32_t i = 0; i <= mend->missing_count; i++) {
    const char *folder = i < mend->missing_count ? mend->missing[i].folder : virtual_folder;
    if (!folder) continue;
    vec_push(mend->arena, &out, "-idirafter");
    vec_push(mend->arena, &out, folder);
  }
  for (uint32_t i = first; argv[i]; i++)
    vec_push(mend->arena, &out, argv[i]);
  vec_push(mend->arena, &out, NULL);
  return out.items;
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
    runs[i] = (Process){.argv = with_overlay(mend, sides[i]->argv), .extra_file = overlay};
    runs[i].output.arena = runs[i].errors.arena = mend->arena;
    runs[i].wants_list = mend->tools->trail != NULL;
  }
  process_run_all(runs, count, count);
  trail_note_runs(mend->tools->trail, runs, count);
  close(overlay);
  return true;
}

typedef const char *const *(*CommandForm)(const char *const *compile, Arena *arena);

static bool run_form(Mend *mend, uint32_t count, const Process *compiled, CommandForm form, Process *out) {
  int overlay = write_overlay(mend);
  if (overlay < 0) return false;
  for (uint32_t i = 0; i < count; i++) {
    out[i] = (Process){.argv = form(compiled[i].argv, mend->arena), .extra_file = overlay};
    out[i].output.arena = out[i].errors.arena = mend->arena;
    out[i].wants_list = mend->tools->trail && form != part_list_command;
  }
  process_run_all(out, count, count);
  for (uint32_t i = 0; i < count; i++)
    trail_note_asked(mend->tools->trail, &out[i]);
  close(overlay);
  return true;
}

// Where one header is missing, more may be: those behind it are asked for, not met one by one.
static void note_all_missing(Mend *mend, uint32_t count, const Process *runs) {
  Process listed[2];
  if (!run_form(mend, count, runs, part_list_command, listed)) return;
  for (uint32_t i = 0; i < count; i++) {
    const char *list = strbuf_text(&listed[i].output), *at = list;
    MissingHeader header;
    while (listed[i].exit_status == 0 && missing_headers_next(mend->tools, list, &at, mend->arena, &header))
      (void)add_missing(mend, header);
  }
}

// What is complained of in the end is not a header that was found.
static void take_complaints(uint32_t count, Process **sides, const Process *runs) {
  for (uint32_t i = 0; i < count; i++) {
    if (runs[i].exit_status <= 0) continue;
    sides[i]->exit_status = runs[i].exit_status;
    sides[i]->errors = runs[i].errors;
  }
}

static bool mend_until_done(Mend *mend, uint32_t count, Process **sides, Process *runs) {
  for (int round = 0; round < ROUND_LIMIT && !all_succeeded(count, runs); round++) {
    bool is_new = false;
    uint32_t missing_before = mend->missing_count;
    if (mend->missing_count > 0 && has_all_headers(mend)) take_complaints(count, sides, runs);
    for (uint32_t i = 0; i < count; i++)
      is_new |= note_complaints(mend, &runs[i]);
    if (mend->missing_count > missing_before && mend->missing_count > 1) note_all_missing(mend, count, runs);
    if (!is_new || !run_again(mend, count, sides, runs)) return false;
  }
  return all_succeeded(count, runs);
}

// ---- what is said of it

static SrcLoc place_of_include(const MissingHeader *header, DiagSink *sink) {
  if (header->includer[0] == '<') return (SrcLoc){0}; // a flag names it
  return (SrcLoc){
      .file = arena_strdup(sink->arena, header->includer), .line = header->line, .column = header->column};
}

static bool is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// Does a folder have the name, where the header was looked for? clang passes over it.
static bool names_folder(const MissingHeader *header, const char *const *argv, Arena *arena) {
  const char *slash = strrchr(header->includer, '/');
  if (is_folder(header->name)) return true;
  if (slash && is_folder(arena_printf(arena, "%.*s/%s", (int)(slash - header->includer), header->includer,
                                      header->name)))
    return true;
  for (uint32_t i = 0; argv[i]; i++) {
    const char *folder = str_starts_with(argv[i], "-I") ? argv[i] + 2 : NULL;
    if (folder && !*folder) folder = argv[i + 1];
    if (folder && is_folder(arena_printf(arena, "%s/%s", folder, header->name))) return true;
  }
  return false;
}

static void note_header(const MissingHeader *header, const char *const *argv, Arena *arena, DiagSink *sink) {
  SrcLoc loc = place_of_include(header, sink);
  if (!header->folder && names_folder(header, argv, arena))
    diag_report_gap(sink, &loc, "'%s' is a folder, no header, and is left out: name a header", header->name);
  else if (header->folder)
    diag_report_gap(sink, &loc,
                    "'%s' is not found in the folders named, %s/%s is taken: name its folder with -- -I",
                    header->name, header->folder, header->plain);
  else
    diag_report_gap(sink, &loc, "'%s' is not found and is left out: name its folder with -- -I",
                    header->name);
}

enum { PLACES_SHOWN = 8 };

static void note_left_out_parts(const MendResult *result, const char *path, Arena *arena, DiagSink *sink) {
  uint32_t count = result->left_out.count;
  StrBuf places = {.arena = arena};
  if (count == 0) return;
  for (uint32_t i = 0; i < count && i < PLACES_SHOWN; i++)
    strbuf_printf(&places, "%s%s", i ? ", " : "", result->left_out.items[i]);
  if (count > PLACES_SHOWN) strbuf_printf(&places, " and %u more", count - PLACES_SHOWN);
  diag_report_gap(
      sink, NULL,
      "%s: %u declaration%s or function%s of the host (%s) need%s it and %s left out: every kernel is "
      "checked for any launch, and a template that only they use is not checked",
      path, count, count == 1 ? "" : "s", count == 1 ? "" : "s", strbuf_text(&places), count == 1 ? "s" : "",
      count == 1 ? "is" : "are");
}

// "the header 'config.h' that was not found (k.cu:1)"
static const char *origin_of_macros(const Mend *mend) {
  const MissingHeader *first = NULL;
  uint32_t more = 0;
  for (uint32_t i = 0; i < mend->missing_count; i++) {
    if (mend->missing[i].folder) continue;
    more += first != NULL;
    if (!first) first = &mend->missing[i];
  }
  if (!first) return NULL;
  const char *place = first->includer[0] == '<'
                          ? "named by a flag"
                          : arena_printf(mend->arena, "%s:%u", first->includer, first->line);
  return more ? arena_printf(mend->arena, "the header '%s' that was not found (%s), or one of %u others,",
                             first->name, place, more)
              : arena_printf(mend->arena, "the header '%s' that was not found (%s)", first->name, place);
}

// What the files of both sides test, where the headers that are not there would stand.
static void find_doubts(Mend *mend, uint32_t count, const Process *compiled) {
  const char *origin = origin_of_macros(mend);
  Process runs[2];
  StrBuf list = {.arena = mend->arena}, header = {.arena = mend->arena};
  if (!origin) return;
  bool is_done = run_form(mend, count, compiled, part_list_command, runs);
  for (uint32_t i = 0; i < count && is_done; i++)
    strbuf_printf(&list, "%s\n", strbuf_text(&runs[i].output));
  is_done = is_done && missing_macros_header(mend->tools, strbuf_text(&list), mend->arena, &header);
  mend->stand_in = is_done ? memory_file(header.text, header.length) : -1;
  is_done = mend->stand_in >= 0 && run_form(mend, count, compiled, missing_macros_command, runs);
  for (uint32_t i = 0; i < count; i++)
    missing_macros_read(mend->tools, is_done ? strbuf_text(&runs[i].errors) : "", origin, mend->arena,
                        &mend->result->doubts);
  if (mend->stand_in >= 0) close(mend->stand_in);
  mend->stand_in = -1;
}

bool retry_mended(const Toolchain *tools, uint32_t count, Process **sides, const char *path, Arena *arena,
                  DiagSink *sink, MendResult *result) {
  ASSERT(sides);
  ASSERT(path);
  ASSERT(result);
  Mend mend = {.tools = tools, .arena = arena, .result = result, .stand_in = -1};
  Process runs[2];
  for (uint32_t i = 0; i < count; i++)
    runs[i] = *sides[i];
  bool is_mended = mend_until_done(&mend, count, sides, runs);
  if (is_mended) find_doubts(&mend, count, runs);
  for (uint32_t i = 0; i < mend.patched_count; i++)
    if (mend.patched[i]->file >= 0) close(mend.patched[i]->file);
  for (uint32_t i = 0; i < count && !is_mended; i++) {
    if (runs[i].start_error || runs[i].exit_status <= 0) continue;
    Process *failure = arena_new(arena, Process);
    *failure = runs[i];
    result->failure = failure;
  }
  if (!is_mended) return false;
  for (uint32_t i = 0; i < count; i++)
    *sides[i] = runs[i];
  for (uint32_t i = 0; i < mend.missing_count; i++)
    note_header(&mend.missing[i], runs[0].argv, arena, sink);
  note_left_out_parts(result, path, arena, sink);
  return true;
}

bool mend_is_of_spelling(const char *complaint, size_t length) {
  ASSERT(complaint);
  const char *error = strstr(complaint, "error: ");
  for (size_t i = 0; error && error < complaint + length && i < sizeof known / sizeof *known; i++)
    if (known[i].correction == CORRECT_TEXT && str_starts_with(error, known[i].text)) return true;
  return false;
}
