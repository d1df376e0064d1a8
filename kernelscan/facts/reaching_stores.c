// What can a thread have read that threads of its block wrote, or got from a lane of its warp, or kept in an
// array of its own? A word of shared memory holds what some thread stored there, in some iteration: nothing
// else fills it (A12: what is read has been written). A shuffle gives what the source lane put in (shuffles.c). Method: a STORER, a third thread with numbers of its own, of which is said that it came to the store
// (to one of them), at the address that is read, and that its value is the one read. Made for values by which two threads come to one place, and for those
// that are compared with them; for all others that are tested on the way where the threads would meet without it. Soundness: a necessary
// condition of the load, under the condition that the load is made (if that is not known exactly, nothing is
// said). Stores that cannot have been made before are left out: no way leads on from them to the load, and no
// point of the block to both without another between, so that a barrier keeps them behind it. Atomic
// operations and writes of other widths leave any value. What a later store has overwritten does not count
// (killed_stores.c). What a storer itself read or was given is any value.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/memory.h"
#include "kernelscan/graph.h"

// The one object of the address, without a condition; NULL: not known.
static const Target *only_target(SymValue address) {
  bool is_one = address.kind == SYM_POINTER && address.target_count == 1;
  return is_one && !address.targets[0].condition && !address.targets[0].key ? &address.targets[0] : NULL;
}

// What is kept of a scan.
typedef struct Kept {
  VEC(ReachingValue) reaching; // by leaf, which has one frame
  VEC(uint8_t) given;          // by expression: in which ways it is the leaf of a reaching value
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, reaching_stores, Kept);
}

// ---- noting
static bool is_candidate(Frame *frame, const IrInst *inst) {
  const Scan *scan = frame->scan;
  if ((inst->type.kind != IR_INT && inst->type.kind != IR_FLOAT) || inst->type.bits < 8) return false;
  if (inst->op == IR_SHUFFLE) return shuffles_width(scan, inst) > 0;
  if (inst->op != IR_LOAD) return false;
  const Target *target = only_target(frame_value(frame, inst->ops[0]));
  if (!target) return false;
  ObjKind kind = scan->objects.items[target->object].kind;
  return kind == OBJ_SHARED || kind == OBJ_LOCAL;
}

static void reaching_stores_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  const IrInst *inst = &scan->fn->insts.items[index];
  bool is_told_of = !frame->is_shifted || frame->is_made_round;
  bool is_plain = !frame->view->is_third && !frame->sum && is_told_of && !frame->in_web;
  if (!leaf || !is_plain || scan->has_opaque || !is_candidate(frame, inst)) return;
  Kept *kept = kept_of(scan);
  while (kept->given.count <= leaf)
    vec_push(scan->arena, &kept->given, 0);
  // One number for several threads is told of once more where one surely reads it in that round.
  uint8_t way = frame->is_made_round ? 2 : 1;
  if (kept->given.items[leaf] & way) return;
  ASSERT(scan_has_expr(scan, leaf) && scan_has_inst(scan, index));
  vec_push(scan->arena, &kept->reaching, (ReachingValue){leaf, index, frame, false});
  kept->given.items[leaf] |= way;
}

static bool reaching_stores_read_one_place(const ReachingValue *a, const ReachingValue *b) {
  const Scan *scan = a->frame->scan;
  const IrInst *first = &scan->fn->insts.items[a->inst], *second = &scan->fn->insts.items[b->inst];
  if (first->op != IR_LOAD || second->op != IR_LOAD || a->frame->view != b->frame->view) return false;
  const Target *one = only_target(frame_value(a->frame, first->ops[0]));
  const Target *other = only_target(frame_value(b->frame, second->ops[0]));
  return one && other && one->object == other->object && one->offset == other->offset;
}

