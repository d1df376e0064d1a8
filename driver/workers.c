// How are many kernels checked at once so that the outcome is the same as one after the other?
//
// Tasks are taken from one queue, the longest first, as far as the length of a kernel says it. Each worker
// has its own solver; a task waits for those that its budget follows from (families.c); each task has its own arena with its own copy of its launch and of the expressions that
// it speaks of (kernel_cache.c), so that what a task sees depends neither on the tasks before it nor on the rest of
// the program. Its result is written into the worker's arena, and the task's arena is closed: memory is
// bounded by the largest task. Results stand in the plan at their task's place, whoever made them.
//
// SIGINT and SIGTERM are blocked in all threads while workers run; a thread of its own waits for them, so no
// signal handler and no global flag is needed.
//
// Soundness: a task without a finished result is reported as undecided. A result that says race-free although
// something in it, or in its launch, was not understood is made undecided here, whatever its producer
// thought.
// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "driver/workers.h"
#include "driver/crash.h"
#include "driver/families.h"
#include "driver/kernel_cache.h"
#include "core/bug.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <time.h>
#include <unistd.h>

// Expressions and syntax are walked recursively; the pages are only taken when they are needed.
enum { WORKER_STACK_BYTES = 256 << 20, MOST_WORKERS = 256 };

typedef struct Worker {
  CheckRun *run;
  pthread_t thread;
  Arena *arena; // results; lives as long as the run
} Worker;

struct CheckRun {
  Arena *arena;
  const CheckPlan *plan;
  Worker *workers;
  uint32_t *order; // of the tasks
  Families *families;
  SearchMemo *memo; // of all workers
  pthread_t watcher;
  sigset_t signals;
  pthread_mutex_t mutex; // guards what follows, and the results in the plan
  pthread_cond_t changed;
  uint32_t next, past; // in `order`: those before and behind are taken, and of those between some are
  uint32_t taken, done;
  bool *is_taken; // by task
  bool is_interrupted, is_out_of_time;
};

// ---- one task

static void add_smt(void *context, const char *name, const char *smt2) {
  strbuf_printf(context, "; goal %s\n%s\n", name ? name : "", smt2);
}

static uint32_t task_arch(const CheckPlan *plan, const IrModule *module) {
  static const uint32_t usual = 80;
  if (plan->arch) return plan->arch;
  return module->arch ? module->arch : usual;
}

static double thread_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static KernelResult *scan_kernel(const CheckPlan *plan, const CheckTask *task, const LaunchCopy *kept,
                                 Solver *solver, StrBuf *dump) {
  KernelScanRequest request = {.module = task->module,
                               .kernel = task->kernel,
                               .launch = kept->launch,
                               .pool = kept->pool,
                               .solver = solver};
  request.options.arch = task_arch(plan, task->module);
  request.options.solver_units = (uint64_t)SOLVER_POOL_UNITS >> task->allowance.all;
  request.options.rest_halvings = task->allowance.rest;
  request.options.missing_fact_halvings = task->allowance.missing_fact;
  request.options.warn_same_value = plan->warn_same_value;
  request.options.warn_leaving = plan->warn_leaving;
  request.options.memory_model = plan->memory_model;
  request.options.audit_steps = plan->audit_steps;
  request.options.audit_flags = plan->audit_flags;
  request.options.dump_kernel = plan->dump == DUMP_KERNEL ? dump : NULL;
  request.options.dump_sync = plan->dump == DUMP_SYNC ? dump : NULL;
  request.options.dump_pairs = plan->dump == DUMP_PAIRS ? dump : NULL;
  request.options.dump_goals = plan->dump == DUMP_GOALS ? dump : NULL;
  request.options.clock_ms = plan->shows_times ? thread_ms : NULL;
  return kernelscan_check(&request, dump->arena);
}

