// Does code that is not seen know an address? Which instructions of a function let it out, and when.
// Method: forward over the uses of the address in its function, into the functions that it is given to.
// Soundness: over-approximates: an instruction that is not understood lets it out, and what a function that is not seen
// was given once it may keep, and write whenever control is where it is not seen. Under-approximates for calls that work
// later: arrays of the arguments of kernels hold addresses too, which are read at once, so that an address counts there only
// if it is given itself, or in a struct of the same function.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/program/program.h"
#include "core/bug.h"
#include "hostscan/syntax.h"

// A value "is" the address, or it "holds" it: points to local memory that has the address stored in it,
// such as the array of argument addresses of a launch. Everything that could give a pointer which value.c
// does not resolve to the object (phis, loads from holders) counts as captured too, so that "private" also
// means: reached by no unknown pointer.
typedef struct Capture {
  HostScan *scan;
  HostFunction *function;
  IndexList work; // slot * 2 + holds
  HostMap seen;
  uint32_t start;
  bool goes_on;  // only code that is not seen counts: merges and loads hand the address on
  bool is_later; // and calls of the runtime that work later count as well
} Capture;

static void carry(Capture *capture, uint32_t slot, bool holds) {
  HostKey key = {{slot, holds}};
  if (host_map_get(&capture->seen, key)) return;
  host_map_put(&capture->seen, key, 1);
  vec_push(capture->scan->arena, &capture->work, slot * 2 + holds);
}

static bool param_is_captured(HostScan *scan, HostFunction *function, uint32_t param, bool is_later);

static bool slot_is(const IrFunction *ir, uint32_t slot, IrRef ref) {
  if (slot < ir->insts.count) return ref == IR_REF(IR_REF_INST, slot);
  return ref == IR_REF(IR_REF_PARAM, slot - ir->insts.count);
}

// An address that a call returns, of which nobody makes anything (`name = other;`), is no other way to the object.
static bool is_used(const Capture *capture, uint32_t inst) {
  return capture->function->use_first[inst] < capture->function->use_first[inst + 1];
}

static bool is_handed_back(const Capture *capture, const IrInst *call, uint32_t user, uint32_t slot) {
  const char *name = host_callee_name(capture->scan, call);
  bool is_result = call->type.kind == IR_PTR || call->type.kind == IR_BYTES;
  if (is_result && !is_used(capture, user)) return false;
  for (uint32_t i = 0; i < call->op_count; i++)
    if (slot_is(capture->function->ir, slot, call->ops[i]) && host_call_hands_back(name, call, i))
      return true;
  return false;
}

static bool call_captures(Capture *capture, uint32_t user, uint32_t slot, bool holds) {
  const IrInst *inst = &capture->function->ir->insts.items[user];
  HostFunction *callee = NULL;
  const HostCall *call = host_call(capture->scan, inst, &callee);
  if (call->kind == CALL_UNKNOWN) return true;
  if (capture->is_later && host_call_works_later(host_callee_name(capture->scan, inst), call->kind))
    return true;
  if (call->kind == CALL_QUIET || call->kind == CALL_WRITES || call->kind == CALL_WRITES_FAR)
    return is_handed_back(capture, inst, user, slot);
  if (call->kind != CALL_DEFINED) return false;
  if (holds && capture->is_later) return false;
  if (holds || inst->op_count > callee->ir->params.count) return true;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    if (slot_is(capture->function->ir, slot, inst->ops[i]) &&
        param_is_captured(capture->scan, callee, i, capture->is_later))
      return true;
  }
  return false;
}

// The alloca that an address is in; CFG_NONE: another place.
static uint32_t local_of(const IrFunction *ir, IrRef to) {
  while (ir_inst(ir, to) && ir_inst(ir, to)->op == IR_PTRADD)
    to = ir_inst(ir, to)->ops[0];
  return ir_inst(ir, to) && ir_inst(ir, to)->op == IR_ALLOCA ? ir_ref_index(to) : CFG_NONE;
}

static bool store_captures(Capture *capture, const IrInst *inst, uint32_t slot, bool holds) {
  const IrFunction *ir = capture->function->ir;
  if (!slot_is(ir, slot, inst->ops[1])) return false;
  uint32_t to = local_of(ir, inst->ops[0]);
  if (holds && to != CFG_NONE && capture->is_later)
    return false; // the array of a launch's arguments, which are copied
  if (holds || to == CFG_NONE) return true;
  carry(capture, to, true);
  return false;
}

// What holds the address is copied: a struct that says where to copy is put together of others.
static bool copy_captures(Capture *capture, const IrInst *inst, uint32_t slot, bool holds) {
  if (!holds || !capture->is_later) return holds;
  const IrFunction *ir = capture->function->ir;
  uint32_t to = local_of(ir, inst->ops[0]);
  if (slot_is(ir, slot, inst->ops[0]) || to == slot) return false;
  if (to != CFG_NONE) carry(capture, to, true);
  return to == CFG_NONE;
}

