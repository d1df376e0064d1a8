// What does a program test of a value before it keeps it for the next rounds? `for (...) if (is_size) { n = atoi(next); if (n % 32) exit(1); }`:
// behind the loop n is what it was before, or what has passed the test.
// Method: predicates from the text of the program (Graf, Saidi, "Construction of Abstract State Graphs with PVS", 1997) as candidates for an
// invariant of the header's phi: conditions of branches on the way from the header to an edge into it, about the value that comes in on that
// edge alone. A candidate is kept if each value that comes in from a round is the phi itself, a number of which it
// holds, or one of which the same condition is tested on its way. Of values that merge on the way each is looked at; what another
// variable of the loop hands on may have come in from outside, where the condition has to hold of it too.
// Soundness: a branch that dominates an edge, in the loop itself and in none within, was taken in the same round, and the symbols of its
// condition that change in the loop are those of the value. The fact says that it holds if it does on entry. A value that is computed from
// one that was tested, or kept in memory, has no such fact.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/facts/facts.h"
#include "core/bug.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"
#include "hostscan/syntax.h"
#include "hostscan/value.h"

enum { CANDIDATES = 8, VALUES = 24, WAY_DEPTH = 64, CONDITION_WEIGHT = 60 };

typedef struct Checks {
  HostScan *scan;
  ExprPool *pool;
  HostFrame *frame;
  uint32_t loop, phi;       // of the frame's function; the instruction
  ExprRef placeholder, any; // `any` stands for the value that is tested
  uint32_t count;
  ExprRef candidates[CANDIDATES]; // of `any`
  uint32_t seen_count;
  uint32_t seen[VALUES]; // merges on the way, each once
} Checks;

typedef struct Edge { // on which a value comes in: between two blocks, or where it is chosen within `from`
  IrRef value;
  uint32_t from, to; // CFG_NONE: within
  ExprRef chosen;    // under which condition; 0: there is no choice
} Edge;

typedef bool (*LookAtCondition)(Checks *c, ExprRef condition, void *context); // true: enough

static bool is_in_loop(const Checks *c, uint32_t block) {
  return c->frame->function->cfg->loop_of[block] == c->loop;
}

// ---- the conditions of an edge, about any value in place of the one that comes in
typedef struct Others {
  const Checks *checks;
  bool vary; // what the phi was before among them
} Others;

static bool look_for_others(void *context, uint32_t sym) {
  Others *others = context;
  const Checks *c = others->checks;
  others->vary |= host_sym_varies(c->scan, sym, c->frame, c->loop);
  return !others->vary;
}

static bool is_about_it_alone(const Checks *c, ExprRef condition) {
  Others others = {.checks = c};
  uint32_t any = (uint32_t)expr_node(c->pool, c->any)->value;
  if (host_weight(c->scan, condition) > CONDITION_WEIGHT || !host_mentions(c->scan, condition, any))
    return false;
  host_each_sym(c->scan, condition, look_for_others, &others);
  return !others.vary;
}

static bool look_at_parts(Checks *c, ExprRef condition, ExprRef value, LookAtCondition look, void *context) {
  ExprNode node = *expr_node(c->pool, condition);
  if (node.op == EXPR_AND && node.width == 1)
    return look_at_parts(c, node.a, value, look, context) || look_at_parts(c, node.b, value, look, context);
  if (expr_is_true(c->pool, condition)) return false;
  ExprRef about = host_replace(c->scan, condition, value, c->any);
  return is_about_it_alone(c, about) && look(c, about, context);
}

