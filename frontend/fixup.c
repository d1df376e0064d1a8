// Can a file be compiled although clang stops where nvcc goes on? Headers of other libraries that are not
// there (missing.c) often matter to the host only a little: they are replaced by empty ones. And what nvcc
// takes and clang refuses is corrected where clang points at it (fixup_complaints.c). All this exists in a
// virtual file system alone (-ivfsoverlay), read from memory files; the file is compiled again and again until
// nothing new is found. If then everything parses, the program is analysed with a note for each header left
// out; if not, the first complaint stands.
//
// Soundness: macros and code of a missing header are not seen; hence the notes, and the doubts where a name that the
// text tests may be defined there (missing_macros.c).
// SPDX-License-Identifier: Apache-2.0
#include "frontend/fixup.h"
#include "core/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUND_LIMIT = 40 };

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
static bool is_listed(const FixupState *fixups, uint32_t which) {
  for (uint32_t i = 0; i < which; i++)
    if (!fixups->missing[i].folder && strcmp(fixups->missing[i].plain, fixups->missing[which].plain) == 0)
      return true;
  return false;
}

static void put_file(StrBuf *text, const char *folder, const char *name, const char *contents) {
  bool is_first = text->text[text->length - 1] == '\n';
  strbuf_printf(text, "%s{\"name\": \"%s%s%s\", \"type\": \"file\", \"external-contents\": \"%s\"}",
                is_first ? "" : ",\n", folder, *folder ? "/" : "", name, contents);
}

static const char *memory_path(const FixupState *fixups, int file) {
  return arena_printf(fixups->arena, "/proc/%ld/fd/%d", (long)getpid(), file);
}

// A description of the virtual folder and of the corrected files, as an open memory file.
static int write_overlay(FixupState *fixups) {
  StrBuf text = {.arena = fixups->arena};
  strbuf_add(&text,
             "{\"version\": 0, \"case-sensitive\": true, \"use-external-names\": false, \"roots\": [\n");
  int stand_in = fixups->stand_in < 0 ? fixups->declarations : fixups->stand_in;
  const char *empty =
      stand_in < 0 ? arena_printf(fixups->arena, "%s/shim/texture_fetch_functions.h", fixups->tools->cuda_dir)
                   : memory_path(fixups, stand_in);
  if (stand_in >= 0) put_file(&text, FIXUP_FOLDER, "hgrd_stand_ins.h", empty);
  for (uint32_t i = 0; i < fixups->missing_count; i++) {
    const MissingHeader *header = &fixups->missing[i];
    if (header->folder || is_listed(fixups, i)) continue;
    const char *contents =
        header->sketch ? arena_printf(fixups->arena, "%s/%s", fixups->tools->cuda_dir, header->sketch->file)
                       : empty;
    put_file(&text, FIXUP_FOLDER, header->plain, contents);
  }
  for (uint32_t i = 0; i < fixups->patched_count; i++) {
    if (!write_patched(fixups->patched[i], fixups->arena)) return -1;
    put_file(&text, "", fixups->patched[i]->path, memory_path(fixups, fixups->patched[i]->file));
  }
  strbuf_add(&text, "]}\n");
  return memory_file(text.text, text.length);
}

// ---- once more

// The command with the folders of headers that were found, and the virtual one as the last to look in.
static const char *const *with_overlay(const FixupState *fixups, const char *const *argv) {
  VEC(const char *) out = {0};
  uint32_t first = 1; // of the arguments that follow: what is named later lies on top
  vec_push(fixups->arena, &out, argv[0]);
  for (uint32_t i = 1; fixups->tools->overlay_file && argv[i]; i++)
    if (argv[i] == fixups->tools->overlay_file) first = i + 1;
  for (uint32_t i = 1; i < first; i++)
    vec_push(fixups->arena, &out, argv[i]);
  vec_push(fixups->arena, &out, "-ivfsoverlay");
  vec_push(fixups->arena, &out, PROCESS_EXTRA_FILE);
  for (uint32_t i = 0; i <= fixups->missing_count; i++) {
    const char *folder = i < fixups->missing_count ? fixups->missing[i].folder : FIXUP_FOLDER;
    if (!folder) continue;
    vec_push(fixups->arena, &out, "-idirafter");
    vec_push(fixups->arena, &out, folder);
  }
  for (uint32_t i = first; argv[i]; i++)
    vec_push(fixups->arena, &out, argv[i]);
  vec_push(fixups->arena, &out, NULL);
  return out.items;
}