// ---- the storer
ExprRef reaching_stores_by(Frame *reader, const Access *store, Frame **storer, Instance *made) {
  ASSERT(reader->view);
  ASSERT(scan_has_access(reader->scan, store));
  ASSERT(storer && made);
  Scan *scan = reader->scan;
  if (third_are_many(scan)) return 0;
  View *view = third_view(scan, reader->view, reader->view->owner);
  *storer = third_frame(reader, view, scan->fn->insts.items[store->inst].block, false);
  *made = instance_in(*storer, store);
  return expr_and(scan->pool, third_is_of_block(scan, view), made->condition);
}

// ---- shared memory
static bool leads_to(Scan *scan, uint32_t from, bool stops, const uint32_t to[2]) {
  const uint8_t *reached = node_reached_from(scan, from, stops);
  return reached[to[0]] && reached[to[1]];
}

// Can a thread have come to the store before another one comes to the load?
static bool may_be_before(Scan *scan, uint32_t store, uint32_t load) {
  const uint32_t both[2] = {store, load};
  if (node_later(scan, store)[load]) return true;
  for (uint32_t p = 0; p < scan->points.count; p++)
    if (point_orders(&scan->points.items[p], couple_of(EXTENT_INTRA_BLOCK)) &&
        leads_to(scan, scan->points.items[p].node, true, both))
      return true;
  return false;
}

typedef struct Reading {
  const ReachingValue *reaching;
  const Access *access;
  ExprRef offset;
  uint32_t object;
  uint8_t owner; // of the storers
} Reading;

// The address of the write in the frame, if it is in the array that is read; NULL: not known.
static const Target *place_of(const Reading *reading, const Instance *instance) {
  const Target *target = only_target(instance->address);
  return target && target->object == reading->object ? target : NULL;
}

// All that is read, and nothing else.
static bool is_whole(const Scan *scan, const Reading *reading, const Access *write) {
  return scan->fn->insts.items[write->inst].op == IR_STORE && write->bytes == reading->access->bytes &&
         write->is_natural && reading->access->is_natural;
}

// That the storer wrote what is read; 0: nothing is known.
static ExprRef is_written_by(Scan *scan, const Reading *reading, const Access *write) {
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[write->inst];
  if (!write->bytes) return 0;
  View *view = third_view(scan, reading->reaching->frame->view, reading->owner);
  Frame *frame = third_frame(reading->reaching->frame, view, inst->block, false);
  Instance instance = instance_in(frame, write);
  const Target *target = place_of(reading, &instance);
  if (!target) return 0;
  uint8_t width = expr_width(pool, reading->reaching->leaf);
  bool is_all = is_whole(scan, reading, write);
  ExprRef value = is_all ? frame_word(frame, inst->ops[1], width) : 0;
  ExprRef meets =
      is_all ? expr_eq(pool, target->offset, reading->offset)
             : goal_overlap(pool, target->offset, write->bytes, reading->offset, reading->access->bytes);
  if (value) meets = expr_and(pool, meets, expr_eq(pool, reading->reaching->leaf, value));
  return expr_and(pool, expr_and(pool, third_is_of_block(scan, view), instance.condition), meets);
}

// That this thread has made the store, at the address that is read.
static ExprRef has_stored(Scan *scan, const Reading *reading, const Access *store, const View *view) {
  ExprPool *pool = scan->pool;
  uint32_t block = scan->fn->insts.items[store->inst].block;
  Frame *frame = third_frame(reading->reaching->frame, view, block, true);
  Instance instance = instance_in(frame, store);
  const Target *target = place_of(reading, &instance);
  ExprRef executed = third_comes_to(frame, block);
  if (!target || !executed) return expr_bool(pool, false);
  ExprRef here = expr_eq(pool, target->offset, reading->offset);
  return expr_and(pool, expr_and(pool, third_is_of_block(scan, view), executed), here);
}