static bool each_condition(Checks *c, Edge edge, LookAtCondition look, void *context) {
  HostScan *scan = c->scan;
  HostFrame *frame = c->frame;
  const Cfg *cfg = frame->function->cfg;
  uint32_t header = cfg->loops.items[c->loop].header, from = edge.from, to = edge.to;
  ExprRef value = host_settle(scan, host_value(scan, frame, edge.value));
  if (expr_is_const(c->pool, value, NULL)) return false;
  if (edge.chosen && look_at_parts(c, host_settle(scan, edge.chosen), value, look, context)) return true;
  for (uint32_t depth = 0; depth < WAY_DEPTH && is_in_loop(c, from); depth++) {
    bool is_way = to != CFG_NONE && (to == edge.to || cfg_edge_dominates(cfg, from, to, edge.from));
    ExprRef condition = is_way ? host_edge_condition(scan, frame, from, to) : 0;
    if (condition && look_at_parts(c, host_settle(scan, condition), value, look, context)) return true;
    if (from == header) return false;
    to = from;
    from = cfg->idom[from];
  }
  return false;
}

// ---- the values that come in
typedef bool (*LookAtEdge)(Checks *c, Edge edge, void *context); // false: enough

static bool each_side(Checks *c, const IrInst *select, LookAtEdge look, void *context) {
  ExprRef chosen = host_value(c->scan, c->frame, select->ops[0]);
  Edge sides[2] = {{select->ops[1], select->block, CFG_NONE, chosen},
                   {select->ops[2], select->block, CFG_NONE, expr_not(c->pool, chosen)}};
  return look(c, sides[0], context) && look(c, sides[1], context);
}

static bool is_from_outside(const Checks *c, uint32_t from) {
  return !cfg_loop_contains(c->frame->function->cfg, c->loop, from);
}

typedef enum Side { FROM_ROUNDS, FROM_OUTSIDE, FROM_ANYWHERE } Side;

static bool each_edge(Checks *c, uint32_t merge, Side side, LookAtEdge look, void *context) {
  const IrFunction *ir = c->frame->function->ir;
  const Cfg *cfg = c->frame->function->cfg;
  const IrInst *inst = &ir->insts.items[merge];
  if (inst->op == IR_SELECT) return each_side(c, inst, look, context);
  for (uint32_t i = 0; i < inst->op_count; i++) {
    uint32_t from = inst->blocks[i];
    Side of_edge = is_from_outside(c, from) ? FROM_OUTSIDE : FROM_ROUNDS;
    if (cfg->rpo_number[from] == CFG_NONE || (side != FROM_ANYWHERE && side != of_edge)) continue;
    if (!look(c, (Edge){inst->ops[i], from, inst->block, 0}, context)) return false;
  }
  return true;
}

// A merge or a choice in the loop itself; CFG_NONE: it is none.
static uint32_t merge_at(const Checks *c, IrRef value) {
  const IrFunction *ir = c->frame->function->ir;
  const IrInst *inst = ir_inst(ir, value);
  bool is_merge = inst && (inst->op == IR_PHI || inst->op == IR_SELECT) && is_in_loop(c, inst->block);
  return is_merge ? (uint32_t)(inst - ir->insts.items) : CFG_NONE;
}

static bool is_new(Checks *c, uint32_t phi) {
  for (uint32_t i = 0; i < c->seen_count; i++)
    if (c->seen[i] == phi) return false;
  if (c->seen_count < VALUES) c->seen[c->seen_count++] = phi;
  return true;
}

// ---- candidates
static bool add_candidate(Checks *c, ExprRef condition, void *context) {
  (void)context;
  for (uint32_t i = 0; i < c->count; i++)
    if (c->candidates[i] == condition) return false;
  if (c->count < CANDIDATES) c->candidates[c->count++] = condition;
  return c->count == CANDIDATES;
}

static bool find_candidates(Checks *c, Edge edge, void *context) {
  uint32_t merge = merge_at(c, edge.value);
  if (merge == c->phi) return true;
  if (each_condition(c, edge, add_candidate, NULL)) return false;
  if (merge == CFG_NONE || !is_new(c, merge)) return true;
  return each_edge(c, merge, FROM_ANYWHERE, find_candidates, context);
}

