// What does a pointer point to, and can two pointers meet? An address expression is taken apart into
// targets: under a condition, an object and a byte offset.
// Method: objects are named by the symbol (or, made in a loop, by the function of the iteration numbers)
// that stands for their address; targets follow +, - and if-then-else down to such leaves.
// Soundness: two addresses are "distinct" only if they are different allocations, or one is an object
// whose address no unknown code can have, or the types of the accesses differ (strict aliasing, A9). What
// is not understood is an unknown pointer of its own.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/internal.h"

static const int64_t lowest_address = 4096, highest_address = (int64_t)1 << 56;

// ---- making
static uint32_t add_object(HostScan *scan, HostObject info) {
  if (scan->objects.count == 0) vec_push(scan->arena, &scan->objects, (HostObject){0});
  vec_push(scan->arena, &scan->objects, info);
  return scan->objects.count - 1;
}

static uint32_t func_object(const HostScan *scan, uint32_t func) {
  return func < scan->func_objects.count ? scan->func_objects.items[func] : 0;
}

static void set_func_object(HostScan *scan, uint32_t func, uint32_t object) {
  while (scan->func_objects.count <= func)
    vec_push(scan->arena, &scan->func_objects, 0);
  scan->func_objects.items[func] = object;
}

typedef VEC(ExprRef) ExprList;

static void add_counts(HostScan *scan, HostFrame *frame, uint32_t inst, ExprList *counts) {
  for (; frame; inst = frame->call, frame = frame->parent) {
    const Cfg *cfg = frame->function->cfg;
    uint32_t loop = cfg->loop_of[frame->function->ir->insts.items[inst].block];
    for (; loop != CFG_NONE; loop = cfg->loops.items[loop].parent)
      vec_push(scan->arena, counts, host_loop_count(scan, frame, loop));
  }
}

static ExprRef make_leaf(HostScan *scan, const HostObject *info, const ExprList *counts) {
  if (counts->count == 0)
    return host_unknown(scan, (HostUnknown){.width = 64,
                                            .name = info->name,
                                            .loc = info->loc,
                                            .lo = lowest_address,
                                            .hi = highest_address,
                                            .loop = CFG_NONE});
  uint32_t func = expr_new_func(scan->pool, (ExprFunc){.name = info->name,
                                                       .width = 64,
                                                       .kind = SYM_HOST_VALUE,
                                                       .lo = lowest_address,
                                                       .hi = highest_address,
                                                       .loc = info->loc});
  return expr_app(scan->pool, func, counts->count, counts->items);
}

static void bind_leaf(HostScan *scan, ExprRef leaf, uint32_t object) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (node->op == EXPR_SYM)
    host_sym(scan, (uint32_t)node->value)->object = object;
  else
    set_func_object(scan, (uint32_t)node->value, object);
}

uint32_t host_site(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t which, HostObject info) {
  HostKey key = {{MEMO_SITE, frame->id, inst, which}};
  uint32_t object = host_map_get(&scan->memo, key);
  if (object) return object;
  ExprList counts = {0};
  if (info.kind != HOST_LOCAL) add_counts(scan, frame, inst, &counts);
  info.frame = frame;
  info.inst = inst;
  info.leaf = make_leaf(scan, &info, &counts);
  object = add_object(scan, info);
  bind_leaf(scan, info.leaf, object);
  host_map_put(&scan->memo, key, object);
  return object;
}

uint32_t host_fixed_object(HostScan *scan, HostObjectKind kind, uint32_t index) {
  HostKey key = {{MEMO_ADDRESS, kind, index}};
  uint32_t object = host_map_get(&scan->memo, key);
  if (object) return object;
  HostObject info = {.kind = kind, .index = index};
  if (kind == HOST_FUNCTION_ADDRESS) {
    info.name = host_display_name(scan->module->functions.items[index]);
  } else {
    const IrGlobal *global = &scan->module->globals.items[index];
    info.name = kind == HOST_DEVICE_VARIABLE ? global->name
                : global->display            ? global->display
                                             : global->name;
    info.loc = *ir_loc(scan->module, global->loc);
    if (global->bytes) info.size_bytes = expr_const(scan->pool, 64, (int64_t)global->bytes);
  }
  info.leaf = make_leaf(scan, &info, &(ExprList){0});
  object = add_object(scan, info);
  bind_leaf(scan, info.leaf, object);
  host_map_put(&scan->memo, key, object);
  return object;
}

