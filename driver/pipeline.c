// What happens to the files, in which order, and what does the exit status say?
//
// The stages (driver/stages.c) one after the other, then the reports. --dump prints a stage in place of the
// report.
//
// Soundness: files that did not compile make the exit status 2, whatever the others gave.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline.h"
#include "driver/confirm.h"
#include "driver/fixes.h"
#include "driver/early_watch.h"
#include "driver/identity.h"
#include "driver/output.h"
#include "driver/run.h"
#include "driver/store.h"
#include "driver/units.h"
#include "solver/solver.h"
#include "core/bug.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- dumps

static void dump_ir(const Run *run, StrBuf *out) {
  for (uint32_t i = 0; i < run->program.units.count; i++) {
    const FrontendUnit *unit = &run->program.units.items[i];
    if (unit->device) ir_print(unit->device, out);
    if (unit->host) ir_print(unit->host, out);
  }
}

static void dump_host(const Run *run, StrBuf *out) {
  for (uint32_t i = 0; i < run->tasks.count; i++)
    hostscan_print(run->host->pool, run->tasks.items[i].launch, out);
}

static void dump_checks(const Run *run, StrBuf *out) {
  for (uint32_t i = 0; i < run->tasks.count; i++)
    strbuf_add(out, run->tasks.items[i].dump ? run->tasks.items[i].dump : "");
}

// ---- output

static const char *current_folder(Arena *arena) {
  char *folder = getcwd(NULL, 0);
  StrBuf uri = {.arena = arena};
  report_uri(folder ? folder : "/", &uri);
  if (!str_ends_with(strbuf_text(&uri), "/")) strbuf_add(&uri, "/");
  free(folder);
  return strbuf_text(&uri);
}

static ReportOptions report_options(const Run *run) {
  ReportOptions report = {.is_quiet = run->options->is_quiet,
                          .is_verbose = run->options->is_verbose,
                          .is_partial = run->options->kernel_regex != NULL || run->options->shard_count > 1,
                          .read_line = source_cache_line,
                          .context = run->sources,
                          .version = HGRD_VERSION,
                          .solver = arena_printf(run->arena, "Z3 %s", solver_version()),
                          .docs_url = run->options->docs_url,
                          .source_root = current_folder(run->arena),
                          .baseline = run->baseline,
                          .suppressions = run->suppressions};
  memcpy(report.levels, run->options->levels, sizeof report.levels);
  return report;
}

// clang leaves the folder that it runs in out of the names in its places.
static const char *name_from_here(const char *path, Arena *arena) {
  char *folder = getcwd(NULL, 0);
  size_t length = folder ? strlen(folder) : 0;
  bool is_below = length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/';
  free(folder);
  return is_below ? arena_strdup(arena, path + length + 1) : path;
}

// When nothing could be loaded there are no units, but the files were given all the same.
static const ReportFile *report_files(const Run *run, uint32_t *count) {
  const Program *program = &run->program;
  if (run->merged) {
    *count = run->merged->file_count;
    return run->merged->files;
  }
  *count = program->units.count ? program->units.count : run->options->paths.count;
  ReportFile *files = arena_array(run->arena, *count + 1, ReportFile);
  for (uint32_t i = 0; i < *count; i++) {
    const FrontendUnit *unit = i < program->units.count ? &program->units.items[i] : NULL;
    files[i].path = unit ? unit->path : run->options->paths.items[i];
    files[i].name = name_from_here(files[i].path, run->arena);
    files[i].is_ok = unit && (unit->device || unit->host || unit->is_part);
    files[i].seconds = unit ? unit->clang_seconds : 0;
  }
  return files;
}

static ReportInput report_input(const Run *run) {
  uint32_t file_count;
  const ReportFile *files = report_files(run, &file_count);
  const RunResults results = run_results(run, NULL, run->arena);
  return (ReportInput){.pool = run->merged ? run->merged->pool
                               : run->host ? run->host->pool
                                           : NULL,
                       .result_count = results.count,
                       .results = results.items,
                       .file_count = file_count,
                       .files = files,
                       .diags = run->sink,
                       .stats = run->stats,
                       .is_interrupted = run->is_interrupted,
                       .is_out_of_time = run->is_out_of_time};
}

static void print_messages(const Run *run) {
  ReportOptions report = report_options(run);
  report.use_color = output_has_color(run->options, STDERR_FILENO);
  StrBuf text = {.arena = run->arena};
  report_messages(run->sink, &report, run->arena, &text);
  fputs(strbuf_text(&text), stderr);
}

static ExitStatus complain(const Run *run, const char *error) {
  diag_report(run->sink, DIAG_ERROR, NULL, "%s", error);
  return STATUS_INPUT;
}

