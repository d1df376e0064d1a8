// May the current device be another one by the time of a later operation? Each device has a default stream of its own, and a
// wait for "the device" is one for the current device alone.
// Method: a call that makes another device current, or of a function that may do so, on any way from the one operation to
// the other, in the functions of both chains of calls.
// Soundness: over-approximates, but for calls of a name without a body: none of these is taken to leave another device current. A call
// through a pointer is taken to do so once any of the program's code does.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/contents/contents.h"
#include "core/bug.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"

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

static bool name_does(const char *name, HostDoing doing) {
  size_t length = 0;
  if (doing == HOST_CHANGES_DEVICE) return is_of_device(name);
  const char *base = host_base_name(name, &length);
  return str_starts_with(base, "cudaEventRecord") || str_starts_with(base, "cuEventRecord");
}

// By the name that it has; a call through a pointer may come to whatever the program names somewhere.
static bool does_by_name(HostScan *scan, const IrInst *call, HostDoing doing) {
  const char *name = host_callee_name(scan, call);
  return name ? name_does(name, doing) : scan->named_doing[doing] == TRI_YES;
}

// From the calls to those who call their functions.
static void find_doers(HostScan *scan, HostDoing doing) {
  IndexList work = {0};
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    HostFunction *function = &scan->functions[f];
    function->does[doing] = TRI_NO;
    for (uint32_t i = 0; i < function->ir->insts.count && function->does[doing] == TRI_NO; i++) {
      const IrInst *call = &function->ir->insts.items[i];
      HostFunction *callee = NULL;
      if (call->op == IR_CALL) (void)host_call(scan, call, &callee);
      if (call->op == IR_CALL && !callee && does_by_name(scan, call, doing)) {
        function->does[doing] = TRI_YES;
        vec_push(scan->arena, &work, f);
      }
    }
  }
  for (uint32_t i = 0; i < work.count; i++) {
    const IndexList *callers = &scan->functions[work.items[i]].callers;
    for (uint32_t k = 0; k < callers->count; k++) {
      HostFunction *caller = &scan->functions[callers->items[k]];
      if (caller->does[doing] == TRI_YES) continue;
      caller->does[doing] = TRI_YES;
      vec_push(scan->arena, &work, callers->items[k]);
    }
  }
}

// Does the program name a function that does it?
static bool is_named(HostScan *scan, HostDoing doing) {
  HostTri *known = &scan->named_doing[doing];
  if (*known != TRI_UNKNOWN) return *known == TRI_YES;
  *known = TRI_NO;
  for (uint32_t i = 0; i < scan->module->functions.count && *known == TRI_NO; i++)
    if (name_does(scan->module->functions.items[i]->name, doing)) *known = TRI_YES;
  if (*known == TRI_YES) find_doers(scan, doing);
  return *known == TRI_YES;
}

bool host_names_devices(HostScan *scan) {
  return is_named(scan, HOST_CHANGES_DEVICE);
}

bool host_call_does(HostScan *scan, const IrInst *call, HostDoing doing) {
  HostFunction *callee = NULL;
  if (call->op != IR_CALL || !is_named(scan, doing)) return false;
  (void)host_call(scan, call, &callee);
  return callee ? callee->does[doing] == TRI_YES : does_by_name(scan, call, doing);
}

bool host_may_be_between(HostScan *scan, HostFunction *function, HostBetween span, uint32_t inst) {
  ASSERT(host_function_has_inst(function, inst));
  if (function->cfg->rpo_number[function->ir->insts.items[inst].block] == CFG_NONE) return false;
  if (span.has_first && !host_comes_behind(scan, function, &span.first, 1, inst)) return false;
  return !span.has_last || host_comes_behind(scan, function, &inst, 1, span.last);
}

bool host_does_in(HostScan *scan, HostFunction *function, HostBetween span, HostDoing doing) {
  if (!is_named(scan, doing)) return false;
  for (uint32_t i = 0; i < function->ir->insts.count; i++)
    if (host_call_does(scan, &function->ir->insts.items[i], doing) &&
        host_may_be_between(scan, function, span, i))
      return true;
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
  return host_does_in(scan, frame->function, between, HOST_CHANGES_DEVICE);
}

bool host_device_may_change(HostScan *scan, const HostKernelFill *fill, HostFrame *frame, uint32_t inst) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  if (!host_names_devices(scan)) return false;
  const HostFrame *common = fill->frame;
  while (common && !host_frame_is_above(common, frame))
    common = common->parent;
  return !common || host_any_between(fill, frame, inst, changes_in, scan);
}