// That a thread has, as far as one is found: the reader, or who is computed from the address.
static ExprRef is_overwritten(Scan *scan, const Reading *reading, const Access *store) {
  Frame *reader = reading->reaching->frame;
  View *like = third_view(scan, reader->view, reading->owner);
  memcpy(like->thread_idx, reader->view->thread_idx, sizeof like->thread_idx);
  view_number(scan, like);
  ExprRef overwritten = has_stored(scan, reading, store, like);
  const View *writer = killed_stores_writer(reader, store, like, reading->offset);
  return writer ? expr_or(scan->pool, overwritten, has_stored(scan, reading, store, writer)) : overwritten;
}

typedef struct Writes { // that may have left what is read
  uint32_t count;
  const Access *items[STORE_LIMIT];
  ExprRef left[STORE_LIMIT]; // the condition; 0: nothing is known
} Writes;

static bool find_writes(Scan *scan, const Reading *reading, Writes *writes) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !access_may_touch(scan, a, reading->object)) continue;
    if (write->is_async || write->is_loose) return false;
    if (!may_be_before(scan, write->node, reading->access->node)) continue;
    if (writes->count == STORE_LIMIT) return false;
    writes->items[writes->count++] = write;
  }
  return writes->count > 0;
}

// Takes from the others what this store has overwritten.
static void overwrite(Scan *scan, const Reading *reading, const Access *store, Writes *writes) {
  ExprRef is_there = 0;
  const Point *closing =
      is_whole(scan, reading, store) ? killed_stores_closing(scan, store, reading->access) : NULL;
  for (uint32_t i = 0; closing && i < writes->count; i++) {
    if (!killed_stores_hide(scan, closing, store, reading->access, writes->items[i])) continue;
    if (!is_there) is_there = expr_not(scan->pool, is_overwritten(scan, reading, store));
    writes->left[i] = writes->left[i] ? expr_and(scan->pool, writes->left[i], is_there) : is_there;
  }
}

// One of the writes was the last; 0: nothing is known.
static ExprRef is_written(Scan *scan, const Reading *reading) {
  Writes writes = {0};
  if (!find_writes(scan, reading, &writes)) return 0;
  for (uint32_t i = 0; i < writes.count; i++)
    writes.left[i] = is_written_by(scan, reading, writes.items[i]);
  for (uint32_t i = 0; writes.count > 1 && i < writes.count; i++)
    overwrite(scan, reading, writes.items[i], &writes);
  ExprRef any = expr_bool(scan->pool, false);
  for (uint32_t i = 0; i < writes.count; i++) {
    if (!writes.left[i]) return 0;
    any = expr_or(scan->pool, any, writes.left[i]);
  }
  return any;
}

static bool is_placed(const Scan *scan, Reading *reading) {
  const ReachingValue *reaching = reading->reaching;
  for (uint32_t a = 0; a < scan->accesses.count; a++)
    if (scan->accesses.items[a].inst == reaching->inst) reading->access = &scan->accesses.items[a];
  const Target *target =
      only_target(frame_value(reaching->frame, scan->fn->insts.items[reaching->inst].ops[0]));
  if (!reading->access || !target) return false;
  reading->offset = target->offset;
  reading->object = target->object;
  return true;
}

static ExprRef shared_condition(Scan *scan, const ReachingValue *reaching, uint8_t owner) {
  Reading reading = {.reaching = reaching, .owner = owner};
  return is_placed(scan, &reading) ? is_written(scan, &reading) : 0;
}

// What this store has surely overwritten of the others.
static void note_overwritten(Scan *scan, const Reading *reading, const Access *store, const Writes *writes,
                             StoresLeft *left) {
  const Point *closing = killed_stores_closing(scan, store, reading->access);
  ExprRef is_there = 0;
  for (uint32_t i = 0; closing && i < writes->count; i++) {
    if (!killed_stores_hide(scan, closing, store, reading->access, writes->items[i])) continue;
    if (!is_there) is_there = is_overwritten(scan, reading, store);
    ExprRef before = left->overwritten[i];
    left->overwritten[i] = before ? expr_or(scan->pool, before, is_there) : is_there;
  }
}

static bool read_writes(Scan *scan, Reading *reading, Writes *writes) {
  return is_placed(scan, reading) && find_writes(scan, reading, writes);
}

