// Can two threads make their accesses before either has acquired anything of others? One access is made known
// to the other thread only by strong reads that it, or a thread of its block, made before. Method: for each
// strong read that control leads from to the access, the condition that it was made: what the path to it says
// of the block and the launch, and that the loop was gone round if no path within one round leads from the
// read to the access. Reads of words that only the block itself stores acquire nothing. A model of the question
// in which none was made, on either side, is a race. Where what was read strongly may have been handed on
// through memory, reads of memory that is written count as well. Soundness: conditions of reads are
// over-approximated (parts that are not understood are left out), so what is said to be without an acquire is; whether
// values exclude each other is for the caller to rule out.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/barrier.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

// Where control enters the outermost loop around the read that is not around the access: its rounds are over
// when the access is made, so that what holds in them cannot be asked of the access's frame.
static uint32_t entry_to(const Scan *scan, uint32_t read, uint32_t access) {
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[read].block, of_access = scan->fn->insts.items[access].block;
  uint32_t entry = block;
  for (uint32_t l = cfg->loop_of[block]; l != CFG_NONE && !cfg_loop_contains(cfg, l, of_access);
       l = cfg->loops.items[l].parent)
    entry = cfg->loops.items[l].header;
  return entry;
}

static ExprRef was_made(const Instance *instance, uint32_t read) {
  Scan *scan = instance->frame->scan;
  ExprPool *pool = scan->pool;
  uint32_t block = entry_to(scan, read, instance->access->inst);
  ExprRef made = order_fixed_parts(pool, meeting_block_condition(instance->frame, block), false);
  uint32_t loop = order_loop_of_both(scan, read, instance->access->inst, true);
  if (loop == CFG_NONE || graph_reaches_in_round(scan, loop, read, instance->access->inst)) return made;
  ExprRef one = expr_const(pool, 32, 1);
  return expr_and(pool, made, expr_binary(pool, EXPR_SLE, 0, one, frame_iteration(instance->frame, loop)));
}

// May somebody of another block have stored what is read there?
static bool may_acquire_of_others(Order *order, const OrderQuestion *question, const Instance *instance,
                                  const Access *read) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  Frame *writer = order->anyone;
  Target p, q, any;
  // In other rounds of a loop it may be another word.
  if (!order_one_target(order->anyone, read->address, &any) || order_lasts(scan, &any) == LASTS_NOT)
    return true;
  for (WordRow row = {.word = order_word(order, &any, read->bytes)}; order_next_row(&row);) {
    const Access *write = row.access;
    if (!order_write_is(row.write, WRITE_IS_STRONG)) continue;
    // Where the address is not one for the block, its other threads read other words.
    if (!order_one_target(instance->frame, read->address, &p) ||
        !order_one_target(writer, write->address, &q) || order_lasts(scan, &p) != LASTS_IN_BLOCK)
      return true;
    if (p.object != q.object || scan->objects.items[p.object].kind == OBJ_SHARED) continue;
    if (write->bytes != read->bytes) return true;
    ExprRef other = expr_not(pool, order_same_block(scan, instance->frame->view, writer->view));
    Obligation own = {.known = question->goal,
                      .breach = expr_and(pool, order_one_word(instance->frame, &p, writer, &q), other),
                      .context = order_comes_to(writer, write->inst),
                      .one = writer};
    if (!order_is_met(scan, &own, "does it tell of another block")) return true;
  }
  return false;
}

enum { READ_LIMIT = 8 };

static ExprRef has_acquired(Order *order, const OrderQuestion *question, int thread, bool with_memory) {
  Scan *scan = order->scan;
  const Instance *instance = question->instances[thread];
  ExprRef acquired = expr_bool(scan->pool, false);
  uint32_t asked = 0;
  for (uint32_t i = 0; i < scan->fn->insts.count && with_memory; i++)
    if (order_reads_memory(order, i) && graph_reaches(scan, i, instance->access->inst))
      acquired = expr_or(scan->pool, acquired, was_made(instance, i));
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *read = &scan->accesses.items[a];
    bool acquires = order_may_acquire(scan, read) && operation_is_used(scan, read->inst);
    // An operation that does not reach the other thread acquires nothing of it as it is made.
    bool is_own =
        read == instance->access && operation_scope(scan, read) >= operation_scope_needed(question->extent);
    if (!acquires || (!is_own && !graph_reaches(scan, read->inst, instance->access->inst))) continue;
    ExprRef made = was_made(instance, read->inst);
    if (expr_is_false(scan->pool, made)) continue;
    if (asked++ >= READ_LIMIT || may_acquire_of_others(order, question, instance, read))
      acquired = expr_or(scan->pool, acquired, made);
  }
  return acquired;
}

const SolverAnswer *order_no_acquire(Order *order, const OrderQuestion *question, bool with_memory) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  Scan *scan = order->scan;
  if (scan->has_opaque || arrivals_all(scan)->count || named_all(scan)->count) return NULL;
  ExprRef none = expr_and(scan->pool, expr_not(scan->pool, has_acquired(order, question, 0, with_memory)),
                          expr_not(scan->pool, has_acquired(order, question, 1, with_memory)));
  return expr_is_false(scan->pool, none) ? NULL : order_model(scan, question, none, "nobody has heard");
}