static bool access_captures(Capture *capture, const IrInst *inst, uint32_t user, uint32_t slot, bool holds) {
  if (inst->op == IR_STORE) return store_captures(capture, inst, slot, holds);
  if (inst->op == IR_MEMSET) return false;
  if (inst->op == IR_MEMCPY) return copy_captures(capture, inst, slot, holds);
  if (inst->op != IR_LOAD) return true;
  if (holds && capture->goes_on && inst->type.kind == IR_PTR) carry(capture, user, false);
  return holds && !capture->is_later &&
         (inst->type.kind == IR_BYTES || (inst->type.kind == IR_PTR && !capture->goes_on));
}

static bool use_captures(Capture *capture, uint32_t user, uint32_t slot, bool holds) {
  const IrInst *inst = &capture->function->ir->insts.items[user];
  if (ir_op_step((IrOp)inst->op) == IR_STEP_ACCESS) return access_captures(capture, inst, user, slot, holds);
  if (ir_inst_is(inst, IR_SAME_OBJECT | IR_CHOOSES)) {
    carry(capture, user, holds);
    return inst->op == IR_PHI && !capture->goes_on;
  }
  if (inst->op == IR_CALL) return call_captures(capture, user, slot, holds);
  return inst->op != IR_ICMP; // the address is asked about, and goes nowhere
}

// Lists the instructions that let the address out.
typedef enum CaptureKind {
  CAPTURE_ANY,
  CAPTURE_UNSEEN,
  CAPTURE_LATER,
  CAPTURE_HELD // only those that are given what holds it
} CaptureKind;

static void find_captures(HostScan *scan, HostFunction *function, uint32_t slot, CaptureKind kind,
                          IndexList *captures) {
  Capture capture = {.scan = scan,
                     .function = host_function_open(scan, function),
                     .seen = {.arena = scan->arena},
                     .start = slot,
                     .goes_on = kind != CAPTURE_ANY,
                     .is_later = kind == CAPTURE_LATER};
  carry(&capture, slot, false);
  while (capture.work.count) {
    uint32_t item = capture.work.items[--capture.work.count], at = item / 2;
    for (uint32_t i = function->use_first[at]; i < function->use_first[at + 1]; i++)
      if (use_captures(&capture, function->uses[i], at, item % 2) && (kind != CAPTURE_HELD || item % 2))
        vec_push(scan->arena, captures, function->uses[i]);
  }
}

bool host_lets_out(HostScan *scan, HostFunction *function, uint32_t slot) {
  IndexList captures = {0};
  find_captures(scan, function, slot, CAPTURE_UNSEEN, &captures);
  return captures.count > 0;
}

// Functions that call each other: one that is being looked at does not let the address out unless it is found
// to elsewhere. What was concluded from that is kept only once all of them have been looked at.
enum { CAPTURE_DEPTH = 200, CAPTURE_SEARCHES = 20000 };

static bool param_is_captured(HostScan *scan, HostFunction *function, uint32_t param, bool is_later) {
  host_function_open(scan, function);
  uint8_t *known = is_later ? &function->param_later[param] : &function->param_captured[param];
  if (*known >= TRI_BUSY) {
    uint32_t depth = *known - TRI_BUSY;
    if (depth < scan->capture_lowest) scan->capture_lowest = depth;
    return false;
  }
  if (*known != TRI_UNKNOWN) return *known == TRI_YES;
  if (scan->capture_depth >= CAPTURE_DEPTH || ++scan->capture_searches > CAPTURE_SEARCHES) return true;
  uint32_t outer = scan->capture_lowest, depth = scan->capture_depth++;
  IndexList captures = {0};
  scan->capture_lowest = UINT32_MAX;
  *known = (uint8_t)(TRI_BUSY + depth);
  find_captures(scan, function, function->ir->insts.count + param, is_later ? CAPTURE_LATER : CAPTURE_ANY,
                &captures);
  bool is_provisional = captures.count == 0 && scan->capture_lowest < depth;
  *known = is_provisional ? TRI_UNKNOWN : captures.count ? TRI_YES : TRI_NO;
  if (is_provisional && scan->capture_lowest < outer) outer = scan->capture_lowest;
  scan->capture_lowest = outer;
  scan->capture_depth--;
  return captures.count > 0;
}

bool host_is_captured(HostScan *scan, HostObject *object) {
  ASSERT(object >= scan->objects.items && object < scan->objects.items + scan->objects.count);
  if (object->captured != TRI_UNKNOWN) return object->captured != TRI_NO;
  object->captured = TRI_YES;
  if ((object->kind == HOST_LOCAL || object->kind == HOST_HEAP) && !object->is_parameter) {
    const IrInst *inst = &object->frame->function->ir->insts.items[object->inst];
    bool is_value = inst->op == IR_ALLOCA || (inst->op == IR_CALL && inst->type.kind == IR_PTR);
    if (is_value) find_captures(scan, object->frame->function, object->inst, CAPTURE_ANY, &object->captures);
    if (is_value && object->captures.count == 0) object->captured = TRI_NO;
  }
  return object->captured != TRI_NO;
}