// Of an earlier run, or of this one; either way it has been bytes in between.
static KernelResult *run_task(Worker *worker, const CheckTask *task, Solver *solver, StrBuf *dump) {
  const CheckPlan *plan = worker->run->plan;
  KernelEntry kept = kernel_cache_entry(plan, task, task_arch(plan, task->module), dump->arena);
  KernelResult *result = kernel_cache_find(&kept, worker->arena);
  if (result) return result;
  LaunchCopy launch = kernel_cache_launch(&kept);
  result = scan_kernel(plan, task, &launch, solver, dump);
  return kernel_cache_put(&kept, &launch, result, worker->arena);
}

static void add_undecided(KernelResult *result, SrcLoc loc, const char *text, Arena *arena) {
  for (uint32_t i = 0; i < result->undecided.count; i++)
    if (strcmp(result->undecided.items[i].text, text) == 0) return;
  vec_push(arena, &result->undecided, (UndecidedReason){.loc = loc, .text = text});
}

// The last gate before a verdict is shown.
static void guard_result(const CheckTask *task, KernelResult *result, Arena *arena) {
  if (result->verdict != VERDICT_RACE)
    for (uint32_t i = 0; i < task->launch->undecided.count; i++)
      add_undecided(result, task->launch->loc, task->launch->undecided.items[i], arena);
  doubts_apply(&task->doubts, result, arena);
  if (result->verdict == VERDICT_SAFE && result->undecided.count > 0) result->verdict = VERDICT_UNKNOWN;
}

static bool lacks_budget(const KernelResult *result) {
  for (uint32_t i = 0; i < result->undecided.count; i++)
    if (result->undecided.items[i].is_of_budget) return true;
  return false;
}

static void tell_allowance(const CheckTask *task, KernelResult *result, Arena *arena) {
  bool is_racy = result->verdict == VERDICT_RACE;
  uint32_t halvings = is_racy ? task->allowance.rest : task->allowance.all;
  if (halvings == 0 || !lacks_budget(result)) return;
  const char *less = is_racy
                         ? "behind the first race it had 1/%u of a budget, as other instances are racy too"
                         : "it had 1/%u of a budget, as those of other instances went for nothing",
             *text = arena_printf(arena, "%s; checked without them (--kernel=REGEX), it has a whole one",
                                  arena_printf(arena, less, 1u << halvings));
  vec_push(arena, &result->undecided, (UndecidedReason){.text = text, .is_of_budget = true});
}

static KernelResult *unchecked_result(const CheckTask *task, Arena *arena) {
  KernelResult *result = arena_new(arena, KernelResult);
  result->kernel = task->kernel->display;
  result->mangled = task->kernel->name;
  result->loc = *ir_loc(task->module, task->kernel->loc);
  result->launch = task->launch;
  return result;
}

static const KernelResult *unfinished_result(const CheckTask *task, bool is_out_of_time, Arena *arena) {
  KernelResult *result = unchecked_result(task, arena);
  add_undecided(result, (SrcLoc){0},
                is_out_of_time ? "not checked: the time of --timeout was over"
                               : "interrupted before it was checked",
                arena);
  return result;
}

static void check_task(Worker *worker, const CheckTask *task, CheckTask *done, Solver *solver, StrBuf *dump) {
  Arena *arena = arena_open();
  dump->arena = arena;
  // A race under a launch that may well start another kernel would be no finding.
  KernelResult *result =
      task->launch->is_guess ? unchecked_result(task, worker->arena) : run_task(worker, task, solver, dump);
  guard_result(task, result, worker->arena);
  tell_allowance(task, result, worker->arena);
  done->result = result;
  done->dump = arena_strdup(worker->arena, strbuf_text(dump));
  arena_close(arena);
  *dump = (StrBuf){0};
}

// ---- threads

uint32_t workers_for_cores(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores < 1 ? 1 : cores > MOST_WORKERS ? MOST_WORKERS : (uint32_t)cores;
}

typedef struct Length {
  uint32_t task, instructions;
} Length;

