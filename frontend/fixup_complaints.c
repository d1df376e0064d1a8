// What in the text does clang stop at, and what is to stand there in its stead? Each error and note of clang's is read
// for a header that is not there (which an empty one replaces) or a spelling that nvcc takes and clang refuses, and
// becomes an edit of the text at the place that clang names: "__shared__ alignas(16)" becomes _Alignas, which may stand
// there; the brackets of a launch that an editor has parted (`<< <`) are joined; a single % before a letter in assembly
// is doubled; a function that is declared without __device__ and defined with it gets both attributes at both places;
// a kernel launch in device code becomes a call (fixup_launch.c); host code that does not parse without a missing
// header is left out (fixup_host.c).
//
// Soundness: an edit changes the spelling, not the meaning, and keeps every line where it is; what is left out is noted.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700 // realpath
#include "frontend/fixup.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_LIMIT ((long)16 << 20)

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
static Patched *patched_file(FixupState *fixups, const char *given) {
  char *whole = path_is_system(fixups->tools, given) ? NULL : realpath(given, NULL);
  const char *path = whole ? arena_strdup(fixups->arena, whole) : "";
  free(whole);
  for (uint32_t i = 0; i < fixups->patched_count; i++)
    if (strcmp(fixups->patched[i]->path, path) == 0) return fixups->patched[i];
  bool is_plain = path[0] == '/' && !strpbrk(path, "\"\\\n");
  if (!is_plain || fixups->patched_count == FIXUP_PATCHED_LIMIT) return NULL;
  Patched *made = arena_new(fixups->arena, Patched);
  *made = (Patched){.path = path, .text.arena = fixups->arena, .file = -1};
  if (!read_source(fixups->tools, path, &made->text)) return NULL;
  return fixups->patched[fixups->patched_count++] = made;
}