static bool all_succeeded(uint32_t count, const Process *runs) {
  for (uint32_t i = 0; i < count; i++)
    if (runs[i].start_error || runs[i].exit_status != 0) return false;
  return true;
}

static bool run_again(FixupState *fixups, uint32_t count, Process **sides, Process *runs) {
  if (fixups->declarations >= 0) close(fixups->declarations);
  fixups->declarations = fixup_stand_ins_file(fixups);
  int overlay = write_overlay(fixups);
  if (overlay < 0) return false;
  for (uint32_t i = 0; i < count; i++) {
    runs[i] = (Process){.argv = with_overlay(fixups, sides[i]->argv), .extra_file = overlay};
    runs[i].output.arena = runs[i].errors.arena = fixups->arena;
    runs[i].wants_list = fixups->tools->trail != NULL;
  }
  process_run_all(runs, count, count);
  trail_note_runs(fixups->tools->trail, runs, count);
  close(overlay);
  return true;
}

typedef const char *const *(*CommandForm)(const char *const *compile, Arena *arena);

static bool run_form(FixupState *fixups, uint32_t count, const Process *compiled, CommandForm form,
                     Process *out) {
  int overlay = write_overlay(fixups);
  if (overlay < 0) return false;
  for (uint32_t i = 0; i < count; i++) {
    out[i] = (Process){.argv = form(compiled[i].argv, fixups->arena), .extra_file = overlay};
    out[i].output.arena = out[i].errors.arena = fixups->arena;
    out[i].wants_list = fixups->tools->trail && form != part_list_command;
  }
  process_run_all(out, count, count);
  for (uint32_t i = 0; i < count; i++)
    trail_note_asked(fixups->tools->trail, &out[i]);
  close(overlay);
  return true;
}

