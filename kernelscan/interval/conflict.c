// When do two accesses touch a common byte, and which bytes may they touch at all? Method: places of accesses
// that are aligned to their size meet as a whole, others overlap; accesses stay inside their objects (A7).
// Soundness: exact in 64 bits.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/interval.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"

bool conflict_same_object(const Scan *scan, const Target *one, const Target *two, Extent extent) {
  ASSERT(scan_has_object(scan, one->object) && scan_has_object(scan, two->object));
  ASSERT(scan_is_extent(extent));
  if (one->object != two->object) return false;
  switch (scan->objects.items[one->object].kind) {
  case OBJ_LAUNCH:
  case OBJ_GLOBAL:
  case OBJ_LOADED: return true;
  case OBJ_SHARED:
    return !extent_is_between_blocks(extent) || (extent == EXTENT_CLUSTER && clusters_has_mapa(scan));
  case OBJ_HEAP: return !extent_is_between_blocks(extent) && allocations_is_of_block(scan, one->object);
  case OBJ_NONE:
  case OBJ_LOCAL:
  case OBJ_PARAM:
  case OBJ_NULL: return false;
  }
  return true;
}

bool conflict_share_object(const Scan *scan, const Reach *one, const Reach *two, Extent extent) {
  ASSERT(scan_is_extent(extent));
  for (uint32_t i = 0; i < one->count; i++)
    for (uint32_t j = 0; j < two->count; j++)
      if (conflict_same_object(scan, &(Target){.object = one->objects[i]},
                               &(Target){.object = two->objects[j]}, extent))
        return true;
  return false;
}

enum { UNITS_DEPTH = 16 };

// A sum of multiples of the unit, in units: exact, as sums of addresses do not wrap around. 0: it is none. So a question about
// elements is the same for each type of them, and is answered once for all instances of a template.
static ExprRef in_units(ExprPool *pool, ExprRef ref, int64_t unit, int depth) {
  ExprNode node = *expr_node(pool, ref);
  int64_t value = 0;
  if (expr_is_const(pool, ref, &value))
    return value % unit == 0 ? expr_const(pool, node.width, value / unit) : 0;
  if (depth == 0 || !(node.flags & EXPR_ADDRESS)) return 0;
  if (node.op == EXPR_MUL && expr_is_const(pool, node.b, &value) && value > 0 && value % unit == 0)
    return expr_binary(pool, EXPR_MUL, EXPR_ADDRESS, node.a, expr_const(pool, node.width, value / unit));
  if (node.op != EXPR_ADD && node.op != EXPR_SUB) return 0;
  ExprRef a = in_units(pool, node.a, unit, depth - 1), b = a ? in_units(pool, node.b, unit, depth - 1) : 0;
  return b ? expr_binary(pool, (ExprOp)node.op, EXPR_ADDRESS, a, b) : 0;
}

static bool is_divided(const ExprPool *pool, ExprRef ref, int depth) {
  if (!ref) return false;
  const ExprNode *node = expr_node(pool, ref);
  if (depth == 0 || expr_is_division(node)) return true;
  return is_divided(pool, node->a, depth - 1) || is_divided(pool, node->b, depth - 1) ||
         is_divided(pool, node->c, depth - 1);
}

// Not of remainders: whether the search for a number that is drawn at such a place ends in time hangs on how wide the words are.
static ExprRef is_same_element(ExprPool *pool, ExprRef one, ExprRef two, uint32_t bytes) {
  if (is_divided(pool, one, UNITS_DEPTH) || is_divided(pool, two, UNITS_DEPTH))
    return expr_eq(pool, one, two);
  ExprRef first = in_units(pool, one, bytes, UNITS_DEPTH), second = in_units(pool, two, bytes, UNITS_DEPTH);
  return first && second ? expr_eq(pool, first, second) : expr_eq(pool, one, two);
}

static ExprRef at_most_below(ExprPool *pool, ExprRef low, ExprRef at,
                             ExprRef length) { // low <= at < low + length
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, low, length);
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, low, at), expr_binary(pool, EXPR_SLT, 0, at, end));
}

static ExprRef overlap(Scan *scan, const Instance *a, const Target *one, const Instance *b,
                       const Target *two) {
  ExprPool *pool = scan->pool;
  bool natural = a->access->is_natural && b->access->is_natural;
  if (natural && a->access->bytes == b->access->bytes)
    return is_same_element(pool, one->offset, two->offset, a->access->bytes);
  if (natural && a->access->bytes > b->access->bytes)
    return at_most_below(pool, one->offset, two->offset, a->length);
  if (natural) return at_most_below(pool, two->offset, one->offset, b->length);
  ExprRef end_one = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, one->offset, a->length);
  ExprRef end_two = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, two->offset, b->length);
  return expr_and(pool, expr_binary(pool, EXPR_SLT, 0, one->offset, end_two),
                  expr_binary(pool, EXPR_SLT, 0, two->offset, end_one));
}

