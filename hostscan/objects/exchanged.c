// Is a store one of those that only exchange what some places hold (`std::swap(a, b)`, `t = a; a = b; b = c; c = t;`)? Then no pointer is at two
// places behind them that was at one before. Method: within the basic block of the store, what each place holds is followed from the beginning:
// a load gives what its place holds, a store puts it elsewhere. Behind the last store the places hold what they held at the beginning, in some order.
// Soundness: exact for places that are told apart by their texts; if two of these are one place, they hold each value once all the same. Other
// instructions that write memory in between, and stores of other pointers, end the answer: then it is no.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/objects.h"
#include "core/bug.h"

enum { PLACES = 8 };

typedef struct Place {
  IrRef base;
  int64_t offset;
  uint32_t holds; // what this place has held at the beginning
} Place;

typedef struct Exchange {
  const IrFunction *ir;
  Place places[PLACES];
  uint32_t count;
  bool is_stored[PLACES];
  uint32_t loaded[PLACES]; // instruction, + 1
  uint32_t gives[PLACES];
  uint32_t load_count;
} Exchange;

// Its number; PLACES: there are too many, or it is computed.
static uint32_t number_of(Exchange *e, IrRef address) {
  Place place = {.holds = e->count};
  place.base = ir_fixed_base(e->ir, address, &place.offset);
  const IrInst *computed = ir_inst(e->ir, place.base);
  if (!place.base || (computed && computed->op == IR_PTRADD)) return PLACES;
  for (uint32_t i = 0; i < e->count; i++)
    if (e->places[i].base == place.base && e->places[i].offset == place.offset) return i;
  if (e->count < PLACES) e->places[e->count++] = place;
  return place.holds;
}

static bool note_load(Exchange *e, uint32_t index) {
  uint32_t place = number_of(e, e->ir->insts.items[index].ops[0]);
  if (place >= PLACES || e->load_count == PLACES) return false;
  e->loaded[e->load_count] = index + 1;
  e->gives[e->load_count++] = e->places[place].holds;
  return true;
}

static bool note_store(Exchange *e, const IrInst *store) {
  const IrInst *value = ir_inst(e->ir, store->ops[1]);
  while (value && value->op == IR_BITCAST)
    value = ir_inst(e->ir, value->ops[0]);
  uint32_t place = number_of(e, store->ops[0]), which = 0;
  while (which < e->load_count && value != &e->ir->insts.items[e->loaded[which] - 1])
    which++;
  if (place >= PLACES || which == e->load_count) return false;
  e->places[place].holds = e->gives[which];
  e->is_stored[place] = true;
  return true;
}

// Each that was stored to holds what another one of them has held, and no two the same.
static bool is_permutation(const Exchange *e) {
  uint32_t stored = 0, held = 0;
  for (uint32_t i = 0; i < e->count; i++) {
    if (!e->is_stored[i]) continue;
    uint32_t bit = UINT32_C(1) << e->places[i].holds;
    if (held & bit) return false;
    stored |= UINT32_C(1) << i;
    held |= bit;
  }
  return stored == held;
}

static bool is_pointer(const IrModule *module, const IrFunction *ir, IrRef ref) {
  return ir_ref_type(module, ir, ref).kind == IR_PTR;
}

// It writes memory in a way that is not followed here.
static bool writes_otherwise(const IrModule *module, const IrFunction *ir, const IrInst *inst) {
  if (inst->op == IR_STORE) return !is_pointer(module, ir, inst->ops[1]);
  return inst->op == IR_CALL || ir_inst_is(inst, IR_WRITES);
}

bool host_is_exchange(const IrModule *module, const IrFunction *ir, uint32_t store) {
  ASSERT(store < ir->insts.count);
  ASSERT(ir->insts.items[store].op == IR_STORE);
  const IrBlock *block = &ir->blocks.items[ir->insts.items[store].block];
  uint32_t end = block->first + block->count, first = store, last = store;
  // The stores of pointers that stand together, with nothing but loads, sums and the like between them.
  while (first > block->first && !writes_otherwise(module, ir, &ir->insts.items[first - 1]))
    first--;
  while (last + 1 < end && !writes_otherwise(module, ir, &ir->insts.items[last + 1]))
    last++;
  Exchange exchange = {.ir = ir};
  for (uint32_t i = first; i <= last; i++) {
    const IrInst *inst = &ir->insts.items[i];
    bool is_load = inst->op == IR_LOAD && inst->type.kind == IR_PTR;
    bool is_store = inst->op == IR_STORE && is_pointer(module, ir, inst->ops[1]);
    if ((is_load && !note_load(&exchange, i)) || (is_store && !note_store(&exchange, inst))) return false;
  }
  return is_permutation(&exchange);
}