// ---- what stands behind a leaf
static uint32_t known_object(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (node->op == EXPR_SYM) return host_sym(scan, (uint32_t)node->value)->object;
  uint32_t object = node->op == EXPR_APP ? func_object(scan, (uint32_t)node->value) : 0;
  return object ? object : host_map_get(&scan->memo, (HostKey){{MEMO_LEAF, leaf}});
}

uint32_t host_pointer_object(HostScan *scan, ExprRef leaf, const char *name, SrcLoc loc) {
  uint32_t object = known_object(scan, leaf);
  if (object) return object;
  object = add_object(scan, (HostObject){.kind = HOST_POINTER, .name = name, .loc = loc, .leaf = leaf});
  if (expr_node(scan->pool, leaf)->op == EXPR_SYM)
    bind_leaf(scan, leaf, object);
  else
    host_map_put(&scan->memo, (HostKey){{MEMO_LEAF, leaf}}, object);
  return object;
}

HostObject *host_object_of(HostScan *scan, ExprRef leaf) {
  uint32_t object = known_object(scan, leaf);
  if (!object) {
    const ExprNode *node = expr_node(scan->pool, leaf);
    const ExprSym *sym = node->op == EXPR_SYM ? expr_sym_info(scan->pool, (uint32_t)node->value) : NULL;
    const char *name = sym ? sym->name : host_text(scan->pool, scan->arena, leaf);
    object = host_pointer_object(scan, leaf, name, sym ? sym->loc : (SrcLoc){0});
  }
  return &scan->objects.items[object];
}

// The size of an object made in a loop is that of its own iteration.
ExprRef host_object_size(HostScan *scan, ExprRef leaf) {
  const HostObject *object = host_object_of(scan, leaf);
  if (!object->size_bytes || leaf == object->leaf) return object->size_bytes;
  ExprNode made = *expr_node(scan->pool, object->leaf), here = *expr_node(scan->pool, leaf);
  if (made.op != EXPR_APP || here.op != EXPR_APP) return 0;
  ExprRef size = host_settle(scan, object->size_bytes);
  for (uint32_t i = 0; i < made.arg_count && i < here.arg_count; i++)
    size = host_at_iteration(scan, size, made.args[i], here.args[i]);
  return size;
}

// ---- taking addresses apart
static bool holds_object(HostScan *scan, ExprRef ref, uint32_t depth) {
  ExprNode node = *expr_node(scan->pool, ref);
  if (node.op == EXPR_SYM || node.op == EXPR_APP) return known_object(scan, ref) != 0;
  if (depth == 0) return false;
  if (node.op == EXPR_ADD)
    return holds_object(scan, node.a, depth - 1) || holds_object(scan, node.b, depth - 1);
  if (node.op == EXPR_SUB) return holds_object(scan, node.a, depth - 1);
  if (node.op == EXPR_ITE)
    return holds_object(scan, node.b, depth - 1) || holds_object(scan, node.c, depth - 1);
  return known_object(scan, ref) != 0;
}

ExprRef host_add_offset(HostScan *scan, ExprRef base, ExprRef offset) {
  return expr_binary(scan->pool, EXPR_ADD, EXPR_ADDRESS, base, offset);
}

enum { ADDRESS_DEPTH = 24 };

static bool add_targets(HostScan *scan, ExprRef ref, HostTarget so_far, uint32_t depth,
                        HostTargets *targets) {
  ExprNode node = *expr_node(scan->pool, ref);
  HostTarget next = so_far;
  if (depth == 0 || targets->count >= HOST_TARGET_LIMIT) return false;
  if (expr_is_false(scan->pool, so_far.condition)) return true;
  if (node.op == EXPR_ITE) {
    next.condition = host_and(scan, so_far.condition, node.a);
    if (!add_targets(scan, node.b, next, depth - 1, targets)) return false;
    next.condition = host_and(scan, so_far.condition, expr_not(scan->pool, node.a));
    return add_targets(scan, node.c, next, depth - 1, targets);
  }
  if (node.op == EXPR_ADD || node.op == EXPR_SUB) {
    bool in_a = holds_object(scan, node.a, ADDRESS_DEPTH);
    bool in_b = !in_a && node.op == EXPR_ADD && holds_object(scan, node.b, ADDRESS_DEPTH);
    if (in_a || in_b) {
      next.offset = node.op == EXPR_ADD
                        ? host_add_offset(scan, so_far.offset, in_a ? node.b : node.a)
                        : expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, so_far.offset, node.b);
      return add_targets(scan, in_a ? node.a : node.b, next, depth - 1, targets);
    }
  }
  if (node.op == EXPR_CONST) { // null, or a fixed address
    next.offset = host_add_offset(scan, so_far.offset, ref);
    next.leaf = 0;
  } else {
    next.leaf = ref;
  }
  vec_push(scan->arena, targets, next);
  return true;
}

