// Does a variable of the thread's own keep step with its arrivals at a barrier? Sense reversal: each leader
// turns its sense before or after each draw, and waits until the shared word holds it; or counts up a number
// of its own. Method: forward data flow over the paths of leaders; of each value that is made from the
// variable it is kept by how much it exceeds the number of draws that the leader has made so far, modulo 2
// for a sense. Soundness: "keeps step" is said only where that is one number on all paths.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"

enum { WEB_LIMIT = 48 };

typedef enum LagKind { LAG_UNSEEN = 0, LAG_KNOWN, LAG_OPEN } LagKind;

typedef struct Lag {
  LagKind kind;
  int64_t by; // value - number of draws
} Lag;

// What is known of each value at a place.
typedef struct Steps {
  Lag of[WEB_LIMIT];
} Steps;

typedef struct Sense {
  const Order *order;
  const uint8_t *draws; // by instruction
  IrRef web[WEB_LIMIT]; // the first one stands for the number 0, from which all constants follow
  uint32_t count;
  bool is_parity, is_count; // turned; counted up
  Steps *at;                // by block, at its begin
} Sense;

// ---- the values that it is made from
static uint32_t place_of(const Sense *sense, IrRef ref) {
  uint32_t i = 0;
  while (i < sense->count && sense->web[i] != ref)
    i++;
  return i;
}

// What the operation makes of a number in place of its operand `from`, the other one being constant; false: not known.
static bool make_of(const Scan *scan, const IrInst *inst, uint32_t from, int64_t number, int64_t *made) {
  ExprRef operands[2];
  for (uint32_t o = 0; o < inst->op_count; o++) {
    int64_t value = number;
    uint8_t width = symeval_width(ir_ref_type(scan->module, scan->fn, inst->ops[o]));
    if (!width || (o != from && !ir_const_value(scan->fn, inst->ops[o], &value))) return false;
    operands[o] = expr_const(scan->pool, width, value);
  }
  ExprRef word = symeval_inst(scan->pool, scan->module, scan->fn, inst, operands);
  if (!word || !expr_is_const(scan->pool, word, made)) return false;
  if (expr_width(scan->pool, word) == 1) *made &= 1;
  return true;
}

// The operand that the value is made from, and by what it is moved: a sense, which is 0 or 1, by what becomes of the two.
static bool find_step(Sense *sense, const IrInst *inst, IrRef *from, int64_t *by) {
  const Scan *scan = sense->order->scan;
  int64_t other = 0;
  if (!symeval_is_symbolic((IrOp)inst->op) || inst->op_count == 0 || inst->op_count > 2) return false;
  uint32_t place = inst->op_count == 2 && ir_ref_kind(inst->ops[0]) == IR_REF_CONST;
  *from = inst->ops[place];
  if (inst->op == IR_ADD) {
    sense->is_count = true;
    return ir_const_value(scan->fn, inst->ops[1], by);
  }
  sense->is_parity = true;
  return make_of(scan, inst, place, 0, by) && make_of(scan, inst, place, 1, &other) && *by == (*by & 1) &&
         other == 1 - *by;
}

static bool add_to_web(Sense *sense, IrRef ref) {
  if (ir_ref_kind(ref) != IR_REF_INST || place_of(sense, ref) < sense->count) return true;
  if (sense->count == WEB_LIMIT) return false;
  sense->web[sense->count++] = ref;
  return true;
}

static bool find_web(Sense *sense, IrRef ref) {
  if (!add_to_web(sense, ref)) return false;
  for (uint32_t i = 1; i < sense->count; i++) {
    const IrInst *inst = ir_inst(sense->order->scan->fn, sense->web[i]);
    IrRef from = 0;
    int64_t by = 0;
    for (uint32_t o = 0; inst->op == IR_PHI && o < inst->op_count; o++)
      if (!add_to_web(sense, inst->ops[o])) return false;
    if (inst->op == IR_PHI) continue;
    if (!find_step(sense, inst, &from, &by) || !add_to_web(sense, from)) return false;
  }
  if (sense->is_parity && sense->is_count) return false;
  sense->is_parity = !sense->is_count; // turned an even number of times in each round, it may be a constant
  return true;
}

