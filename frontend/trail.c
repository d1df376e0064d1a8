// What have all attempts to compile a file read, and where did they look? A file that does not compile at once is
// tried again, with headers from folders around it, with other flags, other headers of ours, other spellings (compile.c,
// fixup.c): what becomes of it follows from all that these attempts have seen. clang lists what it reads, but
// not where it stops at a header that is not there; then it is asked what it would have read without that one
// (-M -MG), which is as much and more. Headers that were looked for in folders around are noted as questions
// with their answers, so that they can be put again.
//
// Soundness: a trail is partial, and nothing is kept by it, where clang was ended, could not be started,
// or speaks of something that is not in the text: then its answer may hang on what no list tells (memory, rights).
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>

enum { SIGNAL_STATUS = 128 }; // and above: a shell's, or clang's own, word for a signal

static bool is_earlier(struct timespec a, struct timespec b) {
  return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

// Does the line speak of what the text cannot be blamed for?
static bool is_of_surroundings(const char *line) {
  static const char *const wholes[] = {"error: ", "clang: ", "clang-"}, // no place in the text
      *const parts[] = {": cannot open file '", ": error reading '"};
  for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
    if (str_starts_with(line, wholes[i])) return true;
  if (str_starts_with(line, "fatal error: ")) return !str_starts_with(line, "fatal error: too many errors");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(line, parts[i])) return true;
  return false;
}

static bool follows_from_text(const Process *run, Arena *arena) {
  if (run->start_error || run->exit_status < 0 || run->exit_status >= SIGNAL_STATUS) return false;
  for (const char *line = strbuf_text(&run->errors); run->exit_status && *line;) {
    size_t length = strcspn(line, "\n");
    if (is_of_surroundings(arena_strndup(arena, line, length))) return false;
    line += length + (line[length] == '\n');
  }
  return true;
}

void trail_note_absent(Trail *trail, const char *name) {
  ASSERT(name);
  if (trail) vec_push(trail->arena, &trail->absent, arena_strdup(trail->arena, name));
}

void trail_note_list(Trail *trail, const char *list) {
  ASSERT(list);
  if (!trail) return;
  if (*list)
    vec_push(trail->arena, &trail->wide_lists, arena_strdup(trail->arena, list));
  else
    trail->is_partial = true;
}

void trail_note_folder(Trail *trail, const char *folder) {
  ASSERT(folder);
  if (trail) vec_push(trail->arena, &trail->folders, arena_strdup(trail->arena, folder));
}

void trail_note_asked(Trail *trail, const Process *run) {
  const char *list = run->list ? run->list : strbuf_text(&run->output);
  if (trail) trail_note_list(trail, follows_from_text(run, trail->arena) ? list : "");
}

void trail_note_search(Trail *trail, const MissingHeader *header) {
  if (!trail) return;
  HeaderSearch search = {arena_strdup(trail->arena, header->includer),
                         arena_strdup(trail->arena, header->plain),
                         header->folder ? arena_strdup(trail->arena, header->folder) : NULL};
  vec_push(trail->arena, &trail->searches, search);
  if (search.folder) trail_note_folder(trail, search.folder);
  trail_note_absent(trail, header->name);
}

bool header_search_holds(const HeaderSearch *search, Arena *arena) {
  MissingHeader header = {.includer = search->includer, .plain = search->plain};
  const char *folder = missing_header_folder(&header, arena);
  return folder && search->folder ? strcmp(folder, search->folder) == 0 : folder == search->folder;
}

static void ask_for_list(Trail *trail, const Process *run) {
  Process asked = {.argv = part_list_command(run->argv, trail->arena), .extra_file = run->extra_file};
  asked.output.arena = asked.errors.arena = trail->arena;
  process_run_all(&asked, 1, 1);
  trail_note_asked(trail, &asked);
}

void trail_note_runs(Trail *trail, const Process *runs, uint32_t count) {
  for (uint32_t i = 0; trail && i < count; i++) {
    const Process *run = &runs[i];
    MissingHeader header;
    trail->is_partial |= !follows_from_text(run, trail->arena);
    if (trail->begun.tv_sec == 0 || is_earlier(run->begun, trail->begun)) trail->begun = run->begun;
    (void)missing_header_of(run, trail->arena, &header);
    if (header.name) trail_note_absent(trail, header.name);
    if (run->list)
      vec_push(trail->arena, &trail->lists, run->list);
    else if (!trail->is_partial)
      ask_for_list(trail, run);
  }
}
