// What is the value of an SSA name in one activation? An expression over symbols of unknown host values.
// Method: demand-driven walk over definitions, one memo per frame. Integer operations are symeval's, exact
// on words; loads ask cells.c, phis at loop headers loop.c, other phis become if-then-else; what is not
// understood becomes a symbol with a name and a place (symbols.c).
// Soundness: exact or over-approximate: a symbol may have any value. A symbol stands for the last
// execution of its definition (see scan.h). Undefined values are symbols too.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

#include <string.h>

enum { DEPTH_LIMIT = 1500 };

// ---- symbols

// What a function of the library returns is named by who called it.
static const char *unknown_name(HostScan *scan, const HostFrame *frame, uint32_t index) {
  while (frame->parent && host_is_library(frame->function->ir->display)) {
    index = frame->call;
    frame = frame->parent;
  }
  return host_name_of_value(scan, frame, IR_REF(IR_REF_INST, index));
}

static ExprRef unknown_at(HostScan *scan, HostFrame *frame, const IrInst *inst, uint8_t width) {
  uint32_t index = (uint32_t)(inst - frame->function->ir->insts.items);
  width = width ? width : 64;
  const char *callee = inst->op == IR_CALL && width >= 32 ? host_callee_name(scan, inst) : NULL;
  bool is_natural =
      callee && (host_call_is_natural(host_call(scan, inst, NULL)->name) || host_call_is_natural(callee));
  ExprRef value = host_unknown(scan, (HostUnknown){.frame = frame,
                                                   .loop = frame->function->cfg->loop_of[inst->block],
                                                   .width = width,
                                                   .hi = is_natural ? INT64_MAX >> (64 - width) : 0,
                                                   .name = unknown_name(scan, frame, index),
                                                   .loc = host_loc(scan, frame, inst)});
  if (inst->op == IR_LOAD || inst->op == IR_CALL || inst->op == IR_PHI)
    host_sym(scan, (uint32_t)expr_node(scan->pool, value)->value)->read_by = index + 1;
  return value;
}

// ---- constants and parameters
static ExprRef constant_value(HostScan *scan, HostFrame *frame, IrRef ref) {
  const IrConst *constant = &frame->function->ir->consts.items[ir_ref_index(ref)];
  uint8_t width = symeval_width(constant->type);
  if (!constant->is_undef && constant->type.kind == IR_PTR) return expr_const(scan->pool, 64, constant->bits);
  ExprRef value = symeval_const(scan->pool, constant);
  if (value) return value;
  if (!constant->is_undef) return expr_const(scan->pool, width ? width : 64, 0);
  return host_unknown(scan,
                      (HostUnknown){.width = width ? width : 64, .name = "undefined", .loop = CFG_NONE});
}

// A struct that comes in a word, or in two: its halves are values of their own.
static ExprRef half_of_word(HostScan *scan, const IrParam *param, uint32_t half, SrcLoc loc) {
  return host_unknown(
      scan,
      (HostUnknown){
          .width = 32, .name = param->halves[half], .loc = loc, .loop = CFG_NONE, .is_from_caller = true});
}

static ExprRef word_of_halves(HostScan *scan, const IrParam *param, SrcLoc loc) {
  ExprRef low = expr_resize_unsigned(scan->pool, half_of_word(scan, param, 0, loc), 64);
  ExprRef high = expr_resize_unsigned(scan->pool, half_of_word(scan, param, 1, loc), 64);
  high = expr_binary(scan->pool, EXPR_SHL, 0, high, expr_const(scan->pool, 64, 32));
  return expr_binary(scan->pool, EXPR_OR, 0, low, high);
}

// ---- what every caller passes
enum { CALLER_DEPTH = 8 };

// A parameter for which all calls of a whole program pass one constant, perhaps through parameters of their
// own; a function that calls itself may pass on what it got. `found` is 0 until there was one. False: they
// differ.
static bool every_call_passes(HostScan *scan, const HostFunction *function, uint32_t index, uint32_t depth,
                              ExprRef *found) {
  bool is_open = function->is_address_taken || function->ir->is_in_data;
  if (is_open || depth == 0 || function->callers.count == 0) return false;
  for (uint32_t c = 0; c < function->callers.count; c++) {
    const HostFunction *caller = &scan->functions[function->callers.items[c]];
    for (uint32_t i = 0; i < caller->ir->insts.count; i++) {
      const IrInst *call = &caller->ir->insts.items[i];
      HostFunction *callee = NULL;
      if (call->op == IR_CALL) (void)host_call(scan, call, &callee);
      if (callee != function) continue;
      if (index >= host_argument_count(call)) return false;
      IrRef operand = call->ops[index];
      uint32_t at = ir_ref_index(operand);
      ExprRef here = 0;
      if (ir_ref_kind(operand) == IR_REF_PARAM) {
        if (caller == function && at == index) continue;
        if (!every_call_passes(scan, caller, at, depth - 1, found)) return false;
        continue;
      }
      if (ir_ref_kind(operand) == IR_REF_CONST && !caller->ir->consts.items[at].is_undef)
        here = symeval_const(scan->pool, &caller->ir->consts.items[at]);
      if (!here || (*found && *found != here)) return false;
      *found = here;
    }
  }
  return true;
}

