// What are pointers that are numbers for a while: rounded up to a multiple (arrays carved from one block of
// shared memory), compared, subtracted? A number made from a pointer stays a pointer: object and offset. Sums
// move it; `& -2^k` rounds the sum of the object's address and the offset down. That address is an unknown
// number of its own for each object, a multiple of the alignment that the object has; it cancels out where
// that is enough. Soundness: anything else that is done to such a number gives an unknown number, and so do
// objects that are not one and the same for all threads of a block. Addresses do not wrap (A1): two pointers
// into one object compare as their offsets do. Null is a target of its own, so whether a pointer is null is whether that one's condition holds.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"

enum { ADDRESS_BITS = 48 };

// A pointer to one object that is known, and the same for all threads of a block.
static const Target *only_target(const Scan *scan, SymValue value) {
  if (value.kind != SYM_POINTER || value.target_count != 1) return NULL;
  const Target *target = &value.targets[0];
  ObjKind kind = scan->objects.items[target->object].kind;
  bool is_one = kind == OBJ_LAUNCH || kind == OBJ_GLOBAL || kind == OBJ_SHARED;
  return is_one && !target->key && !target->condition ? target : NULL;
}

// What is kept of a scan.
typedef struct Kept {
  VEC(ExprRef) numbers; // by object: what its address is a multiple of; 0: not asked
} Kept;

// The object's address: `align` times a number that nothing is known of.
static ExprRef address_of(Scan *scan, uint32_t object, int64_t align) {
  ExprPool *pool = scan->pool;
  Kept *kept = SCAN_STATE_OF(scan, addresses, Kept);
  while (kept->numbers.count <= object)
    vec_push(scan->arena, &kept->numbers, 0);
  ExprRef *number = &kept->numbers.items[object];
  const char *of = scan->objects.items[object].name;
  const char *name = align == 1 ? arena_printf(scan->arena, "address of %s", of)
                                : arena_printf(scan->arena, "address of %s / %lld", of, (long long)align);
  if (!*number)
    *number = expr_new_sym(pool, (ExprSym){.name = name,
                                           .width = 64,
                                           .kind = SYM_HOST_VALUE,
                                           .hi = ((int64_t)1 << ADDRESS_BITS) / align});
  return expr_binary(pool, EXPR_MUL, EXPR_ADDRESS, *number, expr_const(pool, 64, align));
}

static SymValue pointer_at(Scan *scan, const Target *target, ExprRef offset) {
  Target *moved = arena_copy(scan->arena, target, sizeof *target);
  moved->offset = offset;
  return (SymValue){.kind = SYM_POINTER, .target_count = 1, .targets = moved};
}

// `step` is a power of two.
static SymValue round_down(Scan *scan, const Target *target, int64_t step) {
  ExprPool *pool = scan->pool;
  int64_t align = object_alignment(scan, target->object);
  ExprRef mask = expr_const(pool, 64, -step);
  if (align % step == 0)
    return pointer_at(scan, target, expr_binary(pool, EXPR_AND, 0, target->offset, mask));
  ExprRef base = address_of(scan, target->object, align);
  ExprRef sum = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, base, target->offset);
  ExprRef down = expr_binary(pool, EXPR_AND, 0, sum, mask);
  return pointer_at(scan, target, expr_binary(pool, EXPR_SUB, EXPR_ADDRESS, down, base));
}

static SymValue difference(Scan *scan, SymValue one, SymValue two) {
  const Target *a = only_target(scan, one), *b = only_target(scan, two);
  if (!a || !b || a->object != b->object) return sym_value_opaque();
  return sym_value_word(expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, a->offset, b->offset));
}

// The distance between two objects leads from one to the other.
static bool is_hop(Frame *frame, IrRef by) {
  const IrInst *inst = ir_inst(frame->scan->fn, by);
  if (!inst || inst->op != IR_SUB) return false;
  SymValue from = frame_value(frame, inst->ops[1]);
  return from.kind == SYM_POINTER &&
         difference(frame->scan, frame_value(frame, inst->ops[0]), from).kind == SYM_OPAQUE;
}

static SymValue moved(Frame *frame, SymValue pointer, IrRef by, ExprOp op) {
  Scan *scan = frame->scan;
  ExprRef distance = frame_word(frame, by, 64);
  if (!distance || is_hop(frame, by)) return sym_value_opaque();
  Target *targets = arena_copy(scan->arena, pointer.targets, pointer.target_count * sizeof(Target));
  for (uint32_t i = 0; i < pointer.target_count; i++)
    targets[i].offset = expr_binary(scan->pool, op, EXPR_ADDRESS, targets[i].offset, distance);
  pointer.targets = targets;
  return pointer;
}

