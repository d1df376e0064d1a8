// Where does a pointer point that the kernel itself has put away? `float *rows[2] = {a, b}; rows[k][i]` reads
// an array of the thread's own; `if (threadIdx.x == 0) part = a + blockIdx.x * n; __syncthreads(); part[t]`
// reads what one thread has told its block. Method: of an array of the thread's own, all stores are pointers
// at places that are numbers, each once and before the read, so that the place chooses among them; of shared
// memory, the one store that is surely the last (counter_bounds.c), if what it stores is the same for all threads of
// the block. Soundness: exact; what has another shape has no value, and its access is not understood.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value/value.h"
#include "kernelscan/memory.h"

#include <stdlib.h>

enum { POINTER_LIMIT = 8 };

typedef struct Kept {
  uint32_t count;
  uint32_t stores[POINTER_LIMIT];
  int64_t places[POINTER_LIMIT];
} Kept;

static bool is_stored_before(const Scan *scan, uint32_t store, uint32_t load) {
  uint32_t from = scan->fn->insts.items[store].block, to = scan->fn->insts.items[load].block;
  if (scan->cfg->loop_of[from] != CFG_NONE) return false;
  return from == to ? store < load : cfg_dominates(scan->cfg, from, to);
}

static bool add_store(Frame *frame, uint32_t index, uint32_t load, Kept *kept) {
  const Scan *scan = frame->scan;
  const IrInst *store = &scan->fn->insts.items[index];
  SymValue address = frame_value(frame, store->ops[0]);
  if (ir_ref_type(scan->module, scan->fn, store->ops[1]).kind != IR_PTR || kept->count == POINTER_LIMIT ||
      address.kind != SYM_POINTER || address.target_count != 1 ||
      !expr_is_const(scan->pool, address.targets[0].offset, &kept->places[kept->count]) ||
      !is_stored_before(scan, index, load))
    return false;
  for (uint32_t i = 0; i < kept->count; i++)
    if (llabs(kept->places[i] - kept->places[kept->count]) < 8) return false;
  kept->stores[kept->count++] = index;
  return true;
}

// All that is done with the array: pointers are stored and loaded.
static bool find_stores(Frame *frame, uint32_t load, IrRef array, Kept *kept) {
  const Scan *scan = frame->scan;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (scan->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    for (uint32_t o = 0; o < inst->op_count; o++) {
      if (object_address_base(scan, inst->ops[o]) != array) continue;
      bool is_plain = o == 0 && (inst->op == IR_PTRADD || inst->op == IR_BITCAST || inst->op == IR_LOAD);
      if (is_plain) continue;
      if (inst->op != IR_STORE || o != 0 || !add_store(frame, i, load, kept)) return false;
    }
  }
  return kept->count > 0;
}

static SymValue from_own_array(Frame *frame, uint32_t index, const Target *place) {
  Scan *scan = frame->scan;
  IrRef array = IR_REF(IR_REF_INST, scan->objects.items[place->object].index);
  Kept kept = {0};
  if (!find_stores(frame, index, array, &kept)) return sym_value_opaque();
  Target *targets = arena_array(scan->arena, kept.count, Target);
  for (uint32_t i = 0; i < kept.count; i++) {
    SymValue value = frame_value(frame, scan->fn->insts.items[kept.stores[i]].ops[1]);
    if (value.kind != SYM_POINTER || value.target_count != 1 || value.targets[0].condition)
      return sym_value_opaque();
    targets[i] = value.targets[0];
    targets[i].condition = expr_eq(scan->pool, place->offset, expr_const(scan->pool, 64, kept.places[i]));
    if (expr_is_true(scan->pool, targets[i].condition)) return value;
  }
  return (SymValue){.kind = SYM_POINTER, .target_count = kept.count, .targets = targets};
}

typedef struct Reading {
  const Frame *frame;
  bool is_of_block;
} Reading;

static void read_symbol(void *context, uint32_t sym) {
  Reading *reading = context;
  const ExprSym *info = expr_sym_info(reading->frame->scan->pool, sym);
  bool is_of_launch = info->owner == OWNER_UNIFORM && info->kind != SYM_ITERATION &&
                      info->kind != SYM_MEMORY && info->kind != SYM_UNKNOWN;
  reading->is_of_block &= frame_is_block_idx(reading->frame, sym) || is_of_launch;
}

static uint32_t last_write(Scan *scan, uint32_t load) {
  uint32_t store = CFG_NONE;
  for (const ValueFacts *const *s = scan->start.suppliers; store == CFG_NONE && s && *s; s++)
    if ((*s)->last_write) store = (*s)->last_write(scan, load);
  return store;
}

static SymValue from_block(Frame *frame, uint32_t index) {
  Scan *scan = frame->scan;
  uint32_t store = last_write(scan, index);
  if (store == CFG_NONE ||
      ir_ref_type(scan->module, scan->fn, scan->fn->insts.items[store].ops[1]).kind != IR_PTR)
    return sym_value_opaque();
  SymValue value = frame_value(frame, scan->fn->insts.items[store].ops[1]);
  if (value.kind != SYM_POINTER) return sym_value_opaque();
  Reading reading = {frame, true};
  for (uint32_t i = 0; i < value.target_count; i++) {
    const Target *target = &value.targets[i];
    if (target->key && !allocations_is_of_block(scan, target->object)) return sym_value_opaque();
    if (scan->objects.items[target->object].kind == OBJ_LOCAL) return sym_value_opaque();
    expr_each_sym(scan->pool, target->offset, read_symbol, &reading);
    if (target->condition) expr_each_sym(scan->pool, target->condition, read_symbol, &reading);
  }
  return reading.is_of_block ? value : sym_value_opaque();
}

SymValue stored_pointer(Frame *frame, uint32_t load, const Target *place) {
  ASSERT(frame->view);
  ASSERT(scan_has_inst(frame->scan, load));
  ASSERT(scan_has_object(frame->scan, place->object) && scan_has_word(frame->scan, place->offset, 64));
  const Scan *scan = frame->scan;
  if (scan->has_opaque || place->key || scan->fn->insts.items[load].order != IR_ORDER_PLAIN)
    return sym_value_opaque();
  ObjKind kind = scan->objects.items[place->object].kind;
  if (kind == OBJ_LOCAL) return from_own_array(frame, load, place);
  return kind == OBJ_SHARED ? from_block(frame, load) : sym_value_opaque();
}
