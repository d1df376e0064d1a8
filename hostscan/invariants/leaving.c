// In which ways can control leave a function other than by coming back, so that others look at an object that it has
// written half? Three: a jump to where another function stands or stood (longjmp, contexts), behind which anything may
// go on; the end of a thread alone, after which other threads and destructors go on; and the end of the program by
// exit, which runs what was registered for it. Exceptions are not among them: where they are caught is seen.
// Method: the names of the jumps, and calls that return twice; a call that does not return and is not known to end the program; functions that come
// to a launch and that were given to code which is not seen (atexit, destructors of static objects).
// Soundness: over-approximates; asked of the whole module, not of the function.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/invariants/invariants.h"
#include "hostscan/program.h"
#include "hostscan/value.h"

#include <string.h>

// To where code stands that may not be in view; what comes back by such a jump is `host_returns_twice`.
static bool is_jump(const char *name) {
  static const char *const jumps[] = {"longjmp",       "_longjmp",   "siglongjmp",
                                      "__longjmp_chk", "setcontext", "swapcontext"};
  for (size_t i = 0; name && i < sizeof jumps / sizeof *jumps; i++)
    if (strcmp(name, jumps[i]) == 0) return true;
  return false;
}

// The call that does not return, in front of the end of its block.
static bool ends_thread_alone(HostScan *scan, const IrFunction *ir, uint32_t end) {
  const IrInst *before = end ? &ir->insts.items[end - 1] : NULL;
  if (!before || before->op != IR_CALL || before->block != ir->insts.items[end].block) return false;
  HostCallKind kind = host_call(scan, before, NULL)->kind;
  return kind != CALL_STOPS && kind != CALL_DEFINED;
}

static void read_function(HostScan *scan, const HostFunction *function, HostLeaving *leaving) {
  const IrFunction *ir = function->ir;
  leaving->ends |= function->gets_out && function->reaches_launch;
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    if (inst->op == IR_CALL)
      leaving->jumps |= is_jump(host_callee_name(scan, inst)) || host_returns_twice(scan, inst);
    leaving->ends |= inst->op == IR_UNREACHABLE && ends_thread_alone(scan, ir, i);
  }
}

HostLeaving host_leaving(HostScan *scan) {
  if (!scan->leaving) {
    scan->leaving = arena_new(scan->arena, HostLeaving);
    for (uint32_t f = 0; f < scan->module->functions.count; f++)
      if (!scan->functions[f].is_generated) read_function(scan, &scan->functions[f], scan->leaving);
  }
  return *scan->leaving;
}