// ---- which of them stay
static bool is_condition(Checks *c, ExprRef condition, void *candidate) {
  (void)c;
  return condition == *(const ExprRef *)candidate;
}

// Where it comes in from outside, the fact has to say so.
typedef struct Entry {
  ExprRef candidate, holds;
} Entry;

static bool enters(Checks *c, Edge edge, void *context) {
  Entry *entry = context;
  ExprRef value = host_settle(c->scan, host_value(c->scan, c->frame, edge.value));
  ExprRef here = host_replace(c->scan, entry->candidate, c->any, value);
  entry->holds = expr_and(c->pool, entry->holds, here);
  return !expr_is_false(c->pool, entry->holds);
}

static bool comes_in_tested(Checks *c, Edge edge, void *context) {
  Entry *entry = context;
  uint32_t merge = merge_at(c, edge.value);
  if (is_from_outside(c, edge.from)) return enters(c, edge, entry);
  if (merge == c->phi) return true;
  ExprRef value = host_settle(c->scan, host_value(c->scan, c->frame, edge.value));
  if (expr_is_const(c->pool, value, NULL))
    return expr_is_true(c->pool, host_replace(c->scan, entry->candidate, c->any, value));
  if (each_condition(c, edge, is_condition, &entry->candidate)) return true;
  if (merge == CFG_NONE || c->seen_count == VALUES) return false;
  return !is_new(c, merge) || each_edge(c, merge, FROM_ANYWHERE, comes_in_tested, entry);
}

static void note_checked(Checks *c) {
  (void)each_edge(c, c->phi, FROM_ROUNDS, find_candidates, NULL);
  for (uint32_t i = 0; i < c->count; i++) {
    Entry entry = {c->candidates[i], expr_bool(c->pool, true)};
    c->seen_count = 0;
    if (!each_edge(c, c->phi, FROM_OUTSIDE, enters, &entry) ||
        !each_edge(c, c->phi, FROM_ROUNDS, comes_in_tested, &entry))
      continue;
    ExprRef holds = host_replace(c->scan, c->candidates[i], c->any, c->placeholder);
    uint32_t count = (uint32_t)expr_node(c->pool, host_loop_count(c->scan, c->frame, c->loop))->value;
    host_side_fact(c->scan, c->placeholder, expr_or(c->pool, expr_not(c->pool, entry.holds), holds),
                   FACT_LOOP, expr_sym_info(c->pool, count)->loc);
  }
}

// The header's phi that the symbol stands for; CFG_NONE: none does.
static uint32_t phi_of(const HostSym *sym, ExprRef value) {
  const IrFunction *ir = sym->frame->function->ir;
  const IrBlock *header = &ir->blocks.items[sym->frame->function->cfg->loops.items[sym->loop].header];
  for (uint32_t i = header->first; i < header->first + header->count && ir->insts.items[i].op == IR_PHI; i++)
    if (sym->frame->values[i] == value && ir->insts.items[i].type.kind == IR_INT) return i;
  return CFG_NONE;
}

void host_loop_checks_say(HostScan *scan, uint32_t index) {
  const HostSym sym = *host_sym(scan, index);
  ExprRef value = expr_sym(scan->pool, index);
  HostKey key = {{MEMO_CHECKS, index}};
  if (!sym.frame || sym.loop == CFG_NONE || sym.loop >= sym.frame->function->cfg->loops.count ||
      host_settle(scan, value) != value || host_map_get(&scan->memo, key))
    return;
  host_map_put(&scan->memo, key, 1);
  uint32_t phi = phi_of(&sym, value);
  if (phi == CFG_NONE) return;
  HostUnknown any = {.width = expr_width(scan->pool, value), .loop = CFG_NONE};
  Checks checks = {.scan = scan,
                   .pool = scan->pool,
                   .frame = sym.frame,
                   .loop = sym.loop,
                   .phi = phi,
                   .placeholder = value,
                   .any = host_unknown(scan, any)};
  note_checked(&checks);
}
