// How many of each kind are there, and how many of the kinds before? A block counts its keys by digit,
// `rank = atomicAdd(&count[d], 1)`, then sums the counts up, `start[i] = sum; sum += count[i];`, and puts
// each key to `start[d] + rank`: the places of two digits do not meet. Method: with P(x) the sum of the final
// counts of the elements before x, a count that is read when nobody adds any more is P(d + 1) - P(d); a
// number drawn from that element lies below it; and a variable that starts at 0 and in round i of a loop adds
// element i holds P(i) at the head of that round. P does not shrink (prefix.c tells the solver), and is never
// larger than what all draws of the block add (a ticket for each, draw_bounds.c). Soundness: all writes of the
// array set elements to zero, before any addition, or add a constant that is not negative; readings count
// only behind all additions; counts do not wrap (A1), and are read where they were set (A12).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/counter_words.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"

enum { SITE_LIMIT = 8, SETTING_LIMIT = 8, MOST_AMOUNT = 1024, MOST_THREADS = 1024 };

typedef struct Counting {
  uint32_t object;
  const PrefixSum *sum;                                                           // NULL: nothing is known
  uint32_t sites[SITE_LIMIT], site_count, settings[SETTING_LIMIT], setting_count; // accesses
  int64_t most;                                                                   // of one addition
} Counting;

// What is kept of a scan, of fresh threads.
typedef struct Kept {
  VEC(Counting *) countings; // by object
} Kept;

// ---- the array of counts

static bool add_write(Frame *any, uint32_t index, Counting *counting) {
  const Scan *scan = any->scan;
  const Access *access = &scan->accesses.items[index];
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  int64_t value = 0;
  if (access->bytes != 4 || !access->is_natural || access->is_async || access->is_loose) return false;
  if (inst->op == IR_STORE) {
    if (counting->setting_count == SETTING_LIMIT || !ir_const_value(scan->fn, inst->ops[1], &value) || value)
      return false;
    counting->settings[counting->setting_count++] = index;
    return true;
  }
  if (inst->op != IR_ATOMICRMW || inst->rmw != IR_RMW_ADD || counting->site_count == SITE_LIMIT ||
      inst->scope < IR_SCOPE_BLOCK || !ir_const_value(scan->fn, inst->ops[1], &value) || value < 0 ||
      value > MOST_AMOUNT)
    return false;
  // Each thread adds once.
  if (scan->cfg->loop_of[inst->block] != CFG_NONE) return false;
  if (value > counting->most) counting->most = value;
  counting->sites[counting->site_count++] = index;
  return true;
}

// Every element is set before anybody adds to any.
static bool are_set_first(Scan *scan, const Counting *counting) {
  for (uint32_t s = 0; s < counting->site_count; s++) {
    uint32_t site = scan->accesses.items[counting->sites[s]].node;
    const uint8_t *later = node_later(scan, site);
    for (uint32_t w = 0; w < counting->setting_count; w++) {
      uint32_t setting = scan->accesses.items[counting->settings[w]].node;
      if (later[setting] || node_share_stretch(scan, EXTENT_INTRA_BLOCK, site, setting)) return false;
    }
  }
  return counting->setting_count > 0 && counting->site_count > 0;
}

static bool find(Scan *scan, Counting *counting) {
  if (scan->has_opaque || scan->objects.items[counting->object].kind != OBJ_SHARED) return false;
  Frame *any = frame_make(scan, view_fresh(scan, NULL), NULL, NULL);
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->accesses.items[a].kind != ACCESS_READ && access_may_touch(scan, a, counting->object) &&
        !add_write(any, a, counting))
      return false;
  if (!are_set_first(scan, counting)) return false;
  int64_t all = counting->most * counting->site_count * MOST_THREADS;
  PrefixSum *sum = arena_new(scan->arena, PrefixSum);
  sum->most = all;
  sum->func =
      expr_new_func(scan->pool, (ExprFunc){.name = arena_printf(scan->arena, "sum of counts in %s",
                                                                scan->objects.items[counting->object].name),
                                           .width = 32,
                                           .kind = SYM_UNKNOWN,
                                           .hi = all});
  vec_push(scan->arena, &fact_lists(scan)->sums, sum);
  counting->sum = sum;
  scan->result->assumptions |= ASSUME_NO_OVERFLOW | ASSUME_FILLED;
  return true;
}