static ExprRef value_of_every_call(HostScan *scan, const HostFrame *frame, uint32_t index) {
  ExprRef value = 0;
  bool is_closed = scan->options && scan->options->has_main;
  if (!is_closed || !every_call_passes(scan, frame->function, index, CALLER_DEPTH, &value)) return 0;
  return value &&
                 expr_width(scan->pool, value) == symeval_width(frame->function->ir->params.items[index].type)
             ? value
             : 0;
}

static ExprRef root_parameter(HostScan *scan, HostFrame *frame, uint32_t index) {
  ExprRef known = value_of_every_call(scan, frame, index);
  if (known) return known;
  const IrFunction *ir = frame->function->ir;
  const IrParam *param = &ir->params.items[index];
  SrcLoc loc = *ir_loc(scan->module, ir->loc);
  uint8_t width = symeval_width(param->type);
  bool is_count = frame->is_entry && index == 0 && param->type.kind == IR_INT;
  if (param->halves[1]) return word_of_halves(scan, param, loc);
  if (param->halves[0]) return half_of_word(scan, param, 0, loc);
  HostUnknown unknown = {.width = width ? width : 64, .name = param->name, .loc = loc, .loop = CFG_NONE};
  if (is_count) unknown.hi = INT32_MAX; // argc
  unknown.is_from_caller = !frame->is_entry;
  ExprRef value = host_unknown(scan, unknown);
  if (param->type.kind != IR_PTR) return value;
  uint32_t object = host_pointer_object(scan, value, param->name, loc);
  scan->objects.items[object].is_parameter = true;
  scan->objects.items[object].given_to = frame->function;
  if (param->byval_bytes || param->is_result) {
    scan->objects.items[object].kind = HOST_LOCAL; // a copy of our own, or memory that nobody else knows yet
    scan->objects.items[object].captured = TRI_YES;
  }
  return value;
}

static ExprRef parameter_value(HostScan *scan, HostFrame *frame, uint32_t index) {
  if (frame->params[index]) return frame->params[index];
  ExprRef value = 0;
  if (frame->parent) {
    const IrInst *call = &frame->parent->function->ir->insts.items[frame->call];
    if (index < host_argument_count(call)) value = host_value(scan, frame->parent, call->ops[index]);
    uint8_t width = symeval_width(frame->function->ir->params.items[index].type);
    if (value && width && expr_width(scan->pool, value) != width) value = 0; // called with another prototype
  }
  if (!value) value = root_parameter(scan, frame, index);
  frame->params[index] = value;
  return value;
}

// ---- instructions
static bool is_undefined(const IrFunction *ir, IrRef ref) {
  return ir_ref_kind(ref) == IR_REF_CONST && ir->consts.items[ir_ref_index(ref)].is_undef;
}

static ExprRef merged_phi(HostScan *scan, HostFrame *frame, const IrInst *inst) {
  const Cfg *cfg = frame->function->cfg;
  HostWays ways = {.frame = frame, .dominator = cfg->idom[inst->block], .block = inst->block};
  if (inst->op_count > sizeof ways.preds / sizeof *ways.preds) return 0;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    uint32_t pred = inst->blocks[i];
    if (cfg->rpo_number[pred] == CFG_NONE || is_undefined(frame->function->ir, inst->ops[i])) continue;
    if (cfg->rpo_number[pred] >= cfg->rpo_number[inst->block]) return 0; // a cycle that is no loop
    ways.preds[ways.count] = pred;
    ways.values[ways.count++] = host_value(scan, frame, inst->ops[i]);
  }
  return host_merge(scan, &ways);
}

static ExprRef phi_value(HostScan *scan, HostFrame *frame, const IrInst *inst, uint32_t index) {
  uint32_t loop = host_loop_with_header(frame->function->cfg, inst->block);
  if (loop == CFG_NONE) return merged_phi(scan, frame, inst);
  host_loop_prepare(scan, frame, loop);
  return frame->values[index];
}

