// Which writes leave alone the words of an object that the kernel counts on? In `struct { int n, items[16]; }
// queue[8]` a place is drawn from a queue's own `n`, and what is written there must neither be taken for a
// reset of that counter nor of another queue's. Method: each write of the object that is no addition is asked
// about together with each addition, as two threads make them: can they touch one byte? That a number drawn
// from the object is not negative may be used in that, if all that is set there is not negative, and nothing
// else is written to a counter: the first write that did would have been made with a number drawn before it,
// which is not negative yet. A number that is read of such a word is then not negative either. Soundness:
// exact up to that; counters start at what they are set to (A12), or with what the host says they hold (A11),
// and do not wrap (A1).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/counter_words.h"
#include "kernelscan/proofs.h"
#include "kernelscan/memory.h"

enum { SITE_LIMIT = 8, WRITE_LIMIT = 24, NOT_ASKED = 0, NEVER_NEGATIVE, MAY_BE_NEGATIVE };

typedef struct Found {
  uint32_t object;
  bool is_open;                              // being asked
  bool is_from_zero_up;                      // all words that are added to are never negative
  uint8_t *is_beside;                        // by access
  uint32_t sites[SITE_LIMIT], site_count;    // accesses that add
  uint32_t writes[WRITE_LIMIT], write_count; // the others
} Found;

// What is kept of a scan, of fresh threads.
typedef struct Counters {
  VEC(Found *) found;
  uint8_t *readings; // by instruction
} Counters;

static bool is_addition(const Scan *scan, const Access *access) {
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  return inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_ADD;
}

// A plain store of a constant that is not negative, as wide as the counters.
static bool is_setting(const Scan *scan, const Access *access) {
  const IrInst *inst = &scan->fn->insts.items[access->inst];
  int64_t value = 0;
  return inst->op == IR_STORE && !access->is_async && !access->is_loose && access->bytes == 4 &&
         access->is_natural && ir_const_value(scan->fn, inst->ops[1], &value) && (int32_t)value >= 0;
}

static bool adds_no_less_than_zero(Frame *any, const Access *access) {
  int64_t lo = 0, hi = 0;
  ExprRef amount = frame_word(any, any->scan->fn->insts.items[access->inst].ops[1], 32);
  if (!amount) return false;
  expr_range(any->scan->pool, amount, &lo, &hi);
  return lo >= 0;
}

// ---- do two touch one byte?

static bool read_place(Frame *frame, IrRef address, Target *target) {
  SymValue value = frame_value(frame, address);
  if (value.kind != SYM_POINTER || value.target_count != 1) return false;
  *target = value.targets[0];
  return !target->condition && !target->key;
}

static void add_pairing(Scan *scan, Goal *goal, Pairing pairing, const View *one, const View *two) {
  ExprPool *pool = scan->pool;
  if (pairing == PAIR_OF_WARP)
    goal_add(scan, goal, expr_eq(pool, one->warp, two->warp), GOAL_CONTEXT, 0);
  else if (pairing != PAIR_ANY)
    goal_add_extent(scan, goal, pairing == PAIR_OF_TWO_WARPS ? EXTENT_INTRA_BLOCK : EXTENT_INTER_BLOCK, one,
                    two);
}

static void add_not_negative(Scan *scan, Goal *goal, const Frame *frame, uint32_t object) {
  FactLists *lists = fact_lists(scan);
  ExprPool *pool = scan->pool;
  for (uint32_t c = 0; c < lists->draws.count; c++) {
    const DrawRange *drawn = &lists->draws.items[c];
    if (drawn->frame != frame || drawn->counter != object || !drawn->is_own || drawn->bytes != 4) continue;
    ExprRef zero = expr_const(pool, expr_width(pool, drawn->leaf), 0);
    goal_add(scan, goal, expr_binary(pool, EXPR_SLE, 0, zero, drawn->leaf), GOAL_CONTEXT, 0);
  }
}