static const Counting *histograms_of(Scan *scan, uint32_t object) {
  BUG_UNLESS(object < scan->objects.count);
  Kept *kept = SCAN_STATE_OF(scan, histograms, Kept);
  for (uint32_t i = 0; i < kept->countings.count; i++)
    if (kept->countings.items[i]->object == object) return kept->countings.items[i];
  Counting *counting = arena_new(scan->arena, Counting);
  counting->object = object;
  vec_push(scan->arena, &kept->countings, counting); // says nothing while it is asked
  find(scan, counting);
  return counting;
}

// ---- what is read

static ExprRef counts_below(const Frame *frame, const Counting *counting, ExprRef element) {
  const View *view = frame->view;
  ExprRef args[4] = {element, view->block_idx[0], view->block_idx[1], view->block_idx[2]};
  return expr_app(frame->scan->pool, counting->sum->func, 4, args);
}

static ExprRef count_at(const Frame *frame, const Counting *counting, ExprRef element) {
  ExprPool *pool = frame->scan->pool;
  ExprRef next = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, element, expr_const(pool, 64, 1));
  return expr_binary(pool, EXPR_SUB, EXPR_NSW, counts_below(frame, counting, next),
                     counts_below(frame, counting, element));
}

// The element at this offset; 0: not understood.
static ExprRef element_at(ExprPool *pool, ExprRef offset) {
  const ExprNode *node = expr_node(pool, offset);
  int64_t bytes = 0;
  if (expr_is_const(pool, offset, &bytes)) return bytes % 4 == 0 ? expr_const(pool, 64, bytes / 4) : 0;
  return node->op == EXPR_MUL && expr_is_const(pool, node->b, &bytes) && bytes == 4 ? node->a : 0;
}

// Nobody adds between the barriers of the reading, nor behind them, be it that who reads is gone by then.
static bool is_behind_all(Scan *scan, const Counting *counting, uint32_t load) {
  uint32_t node = node_of_inst(scan, load);
  for (uint32_t p = 0; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point_orders(point, couple_of(EXTENT_INTRA_BLOCK)) ||
        !node_stretch(scan, point->node, couple_of(EXTENT_INTRA_BLOCK))[node])
      continue;
    const uint8_t *later = node_reached_from(scan, point->node, false);
    for (uint32_t s = 0; s < counting->site_count; s++)
      if (later[scan->accesses.items[counting->sites[s]].node]) return false;
  }
  return true;
}

// The load reads a count that is final: which, and of which element.
static const Counting *read_count(Frame *frame, uint32_t index, ExprRef *element) {
  Scan *scan = frame->scan;
  const IrInst *load = &scan->fn->insts.items[index];
  if (load->op != IR_LOAD || load->order != IR_ORDER_PLAIN || load->type.kind != IR_INT ||
      load->type.bits != 32)
    return NULL;
  SymValue address = frame_value(frame, load->ops[0]);
  if (address.kind != SYM_POINTER || address.target_count != 1 || address.targets[0].condition ||
      address.targets[0].key || scan->objects.items[address.targets[0].object].kind != OBJ_SHARED)
    return NULL;
  const Counting *counting = histograms_of(scan, address.targets[0].object);
  *element = counting->sum ? element_at(scan->pool, address.targets[0].offset) : 0;
  return *element && is_behind_all(scan, counting, index) ? counting : NULL;
}