static ExprRef returned_value(HostScan *scan, HostFrame *child) {
  const HostFunction *function = child->function;
  ExprRef value = 0;
  for (uint32_t i = 0; i < function->returns.count; i++) {
    const IrInst *ret = ir_terminator(function->ir, function->returns.items[i]);
    if (ret->op_count == 0) return 0;
    ExprRef here = host_settle(scan, host_value(scan, child, ret->ops[0]));
    if (value && here != value) return 0;
    value = here;
  }
  return value;
}

static ExprRef new_object(HostScan *scan, HostFrame *frame, const IrInst *inst, const HostCall *call) {
  uint32_t index = (uint32_t)(inst - frame->function->ir->insts.items);
  HostObject info = {.kind = HOST_HEAP,
                     .name = host_name_of_value(scan, frame, IR_REF(IR_REF_INST, index)),
                     .loc = host_loc(scan, frame, inst),
                     .is_zeroed = call->kind == CALL_NEW_ZEROED,
                     .is_copied = strcmp(call->name, "realloc") == 0};
  uint32_t object = host_site(scan, frame, index, 0, info);
  ExprRef leaf = scan->objects.items[object].leaf;
  if (!scan->objects.items[object].size_bytes && call->size < inst->op_count) {
    ExprRef size = expr_resize_unsigned(scan->pool, host_value(scan, frame, inst->ops[call->size]), 64);
    if (call->kind == CALL_NEW_ZEROED && inst->op_count == 2)
      size = expr_binary(scan->pool, EXPR_MUL, 0, size,
                         expr_resize_unsigned(scan->pool, host_value(scan, frame, inst->ops[1]), 64));
    scan->objects.items[object].size_bytes = size;
  }
  return leaf;
}

// What a call through a pointer returns, where it is seen which functions that may be.
static ExprRef value_by_pointer(HostScan *scan, HostFrame *frame, uint32_t index) {
  HostTargets targets = {0};
  ExprRef value = 0;
  if (!host_called_functions(scan, frame, index, &targets)) return 0;
  for (uint32_t i = targets.count; i-- > 0;) {
    HostFunction *callee = &scan->functions[host_object_of(scan, targets.items[i].leaf)->index];
    bool has_text = !callee->ir->is_declaration && callee->ir->blocks.count;
    HostFrame *child = has_text ? host_frame_child_of(scan, frame, index, callee) : NULL;
    ExprRef here = child ? returned_value(scan, child) : 0;
    if (!here || (value && expr_width(scan->pool, here) != expr_width(scan->pool, value))) return 0;
    value = value ? host_choose(scan, targets.items[i].condition, here, value) : here;
  }
  return value;
}

static ExprRef call_value(HostScan *scan, HostFrame *frame, const IrInst *inst) {
  uint32_t index = (uint32_t)(inst - frame->function->ir->insts.items);
  HostFunction *callee = NULL;
  const HostCall *call = host_call(scan, inst, &callee);
  if ((call->kind == CALL_NEW || call->kind == CALL_NEW_ZEROED) && inst->type.kind == IR_PTR)
    return new_object(scan, frame, inst, call);
  // Where a push fails nothing is launched: what matters here is the other case.
  if (call->kind == CALL_PUSH) return expr_const(scan->pool, symeval_width(inst->type), 0);
  bool is_by_pointer = !inst->name && inst->op_count;
  if (call->kind != CALL_DEFINED && !is_by_pointer) return 0;
  HostFrame *child = is_by_pointer ? NULL : host_frame_child(scan, frame, index);
  ExprRef value = is_by_pointer ? value_by_pointer(scan, frame, index)
                  : child       ? returned_value(scan, child)
                                : 0;
  return value && expr_width(scan->pool, value) == symeval_width(inst->type) ? value : 0;
}

static ExprRef local_address(HostScan *scan, HostFrame *frame, const IrInst *inst, uint32_t index) {
  HostObject info = {.kind = HOST_LOCAL,
                     .name = host_name_of_content(scan, frame, IR_REF(IR_REF_INST, index)),
                     .loc = host_loc(scan, frame, inst),
                     .size_bytes = expr_const(scan->pool, 64, inst->imm)};
  return host_leaf(scan, host_site(scan, frame, index, 0, info));
}

// The leaf of a pointer that arithmetic starts from is a pointer, whatever else is known of it.
static void note_pointer(HostScan *scan, ExprRef ref) {
  HostTargets targets = {0};
  if (!host_targets(scan, ref, &targets)) return;
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.items[i].leaf) (void)host_object_of(scan, targets.items[i].leaf);
}

