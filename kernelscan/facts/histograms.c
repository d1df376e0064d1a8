// How many of each kind are there, and how many of the kinds before? A block counts its keys by digit,
// `rank = atomicAdd(&count[d], 1)`, then sums the counts up, `start[i] = sum; sum += count[i];`, and puts
// each key to `start[d] + rank`: the places of two digits do not meet. Method: with P(x) the sum of the final
// counts of the elements before x, a count that is read when nobody adds any more is P(d + 1) - P(d); a
// number drawn from that element lies below it; and a variable that starts at 0 and in round i of a loop adds
// element i holds P(i) at the head of that round. P does not shrink (prefix.c tells the solver), and is never
// larger than what all draws of the block add (a ticket for each, draw_bounds.c). Keys may be put to their places by a
// second array of counters, whose element i starts at P(i), `put = atomicAdd(&start[d], 1)`: whoever draws there has
// counted in the same element, so `put` lies between P(d) and P(d + 1). Soundness: all writes of the
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

// Counters that start at the sums of counts.
typedef struct Starts {
  uint32_t object;
  const Counting *counting;               // NULL: nothing is known
  uint32_t setting;                       // the access that puts the sums there
  uint32_t sites[SITE_LIMIT], site_count; // accesses
} Starts;

// What is kept of a scan, of fresh threads.
typedef struct Kept {
  VEC(Counting *) countings; // by object
  VEC(Starts *) starts;      // by object
} Kept;

// ---- the array of counts

// Each thread adds once.
static bool adds_once(const Scan *scan, const IrInst *inst, int64_t *value) {
  return inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_ADD && inst->scope >= IR_SCOPE_BLOCK &&
         ir_const_value(scan->fn, inst->ops[1], value) && *value >= 0 && *value <= MOST_AMOUNT &&
         scan->cfg->loop_of[inst->block] == CFG_NONE;
}

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
  if (!adds_once(scan, inst, &value) || counting->site_count == SITE_LIMIT) return false;
  if (value > counting->most) counting->most = value;
  counting->sites[counting->site_count++] = index;
  return true;
}

// No element is set once anybody may have added to any.
static bool is_set_before(Scan *scan, uint32_t setting, const uint32_t *sites, uint32_t count) {
  uint32_t sets = scan->accesses.items[setting].node;
  for (uint32_t s = 0; s < count; s++) {
    uint32_t site = scan->accesses.items[sites[s]].node;
    if (node_later(scan, site)[sets] || node_share_stretch(scan, EXTENT_INTRA_BLOCK, site, sets))
      return false;
  }
  return true;
}

