// What does clang say of each file? A command for each side; where one fails, the file is compiled again with
// what is missing or spelled otherwise corrected (fixup.c), with the headers that were not used at first, or
// as nvcc sees it; what still fails is told once, with its cause. A file that does not compile by itself but
// that another one includes is no failure. Soundness: a side that failed has no module and never an empty
// one; whatever was used in place of what the user named is noted.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/loading.h"

#include <stdio.h>
#include <string.h>

enum { SOURCE_LIMIT = 16 << 20 };

static void note_command(const Loading *loading, const Process *process) {
  StrBuf text = {.arena = loading->scratch};
  for (const char *const *arg = process->argv; *arg; arg++)
    strbuf_printf(&text, "%s%s", arg == process->argv ? "" : " ", *arg);
  diag_report(loading->sink, DIAG_NOTE, NULL, "%s", strbuf_text(&text));
}

static Process make_process(const Loading *loading, const Toolchain *tools, const Unit *unit,
                            bool is_device) {
  Process process = {0};
  process.output.arena = process.errors.arena = loading->sides[is_device].scratch; // of its thread
  process.argv = clang_command(tools, unit->flags, unit->path, is_device, loading->scratch);
  process.wants_list = loading->identity != NULL || loading->wants_lists;
  if (loading->options->is_verbose) note_command(loading, &process);
  return process;
}

void compile_prepare(Loading *loading) {
  for (uint32_t i = 0; i < loading->units.count; i++) {
    const Unit *unit = &loading->units.items[i];
    if (!unit->flags || unit->is_restored) continue;
    vec_push(loading->scratch, &loading->processes, make_process(loading, &loading->tools, unit, false));
    if (unit->language == LANGUAGE_CUDA)
      vec_push(loading->scratch, &loading->processes, make_process(loading, &loading->tools, unit, true));
  }
  uint32_t next = 0;
  for (uint32_t i = 0; i < loading->units.count; i++) { // now that none of them moves any more
    Unit *unit = &loading->units.items[i];
    if (!unit->flags || unit->is_restored) continue;
    unit->host = &loading->processes.items[next++];
    if (unit->language == LANGUAGE_CUDA) unit->device = &loading->processes.items[next++];
  }
}

bool process_succeeded(const Process *process) {
  return process && process->start_error == 0 && process->exit_status == 0;
}

static bool retry_unit(Loading *loading, Unit *unit) {
  Process *sides[] = {unit->host, unit->device};
  uint32_t count = unit->device ? 2 : 1;
  return fixup_retry(&loading->tools, count, sides, unit->path, loading->scratch, loading->sink,
                     &unit->mended);
}

static const Process *failed_side(const Unit *unit) {
  return unit->device && !process_succeeded(unit->device) ? unit->device : unit->host;
}

static void note_runs(const Loading *loading, Unit *unit, const Process *runs, uint32_t count) {
  for (uint32_t i = 0; loading->tools.trail && i < count; i++)
    vec_push(loading->scratch, &unit->trail.commands, runs[i].argv);
  trail_note_runs(loading->tools.trail, runs, count);
}

// As its two sides are now. What clang refused before for its flags, or because of what was precompiled, has read nothing
// of the file.
static void note_attempt(const Loading *loading, Unit *unit) {
  note_runs(loading, unit, unit->host, 1);
  if (unit->device) note_runs(loading, unit, unit->device, 1);
}

static void compile_again(Loading *loading, Unit *unit) {
  Process again[2] = {make_process(loading, &loading->tools, unit, false)};
  if (unit->device) again[1] = make_process(loading, &loading->tools, unit, true);
  process_run_all(again, unit->device ? 2 : 1, 2);
  *unit->host = again[0];
  if (unit->device) *unit->device = again[1];
}

enum { REFUSED_LIMIT = 16 };

// Contracts for other verifiers are declared by those, in front of the file.
static bool names_contract(const Process *process) {
  static const char *const names[] = {"requires", "assume", "invariant",     "global_invariant",
                                      "ensures",  "assert", "global_assert", "function_wide_invariant"};
  const char *errors = strbuf_text(&process->errors);
  char text[64];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    (void)snprintf(text, sizeof text, "undeclared identifier '__%s'", names[i]);
    if (strstr(errors, text)) return true;
  }
  return false;
}

