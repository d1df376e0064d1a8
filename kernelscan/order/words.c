// The table of words (words.h). Method: of each write of the kernel, the solver is asked whether two threads
// of the launch exist of which one comes to it and the other one names the word, at a common byte; a question
// is asked once for each word and write. What the write makes of the word is read off its instruction.
// Soundness: over-approximated, as writes whose address is not understood, or whose question is not decided,
// are in the list. Reads that are spelled as writes are not: they leave every word as it is.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/order/order.h"
#include "kernelscan/proofs.h"
#include "kernelscan/operations.h"

// ---- what a write makes of a word
// Half of a word, as a test may read it, comes round soon if what is added is large.
static bool is_followed(int64_t amount, uint32_t bytes) {
  return amount > 0 && amount <= INT32_MAX && (amount == 1 || bytes <= 4);
}

int64_t order_amount(const Scan *scan, const Access *access) {
  ASSERT(scan_has_access(scan, access));
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  int64_t amount = 0;
  if (inst->op != IR_ATOMICRMW || !access->is_natural) return 0;
  if (inst->rmw == IR_RMW_INC) return 1;
  bool rises = inst->rmw == IR_RMW_ADD && ir_const_value(scan->fn, inst->ops[1], &amount) &&
               is_followed(amount, access->bytes);
  return rises ? amount : 0;
}

static WriteKind kind_of_update(IrRmw rmw) {
  switch (rmw) {
  case IR_RMW_XCHG: return WRITE_SET;
  case IR_RMW_ADD:
  case IR_RMW_SUB: return WRITE_ADD;
  case IR_RMW_INC: return WRITE_WRAP;
  case IR_RMW_OR: return WRITE_OR;
  case IR_RMW_AND: return WRITE_AND;
  case IR_RMW_MAX:
  case IR_RMW_MIN:
  case IR_RMW_UMAX:
  case IR_RMW_UMIN: return WRITE_EXTREME;
  case IR_RMW_NONE:
  case IR_RMW_XOR:
  case IR_RMW_DEC:
  case IR_RMW_FADD:
  case IR_RMW_FMAX:
  case IR_RMW_FMIN:
  case IR_RMW_COUNT: break;
  }
  return WRITE_OTHER;
}

static void find_kind(const Scan *scan, WordWrite *write) {
  const IrInst *inst = &scan->fn->insts.items[write->access->inst];
  write->kind = inst->op == IR_STORE       ? WRITE_SET
                : inst->op == IR_CMPXCHG   ? WRITE_SWAP
                : inst->op == IR_ATOMICRMW ? kind_of_update((IrRmw)inst->rmw)
                                           : WRITE_OTHER;
  if (write->kind == WRITE_OTHER) return;
  write->operand = ir_stored_value(inst);
  write->is_constant = ir_const_value(scan->fn, write->operand, &write->constant);
  if (inst->op != IR_ATOMICRMW || inst->rmw != IR_RMW_SUB) return;
  write->operand = 0;
  if (write->is_constant && write->constant != INT64_MIN)
    write->constant = -write->constant;
  else
    *write = (WordWrite){.access = write->access, .kind = WRITE_OTHER};
}

WordWrite order_write(const Order *order, const Access *access) {
  ASSERT(scan_has_access(order->scan, access));
  const Scan *scan = order->scan;
  WordWrite write = {.access = access};
  find_kind(scan, &write);
  write.scope = operation_scope(scan, access);
  bool is_once = scan->cfg->loop_of[scan->fn->insts.items[access->inst].block] == CFG_NONE;
  write.traits = (operation_is_strong(scan, access) ? WRITE_IS_STRONG : 0) | (is_once ? WRITE_IS_ONCE : 0) |
                 (order_only_leader(order, access->inst) ? WRITE_BY_LEADERS : 0);
  return write;
}

bool order_leaves_constant(const WordWrite *write, int64_t *value) {
  ASSERT(value);
  if ((write->kind != WRITE_SET && write->kind != WRITE_SWAP) || !write->is_constant) return false;
  *value = write->constant;
  return true;
}