// ---- what is known or meant to be

// The text of a file that the command line names; NULL after a message.
static const char *read_text(Run *run, const char *what, const char *path, size_t *length) {
  const char *text = file_read(path, run->arena, length);
  if (!text)
    diag_report(run->sink, DIAG_ERROR, NULL, "cannot read the %s '%s': %s", what, path, strerror(errno));
  return text;
}

static bool read_baseline(Run *run) {
  size_t length;
  const char *path = run->options->baseline, *error;
  const char *text = path ? read_text(run, "baseline", path, &length) : NULL;
  if (!text) return !path;
  run->baseline = report_read_baseline(path, text, length, run->arena, &error);
  if (!run->baseline) complain(run, error);
  return run->baseline != NULL;
}

// The folder that we run in as the project file sees it, "src/"; "" if that is not below its folder.
static const char *folder_in_project(const char *project, Arena *arena) {
  const char *slash = strrchr(project, '/');
  char *here = getcwd(NULL, 0);
  size_t length = slash ? (size_t)(slash + 1 - project) : 0;
  bool is_below = here && length && strncmp(here, project, length) == 0 && here[length];
  const char *folder = is_below ? arena_printf(arena, "%s/", here + length) : "";
  free(here);
  return folder;
}

// "RULE src/*.cu ..." of a file above `src` is "RULE *.cu ..." there.
static const char *suppression_from_here(const ProjectSuppression *line, Arena *arena) {
  const char *folder = folder_in_project(line->file, arena);
  size_t rule = strcspn(line->text, " \t"), blanks = strspn(line->text + rule, " \t");
  const char *glob = line->text + rule + blanks;
  bool is_named = folder[0] && str_starts_with(glob, folder);
  return is_named ? arena_printf(arena, "%.*s %s", (int)rule, line->text, glob + strlen(folder)) : line->text;
}

// At its line in the text, so that messages name the place.
static bool read_project_suppression(Run *run, const ProjectSuppression *line) {
  const char *error;
  StrBuf text = {.arena = run->arena};
  for (uint32_t i = 1; i < line->line; i++)
    strbuf_add(&text, "\n");
  strbuf_printf(&text, "%s\n", suppression_from_here(line, run->arena));
  run->suppressions =
      report_read_suppressions(line->file, strbuf_text(&text), run->suppressions, run->arena, &error);
  if (!run->suppressions) complain(run, error);
  return run->suppressions != NULL;
}

static bool read_suppressions(Run *run) {
  for (uint32_t i = 0; i < run->options->project_suppressions.count; i++)
    if (!read_project_suppression(run, &run->options->project_suppressions.items[i])) return false;
  for (uint32_t i = 0; i < run->options->suppressions.count; i++) {
    size_t length;
    const char *path = run->options->suppressions.items[i], *error;
    const char *text = read_text(run, "suppression file", path, &length);
    if (!text) return false;
    run->suppressions = report_read_suppressions(path, text, run->suppressions, run->arena, &error);
    if (!run->suppressions) {
      complain(run, error);
      return false;
    }
  }
  return true;
}

// Not from a run that saw only a part: its list would lack findings.
static bool write_baseline(const Run *run, const Report *report, const char **error) {
  if (run->is_interrupted || run->sink->error_count > 0 || run->options->shard_count > 1) {
    *error = "the baseline was not written, because not everything was checked";
    return false;
  }
  return output_write(run->options->write_baseline, report, report_baseline, run->arena, error);
}

static bool wants_part(const Run *run) {
  bool is_wanted = false;
  for (uint32_t i = 0; i < run->options->outputs.count; i++)
    is_wanted |= run->options->outputs.items[i].format == FORMAT_PART;
  return is_wanted;
}

// ---- the end

static ExitStatus exit_status(const Run *run, const ReportTotals *totals) {
  if (run->is_interrupted && !run->is_out_of_time) return STATUS_INTERRUPTED;
  if (run->is_contradicted) return STATUS_INTERNAL;
  if (run->sink->error_count > 0) return STATUS_INPUT;
  if (run->options->exit_zero) return STATUS_CLEAN;
  if (totals->errors + totals->warnings > 0) return STATUS_FINDINGS;
  bool is_open = totals->undecided > 0 || run->sink->gap_count > 0;
  return is_open && run->options->is_strict ? STATUS_UNDECIDED : STATUS_CLEAN;
}