// Memory that is one for all threads of a block, and each time one place of it.
static bool is_of_block_at_least(const Scan *scan, const Target *target) {
  ObjKind kind = scan->objects.items[target->object].kind;
  return kind == OBJ_LAUNCH || kind == OBJ_GLOBAL || kind == OBJ_SHARED ||
         (kind == OBJ_LOADED && target->key);
}

static ExprRef target_differs(Scan *scan, const Target *one, const Target *two) {
  ExprPool *pool = scan->pool;
  bool is_one_object =
      one->object == two->object && is_of_block_at_least(scan, one) && !one->key == !two->key;
  if (!is_one_object) return expr_bool(pool, true);
  ExprRef differs = expr_ne(pool, one->offset, two->offset);
  return one->key ? expr_or(pool, differs, expr_ne(pool, one->key, two->key)) : differs;
}

// Some place that the one may lead to, and some that the other may, are not the same.
static ExprRef leads_elsewhere(Scan *scan, SymValue one, SymValue two) {
  ExprPool *pool = scan->pool;
  ExprRef differs = expr_bool(pool, !one.target_count || !two.target_count);
  for (uint32_t i = 0; i < one.target_count; i++)
    for (uint32_t k = 0; k < two.target_count; k++) {
      const Target *first = &one.targets[i], *second = &two.targets[k];
      ExprRef here = target_differs(scan, first, second);
      if (first->condition) here = expr_and(pool, first->condition, here);
      if (second->condition) here = expr_and(pool, second->condition, here);
      differs = expr_or(pool, differs, here);
    }
  return differs;
}

// A copy that a group makes together is, for each of its threads, all of it, as nothing says which part a thread copies.
// But one call copies each part once. Calls of one block are told apart by what they copy, and where to; what two calls
// copy from one place to the same one is the same.
static ExprRef is_of_two_calls(Scan *scan, const Instance *a, const Instance *b) {
  const IrInst *inst = &scan->fn->insts.items[a->access->inst];
  ExprRef differs = expr_bool(scan->pool, extent_is_between_blocks(a->frame->view->extent));
  for (int i = 0; i < 2; i++) {
    SymValue one = frame_value(a->frame, inst->ops[i]), two = frame_value(b->frame, inst->ops[i]);
    differs = expr_or(scan->pool, differs, leads_elsewhere(scan, one, two));
  }
  return differs;
}

ExprRef conflict_condition(Scan *scan, const Instance *a, const Target *one, const Instance *b,
                           const Target *two) {
  ASSERT(scan_has_access(scan, a->access) && a->frame);
  ASSERT(scan_has_object(scan, one->object) && scan_has_word(scan, one->offset, 64));
  ASSERT(scan_has_access(scan, b->access) && b->frame);
  ASSERT(scan_has_object(scan, two->object) && scan_has_word(scan, two->offset, 64));
  BUG_UNLESS(one->object == two->object); // of one object, byte for byte
  ExprPool *pool = scan->pool;
  ExprRef condition = overlap(scan, a, one, b, two);
  if (one->condition) condition = expr_and(pool, condition, one->condition);
  if (two->condition) condition = expr_and(pool, condition, two->condition);
  if (scan->objects.items[one->object].kind == OBJ_SHARED)
    condition =
        expr_and(pool, condition, clusters_is_same_memory(scan, a->frame->view, one, b->frame->view, two));
  else if (one->key && two->key)
    condition = expr_and(pool, condition, expr_eq(pool, one->key, two->key));
  bool is_shared_out = scan->fn->insts.items[a->access->inst].flags & IR_FLAG_PART;
  if (is_shared_out && a->access->inst == b->access->inst)
    condition = expr_and(pool, condition, is_of_two_calls(scan, a, b));
  return condition;
}

enum { STEP_DEPTH = 12 };

static bool is_given_content(const Scan *scan, uint32_t func) {
  const LoadFuncs *functions = load_functions(scan);
  for (uint32_t i = 0; i < functions->count; i++)
    if (functions->items[i].func == func) return true;
  return false;
}

// Made of nothing but what the kernel is given, numbers and contents of memory: an index that it computes
// itself (a place that it draws, a number of the thread) may well be the mistake that is looked for.
static bool is_given(const Scan *scan, ExprRef ref, int depth) {
  const ExprNode *node = expr_node(scan->pool, ref);
  if (depth == 0) return false;
  if (node->op == EXPR_SYM) return node->value < (int64_t)scan->start.host_symbols;
  if (node->op == EXPR_APP) return is_given_content(scan, (uint32_t)node->value);
  return (!node->a || is_given(scan, node->a, depth - 1)) &&
         (!node->b || is_given(scan, node->b, depth - 1)) && (!node->c || is_given(scan, node->c, depth - 1));
}

