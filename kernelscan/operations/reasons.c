// What keeps the kernel from being race-free although no race is told? Method: reasons are listed with the result, each once
// for a line. Soundness: a kernel with reasons is at best undecided.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/operations.h"
#include "kernelscan/operations.h"

#include <stdarg.h>
#include <string.h>

static void leave_open(Scan *scan, uint32_t loc, bool is_of_budget, const char *text) {
  const SrcLoc *where = ir_loc(scan->module, loc ? loc : scan->fn->loc);
  KernelResult *result = scan->result;
  for (uint32_t i = 0; i < result->undecided.count; i++) {
    const UndecidedReason *old = &result->undecided.items[i];
    if (old->loc.line == where->line && old->loc.file == where->file && strcmp(old->text, text) == 0) return;
  }
  vec_push(scan->arena, &result->undecided, (UndecidedReason){*where, text, is_of_budget});
}

void scan_leave_open(Scan *scan, uint32_t loc, bool is_of_budget, const char *format, ...) {
  ASSERT(loc < scan->module->locs.count && format);
  va_list args;
  va_start(args, format);
  leave_open(scan, loc, is_of_budget, arena_vprintf(scan->arena, format, args));
  va_end(args);
}

void scan_undecided(Scan *scan, uint32_t loc, const char *format, ...) {
  ASSERT(loc < scan->module->locs.count && format);
  va_list args;
  va_start(args, format);
  leave_open(scan, loc, false, arena_vprintf(scan->arena, format, args));
  va_end(args);
}
