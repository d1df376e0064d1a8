// What happens to the files, in which order, and what does the exit status say?
//
// compile -> lower -> verify -> scan host -> check each kernel under each of its launches -> report. A kernel
// without a visible launch is checked under a made-up one (hostscan_any_launch), and so is one that device
// code launches. --dump prints a stage in place of the report.
//
// Soundness: a definition is paired with every launch of that name, even when several files define it; a
// definition is left out only if an equal one (same external name, same place) is checked already. Files that
// did not compile make the exit status 2, whatever the others gave.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline.h"
#include "driver/directives.h"
#include "driver/files.h"
#include "driver/identity.h"
#include "driver/output.h"
#include "driver/parts.h"
#include "driver/store.h"
#include "driver/units.h"
#include "driver/workers.h"
#include "frontend/frontend.h"
#include "hostscan/hostscan.h"
#include "report/report.h"
#include "solver/solver.h"

#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct Run {
  const Options *options;
  Arena *arena;
  StrTable *strings;
  DiagSink *sink;
  const char *version; // exactly
  Cache *cache;        // or NULL
  FrontendStore store;
  SourceCache *sources;
  Overlay overlay;
  Program program;
  HostScanResult *host;
  HostScanOptions host_options;
  VEC(CheckTask) tasks;
  StrBuf common;            // what all parts of the run share, if a part is to be written
  const PartRun *merged;    // where the results are from, if nothing is checked
  uint32_t library_kernels; // that are not among them
  const ReportBaseline *baseline;
  const ReportSuppressions *suppressions;
  CheckRun *checks;
  Progress progress;
  ReportStats stats;
  bool is_interrupted;
  bool is_contradicted; // a proof, by a run (--audit)
} Run;

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

