// Barriers of the grid in generations: each leader reads the generation, adds one to a counter and waits
// until the generation changes; the one that draws the last number sets the counter back, then changes the
// generation. Method: two signals are joined, the edge of the last number and that of the change; who has
// passed either has passed the barrier. Why: let all blocks have drawn once in generation e - 1. None draws
// again before the change that ends it, which is made behind the counter's reset, so numbers of generation e
// begin at 0 (or none of them is the last one, and all wait for ever) and are drawn by different blocks, each
// of which has read the generation behind that change: what it waits for is the next one, made by who drew
// the last number of e, when all have drawn. The same with a sense, or a number, that each leader keeps in
// step with its draws (order_sense.c): before the change the word holds that of e - 1, which is another one.
// Soundness: each of these steps is a condition that is checked.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// It waits until the word holds what the thread remembers itself (order_sense.c).
static bool waits_for_own(const Scan *scan, const Signal *change) {
  unsigned pred = change->test.pred;
  uint32_t loop = scan->cfg->loop_of[change->from];
  return (pred == IR_EQ || pred == IR_SGE || pred == IR_UGE) && loop != CFG_NONE &&
         !cfg_loop_contains(scan->cfg, loop, change->to) &&
         !operation_access(scan, ir_ref_index(change->test.other));
}

// The strong read of the same word, before the draw, that the wait compares with.
static bool waits_for_change(Order *order, const Signal *last, const Signal *change) {
  const Scan *scan = order->scan;
  if (change->is_ticket || change->handed || !change->is_direct || !change->is_fixed ||
      ir_ref_kind(change->test.other) != IR_REF_INST)
    return false;
  if (waits_for_own(scan, change)) return graph_dominates(scan, last->read->inst, change->read->inst);
  if (change->test.pred != IR_NE) return false;
  const Access *before = operation_access(scan, ir_ref_index(change->test.other));
  if (!before || !order_looks(scan, before)) return false;
  Target word;
  uint32_t draw = last->read->inst;
  return order_one_target(order->anyone, before->address, &word) && word.object == change->target.object &&
         word.offset == change->target.offset && before->bytes == change->read->bytes &&
         graph_dominates(scan, before->inst, draw) && graph_dominates(scan, draw, change->read->inst) &&
         scan->cfg->loop_of[inst_at(scan, before->inst)->block] ==
             scan->cfg->loop_of[inst_at(scan, draw)->block];
}

void order_find_generations(Order *order) {
  uint32_t count = order->signal_count;
  for (uint32_t l = 0; l < count; l++)
    for (uint32_t c = 0; c < count && order->signal_count < LOCK_LIMIT; c++) {
      const Signal *last = &order->signals[l], *change = &order->signals[c];
      if (!last->is_ticket || order_amount(order->scan, last->read) != 1 || last->handed || !last->is_fixed ||
          !waits_for_change(order, last, change))
        continue;
      Signal joined = *change;
      joined.read = last->read;
      joined.tested = last->read->inst;
      joined.target = last->target;
      joined.is_ticket = true;
      // What is awaited is another generation than the leader's own: asked further below.
      Lasting lasting = order_lasts(order->scan, &change->target);
      joined.is_fixed = lasting >= LASTS_IN_THREAD;
      joined.is_of_block = lasting == LASTS_IN_BLOCK && last->is_of_block;
      joined.last = l + 1;
      joined.change = c + 1;
      order->signals[order->signal_count++] = joined;
    }
}

// ---- is it a barrier
// One barrier, or several at different places of the kernel that share counter and generation.
typedef struct Generation {
  Order *order;
  const Signal *signal;              // joined
  uint64_t members;                  // joined signals
  uint64_t lasts;                    // their signals of the last number
  uint8_t *draws, *changes, *resets; // by instruction
  GraphWalk from_draw;               // ends where a leader has waited for the change, or made it
} Generation;

static const Signal *change_of(const Order *order, const Signal *joined) {
  return &order->signals[joined->change - 1];
}

// The read of the generation that the change is seen by; NULL: the thread remembers it.
static const Access *read_before(const Generation *generation, const Signal *joined) {
  const Signal *change = change_of(generation->order, joined);
  if (waits_for_own(generation->order->scan, change)) return NULL;
  return operation_access(generation->order->scan, ir_ref_index(change->test.other));
}

static bool says_that_all_have_drawn(Order *order, const Signal *last) {
  return order_says_that_all_have_drawn(&(Passing){order, last, last->read, 0}) == VERDICT_SAFE;
}