static ExprRef pointer_sum(HostScan *scan, HostFrame *frame, const IrInst *inst) {
  ExprRef base = host_value(scan, frame, inst->ops[0]), offset = host_value(scan, frame, inst->ops[1]);
  note_pointer(scan, base);
  return host_add_offset(scan, base, expr_resize_signed(scan->pool, offset, 64));
}

static bool are_exclusive(HostScan *scan, ExprRef a, ExprRef b) {
  return expr_is_false(scan->pool, host_and(scan, a, b));
}

// p - q where both are within one object, whatever way they came about.
static ExprRef pointer_difference(HostScan *scan, ExprRef a, ExprRef b) {
  HostTargets x = {0}, y = {0};
  ExprRef result = 0;
  if (!host_targets(scan, a, &x) || !host_targets(scan, b, &y)) return 0;
  for (uint32_t i = x.count; i-- > 0;)
    for (uint32_t k = y.count; k-- > 0;) {
      const HostTarget *p = &x.items[i], *q = &y.items[k];
      if (are_exclusive(scan, p->condition, q->condition)) continue;
      if (p->leaf != q->leaf) return 0;
      ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, p->offset, q->offset);
      apart = host_gather(scan, apart);
      ExprRef condition = host_and(scan, p->condition, q->condition);
      result = result ? host_choose(scan, condition, apart, result) : apart;
    }
  return result;
}

static bool is_pointer_bits(const HostFrame *frame, IrRef ref) {
  const IrInst *inst = ir_inst(frame->function->ir, ref);
  return inst && inst->op == IR_PTRTOINT;
}

static ExprRef computed_value(HostScan *scan, HostFrame *frame, const IrInst *inst) {
  ExprRef operands[16];
  if (inst->op_count > 16) return 0;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    if (ir_ref_type(scan->module, frame->function->ir, inst->ops[i]).kind == IR_BYTES) return 0;
    operands[i] = host_value(scan, frame, inst->ops[i]);
  }
  if (inst->op == IR_SUB && (is_pointer_bits(frame, inst->ops[0]) || is_pointer_bits(frame, inst->ops[1]))) {
    ExprRef difference = pointer_difference(scan, operands[0], operands[1]);
    if (difference) return difference;
    difference = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, operands[0], operands[1]);
    ExprRef gathered = host_gather(scan, difference); // of one choice between objects, whatever it is
    if (host_weight(scan, gathered) < host_weight(scan, difference)) return gathered;
  }
  ExprRef rounded_address = host_rounded_address(scan, inst, operands);
  if (rounded_address) return rounded_address;
  if (inst->op == IR_SELECT && inst->type.kind == IR_PTR)
    return expr_ite(scan->pool, operands[0], operands[1], operands[2]);
  if (inst->op == IR_TRUNC) return host_narrowed(scan, operands[0], inst->type.bits);
  if (ir_inst_is(inst, IR_TO_INTEGER)) {
    ExprRef rounded = host_rounded_division(scan, frame, inst, operands[0]);
    if (rounded) return rounded;
  }
  return host_exact_function(scan,
                             symeval_inst(scan->pool, scan->module, frame->function->ir, inst, operands));
}

static ExprRef converted_pointer(HostScan *scan, HostFrame *frame, const IrInst *inst) {
  uint8_t width = symeval_width(inst->type);
  IrType from = ir_ref_type(scan->module, frame->function->ir, inst->ops[0]);
  if (from.kind == IR_BYTES && inst->type.bytes <= 8)
    return host_value_piece(scan, frame, inst->ops[0], 0, inst->type.bytes);
  if (!width || from.kind == IR_BYTES) return 0;
  ExprRef value = host_value(scan, frame, inst->ops[0]);
  if (inst->op == IR_PTRTOINT) host_note_number_of(scan, value);
  return expr_resize_unsigned(scan->pool, value, width);
}

// Is what is loaded by `index` called, or all that is loaded from behind it?
static bool is_called(const HostFunction *function, uint32_t index, uint32_t depth) {
  uint32_t first = function->use_first[index], end = function->use_first[index + 1];
  for (uint32_t i = first; i < end; i++) {
    const IrInst *user = &function->ir->insts.items[function->uses[i]];
    bool is_step = depth > 0 && (user->op == IR_LOAD || (user->op == IR_PTRADD && i == first));
    bool is_callee = depth == 0 && user->op == IR_CALL && !user->name &&
                     user->ops[user->op_count - 1u] == IR_REF(IR_REF_INST, index);
    if (!is_callee && !(is_step && is_called(function, function->uses[i], user->op == IR_LOAD ? 0 : 1)))
      return false;
  }
  return first != end;
}