// What it makes of the word as a whole.
static unsigned traits_of_kind(const WordWrite *write) {
  bool rises = write->kind == WRITE_ADD && write->is_constant &&
               is_followed(write->constant, write->access->bytes),
       clears = write->kind == WRITE_SET && write->is_constant && write->constant == 0;
  return WRITE_FITS | (rises ? WRITE_RISES : 0) | (rises && write->constant == 1 ? WRITE_DRAWS : 0) |
         (rises || clears ? WRITE_COUNTS : 0) | (write->kind == WRITE_OR ? WRITE_ORS : 0);
}

// ---- may a write be to a word
// Not at all; as far as addresses go, but no thread of the launch comes to the access; it may.
typedef enum Touch { TOUCH_NEVER, TOUCH_IN_TEXT, TOUCH_MAY } Touch;

// Two threads, of which one makes an access to the word that the other one names.
typedef struct WordMeeting {
  const Access *access;
  const Target *word;
  uint32_t bytes;
  const Access *reader; // they are of two blocks, and the other one reads the word here; NULL: any two
} WordMeeting;

static Touch touch_at(Order *order, const WordMeeting *meeting, ExprRef at) {
  Scan *scan = order->scan;
  ExprPool *pool = scan->pool;
  const IrInst *insts = scan->fn->insts.items;
  const Access *access = meeting->access;
  if (!access->bytes) return TOUCH_MAY;
  Goal goal = {0};
  ExprRef overlap = goal_overlap(pool, at, access->bytes, meeting->word->offset, meeting->bytes),
          guard = meeting_block_condition(order->anyone_else, insts[access->inst].block);
  goal_add(scan, &goal, overlap, GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, order->anyone->view);
  goal_add_view(scan, &goal, order->anyone_else->view);
  goal_add_launch(scan, &goal);
  if (meeting->reader) {
    ExprRef same = order_same_block(scan, order->anyone->view, order->anyone_else->view);
    goal_add(scan, &goal, expr_not(pool, same), GOAL_CONFLICT, 0);
    goal_add(scan, &goal, meeting_block_condition(order->anyone, insts[meeting->reader->inst].block),
             GOAL_CONTEXT, 0);
  } else if (proofs_cannot_hold(scan, &goal, "is this the lock word")) {
    return TOUCH_NEVER;
  } else if (expr_is_true(pool, guard)) {
    return TOUCH_MAY;
  }
  goal_add(scan, &goal, guard, GOAL_CONTEXT, 0);
  return proofs_cannot_hold(scan, &goal, "is this the lock word") ? TOUCH_IN_TEXT : TOUCH_MAY;
}

static Touch find_touch(Order *order, const WordMeeting *meeting) {
  SymValue address = frame_value(order->anyone_else, meeting->access->address);
  bool is_of_block = order->scan->objects.items[meeting->word->object].kind == OBJ_SHARED;
  Touch found = TOUCH_NEVER;
  if (address.kind != SYM_POINTER) return TOUCH_MAY;
  for (uint32_t i = 0; i < address.target_count && found != TOUCH_MAY; i++) {
    const Target *target = &address.targets[i];
    if (target->object != meeting->word->object || (meeting->reader && is_of_block)) continue;
    Touch touch = touch_at(order, meeting, target->offset);
    if (touch > found) found = touch;
  }
  return found;
}

bool order_may_touch(Order *order, const Access *access, const Target *word, uint32_t bytes) {
  ASSERT(scan_has_access(order->scan, access));
  ASSERT(scan_has_object(order->scan, word->object) && scan_has_word(order->scan, word->offset, 64));
  return find_touch(order, &(WordMeeting){access, word, bytes, NULL}) == TOUCH_MAY;
}

