// Which kernels may code start that is not seen? Whoever has a kernel's address, or a handle of it, can launch it with any arguments: a
// function without a text, a call through a pointer that is not followed (the driver's own launch, asked for by its name).
// Method: the arguments of such calls are evaluated in each activation, and the words of small objects behind them; calls of functions with
// a text that are given a kernel are gone into. Such a kernel is undecided, with the call.
// Soundness: over-approximates what the call does. An address that only lies in tables, in memory that the call is not given itself, is not
// followed (A5).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/launch/launch.h"
#include "hostscan/hostscan.h"
#include "hostscan/kernels.h"
#include "hostscan/names.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <string.h>

enum { SMALL_OBJECT = 256, DEEP = 8 };

typedef struct Handed {
  HostScan *scan;
  HostMap seen;  // activations
  HostMap given; // kernels that are told of, by their stubs
} Handed;

static uint32_t launches_of(const HostScan *scan, const char *kernel) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < scan->result->launches.count; i++)
    count += strcmp(scan->result->launches.items[i]->kernel, kernel) == 0;
  return count;
}

static void tell(Handed *h, uint32_t stub, HostFrame *frame, uint32_t inst) {
  HostScan *scan = h->scan;
  const char *name = host_stub_kernel(scan->module->functions.items[stub]->name, scan->arena);
  const IrFunction *kernel = name ? host_find_kernel(scan, name) : NULL;
  const IrModule *module = kernel ? host_kernel_use(scan, kernel)->module : NULL;
  if (!module || host_map_get(&h->given, (HostKey){{stub}}) || launches_of(scan, name) == 0) return;
  host_map_put(&h->given, (HostKey){{stub}}, 1);
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *callee = host_name_of_callee(scan, call);
  LaunchContext *launch = hostscan_any_launch(scan->pool, module, kernel, scan->options, scan->arena);
  launch->is_any = false;
  launch->is_guess = true;
  launch->loc = host_loc(scan, frame, call);
  callee = callee ? arena_printf(scan->arena, "'%s'", callee) : "a call through a pointer";
  vec_push(scan->arena, &launch->undecided,
           arena_printf(scan->arena,
                        "%s at line %u is given the kernel, and may launch it with any arguments", callee,
                        launch->loc.line));
  vec_push(scan->arena, &scan->result->launches, launch);
}

// A handle of a kernel whose name is not known.
static bool is_any_handle(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  const HostSym *sym = node->op == EXPR_SYM ? host_sym(scan, (uint32_t)node->value) : NULL;
  if (!sym || sym->place != 1 + PLACE_AFTER) return false;
  const IrInst *maker = &sym->place_frame->function->ir->insts.items[sym->place_index];
  const char *name = maker->op == IR_CALL ? host_callee_name(scan, maker) : NULL;
  return name && host_gives_kernel(name);
}

typedef void KernelVisit(Handed *h, uint32_t stub, HostFrame *frame, uint32_t inst);