// The pointer to the virtual functions of an object: calls do not change the class of an object (A9).
static ExprRef virtual_table(HostScan *scan, HostFrame *frame, uint32_t index, HostAccess access) {
  HostTargets targets = {0};
  if (access.kind != IR_PTR || !is_called(frame->function, index, 1)) return 0;
  access.kind = HOST_VIRTUAL_TABLE;
  ExprRef value = host_settle(scan, host_load(scan, access));
  if (!host_targets(scan, value, &targets)) return 0;
  for (uint32_t i = 0; i < targets.count; i++) {
    const HostObject *object = targets.items[i].leaf ? host_object_of(scan, targets.items[i].leaf) : NULL;
    if (!object || object->kind != HOST_GLOBAL) return 0;
    if (!str_starts_with(scan->module->globals.items[object->index].name, "_ZTV")) return 0;
  }
  return value;
}

static ExprRef loaded_value(HostScan *scan, HostFrame *frame, const IrInst *inst, uint32_t index) {
  HostAccess access = {.frame = frame,
                       .inst = index,
                       .address = host_value(scan, frame, inst->ops[0]),
                       .bytes = inst->type.bytes,
                       .kind = inst->type.kind,
                       .is_whole = true,
                       .namer = inst->ops[0]};
  ExprRef value = virtual_table(scan, frame, index, access);
  if (!value) value = host_load(scan, access);
  return expr_resize_unsigned(scan->pool, value, symeval_width(inst->type));
}

// Volatile or atomic, but nobody else writes there: a variable of the function whose address stays in it, or one that nothing changes.
static bool is_left_alone(HostScan *scan, HostFrame *frame, const IrInst *inst) {
  HostTarget target = {0};
  if (!host_sole_target(scan, host_value(scan, frame, inst->ops[0]), &target)) return false;
  HostObject *object = host_object_of(scan, target.leaf);
  if (object->kind == HOST_GLOBAL) return host_is_settled_global(scan, frame, NULL, object->index);
  return object->kind == HOST_LOCAL && !host_is_captured(scan, object);
}

ExprRef host_as_stored(HostScan *scan, uint32_t sym) {
  ASSERT(sym < expr_sym_count(scan->pool));
  const HostSym read = *host_sym(scan, sym);
  if (!read.read_by || !read.frame) return 0;
  const IrInst *inst = &read.frame->function->ir->insts.items[read.read_by - 1];
  if (inst->op != IR_LOAD || inst->order == IR_ORDER_PLAIN) return 0;
  ExprRef value = host_settle(scan, loaded_value(scan, read.frame, inst, read.read_by - 1));
  // Once more an unknown value that the same load gives: what is stored there is not seen.
  ExprNode node = *expr_node(scan->pool, value);
  const HostSym *again = node.op == EXPR_SYM ? host_sym(scan, (uint32_t)node.value) : NULL;
  return again && again->read_by == read.read_by && again->frame == read.frame ? 0 : value;
}

// What an access of memory gives: the address of a variable of the function, or what is read; 0 of all others.
static ExprRef accessed_value(HostScan *scan, HostFrame *frame, const IrInst *inst, uint32_t index) {
  if (inst->op == IR_ALLOCA) return local_address(scan, frame, inst, index);
  if (inst->op != IR_LOAD || !symeval_width(inst->type)) return 0;
  if (inst->order != IR_ORDER_PLAIN && !is_left_alone(scan, frame, inst)) return 0; // another value each time
  return loaded_value(scan, frame, inst, index);
}

static ExprRef evaluate(HostScan *scan, HostFrame *frame, const IrInst *inst, uint32_t index) {
  bool is_of_pointer = inst->op == IR_PTRTOINT || inst->op == IR_INTTOPTR || inst->op == IR_BITCAST;
  if (inst->op == IR_PHI) return phi_value(scan, frame, inst, index);
  if (inst->op == IR_CALL) return call_value(scan, frame, inst);
  if (inst->op == IR_PTRADD) return pointer_sum(scan, frame, inst);
  if (ir_op_class((IrOp)inst->op) == IR_CLASS_MEMORY) return accessed_value(scan, frame, inst, index);
  if (ir_inst_is(inst, IR_PIECE)) {
    if (inst->imm < 0 || inst->type.bytes > 8) return 0;
    return host_value_piece(scan, frame, inst->ops[0], (uint32_t)inst->imm, inst->type.bytes);
  }
  if (is_of_pointer) return converted_pointer(scan, frame, inst);
  return symeval_is_symbolic((IrOp)inst->op) ? computed_value(scan, frame, inst) : 0;
}

