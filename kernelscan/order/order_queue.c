// Do two threads exclude each other because each waited for its number? A thread draws a number from one
// counter, waits until another counter shows it, and counts that one up when it is done (ticket lock;
// Mellor-Crummey and Scott, TOCS 1991). Method: the wait is an edge on which a strong read equals the result
// of an addition of one; what lies behind it, with no write of the second counter in between, is held.
// Soundness: numbers differ because the first counter is only ever counted up by one; the second one is only
// counted up by who holds it, so it shows the number of one holder at a time. Both counters have to be the
// same words for all threads.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/kernel.h"

typedef struct Queue {
  Order *order;
  const Access *draw, *look; // draws the number; reads whose turn it is
  Target drawn, served;
  uint32_t from, to; // the edge behind the wait
} Queue;

static bool adds_one(const Scan *scan, const Access *access) {
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  int64_t amount = 0;
  return inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_ADD && access->is_natural &&
         ir_const_value(scan->fn, inst->ops[1], &amount) && amount == 1;
}

typedef struct OfGrid {
  const ExprPool *pool;
  bool holds;
} OfGrid;

static void visit(void *context, uint32_t sym) {
  OfGrid *search = context;
  unsigned kind = expr_sym_info(search->pool, sym)->kind;
  search->holds &= kind == SYM_HOST_VALUE || kind == SYM_GRID_DIM || kind == SYM_BLOCK_DIM;
}

// One word for all threads, or for all of a block.
static bool is_one_word(const Order *order, const Access *access, Target *target) {
  SymValue address = frame_value(order->anyone, access->address);
  if (address.kind != SYM_POINTER || address.target_count != 1 || address.targets[0].condition ||
      address.targets[0].key)
    return false;
  *target = address.targets[0];
  OfGrid search = {order->scan->pool, true};
  expr_each_sym(order->scan->pool, target->offset, visit, &search);
  return search.holds;
}

static bool find_queue(Order *order, uint32_t from, uint32_t to, Queue *queue) {
  const Scan *scan = order->scan;
  EdgeTest test;
  if (!order_edge_test(scan, from, to, &test) || test.pred != IR_EQ || !test.other) return false;
  const IrInst *one = ir_inst(scan->fn, test.value), *two = ir_inst(scan->fn, test.other);
  if (!one || !two) return false;
  const Access *sides[2] = {order_access_of(scan, ir_ref_index(test.value)),
                            order_access_of(scan, ir_ref_index(test.other))};
  for (int look = 0; look < 2; look++) {
    *queue = (Queue){.order = order, .look = sides[look], .draw = sides[1 - look], .from = from, .to = to};
    if (queue->look && queue->draw && adds_one(scan, queue->draw) && order_is_strong(scan, queue->look) &&
        order_is_only_read(scan, queue->look) && is_one_word(order, queue->look, &queue->served) &&
        is_one_word(order, queue->draw, &queue->drawn))
      return true;
  }
  return false;
}

static const SyncWord *word_of_turns(const Queue *queue) {
  return order_word(queue->order, &queue->served, queue->look->bytes);
}

// Every way to the instruction passes the wait, and nothing passes the turn on behind it.
static bool is_held_at(const Queue *queue, uint32_t inst) {
  const Scan *scan = queue->order->scan;
  const Cfg *cfg = scan->cfg;
  Arena *scratch = arena_open();
  uint8_t *seen = arena_array(scratch, cfg->block_count + 1, uint8_t);
  uint32_t *stack = arena_array(scratch, 2 * cfg->block_count + 2, uint32_t), depth = 0;
  const SyncWord *turns = word_of_turns(queue);
  bool is_open = false;
  seen[0] = 1;
  stack[depth++] = 0;
  for (uint32_t b = 0; b < cfg->block_count; b++) { // behind a write the turn is another's
    const IrBlock *block = &scan->fn->blocks.items[b];
    bool is_passed_on = false;
    for (uint32_t i = block->first; i < block->first + block->count && cfg->rpo_number[b] != CFG_NONE; i++) {
      is_open |= is_passed_on && i == inst;
      is_passed_on |= order_write_at(turns, i) != NULL;
    }
    for (uint32_t s = cfg->succ_first[b]; s < cfg->succ_first[b + 1] && is_passed_on; s++) {
      if (seen[cfg->succs[s]]) continue;
      seen[cfg->succs[s]] = 1;
      stack[depth++] = cfg->succs[s];
    }
  }
  while (depth) {
    uint32_t block = stack[--depth];
    is_open |= scan->fn->insts.items[inst].block == block;
    for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
      uint32_t to = cfg->succs[s];
      if (seen[to] || (block == queue->from && to == queue->to)) continue;
      seen[to] = 1;
      stack[depth++] = to;
    }
  }
  arena_close(scratch);
  return !is_open;
}