// The offset of an address, a sum: indices of arrays that are members of classes stay in those. What is accessed
// lies `behind` that address: only within the element is it the element's.
static void add_indices(Scan *scan, Goal *goal, Frame *frame, IrRef offset, int64_t behind, int depth) {
  const IrInst *inst = ir_inst(scan->fn, offset);
  int64_t scale = 0;
  if (!inst || depth == 0) return;
  if (inst->op == IR_ADD) {
    add_indices(scan, goal, frame, inst->ops[0], behind, depth - 1);
    add_indices(scan, goal, frame, inst->ops[1], behind, depth - 1);
  }
  if (inst->op != IR_MUL || !(inst->flags & IR_FLAG_ADDRESS) || inst->imm <= 0) return;
  if (!ir_const_value(scan->fn, inst->ops[1], &scale) || behind >= scale) return;
  ExprRef index = frame_word(frame, inst->ops[0], 64);
  if (index && is_given(scan, index, STEP_DEPTH))
    goal_add(scan, goal, expr_binary(scan->pool, EXPR_ULT, 0, index, expr_const(scan->pool, 64, inst->imm)),
             GOAL_FACT, TAG_BOUNDS);
}

// Of the address that is accessed, and of those that the pointers were read from to which it goes back.
// Behind an address that is moved on by a variable, or back, the one that was moved need not be accessed.
static void add_member_bounds(Scan *scan, Goal *goal, Frame *frame, IrRef address) {
  int64_t step = 0, behind = 0;
  for (int depth = 0; depth < STEP_DEPTH; depth++) {
    const IrInst *inst = ir_inst(scan->fn, address);
    if (!inst || (inst->op != IR_PTRADD && inst->op != IR_BITCAST && inst->op != IR_LOAD)) return;
    address = inst->ops[0];
    if (inst->op == IR_LOAD) behind = 0; // what is read at the pointer's own place
    if (inst->op != IR_PTRADD) continue;
    bool is_fixed = ir_const_value(scan->fn, inst->ops[1], &step) && step >= 0 && step <= INT32_MAX;
    if (is_fixed) behind += step;
    if (!is_fixed) add_indices(scan, goal, frame, inst->ops[1], behind, STEP_DEPTH);
    while (!is_fixed && (inst = ir_inst(scan->fn, address)) && inst->op != IR_LOAD) {
      if (!ir_inst_is(inst, IR_SAME_OBJECT)) return;
      address = inst->ops[0]; // to the pointer that was read
    }
  }
}

ExprRef conflict_object_size(const Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  const Obj *of = &scan->objects.items[object];
  if (of->kind == OBJ_LAUNCH) return scan->launch->objects.items[of->index].size_bytes;
  bool is_variable =
      of->kind == OBJ_GLOBAL || (of->kind == OBJ_SHARED && of->index < scan->module->globals.count);
  return is_variable ? expr_const(scan->pool, 64, (int64_t)scan->module->globals.items[of->index].bytes) : 0;
}

// Accesses stay inside their objects (A7): outside, the program has no meaning.
void conflict_add_bounds(Scan *scan, Goal *goal, const Instance *instance, const Target *target) {
  ASSERT(scan_has_access(scan, instance->access) && instance->frame);
  ASSERT(scan_has_object(scan, target->object) && scan_has_word(scan, target->offset, 64));
  ExprPool *pool = scan->pool;
  const Obj *object = &scan->objects.items[target->object];
  uint32_t bytes = instance->access->bytes;
  ExprRef offset = bytes ? in_units(pool, target->offset, bytes, UNITS_DEPTH) : 0;
  ExprRef low = offset ? offset : target->offset;
  goal_add(scan, goal, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, 0), low), GOAL_FACT, TAG_BOUNDS);
  add_member_bounds(scan, goal, instance->frame, instance->access->address);
  if (object->kind == OBJ_SHARED && target->key)
    goal_add(scan, goal, expr_binary(pool, EXPR_ULT, 0, target->key, clusters_size(scan)), GOAL_FACT,
             TAG_BOUNDS);
  ExprRef size = conflict_object_size(scan, target->object);
  if (!size) return;
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, target->offset, instance->length);
  ExprRef last = offset ? in_units(pool, end, bytes, UNITS_DEPTH) : 0,
          all = last ? in_units(pool, size, bytes, UNITS_DEPTH) : 0;
  goal_add(scan, goal, expr_binary(pool, EXPR_SLE, 0, all ? last : end, all ? all : size), GOAL_FACT,
           TAG_BOUNDS);
}