// Of this process since its start and of the children that ended.
static double processor_seconds(void) {
  double sum = 0;
  static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
  for (size_t i = 0; i < sizeof whose / sizeof *whose; i++) {
    struct rusage usage;
    if (getrusage(whose[i], &usage) == 0) sum += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  }
  return sum;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// ---- stages
// ------------------------------------------------------------------------------------------------------

static FrontendOptions frontend_options(const Run *run) {
  const Options *options = run->options;
  return (FrontendOptions){.cuda_path = options->cuda_path,
                           .arch = options->arch,
                           .flag_count = options->flags.count,
                           .flags = options->flags.items,
                           .build_path = options->build_path,
                           .keep_going_host = true,
                           .is_verbose = options->is_verbose,
                           .is_last = true,
                           .store = run->cache ? &run->store : NULL,
                           .version = run->version,
                           .overlay = &run->overlay};
}

static bool load(Run *run) {
  const Options *options = run->options;
  const FrontendOptions frontend = frontend_options(run);
  double start = now();
  progress_compiling(&run->progress, options->paths.count);
  bool is_loaded = frontend_load(&frontend, options->paths.count, options->paths.items, run->arena,
                                 run->strings, run->sink, &run->program);
  run->stats.frontend_seconds = now() - start;
  run->stats.frontend_processor_seconds = processor_seconds();
  // A file that does not compile may launch what the others define.
  run->program.has_gaps = run->sink->gap_count > 0 || run->sink->error_count > 0;
  progress_clear(&run->progress);
  return is_loaded;
}

// Malformed IR is our mistake, not the user's.
static bool verify(const Run *run) {
  bool is_good = true;
  for (uint32_t i = 0; i < run->program.units.count; i++) {
    const FrontendUnit *unit = &run->program.units.items[i];
    if (unit->device) is_good = ir_verify(unit->device, run->sink) && is_good;
    if (unit->host) is_good = ir_verify(unit->host, run->sink) && is_good;
  }
  return is_good;
}

static void set_host_options(Run *run) {
  run->host_options.has_main = run->program.has_main;
  memcpy(run->host_options.grid_dim, run->options->grid_dim, sizeof run->host_options.grid_dim);
  memcpy(run->host_options.block_dim, run->options->block_dim, sizeof run->host_options.block_dim);
}

enum { INVARIANT_RLIMIT = 100000, INVARIANT_POOL = 20000000 };

// For the host scan, which may not ask the solver itself.
static bool prove_invariant(void *context, ExprPool *pool, uint32_t count, const ExprRef *facts,
                            ExprRef claim) {
  Arena *scratch = arena_open();
  GoalCondition *conditions = arena_array(scratch, count + 1u, GoalCondition);
  for (uint32_t i = 0; i < count; i++)
    conditions[i] = (GoalCondition){facts[i], GOAL_FACT, i};
  conditions[count] = (GoalCondition){expr_not(pool, claim), GOAL_CONTEXT, 0};
  SolverGoal goal = {
      .pool = pool, .condition_count = count + 1, .conditions = conditions, .name = "members of a class"};
  Verdict verdict = solver_satisfiable(context, &goal, scratch).verdict;
  arena_close(scratch);
  return verdict == VERDICT_SAFE;
}

// Once linked, one module holds the host side of all files.
static void scan_host(Run *run) {
  const IrModule *host = NULL;
  const IrModule **devices = arena_array(run->arena, run->program.units.count + 1, const IrModule *);
  uint32_t device_count = 0;
  for (uint32_t i = 0; i < run->program.units.count; i++) {
    const FrontendUnit *unit = &run->program.units.items[i];
    if (unit->device) devices[device_count++] = unit->device;
    if (unit->host && host && unit->host != host)
      diag_report_gap(run->sink, NULL, "%s: its host code was not linked, so launches in it are not seen",
                      unit->path);
    run->program.has_gaps |= run->sink->gap_count > 0;
    host = host ? host : unit->host;
  }
  set_host_options(run);
  Solver *solver = solver_open(&(SolverOptions){.rlimit = INVARIANT_RLIMIT});
  solver_start_pool(solver, INVARIANT_POOL);
  run->host_options.prove = prove_invariant;
  run->host_options.prove_context = solver;
  run->host = hostscan_run(host, device_count, devices, &run->host_options, run->arena, run->sink);
  run->host_options.prove = NULL;
  solver_close(solver);
}

// ---- which kernels, under which launches
// -------------------------------------------------------------------------

static bool same_definition(const CheckTask *task, const IrModule *module, const IrFunction *kernel) {
  const SrcLoc *a = ir_loc(task->module, task->kernel->loc), *b = ir_loc(module, kernel->loc);
  return task->kernel->is_external && kernel->is_external && strcmp(task->kernel->name, kernel->name) == 0 &&
         a->file && b->file && strcmp(a->file, b->file) == 0 && a->line == b->line && a->column == b->column;
}

// A template or inline kernel of a header that several files include is checked once.
static bool is_listed(const Run *run, const IrModule *module, const IrFunction *kernel) {
  for (uint32_t i = 0; i < run->tasks.count; i++)
    if (same_definition(&run->tasks.items[i], module, kernel)) return true;
  return false;
}

static const Digest *digest_of_module(const Run *run, const IrModule *module) {
  for (uint32_t i = 0; i < run->program.units.count; i++)
    if (run->program.units.items[i].device == module) return run->program.units.items[i].device_digest;
  return NULL;
}

static void add_task(Run *run, const IrModule *module, const IrFunction *kernel,
                     const LaunchContext *launch) {
  vec_push(run->arena, &run->tasks,
           (CheckTask){.module = module,
                       .module_digest = digest_of_module(run, module),
                       .kernel = kernel,
                       .launch = launch,
                       .doubts = doubts_of(&run->program, module, kernel, launch, run->arena)});
}

static void add_kernel(Run *run, const IrModule *module, const IrFunction *kernel,
                       const HostScanOptions *dimensions) {
  uint32_t before = run->tasks.count;
  if (is_listed(run, module, kernel)) return;
  for (uint32_t i = 0; i < run->host->launches.count; i++)
    if (strcmp(run->host->launches.items[i]->kernel, kernel->name) == 0)
      add_task(run, module, kernel, run->host->launches.items[i]);
  if (run->tasks.count == before || !hostscan_follows(run->host, kernel))
    add_task(run, module, kernel,
             hostscan_any_launch(run->host->pool, module, kernel, dimensions, run->arena));
}

static bool has_any_launch(const Run *run, uint32_t first_task) {
  for (uint32_t i = first_task; i < run->tasks.count; i++)
    if (run->tasks.items[i].launch->is_any) return true;
  return false;
}

static uint32_t add_kernels(Run *run, const FrontendUnit *unit, const regex_t *filter) {
  uint32_t seen = 0, before = run->tasks.count;
  const IrModule *module = unit->device;
  HostScanOptions dimensions = run->host_options;
  uint32_t line = directives_read(unit->path, run->sources, run->arena, run->sink, dimensions.grid_dim,
                                  dimensions.block_dim);
  for (uint32_t i = 0; i < module->functions.count; i++) {
    const IrFunction *function = module->functions.items[i];
    if (!function->is_kernel || function->is_declaration) continue;
    if (function->is_of_library && !filter) {
      run->library_kernels++;
      continue;
    }
    seen++;
    if (!filter || regexec(filter, function->display, 0, NULL, 0) == 0)
      add_kernel(run, module, function, &dimensions);
  }
  if (line && has_any_launch(run, before))
    diag_report(run->sink, DIAG_NOTE, &(SrcLoc){.file = unit->path, .line = line},
                "kernels whose launch is not in the files have the dimensions of this comment");
  return seen;
}

static void note_no_kernels(Run *run, uint32_t seen) {
  if (seen)
    diag_report(run->sink, DIAG_NOTE, NULL, "--kernel '%s' matches no kernel (%" PRIu32 " seen)",
                run->options->kernel_regex, seen);
  else if (run->program.units.count == 1)
    diag_report(run->sink, DIAG_NOTE, NULL, "%s: no kernels to check", run->program.units.items[0].path);
  else
    diag_report(run->sink, DIAG_NOTE, NULL, "no kernels to check in these %" PRIu32 " files",
                run->options->paths.count);
}

static void note_unused_dimensions(Run *run) {
  bool is_used = run->options->grid_dim[0] == 0 && run->options->block_dim[0] == 0;
  for (uint32_t i = 0; i < run->tasks.count; i++)
    is_used = is_used || run->tasks.items[i].launch->is_any;
  if (!is_used && run->tasks.count)
    diag_report(run->sink, DIAG_NOTE, NULL,
                "--grid-dim and --block-dim change nothing: every kernel has a visible launch");
}

static void list_tasks(Run *run, const regex_t *filter) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < run->program.units.count; i++)
    if (run->program.units.items[i].device) seen += add_kernels(run, &run->program.units.items[i], filter);
  if (run->library_kernels)
    diag_report(run->sink, DIAG_NOTE, NULL,
                "%" PRIu32 " kernel%s of libraries (headers of the system or the toolkit) not checked: "
                "choose kernels with --kernel to check them",
                run->library_kernels, run->library_kernels == 1 ? "" : "s");
  if (run->tasks.count == 0) note_no_kernels(run, seen);
  note_unused_dimensions(run);
}

