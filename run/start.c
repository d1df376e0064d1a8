// How is what was built run? Once for each schedule, as a process of its own with our streams; what it needs to know stands in HGRD_RUN.
// Findings that an earlier schedule told are not told again: they are kept in a file of the folder. Only the first run has its output
// shown; where standard input is a file each run reads it from where the first one did, else the later ones find it empty.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { STATUS_RACE = 1, STATUS_INPUT = 2, STATUS_TIMEOUT = 124, STATUS_SIGNAL = 128 };

typedef VEC(const char *) WordList;

static const char *schedule_name(const RunOptions *options, uint32_t run, Arena *arena) {
  if (options->replay) return options->replay;
  if (run == 0) return "in-order";
  return run == 1 ? "reversed" : arena_printf(arena, "%u", run - 1);
}

static const char *settings(const RunOptions *options, uint32_t run, const char *folder, Arena *arena) {
  StrBuf text = {.arena = arena};
  strbuf_printf(&text, "HGRD_RUN=schedule=%s", schedule_name(options, run, arena));
  if (options->detector) strbuf_printf(&text, ",detector=%s", options->detector);
  if (options->timeout) strbuf_printf(&text, ",timeout=%u", options->timeout);
  if (run > 0) strbuf_add(&text, ",again");
  strbuf_printf(&text, ",seen=%s/seen", folder); // the last: a path may have commas
  return strbuf_text(&text);
}

// What is no file stays where it is.
static void rewind_input(off_t start) {
  if (start >= 0) (void)lseek(STDIN_FILENO, start, SEEK_SET);
}

static ProcessResult run_once(const RunOptions *options, const char *program, const char *folder,
                              uint32_t run, Arena *arena) {
  WordList words = {0}, environment = {0};
  vec_push(arena, &words, program);
  for (uint32_t i = 0; i < options->argument_count; i++)
    vec_push(arena, &words, options->arguments[i]);
  vec_push(arena, &words, NULL);
  vec_push(arena, &environment, settings(options, run, folder, arena));
  if (options->json) vec_push(arena, &environment, arena_printf(arena, "HGRD_RUN_RECORD=%s/record", folder));
  for (char **at = environ; *at; at++)
    if (!str_starts_with(*at, "HGRD_RUN=") && !str_starts_with(*at, "HGRD_RUN_RECORD="))
      vec_push(arena, &environment, *at);
  vec_push(arena, &environment, NULL);
  return process_run(words.items, environment.items, NULL);
}

// A program that ends by _exit, becomes another one, or has a child that races, does not get to say so itself: the file of what was told
// does. Writes of one value are no races there.
static bool has_told(const char *folder, Arena *arena) {
  char line[4096];
  bool has = false;
  FILE *file = fopen(arena_printf(arena, "%s/seen", folder), "r");
  while (file && !has && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    has = !str_ends_with(line, " one value");
  }
  if (file) (void)fclose(file);
  return has;
}

static int status_of(const ProcessResult *result) {
  if (result->start_error) {
    fprintf(stderr, "hgrd-run: error: what was built cannot be started: %s\n", strerror(result->start_error));
    return STATUS_INPUT;
  }
  if (!result->signal) return result->status;
  fprintf(stderr, "hgrd-run: the program was ended by signal %d (%s)\n", result->signal,
          strsignal(result->signal));
  return STATUS_SIGNAL + result->signal;
}

// ---- --json: a line for each race, which the program itself writes, and one for each run

static bool note_run(const RunOptions *options, const ProcessResult *result, const char *folder, uint32_t run,
                     Arena *arena) {
  if (!options->json) return true;
  FILE *file = fopen(arena_printf(arena, "%s/record", folder), "a");
  if (!file) return false;
  int written = fprintf(file, "{\"run\": {\"schedule\": \"%s\", \"status\": %d, \"signal\": %d}}\n",
                        schedule_name(options, run, arena), result->status, result->signal);
  return fclose(file) == 0 && written > 0;
}

static bool copy_record(const RunOptions *options, const char *folder, Arena *arena) {
  char bytes[4096];
  FILE *from = options->json ? fopen(arena_printf(arena, "%s/record", folder), "r") : NULL;
  FILE *to = from ? fopen(options->json, "w") : NULL;
  bool is_good = to != NULL;
  for (size_t got; is_good && (got = fread(bytes, 1, sizeof bytes, from)) > 0;)
    is_good = fwrite(bytes, 1, got, to) == got;
  if (from) (void)fclose(from);
  if (to && fclose(to) != 0) is_good = false;
  return is_good || !options->json;
}

int start_program(const RunOptions *options, const char *program, const char *folder, Arena *arena) {
  ASSERT(program);
  ASSERT(folder);
  int status = 0;
  bool is_noted = true;
  off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
  for (uint32_t run = 0; run < options->schedules; run++) {
    rewind_input(input);
    ProcessResult result = run_once(options, program, folder, run, arena);
    int own = status_of(&result);
    bool is_plain = !result.start_error && !result.signal && own != STATUS_INPUT && own != STATUS_TIMEOUT;
    if (is_plain && has_told(folder, arena)) own = STATUS_RACE;
    is_noted = note_run(options, &result, folder, run, arena) && is_noted;
    if (status == 0 || own == STATUS_RACE) status = own;
  }
  if (is_noted && copy_record(options, folder, arena)) return status;
  fprintf(stderr, "hgrd-run: error: cannot write '%s' (%s): name a file that can be written\n", options->json,
          strerror(errno));
  return STATUS_INPUT;
}
