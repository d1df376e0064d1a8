// An unknown pointer that memory of the device holds: did code of the program put it there whose text is seen, but not followed?
// Then nothing may be assumed of where it leads (A8 is for pointers from elsewhere).
// Method: symbols of contents know the place that they belong to: behind a write, at the header of a loop, behind many ways. Of a loop, its
// first write to the array is looked for. Functions of an element are asked for the symbols that they stand for.
// Soundness: in doubt there is such code; none is seen where memory is uninitialised, was there before the program's entry, was
// written by calls without a text, or lies behind a pointer that does not belong to the program.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/text.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

static const char *kernel_text(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind) {
  const IrFunction *kernel = host_launched_kernel(scan, frame, inst, kind);
  if (!kernel) return "a kernel";
  return arena_printf(scan->arena, "kernel '%s'", host_display_name(kernel));
}

// Who writes there; NULL: its text is not seen.
static const char *writer_text(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const IrInst *writer = &frame->function->ir->insts.items[inst];
  size_t length = 0;
  if (writer->op != IR_CALL) return "host code";
  HostCallKind kind = host_call(scan, writer, NULL)->kind;
  const char *name = host_callee_name(scan, writer);
  bool is_launch = host_call_class(kind) == CLASS_LAUNCHES;
  if (is_launch || (kind == CALL_UNKNOWN && host_is_launch(scan, frame->function, inst, &kind)))
    return kernel_text(scan, frame, inst, kind);
  if (name && strcmp(name, "__hgrd_opaque_sync_library") == 0) return "an algorithm of a library";
  if (!name || host_call_class(kind) == CLASS_UNKNOWN || kind == CALL_WRITES || kind == CALL_WRITES_FAR)
    return NULL;
  if (kind == CALL_LIBRARY)
    return arena_printf(scan->arena, "a library's '%s'", name + strlen(HOST_CONTENTS_PREFIX));
  const char *base = host_base_name(name, &length);
  return arena_printf(scan->arena, "'%.*s'", (int)length, base);
}

static const char *writer_at(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const char *what = writer_text(scan, frame, inst);
  if (!what) return NULL;
  SrcLoc loc = host_loc(scan, frame, &frame->function->ir->insts.items[inst]);
  return arena_printf(scan->arena, "%s at line %u", what, loc.line);
}

static const char *writer_in_loop(HostScan *scan, HostFrame *frame, uint32_t loop, HostCell cell) {
  const HostFunction *function = frame->function;
  const CfgLoop *info = &function->cfg->loops.items[loop];
  for (uint32_t i = 0; i < info->blocks.count; i++) {
    uint32_t block = info->blocks.items[i];
    for (uint32_t e = function->effect_first[block]; e < function->effect_first[block + 1]; e++) {
      uint32_t inst = function->effects[e];
      const char *who = host_touches(scan, frame, inst, cell) ? writer_at(scan, frame, inst) : NULL;
      if (who) return who;
    }
  }
  return NULL;
}

// Memory that belongs to the program, so that its writers are seen.
static bool is_own(HostObjectKind kind) {
  return kind != HOST_POINTER && kind != HOST_NOTHING && kind != HOST_FUNCTION_ADDRESS;
}

static const char *untold_symbol(HostScan *scan, uint32_t index) {
  const HostSym *sym = host_sym(scan, index);
  if (sym->object && is_own(scan->objects.items[sym->object].kind)) return NULL;
  if (sym->is_uninitialised || !sym->place) return NULL;
  const HostObject *holder = &scan->objects.items[sym->holder];
  HostFrame *frame = sym->place_frame;
  uint32_t at = sym->place_index;
  if (!is_own(holder->kind)) return NULL;
  HostCell cell = {.base = holder->leaf, .offset = sym->cell_offset, .bytes = 8, .kind = IR_PTR};
  switch ((HostPlace)(sym->place - 1)) {
  case PLACE_ENTRY: return NULL; // zeros that nobody set, or what another program left
  case PLACE_AFTER: return writer_at(scan, frame, at);
  case PLACE_HEADER: return writer_in_loop(scan, frame, at, cell);
  case PLACE_START:
  case PLACE_END: break;
  }
  const IrBlock *block = &frame->function->ir->blocks.items[at];
  SrcLoc loc = host_loc(scan, frame, &frame->function->ir->insts.items[block->first]);
  return arena_printf(scan->arena, "code before line %u", loc.line);
}

static const char *untold_function(HostScan *scan, uint32_t func) {
  if (func < scan->func_objects.count && scan->func_objects.items[func]) return NULL; // an allocation
  for (uint32_t i = scan->func_origins.count; i-- > 0;) {
    HostFuncOrigin origin = scan->func_origins.items[i];
    if (origin.func == func) return origin.sym ? untold_symbol(scan, origin.sym) : origin.writer;
  }
  return arena_printf(scan->arena, "the code at line %u", expr_func_info(scan->pool, func)->loc.line);
}

const char *host_untold(HostScan *scan, ExprRef leaf) {
  if (!leaf) return NULL;
  ExprNode node = *expr_node(scan->pool, leaf);
  if (node.op == EXPR_SYM) return untold_symbol(scan, (uint32_t)node.value);
  if (node.op == EXPR_APP) return untold_function(scan, (uint32_t)node.value);
  return "code that computes addresses";
}
