// Which two accesses can race? For each extent and each synchronisation point of it, every pair of accesses
// that threads can reach from there without another such point, on every combination of ways, becomes a goal:
// both get there, in two different threads of the extent, and touch a common byte. Method: two-thread
// reduction over barrier intervals (Betts et al., "GPUVerify", OOPSLA 2012; Li and Gopalakrishnan, "PUG", FSE
// 2010), with the meeting relation computed on the graph cut at synchronisation points. Soundness: all pairs
// of understood accesses are asked, or dismissed by an exact test; what is not understood leaves a reason. A
// race is only reported for a model that the solver checked exactly and that replays.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/copies.h"
#include "kernelscan/facts.h"
#include "kernelscan/finding.h"
#include "kernelscan/proofs.h"
#include "kernelscan/kernel.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"
#include "kernelscan/order.h"
#include "kernelscan/phases.h"

#include <string.h>

static uint32_t met_words(const Scan *scan) { // of a row
  return scan->accesses.count / 64 + 1;
}

PairState *pairs_state_of(Pairs *pairs, uint32_t a, uint32_t b) {
  Arena *arena = pairs->scan->arena;
  uint32_t hash = a * 2654435761u + b;
  TableLook look = table_look(&pairs->table, hash);
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    PairState *state = &pairs->states.items[number - 1];
    if (state->a == a && state->b == b) return state;
  }
  vec_push(arena, &pairs->states, (PairState){.a = a, .b = b});
  table_add(arena, &pairs->table, hash, pairs->states.count);
  return &vec_last(&pairs->states);
}

// ---- exact tests before the solver
static bool scope_holds_both(IrScope scope, Extent extent) {
  return scope >= operation_scope_needed(extent);
}

// Atomics of sufficient scope on the same whole word do not race; aligned words of one size overlap only if
// equal.
static bool both_atomic(const Access *a, const Access *b, Extent extent) {
  return a->kind == ACCESS_ATOMIC && b->kind == ACCESS_ATOMIC && a->bytes == b->bytes && a->is_natural &&
         b->is_natural && scope_holds_both(a->scope, extent) && scope_holds_both(b->scope, extent);
}

// Asynchronous reductions fold each element in one step; those of one size overlap only if equal.
static bool both_fold(const Access *a, const Access *b, Extent extent) {
  return a->folds && a->folds == b->folds && scope_holds_both(a->scope, extent) &&
         scope_holds_both(b->scope, extent);
}

// In PTX's model volatile is relaxed with system scope: such a pair is morally strong.
static bool both_strong(const Scan *scan, const Access *a, const Access *b, Extent extent) {
  if (order_memory_rules(scan)->volatile_races || a->bytes != b->bytes) return false;
  return operation_is_strong(scan, a) && operation_is_strong(scan, b) &&
         scope_holds_both(operation_scope(scan, a), extent) &&
         scope_holds_both(operation_scope(scan, b), extent);
}

bool pairs_both_strong(const Scan *scan, const Access *a, const Access *b, Extent extent) {
  ASSERT(scan_has_access(scan, a));
  ASSERT(scan_has_access(scan, b));
  ASSERT(scan_is_extent(extent));
  return both_atomic(a, b, extent) || both_fold(a, b, extent) || both_strong(scan, a, b, extent);
}

bool pairs_can_race(const Pairs *pairs, uint32_t a, uint32_t b, Couple couple) {
  ASSERT(couple.extent <= EXTENT_NONE);
  const Access *one = &pairs->scan->accesses.items[a], *two = &pairs->scan->accesses.items[b];
  if (pairs->behind && (pairs->behind[a] && pairs->behind[b]) == couple.ends_at_divergent) return false;
  if (one->kind == ACCESS_READ && two->kind == ACCESS_READ) return false;
  if (pairs_both_strong(pairs->scan, one, two, couple.extent)) return false;
  bool lock_step = couple.extent == EXTENT_INTRA_WARP && pairs->scan->request->options.arch < 70;
  return !lock_step || !lockstep_orders(pairs->scan, one, two);
}

