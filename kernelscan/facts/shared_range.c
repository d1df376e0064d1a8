// In what interval does a number lie that a thread reads from shared memory? A word of it holds what some
// thread of the block stored there, in some iteration: nothing else fills it (A12). So `next[i] = in[i] & 7`
// bounds all that is ever read of `next`, also where that goes round a loop and comes back as an index.
// Method: like locals.c, for arrays that all threads of the block write: the interval of all values that any
// thread stores there. Soundness: each write that may touch the array must be a plain store of as many bytes
// as are read, at a multiple of them, so that no read sees parts of two; writes of other bytes of the
// variable do not count (access_is_apart). Intervals hold for all values of the symbols in what is stored;
// what is stored out of the same array while its interval is being found counts as anything.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts.h"
#include "kernelscan/kernel.h"
#include "kernelscan/query.h"
#include "kernelscan/value.h"

typedef enum RangeState { RANGE_NOT_ASKED, RANGE_UNKNOWN, RANGE_KNOWN } RangeState;

typedef struct SharedRange {
  RangeState state;
  int64_t lo, hi;
} SharedRange;

// The access of a load of a number from one array of the block's own shared memory; NULL: it is none.
static const Access *shared_load(const Scan *scan, uint32_t index, uint32_t *object) {
  const IrInst *inst = &scan->fn->insts.items[index];
  const Reach *reach = inst->op == IR_LOAD ? scan->reach_of[index] : NULL;
  if (!reach || !reach->is_complete || reach->count != 1 || inst->type.kind != IR_INT || inst->type.bits < 8)
    return NULL;
  *object = reach->objects[0];
  const Access *access = &scan->accesses.items[reach - scan->reaches];
  bool is_own = scan->objects.items[*object].kind == OBJ_SHARED && !scan->has_mapa && !scan->has_opaque;
  return is_own && access->is_natural ? access : NULL;
}

static bool widen(Frame *anyone, const Access *load, const Access *write, SharedRange *range) {
  Scan *scan = anyone->scan;
  const IrInst *store = &scan->fn->insts.items[write->inst];
  if (store->op != IR_STORE || write->bytes != load->bytes || !write->is_natural || write->is_async)
    return false;
  if (ir_ref_type(scan->module, scan->fn, store->ops[1]).kind != IR_INT) return false;
  ExprRef value = frame_word(anyone, store->ops[1], symeval_width(scan->fn->insts.items[load->inst].type));
  int64_t lo = 0, hi = 0;
  if (!value) return false;
  expr_range(scan->pool, value, &lo, &hi);
  if (lo < range->lo) range->lo = lo;
  if (hi > range->hi) range->hi = hi;
  return true;
}

static SharedRange find(Scan *scan, const Access *load, uint32_t object) {
  SharedRange range = {RANGE_KNOWN, INT64_MAX, INT64_MIN};
  Frame *anyone = frame_make(scan, view_anyone(scan), NULL, NULL); // in any iteration of any loop
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !access_may_touch(scan, a, object) ||
        access_is_apart(scan, load, write))
      continue;
    if (!widen(anyone, load, write, &range)) return (SharedRange){.state = RANGE_UNKNOWN};
  }
  if (range.lo > range.hi) range.state = RANGE_UNKNOWN; // nobody writes it
  return range;
}

static const SharedRange *range_of(Scan *scan, const Access *load, uint32_t object) {
  if (!scan->ranges) scan->ranges = arena_array(scan->arena, scan->fn->insts.count + 1, SharedRange);
  SharedRange *range = &scan->ranges[load->inst];
  if (range->state != RANGE_NOT_ASKED) return range;
  scan->in_locals = true;
  *range = find(scan, load, object);
  scan->in_locals = false;
  return range;
}

static bool is_any_value(const SharedRange *range, uint8_t width) {
  return width >= 64 ||
         (range->lo <= -((int64_t)1 << (width - 1)) && range->hi >= ((int64_t)1 << (width - 1)) - 1);
}

static void shared_range_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  uint32_t object = 0;
  const Access *load = leaf && !scan->in_locals ? shared_load(scan, index, &object) : NULL;
  if (!load) return;
  const SharedRange *range = range_of(scan, load, object);
  uint8_t width = expr_width(pool, leaf);
  if (range->state != RANGE_KNOWN || is_any_value(range, width)) return;
  while (scan->ranged.count <= leaf)
    vec_push(scan->arena, &scan->ranged, 0);
  if (scan->ranged.items[leaf]) return;
  scan->ranged.items[leaf] = 1;
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, width, range->lo), leaf),
                            expr_binary(pool, EXPR_SLE, 0, leaf, expr_const(pool, width, range->hi)));
  vec_push(
      scan->arena, &scan->invariants,
      (Invariant){.leaf = leaf, .condition = inside, .is_lazy = true, .tag = TAG_GIVEN, .is_interval = true});
}

const ValueFacts shared_range_facts = {.note = shared_range_note, .is_of_givers = true};