// A variable that is 0 before the first round of its loop and adds element i in round i: the counts before i.
static ExprRef sum_at_head(Frame *frame, uint32_t index, const Counting **found) {
  Scan *scan = frame->scan;
  const IrInst *phi = &scan->fn->insts.items[index];
  uint32_t loop = scan->cfg->loop_of[phi->block];
  int64_t start = 0;
  if (phi->op != IR_PHI || phi->op_count != 2 || phi->type.kind != IR_INT || phi->type.bits != 32 ||
      loop == CFG_NONE || scan->cfg->loops.items[loop].header != phi->block)
    return 0;
  for (int side = 0; side < 2; side++) {
    const IrInst *update = ir_inst(scan->fn, phi->ops[side]);
    if (!update || update->op != IR_ADD || !ir_const_value(scan->fn, phi->ops[1 - side], &start) || start)
      continue;
    bool is_first = update->ops[0] == IR_REF(IR_REF_INST, index);
    IrRef added = update->ops[is_first ? 1 : 0];
    if (!is_first && update->ops[1] != IR_REF(IR_REF_INST, index)) continue;
    const IrInst *load = ir_inst(scan->fn, added);
    ExprRef element = 0, round = expr_resize_signed(scan->pool, frame_iteration(frame, loop), 64);
    if (!load || scan->cfg->loop_of[load->block] != loop) continue;
    const Counting *counting = read_count(frame, ir_ref_index(added), &element);
    if (!counting || element != round) continue;
    *found = counting;
    return counts_below(frame, counting, round);
  }
  return 0;
}

// No sum is larger than what all threads add.
static ExprRef is_within(Scan *scan, const Counting *counting, ExprRef sum) {
  ExprPool *pool = scan->pool;
  ExprRef all = expr_binary(pool, EXPR_MUL, EXPR_NSW, third_block_threads(scan),
                            expr_const(pool, 64, counting->most * counting->site_count));
  return expr_binary(pool, EXPR_SLE, 0, expr_resize_signed(pool, sum, 64), all);
}

static void add_invariant(Scan *scan, ExprRef leaf, ExprRef condition) {
  for (uint32_t i = 0; i < scan->invariants.count; i++)
    if (scan->invariants.items[i].condition == condition) return;
  vec_push(scan->arena, &scan->invariants, (Invariant){.leaf = leaf, .condition = condition});
}

static SymValue histograms_sum(Frame *frame, uint32_t index) {
  const Counting *counting = NULL;
  bool is_phi = frame->scan->fn->insts.items[index].op == IR_PHI;
  ExprRef sum = is_phi ? sum_at_head(frame, index, &counting) : 0;
  if (!sum) return (SymValue){.kind = SYM_NONE};
  add_invariant(frame->scan, sum, is_within(frame->scan, counting, sum));
  return sym_value_word(sum);
}

static void histograms_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  ExprRef element = 0;
  const Counting *counting = leaf ? read_count(frame, index, &element) : NULL;
  if (counting) add_invariant(scan, leaf, expr_eq(scan->pool, leaf, count_at(frame, counting, element)));
}

// ---- what is drawn

// Does anything sum up the counts?
static bool are_summed_up(const Scan *scan, uint32_t object) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->kind == ACCESS_READ && access_may_touch(scan, a, object) &&
        scan->cfg->loop_of[scan->fn->insts.items[access->inst].block] != CFG_NONE)
      return true;
  }
  return false;
}

ExprRef histograms_below_count(Scan *scan, const DrawRange *draw) {
  ASSERT(scan_has_expr(scan, draw->leaf));
  ExprPool *pool = scan->pool;
  if (!draw->is_own || draw->bytes != 4 || scan->objects.items[draw->counter].kind != OBJ_SHARED ||
      !are_summed_up(scan, draw->counter))
    return 0;
  const Counting *counting = histograms_of(scan, draw->counter);
  ExprRef element = counting->sum ? element_at(pool, draw->offset) : 0;
  if (!element) return 0;
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_NSW, draw->leaf, draw->amount);
  ExprRef next = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, element, expr_const(pool, 64, 1));
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, 0), draw->leaf),
                  expr_and(pool,
                           expr_binary(pool, EXPR_SLE, 0, end, count_at(draw->frame, counting, element)),
                           is_within(scan, counting, counts_below(draw->frame, counting, next))));
}

const ValueFacts histograms_facts = {.note = histograms_note, .is_of_third = true, .value = histograms_sum};