static uint64_t *met_row(const Pairs *pairs, uint32_t access) {
  return pairs->met + (uint64_t)access * met_words(pairs->scan);
}

void pairs_mark_met(Pairs *pairs, uint32_t a, uint32_t b) {
  met_row(pairs, a)[b / 64] |= (uint64_t)1 << (b % 64);
  met_row(pairs, b)[a / 64] |= (uint64_t)1 << (a % 64);
}

void pairs_mark_row(Pairs *pairs, uint32_t access, const uint64_t *others) {
  ASSERT(access < pairs->scan->accesses.count);
  uint64_t *row = met_row(pairs, access);
  for (uint32_t w = 0; w < met_words(pairs->scan); w++)
    row[w] |= others[w];
}

enum { ADDRESS_DEPTH = 8 };

// Does the address come from one of the block's own shared memory that was mapped to another block?
static bool is_of_another_block(const IrFunction *fn, IrRef address, int depth) {
  const IrInst *inst = ir_inst(fn, address);
  if (!inst || depth <= 0) return false;
  if (ir_is_mapa(inst)) return true;
  bool is_step = inst->op == IR_PTRADD || inst->op == IR_PURE || inst->op == IR_ADD || inst->op == IR_PHI ||
                 inst->op == IR_SELECT || inst->op == IR_ZEXT || inst->op == IR_INTTOPTR;
  for (uint32_t i = 0; is_step && i < inst->op_count; i++)
    if (is_of_another_block(fn, inst->ops[i], depth - 1)) return true;
  return false;
}

bool pairs_is_understood(Pairs *pairs, const Instance *instance) {
  ASSERT(scan_has_access(pairs->scan, instance->access) && instance->frame);
  if (instance->address.kind == SYM_POINTER && instance->length) return true;
  Scan *scan = pairs->scan;
  uint32_t index = (uint32_t)(instance->access - scan->accesses.items);
  const IrInst *inst = &scan->fn->insts.items[instance->access->inst];
  if (!pairs->address_reported[index])
    scan_undecided(scan, inst->loc,
                   inst->op_count && is_of_another_block(scan->fn, inst->ops[0], ADDRESS_DEPTH)
                       ? "this access is to shared memory of another block of the cluster (map_shared_rank, "
                         "mapa), and which block or place that is, is not understood"
                       : "the address of this access is not understood");
  pairs->address_reported[index] = true;
  return false;
}

// A copy that still goes on at the point, against what another thread does behind it. (Of two copies that go
// on there, one was issued while the other one was going on.)
static void ask_carried(Pairs *pairs, Meeting *meeting, uint32_t c, uint32_t a, uint32_t b, Extent extent) {
  Scan *scan = pairs->scan;
  const Carried *carried = &carried_over(scan)->points.items[c];
  uint32_t copy = (uint32_t)(carried->copy - scan->accesses.items);
  if (meeting->graph->point != &scan->points.items[carried->point] || (copy != a && copy != b)) return;
  int thread = copy == a ? 0 : 1;
  if (carried->is_unseen && !proxies_is_bulk(scan, &scan->accesses.items[copy == a ? b : a])) return;
  Instance *one = meeting_carried(meeting, thread, c);
  if (!pairs_is_understood(pairs, one)) return;
  for (uint32_t p = 0; p <= meeting->graph->loop_count; p++) {
    Instance *two = meeting_instance(meeting, 1 - thread, copy == a ? b : a, p);
    if (!two || !pairs_is_understood(pairs, two)) continue;
    if (thread == 0)
      pairs_ask_instances(pairs, meeting, one, two, extent);
    else
      pairs_ask_instances(pairs, meeting, two, one, extent);
  }
}

static void ask_all_carried(Pairs *pairs, Meeting *meeting, uint32_t a, uint32_t b, Extent extent) {
  for (uint32_t c = 0; c < carried_over(pairs->scan)->points.count; c++)
    ask_carried(pairs, meeting, c, a, b, extent);
}