// Each is a mistake of ours: the run goes on, for the sake of all other kernels.
static void tell_contradictions(Run *run) {
  for (uint32_t i = 0; i < run->tasks.count; i++) {
    const KernelResult *result = run->tasks.items[i].result;
    for (uint32_t c = 0; result && c < result->contradictions.count; c++) {
      diag_report(run->sink, DIAG_ERROR, &result->contradictions.items[c].loc, "%s",
                  result->contradictions.items[c].text);
      run->is_contradicted = true;
    }
  }
}

static CheckPlan check_plan(const Run *run, uint32_t task_count, CheckTask *tasks) {
  CheckPlan plan = {.task_count = task_count,
                    .tasks = tasks,
                    .pool = run->host->pool,
                    .cache = run->cache,
                    .arch = run->options->arch,
                    .warn_same_value = run->options->warn_same_value,
                    .warn_leaving = run->options->warn_leaving,
                    .check_overflow = run->options->check_overflow,
                    .memory_model = run->options->memory_model,
                    .audit_steps = run->options->audit_steps,
                    .audit_flags = run->options->audit_flags,
                    .dump = run->options->dump,
                    .progress = run->progress,
                    .workers = run->options->workers ? run->options->workers : workers_for_cores()};
  // A solver answers a question it has seen without a query, so dumps depend on who was asked before.
  if (plan.workers > plan.task_count || plan.dump != DUMP_NONE)
    plan.workers = plan.dump != DUMP_NONE || plan.task_count == 0 ? 1 : plan.task_count;
  return plan;
}

static bool wants_part(const Run *run) {
  bool is_wanted = false;
  for (uint32_t i = 0; i < run->options->outputs.count; i++)
    is_wanted |= run->options->outputs.items[i].format == FORMAT_PART;
  return is_wanted;
}

// Those of this part of the run; the others stay without a result.
static void check_kernels(Run *run) {
  CheckTask *own = arena_array(run->arena, run->tasks.count + 1u, CheckTask);
  uint32_t *places = arena_array(run->arena, run->tasks.count + 1u, uint32_t), count = 0;
  for (uint32_t i = 0; i < run->tasks.count; i++)
    if (parts_owns(run->options, run->tasks.items, i)) {
      places[count] = i;
      own[count++] = run->tasks.items[i];
    }
  CheckPlan *plan = arena_new(run->arena, CheckPlan);
  *plan = check_plan(run, count, own);
  run->checks = workers_check(plan, &run->is_interrupted);
  for (uint32_t i = 0; i < count; i++)
    run->tasks.items[places[i]] = own[i];
  progress_clear(&run->progress);
  tell_contradictions(run);
}

// ---- dumps
// -------------------------------------------------------------------------------------------------------

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
// ------------------------------------------------------------------------------------------------------

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
                          .docs_url = run->options->docs_url,
                          .source_root = current_folder(run->arena),
                          .baseline = run->baseline,
                          .suppressions = run->suppressions};
  memcpy(report.levels, run->options->levels, sizeof report.levels);
  return report;
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
    files[i].is_ok = unit && (unit->device || unit->host || unit->is_part);
    files[i].seconds = unit ? unit->clang_seconds : 0;
  }
  return files;
}

