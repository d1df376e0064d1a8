// What is in the kernel? Its nodes (stretches between barriers), memory accesses and synchronisation points;
// and whatever is not understood, as reasons that keep the verdict from being race-free. Method: one pass
// over the instructions. Soundness: every instruction with an unknown effect on memory or order leaves a
// reason; none is skipped.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/kernel/kernel.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"

#include <string.h>

static bool is_barrier(const IrInst *inst) {
  return inst->op == IR_BARRIER || operation_is_wait(inst);
}

uint32_t scan_node_behind(const Scan *scan, uint32_t inst) {
  ASSERT(scan_has_inst(scan, inst));
  for (uint32_t n = 0; n < scan->nodes.count; n++)
    if (scan->nodes.items[n].end == inst + 1) return n + 1;
  BUG("a barrier ends no node");
}

static void split_nodes(Scan *scan) {
  const IrFunction *fn = scan->fn;
  scan->node_first = arena_array(scan->arena, fn->blocks.count + 1, uint32_t);
  for (uint32_t b = 0; b < fn->blocks.count; b++) {
    const IrBlock *block = &fn->blocks.items[b];
    scan->node_first[b] = scan->nodes.count;
    uint32_t start = block->first;
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
      if (!is_barrier(&fn->insts.items[i])) continue;
      vec_push(scan->arena, &scan->nodes, (Node){b, start, i + 1});
      start = i + 1;
    }
    vec_push(scan->arena, &scan->nodes, (Node){b, start, block->first + block->count});
  }
  scan->node_first[fn->blocks.count] = scan->nodes.count;
}

static KernelText *text_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, collect, KernelText);
}

const KernelText *scan_text(const Scan *scan) {
  return text_of(scan);
}

// ---- barriers
uint32_t scan_add_cover(Scan *scan, Cover cover) {
  Covers *covers = &text_of(scan)->covers;
  for (uint32_t i = 0; i < covers->count; i++) {
    const Cover *known = &covers->items[i];
    if (known->kind == cover.kind && known->value == cover.value && known->end == cover.end &&
        known->predicate == cover.predicate)
      return i + 1;
  }
  if (covers->count == COVER_LIMIT) return 0;
  vec_push(scan->arena, covers, cover);
  return covers->count;
}

void scan_cover_nobody(Scan *scan, uint32_t cover) {
  BUG_UNLESS(cover > 0 && cover <= text_of(scan)->covers.count);
  text_of(scan)->covers.items[cover - 1] = (Cover){.kind = COVER_MASK};
}

bool scan_covers_block(const Scan *scan, uint32_t covering) {
  ASSERT(scan_text(scan)->covers.count <= 32);
  const Covers *covers = &text_of(scan)->covers;
  for (uint32_t i = 0; i < covers->count; i++)
    if ((covering >> i & 1) && !covers->items[i].is_of_block) return false;
  return true;
}

static const uint32_t NO_POINT = UINT32_MAX;

// A number that each thread makes of nothing but its place and the launch, once: `0xffu << (lane & 24)`.
static bool is_made_of_ids(const Scan *scan, IrRef ref, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst) return ir_ref_kind(ref) == IR_REF_CONST || ir_ref_kind(ref) == IR_REF_PARAM;
  if (depth == 0 || scan->cfg->loop_of[inst->block] != CFG_NONE) return false;
  if (inst->op == IR_SREG) return ir_is_fixed_register(inst);
  if (inst->op == IR_PHI) {
    const IrInst *branch = ir_terminator(scan->fn, scan->cfg->idom[inst->block]);
    if (branch->op != IR_CONDBR || !is_made_of_ids(scan, branch->ops[0], depth - 1)) return false;
  } else if (!symeval_is_symbolic((IrOp)inst->op)) {
    return false;
  }
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!is_made_of_ids(scan, inst->ops[i], depth - 1)) return false;
  return true;
}