static ExitStatus print_dump(const Run *run, void (*dump)(const Run *run, StrBuf *out)) {
  StrBuf text = {.arena = run->arena};
  const char *error;
  dump(run, &text);
  if (!output_text(run->options->outputs.items[0].path, &text, run->arena, &error))
    return complain(run, error);
  if (run->is_interrupted) return STATUS_INTERRUPTED;
  if (run->is_contradicted) return STATUS_INTERNAL;
  return run->sink->error_count > 0 ? STATUS_INPUT : STATUS_CLEAN;
}

static PartRun part_run(const Run *run) {
  PartRun part = {.options = run->options,
                  .version = run->version,
                  .task_count = run->tasks.count,
                  .tasks = run->tasks.items,
                  .pool = run->host ? run->host->pool : NULL,
                  .sink = run->sink};
  part.files = report_files(run, &part.file_count);
  return part;
}

static bool write_part(const Run *run, const char *path, const char **error) {
  StrBuf text = {.arena = run->arena};
  *error = "the part was not written, because not everything was checked";
  if (run->is_interrupted || !run->host) return false;
  PartRun part = part_run(run);
  parts_write(&part, &run->common, &text);
  return output_text(path, &text, run->arena, error);
}

// Each report is written even if another one cannot be, which then does not stand in it.
static ExitStatus print_report(Run *run, const regex_t *filter) {
  ReportOptions options = report_options(run);
  ReportInput input = report_input(run);
  const Report *report = report_prepare(&input, &options, run->arena);
  ReportTotals totals = report_totals(report);
  if (run->options->fix == FIX_SUGGEST && !run->is_interrupted) {
    const FixList fixes = fixes_suggest(run, report, filter);
    input.fix_count = fixes.count;
    input.fixes = fixes.items;
  }
  ExitStatus status = exit_status(run, &totals);
  input.exit_status = (int)status;
  VEC(const char *) errors = {0};
  const char *error;
  for (uint32_t i = 0; i < run->options->outputs.count; i++) {
    const OutputRequest *request = &run->options->outputs.items[i];
    options.use_color =
        request->path ? run->options->color == COLOR_ALWAYS : output_has_color(run->options, STDOUT_FILENO);
    input.stats.shows_seconds = !request->path && isatty(STDOUT_FILENO);
    bool is_part = request->format == FORMAT_PART;
    if (!(is_part ? write_part(run, request->path, &error)
                  : output_report(request, report, run->arena, &error)))
      vec_push(run->arena, &errors, error);
  }
  if (run->options->write_baseline && !write_baseline(run, report, &error))
    vec_push(run->arena, &errors, error);
  for (uint32_t i = 0; i < errors.count; i++)
    status = complain(run, errors.items[i]);
  return status;
}

// Machine-readable output is a document even if nothing could be analysed.
static ExitStatus give_up(Run *run, ExitStatus status) {
  bool is_text = true;
  for (uint32_t i = 0; i < run->options->outputs.count; i++)
    is_text = is_text && run->options->outputs.items[i].format == FORMAT_TEXT;
  if (!is_text && run->options->dump == DUMP_NONE) print_report(run, NULL);
  return status;
}

enum { NAMES_SHOWN = 8 };

// What stands in the report of a run that came to no kernel.
static void tell_nothing_checked(Run *run) {
  const Options *options = run->options;
  StrBuf names = {.arena = run->arena};
  for (uint32_t i = 0; i < options->paths.count && i < NAMES_SHOWN; i++)
    strbuf_printf(&names, "%s%s", i ? ", " : ": ", options->paths.items[i]);
  if (options->paths.count > NAMES_SHOWN)
    strbuf_printf(&names, " and %" PRIu32 " more", options->paths.count - NAMES_SHOWN);
  diag_report(run->sink, DIAG_ERROR, NULL,
              "the %" PRIu32
              " seconds of --timeout were over before the files were read: nothing was checked%s",
              options->timeout, strbuf_text(&names));
}

// On a thread of its own, while another one is in the front end: with nothing of what that has come to.
static int report_early(void *context, bool is_out_of_time) {
  const Options *options = context;
  Arena *arena = arena_open();
  Run run = {.options = options,
             .arena = arena,
             .sink = diag_sink_make(arena),
             .progress = progress_make(options),
             .is_interrupted = true,
             .is_out_of_time = is_out_of_time};
  run.sources = source_cache_make(arena, &run.overlay);
  progress_clear(&run.progress);
  if (is_out_of_time) tell_nothing_checked(&run);
  ExitStatus status = is_out_of_time ? STATUS_INPUT : STATUS_INTERRUPTED;
  if (options->dump == DUMP_NONE && options->action == ACTION_CHECK) status = print_report(&run, NULL);
  print_messages(&run);
  return (int)status;
}