static void retry_with_contracts(Loading *loading, Unit *unit) {
  const Process *failed = failed_side(unit);
  if (process_succeeded(failed) || failed->start_error || !names_contract(failed)) return;
  Unit before = *unit;
  Process sides[2] = {*unit->host, unit->device ? *unit->device : (Process){0}};
  CompileFlags *more = arena_new(loading->scratch, CompileFlags);
  *more = *unit->flags;
  more->args.items = NULL;
  more->args.count = more->args.capacity = 0;
  vec_push(loading->scratch, &more->args, "-include");
  vec_push(loading->scratch, &more->args,
           arena_printf(loading->scratch, "%s/hgrd_contracts.h", loading->tools.cuda_dir));
  for (uint32_t i = 0; i < unit->flags->args.count; i++)
    vec_push(loading->scratch, &more->args, unit->flags->args.items[i]);
  unit->flags = more;
  compile_again(loading, unit);
  note_attempt(loading, unit);
  if (!names_contract(failed_side(unit))) {
    diag_report(
        loading->sink, DIAG_NOTE, NULL,
        "%s: has contracts for another verifier: what they require (__requires, __assume) is taken to "
        "hold, the others are not looked at",
        unit->path);
    return;
  }
  before.trail = unit->trail;
  *unit = before;
  *unit->host = sides[0];
  if (unit->device) *unit->device = sides[1];
}

// Again and again, without the flags that clang refuses.
static void retry_without_flags(Loading *loading, Unit *unit) {
  for (int i = 0; i < REFUSED_LIMIT && !process_succeeded(failed_side(unit)); i++) {
    const CompileFlags *fewer =
        flags_clang_takes(unit->flags, failed_side(unit), loading->scratch, loading->sink);
    if (!fewer) return;
    unit->flags = fewer;
    compile_again(loading, unit);
  }
}

// The same file with other tools. `attempt` is how far that came.
static bool retry_with(Loading *loading, Unit *unit, const Toolchain *tools, Unit *attempt) {
  Process *processes = arena_array(loading->scratch, 2, Process);
  *attempt = (Unit){.path = unit->path, .flags = unit->flags, .host = &processes[0], .device = &processes[1]};
  processes[0] = make_process(loading, tools, unit, false);
  processes[1] = make_process(loading, tools, unit, true);
  process_run_all(processes, 2, 2);
  note_runs(loading, unit, processes, 2);
  Process *sides[] = {attempt->host, attempt->device};
  bool is_done = process_succeeded(&processes[0]) && process_succeeded(&processes[1]);
  is_done =
      is_done || fixup_retry(tools, 2, sides, unit->path, loading->scratch, loading->sink, &attempt->mended);
  if (!is_done) return false;
  *unit->host = processes[0];
  *unit->device = processes[1];
  unit->mended = attempt->mended;
  return true;
}

// Beside a toolkit's headers, cooperative groups and atomics are ours at first.
static bool retry_with_groups(Loading *loading, Unit *unit, const Toolchain *tools, Unit *attempt) {
  if (!tools->toolkit) return false;
  Toolchain other = *tools;
  other.has_toolkit_groups = true;
  return retry_with(loading, unit, &other, attempt);
}

// What the bundled declarations lack, the headers of a toolkit may have, and the other way round.
static bool retry_with_other_headers(Loading *loading, Unit *unit, Unit *attempt) {
  Toolchain other;
  if (retry_with_groups(loading, unit, &loading->tools, attempt)) return true;
  if (!toolchain_other_headers(&loading->tools, &other)) return false;
  if (!retry_with(loading, unit, &other, attempt) && !retry_with_groups(loading, unit, &other, attempt))
    return false;
  diag_report(loading->sink, DIAG_NOTE, NULL,
              other.toolkit
                  ? "%s: does not compile with the bundled declarations: the headers of %s are used"
                  : "%s: does not compile with the headers of %s: the bundled declarations are used",
              unit->path, loading->tools.known_toolkit);
  return true;
}