static void find_members(Generation *generation) {
  Order *order = generation->order;
  const Signal *signal = generation->signal;
  const Cfg *cfg = order->scan->cfg;
  generation->from_draw.ends =
      arena_array(order->scan->arena, cfg->succ_first[cfg->block_count] + 1, uint8_t);
  for (uint32_t s = 0; s < order->signal_count; s++) {
    const Signal *other = &order->signals[s];
    if (!other->change || !order_is_same_target(&other->target, &signal->target) ||
        !order_is_same_target(&change_of(order, other)->target, &change_of(order, signal)->target) ||
        !says_that_all_have_drawn(order, &order->signals[other->last - 1]))
      continue;
    generation->members |= 1ull << s;
    generation->lasts |= 1ull << (other->last - 1);
    generation->draws[other->read->inst] = 1;
    order_mark_edges(order, change_of(order, other), generation->from_draw.ends);
  }
}

// Does control come from behind one instruction to the other without passing `avoided`?
static bool comes_to(const Generation *generation, uint32_t from, uint32_t to, const uint8_t *avoided) {
  GraphWalk walk = {.from = from, .avoided = avoided, .wanted = order_marks(generation->order->scan, to)};
  return graph_walk(generation->order->scan, &walk);
}

// What who drew the last number has acquired of all others, it releases with the write.
static bool relays(const Generation *generation, uint32_t draw, uint32_t write) {
  const Scan *scan = generation->order->scan;
  if (!graph_reaches(scan, draw, write)) return true;
  return order_relays(scan, draw, write, IR_SCOPE_DEVICE);
}

// Only who drew the last number changes the generation, behind a fence that publishes all that was done
// before.
static bool changes_are_of_last(Generation *generation) {
  Order *order = generation->order;
  const SyncWord *word = order_word_of(order, change_of(order, generation->signal));
  if (!order_all_writes(word, WRITE_IS_STRONG, IR_SCOPE_DEVICE)) return false;
  for (WordRow row = {.word = word}; order_next_row(&row);) {
    uint32_t write = row.access->inst;
    uint64_t lasts = generation->lasts & order_signals_passed_at(order, write);
    bool is_of_last = false;
    for (uint32_t s = 0; s < order->signal_count && !is_of_last; s++)
      is_of_last = (lasts >> s & 1) && relays(generation, order->signals[s].read->inst, write);
    if (!is_of_last) return false;
    generation->changes[write] = true;
  }
  return true;
}

// The counter is set back to 0 before the generation changes, if it is.
static bool resets_come_first(Generation *generation) {
  Order *order = generation->order;
  const Scan *scan = order->scan;
  for (WordRow row = {.word = order_word_of(order, generation->signal)}; order_next_row(&row);) {
    uint32_t write = row.access->inst;
    int64_t value = 0;
    if (generation->draws[write]) continue;
    if (!order_leaves_constant(row.write, &value) || value != 0) return false;
    generation->resets[write] = 1;
    for (uint32_t i = 0; i < scan->fn->insts.count; i++)
      if (generation->changes[i] &&
          (comes_to(generation, i, write, generation->draws) ||
           (graph_reaches(scan, write, i) && order_lacks_release(scan, write, i, IR_SCOPE_DEVICE, false))))
        return false;
  }
  return true;
}

// It is set back whenever the generation changes; if it is not, no further number counts as the last one.
static bool begins_anew(const Generation *generation, const Signal *joined) {
  GraphWalk walk = {.from = joined->read->inst, .avoided = generation->resets, .wanted = generation->changes};
  const Signal *last = &generation->order->signals[joined->last - 1];
  Passing passing = {generation->order, last, last->read, 0};
  return !graph_walk(generation->order->scan, &walk) || order_says_that_none_has_drawn_again(&passing);
}

// What the thread remembers is how often it has drawn, or that modulo 2; so is what it waits for, and what
// the last one stores.
static bool remembers_rounds(Generation *generation, const Signal *joined) {
  Order *order = generation->order;
  const Signal *change = change_of(order, joined);
  if (!waits_for_own(order->scan, change)) return true;
  if (!order_is_grid_word(order, change) ||
      !order_keeps_step(order, generation->draws, change->test.other, change->read->inst))
    return false;
  for (WordRow row = {.word = order_word_of(order, change)}; order_next_row(&row);)
    if (row.write->kind != WRITE_SET ||
        !order_keeps_step(order, generation->draws, row.write->operand, row.access->inst))
      return false;
  return true;
}