// While a value was computed, it was asked for itself: round a loop whose header has a placeholder
// already. Its symbol then stands for the value, unless the value really depends on it (a cycle that is no
// loop).
static ExprRef close_cycle(HostScan *scan, ExprRef symbol, ExprRef value) {
  uint32_t sym = (uint32_t)expr_node(scan->pool, symbol)->value;
  if (!value || expr_width(scan->pool, value) != expr_width(scan->pool, symbol)) return symbol;
  if (host_mentions(scan, host_settle(scan, value), sym)) return symbol;
  host_set_form(scan, symbol, value);
  return value;
}

// An address that cannot be computed here, but whose object can.
static ExprRef somewhere_in(HostScan *scan, HostFrame *frame, const IrInst *inst) {
  ExprRef base = host_value(scan, frame, inst->ops[0]);
  HostUnknown offset = {
      .frame = frame, .loop = frame->function->cfg->loop_of[inst->block], .width = 64, .name = "offset"};
  return host_add_offset(scan, base, host_unknown(scan, offset));
}

enum { CHOSEN_DEPTH = 8 };

// Is the value one that was in memory or in a phi, or one of several such, or a place in the object of one?
static bool was_kept(const IrFunction *ir, IrRef ref, uint32_t depth) {
  const IrInst *inst = ir_inst(ir, ref);
  if (!inst || depth == CHOSEN_DEPTH) return ir_is_null(ir, ref);
  if (inst->op == IR_LOAD || inst->op == IR_PHI) return true;
  if (inst->op == IR_SELECT)
    return was_kept(ir, inst->ops[1], depth + 1) && was_kept(ir, inst->ops[2], depth + 1);
  return ir_inst_is(inst, IR_SAME_OBJECT) && was_kept(ir, inst->ops[0], depth + 1);
}

static ExprRef cut_value(HostScan *scan, HostFrame *frame, uint32_t index) {
  const IrFunction *ir = frame->function->ir;
  const IrInst *inst = &ir->insts.items[index];
  ExprRef symbol = unknown_at(scan, frame, inst, symeval_width(inst->type));
  host_make_placeholder(scan, symbol);
  // What was kept in memory or in a phi is no address of private memory (see host_is_captured); others may be.
  HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, symbol)->value);
  sym->is_any_address = !was_kept(ir, IR_REF(IR_REF_INST, index), 0);
  return symbol;
}

static void name_value(HostScan *scan, const HostFrame *frame, const IrInst *inst, uint32_t index) {
  if (host_is_library(frame->function->ir->display)) return;
  IrRef ref = IR_REF(IR_REF_INST, index);
  const char *name =
      inst->op == IR_LOAD ? host_name_of_load(scan, frame, ref) : host_name_of_value(scan, frame, ref);
  host_note_name(scan, frame->values[index], name, false, host_loc(scan, frame, inst));
}

// A pointer that was loaded in a loop is asked for itself where something is stored behind it: what its cell holds at the header has
// a placeholder by then, which the loop's values are better told by than by a symbol for the load. 0: it has none yet. Of the loops
// around each may ask once, before it comes to its own placeholder (loop.c).
static ExprRef loaded_again(HostScan *scan, HostFrame *frame, const IrInst *inst, uint32_t index) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t loop = cfg->loop_of[inst->block], around = loop == CFG_NONE ? 0 : cfg->loops.items[loop].depth;
  bool is_early = frame->busy[index] && frame->busy[index] <= around && scan->depth <= DEPTH_LIMIT;
  if (!is_early || inst->op != IR_LOAD || inst->type.kind != IR_PTR) return 0;
  frame->busy[index]++;
  scan->depth++;
  ExprRef value = evaluate(scan, frame, inst, index);
  scan->depth--;
  frame->busy[index]--;
  return value && expr_node(scan->pool, value)->op == EXPR_SYM ? value : 0;
}