static int longest_first(const void *a, const void *b) {
  const Length *x = a, *y = b;
  if (x->instructions != y->instructions) return x->instructions > y->instructions ? -1 : 1;
  return x->task < y->task ? -1 : x->task > y->task;
}

// One worker goes through the tasks as they stand: neighbours have questions in common.
static uint32_t *order_of_tasks(const CheckPlan *plan, Arena *arena) {
  Length *lengths = arena_array(arena, plan->task_count + 1, Length);
  uint32_t *order = arena_array(arena, plan->task_count + 1, uint32_t);
  for (uint32_t i = 0; i < plan->task_count; i++)
    lengths[i] = (Length){i, plan->workers > 1 ? plan->tasks[i].kernel->insts.count : 0};
  qsort(lengths, plan->task_count, sizeof *lengths, longest_first);
  for (uint32_t i = 0; i < plan->task_count; i++)
    order[i] = lengths[i].task;
  return order;
}

static bool may_take(const CheckRun *run, uint32_t index) {
  return !run->is_taken[index] && families_is_ready(run->families, index);
}

static bool find_task(CheckRun *run, bool takes_short, uint32_t *index) {
  while (run->next < run->past && run->is_taken[run->order[run->next]])
    run->next++;
  while (run->next < run->past && run->is_taken[run->order[run->past - 1]])
    run->past--;
  for (uint32_t i = 0; i < run->past - run->next; i++) {
    *index = run->order[takes_short ? run->past - 1 - i : run->next + i];
    if (may_take(run, *index)) return true;
  }
  return false;
}

// One of the workers begins at the other end: who interrupts a run sees what was easy. Where nothing is ready,
// another worker is at what it waits for.
static bool take_task(CheckRun *run, bool takes_short, uint32_t *index) {
  pthread_mutex_lock(&run->mutex);
  bool got = false;
  while (!run->is_interrupted && run->taken < run->plan->task_count) {
    got = find_task(run, takes_short, index);
    if (got) break;
    pthread_cond_wait(&run->changed, &run->mutex);
  }
  if (got) {
    run->is_taken[*index] = true;
    run->taken++;
    run->plan->tasks[*index].allowance = families_allowance(run->families, *index);
  }
  pthread_mutex_unlock(&run->mutex);
  return got;
}

static void give_task(CheckRun *run, uint32_t index, const CheckTask *done) {
  ASSERT(done->result != NULL);
  pthread_mutex_lock(&run->mutex);
  if (!run->is_interrupted) { // after that, the report is being printed
    run->plan->tasks[index].result = done->result;
    run->plan->tasks[index].dump = done->dump;
  }
  run->done++;
  families_tell(run->families, index, done->result);
  if (!run->is_interrupted)
    progress_checked(&run->plan->progress, run->done, run->plan->task_count, done->result->kernel);
  pthread_cond_broadcast(&run->changed);
  pthread_mutex_unlock(&run->mutex);
}

static void *worker_main(void *context) {
  Worker *worker = context;
  const CheckPlan *plan = worker->run->plan;
  crash_guard_thread();
  StrBuf dump = {0};
  SolverOptions options = {
      .prefer_small = true, .check_overflow = plan->check_overflow, .memo = worker->run->memo};
  if (plan->dump == DUMP_SMT) {
    options.dump = add_smt;
    options.dump_context = &dump;
  }
  Solver *solver = solver_open(&options);
  bool takes_short = plan->workers > 1 && worker == worker->run->workers;
  for (uint32_t index; take_task(worker->run, takes_short, &index);) {
    CheckTask done = {0};
    check_task(worker, &plan->tasks[index], &done, solver, &dump);
    give_task(worker->run, index, &done);
  }
  solver_close(solver);
  return NULL;
}