// The same in all rounds of loops: a number that is made of nothing but ids, wherever that is done.
bool scan_is_same_each_time(const Scan *scan, IrRef ref, int depth) {
  ASSERT(scan_has_ref(scan, ref));
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst) return ir_ref_kind(ref) == IR_REF_CONST || ir_ref_kind(ref) == IR_REF_PARAM;
  if (depth == 0) return false;
  if (inst->op == IR_SREG) return ir_is_fixed_register(inst);
  if (inst->op == IR_PHI || !symeval_is_symbolic((IrOp)inst->op)) return false;
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (!scan_is_same_each_time(scan, inst->ops[i], depth - 1)) return false;
  return true;
}

// __syncwarp(mask): 0 for all lanes, a cover for a part that is known, NO_POINT for one that is not.
static uint32_t cover_of_mask(Scan *scan, const IrInst *inst) {
  if (inst->op_count == 0) return 0;
  int64_t mask = 0;
  uint32_t cover = 0;
  const IrInst *vote = ir_inst(scan->fn, inst->ops[0]);
  // Within a loop, what was voted on may be another value by the time of the accesses.
  bool is_vote =
      vote && vote->op == IR_VOTE && vote->name && vote->op_count == 2 &&
      (scan->cfg->loop_of[vote->block] == CFG_NONE || scan_is_same_each_time(scan, vote->ops[1], 12));
  if (ir_const_value(scan->fn, inst->ops[0], &mask)) {
    if ((uint32_t)mask == UINT32_MAX) return 0;
    cover = scan_add_cover(scan, (Cover){.kind = COVER_MASK, .value = (uint32_t)mask});
  } else if (is_vote && strcmp(vote->name, "ballot") == 0) {
    cover = scan_add_cover(scan, (Cover){.kind = COVER_BALLOT, .predicate = vote->ops[1]});
  } else if (is_vote && strcmp(vote->name, "match_any") == 0 &&
             ir_const_value(scan->fn, vote->ops[0], &mask) && (uint32_t)mask == UINT32_MAX) {
    cover = scan_add_cover(scan, (Cover){.kind = COVER_MATCH, .predicate = vote->ops[1]});
  } else if (is_made_of_ids(scan, inst->ops[0], 12)) {
    cover = scan_add_cover(scan, (Cover){.kind = COVER_COMPUTED, .predicate = inst->ops[0]});
  }
  return cover ? cover : NO_POINT;
}

static uint32_t cover_of_tile(Scan *scan, const IrInst *inst) {
  int64_t lanes = 0;
  if (!inst->op_count || !ir_const_value(scan->fn, inst->ops[0], &lanes) || lanes <= 0) return NO_POINT;
  if (lanes == 32) return 0;
  bool is_of_block = lanes > 32;
  uint32_t cover =
      scan_add_cover(scan, (Cover){.kind = COVER_TILE, .value = (uint32_t)lanes, .is_of_block = is_of_block});
  return cover ? cover : NO_POINT;
}

// A tile whose number of lanes is the same for the whole launch, or each thread's own; a warp has no more.
static uint32_t cover_of_given_tile(Scan *scan, const IrInst *inst) {
  if (!inst->op_count || !is_made_of_ids(scan, inst->ops[0], 12)) return NO_POINT;
  uint32_t cover = scan_add_cover(scan, (Cover){.kind = COVER_TILE, .predicate = inst->ops[0]});
  return cover ? cover : NO_POINT;
}

// Which threads the barrier holds together: 0 all of its group, NO_POINT nobody provably.
static uint32_t cover_of_barrier(Scan *scan, const IrInst *inst) {
  switch ((IrBarrierKind)inst->imm) {
  case IR_BARRIER_SYNC: return inst->scope == IR_SCOPE_WARP ? cover_of_mask(scan, inst) : 0;
  case IR_BARRIER_REDUCE_COUNT:
  case IR_BARRIER_REDUCE_AND:
  case IR_BARRIER_REDUCE_OR: return 0;
  case IR_BARRIER_TILE: return cover_of_tile(scan, inst);
  case IR_BARRIER_COALESCED: return cover_of_given_tile(scan, inst);
  case IR_BARRIER_NAMED:
  case IR_BARRIER_NAMED_ARRIVE:
    text_of(scan)->has_named_barrier = true; // named.c asks who takes part
    return NO_POINT;
  case IR_BARRIER_ARRIVAL: // arrivals.c asks what belongs together
  case IR_BARRIER_AWAIT: return NO_POINT;
  case IR_BARRIER_KIND_COUNT: break;
  }
  scan_undecided(scan, inst->loc, "a barrier of an unknown kind");
  return NO_POINT;
}