typedef struct Ways { // from some instructions on
  HostFunction *function;
  uint32_t round;
  IndexList work;
} Ways;

static void go_on(HostScan *scan, Ways *ways, uint32_t block) {
  const Cfg *cfg = ways->function->cfg;
  for (uint32_t e = cfg->succ_first[block]; e < cfg->succ_first[block + 1]; e++) {
    uint32_t next = cfg->succs[e];
    if (ways->function->stamp[next] == ways->round) continue;
    ways->function->stamp[next] = ways->round;
    vec_push(scan->arena, &ways->work, next);
  }
}

// Is the address out when control is at `inst` of the frame that owns it? A call that control is still in
// counts. Each block is gone through once, however many instructions let the address out.
static bool is_out_before(HostScan *scan, HostFunction *function, const uint32_t *captures, uint32_t count,
                          uint32_t inst, bool is_inside) {
  uint32_t block = function->ir->insts.items[inst].block;
  Ways ways = {.function = function, .round = ++function->stamp_round};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t capture = captures[i], from = function->ir->insts.items[capture].block;
    if (from == block && (capture < inst || (capture == inst && is_inside))) return true;
    go_on(scan, &ways, from);
  }
  while (ways.work.count && function->stamp[block] != ways.round)
    go_on(scan, &ways, ways.work.items[--ways.work.count]);
  return function->stamp[block] == ways.round;
}

bool host_is_handed_before(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst) {
  ASSERT(!frame || host_function_has_inst(frame->function, inst));
  if (object->kind == HOST_GLOBAL) return host_is_handed_global(scan, object->index);
  for (; frame && frame != object->frame; frame = frame->parent)
    inst = frame->call;
  if (!frame || object->is_parameter) return true;
  if (!object->has_ways_later)
    find_captures(scan, frame->function, object->inst, CAPTURE_LATER, &object->ways_later);
  object->has_ways_later = true;
  return is_out_before(scan, frame->function, object->ways_later.items, object->ways_later.count, inst, true);
}

bool host_comes_behind(HostScan *scan, HostFunction *function, const uint32_t *from, uint32_t count,
                       uint32_t inst) {
  ASSERT(host_function_has_inst(function, inst) && (from || !count));
  return is_out_before(scan, function, from, count, inst, false);
}

// Is the call of the object's own function given local memory that holds the address?
static bool is_held_out(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst) {
  if (frame != object->frame) return false;
  if (!object->has_held_out)
    find_captures(scan, frame->function, object->inst, CAPTURE_HELD, &object->held_out);
  object->has_held_out = true;
  for (uint32_t i = 0; i < object->held_out.count; i++)
    if (object->held_out.items[i] == inst) return true;
  return false;
}

bool host_is_captured_before(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst) {
  ASSERT(object >= scan->objects.items && object < scan->objects.items + scan->objects.count);
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  bool is_inside = false;
  if (!host_is_captured(scan, object)) return false;
  if (is_held_out(scan, object, frame, inst)) return true;
  for (; frame && frame != object->frame; frame = frame->parent) { // seen from where the object was made
    inst = frame->call;
    is_inside = true;
  }
  if (!frame || object->captures.count == 0) return true;
  if (!object->has_ways_out)
    find_captures(scan, frame->function, object->inst, CAPTURE_UNSEEN, &object->ways_out);
  object->has_ways_out = true;
  return is_out_before(scan, frame->function, object->ways_out.items, object->ways_out.count, inst,
                       is_inside);
}

static IndexList *param_captures(HostScan *scan, HostFunction *function, uint32_t param) {
  IndexList *all = arena_new(scan->arena, IndexList);
  find_captures(scan, function, function->ir->insts.count + param, CAPTURE_ANY, all);
  return all;
}

bool host_is_unrelated_call(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst) {
  ASSERT(object >= scan->objects.items && object < scan->objects.items + scan->objects.count);
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  bool is_inside = false;
  if (object->kind != HOST_POINTER) return false;
  for (; frame->parent; frame = frame->parent) {
    inst = frame->call;
    is_inside = true;
  }
  HostFunction *function = frame->function;
  for (uint32_t i = 0; i < function->ir->params.count; i++) {
    if (frame->params[i] != object->leaf) continue;
    if (!function->param_captures[i]) function->param_captures[i] = param_captures(scan, function, i);
    const IndexList *captures = function->param_captures[i];
    return !is_out_before(scan, function, captures->items, captures->count, inst, is_inside);
  }
  return false;
}