static bool are_set_first(Scan *scan, const Counting *counting) {
  for (uint32_t w = 0; w < counting->setting_count; w++)
    if (!is_set_before(scan, counting->settings[w], counting->sites, counting->site_count)) return false;
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
  if (invariants_say(scan, condition)) return;
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

// Do the threads of the block sum them up together (prefix.c)?
static bool are_summed_by_all(Scan *scan, uint32_t object) {
  const FactLists *lists = fact_lists(scan);
  for (uint32_t i = 0; i < lists->sums.count; i++) {
    const PrefixSum *sum = lists->sums.items[i],
                    *counts = sum->object ? histograms_of(scan, object)->sum : NULL;
    if (counts && counts->func == sum->func) return true;
  }
  return false;
}

// Does any one thread?
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
  if (!draw->is_own || draw->bytes != 4 || scan->objects.items[draw->counter].kind != OBJ_SHARED) return 0;
  if (!are_summed_up(scan, draw->counter) && !are_summed_by_all(scan, draw->counter)) return 0;
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

// ---- what is drawn from counters that start at the sums

static bool add_start(const Scan *scan, uint32_t index, Starts *starts) {
  const Access *access = &scan->accesses.items[index];
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  int64_t value = 0;
  if (access->bytes != 4 || !access->is_natural || access->is_async || access->is_loose) return false;
  if (inst->op == IR_STORE) {
    bool is_first = starts->setting == CFG_NONE;
    starts->setting = index;
    return is_first;
  }
  if (!adds_once(scan, inst, &value) || starts->site_count == SITE_LIMIT) return false;
  starts->sites[starts->site_count++] = index;
  return true;
}

static ExprRef element_of(Frame *frame, uint32_t access, uint32_t object) {
  const Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[scan->accesses.items[access].inst];
  SymValue address = frame_value(frame, inst->ops[0]);
  bool is_plain = address.kind == SYM_POINTER && address.target_count == 1 && !address.targets[0].condition &&
                  !address.targets[0].key && address.targets[0].object == object;
  return is_plain ? element_at(scan->pool, address.targets[0].offset) : 0;
}

static bool never_both(Frame *frame, ExprRef one, ExprRef two, const char *name) {
  Scan *scan = frame->scan;
  Goal goal = {0};
  goal_add(scan, &goal, one, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, two, GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, frame->view);
  goal_add_launch(scan, &goal);
  return goal.is_false || goal_satisfiable(scan, &goal, name).verdict == VERDICT_SAFE;
}

// The store puts the sum of the counts before it into each element.
static bool starts_at_sums(Frame *any, const Starts *starts, const Counting *counting) {
  Scan *scan = any->scan;
  const IrInst *store = &scan->fn->insts.items[scan->accesses.items[starts->setting].inst];
  ExprRef element = element_of(any, starts->setting, starts->object),
          value = frame_word(any, store->ops[1], 32);
  if (!element || !value) return false;
  ExprRef differs = expr_ne(scan->pool, value, counts_below(any, counting, element));
  return never_both(any, expr_bool(scan->pool, true), differs, "a counter starts at another sum");
}

// Who adds at the one site has added as much to the same element at the other.
static bool has_counted(Frame *any, const Starts *starts, uint32_t site, const Counting *counting,
                        uint32_t counted) {
  Scan *scan = any->scan;
  const IrInst *draws = &scan->fn->insts.items[scan->accesses.items[site].inst],
               *counts = &scan->fn->insts.items[scan->accesses.items[counted].inst];
  int64_t drawn = 0, added = 0;
  if (!adds_once(scan, draws, &drawn) || !adds_once(scan, counts, &added) || drawn > added) return false;
  ExprRef one = element_of(any, site, starts->object), two = element_of(any, counted, counting->object);
  ExprRef comes = frame_exact_condition(any, 0, draws->block),
          came = frame_exact_condition(any, 0, counts->block);
  if (!one || !two || !comes || !came) return false;
  ExprRef differs = expr_or(scan->pool, expr_not(scan->pool, came), expr_ne(scan->pool, one, two));
  return never_both(any, comes, differs, "a thread draws where it has not counted");
}

// Each site has one of the counting ones, and no two have the same.
static bool have_counted(Frame *any, const Starts *starts, const Counting *counting) {
  bool is_taken[SITE_LIMIT] = {false};
  for (uint32_t s = 0; s < starts->site_count; s++) {
    bool is_found = false;
    for (uint32_t c = 0; c < counting->site_count && !is_found; c++) {
      is_found = !is_taken[c] && has_counted(any, starts, starts->sites[s], counting, counting->sites[c]);
      is_taken[c] |= is_found;
    }
    if (!is_found) return false;
  }
  return true;
}

static void find_starts(Scan *scan, Starts *starts) {
  starts->setting = CFG_NONE;
  if (scan->has_opaque || scan->objects.items[starts->object].kind != OBJ_SHARED) return;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->accesses.items[a].kind != ACCESS_READ && access_may_touch(scan, a, starts->object) &&
        !add_start(scan, a, starts))
      return;
  if (starts->setting == CFG_NONE || !starts->site_count ||
      !is_set_before(scan, starts->setting, starts->sites, starts->site_count))
    return;
  Frame *any = frame_make(scan, view_fresh(scan, NULL), NULL, NULL);
  for (uint32_t o = 0; o < scan->objects.count && !starts->counting; o++) {
    const Counting *counting = o != starts->object ? histograms_of(scan, o) : NULL;
    if (counting && counting->sum && starts_at_sums(any, starts, counting) &&
        have_counted(any, starts, counting))
      starts->counting = counting;
  }
}

static const Starts *starts_of(Scan *scan, uint32_t object) {
  Kept *kept = SCAN_STATE_OF(scan, histograms, Kept);
  for (uint32_t i = 0; i < kept->starts.count; i++)
    if (kept->starts.items[i]->object == object) return kept->starts.items[i];
  Starts *starts = arena_new(scan->arena, Starts);
  starts->object = object;
  vec_push(scan->arena, &kept->starts, starts); // says nothing while it is asked
  find_starts(scan, starts);
  return starts;
}

ExprRef histograms_between_sums(Scan *scan, const DrawRange *draw) {
  ASSERT(scan_has_expr(scan, draw->leaf));
  ExprPool *pool = scan->pool;
  if (!draw->is_own || draw->bytes != 4 || scan->objects.items[draw->counter].kind != OBJ_SHARED) return 0;
  const Counting *counting = starts_of(scan, draw->counter)->counting;
  ExprRef element = counting ? element_at(pool, draw->offset) : 0;
  if (!element) return 0;
  ExprRef next = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, element, expr_const(pool, 64, 1));
  ExprRef start = counts_below(draw->frame, counting, element),
          end = counts_below(draw->frame, counting, next);
  ExprRef last = expr_binary(pool, EXPR_ADD, EXPR_NSW, draw->leaf, draw->amount);
  return expr_and(pool, expr_binary(pool, EXPR_SLE, 0, start, draw->leaf),
                  expr_and(pool, expr_binary(pool, EXPR_SLE, 0, last, end), is_within(scan, counting, end)));
}

// ---- sums of counts elsewhere

const PrefixSum *histograms_count_of(Frame *frame, IrRef value, ExprRef *element) {
  const IrInst *load = ir_inst(frame->scan->fn, value);
  const Counting *counting = load ? read_count(frame, ir_ref_index(value), element) : NULL;
  return counting ? counting->sum : NULL;
}

const ValueFacts histograms_facts = {.note = histograms_note, .is_of_third = true, .value = histograms_sum};