void scan_grid_barrier(Scan *scan, const IrInst *inst) {
  ASSERT(ir_has_inst(scan->fn, inst));
  if (!scan->launch->is_cooperative && !scan->launch->is_any)
    scan_undecided(scan, inst->loc,
                   "a barrier of the whole grid has no meaning in a launch that is not cooperative");
}

static void collect_barrier(Scan *scan, uint32_t index, uint32_t node) {
  const IrInst *inst = &scan->fn->insts.items[index];
  uint32_t cover = cover_of_barrier(scan, inst);
  if (cover == NO_POINT) return;
  IrScope scope = clusters_point_scope(scan, (IrScope)inst->scope);
  if (cover && text_of(scan)->covers.items[cover - 1].is_of_block) scope = IR_SCOPE_BLOCK;
  if (scope == IR_SCOPE_DEVICE) scan_grid_barrier(scan, inst);
  vec_push(scan->arena, &scan->points,
           (Point){.inst = index, .node = node + 1, .block = inst->block, .scope = scope, .cover = cover});
}

// ---- accesses
static bool is_natural_width(uint32_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

static void add_access(Scan *scan, uint32_t index, uint32_t node, AccessKind kind, IrRef address,
                       uint32_t bytes) {
  const IrInst *inst = &scan->fn->insts.items[index];
  Access access = {.inst = index, .node = node, .kind = kind, .bytes = bytes, .address = address};
  access.scope = kind == ACCESS_ATOMIC ? (IrScope)inst->scope : IR_SCOPE_THREAD;
  access.is_async = ir_inst_is(inst, IR_ASYNC);
  access.is_natural = is_natural_width(bytes) && (access.is_async || !ir_inst_is(inst, IR_SPANS)) &&
                      !(inst->flags & IR_FLAG_PACKED) && !alignment_is_plainly_off(scan, address, bytes);
  vec_push(scan->arena, &scan->accesses, access);
}

static bool is_atomic_order(const IrInst *inst) {
  return inst->order >= IR_ORDER_RELAXED;
}

static void add_copy(Scan *scan, uint32_t index, uint32_t node) {
  const IrInst *inst = &scan->fn->insts.items[index];
  int64_t length = 0;
  bool is_const = ir_const_value(scan->fn, inst->ops[2], &length) && length >= 0 && length <= UINT32_MAX;
  if (is_const && length == 0) return;
  uint32_t bytes = is_const ? (uint32_t)length : 0;
  add_access(scan, index, node, ACCESS_WRITE, inst->ops[0], bytes);
  if (ir_inst_is(inst, IR_FOLDS)) {
    vec_last(&scan->accesses).folds = (uint8_t)inst->imm;
    vec_last(&scan->accesses).scope = (IrScope)inst->scope;
  }
  vec_last(&scan->accesses).length = is_const ? 0 : inst->ops[2];
  if (!ir_inst_has_source(scan->module, scan->fn, inst)) return;
  add_access(scan, index, node, ACCESS_READ, inst->ops[1], bytes);
  vec_last(&scan->accesses).length = is_const ? 0 : inst->ops[2];
}

static uint32_t value_bytes(const Scan *scan, IrRef ref) {
  return ir_ref_type(scan->module, scan->fn, ref).bytes;
}

// A barrier object is set up by a plain write, and used by atomic operations on its 8 bytes, also by who
// issues a copy that completes on it.
static void add_object_access(Scan *scan, uint32_t index, uint32_t node, IrRef object) {
  const IrInst *inst = &scan->fn->insts.items[index];
  bool is_plain =
      inst->op == IR_MBARRIER && (inst->imm == IR_MBARRIER_INIT || inst->imm == IR_MBARRIER_INVALIDATE);
  add_access(scan, index, node, is_plain ? ACCESS_WRITE : ACCESS_ATOMIC, object, 8);
  Access *access = &vec_last(&scan->accesses);
  access->is_async = false;
  access->is_natural = access->is_of_object = true;
  if (!is_plain && access->scope < IR_SCOPE_BLOCK) access->scope = IR_SCOPE_BLOCK;
}

static bool call_is_harmless(const IrInst *inst) {
  return inst->name &&
         (strcmp(inst->name, "llvm.assume") == 0 || (inst->flags & IR_FLAG_READONLY && inst->op_count == 0));
}

// What the bundled declarations leave open, in words.
static const char *opaque_text(const char *name) {
  static const char *const texts[][2] = {
      {"__hgrd_opaque_sync_surface_clamped", "a surface is used with places that are clamped to its size"},
      {"__hgrd_opaque_sync_barrier_completion",
       "a barrier object calls a function of its own at the end of a phase"},
      {"__hgrd_opaque_sync_pipeline_group", "a pipeline of a group that is no block and no tile"},
      {"__hgrd_opaque_sync_wide_atomic", "an atomic object of this size"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(name, texts[i][0]) == 0) return texts[i][1];
  return NULL;
}

static void asm_is_undecided(Scan *scan, const IrInst *inst) {
  const char *text = inst->name ? inst->name : "", *words = opaque_asm(text);
  if (words)
    scan_undecided(scan, inst->loc, "inline assembly '%s' is not understood (%s)", text, words);
  else
    scan_undecided(scan, inst->loc, "inline assembly '%s' is not understood", text);
}

static void call_is_undecided(Scan *scan, const IrInst *inst) {
  const IrFunction *called = inst->name ? ir_find_function(scan->module, inst->name) : NULL;
  if (!inst->name)
    scan_undecided(scan, inst->loc, "call through a pointer to functions");
  else if (called && !called->is_declaration)
    scan_undecided(scan, inst->loc, "call of '%s' that stays a call: %s", called->display,
                   call_stays_because(scan, called));
  else if (strcmp(inst->name, "__hgrd_launch_from_device") == 0 || strstr(inst->name, "__hgrd_child"))
    scan_undecided(scan, inst->loc,
                   "launches a kernel from device code: what that one reads and writes is not "
                   "compared with the accesses here");
  else if (opaque_text(inst->name))
    scan_undecided(scan, inst->loc, "%s, which is not modelled", opaque_text(inst->name));
  else
    scan_undecided(scan, inst->loc, "call of '%s', whose body is not visible",
                   called && called->display ? called->display : inst->name);
  scan->has_opaque = true;
}

static void collect_call(Scan *scan, uint32_t index) {
  const IrInst *inst = &scan->fn->insts.items[index];
  uint8_t *is_private = &text_of(scan)->private_calls[index];
  *is_private = allocations_is_call(scan, inst);
  if (*is_private) return;
  *is_private = call_is_private(scan, inst);
  if (*is_private && !inst->name) scan->result->assumptions |= ASSUME_ALL_CALLERS;
  if (!*is_private) call_is_undecided(scan, inst);
}

static void collect_access(Scan *scan, uint32_t index, uint32_t node) {
  const IrInst *inst = &scan->fn->insts.items[index];
  if (ir_inst_is(inst, IR_SPANS)) {
    add_copy(scan, index, node);
    if (ir_inst_is(inst, IR_ASYNC) && operation_completes_on_object(scan, inst))
      add_object_access(scan, index, node, inst->ops[3]);
  } else if (ir_inst_is(inst, IR_ATOMIC)) {
    add_access(scan, index, node, ACCESS_ATOMIC, inst->ops[0], inst->type.bytes);
  } else if (ir_inst_is(inst, IR_WRITES)) {
    add_access(scan, index, node, is_atomic_order(inst) ? ACCESS_ATOMIC : ACCESS_WRITE, inst->ops[0],
               value_bytes(scan, inst->ops[1]));
  } else if (ir_inst_is(inst, IR_READS)) {
    add_access(scan, index, node, is_atomic_order(inst) ? ACCESS_ATOMIC : ACCESS_READ, inst->ops[0],
               inst->type.bytes);
  }
}

static void collect_opaque(Scan *scan, uint32_t index) {
  const IrInst *inst = &scan->fn->insts.items[index];
  if (inst->op == IR_CALL) {
    if (!call_is_harmless(inst)) collect_call(scan, index);
    return;
  }
  if (inst->op == IR_ASM)
    asm_is_undecided(scan, inst);
  else
    scan_undecided(scan, inst->loc, "operation '%s' is not understood", inst->name ? inst->name : "?");
  scan->has_opaque = true;
}

static void collect_inst(Scan *scan, uint32_t index, uint32_t node) {
  const IrInst *inst = &scan->fn->insts.items[index];
  switch (ir_op_step((IrOp)inst->op)) {
  case IR_STEP_ACCESS: collect_access(scan, index, node); return;
  case IR_STEP_BARRIER: collect_barrier(scan, index, node); return;
  case IR_STEP_OBJECT: // what it orders: arrivals.c
    if (inst->op == IR_MBARRIER) add_object_access(scan, index, node, inst->ops[0]);
    return;
  case IR_STEP_CALL: collect_opaque(scan, index); return;
  // No effect on memory, or on order that is looked at here.
  case IR_STEP_FENCE:
  case IR_STEP_COPIES:
  case IR_STEP_LANES:
  case IR_STEPS_COMPUTED:
  case IR_STEP_BR:
  case IR_STEP_CONDBR:
  case IR_STEP_SWITCH:
  case IR_STEP_RET:
  case IR_STEP_UNREACHABLE: return;
  }
}

static void mark_blocks_that_order(Scan *scan) {
  uint8_t *may_order = arena_array(scan->arena, scan->fn->blocks.count + 1, uint8_t);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (ir_op_class((IrOp)inst->op) == IR_CLASS_SYNC) may_order[inst->block] = 1;
  }
  text_of(scan)->may_order = may_order;
}

static bool has_elected(const Scan *scan) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (scan->fn->insts.items[i].op == IR_SREG && scan->fn->insts.items[i].imm == IR_SREG_ELECTED)
      return true;
  return false;
}