// Some code is there for nvcc alone, which says that it is it.
static bool retry_as_nvcc(Loading *loading, Unit *unit) {
  Toolchain other = loading->tools;
  Unit attempt;
  other.toolkit = NULL;
  other.is_nvcc = true;
  if (!retry_with(loading, unit, &other, &attempt)) return false;
  diag_report(loading->sink, DIAG_NOTE, NULL,
              "%s: compiles only where __NVCC__ is defined: it is, with the bundled declarations",
              unit->path);
  return true;
}

// Made by another clang, or from headers that were changed since: they are read as text.
static void retry_without_precompiled(Loading *loading) {
  bool is_refused = false;
  for (uint32_t i = 0; i < loading->processes.count && loading->tools.precompiled; i++)
    is_refused |= precompiled_is_refused(&loading->processes.items[i]);
  if (!is_refused) return;
  loading->tools.precompiled = NULL;
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    if (unit->host && !unit->is_restored && !process_succeeded(failed_side(unit)))
      compile_again(loading, unit);
  }
}

// Some file of it asks for nvcc, or it cannot be told.
static bool asks_for_nvcc(const Loading *loading, const Unit *unit) {
  const char *list = part_list(unit->device->argv, loading->scratch);
  return !list[0] || part_list_mentions(list, "__NVCC__", &loading->tools);
}

// One that compiles, or would but for a header that is not there.
static bool can_include(const Unit *unit) {
  return unit->device && unit->device->start_error == 0 && unit->device->exit_status >= 0;
}

static bool includes(Loading *loading, Unit *other, const char *path) {
  if (!other->included) other->included = part_list(other->device->argv, loading->scratch);
  return part_is_in(path, other->included, loading->scratch);
}

// Is there a line of the other file that includes one of this name?
static bool has_line_for(const Loading *loading, const Unit *other, const char *path) {
  size_t length;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *text = source_text(&loading->tools, other->path, SOURCE_LIMIT, loading->scratch, &length);
  for (const char *at = text; at && (at = strstr(at, name)) != NULL; at++) {
    const char *line = at;
    while (line > text && line[-1] != '\n')
      line--;
    line += strspn(line, " \t");
    if (*line == '#' && str_starts_with(line + 1 + strspn(line + 1, " \t"), "include")) return true;
  }
  return false;
}

// As text of another file that is given: it is known there who calls it. One that fails may be included by
// what the other includes, too.
static bool is_part_of_another(Loading *loading, const Program *program, const Unit *unit) {
  bool has_failed = unit->device && failed_side(unit)->exit_status > 0;
  for (uint32_t i = 0; unit->device && i < loading->units.count; i++) {
    Unit *other = &loading->units.items[i];
    if (other == unit || program->units.items[i].is_part || !can_include(other)) continue;
    if (!has_failed && !has_line_for(loading, other, unit->path)) continue;
    if (!includes(loading, other, unit->path)) continue;
    diag_report(loading->sink, DIAG_NOTE, NULL,
                has_failed ? "%s does not compile by itself, but %s includes it: it is checked there"
                           : "%s is included by %s, which is given too: it is checked there",
                unit->path, other->path);
    return true;
  }
  return false;
}