// The first counter only counts draws, the second one only turns.
static bool is_disciplined(const Queue *queue) {
  if (queue->order->scan->has_opaque) return false;
  const SyncWord *numbers = order_word(queue->order, &queue->drawn, queue->draw->bytes),
                 *turns = word_of_turns(queue);
  for (uint32_t w = 0; w < numbers->count; w++)
    if (numbers->writes[w].access != queue->draw) return false;
  for (uint32_t w = 0; w < turns->count; w++)
    if (!order_adds_one(&turns->writes[w]) || !is_held_at(queue, turns->writes[w].access->inst)) return false;
  return true;
}

static OrderAnswer lacking(const Scan *scan, const char *cause, const char *where, uint32_t inst) {
  return (OrderAnswer){.verdict = ORDER_UNPROTECTED,
                       .cause = cause,
                       .text =
                           arena_printf(scan->arena, "the threads take turns, but no fence stands %s line %u",
                                        where, order_line(scan, inst))};
}

static OrderAnswer judge(const Queue *queue, const OrderQuestion *question) {
  const Scan *scan = queue->order->scan;
  IrScope needed = order_scope_needed(question->extent);
  OrderProof proof = {.rule = ORDER_RULE_TICKET_LOCK, .acquire = queue->look->inst + 1};
  OrderAnswer narrow = {.verdict = ORDER_UNPROTECTED,
                        .cause = "insufficient-scope-lock",
                        .text = "the threads take turns by operations of block scope"};
  if (order_scope_of(scan, queue->draw) < needed || order_scope_of(scan, queue->look) < needed) return narrow;
  for (int t = 0; t < 2; t++) {
    uint32_t inst = question->instances[t]->access->inst;
    if (!order_acquires_always(scan, queue->look->inst) &&
        order_lacks_fence(scan, queue->look->inst, inst, needed, SIDE_ACQUIRE))
      return lacking(scan, "missing-acquire-fence", "behind the wait at", queue->look->inst);
    const SyncWord *turns = word_of_turns(queue);
    for (uint32_t w = 0; w < turns->count; w++) {
      uint32_t write = turns->writes[w].access->inst;
      if (!order_reaches(scan, inst, write)) continue;
      if (turns->writes[w].scope < needed) return narrow;
      if (order_lacks_release(scan, inst, write, needed, false))
        return lacking(scan, "missing-fence", "before the turn is passed on at", write);
      proof.release = write + 1;
    }
  }
  return (OrderAnswer){.verdict = ORDER_PROTECTED, .proof = proof};
}

OrderAnswer order_by_queues(Order *order, const OrderQuestion *question) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  bool between_blocks = extent_is_between_blocks(question->extent);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    for (uint32_t s = cfg->succ_first[b]; s < cfg->succ_first[b + 1]; s++) {
      Queue queue;
      if (cfg->rpo_number[b] == CFG_NONE || !find_queue(order, b, cfg->succs[s], &queue)) continue;
      bool is_per_block = scan->objects.items[queue.drawn.object].kind == OBJ_SHARED ||
                          scan->objects.items[queue.served.object].kind == OBJ_SHARED;
      if ((between_blocks && is_per_block) || !is_disciplined(&queue) ||
          !is_held_at(&queue, question->instances[0]->access->inst) ||
          !is_held_at(&queue, question->instances[1]->access->inst))
        continue;
      return judge(&queue, question);
    }
  return (OrderAnswer){0};
}
