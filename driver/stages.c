// What do the stages of a run do with what the one before has left?
//
// compile -> lower -> verify -> scan host -> list kernels and launches -> check each. A kernel without a
// visible launch is checked under a made-up one (hostscan_any_launch), and so is one that device code
// launches.
//
// Soundness: a definition is paired with every launch of that name, even when several files define it; a
// definition is left out only if an equal one (same external name, same place) is checked already.
// SPDX-License-Identifier: Apache-2.0
#include "driver/run.h"
#include "core/bug.h"
#include "driver/directives.h"
#include "driver/host_memory.h"
#include "driver/templates.h"
#include "solver/solver.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

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

double run_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// ---- stages

FrontendOptions run_frontend_options(const Run *run) {
  ASSERT(run && run->options);
  const Options *options = run->options;
  return (FrontendOptions){.cuda_path = options->cuda_path,
                           .arch = options->arch,
                           .flag_count = options->flags.count,
                           .flags = options->flags.items,
                           .build_path = options->build_path,
                           .keep_going_host = true,
                           .is_verbose = options->is_verbose,
                           .is_last = !run->is_again,
                           .store = run->cache && !run->keeps_no_text ? &run->store : NULL,
                           .version = run->version,
                           .overlay = &run->overlay};
}

static void told_compiled(void *context, uint32_t done, uint32_t count) {
  const Run *run = context;
  uint32_t files = run->options->paths.count;
  progress_compiling(&run->progress, (uint32_t)((uint64_t)done * files / (count ? count : 1)), files);
}

bool run_load(Run *run) {
  ASSERT(run->program.units.count == 0);
  const Options *options = run->options;
  FrontendOptions frontend = run_frontend_options(run);
  frontend.told = told_compiled;
  frontend.told_context = run;
  double start = run_clock();
  progress_compiling(&run->progress, 0, options->paths.count);
  bool is_loaded = frontend_load(&frontend, options->paths.count, options->paths.items, run->arena,
                                 run->strings, run->sink, &run->program);
  run->stats.frontend_seconds = run_clock() - start;
  run->stats.frontend_processor_seconds = processor_seconds();
  // A file that does not compile may launch what the others define.
  run->program.has_gaps = run->sink->gap_count > 0 || run->sink->error_count > 0;
  progress_clear(&run->progress);
  return is_loaded;
}

// Malformed IR is our mistake, not the user's.
bool run_verify(const Run *run) {
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
  ASSERT(expr_is_of(pool, claim) && (facts || count == 0));
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
void run_scan_host(Run *run) {
  ASSERT(run->host == NULL);
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
  HostMemory *memory =
      run->options->dump == DUMP_NONE ? host_memory_open(run->cache, &run->program, run->arena) : NULL;
  Solver *solver =
      solver_open(&(SolverOptions){.rlimit = INVARIANT_RLIMIT, .memory = host_memory_of_solver(memory)});
  solver_start_pool(solver, INVARIANT_POOL);
  run->host_options.prove = prove_invariant;
  run->host_options.prove_context = solver;
  run->host = hostscan_run(host, device_count, devices, &run->host_options, run->arena, run->sink);
  run->host_options.prove = NULL;
  solver_close(solver);
  host_memory_close(memory);
}

// ---- which kernels, under which launches

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
  if (run->tasks.count > before && hostscan_follows(run->host, kernel)) return;
  LaunchContext *any = hostscan_any_launch(run->host->pool, module, kernel, dimensions, run->arena);
  hostscan_doubt_memory(run->host, module, kernel, any, run->arena);
  add_task(run, module, kernel, any);
}

static bool has_any_launch(const Run *run, uint32_t first_task) {
  for (uint32_t i = first_task; i < run->tasks.count; i++)
    if (run->tasks.items[i].launch->is_any) return true;
  return false;
}

static const char handed_code[] =
    "the code that is handed to an algorithm of a library here runs on the device and is not checked";

// The kernel of a library runs code of the file.
static void tell_code_in(Run *run, const IrModule *module, const IrFunction *kernel, const char *path) {
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    const SrcLoc *loc = ir_loc(module, kernel->insts.items[i].loc);
    if (loc->file && strcmp(loc->file, path) == 0) {
      diag_report_gap(run->sink, loc,
                      "kernel '%s' of a library runs this, which is not checked: choose it with --kernel",
                      kernel->display);
      return;
    }
  }
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
      tell_code_in(run, module, function, unit->path);
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