// Where one header is missing, more may be: those behind it are asked for, not met one by one.
static void note_all_missing(FixupState *fixups, uint32_t count, const Process *runs) {
  Process listed[2];
  if (!run_form(fixups, count, runs, part_list_command, listed)) return;
  for (uint32_t i = 0; i < count; i++) {
    const char *list = strbuf_text(&listed[i].output), *at = list;
    MissingHeader header;
    while (listed[i].exit_status == 0 &&
           missing_headers_next(fixups->tools, list, &at, fixups->arena, &header))
      (void)fixup_add_missing(fixups, header);
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

static bool fixup_until_done(FixupState *fixups, uint32_t count, Process **sides, Process *runs) {
  for (int round = 0; round < ROUND_LIMIT && !all_succeeded(count, runs); round++) {
    uint32_t missing_before = fixups->missing_count;
    if (fixups->missing_count > 0 && fixup_has_all_headers(fixups)) take_complaints(count, sides, runs);
    bool is_new = fixup_note_complaints(fixups, count, runs);
    if (fixups->missing_count > missing_before && fixups->missing_count > 1)
      note_all_missing(fixups, count, runs);
    if (!is_new || !run_again(fixups, count, sides, runs)) return false;
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
  else if (header->sketch)
    diag_report_gap(sink, &loc, "'%s' is not found, a sketch of %s is taken: name its folder with -- -I",
                    header->name, header->sketch->library);
  else
    diag_report_gap(sink, &loc, "'%s' is not found and is left out: name its folder with -- -I",
                    header->name);
}

enum { PLACES_SHOWN = 8 };

static void note_left_out_parts(const FixupResult *result, const char *path, Arena *arena, DiagSink *sink) {
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
static const char *origin_of_macros(const FixupState *fixups) {
  const MissingHeader *first = NULL;
  uint32_t more = 0;
  for (uint32_t i = 0; i < fixups->missing_count; i++) {
    if (fixups->missing[i].folder || fixups->missing[i].sketch) continue;
    more += first != NULL;
    if (!first) first = &fixups->missing[i];
  }
  if (!first) return NULL;
  const char *place = first->includer[0] == '<'
                          ? "named by a flag"
                          : arena_printf(fixups->arena, "%s:%u", first->includer, first->line);
  return more ? arena_printf(fixups->arena, "the header '%s' that was not found (%s), or one of %u others,",
                             first->name, place, more)
              : arena_printf(fixups->arena, "the header '%s' that was not found (%s)", first->name, place);
}

// What the files of both sides test, where the headers that are not there would stand.
static void find_doubts(FixupState *fixups, uint32_t count, const Process *compiled) {
  const char *origin = origin_of_macros(fixups);
  Process runs[2];
  StrBuf list = {.arena = fixups->arena}, header = {.arena = fixups->arena};
  if (!origin) return;
  bool is_done = run_form(fixups, count, compiled, part_list_command, runs);
  for (uint32_t i = 0; i < count && is_done; i++)
    strbuf_printf(&list, "%s\n", strbuf_text(&runs[i].output));
  is_done = is_done && missing_macros_header(fixups->tools, strbuf_text(&list), fixups->arena, &header);
  fixups->stand_in = is_done ? memory_file(header.text, header.length) : -1;
  is_done = fixups->stand_in >= 0 && run_form(fixups, count, compiled, missing_macros_command, runs);
  for (uint32_t i = 0; i < count; i++)
    missing_macros_read(fixups->tools, is_done ? strbuf_text(&runs[i].errors) : "", origin, fixups->arena,
                        &fixups->result->doubts);
  if (fixups->stand_in >= 0) close(fixups->stand_in);
  fixups->stand_in = -1;
}

static void note_stand_ins(const FixupState *fixups, const char *path, DiagSink *sink) {
  uint32_t count = fixup_stand_in_count(fixups), shown = 0;
  StrBuf names = {.arena = fixups->arena};
  if (count == 0) return;
  for (uint32_t i = 0; i < fixups->stand_ins.count && shown < PLACES_SHOWN; i++) {
    const StandIn *one = &fixups->stand_ins.items[i];
    if (one->kind == STAND_IN_NONE) continue;
    strbuf_printf(&names, "%s'%s'", shown ? ", " : "", one->name);
    shown++;
  }
  if (count > shown) strbuf_printf(&names, " and %u more", count - shown);
  diag_report_gap(
      sink, NULL,
      "%s: %u name%s of headers that are not there (%s) %s taken for code and data of which nothing is known",
      path, count, count == 1 ? "" : "s", strbuf_text(&names), count == 1 ? "is" : "are");
}

static void close_files(FixupState *fixups) {
  for (uint32_t i = 0; i < fixups->patched_count; i++)
    if (fixups->patched[i]->file >= 0) close(fixups->patched[i]->file);
  if (fixups->declarations >= 0) close(fixups->declarations);
}

static bool mend(FixupState *fixups, uint32_t count, Process **sides, Process *runs) {
  for (uint32_t i = 0; i < count; i++)
    runs[i] = *sides[i];
  bool is_mended = fixup_until_done(fixups, count, sides, runs) && fixup_stand_ins_hold(fixups);
  if (is_mended) find_doubts(fixups, count, runs);
  close_files(fixups);
  return is_mended;
}

static bool has_sketches(const FixupState *fixups) {
  for (uint32_t i = 0; i < fixups->missing_count; i++)
    if (fixups->missing[i].sketch) return true;
  return false;
}

// With stand-ins for the names of headers that are not there or, where that does not compile, without what needs them.
static bool mend_either_way(FixupState *fixups, bool without_sketches, uint32_t count, Process **sides,
                            Process *runs) {
  const FixupState start = {.tools = fixups->tools,
                            .arena = fixups->arena,
                            .result = fixups->result,
                            .stand_in = -1,
                            .declarations = -1,
                            .without_sketches = without_sketches};
  *fixups = start;
  *start.result = (FixupResult){0};
  if (mend(fixups, count, sides, runs)) return true;
  if (!fixup_stand_in_count(fixups)) return false;
  *fixups = start;
  fixups->without_stand_ins = true;
  *start.result = (FixupResult){0};
  return mend(fixups, count, sides, runs);
}

bool fixup_retry(const Toolchain *tools, uint32_t count, Process **sides, const char *path, Arena *arena,
                 DiagSink *sink, FixupResult *result) {
  ASSERT(sides);
  ASSERT(path);
  ASSERT(result);
  FixupState fixups = {.tools = tools, .arena = arena, .result = result};
  Process runs[2];
  bool is_mended = mend_either_way(&fixups, false, count, sides, runs);
  if (!is_mended && has_sketches(&fixups)) is_mended = mend_either_way(&fixups, true, count, sides, runs);
  for (uint32_t i = 0; i < count && !is_mended; i++) {
    if (runs[i].start_error || runs[i].exit_status <= 0) continue;
    Process *failure = arena_new(arena, Process);
    *failure = runs[i];
    result->failure = failure;
  }
  if (!is_mended) return false;
  for (uint32_t i = 0; i < count; i++)
    *sides[i] = runs[i];
  for (uint32_t i = 0; i < fixups.missing_count; i++)
    note_header(&fixups.missing[i], runs[0].argv, arena, sink);
  fixup_stand_ins_keep(&fixups, result);
  note_stand_ins(&fixups, path, sink);
  note_left_out_parts(result, path, arena, sink);
  return true;
}