void scan_collect(Scan *scan) {
  ASSERT(scan->cfg);
  ASSERT(!scan->accesses.count && !scan->points.count);
  KernelText *text = text_of(scan);
  text->has_elected = has_elected(scan);
  clusters_find(scan);
  split_nodes(scan);
  text->private_calls = arena_array(scan->arena, scan->fn->insts.count + 1, uint8_t);
  mark_blocks_that_order(scan);
  vec_push(scan->arena, &scan->points, (Point){.inst = CFG_NONE, .scope = IR_SCOPE_DEVICE});
  for (uint32_t n = 0; n < scan->nodes.count; n++) {
    const Node *node = &scan->nodes.items[n];
    if (scan->cfg->rpo_number[node->block] == CFG_NONE) continue; // unreachable code does nothing
    for (uint32_t i = node->first; i < node->end; i++) {
      const IrInst *inst = &scan->fn->insts.items[i];
      text->has_conversions |= ir_inst_is(inst, IR_TO_INTEGER) || inst->op == IR_FCMP || inst->op == IR_PURE;
      collect_inst(scan, i, n);
    }
  }
  if (!scan->cfg->is_reducible) scan_undecided(scan, 0, "a loop with more than one entry");
}

bool scan_is_warp_vote(const Scan *scan, const IrInst *inst) {
  ASSERT(ir_has_inst(scan->fn, inst));
  static const char *const votes[] = {"ballot",     "any",        "all",        "match_all", "reduce_add",
                                      "reduce_min", "reduce_max", "reduce_and", "reduce_or", "reduce_xor"};
  int64_t mask = 0;
  if (inst->op != IR_VOTE || inst->op_count != 2 || !ir_const_value(scan->fn, inst->ops[0], &mask) ||
      (uint32_t)mask != UINT32_MAX)
    return false;
  for (size_t i = 0; i < sizeof votes / sizeof *votes; i++)
    if (strcmp(inst->name, votes[i]) == 0) return true;
  return false;
}