// Returns how many were told.
static uint32_t tell_templates(Run *run, const regex_t *filter) {
  const IrModule **devices = arena_array(run->arena, run->program.units.count + 1, const IrModule *);
  uint32_t count = 0, told = 0;
  for (uint32_t i = 0; i < run->program.units.count; i++)
    if (run->program.units.items[i].device) devices[count++] = run->program.units.items[i].device;
  for (uint32_t i = 0; i < run->program.units.count; i++)
    if (run->program.units.items[i].device)
      told += templates_tell_unmade(run->program.units.items[i].path, run->sources, count, devices, filter,
                                    run->arena, run->sink);
  return told;
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

// Function objects that run on the device in the kernels of a library (frontend/cuda/hgrd_library.h). No kernel of the program leans on them.
static void tell_handed_code(Run *run, const IrModule *host) {
  for (uint32_t f = 0; f < host->functions.count; f++) {
    const IrFunction *function = host->functions.items[f];
    for (uint32_t i = 0; i < function->insts.count; i++) {
      const IrInst *call = &function->insts.items[i];
      if (call->op != IR_CALL || !call->name || strcmp(call->name, "__hgrd_hands_code") != 0) continue;
      const SrcLoc *loc = ir_loc(host, call->loc);
      while (loc->inlined_at)
        loc = loc->inlined_at;
      diag_report_gap(run->sink, loc, "%s", handed_code);
    }
  }
}

void run_list_tasks(Run *run, const regex_t *filter) {
  ASSERT(run->host != NULL);
  uint32_t seen = 0;
  for (uint32_t i = 0; i < run->program.units.count; i++) {
    const IrModule *host = run->program.units.items[i].host;
    if (host && (i == 0 || host != run->program.units.items[i - 1].host)) tell_handed_code(run, host);
  }
  for (uint32_t i = 0; i < run->program.units.count; i++)
    if (run->program.units.items[i].device) seen += add_kernels(run, &run->program.units.items[i], filter);
  if (run->library_kernels)
    diag_report(run->sink, DIAG_NOTE, NULL,
                "%" PRIu32 " kernel%s of libraries (headers of the system or the toolkit) not checked: "
                "choose kernels with --kernel to check them",
                run->library_kernels, run->library_kernels == 1 ? "" : "s");
  uint32_t unmade = tell_templates(run, filter);
  if (run->tasks.count == 0 && unmade == 0) note_no_kernels(run, seen);
  note_unused_dimensions(run);
}

// Each is a mistake of ours: the run goes on, for the sake of all other kernels.
void run_tell_contradictions(Run *run) {
  ASSERT(run);
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
  ASSERT(task_count == 0 || tasks);
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
                    .deadline = run->deadline,
                    .shows_times = run->options->wants_stats,
                    .progress = run->progress,
                    .workers = run->options->workers ? run->options->workers : workers_for_cores()};
  // A solver answers a question it has seen without a query, so dumps depend on who was asked before.
  if (plan.workers > plan.task_count || plan.dump != DUMP_NONE)
    plan.workers = plan.dump != DUMP_NONE || plan.task_count == 0 ? 1 : plan.task_count;
  return plan;
}

// Those that are chosen and have no result yet.
static void check_some(Run *run, const bool *is_chosen) {
  CheckTask *own = arena_array(run->arena, run->tasks.count + 1u, CheckTask);
  uint32_t *places = arena_array(run->arena, run->tasks.count + 1u, uint32_t), count = 0;
  for (uint32_t i = 0; i < run->tasks.count; i++)
    if (is_chosen[i] && !run->tasks.items[i].result) {
      places[count] = i;
      own[count++] = run->tasks.items[i];
    }
  progress_expect(&run->progress, count);
  CheckPlan *plan = arena_new(run->arena, CheckPlan);
  *plan = check_plan(run, count, own);
  vec_push(run->arena, &run->checks, workers_check(plan, &run->is_interrupted, &run->is_out_of_time));
  for (uint32_t i = 0; i < count; i++)
    run->tasks.items[places[i]] = own[i];
}

// Those of this part of the run; the others stay without a result.
void run_check_kernels(Run *run) {
  ASSERT(run->host != NULL); // after run_scan_host
  bool *is_chosen = arena_array(run->arena, run->tasks.count + 1u, bool);
  for (uint32_t i = 0; i < run->tasks.count; i++)
    is_chosen[i] = parts_owns(run->options, run->tasks.items, i);
  check_some(run, is_chosen);
  progress_clear(&run->progress);
  run_tell_contradictions(run);
}

void run_check_named(Run *run, const char *kernel) {
  ASSERT(kernel);
  bool *is_chosen = arena_array(run->arena, run->tasks.count + 1u, bool);
  for (uint32_t i = 0; i < run->tasks.count; i++)
    is_chosen[i] = strcmp(run->tasks.items[i].kernel->display, kernel) == 0;
  check_some(run, is_chosen);
}

RunResults run_results(const Run *run, const char *kernel, Arena *arena) {
  ASSERT(run && arena);
  RunResults results = {.items = arena_array(arena, run->tasks.count + 1u, const KernelResult *)};
  for (uint32_t i = 0; i < run->tasks.count; i++) {
    const CheckTask *task = &run->tasks.items[i];
    if (task->result && (!kernel || strcmp(task->kernel->display, kernel) == 0))
      results.items[results.count++] = task->result;
  }
  return results;
}

void run_finish_stats(Run *run, double analysis_start) {
  ASSERT(analysis_start <= run_clock());
  struct rusage usage;
  run->stats.analysis_seconds = run_clock() - analysis_start;
  run->stats.has_times = run->options->wants_stats;
  if (getrusage(RUSAGE_SELF, &usage) == 0) run->stats.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
}