// Up to where kernels are checked; false: it cannot go on.
static bool read_files(Run *run) {
  EarlyWatch *watch = early_watch_begin(run->deadline, report_early, (void *)run->options);
  bool is_loaded = run_load(run);
  early_watch_end(watch);
  return is_loaded;
}

// Beside a report of another form on standard output, the diff goes to the messages.
static void print_diff(const Run *run, const FixedFiles *fixed) {
  StrBuf diff = {.arena = run->arena};
  bool is_taken = false;
  for (uint32_t i = 0; i < run->options->outputs.count; i++)
    is_taken |= !run->options->outputs.items[i].path && run->options->outputs.items[i].format != FORMAT_TEXT;
  fixes_diff(fixed, &diff);
  fputs(strbuf_text(&diff), is_taken ? stderr : stdout);
}

// The report of what is left in the files if they were changed, else of what is in them.
static ExitStatus fix_and_report(Run *run, const regex_t *filter) {
  const ReportOptions options = report_options(run);
  FixedFiles fixed = fixes_make(run, &options, filter);
  if (run->is_interrupted) return print_report(run, filter);
  bool is_dry = run->options->fix == FIX_DRY_RUN;
  bool is_written = !is_dry && fixes_write(&fixed, run->sink, run->arena);
  if (is_written) fixed.last->stats = run->stats;
  if (is_written || is_dry) fixes_tell(&fixed, is_dry ? "can be fixed" : "fixed", run->sink);
  ExitStatus status = print_report(is_written ? fixed.last : run, filter);
  if (is_dry) print_diff(run, &fixed);
  fixes_close(&fixed);
  return run->sink->error_count > 0 && status != STATUS_INTERNAL ? STATUS_INPUT : status;
}

static ExitStatus analyze(Run *run, const regex_t *filter) {
  if (!read_baseline(run) || !read_suppressions(run)) return STATUS_INPUT;
  if (!read_files(run)) return give_up(run, STATUS_INPUT);
  if (run->options->dump == DUMP_IR) return print_dump(run, dump_ir);
  if (!run_verify(run)) return give_up(run, STATUS_INTERNAL);
  double start = run_clock();
  run_scan_host(run);
  run_list_tasks(run, filter);
  if (run->options->dump == DUMP_HOST) return print_dump(run, dump_host);
  if (wants_part(run)) {
    PartRun part = part_run(run);
    run->common = parts_common(&part, run->arena);
  }
  run_check_kernels(run);
  if (run->options->confirm) confirm_results(run);
  run_finish_stats(run, start);
  if (run->options->dump != DUMP_NONE) return print_dump(run, dump_checks);
  bool is_fixed =
      !run->is_interrupted && (run->options->fix == FIX_WRITE || run->options->fix == FIX_DRY_RUN);
  return is_fixed ? fix_and_report(run, filter) : print_report(run, filter);
}

static bool compile_filter(Run *run, regex_t *filter) {
  int code = regcomp(filter, run->options->kernel_regex, REG_EXTENDED | REG_NOSUB);
  if (code == 0) return true;
  char why[200];
  regerror(code, filter, why, sizeof why);
  diag_report(run->sink, DIAG_ERROR, NULL, "--kernel: '%s' is no regular expression: %s",
              run->options->kernel_regex, why);
  return false;
}

static ExitStatus run_filtered(Run *run) {
  if (!run->options->kernel_regex) return analyze(run, NULL);
  regex_t filter;
  if (!compile_filter(run, &filter)) return STATUS_INPUT;
  ExitStatus status = analyze(run, &filter);
  regfree(&filter);
  return status;
}

// Without a name of a file, those of the build that hold CUDA.
static ExitStatus run_files(Run *run) {
  const Options *options = run->options;
  Options *whole = arena_new(run->arena, Options);
  *whole = *options;
  run->options = whole;
  if (options->paths.count == 0) {
    FrontendPaths files = {0};
    if (!frontend_build_files(options->build_path, options->target, run->arena, run->sink, &files))
      return STATUS_INPUT;
    for (uint32_t i = 0; i < files.count; i++)
      vec_push(run->arena, &whole->paths, files.items[i]);
  }
  return run_filtered(run);
}

static ExitStatus precompile(const Run *run) {
  const FrontendOptions frontend = run_frontend_options(run);
  return frontend_precompile(&frontend, run->arena, run->sink) ? STATUS_CLEAN : STATUS_INPUT;
}

static ExitStatus compile_unit(const Run *run) {
  const FrontendOptions frontend = run_frontend_options(run);
  return units_compile(run->options, &frontend, run->arena, run->sink) ? STATUS_CLEAN : STATUS_INPUT;
}