static void ask_pair(Pairs *pairs, Meeting *meeting, uint32_t a, uint32_t b, Extent extent) {
  uint32_t phases = meeting->graph->loop_count + 1;
  for (uint32_t p = 0; p < phases; p++) {
    Instance *one = meeting_instance(meeting, 0, a, p);
    if (!one || !pairs_is_understood(pairs, one)) continue;
    for (uint32_t q = a == b ? p : 0; q < phases; q++) {
      Instance *two = meeting_instance(meeting, 1, b, q);
      if (two && pairs_is_understood(pairs, two)) pairs_ask_instances(pairs, meeting, one, two, extent);
    }
  }
}

static bool extent_is_possible(const Scan *scan, Extent extent) {
  const LaunchContext *launch = scan->launch;
  const ExprRef *dims = extent == EXTENT_INTER_BLOCK ? launch->grid
                        : extent == EXTENT_CLUSTER   ? launch->cluster
                                                     : launch->block;
  int64_t value = 0;
  for (int axis = 0; axis < 3; axis++)
    if (!expr_is_const(scan->pool, dims[axis], &value) || value != 1) return true;
  return false;
}

static void check_couple(Pairs *pairs, Couple couple) {
  Scan *scan = pairs->scan;
  Extent extent = couple.extent;
  if (!extent_is_possible(scan, extent)) return;
  ExprRef shared_block[3] = {0};
  View *one = view_make(scan, extent, OWNER_THREAD1, shared_block),
       *two = view_make(scan, extent, OWNER_THREAD2, shared_block);
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders(point, couple)) continue;
    Meeting *meeting = meeting_make(scan, point, couple, one, two);
    vec_push(scan->arena, &pairs->meetings, meeting);
    // In lock step, what is ordered depends on the pair.
    bool is_lock_step = extent == EXTENT_INTRA_WARP && scan->request->options.arch < 70;
    if (!is_lock_step) bundles_check(pairs, meeting, extent);
    for (uint32_t a = 0; (is_lock_step || carried_over(scan)->points.count) && a < scan->accesses.count;
         a++) {
      for (uint32_t b = a; b < scan->accesses.count; b++) {
        if (!pairs_can_race(pairs, a, b, couple)) continue;
        if (is_lock_step) ask_pair(pairs, meeting, a, b, extent);
        ask_all_carried(pairs, meeting, a, b, extent);
      }
    }
  }
}

// ---- barriers that some go round
// Which accesses can be made by a thread that has passed a divergent barrier since the last one that surely
// held it together with the other one? false: there is no such barrier.
// Behind barriers that are no points, as it is not known for whom they are.
static void find_behind_unknown(Pairs *pairs) {
  Scan *scan = pairs->scan;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (!divergence_has_unknown_lanes(scan, i)) continue;
    for (uint32_t a = 0; a < scan->accesses.count; a++)
      pairs->behind[a] |= graph_reaches(scan, i, scan->accesses.items[a].inst);
  }
}

static bool find_behind(Pairs *pairs, Couple couple) {
  Scan *scan = pairs->scan;
  CarriedOver *over = carried_over(scan);
  bool is_any = false, is_all = false;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point->is_divergent || !point_would_order(point, couple)) continue;
    if (!is_any) pairs->behind = arena_array(scan->arena, scan->accesses.count + 1, bool);
    is_any = true;
    const uint8_t *stretch = node_stretch(scan, point->node, couple);
    for (uint32_t a = 0; a < scan->accesses.count; a++)
      pairs->behind[a] |= stretch[scan->accesses.items[a].node] != 0;
    // What goes on at the barrier is not ordered by it.
    for (uint32_t c = 0; c < over->points.count; c++)
      is_all |= over->points.items[c].point == p;
  }
  if (is_any) find_behind_unknown(pairs);
  for (uint32_t a = 0; is_all && a < scan->accesses.count; a++)
    pairs->behind[a] = true;
  return is_any;
}