bool reaching_stores_find(Frame *reader, uint32_t load, StoresLeft *left) {
  ASSERT(scan_has_inst(reader->scan, load));
  ASSERT(!reader->view->is_third);
  Scan *scan = reader->scan;
  const ReachingValue value = {.inst = load, .frame = reader};
  Reading reading = {.reaching = &value, .owner = reader->view->owner};
  Writes writes = {0};
  *left = (StoresLeft){0};
  if (!read_writes(scan, &reading, &writes)) return false;
  left->count = writes.count;
  for (uint32_t i = 0; i < writes.count; i++) {
    left->insts[i] = writes.items[i]->inst;
    if (!is_whole(scan, &reading, writes.items[i])) return false;
  }
  return true;
}

void reaching_stores_find_overwritten(Frame *reader, uint32_t load, StoresLeft *left) {
  ASSERT(scan_has_inst(reader->scan, load));
  Scan *scan = reader->scan;
  const ReachingValue value = {.inst = load, .frame = reader};
  Reading reading = {.reaching = &value, .owner = reader->view->owner};
  Writes writes = {0};
  if (!read_writes(scan, &reading, &writes)) return;
  BUG_UNLESS(writes.count == left->count); // reaching_stores_find has found them
  for (uint32_t i = 0; writes.count > 1 && i < writes.count && !third_are_many(scan); i++)
    note_overwritten(scan, &reading, writes.items[i], &writes, left);
}

// ---- arrays of the thread's own
// That the store put the leaf at the offset; 0: not known.
static ExprRef is_stored_by(Frame *frame, const IrInst *store, ExprRef leaf, ExprRef offset) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  uint8_t width = expr_width(pool, leaf);
  Fill fill;
  if (store->op != IR_STORE) {
    ExprRef word = locals_fill(scan, store, &fill) ? locals_fill_word(scan, &fill, offset, width / 8u) : 0;
    if (!word) return 0;
    ExprRef inside = expr_binary(pool, EXPR_SLT, 0, offset, expr_const(pool, 64, fill.bytes));
    return expr_and(pool, inside, expr_eq(pool, leaf, word));
  }
  const Target *target = only_target(frame_value(frame, store->ops[0]));
  ExprRef value = frame_word(frame, store->ops[1], width);
  if (!target || !value) return 0;
  return expr_and(pool, expr_eq(pool, target->offset, offset), expr_eq(pool, leaf, value));
}

// The thread itself stored it, in some iteration.
static ExprRef local_condition(Scan *scan, const ReachingValue *reaching) {
  ExprPool *pool = scan->pool;
  const IrInst *load = &scan->fn->insts.items[reaching->inst];
  const Target *place = only_target(frame_value(reaching->frame, load->ops[0]));
  LocalStores stores;
  Frame *any_round = frame_make(scan, reaching->frame->view, NULL, NULL);
  if (!place || !locals_stores(any_round, load, &stores) || stores.count > STORE_LIMIT) return 0;
  ExprRef any = expr_bool(pool, false);
  for (uint32_t i = 0; i < stores.count; i++) {
    const IrInst *store = &scan->fn->insts.items[stores.insts[i]];
    third_count(scan);
    Frame *frame = third_frame(reaching->frame, reaching->frame->view, store->block, false);
    frame->is_shifted = true;
    ExprRef written = is_stored_by(frame, store, reaching->leaf, place->offset);
    if (!written) return 0;
    any = expr_or(pool, any, expr_and(pool, meeting_block_condition(frame, store->block), written));
  }
  return any;
}

// ---- any of them
static ExprRef condition_of(Scan *scan, const ReachingValue *reaching, uint8_t owner) {
  const IrInst *inst = &scan->fn->insts.items[reaching->inst];
  if (inst->op == IR_SHUFFLE) return shuffles_condition(scan, reaching, owner);
  const Target *target = only_target(frame_value(reaching->frame, inst->ops[0]));
  bool is_local = target && scan->objects.items[target->object].kind == OBJ_LOCAL;
  return is_local ? local_condition(scan, reaching) : shared_condition(scan, reaching, owner);
}