// ---- data flow
static Lag move(const Sense *sense, Lag lag, int64_t by) {
  if (lag.kind == LAG_KNOWN) lag.by = sense->is_parity ? (lag.by + by) & 1 : lag.by + by;
  return lag;
}

static Lag lag_at(const Sense *sense, const Steps *steps, IrRef ref) {
  uint32_t place = place_of(sense, ref);
  int64_t value = 0;
  if (place < sense->count) return steps->of[place];
  if (!ir_const_value(sense->order->scan->fn, ref, &value) || (sense->is_parity && value != (value & 1)))
    return (Lag){LAG_OPEN, 0};
  return move(sense, steps->of[0], value);
}

static void pass_inst(Sense *sense, uint32_t index, Steps *steps) {
  const IrInst *inst = &sense->order->scan->fn->insts.items[index];
  for (uint32_t i = 0; sense->draws[index] && i < sense->count; i++)
    steps->of[i] = move(sense, steps->of[i], -1);
  uint32_t place = place_of(sense, IR_REF(IR_REF_INST, index));
  IrRef from = 0;
  int64_t by = 0;
  if (place == sense->count || inst->op == IR_PHI) return;
  bool is_step = find_step(sense, inst, &from, &by);
  steps->of[place] = is_step ? move(sense, lag_at(sense, steps, from), by) : (Lag){LAG_OPEN, 0};
}

static Steps before(Sense *sense, uint32_t index) {
  const IrFunction *fn = sense->order->scan->fn;
  uint32_t block = fn->insts.items[index].block;
  Steps steps = sense->at[block];
  for (uint32_t i = fn->blocks.items[block].first; i < index; i++)
    pass_inst(sense, i, &steps);
  return steps;
}

static bool merge(Lag *into, Lag lag) {
  Lag old = *into;
  if (old.kind == LAG_OPEN || lag.kind == LAG_UNSEEN) return false;
  bool is_same = old.kind == LAG_KNOWN && lag.kind == LAG_KNOWN && old.by == lag.by;
  *into = old.kind == LAG_UNSEEN || is_same ? lag : (Lag){LAG_OPEN, 0};
  return into->kind != old.kind;
}

static bool merge_edge(Sense *sense, uint32_t from, uint32_t to, const Steps *steps) {
  const IrFunction *fn = sense->order->scan->fn;
  Steps on_edge = *steps;
  for (uint32_t i = 1; i < sense->count; i++) {
    const IrInst *phi = ir_inst(fn, sense->web[i]);
    for (uint32_t o = 0; phi->op == IR_PHI && phi->block == to && o < phi->op_count; o++)
      if (phi->blocks[o] == from) on_edge.of[i] = lag_at(sense, steps, phi->ops[o]);
  }
  bool changed = false;
  for (uint32_t i = 0; i < sense->count; i++)
    changed |= merge(&sense->at[to].of[i], on_edge.of[i]);
  return changed;
}

static void flow(Sense *sense) {
  const Order *order = sense->order;
  const Cfg *cfg = order->scan->cfg;
  sense->at = arena_array(order->scan->arena, cfg->block_count + 1, Steps);
  sense->at[0].of[0] = (Lag){LAG_KNOWN, 0};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < cfg->rpo_count; n++) {
      uint32_t block = cfg->rpo[n];
      if (!order->is_reached[CLASS_LEADER][block]) continue;
      Steps steps = before(sense, order_last_of(order->scan, block));
      for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++)
        if (order->is_feasible[CLASS_LEADER][s]) changed |= merge_edge(sense, block, cfg->succs[s], &steps);
    }
  }
}

bool order_keeps_step(const Order *order, const uint8_t *draws, IrRef ref, uint32_t at) {
  ASSERT(scan_has_ref(order->scan, ref));
  Sense sense = {.order = order, .draws = draws, .count = 1};
  if (!find_web(&sense, ref)) return false;
  flow(&sense);
  Steps steps = before(&sense, at);
  Lag lag = lag_at(&sense, &steps, ref);
  return lag.kind == LAG_KNOWN && lag.by == 0;
}