static ReportInput report_input(const Run *run) {
  uint32_t file_count;
  const ReportFile *files = report_files(run, &file_count);
  const KernelResult **results = arena_array(run->arena, run->tasks.count + 1, const KernelResult *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->tasks.count; i++)
    if (run->tasks.items[i].result) results[count++] = run->tasks.items[i].result;
  return (ReportInput){.pool = run->merged ? run->merged->pool
                               : run->host ? run->host->pool
                                           : NULL,
                       .result_count = count,
                       .results = results,
                       .file_count = file_count,
                       .files = files,
                       .diags = run->sink,
                       .stats = run->stats,
                       .is_interrupted = run->is_interrupted};
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
// -----------------------------------------------------------------------------------

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

static bool read_suppressions(Run *run) {
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

// ---- the end
// -----------------------------------------------------------------------------------------------------

static ExitStatus exit_status(const Run *run, const ReportTotals *totals) {
  if (run->is_interrupted) return STATUS_INTERRUPTED;
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

static void finish_stats(Run *run, double analysis_start) {
  struct rusage usage;
  run->stats.analysis_seconds = now() - analysis_start;
  run->stats.has_times = run->options->wants_stats;
  if (getrusage(RUSAGE_SELF, &usage) == 0) run->stats.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
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
static ExitStatus print_report(const Run *run) {
  ReportOptions options = report_options(run);
  ReportInput input = report_input(run);
  const Report *report = report_prepare(&input, &options, run->arena);
  ReportTotals totals = report_totals(report);
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
static ExitStatus give_up(const Run *run, ExitStatus status) {
  bool is_text = true;
  for (uint32_t i = 0; i < run->options->outputs.count; i++)
    is_text = is_text && run->options->outputs.items[i].format == FORMAT_TEXT;
  if (!is_text && run->options->dump == DUMP_NONE) print_report(run);
  return status;
}

static ExitStatus analyze(Run *run, const regex_t *filter) {
  if (!read_baseline(run) || !read_suppressions(run)) return STATUS_INPUT;
  if (!load(run)) return give_up(run, STATUS_INPUT);
  if (run->options->dump == DUMP_IR) return print_dump(run, dump_ir);
  if (!verify(run)) return give_up(run, STATUS_INTERNAL);
  double start = now();
  scan_host(run);
  list_tasks(run, filter);
  if (run->options->dump == DUMP_HOST) return print_dump(run, dump_host);
  if (wants_part(run)) {
    PartRun part = part_run(run);
    run->common = parts_common(&part, run->arena);
  }
  check_kernels(run);
  finish_stats(run, start);
  if (run->options->dump != DUMP_NONE) return print_dump(run, dump_checks);
  return print_report(run);
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
    if (!frontend_build_files(options->build_path, run->arena, run->sink, &files)) return STATUS_INPUT;
    for (uint32_t i = 0; i < files.count; i++)
      vec_push(run->arena, &whole->paths, files.items[i]);
  }
  return run_filtered(run);
}

static ExitStatus precompile(const Run *run) {
  const FrontendOptions frontend = frontend_options(run);
  return frontend_precompile(&frontend, run->arena, run->sink) ? STATUS_CLEAN : STATUS_INPUT;
}

static ExitStatus compile_unit(const Run *run) {
  const FrontendOptions frontend = frontend_options(run);
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
  tell_contradictions(run);
  return print_report(run);
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

static ExitStatus run_with_cache(Run *run) {
  const char *error;
  OptionsAction action = run->options->action;
  run->version = identity_version(run->arena);
  bool has_cache = action == ACTION_CHECK || action == ACTION_COMPILE || action == ACTION_CACHE_STATS;
  if (has_cache && !store_open(run->options, run->version, run->arena, &run->cache, &error))
    return complain(run, error);
  run->store = store_for_frontend(run->cache);
  if (!read_remaps(run)) return STATUS_INPUT;
  return act(run);
}

static void print_cache_stats(const Run *run) {
  StrBuf text = {.arena = run->arena};
  if (!run->options->wants_cache_stats || run->options->action == ACTION_CACHE_STATS) return;
  store_print_stats(run->cache, &text);
  fputs(strbuf_text(&text), stderr);
}

ExitStatus pipeline_run(const Options *options) {
  Arena *arena = arena_open();
  Run run = {.options = options,
             .arena = arena,
             .strings = str_table_make(arena),
             .sink = diag_sink_make(arena),
             .progress = progress_make(options)};
  run.sources = source_cache_make(arena, &run.overlay);
  ExitStatus status = run_with_cache(&run);
  print_messages(&run);
  if (run.is_interrupted) return status;
  print_cache_stats(&run);
  cache_close(run.cache);
  if (run.checks) workers_close(run.checks);
  arena_close(arena);
  return status;
}