bool order_may_share_word(Order *order, const Access *access, const Access *read, bool is_afar) {
  ASSERT(scan_has_access(order->scan, access));
  ASSERT(scan_has_access(order->scan, read));
  SymValue address = frame_value(order->anyone, read->address);
  if (address.kind != SYM_POINTER) return true;
  for (uint32_t i = 0; i < address.target_count; i++) {
    const WordMeeting meeting = {access, &address.targets[i], read->bytes, is_afar ? read : NULL};
    if (find_touch(order, &meeting) == TOUCH_MAY) return true;
  }
  return false;
}

// ---- the table
typedef VEC(WordWrite) WordWrites;

bool order_is_same_word(const Order *order, const Access *access, const Target *word) {
  ASSERT(scan_has_access(order->scan, access));
  ASSERT(scan_has_object(order->scan, word->object) && scan_has_word(order->scan, word->offset, 64));
  SymValue address = frame_value(order->anyone, access->address);
  for (uint32_t i = 0; address.kind == SYM_POINTER && i < address.target_count; i++)
    if (order_is_same_target(&address.targets[i], word)) return true;
  return false;
}

static void add_row(Order *order, SyncWord *word, WordWrites *rows, const Access *access) {
  WordWrite write = order_write(order, access);
  if (access->is_natural && access->bytes == word->bytes) write.traits |= traits_of_kind(&write);
  if (order_is_same_word(order, access, &word->target)) write.traits |= WRITE_IS_TO_IT;
  if (order_write_is(&write, WRITE_FITS | WRITE_IS_TO_IT) && write.kind != WRITE_SWAP)
    write.traits |= WRITE_REPLACES;
  vec_push(order->scan->arena, rows, write);
}

// What all of the rows have in common, and which one makes the word rise.
static void sum_up(SyncWord *word) {
  uint32_t rises = 0;
  word->traits = word->count ? UINT32_MAX : 0;
  word->scope = IR_SCOPE_COUNT;
  for (WordRow row = {.word = word}; order_next_row(&row);) {
    word->traits &= row.write->traits;
    if (row.write->scope < word->scope) word->scope = row.write->scope;
    if (!order_write_is(row.write, WRITE_RISES)) continue;
    word->rise = rises++ ? NULL : row.write;
  }
}

static SyncWord *make_word(Order *order, const Target *target, uint32_t bytes) {
  const Scan *scan = order->scan;
  SyncWord *word = arena_new(scan->arena, SyncWord);
  WordWrites rows = {0};
  *word = (SyncWord){.target = *target, .bytes = bytes};
  word->is_of_block = scan->objects.items[target->object].kind == OBJ_SHARED;
  Arena *scratch = arena_open();
  uint8_t *touches = arena_array(scratch, scan->accesses.count + 1, uint8_t);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (operation_is_only_read(scan, access)) continue;
    touches[a] = (uint8_t)find_touch(order, &(WordMeeting){access, target, bytes, NULL});
    if (touches[a] == TOUCH_MAY) add_row(order, word, &rows, access);
  }
  word->count = rows.count;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (touches[a] == TOUCH_IN_TEXT) add_row(order, word, &rows, &scan->accesses.items[a]);
  arena_close(scratch);
  word->count_in_text = rows.count;
  word->writes = rows.items;
  sum_up(word);
  return word;
}

const SyncWord *order_word(Order *order, const Target *target, uint32_t bytes) {
  ASSERT(scan_has_object(order->scan, target->object) && scan_has_word(order->scan, target->offset, 64));
  BUG_UNLESS(target->object);
  for (uint32_t w = 0; w < order->words.count; w++) {
    SyncWord *known = order->words.items[w];
    if (order_is_same_target(&known->target, target) && known->bytes == bytes) return known;
  }
  SyncWord *word = make_word(order, target, bytes);
  vec_push(order->scan->arena, &order->words, word);
  return word;
}

const WordWrite *order_write_at(const SyncWord *word, uint32_t inst) {
  for (WordRow row = {.word = word}; order_next_row(&row);)
    if (row.access->inst == inst) return row.write;
  return NULL;
}