static ExprRef inst_value(HostScan *scan, HostFrame *frame, uint32_t index) {
  const IrInst *inst = &frame->function->ir->insts.items[index];
  if (frame->values[index]) return frame->values[index];
  // The loop's phis first: what they become must not wait for a value that is asked for before them.
  uint32_t loop = frame->function->cfg->loop_of[inst->block];
  if (loop != CFG_NONE && !frame->busy[index]) host_loop_prepare(scan, frame, loop);
  if (frame->values[index]) return frame->values[index];
  bool is_dead = frame->function->cfg->rpo_number[inst->block] == CFG_NONE;
  bool is_cut = frame->busy[index] || (scan->depth > DEPTH_LIMIT && inst->op != IR_ALLOCA);
  ExprRef again = is_cut ? loaded_again(scan, frame, inst, index) : 0;
  if (again || frame->values[index]) return again ? again : frame->values[index];
  if (is_cut && inst->op == IR_PTRADD) return somewhere_in(scan, frame, inst);
  if (is_cut || is_dead) return frame->values[index] = cut_value(scan, frame, index);
  frame->busy[index] = 1;
  scan->depth++;
  ExprRef value = evaluate(scan, frame, inst, index);
  scan->depth--;
  frame->busy[index] = 0;
  if (value && host_weight(scan, value) > HOST_HEAVY && inst->op != IR_PHI) value = 0;
  bool is_header_phi = inst->op == IR_PHI && value == frame->values[index];
  if (frame->values[index] && !is_header_phi)
    value = close_cycle(scan, frame->values[index], value);
  else if (!value)
    value = unknown_at(scan, frame, inst, symeval_width(inst->type));
  ASSERT(host_has_expr(scan, value));
  ASSERT(!symeval_width(inst->type) || expr_width(scan->pool, value) == symeval_width(inst->type));
  frame->values[index] = value;
  if (expr_node(scan->pool, value)->op == EXPR_ITE || expr_node(scan->pool, value)->op == EXPR_APP)
    name_value(scan, frame, inst, index);
  return value;
}

ExprRef host_value(HostScan *scan, HostFrame *frame, IrRef ref) {
  ASSERT(frame->function);
  ASSERT(ir_ref_is_of(scan->module, frame->function->ir, ref));
  uint32_t index = ir_ref_index(ref);
  switch (ir_ref_kind(ref)) {
  case IR_REF_INST: return inst_value(scan, frame, index);
  case IR_REF_CONST: return constant_value(scan, frame, ref);
  case IR_REF_PARAM: return parameter_value(scan, frame, index);
  case IR_REF_GLOBAL: return host_leaf(scan, host_fixed_object(scan, HOST_GLOBAL, index));
  case IR_REF_FUNC: return host_leaf(scan, host_fixed_object(scan, HOST_FUNCTION_ADDRESS, index));
  case IR_REF_NONE: break;
  }
  BUG("a value without a definition");
}

// ---- pieces of aggregates
static ExprRef unknown_piece(HostScan *scan, HostFrame *frame, IrRef ref, uint32_t offset, uint32_t bytes) {
  HostKey key = {{MEMO_PIECE, frame->id, ref, offset, bytes}};
  ExprRef value = host_map_get(&scan->memo, key);
  if (value) return value;
  const IrInst *inst = ir_inst(frame->function->ir, ref);
  HostUnknown unknown = {.width = (uint8_t)(bytes * 8), .loop = CFG_NONE};
  const char *whole = host_name_of_value(scan, frame, ref);
  unknown.name = offset ? arena_printf(scan->arena, "%s[+%u]", whole, offset) : whole;
  if (inst) {
    unknown.frame = frame;
    unknown.loop = frame->function->cfg->loop_of[inst->block];
    unknown.loc = host_loc(scan, frame, inst);
  }
  value = host_unknown(scan, unknown);
  if (inst && inst->op == IR_CALL) {
    HostSym *sym = host_sym(scan, (uint32_t)expr_node(scan->pool, value)->value);
    sym->read_by = ir_ref_index(ref) + 1;
    sym->piece = offset;
  }
  host_map_put(&scan->memo, key, value);
  return value;
}

static ExprRef inserted_piece(HostScan *scan, HostFrame *frame, const IrInst *inst, uint32_t offset,
                              uint32_t bytes) {
  uint32_t start = (uint32_t)inst->imm;
  uint32_t length = ir_ref_type(scan->module, frame->function->ir, inst->ops[1]).bytes;
  if (offset >= start && offset + bytes <= start + length)
    return host_value_piece(scan, frame, inst->ops[1], offset - start, bytes);
  if (offset + bytes <= start || offset >= start + length)
    return host_value_piece(scan, frame, inst->ops[0], offset, bytes);
  return 0;
}