// Who arrives at a divergent barrier waits for an arrival of the other one at whatever barrier that comes to
// next, or for its end: what that one does before its first arrival comes before what this one does behind.
// Of what both do behind divergent barriers nothing is known. So pairs of which one is made before all of
// them are asked as if they ordered, the others as if they did not.
static void check_group(Pairs *pairs, Couple couple) {
  if (!find_behind(pairs, couple)) {
    check_couple(pairs, couple);
    return;
  }
  Couple ended = couple;
  ended.ends_at_divergent = true;
  check_couple(pairs, ended);
  check_couple(pairs, couple);
  pairs->behind = NULL;
}

// ---- results
static void dump_pair(const Scan *scan, const PairState *state) {
  StrBuf *out = scan->request->options.dump_pairs;
  static const char *const answers[] = {"race-free", "race-free", "race", "undecided"};
  const SrcLoc *one = ir_loc(scan->module, scan->fn->insts.items[scan->accesses.items[state->a].inst].loc);
  const SrcLoc *two = ir_loc(scan->module, scan->fn->insts.items[scan->accesses.items[state->b].inst].loc);
  strbuf_printf(out, "pair in %s: line %u:%u with line %u:%u\n", scan->fn->display, one->line, one->column,
                two->line, two->column);
  for (int e = 0; e < EXTENT_COUNT; e++)
    if (e != EXTENT_CLUSTER || clusters_kind(scan) == CLUSTERS_KNOWN)
      strbuf_printf(out, "  %-12s %s\n", extent_name((Extent)e), answers[state->states[e]]);
}

static bool is_same_place(const SrcLoc *a, const SrcLoc *b) {
  bool is_same_file = a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
  return is_same_file && a->line == b->line && a->column == b->column;
}

static void keep_open(Scan *scan, uint32_t access) {
  const SrcLoc *loc = ir_loc(scan->module, scan->fn->insts.items[scan->accesses.items[access].inst].loc);
  for (uint32_t i = 0; i < scan->result->open_accesses.count; i++)
    if (is_same_place(&scan->result->open_accesses.items[i], loc)) return;
  vec_push(scan->arena, &scan->result->open_accesses, *loc);
}

static void conclude_pair(Pairs *pairs, PairState *state) {
  Scan *scan = pairs->scan;
  candidate_look_at_runs(scan, state);
  for (int e = 0; e < EXTENT_COUNT; e++)
    if (state->states[e] == EXTENT_RACE || state->states[e] == EXTENT_UNDECIDED)
      audit_excuse(scan, &scan->accesses.items[state->a], &scan->accesses.items[state->b], (Extent)e);
  int widest = headline_widest(state, false), same = headline_widest(state, true);
  int open = -1;
  for (int e = 0; e < EXTENT_COUNT; e++)
    if (state->states[e] == EXTENT_UNDECIDED && (open < 0 || state->is_spent[open] || !state->is_spent[e]))
      open = e;
  const IrInst *one = &scan->fn->insts.items[scan->accesses.items[state->a].inst];
  const IrInst *two = &scan->fn->insts.items[scan->accesses.items[state->b].inst];
  if (same >= 0 && (widest < 0 || same < widest)) finding_report_race(scan, headline_of(scan, state, true));
  if (widest >= 0) {
    finding_report_race(scan, headline_of(scan, state, false));
    for (int e = widest; e < EXTENT_COUNT; e++)
      if (pairs_is_settled(state, (Extent)e) && state->races[e].answer)
        racy_goals_keep(scan, ir_loc(scan->module, one->loc), ir_loc(scan->module, two->loc),
                        &state->races[e].goal, state->races[e].answer);
  }
  if (open >= 0)
    scan_leave_open(scan, one->loc, state->is_spent[open],
                    "could not decide whether this access races with the one at line %u: %s",
                    ir_loc(scan->module, two->loc)->line, state->reasons[open]);
  if (widest < 0 && same < 0 && open < 0) return;
  scan->result->proved--;
  keep_open(scan, state->a);
  keep_open(scan, state->b);
}

static bool have_met(const Pairs *pairs, uint32_t a, uint32_t b) {
  return met_row(pairs, a)[b / 64] >> (b % 64) & 1;
}