bool counter_words_may_meet(Frame *writer, const Access *access, const Place *place, Pairing pairing,
                            const uint32_t *not_negative_in) {
  ASSERT(writer->view);
  ASSERT(scan_has_access(writer->scan, access));
  Scan *scan = writer->scan;
  ExprPool *pool = scan->pool;
  Instance write = instance_in(writer, access);
  Target looked_at;
  bool is_known = write.address.kind == SYM_POINTER && write.address.target_count == 1 && access->bytes &&
                  !write.address.targets[0].key && !write.address.targets[0].condition &&
                  read_place(place->frame, scan->fn->insts.items[place->inst].ops[0], &looked_at);
  if (!is_known) return true;
  if (write.address.targets[0].object != looked_at.object) return false;
  ExprRef at = write.address.targets[0].offset;
  Goal goal = {0};
  goal_add(scan, &goal, goal_overlap(pool, at, access->bytes, looked_at.offset, place->bytes), GOAL_CONFLICT,
           0);
  goal_add(scan, &goal, write.condition, GOAL_CONTEXT, 0);
  goal_add(scan, &goal, meeting_block_condition(place->frame, scan->fn->insts.items[place->inst].block),
           GOAL_CONTEXT, 0);
  if (not_negative_in) add_not_negative(scan, &goal, writer, *not_negative_in);
  add_pairing(scan, &goal, pairing, writer->view, place->frame->view);
  goal_add_view(scan, &goal, writer->view);
  goal_add_view(scan, &goal, place->frame->view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return false;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "a write to a word that is looked at");
  return !proofs_is_refuted(scan, &answer);
}

// ---- the counters of an object

// Of shared memory they are none of a question about pairs, which has another symbol for the block's number.
CounterThreads counter_words_threads(Scan *scan, uint32_t object) {
  ASSERT(scan_has_object(scan, object));
  bool is_shared = scan->objects.items[object].kind == OBJ_SHARED;
  ExprRef own_blocks[3] = {0};
  const View *one = is_shared ? view_fresh(scan, NULL)
                              : view_make(scan, EXTENT_INTER_BLOCK, OWNER_THREAD1, own_blocks),
             *two = is_shared ? view_beside(scan, one)
                              : view_make(scan, EXTENT_INTER_BLOCK, OWNER_THREAD2, own_blocks);
  return (CounterThreads){frame_make(scan, one, NULL, NULL), frame_make(scan, two, NULL, NULL)};
}

// Additions and other writes; false: too many, or additions that may be anything.
static bool collect(Scan *scan, Found *found, const CounterThreads *threads) {
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->kind == ACCESS_READ || !access_may_touch(scan, a, found->object)) continue;
    if (!is_addition(scan, access)) {
      if (found->write_count == WRITE_LIMIT) return false;
      found->writes[found->write_count++] = a;
      continue;
    }
    Target target;
    if (found->site_count == SITE_LIMIT || access->bytes != 4 || !access->is_natural ||
        !read_place(threads->two, access->address, &target) || target.object != found->object ||
        !adds_no_less_than_zero(threads->two, access))
      return false;
    found->sites[found->site_count++] = a;
  }
  return found->site_count > 0;
}

// What the counters hold before anybody adds.
static bool start_from_zero_up(Scan *scan, const Found *found, const CounterThreads *threads) {
  bool is_set = false;
  if (scan->objects.items[found->object].kind == OBJ_SHARED) {
    for (uint32_t w = 0; w < found->write_count; w++)
      is_set |= is_setting(scan, &scan->accesses.items[found->writes[w]]);
    if (is_set) scan->result->assumptions |= ASSUME_FILLED;
    return is_set;
  }
  for (uint32_t s = 0; s < found->site_count; s++) {
    Target target;
    if (!read_place(threads->two, scan->accesses.items[found->sites[s]].address, &target) ||
        !start_values_are_not_negative(scan, &target, 4))
      return false;
  }
  return true;
}

static bool is_apart_from_sites(Scan *scan, const Found *found, const CounterThreads *threads,
                                const Access *write) {
  for (uint32_t s = 0; s < found->site_count; s++) {
    Place place = {threads->two, scan->accesses.items[found->sites[s]].inst, 4};
    if (counter_words_may_meet(threads->one, write, &place, PAIR_ANY, &found->object)) return false;
  }
  return true;
}