// Kernels that the value may be. false: none.
static bool each_kernel(Handed *h, ExprRef value, HostFrame *frame, uint32_t inst, KernelVisit *visit) {
  HostScan *scan = h->scan;
  HostTargets targets = {0};
  bool is_some = false;
  if (!host_targets(scan, value, &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    ExprRef leaf = targets.items[i].leaf;
    if (!leaf) continue;
    const HostObject *object = host_object_of(scan, leaf);
    uint32_t index = object->index;
    bool is_kernel = object->kind == HOST_FUNCTION_ADDRESS && scan->functions[index].is_stub;
    is_some |= is_kernel;
    if (is_kernel && visit) visit(h, index, frame, inst);
    if (object->kind != HOST_POINTER || !is_any_handle(scan, leaf)) continue;
    is_some = true;
    for (uint32_t f = 0; visit && f < scan->module->functions.count; f++)
      if (scan->functions[f].is_stub) visit(h, f, frame, inst);
  }
  return is_some;
}

// The words of a small object of the host.
static void look_behind(Handed *h, ExprRef value, HostFrame *frame, uint32_t inst) {
  HostScan *scan = h->scan;
  HostTarget target;
  int64_t size = 0;
  if (!host_sole_target(scan, value, &target) || !target.leaf) return;
  const HostObject *object = host_object_of(scan, target.leaf);
  bool is_made = (object->kind == HOST_LOCAL || object->kind == HOST_HEAP) && object->size_bytes;
  bool is_sized = is_made && expr_is_const(scan->pool, object->size_bytes, &size);
  if (object->kind == HOST_GLOBAL) size = (int64_t)scan->module->globals.items[object->index].bytes;
  bool is_small = (is_sized || object->kind == HOST_GLOBAL) && size <= SMALL_OBJECT;
  for (int64_t at = 0; is_small && at + 8 <= size; at += 8) {
    HostCell cell = {target.leaf, expr_const(scan->pool, 64, at), 8, IR_PTR};
    each_kernel(h, host_settle(scan, host_cell_before(scan, frame, inst, cell)), frame, inst, tell);
  }
}

static void look_in(Handed *h, HostFrame *frame, uint32_t depth);

static void look_at_call(Handed *h, HostFrame *frame, uint32_t inst, uint32_t depth) {
  HostScan *scan = h->scan;
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostFunction *callee = NULL;
  HostTargets called = {0};
  HostCallKind kind = host_call(scan, call, &callee)->kind;
  bool is_unseen = kind == CALL_UNKNOWN && !host_is_launch(scan, frame->function, inst, &kind);
  if (is_unseen && !host_callee_name(scan, call))
    is_unseen = !host_called_functions(scan, frame, inst, &called);
  if (!is_unseen && (kind != CALL_DEFINED || depth == DEEP)) return;
  bool is_given = false;
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    IrType type = ir_ref_type(scan->module, frame->function->ir, call->ops[i]);
    if (type.kind != IR_PTR && (type.kind != IR_INT || type.bits < 64)) continue;
    ExprRef value = host_settle(scan, host_value(scan, frame, call->ops[i]));
    is_given |= each_kernel(h, value, frame, inst, is_unseen ? tell : NULL);
    if (is_unseen && type.kind == IR_PTR) look_behind(h, value, frame, inst);
  }
  HostFrame *child = is_given && !is_unseen ? host_frame_child(scan, frame, inst) : NULL;
  if (child) look_in(h, child, depth + 1);
}

static void look_in(Handed *h, HostFrame *frame, uint32_t depth) {
  const HostFunction *function = frame->function;
  if (host_map_get(&h->seen, (HostKey){{frame->id + 1}})) return;
  host_map_put(&h->seen, (HostKey){{frame->id + 1}}, 1);
  for (uint32_t i = 0; i < function->ir->insts.count; i++) {
    const IrInst *inst = &function->ir->insts.items[i];
    if (inst->op == IR_CALL && function->cfg->rpo_number[inst->block] != CFG_NONE)
      look_at_call(h, frame, i, depth);
  }
}

static bool is_kernel(const HostScan *scan, IrRef ref) {
  return ir_ref_kind(ref) == IR_REF_FUNC && scan->functions[ir_ref_index(ref)].is_stub;
}

// It is one, or a variable in whose first value some stand.
static bool leads_to_kernel(const HostScan *scan, IrRef ref) {
  if (ir_ref_kind(ref) != IR_REF_GLOBAL) return is_kernel(scan, ref);
  const IrGlobal *global = &scan->module->globals.items[ir_ref_index(ref)];
  for (uint32_t i = 0; i < global->addresses.count; i++)
    if (is_kernel(scan, global->addresses.items[i].target)) return true;
  return false;
}

// Does the text of the function name a kernel, or ask for one?
static bool names_kernel(HostScan *scan, const IrFunction *ir) {
  for (uint32_t i = 0; i < ir->insts.count; i++) {
    const IrInst *inst = &ir->insts.items[i];
    const char *callee = inst->op == IR_CALL ? host_callee_name(scan, inst) : NULL;
    if (callee && host_gives_kernel(callee)) return true;
    for (uint32_t o = 0; o < inst->op_count; o++)
      if (leads_to_kernel(scan, inst->ops[o])) return true;
  }
  return false;
}

void host_kernels_handed(HostScan *scan) {
  ASSERT(scan->functions && scan->result); // after host_model_build
  Handed h = {.scan = scan, .seen = {.arena = scan->arena}, .given = {.arena = scan->arena}};
  for (uint32_t f = 0; f < scan->module->functions.count; f++) {
    HostFunction *function = &scan->functions[f];
    const IrFunction *ir = function->ir;
    if (ir->is_declaration || ir->blocks.count == 0 || function->is_stub || !names_kernel(scan, ir)) continue;
    bool is_visited = false;
    for (uint32_t i = 0; i < scan->frames.count; i++) {
      HostFrame *frame = scan->frames.items[i];
      if (frame->function != function) continue;
      is_visited = true;
      look_in(&h, frame, 0);
    }
    if (!is_visited) look_in(&h, host_frame_make(scan, function, NULL, 0), 0);
  }
}