static void *watcher_main(void *context) {
  CheckRun *run = context;
  int signal_number;
  sigwait(&run->signals, &signal_number);
  pthread_mutex_lock(&run->mutex);
  run->is_interrupted = true;
  pthread_cond_broadcast(&run->changed);
  pthread_mutex_unlock(&run->mutex);
  return NULL;
}

static void start_workers(CheckRun *run) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, WORKER_STACK_BYTES);
  for (uint32_t i = 0; i < run->plan->workers; i++) {
    Worker *worker = &run->workers[i];
    *worker = (Worker){.run = run, .arena = arena_open()};
    // Under a tight memory limit the large stack may be refused.
    if (pthread_create(&worker->thread, &attributes, worker_main, worker) != 0 &&
        pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
      BUG("cannot start a worker thread");
  }
  pthread_attr_destroy(&attributes);
}

// False: the time is over.
static bool wait_for_change(CheckRun *run) {
  double deadline = run->plan->deadline;
  if (deadline <= 0) return pthread_cond_wait(&run->changed, &run->mutex) == 0;
  struct timespec at = {.tv_sec = (time_t)deadline,
                        .tv_nsec = (long)((deadline - (double)(time_t)deadline) * 1e9)};
  return pthread_cond_timedwait(&run->changed, &run->mutex, &at) != ETIMEDOUT;
}

static bool wait_for_tasks(CheckRun *run) {
  pthread_mutex_lock(&run->mutex);
  while (!run->is_interrupted && run->done < run->plan->task_count)
    if (!wait_for_change(run)) {
      run->is_out_of_time = run->done < run->plan->task_count;
      break;
    }
  bool finished = run->done == run->plan->task_count;
  run->is_interrupted = !finished; // a signal after the last task changes nothing
  pthread_mutex_unlock(&run->mutex);
  return finished;
}

static void fill_unfinished(CheckRun *run) {
  for (uint32_t i = 0; i < run->plan->task_count; i++) {
    CheckTask *task = &run->plan->tasks[i];
    if (!task->result) task->result = unfinished_result(task, run->is_out_of_time, run->arena);
    if (!task->dump) task->dump = "";
  }
}

static void join_threads(CheckRun *run) {
  for (uint32_t i = 0; i < run->plan->workers; i++)
    pthread_join(run->workers[i].thread, NULL);
  pthread_cancel(run->watcher); // sigwait is a cancellation point
  pthread_join(run->watcher, NULL);
}

static void make_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

CheckRun *workers_check(const CheckPlan *plan, bool *interrupted, bool *out_of_time) {
  ASSERT(plan->workers > 0);
  ASSERT(plan->task_count == 0 || plan->tasks);
  Arena *arena = arena_open();
  CheckRun *run = arena_new(arena, CheckRun);
  *run = (CheckRun){.arena = arena, .plan = plan, .workers = arena_array(arena, plan->workers, Worker)};
  run->order = order_of_tasks(plan, arena);
  run->past = plan->task_count;
  run->families = families_make(plan, arena);
  run->memo = solver_memo_open();
  run->is_taken = arena_array(arena, plan->task_count + 1u, bool);
  pthread_mutex_init(&run->mutex, NULL);
  make_condition(&run->changed);
  sigset_t before;
  sigemptyset(&run->signals);
  sigaddset(&run->signals, SIGINT);
  sigaddset(&run->signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &run->signals, &before);
  if (pthread_create(&run->watcher, NULL, watcher_main, run) != 0) BUG("cannot start a thread");
  start_workers(run);
  *interrupted = !wait_for_tasks(run);
  *out_of_time = run->is_out_of_time;
  if (!*interrupted) {
    join_threads(run);
    solver_memo_close(run->memo);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  fill_unfinished(run);
  return run;
}

void workers_close(CheckRun *run) {
  ASSERT(run);
  for (uint32_t i = 0; i < run->plan->workers; i++)
    arena_close(run->workers[i].arena);
  pthread_cond_destroy(&run->changed);
  pthread_mutex_destroy(&run->mutex);
  arena_close(run->arena);
}