static ExprRef called_piece(HostScan *scan, HostFrame *frame, IrRef ref, uint32_t offset, uint32_t bytes) {
  HostFunction *callee = NULL;
  if (host_call(scan, ir_inst(frame->function->ir, ref), &callee)->kind != CALL_DEFINED) return 0;
  HostFrame *child = host_frame_child(scan, frame, ir_ref_index(ref));
  if (!child || child->function->returns.count != 1) return 0;
  const IrInst *ret = ir_terminator(child->function->ir, child->function->returns.items[0]);
  return ret->op_count ? host_value_piece(scan, child, ret->ops[0], offset, bytes) : 0;
}

static ExprRef loaded_piece(HostScan *scan, HostFrame *frame, IrRef ref, uint32_t offset, uint32_t bytes) {
  const IrInst *load = ir_inst(frame->function->ir, ref);
  ExprRef address = host_value(scan, frame, load->ops[0]);
  address = host_add_offset(scan, address, expr_const(scan->pool, 64, offset));
  return host_load(scan, (HostAccess){.frame = frame,
                                      .inst = ir_ref_index(ref),
                                      .address = address,
                                      .bytes = bytes,
                                      .kind = IR_BYTES,
                                      .namer = offset ? 0 : load->ops[0],
                                      .origin = load->ops[0],
                                      .behind = offset});
}

static ExprRef aggregate_piece(HostScan *scan, HostFrame *frame, IrRef ref, uint32_t offset, uint32_t bytes) {
  const IrInst *inst = ir_inst(frame->function->ir, ref);
  if (ir_ref_kind(ref) == IR_REF_CONST) {
    const IrConst *constant = &frame->function->ir->consts.items[ir_ref_index(ref)];
    return constant->is_undef || constant->bits ? 0 : expr_const(scan->pool, (uint8_t)(bytes * 8), 0);
  }
  if (ir_ref_kind(ref) == IR_REF_PARAM && frame->parent) {
    const IrInst *call = &frame->parent->function->ir->insts.items[frame->call];
    if (ir_ref_index(ref) < host_argument_count(call))
      return host_value_piece(scan, frame->parent, call->ops[ir_ref_index(ref)], offset, bytes);
  }
  if (!inst) return 0;
  if (inst->op == IR_LOAD) return loaded_piece(scan, frame, ref, offset, bytes);
  if (inst->op == IR_CALL) return called_piece(scan, frame, ref, offset, bytes);
  if (inst->op == IR_INSERT) return inserted_piece(scan, frame, inst, offset, bytes);
  // What is a piece of its operand, or the same bits: a piece of that.
  if (ir_inst_is(inst, IR_PIECE)) offset += (uint32_t)inst->imm;
  bool is_of_operand = ir_inst_is(inst, IR_PIECE) || inst->op == IR_BITCAST;
  return is_of_operand ? host_value_piece(scan, frame, inst->ops[0], offset, bytes) : 0;
}

ExprRef host_value_piece(HostScan *scan, HostFrame *frame, IrRef ref, uint32_t offset, uint32_t bytes) {
  ASSERT(frame->function);
  ASSERT(ir_ref_is_of(scan->module, frame->function->ir, ref));
  ASSERT(bytes > 0);
  IrType type = ir_ref_type(scan->module, frame->function->ir, ref);
  const IrInst *inst = ir_inst(frame->function->ir, ref);
  if (offset + bytes > type.bytes) return unknown_piece(scan, frame, ref, offset, bytes);
  // A part of a loaded word is loaded by itself, so that it meets what was stored there in parts.
  bool split_load = inst && inst->op == IR_LOAD && (offset != 0 || bytes != type.bytes);
  if (type.kind != IR_BYTES && !split_load)
    return host_bytes_of(scan, host_value(scan, frame, ref), offset, bytes);
  ExprRef value = aggregate_piece(scan, frame, ref, offset, bytes);
  return value ? value : unknown_piece(scan, frame, ref, offset, bytes);
}

bool host_called_functions(HostScan *scan, HostFrame *frame, uint32_t inst, HostTargets *targets) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(targets);
  const IrInst *call = &frame->function->ir->insts.items[inst];
  targets->count = 0;
  if (call->op != IR_CALL || call->name || call->op_count == 0) return false;
  if (!host_targets(scan, host_value(scan, frame, call->ops[call->op_count - 1u]), targets)) return false;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < targets->count; i++) {
    ExprRef leaf = targets->items[i].leaf;
    if (!leaf && expr_is_const(scan->pool, targets->items[i].offset, NULL))
      continue; // null: nothing is called
    if (!leaf || host_object_of(scan, leaf)->kind != HOST_FUNCTION_ADDRESS) return false;
    targets->items[kept++] = targets->items[i];
  }
  targets->count = kept;
  return true;
}