static ExitStatus show_cache(const Run *run) {
  StrBuf text = {.arena = run->arena};
  store_print_stats(run->cache, &text);
  return fputs(strbuf_text(&text), stdout) >= 0 && fflush(stdout) == 0 ? STATUS_CLEAN : STATUS_INPUT;
}

// The report of parts that were checked elsewhere.
static ExitStatus merge(Run *run) {
  PartRun *merged = arena_new(run->arena, PartRun);
  *merged = (PartRun){.options = run->options, .version = run->version, .sink = run->sink};
  if (!read_baseline(run) || !read_suppressions(run) || !parts_merge(merged, run->arena)) return STATUS_INPUT;
  if (wants_part(run)) return complain(run, "--merge writes reports: --format=part is for --shard");
  run->merged = merged;
  for (uint32_t i = 0; i < merged->task_count; i++)
    vec_push(run->arena, &run->tasks, merged->tasks[i]);
  run_tell_contradictions(run);
  return print_report(run, NULL);
}

static ExitStatus act(Run *run) {
  switch (run->options->action) {
  case ACTION_PRECOMPILE: return precompile(run);
  case ACTION_COMPILE: return compile_unit(run);
  case ACTION_CACHE_STATS: return show_cache(run);
  case ACTION_MERGE: return merge(run);
  case ACTION_CHECK:
  case ACTION_HELP:
  case ACTION_VERSION:
  case ACTION_LIST:
  case ACTION_COMPLETION:
  case ACTION_DUMP_CONFIG:
  case ACTION_LSP:
  case ACTION_EXPLAIN: break;
  }
  return run_files(run);
}

// A file that is not there would be read by clang alone: what was looked for in vain is kept
// (frontend/inputs.c).
static bool read_remaps(Run *run) {
  for (uint32_t i = 0; i < run->options->remaps.count; i++) {
    const char *pair = run->options->remaps.items[i], *text = strrchr(pair, '=') + 1;
    const char *paths[] = {arena_strndup(run->arena, pair, (size_t)(text - pair) - 1), text};
    for (int k = 0; k < 2; k++)
      if (access(paths[k], R_OK) != 0) {
        diag_report(run->sink, DIAG_ERROR, NULL, "--remap-file: cannot read '%s': %s", paths[k],
                    strerror(errno));
        return false;
      }
    overlay_add(&run->overlay, run->arena, paths[0], paths[1]);
  }
  return true;
}

// Under a name that may not be there, with which nothing is to be kept.
static bool read_stdin(Run *run) {
  const char *name = run->options->stdin_name;
  const char *text = name ? file_of_stdin(run->arena) : NULL;
  if (!name) return true;
  if (!text) {
    diag_report(run->sink, DIAG_ERROR, NULL, "cannot read standard input: %s", strerror(errno));
    return false;
  }
  run->keeps_no_text = access(name, R_OK) != 0;
  overlay_add(&run->overlay, run->arena, name, text);
  return true;
}

static ExitStatus run_with_cache(Run *run) {
  const char *error;
  OptionsAction action = run->options->action;
  run->version = identity_version(run->arena);
  bool has_cache = action == ACTION_CHECK || action == ACTION_COMPILE || action == ACTION_CACHE_STATS;
  if (has_cache && !store_open(run->options, run->version, run->arena, &run->cache, &error))
    return complain(run, error);
  run->store = store_for_frontend(run->cache);
  if (!read_remaps(run) || !read_stdin(run)) return STATUS_INPUT;
  return act(run);
}

static void print_cache_stats(const Run *run) {
  StrBuf text = {.arena = run->arena};
  if (!run->options->wants_cache_stats || run->options->action == ACTION_CACHE_STATS) return;
  store_print_stats(run->cache, &text);
  fputs(strbuf_text(&text), stderr);
}

ExitStatus pipeline_run(const Options *options) {
  ASSERT(options);
  Arena *arena = arena_open();
  Run run = {.options = options,
             .arena = arena,
             .strings = str_table_make(arena),
             .sink = diag_sink_make(arena),
             .progress = progress_make(options),
             .deadline = options->timeout ? run_clock() + options->timeout : 0};
  run.sources = source_cache_make(arena, &run.overlay);
  ExitStatus status = run_with_cache(&run);
  print_messages(&run);
  if (run.is_interrupted) _exit((int)status); // workers may still be running: nothing is torn down under them
  print_cache_stats(&run);
  cache_close(run.cache);
  for (uint32_t i = 0; i < run.checks.count; i++)
    workers_close(run.checks.items[i]);
  arena_close(arena);
  return status;
}
