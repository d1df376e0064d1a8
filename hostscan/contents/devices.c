// May the current device be another one by the time of a later operation? Each device has a default stream of its own, and a
// wait for "the device" is one for the current device alone.
// Method: a call that makes another device current, or of a function that may do so, on any way from the one operation to
// the other, in the functions of both chains of calls.
// Soundness: over-approximates, but for calls without a body: none of these is taken to leave another device current.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents.h"
#include "core/bug.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/text.h"

#include <string.h>

static bool is_of_device(const char *name) {
  static const char *const names[] = {"cudaSetDevice", "cuCtxSetCurrent", "cuCtxPushCurrent",
                                      "cuCtxPopCurrent", "cuCtxCreate"};
  size_t length = 0;
  const char *base = host_base_name(name, &length);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(base, names[i], strlen(names[i])) == 0) return true;
  return false;
}

static bool program_names_devices(const HostScan *scan) {
  for (uint32_t i = 0; i < scan->module->functions.count; i++)
    if (is_of_device(scan->module->functions.items[i]->name)) return true;
  return false;
}

static bool function_changes(HostScan *scan, HostFunction *function);

static bool call_changes(HostScan *scan, const IrInst *call) {
  if (call->op != IR_CALL) return false;
  HostFunction *callee = NULL;
  (void)host_call(scan, call, &callee);
  if (callee) return function_changes(scan, callee);
  const char *name = host_callee_name(scan, call);
  return name && is_of_device(name);
}

static bool function_changes(HostScan *scan, HostFunction *function) {
  if (function->changes_device == TRI_UNKNOWN) {
    function->changes_device = TRI_BUSY; // what recursion meets is found where it began
    bool found = false;
    for (uint32_t i = 0; i < function->ir->insts.count && !found; i++)
      found = call_changes(scan, &function->ir->insts.items[i]);
    function->changes_device = found ? TRI_YES : TRI_NO;
  }
  return function->changes_device == TRI_YES;
}

// Is there a way from behind the instruction to the other one?
static bool may_come_after(HostScan *scan, HostFunction *function, uint32_t first, uint32_t later) {
  IndexList from = {0};
  vec_push(scan->arena, &from, first);
  return host_comes_behind(scan, function, &from, later);
}

bool host_device_changes_in(HostScan *scan, HostFunction *function, HostBetween span) {
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    const IrInst *inst = &function->ir->insts.items[i];
    if (inst->op != IR_CALL || function->cfg->rpo_number[inst->block] == CFG_NONE ||
        !call_changes(scan, inst))
      continue;
    if (span.has_first && !may_come_after(scan, function, span.first, i)) continue;
    if (!span.has_last || may_come_after(scan, function, i, span.last)) return true;
  }
  return false;
}

bool host_any_between(const HostKernelFill *fill, HostFrame *frame, uint32_t inst, HostBetweenAsked *asked,
                      void *context) {
  HostFrame *at = fill->frame;
  uint32_t first = fill->inst;
  for (; at && !host_frame_is_above(at, frame); first = at->call, at = at->parent)
    if (asked(context, at, (HostBetween){.has_first = true, .first = first})) return true;
  for (; frame && frame != at; inst = frame->call, frame = frame->parent)
    if (asked(context, frame, (HostBetween){.has_last = true, .last = inst})) return true;
  return at && frame == at && asked(context, at, (HostBetween){true, true, first, inst});
}

static bool changes_in(void *scan, HostFrame *frame, HostBetween between) {
  return host_device_changes_in(scan, frame->function, between);
}

bool host_device_may_change(HostScan *scan, const HostKernelFill *fill, HostFrame *frame, uint32_t inst) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  if (!program_names_devices(scan)) return false;
  const HostFrame *common = fill->frame;
  while (common && !host_frame_is_above(common, frame))
    common = common->parent;
  return !common || host_any_between(fill, frame, inst, changes_in, scan);
}