// ---- for goals
// The rounds that the frame speaks of are made: of the one before the first nothing was read.
static ExprRef rounds_exist(const Frame *frame, uint32_t block) {
  const Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  ExprRef all = expr_bool(pool, true), zero = expr_const(pool, 32, 0);
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++)
    if (frame->iteration[l] && cfg_loop_contains(scan->cfg, l, block) &&
        expr_node(pool, frame->iteration[l])->op != EXPR_SYM)
      all = expr_and(pool, all, expr_binary(pool, EXPR_SLE, 0, zero, frame->iteration[l]));
  return all;
}

static void make(Scan *scan, const ReachingValue *reaching) {
  const IrInst *inst = &scan->fn->insts.items[reaching->inst];
  // Who makes the reading has left the loops before it.
  Frame *there = frame_like(reaching->frame, reaching->frame->iteration, reaching->frame->before);
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++)
    if (!cfg_loop_contains(scan->cfg, l, inst->block)) there->iteration[l] = 0;
  exits_fix(there, exits_place(scan, there->view->extent, inst->block));
  ExprRef executed = frame_exact_condition(there, 0, inst->block);
  if (!executed || third_are_many(scan)) return;
  executed = expr_and(scan->pool, rounds_exist(there, inst->block), executed);
  bool is_shared = frame_leaf_is_shared(reaching->frame, reaching->inst);
  uint8_t owner = is_shared ? OWNER_UNIFORM : reaching->frame->view->owner;
  ExprRef given = condition_of(scan, reaching, owner);
  if (!given) return;
  ExprRef condition = expr_or(scan->pool, expr_not(scan->pool, executed), given);
  vec_push(scan->arena, &scan->invariants,
           (Invariant){.leaf = reaching->leaf, .condition = condition, .is_lazy = true, .tag = TAG_GIVEN});
}

static bool reaching_stores_may_make(const Scan *scan) {
  return kept_of(scan)->reaching.count > 0;
}

static void reaching_stores_make(Scan *scan, const ExprSet *places) {
  Kept *kept = kept_of(scan);
  for (uint32_t i = 0; i < kept->reaching.count; i++) {
    ReachingValue reaching = kept->reaching.items[i];
    if (reaching.is_made || !expr_set_has(places, reaching.leaf)) continue;
    kept->reaching.items[i].is_made = true;
    make(scan, &reaching);
  }
}

// Two readings of one place by one thread: what is said of the one is said with the other in mind.
static void reaching_stores_mark(Scan *scan, const Goal *goal, ExprSet *places) {
  const Kept *kept = kept_of(scan);
  if (kept->reaching.count < 2) return;
  const ExprSet *occurs = goal_occurrences(scan, goal);
  Arena *scratch = arena_open();
  VEC(const ReachingValue *) others = {0};
  for (uint32_t k = 0; k < kept->reaching.count; k++) {
    ExprRef other = kept->reaching.items[k].leaf;
    if (expr_set_has(occurs, other) && !expr_set_has(places, other))
      vec_push(scratch, &others, &kept->reaching.items[k]);
  }
  for (uint32_t i = 0; others.count && i < kept->reaching.count; i++) {
    ExprRef marked = kept->reaching.items[i].leaf;
    if (!expr_set_has(places, marked)) continue;
    for (uint32_t k = 0; k < others.count; k++)
      if (!expr_set_has(places, others.items[k]->leaf) &&
          reaching_stores_read_one_place(&kept->reaching.items[i], others.items[k]))
        expr_set_is_new(places, others.items[k]->leaf);
  }
  arena_close(scratch);
}

const ValueFacts reaching_stores_facts = {.note = reaching_stores_note,
                                          .mark = reaching_stores_mark,
                                          .may_make = reaching_stores_may_make,
                                          .make = reaching_stores_make};