SymValue address_arith(Frame *frame, const IrInst *inst) {
  ASSERT(frame->view);
  ASSERT(ir_has_inst(frame->scan->fn, inst));
  Scan *scan = frame->scan;
  if (inst->type.kind != IR_INT || inst->type.bits != 64 || inst->op_count != 2) return sym_value_opaque();
  SymValue one = frame_value(frame, inst->ops[0]), two = frame_value(frame, inst->ops[1]);
  if (inst->op == IR_ADD && one.kind == SYM_POINTER) return moved(frame, one, inst->ops[1], EXPR_ADD);
  if (inst->op == IR_ADD) return moved(frame, two, inst->ops[0], EXPR_ADD);
  if (inst->op == IR_SUB && two.kind == SYM_POINTER) return difference(scan, one, two);
  if (inst->op == IR_SUB) return moved(frame, one, inst->ops[1], EXPR_SUB);
  int64_t mask = 0;
  const Target *target = only_target(scan, one);
  if (inst->op != IR_AND || !target || !ir_const_value(scan->fn, inst->ops[1], &mask))
    return sym_value_opaque();
  bool is_rounding = mask < 0 && mask > INT64_MIN && (-mask & (-mask - 1)) == 0;
  return is_rounding ? round_down(scan, target, -mask) : sym_value_opaque();
}

// ---- null
// Of pointers, not of numbers made from one: whether a kernel asks for it is looked for by the pointer (host_tests_null).

// No object of the launch is null, nor is a variable. What was allocated here may be, so may what was read from memory,
// unless it is said what lies there; and what goes through a loop may have entered as null.
static bool may_be_either(const Scan *scan, const Target *target) {
  if (unknown_offset_may_be_in(scan, target->offset)) return true;
  switch (scan->objects.items[target->object].kind) {
  case OBJ_LAUNCH:
  case OBJ_GLOBAL:
  case OBJ_SHARED:
  case OBJ_LOCAL:
  case OBJ_PARAM:
  case OBJ_NULL: return false;
  case OBJ_NONE:
  case OBJ_LOADED:
  case OBJ_HEAP: return true;
  }
  return true;
}

// One of the targets' conditions holds: the pointer is null if that is one of null, with nothing added to it.
static SymValue compare_with_null(Frame *frame, const IrInst *inst, SymValue pointer) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  bool is_test = inst->pred == IR_EQ || inst->pred == IR_NE;
  if (pointer.kind != SYM_POINTER || pointer.target_count == 0 || !is_test) return sym_value_opaque();
  ExprRef is_null = expr_bool(pool, false), is_open = is_null, zero = expr_const(pool, 64, 0);
  for (uint32_t i = 0; i < pointer.target_count; i++) {
    const Target *target = &pointer.targets[i];
    bool is_either = may_be_either(scan, target);
    if (!is_either && scan->objects.items[target->object].kind != OBJ_NULL) continue;
    ExprRef holds = target->condition ? target->condition : expr_bool(pool, true);
    if (is_either)
      is_open = expr_or(pool, is_open, holds);
    else
      is_null = expr_or(pool, is_null, expr_and(pool, holds, expr_eq(pool, target->offset, zero)));
  }
  ExprRef answer = inst->pred == IR_EQ ? is_null : expr_not(pool, is_null);
  if (expr_is_false(pool, is_open)) return sym_value_word(answer);
  SymValue any = frame_leaf(frame, (uint32_t)(inst - scan->fn->insts.items), 0);
  if (any.kind != SYM_WORD) return sym_value_opaque();
  return sym_value_word(expr_ite(pool, is_open, any.word, answer));
}

SymValue address_compare(Frame *frame, const IrInst *inst) {
  ASSERT(frame->view);
  ASSERT(ir_has_inst(frame->scan->fn, inst));
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  for (int i = 0; i < 2; i++)
    if (ir_is_null(scan->fn, inst->ops[i]))
      return compare_with_null(frame, inst, frame_value(frame, inst->ops[1 - i]));
  const Target *one = only_target(scan, frame_value(frame, inst->ops[0]));
  const Target *two = only_target(scan, frame_value(frame, inst->ops[1]));
  if (!one || !two || one->object != two->object) return sym_value_opaque();
  unsigned pred = inst->pred >= IR_ULT && inst->pred <= IR_UGE ? inst->pred - IR_ULT + IR_SLT : inst->pred;
  ExprRef a = one->offset, b = two->offset;
  if (pred == IR_EQ) return sym_value_word(expr_eq(pool, a, b));
  if (pred == IR_NE) return sym_value_word(expr_ne(pool, a, b));
  if (pred == IR_SLT) return sym_value_word(expr_binary(pool, EXPR_SLT, 0, a, b));
  if (pred == IR_SLE) return sym_value_word(expr_binary(pool, EXPR_SLE, 0, a, b));
  if (pred == IR_SGT) return sym_value_word(expr_binary(pool, EXPR_SLT, 0, b, a));
  if (pred == IR_SGE) return sym_value_word(expr_binary(pool, EXPR_SLE, 0, b, a));
  return sym_value_opaque();
}

SymValue clusters_mapped(Frame *frame, const IrInst *inst) {
  ASSERT(frame->view);
  ASSERT(ir_has_inst(frame->scan->fn, inst));
  Scan *scan = frame->scan;
  SymValue own = frame_value(frame, inst->ops[0]);
  ExprRef rank = frame_word(frame, inst->ops[1], 32);
  if (own.kind != SYM_POINTER || !rank || clusters_kind(scan) < CLUSTERS_SINGLE) return sym_value_opaque();
  Target *targets = arena_copy(scan->arena, own.targets, own.target_count * sizeof(Target));
  for (uint32_t i = 0; i < own.target_count; i++) {
    if (scan->objects.items[targets[i].object].kind != OBJ_SHARED) return sym_value_opaque();
    targets[i].key = rank;
  }
  own.targets = targets;
  return own;
}