static bool note_edit(Patched *patched, Edit edit) {
  if (patched->edit_count == FIXUP_EDIT_LIMIT) return false;
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
static bool note_whole_name(FixupState *fixups, const MissingHeader *header) {
  Patched *patched = patched_file(fixups, header->includer);
  const char *folder = header->folder ? header->folder : FIXUP_FOLDER;
  const char *put = arena_printf(fixups->arena, "%s/%s", folder, header->plain);
  return patched && note_edit(patched, (Edit){header->line, header->column + 1, header->name, put});
}

bool fixup_add_missing(FixupState *fixups, MissingHeader header) {
  if (fixups->missing_count == FIXUP_MISSING_LIMIT) return false;
  for (uint32_t i = 0; i < fixups->missing_count; i++)
    if (strcmp(fixups->missing[i].name, header.name) == 0 &&
        strcmp(fixups->missing[i].includer, header.includer) == 0)
      return false;
  header.folder = missing_header_folder(&header, fixups->arena);
  if (!header.folder && !fixups->without_sketches) header.sketch = sketch_of_header(&header);
  trail_note_search(fixups->tools->trail, &header);
  if (header.plain != header.name && !note_whole_name(fixups, &header)) return false;
  fixups->missing[fixups->missing_count++] = header;
  return true;
}

static bool note_missing(FixupState *fixups, const Process *run) {
  MissingHeader header;
  return missing_header_of(run, fixups->arena, &header) && fixup_add_missing(fixups, header);
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
static bool note_both_sides(FixupState *fixups, Patched *patched, uint32_t line, uint32_t column) {
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
  const char *name = arena_strndup(fixups->arena, at, length);
  if (is_done || length == 0) return false;
  const char *put = arena_printf(fixups->arena, "%s%s", both_sides, name);
  return note_edit(patched, (Edit){line, column, name, put});
}

// "a = {x, y}" where several classes could be meant: that of `a` is, which the message names first.
static bool note_type(FixupState *fixups, Patched *patched, uint32_t line, uint32_t column,
                      const char *message) {
  const char *mark = strstr(message, "(with operand types '"), *end = NULL;
  if (mark) mark += strlen("(with operand types '"), end = strchr(mark, '\'');
  if (!end) return false;
  const char *put = arena_printf(fixups->arena, "= %.*s", (int)(end - mark), mark);
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

static bool note_launch_edits(Patched *patched, const FixupLaunch *launch, const char *start,
                              const char *close) {
  return note_edit(patched, (Edit){launch->start.line, launch->start.column, launch->callee, start}) &&
         note_edit(patched, (Edit){launch->open.line, launch->open.column, "<<<", ""}) &&
         note_edit(patched, (Edit){launch->close.line, launch->close.column, ">>>", close});
}

// NULL is a number where its type is deduced, and may be a pointer for the kernel.
static void note_nulls(Patched *patched, size_t arguments) {
  for (size_t at = arguments; fixup_launch_next_null(&patched->text, &at); at++) {
    FixupPlace place = fixup_place_of(&patched->text, at);
    (void)note_edit(patched, (Edit){place.line, place.column, "NULL", "nullptr"});
  }
}

// The host's calls of the macro are read with the device's code as well.
static void note_nulls_of_calls(Patched *patched, const FixupLaunch *launch) {
  for (uint32_t i = 0; i < launch->macros.count; i++)
    for (size_t at = 0; fixup_launch_next_call(&patched->text, launch->macros.items[i], &at);)
      note_nulls(patched, at);
}

// A macro may stand in code of either side, and in another file than its use. Each use names another kernel.
static bool note_launch_in_macro(FixupState *fixups, Patched *macros, const MacroUse *use) {
  FixupLaunch launch;
  if (!fixup_launch_find_macro(&macros->text, &use->patched->text, use->line, use->column, fixups->arena,
                               &launch))
    return false;
  const char *put = arena_printf(fixups->arena, "__HGRD_LAUNCH_ANYWHERE((%s), (", launch.callee);
  vec_push(fixups->arena, &fixups->result->device_launches, launch.kernel);
  note_nulls_of_calls(use->patched, &launch);
  return note_launch_edits(macros, &launch, put, "), ") &&
         note_edit(macros, (Edit){launch.end.line, launch.end.column, ")", "))"});
}

// A kernel whose template arguments are deduced from the launch cannot be named by itself. In a function of
// both sides the launch stays what it is on the host.
static bool note_launch(FixupState *fixups, Patched *patched, uint32_t line, uint32_t column,
                        Correction kind) {
  FixupLaunch launch;
  if (!fixup_launch_find(&patched->text, line, column, fixups->arena, &launch)) {
    fixups->macro_use = (MacroUse){patched, line, column};
    return note_launch_in_macro(fixups, patched, &fixups->macro_use);
  }
  bool is_function = kind == CORRECT_LAUNCH_OF_FUNCTION || kind == CORRECT_LAUNCH_OF_FUNCTION_BOTH;
  bool is_both = kind == CORRECT_LAUNCH_BOTH || kind == CORRECT_LAUNCH_OF_FUNCTION_BOTH;
  bool is_named = is_function || strchr(launch.callee, '>');
  const char *form = is_both    ? (is_named ? "__HGRD_LAUNCH_NAMED(%s) " : "__HGRD_LAUNCH_DEDUCED(%s) ")
                     : is_named ? "__hgrd_device_launch<decltype(&%s), &%s>("
                                : "__hgrd_device_launch(__HGRD_LAUNCHER(%s), ";
  const char *put = replace_all(form, "%s", launch.callee, fixups->arena);
  vec_push(fixups->arena, &fixups->result->device_launches, launch.kernel);
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

static bool note_cut(Patched *patched, const FixupCut *cut) {
  return note_edit(patched, (Edit){cut->start.line, cut->start.column, cut->cut, cut->put});
}

static bool note_correction(FixupState *fixups, size_t which, const char *path, uint32_t line,
                            uint32_t column, const char *message) {
  Patched *patched = patched_file(fixups, path);
  FixupCut cut;
  if (!patched || column <= known[which].back) return false;
  switch (known[which].correction) {
  case CORRECT_TEXT:
    return note_edit(patched, (Edit){line, column - known[which].back, known[which].cut, known[which].put});
  case CORRECT_COMMA:
    return fixup_missing_comma(&patched->text, line, column, &cut) && note_cut(patched, &cut);
  case CORRECT_ZEROS:
    return fixup_zeroed_array(&patched->text, line, column, fixups->arena, &cut) && note_cut(patched, &cut);
  case CORRECT_LAUNCH_SPELLING:
    return (fixup_parted_launch(&patched->text, line, column, fixups->arena, &cut) ||
            fixup_braced_dimension(&patched->text, line, column, &cut)) &&
           note_cut(patched, &cut);
  case CORRECT_TEMPLATE:
    return fixup_missing_template(&patched->text, line, column, fixups->arena, &cut) &&
           note_cut(patched, &cut);
  case CORRECT_SIDES: return note_both_sides(fixups, patched, line, column);
  case CORRECT_BEFORE_BRACE: return note_type(fixups, patched, line, column, message);
  case CORRECT_LAUNCH_OF_FUNCTION:
  case CORRECT_LAUNCH:
  case CORRECT_LAUNCH_OF_FUNCTION_BOTH:
  case CORRECT_LAUNCH_BOTH: return note_launch(fixups, patched, line, column, known[which].correction);
  case CORRECT_DECLARATION: fixups->awaits_declaration = true; return false;
  }
  return false;
}

// What uses a header that is not there. Without such a header, an error is the user's. A round that has new
// declarations in the header's place leaves nothing out: what else is wrong may come of what they declare.
static bool note_left_out(FixupState *fixups, const char *path, uint32_t line, uint32_t column) {
  FixupCut cut;
  bool is_asked = !fixup_has_all_headers(fixups) && !fixups->has_new_stand_ins;
  Patched *patched = is_asked ? patched_file(fixups, path) : NULL;
  if (!patched || !fixup_leave_out(&patched->text, line, column, fixups->arena, &cut)) return false;
  if (!note_cut(patched, &cut)) return false;
  vec_push(fixups->arena, &fixups->result->left_out,
           arena_printf(fixups->arena, "%s:%u", path, cut.start.line));
  return true;
}

// Whether all headers that were missing lie somewhere.
bool fixup_has_all_headers(const FixupState *fixups) {
  for (uint32_t i = 0; i < fixups->missing_count; i++)
    if (!fixups->missing[i].folder) return false;
  return true;
}

typedef struct Complaint {
  const char *path, *text; // "error: ..." or "note: ..."
  unsigned line, column;
} Complaint;

// "PATH:LINE:COLUMN: error: TEXT" or note: one line of what clang writes.
static bool read_complaint(const char *line, Arena *arena, Complaint *out) {
  const char *mark = strstr(line, ": error: ");
  if (!mark) mark = strstr(line, ": note: ");
  if (!mark) return false;
  const char *at = mark;
  for (int colons = 0; at > line && colons < 2; colons += *at == ':')
    at--;
  *out = (Complaint){.text = mark + strlen(": ")};
  if (at == line || sscanf(at, ":%u:%u: ", &out->line, &out->column) != 2) return false;
  out->path = arena_strndup(arena, line, (size_t)(at - line));
  return true;
}

static bool note_complaint(FixupState *fixups, const Complaint *said) {
  const char *text = said->text;
  if (str_starts_with(text, "error: ")) {
    fixups->awaits_declaration = false;
    fixups->macro_use.patched = NULL;
  }
  if (fixups->macro_use.patched && str_starts_with(text, "note: expanded from macro '")) {
    Patched *macros = patched_file(fixups, said->path);
    return macros && note_launch_in_macro(fixups, macros, &fixups->macro_use);
  }
  if (fixups->awaits_declaration && str_ends_with(text, "' declared here")) {
    Patched *patched = patched_file(fixups, said->path);
    fixups->awaits_declaration = false;
    return patched && note_both_sides(fixups, patched, said->line, said->column);
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (str_starts_with(text, known[i].text) && strstr(text, known[i].also))
      return note_correction(fixups, i, said->path, said->line, said->column, text);
  }
  return str_starts_with(text, "error: ") && note_left_out(fixups, said->path, said->line, said->column);
}

static bool note_stand_in(FixupState *fixups, const Complaint *said) {
  bool is_asked = str_starts_with(said->text, "error: ") && !fixup_has_all_headers(fixups);
  const Patched *patched = is_asked ? patched_file(fixups, said->path) : NULL;
  return patched && fixup_stand_in(fixups, &patched->text, said->line, said->column, said->text);
}

static bool note_each(FixupState *fixups, const Process *run,
                      bool (*note)(FixupState *fixups, const Complaint *said)) {
  bool is_new = false;
  if (run->exit_status <= 0) return false;
  for (const char *line = strbuf_text(&run->errors); *line;) {
    size_t length = strcspn(line, "\n");
    Complaint said;
    if (read_complaint(arena_strndup(fixups->arena, line, length), fixups->arena, &said))
      is_new |= note(fixups, &said);
    line += length + (line[length] != '\0');
  }
  return is_new;
}

bool fixup_note_complaints(FixupState *fixups, uint32_t count, const Process *runs) {
  bool is_new = false;
  fixups->has_new_stand_ins = false;
  for (uint32_t i = 0; i < count; i++)
    is_new |= note_each(fixups, &runs[i], note_stand_in);
  fixups->has_new_stand_ins = is_new;
  for (uint32_t i = 0; i < count; i++) {
    is_new |= note_missing(fixups, &runs[i]);
    is_new |= note_each(fixups, &runs[i], note_complaint);
  }
  return is_new;
}

bool fixup_is_of_spelling(const char *complaint, size_t length) {
  ASSERT(complaint);
  const char *error = strstr(complaint, "error: ");
  for (size_t i = 0; error && error < complaint + length && i < sizeof known / sizeof *known; i++)
    if (known[i].correction == CORRECT_TEXT && str_starts_with(error, known[i].text)) return true;
  return false;
}