static void find(Scan *scan, Found *found) {
  if (scan->has_opaque) return;
  CounterThreads threads = counter_words_threads(scan, found->object);
  if (!collect(scan, found, &threads)) return;
  uint32_t others = 0;
  for (uint32_t w = 0; w < found->write_count; w++)
    others += !is_setting(scan, &scan->accesses.items[found->writes[w]]);
  if (!start_from_zero_up(scan, found, &threads)) return;
  uint8_t *is_beside = arena_array(scan->arena, scan->accesses.count, uint8_t);
  for (uint32_t w = 0; others > 0 && w < found->write_count; w++) {
    const Access *write = &scan->accesses.items[found->writes[w]];
    is_beside[found->writes[w]] = !write->is_async && is_apart_from_sites(scan, found, &threads, write);
    if (!is_beside[found->writes[w]] && !is_setting(scan, write)) return; // no number is known to be one
  }
  found->is_beside = is_beside;
  found->is_from_zero_up = true;
  scan->result->assumptions |= ASSUME_NO_OVERFLOW;
}

static Counters *counters_of(Scan *scan) {
  return SCAN_STATE_OF(scan, counter_words, Counters);
}

static const Found *find_object(Scan *scan, uint32_t object) {
  Counters *counters = counters_of(scan);
  for (uint32_t i = 0; i < counters->found.count; i++)
    if (counters->found.items[i]->object == object) return counters->found.items[i];
  Found *found = arena_new(scan->arena, Found);
  found->object = object;
  vec_push(scan->arena, &counters->found, found); // says nothing while it is asked
  found->is_open = true;
  find(scan, found);
  found->is_open = false;
  return found;
}

bool counter_words_is_beside(Scan *scan, const Access *access, uint32_t object) {
  ASSERT(scan_has_access(scan, access));
  ASSERT(scan_has_object(scan, object));
  if (access->kind == ACCESS_READ || is_addition(scan, access)) return false;
  const Found *found = find_object(scan, object);
  return found->is_beside && found->is_beside[access - scan->accesses.items];
}

// ---- readings

// Whatever may have been written there is a number from zero up, or added to one.
static bool is_never_negative(Scan *scan, uint32_t index, bool *is_open) {
  const IrInst *load = &scan->fn->insts.items[index];
  Frame *any = frame_make(scan, view_fresh(scan, NULL), NULL, NULL);
  Target target;
  if (!read_place(any, load->ops[0], &target) || scan->objects.items[target.object].kind != OBJ_SHARED)
    return false;
  const Found *found = find_object(scan, target.object);
  *is_open |= found->is_open;
  if (!found->is_from_zero_up) return false;
  CounterThreads threads = counter_words_threads(scan, target.object);
  Place place = {threads.two, index, 4};
  for (uint32_t w = 0; w < found->write_count; w++) {
    const Access *write = &scan->accesses.items[found->writes[w]];
    if (!is_setting(scan, write) &&
        counter_words_may_meet(threads.one, write, &place, PAIR_ANY, &target.object))
      return false;
  }
  return true;
}

static void counter_words_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const IrInst *load = &scan->fn->insts.items[index];
  if (!leaf || load->op != IR_LOAD || load->order != IR_ORDER_PLAIN || load->type.kind != IR_INT ||
      load->type.bits != 32)
    return;
  Counters *counters = counters_of(scan);
  if (!counters->readings) counters->readings = arena_array(scan->arena, scan->fn->insts.count, uint8_t);
  if (counters->readings[index] == NOT_ASKED) {
    bool is_open = false;
    counters->readings[index] = MAY_BE_NEGATIVE; // also while it is asked
    if (is_never_negative(scan, index, &is_open)) counters->readings[index] = NEVER_NEGATIVE;
    if (is_open) counters->readings[index] = NOT_ASKED;
  }
  if (counters->readings[index] != NEVER_NEGATIVE) return;
  ExprRef holds = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, 0), leaf);
  if (invariants_say(scan, holds)) return;
  vec_push(scan->arena, &scan->invariants, (Invariant){.leaf = leaf, .condition = holds});
}

const ValueFacts counter_words_facts = {.note = counter_words_note};