// Unordered pairs; one access in two threads counts too.
static void count_pairs(Pairs *pairs) {
  uint32_t count = pairs->scan->accesses.count;
  uint64_t bits = 0;
  for (uint32_t a = 0; a < count; a++) {
    bits += have_met(pairs, a, a);
    for (uint32_t w = 0; w < met_words(pairs->scan); w++)
      bits += (uint64_t)__builtin_popcountll(met_row(pairs, a)[w]);
  }
  pairs->scan->result->pairs = pairs->scan->result->proved = (uint32_t)(bits / 2);
}

static void dump_pairs(Pairs *pairs) {
  uint32_t count = pairs->scan->accesses.count;
  for (uint32_t a = 0; pairs->scan->request->options.dump_pairs && a < count; a++)
    for (uint32_t b = a; b < count; b++)
      if (have_met(pairs, a, b)) dump_pair(pairs->scan, pairs_state_of(pairs, a, b));
}

enum { PART_FOR_RACES = 2, PART_BEHIND_OPEN = 8 };

void pairs_cut_behind_race(Scan *scan) {
  solver_cut_pool(scan->request->solver, PART_FOR_RACES << scan->request->options.rest_halvings);
}

void pairs_cut_behind_open(Scan *scan) {
  solver_cut_pool(scan->request->solver, scan->start.without_mend ? SOLVER_NOTHING : PART_BEHIND_OPEN);
}

// What races or stays open needs no proof that it is none.
static bool has_end(const Pairs *pairs) {
  if (pairs->scan->result->undecided.count) return true;
  for (uint32_t i = 0; i < pairs->states.count; i++) {
    const PairState *state = &pairs->states.items[i];
    for (int e = 0; e < EXTENT_COUNT; e++)
      if (state->states[e] == EXTENT_UNDECIDED || pairs_is_settled(state, (Extent)e)) return true;
  }
  return false;
}

void pairs_check(Scan *scan) {
  ASSERT(scan->reaches && points_know_divergent(scan)); // after divergence_find
  const KernelText *text = scan_text(scan);
  Pairs pairs = {.scan = scan};
  pairs.met = arena_array(scan->arena, (uint64_t)scan->accesses.count * met_words(scan) + 1, uint64_t);
  pairs.address_reported = arena_array(scan->arena, scan->accesses.count + 1, bool);
  pairs.liveness = arena_array(scan->arena, scan->accesses.count + 1, Liveness);
  for (uint32_t p = 0; p < scan->points.count; p++)
    pairs.has_warp_points |= scan->points.items[p].scope == IR_SCOPE_WARP;
  uint32_t of_block = 0;
  for (uint32_t i = 0; i < text->covers.count; i++)
    of_block |= (uint32_t)text->covers.items[i].is_of_block << i;
  pairs.has_warp_points |= of_block != 0;
  if (scan->result->undecided.count) pairs_cut_behind_open(scan);
  check_couple(&pairs, couple_of(EXTENT_INTER_BLOCK));
  if (clusters_kind(scan) == CLUSTERS_KNOWN) check_couple(&pairs, couple_of(EXTENT_CLUSTER));
  for (uint32_t covering = 0; covering < 1u << text->covers.count; covering++) {
    if (!scan_covers_block(scan, covering)) continue; // those of a warp hold nobody together here
    check_group(&pairs, (Couple){.extent = EXTENT_INTRA_BLOCK, .covering = covering});
  }
  bool is_separate = pairs.has_warp_points || scan->request->options.arch < 70;
  // Which partial barriers hold the two lanes splits the question: in each part, those that do count.
  for (uint32_t covering = 0; is_separate && covering < 1u << text->covers.count; covering++)
    check_group(&pairs, (Couple){.extent = EXTENT_INTRA_WARP, .covering = covering});
  later_ask(&pairs);
  if (!has_end(&pairs)) pairs_settle_liveness(&pairs);
  count_pairs(&pairs);
  dump_pairs(&pairs);
  for (uint32_t i = 0; i < pairs.states.count; i++)
    conclude_pair(&pairs, &pairs.states.items[i]);
  ordered_conclude(&pairs);
}
