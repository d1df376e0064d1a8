// Where may a pointer point to whose way through a loop has no form? Anywhere in the one array that it goes
// back to. Method: its definitions back through merges, steps and casts, up to parameters and variables of
// the program; if all lead to one, its offset is the leaf of the merge. That keeps it apart from what is in
// other arrays; two accesses of one array of which one goes through such a pointer are not asked about: they
// are undecided, as a race with an offset of which nothing is known would say nothing. So are accesses at
// what a call returned that is seen but not entered (opaque_calls.c). Soundness: accesses stay inside their objects
// (A7), so steps lead to no other one.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"
#include "kernelscan/memory.h"

enum { WANDER_LIMIT = 48 };

// Null, or not set: nothing can be read or written there.
static bool is_nowhere(const Scan *scan, IrRef ref) {
  if (ir_ref_kind(ref) != IR_REF_CONST) return false;
  const IrConst *constant = &scan->fn->consts.items[ir_ref_index(ref)];
  return constant->is_undef || constant->bits == 0;
}

// The one parameter or variable that a pointer goes back to by steps and merges; 0: none, or not only one.
static IrRef root_of_pointer(const Scan *scan, uint32_t index) {
  uint32_t seen[WANDER_LIMIT] = {index}, count = 1;
  IrRef root = 0;
  for (uint32_t i = 0; i < count; i++) {
    const IrInst *inst = &scan->fn->insts.items[seen[i]];
    bool is_merge = ir_inst_is(inst, IR_CHOOSES);
    if (!is_merge && !ir_inst_is(inst, IR_SAME_OBJECT)) return 0;
    uint32_t first = inst->op == IR_SELECT ? 1 : 0, end = is_merge ? inst->op_count : 1;
    for (uint32_t o = first; o < end; o++) {
      IrRef from = inst->ops[o];
      IrRefKind kind = ir_ref_kind(from);
      if (is_nowhere(scan, from)) continue;
      if (kind == IR_REF_PARAM || kind == IR_REF_GLOBAL) {
        if (root && root != from) return 0;
        root = from;
        continue;
      }
      uint32_t next = kind == IR_REF_INST ? ir_ref_index(from) : index, at = 0;
      while (at < count && seen[at] != next)
        at++;
      if (kind != IR_REF_INST || (at == count && count == WANDER_LIMIT)) return 0;
      if (at == count) seen[count++] = next;
    }
  }
  return root;
}

// What is kept of a scan.
typedef struct Kept {
  VEC(ExprRef) unknown; // offsets that are anywhere in an object
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, unknown_offset, Kept);
}

static bool has_unknown_offset(const Scan *scan, ExprRef ref) {
  const Kept *kept = kept_of(scan);
  for (uint32_t i = 0; i < kept->unknown.count; i++)
    if (kept->unknown.items[i] == ref) return true;
  return false;
}

void unknown_offset_note(Scan *scan, ExprRef value) {
  ASSERT(scan_has_expr(scan, value));
  if (!has_unknown_offset(scan, value)) vec_push(scan->arena, &kept_of(scan)->unknown, value);
}

// A pointer that goes through its object in a way that is not seen: anywhere in it.
SymValue unknown_offset_pointer(Frame *frame, uint32_t index, SymValue unknown) {
  ASSERT(frame->view);
  ASSERT(scan_has_inst(frame->scan, index));
  Scan *scan = frame->scan;
  IrRef root = unknown.kind == SYM_WORD ? root_of_pointer(scan, index) : 0;
  SymValue whole = root ? frame_value(frame, root) : sym_value_opaque();
  if (whole.kind != SYM_POINTER) return unknown;
  Target *targets = arena_copy(scan->arena, whole.targets, whole.target_count * sizeof(Target));
  for (uint32_t i = 0; i < whole.target_count; i++)
    targets[i].offset = unknown.word;
  whole.targets = targets;
  unknown_offset_note(scan, unknown.word);
  return whole;
}

// `*left` is below zero then, if there was more to look at.
static bool holds_unknown_offset(const Scan *scan, ExprRef ref, int *left) {
  if (!ref || --*left < 0) return false;
  if (has_unknown_offset(scan, ref)) return true;
  const ExprNode *node = expr_node(scan->pool, ref);
  return holds_unknown_offset(scan, node->a, left) || holds_unknown_offset(scan, node->b, left) ||
         holds_unknown_offset(scan, node->c, left);
}

enum { OFFSET_TERMS = 500 };

bool unknown_offset_is_in(const Scan *scan, ExprRef offset) {
  ASSERT(scan_has_word(scan, offset, 64));
  int left = OFFSET_TERMS; // an offset is a sum of few terms; with more, a race may be told of it
  return kept_of(scan)->unknown.count && holds_unknown_offset(scan, offset, &left);
}

bool unknown_offset_may_be_in(const Scan *scan, ExprRef offset) {
  ASSERT(scan_has_word(scan, offset, 64));
  int left = OFFSET_TERMS;
  return kept_of(scan)->unknown.count && (holds_unknown_offset(scan, offset, &left) || left < 0);
}