bool host_targets(HostScan *scan, ExprRef address, HostTargets *targets) {
  targets->count = 0;
  HostTarget start = {expr_bool(scan->pool, true), 0, expr_const(scan->pool, 64, 0)};
  return add_targets(scan, host_settle(scan, address), start, ADDRESS_DEPTH, targets);
}

bool host_sole_target(HostScan *scan, ExprRef address, HostTarget *target) {
  HostTargets targets = {0};
  *target = (HostTarget){0};
  if (!host_targets(scan, address, &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (!targets.items[i].leaf) continue;
    if (target->leaf) return false;
    *target = targets.items[i];
  }
  if (target->leaf) (void)host_object_of(scan, target->leaf);
  return target->leaf != 0;
}

bool host_called_functions(HostScan *scan, HostFrame *frame, uint32_t inst, HostTargets *targets) {
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

// ---- aliasing
static bool is_identified(HostObjectKind kind) { // an object of its own, different from all others
  return kind != HOST_POINTER && kind != HOST_NOTHING;
}

static bool is_private(HostScan *scan, HostObject *object) {
  if (object->kind == HOST_GLOBAL) return host_is_unaliased_global(scan, object->index);
  return (object->kind == HOST_LOCAL || object->kind == HOST_HEAP) && !host_is_captured(scan, object);
}

// One allocation in different iterations of its loops.
static bool instances_distinct(HostScan *scan, ExprRef a, ExprRef b) {
  ExprNode x = *expr_node(scan->pool, a), y = *expr_node(scan->pool, b);
  if (x.op != EXPR_APP || y.op != EXPR_APP || x.value != y.value) return false;
  for (uint32_t i = 0; i < x.arg_count; i++) {
    ExprRef same = expr_eq(scan->pool, x.args[i], y.args[i]);
    if (expr_is_false(scan->pool, same)) return true;
    ExprRef difference = expr_binary(scan->pool, EXPR_SUB, 0, x.args[i], y.args[i]);
    int64_t distance = 0;
    if (expr_is_const(scan->pool, difference, &distance) && distance != 0) return true;
  }
  return false;
}

bool host_is_any_address(HostScan *scan, ExprRef leaf) {
  const ExprNode *node = expr_node(scan->pool, leaf);
  return node->op == EXPR_SYM && host_sym(scan, (uint32_t)node->value)->is_any_address;
}

bool host_leaves_distinct(HostScan *scan, ExprRef a, ExprRef b) {
  if (a == b) return false;
  if (a == 0 || b == 0) return true; // nothing lies at absolute addresses
  if (host_is_any_address(scan, a) || host_is_any_address(scan, b)) return false;
  (void)host_object_of(scan, a); // both are made before pointers to them are taken
  HostObject *y = host_object_of(scan, b), *x = host_object_of(scan, a);
  if (x == y) return instances_distinct(scan, a, b);
  if (is_identified(x->kind) && is_identified(y->kind)) return true;
  return is_private(scan, x) || is_private(scan, y);
}

bool host_kinds_distinct(uint8_t a, uint8_t b) {
  if (b == HOST_VIRTUAL_TABLE) b = IR_PTR;
  bool a_fits = a == IR_FLOAT || a == IR_PTR, b_fits = b == IR_FLOAT || b == IR_PTR;
  if (a == b || a == IR_BYTES || b == IR_BYTES || a == IR_VOID || b == IR_VOID) return false;
  return a_fits || b_fits; // integers may be parts of copied structs: only as a written float or pointer
}

// ---- capture: does unknown code know an address?

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
  bool goes_on; // only code that is not seen counts: merges and loads hand the address on
  bool is_mild; // and a call without a body that is given the whole object may work on it, but does not keep
                // it
} Capture;

static void carry(Capture *capture, uint32_t slot, bool holds) {
  HostKey key = {{slot, holds}};
  if (host_map_get(&capture->seen, key)) return;
  host_map_put(&capture->seen, key, 1);
  vec_push(capture->scan->arena, &capture->work, slot * 2 + holds);
}

static bool param_is_captured(HostScan *scan, HostFunction *function, uint32_t param, bool is_mild);

static bool slot_is(const IrFunction *ir, uint32_t slot, IrRef ref) {
  if (slot < ir->insts.count) return ref == IR_REF(IR_REF_INST, slot);
  return ref == IR_REF(IR_REF_PARAM, slot - ir->insts.count);
}

static bool call_captures(Capture *capture, const IrInst *inst, uint32_t slot, bool holds) {
  HostFunction *callee = NULL;
  const HostCall *call = host_call(capture->scan, inst, &callee);
  bool is_whole = capture->is_mild && slot == capture->start && !holds && inst->type.kind != IR_PTR;
  if (call->kind == CALL_UNKNOWN) return !is_whole || !host_callee_name(capture->scan, inst);
  if (call->kind == CALL_QUIET || call->kind == CALL_WRITES || call->kind == CALL_WRITES_FAR)
    return inst->type.kind == IR_PTR;
  if (call->kind != CALL_DEFINED) return false;
  if (holds || inst->op_count > callee->ir->params.count) return true;
  for (uint32_t i = 0; i < inst->op_count; i++) {
    if (slot_is(capture->function->ir, slot, inst->ops[i]) &&
        param_is_captured(capture->scan, callee, i, capture->is_mild && slot == capture->start))
      return true;
  }
  return false;
}

static bool store_captures(Capture *capture, const IrInst *inst, uint32_t slot, bool holds) {
  const IrFunction *ir = capture->function->ir;
  if (!slot_is(ir, slot, inst->ops[1])) return false;
  IrRef to = inst->ops[0];
  while (ir_inst(ir, to) && ir_inst(ir, to)->op == IR_PTRADD)
    to = ir_inst(ir, to)->ops[0];
  if (holds || !ir_inst(ir, to) || ir_inst(ir, to)->op != IR_ALLOCA) return true;
  carry(capture, ir_ref_index(to), true);
  return false;
}

static bool use_captures(Capture *capture, uint32_t user, uint32_t slot, bool holds) {
  const IrInst *inst = &capture->function->ir->insts.items[user];
  switch ((int)inst->op) {
  case IR_LOAD:
    if (holds && capture->goes_on && inst->type.kind == IR_PTR) carry(capture, user, false);
    return holds && (inst->type.kind == IR_BYTES || (inst->type.kind == IR_PTR && !capture->goes_on));
  case IR_STORE: return store_captures(capture, inst, slot, holds);
  case IR_PTRADD:
  case IR_BITCAST:
  case IR_SELECT: carry(capture, user, holds); return false;
  case IR_PHI: carry(capture, user, holds); return !capture->goes_on;
  case IR_ICMP:
  case IR_MEMSET: return false;
  case IR_MEMCPY: return holds;
  case IR_CALL: return call_captures(capture, inst, slot, holds);
  default: return true;
  }
}

// Lists the instructions that let the address out.
typedef enum CaptureKind { CAPTURE_ANY, CAPTURE_UNSEEN, CAPTURE_MILD } CaptureKind;
static void find_captures(HostScan *scan, HostFunction *function, uint32_t slot, CaptureKind kind,
                          IndexList *captures) {
  Capture capture = {.scan = scan,
                     .function = host_function_open(scan, function),
                     .seen = {.arena = scan->arena},
                     .start = slot,
                     .goes_on = kind != CAPTURE_ANY,
                     .is_mild = kind == CAPTURE_MILD};
  carry(&capture, slot, false);
  while (capture.work.count) {
    uint32_t item = capture.work.items[--capture.work.count], at = item / 2;
    for (uint32_t i = function->use_first[at]; i < function->use_first[at + 1]; i++)
      if (use_captures(&capture, function->uses[i], at, item % 2))
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

static bool param_is_captured(HostScan *scan, HostFunction *function, uint32_t param, bool is_mild) {
  host_function_open(scan, function);
  uint8_t *known = is_mild ? &function->param_kept[param] : &function->param_captured[param];
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
  find_captures(scan, function, function->ir->insts.count + param, is_mild ? CAPTURE_MILD : CAPTURE_ANY,
                &captures);
  bool is_provisional = captures.count == 0 && scan->capture_lowest < depth;
  *known = is_provisional ? TRI_UNKNOWN : captures.count ? TRI_YES : TRI_NO;
  if (is_provisional && scan->capture_lowest < outer) outer = scan->capture_lowest;
  scan->capture_lowest = outer;
  scan->capture_depth--;
  return captures.count > 0;
}

bool host_is_captured(HostScan *scan, HostObject *object) {
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

// Can control come from the end of `from` to the start of `to`?
static bool block_reaches(HostScan *scan, HostFunction *function, uint32_t from, uint32_t to) {
  const Cfg *cfg = function->cfg;
  uint32_t round = ++function->stamp_round;
  IndexList work = {0};
  vec_push(scan->arena, &work, from);
  while (work.count) {
    uint32_t at = work.items[--work.count];
    for (uint32_t e = cfg->succ_first[at]; e < cfg->succ_first[at + 1]; e++) {
      uint32_t next = cfg->succs[e];
      if (next == to) return true;
      if (function->stamp[next] == round) continue;
      function->stamp[next] = round;
      vec_push(scan->arena, &work, next);
    }
  }
  return false;
}

enum { CAPTURE_LIMIT = 8 };

// Is the address out when control is at `inst` of the frame that owns it? A call that control is still in
// counts.
static bool is_out_before(HostScan *scan, HostFunction *function, const IndexList *captures, uint32_t inst,
                          bool is_inside) {
  uint32_t block = function->ir->insts.items[inst].block;
  if (captures->count > CAPTURE_LIMIT) return true;
  for (uint32_t i = 0; i < captures->count; i++) {
    uint32_t capture = captures->items[i], from = function->ir->insts.items[capture].block;
    bool is_earlier = from == block && (capture < inst || (capture == inst && is_inside));
    if (is_earlier || block_reaches(scan, function, from, block)) return true;
  }
  return false;
}

bool host_is_captured_before(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst) {
  bool is_inside = false;
  if (!host_is_captured(scan, object)) return false;
  for (; frame && frame != object->frame; frame = frame->parent) { // seen from where the object was made
    inst = frame->call;
    is_inside = true;
  }
  if (!frame || object->captures.count == 0) return true;
  const IrInst *made = &frame->function->ir->insts.items[object->inst];
  bool is_class =
      made->op == IR_ALLOCA && made->owner; // what is done to an object by name is done by methods
  if (!object->has_ways_out)
    find_captures(scan, frame->function, object->inst, is_class ? CAPTURE_MILD : CAPTURE_UNSEEN,
                  &object->ways_out);
  object->has_ways_out = true;
  if (is_out_before(scan, frame->function, &object->ways_out, inst, is_inside)) return true;
  object->is_trusted |= is_class;
  return false;
}

// Calls that are given the whole object may work on it, but are not taken to remember it; what is given the
// address of a member may well be there to set it later.
static IndexList *param_captures(HostScan *scan, HostFunction *function, uint32_t param) {
  IndexList all = {0}, *kept = arena_new(scan->arena, IndexList);
  find_captures(scan, function, function->ir->insts.count + param, CAPTURE_ANY, &all);
  for (uint32_t i = 0; i < all.count; i++) {
    const IrInst *inst = &function->ir->insts.items[all.items[i]];
    bool is_whole = false;
    for (uint32_t k = 0; k < inst->op_count && inst->op == IR_CALL; k++)
      is_whole |= inst->ops[k] == IR_REF(IR_REF_PARAM, param);
    if (!is_whole) vec_push(scan->arena, kept, all.items[i]);
  }
  return kept;
}

bool host_is_unrelated_call(HostScan *scan, HostObject *object, const HostFrame *frame, uint32_t inst) {
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
    return !is_out_before(scan, function, function->param_captures[i], inst, is_inside);
  }
  return false;
}