// No leader draws again, nor reads the generation that it waits to see changed, before it has waited.
static bool waits_in_between(Generation *generation, const Signal *joined) {
  Order *order = generation->order;
  uint8_t *own = order_marks(generation->order->scan, CFG_NONE),
          *others = order_marks(generation->order->scan, CFG_NONE);
  GraphWalk walk = generation->from_draw;
  walk.from = joined->read->inst;
  walk.avoided = generation->changes;
  walk.wanted = order_marks(generation->order->scan, CFG_NONE);
  for (uint32_t s = 0; s < order->signal_count; s++) {
    if (!(generation->members >> s & 1)) continue;
    const Signal *other = &order->signals[s];
    const Access *read = read_before(generation, other);
    if (read) walk.wanted[read->inst] = 1;
    walk.wanted[other->read->inst] = 1;
    others[other->read->inst] = other->read != joined->read;
  }
  if (graph_walk(order->scan, &walk)) return false;
  const Access *read = read_before(generation, joined);
  if (!read) return true;
  own[joined->read->inst] = 1;
  GraphWalk stale = {.from = read->inst, .avoided = own, .wanted = others};
  return !graph_walk(order->scan, &stale);
}

static bool is_member_whole(Generation *generation, uint32_t s) {
  Order *order = generation->order;
  const Scan *scan = order->scan;
  const Signal *joined = &order->signals[s];
  return order_only_leader(order, joined->read->inst) &&
         operation_scope(scan, joined->read) >= IR_SCOPE_DEVICE &&
         operation_scope(scan, change_of(order, joined)->read) >= IR_SCOPE_DEVICE &&
         begins_anew(generation, joined) && remembers_rounds(generation, joined) &&
         waits_in_between(generation, joined);
}

static bool is_whole(Generation *generation) {
  Order *order = generation->order;
  const Signal *signal = generation->signal;
  generation->draws = order_marks(generation->order->scan, CFG_NONE);
  generation->changes = order_marks(generation->order->scan, CFG_NONE);
  generation->resets = order_marks(generation->order->scan, CFG_NONE);
  find_members(generation);
  if (!(generation->members >> (signal - order->signals) & 1) ||
      !order_is_grid_counter(order, signal, generation->lasts, generation->draws) ||
      !changes_are_of_last(generation) || !resets_come_first(generation))
    return false;
  for (uint32_t s = 0; s < order->signal_count; s++)
    if ((generation->members >> s & 1) && !is_member_whole(generation, s)) return false;
  return true;
}

bool order_is_generation(Order *order, const Signal *signal) {
  ASSERT(scan_has_block(order->scan, signal->from) && scan_has_block(order->scan, signal->to));
  Generation generation = {.order = order, .signal = signal};
  return is_whole(&generation);
}

// Whoever draws again has acquired the change that it waited for.
static bool draws_are_acquired(const Generation *generation) {
  const Order *order = generation->order;
  const Scan *scan = order->scan;
  for (uint32_t s = 0; s < order->signal_count; s++) {
    if (!(generation->members >> s & 1)) continue;
    uint32_t read = change_of(order, &order->signals[s])->read->inst;
    for (uint32_t i = 0; i < scan->fn->insts.count && !order_acquires_always(scan, read); i++)
      if (generation->draws[i] && graph_reaches(scan, read, i) &&
          order_lacks_fence(scan, read, i, IR_SCOPE_DEVICE, SIDE_ACQUIRE))
        return false;
  }
  return true;
}

// A plain store of the last one sets the counter back: the draws of its round come before it, because its own
// comes behind them on the same word; those of the next round are made by who has acquired the change.
OrderAnswer order_by_reset(Order *order, const OrderQuestion *question) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  const Scan *scan = order->scan;
  uint32_t one = question->instances[0]->access->inst, two = question->instances[1]->access->inst;
  if (!extent_is_between_blocks(question->extent) || order_memory_rules(scan)->wants_strong)
    return (OrderAnswer){0};
  for (uint32_t s = 0; s < order->signal_count; s++) {
    Generation generation = {.order = order, .signal = &order->signals[s]};
    if (!generation.signal->change || !is_whole(&generation)) continue;
    bool is_of_counter = (generation.resets[one] || generation.draws[one]) &&
                         (generation.resets[two] || generation.draws[two]);
    if (!is_of_counter || !draws_are_acquired(&generation)) continue;
    return order_proved_by_itself((OrderProof){
        .rule = ORDER_RULE_GENERATION, .acquire = change_of(order, generation.signal)->read->inst + 1});
  }
  return (OrderAnswer){0};
}
