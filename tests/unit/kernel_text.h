// A kernel as text, read and collected, for tests of what kernelscan finds out about it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_TESTS_UNIT_KERNEL_TEXT_H
#define HGRD_TESTS_UNIT_KERNEL_TEXT_H

#include "kernelscan/barrier.h"
#include "kernelscan/kernel.h"
#include "kernelscan/memory.h"
#include "kernelscan/pairs.h"

#include "tests/unit/check.h"

#include <stdlib.h>

typedef struct Setting {
  Scan scan;
  KernelScanRequest request;
  LaunchContext launch;
  KernelResult result;
} Setting;

// A row of blocks, a row of threads in each.
static inline void setting_launch(Setting *setting, ExprPool *pool, int64_t blocks, int64_t threads) {
  for (int axis = 0; axis < 3; axis++) {
    setting->launch.grid[axis] = expr_const(pool, 32, axis ? 1 : blocks);
    setting->launch.block[axis] = expr_const(pool, 32, axis ? 1 : threads);
  }
}

static inline void setting_add_number(Setting *setting, ExprPool *pool, Arena *arena, int64_t value) {
  LaunchArg number = {0};
  vec_push(arena, &number.pieces, ((ArgPiece){.bytes = 4, .word = expr_const(pool, 32, value)}));
  vec_push(arena, &setting->launch.args, number);
}

// For who asks goals; closed by the caller.
static inline Solver *setting_open_solver(Setting *setting) {
  setting->request.solver = solver_open(&(SolverOptions){0});
  solver_start_pool(setting->request.solver, 0);
  return setting->request.solver;
}

// The kernel `k` of the text, under the setting's launch.
static inline void setting_read(Setting *setting, const char *head, const char *body, ExprPool *pool,
                                Arena *arena) {
  DiagSink *sink = diag_sink_make(arena);
  StrBuf text = {.arena = arena};
  strbuf_printf(&text, "%s%s}\n", head, body);
  IrModule *module = ir_read(arena, str_table_make(arena), "trial.ir", strbuf_text(&text), sink);
  bool is_good = CHECK(module != NULL) && CHECK(ir_verify(module, sink));
  for (uint32_t i = 0; i < sink->diags.count; i++)
    fprintf(stderr, "%u: %s\n", sink->diags.items[i].loc.line, sink->diags.items[i].message);
  if (!is_good) exit(1);
  setting->request = (KernelScanRequest){.module = module,
                                         .kernel = ir_find_function(module, "k"),
                                         .launch = &setting->launch,
                                         .pool = pool,
                                         .options = {.arch = 80}};
  setting->scan = (Scan){.request = &setting->request,
                         .module = module,
                         .fn = setting->request.kernel,
                         .launch = &setting->launch,
                         .pool = pool,
                         .arena = arena,
                         .result = &setting->result,
                         .states = arena_new(arena, ScanStates)};
  setting->scan.cfg = cfg_make(setting->scan.fn, arena);
  scan_collect(&setting->scan);
  objects_mark_written(&setting->scan);
}

// Four blocks of 64 threads, and one argument, the number 3.
static inline Setting *setting_of(const char *head, const char *body, Arena *arena) {
  Setting *setting = arena_new(arena, Setting);
  ExprPool *pool = expr_pool_make(arena);
  setting_launch(setting, pool, 4, 64);
  vec_push(arena, &setting->launch.objects, (LaunchObject){0});
  setting_add_number(setting, pool, arena, 3);
  setting_read(setting, head, body, pool, arena);
  return setting;
}

// What is known of loops, of values that are one for a block and of barriers, before anything is asked of accesses.
static inline void setting_prepare(Setting *setting) {
  Scan *scan = &setting->scan;
  scan->start.host_symbols = expr_sym_count(scan->pool);
  loops_find_inductions(scan);
  uniform_compute(scan);
  exits_start(scan);
  arrivals_find(scan);
  exits_find(scan);
  entered_start(scan);
  named_find(scan);
  divergence_find(scan);
}

#endif