// One message for a file, whichever sides failed and whichever headers were tried; the errors shown are those
// in the user's own text, if there are any.
static void judge_unit(Loading *loading, Unit *unit) {
  retry_without_flags(loading, unit);
  note_attempt(loading, unit);
  retry_with_contracts(loading, unit);
  bool host_ok = process_succeeded(unit->host), device_ok = !unit->device || process_succeeded(unit->device);
  if ((host_ok && device_ok) || retry_unit(loading, unit)) return;
  Unit attempt = {0};
  bool are_own =
      errors_are_own(&loading->tools, failed_side(unit), unit->mended.failure, unit->path, loading->scratch);
  unit->mended = (FixupResult){0};
  bool may_retry = !are_own && unit->device && failed_side(unit)->exit_status > 0;
  if (may_retry && (retry_with_other_headers(loading, unit, &attempt) ||
                    (asks_for_nvcc(loading, unit) && retry_as_nvcc(loading, unit))))
    return;
  const Process *failed = failed_side(unit), *other = attempt.host ? failed_side(&attempt) : NULL;
  bool is_others = other && other->exit_status > 0 &&
                   clang_blames_user(&loading->tools, other, loading->scratch) &&
                   !clang_blames_user(&loading->tools, failed, loading->scratch);
  bool is_tolerated = device_ok && unit->device && loading->options->keep_going_host;
  DiagSeverity severity = is_tolerated ? DIAG_NOTE : DIAG_ERROR;
  clang_report_failure(&loading->tools, is_others ? other : failed, unit->path, severity, loading->scratch,
                       loading->sink);
  unit->has_failed = !is_tolerated;
  if (is_tolerated)
    diag_report_gap(loading->sink, NULL,
                    "%s: its host code is left out: launches and facts in it are not seen", unit->path);
}

static double wall_seconds(const Unit *unit) {
  double start = unit->host->started, end = unit->host->ended;
  if (unit->device && unit->device->started < start) start = unit->device->started;
  if (unit->device && unit->device->ended > end) end = unit->device->ended;
  return end > start ? end - start : 0;
}

// What a flag brings up is told once, however many files have it.
static void pass_on_once(DiagSink *sink, const Diag *diag) {
  bool is_told = false;
  for (uint32_t i = 0;
       diag->severity == DIAG_NOTE && !diag->loc.file && !diag->detail && i < sink->diags.count; i++)
    is_told |= strcmp(sink->diags.items[i].message, diag->message) == 0;
  if (!is_told) diag_pass_on(sink, diag);
}

static void begin_trail(Loading *loading, Unit *unit) {
  unit->trail.arena = loading->scratch;
  loading->tools.trail = loading->identity || loading->wants_lists ? &unit->trail : NULL;
}

// What is said of the unit is kept by itself: it does not hang on what was said of others before.
static void judge_by_itself(Loading *loading, Unit *unit) {
  DiagSink *sink = loading->sink;
  if (unit->is_bare) compile_again(loading, unit); // no other file includes it any more
  unit->is_restored &= !unit->is_bare;
  unit->is_bare = false;
  if (!unit->is_restored) {
    loading->sink = unit->said = diag_sink_make(loading->arena);
    begin_trail(loading, unit);
    judge_unit(loading, unit);
    loading->tools.trail = NULL;
    loading->sink = sink;
  }
  for (uint32_t i = 0; i < unit->said->diags.count; i++)
    pass_on_once(sink, &unit->said->diags.items[i]);
  if (unit->has_failed) unit->host = unit->device = NULL; // half a file is not analysed
}

// A part of another file is not judged by itself.
static void leave_to_others(Loading *loading, Unit *unit) {
  if (!unit->is_restored) {
    begin_trail(loading, unit);
    note_attempt(loading, unit);
    loading->tools.trail = NULL;
    unit->said = diag_sink_make(loading->arena);
    unit->is_bare = true;
    unit->host_compiles = process_succeeded(unit->host);
    unit->device_compiles = process_succeeded(unit->device);
  }
  unit->host = unit->device = NULL;
}

void compile_judge(Loading *loading, Program *program) {
  retry_without_precompiled(loading);
  for (uint32_t i = 0; i < loading->units.count; i++) { // before any is mended, which changes its command
    Unit *unit = &loading->units.items[i];
    FrontendUnit *out = &program->units.items[i];
    if (!unit->host) continue;
    out->clang_seconds = wall_seconds(unit);
    out->is_part = is_part_of_another(loading, program, unit);
  }
  for (uint32_t i = 0; i < loading->units.count; i++) {
    Unit *unit = &loading->units.items[i];
    if (program->units.items[i].is_part)
      leave_to_others(loading, unit);
    else if (unit->host)
      judge_by_itself(loading, unit);
  }
}
