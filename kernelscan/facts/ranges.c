// In what interval does a number lie that a thread reads from an array? What it reads is what some thread
// stored there, in some iteration: the thread itself, if the array is its own (locals.c); any thread of the
// block, if it is in shared memory, which nothing else fills (A12). So `next[i] = in[i] & 7` bounds all that is
// ever read of `next`, also where that goes round a loop and comes back as an index. Method: the interval of
// all values that are stored, found with a thread whose own leaves have none: what is stored out of such an
// array counts as anything. Soundness: each write that may touch a shared array must be a plain store of as
// many bytes as are read, at a multiple of them, so that no read sees parts of two; writes of other bytes of the
// variable do not count (access_is_apart). Intervals hold for all values of the symbols in what is stored.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"

typedef enum RangeState { RANGE_NOT_ASKED, RANGE_UNKNOWN, RANGE_KNOWN } RangeState;

typedef struct ReadRange {
  RangeState state;
  int64_t lo, hi;
} ReadRange;

// What is kept of a scan.
typedef struct Kept {
  ReadRange *ranges;   // by instruction, what any thread reads
  VEC(uint8_t) ranged; // by expression: it is a leaf of which is said what is known
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, ranges, Kept);
}

// The access of a load of a number from one array of the block's own shared memory; NULL: it is none.
static const Access *shared_load(const Scan *scan, uint32_t index, uint32_t *object) {
  const IrInst *inst = &scan->fn->insts.items[index];
  const Reach *reach = inst->op == IR_LOAD ? objects_read_by(scan, index) : NULL;
  if (!reach || !reach->is_complete || reach->count != 1 || inst->type.kind != IR_INT || inst->type.bits < 8)
    return NULL;
  *object = reach->objects[0];
  const Access *access = &scan->accesses.items[reach - scan->reaches];
  bool is_own =
      scan->objects.items[*object].kind == OBJ_SHARED && !clusters_has_mapa(scan) && !scan->has_opaque;
  return is_own && access->is_natural ? access : NULL;
}

// ---- what is stored

static bool widen(Frame *frame, IrRef stored, uint8_t width, ReadRange *range) {
  ExprRef value = frame_word(frame, stored, width);
  int64_t lo = 0, hi = 0;
  if (!value) return false;
  expr_range(frame->scan->pool, value, &lo, &hi);
  if (lo < range->lo) range->lo = lo;
  if (hi > range->hi) range->hi = hi;
  return true;
}

static bool widen_by_fill(Scan *scan, const IrInst *inst, uint32_t bytes, ReadRange *range) {
  Fill fill;
  if (!locals_fill(scan, inst, &fill)) return false;
  for (int64_t at = 0; at + bytes <= fill.bytes; at += bytes) {
    int64_t word = 0;
    ExprRef value = locals_fill_word(scan, &fill, expr_const(scan->pool, 64, at), bytes);
    if (!value || !expr_is_const(scan->pool, value, &word)) return false;
    if (word < range->lo) range->lo = word;
    if (word > range->hi) range->hi = word;
  }
  return true;
}

// By the thread itself.
static bool widen_by_own(Frame *frame, const IrInst *load, ReadRange *range) {
  const Scan *scan = frame->scan;
  LocalStores stores;
  if (!locals_stores(frame, load, &stores)) return false;
  for (uint32_t i = 0; i < stores.count; i++) {
    const IrInst *store = &scan->fn->insts.items[stores.insts[i]];
    bool is_known = store->op == IR_STORE ? widen(frame, store->ops[1], symeval_width(load->type), range)
                                          : widen_by_fill(frame->scan, store, load->type.bytes, range);
    if (!is_known) return false;
  }
  return true;
}

static bool is_store_of(const Scan *scan, const Access *write, const Access *load) {
  const IrInst *store = &scan->fn->insts.items[write->inst];
  return store->op == IR_STORE && write->bytes == load->bytes && write->is_natural && !write->is_async &&
         ir_ref_type(scan->module, scan->fn, store->ops[1]).kind == IR_INT;
}

// By any thread of the block.
static bool widen_by_block(Frame *frame, const Access *load, uint32_t object, ReadRange *range) {
  const Scan *scan = frame->scan;
  uint8_t width = symeval_width(scan->fn->insts.items[load->inst].type);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !access_may_touch(scan, a, object) ||
        access_is_apart(scan, load, write))
      continue;
    if (!is_store_of(scan, write, load) ||
        !widen(frame, scan->fn->insts.items[write->inst].ops[1], width, range))
      return false;
  }
  return range->lo <= range->hi; // else nobody writes it
}

// Of the instruction's values, whichever thread has them, in any iteration of any loop; NULL: not known.
// While it is asked, nothing is.
static const ReadRange *range_of(Scan *scan, uint32_t index) {
  const IrInst *inst = &scan->fn->insts.items[index];
  if (inst->op != IR_LOAD) return NULL;
  Kept *kept = kept_of(scan);
  if (!kept->ranges) kept->ranges = arena_array(scan->arena, scan->fn->insts.count + 1, ReadRange);
  ReadRange *range = &kept->ranges[index];
  if (range->state == RANGE_NOT_ASKED) {
    range->state = RANGE_UNKNOWN;
    uint32_t object = 0;
    const Access *load = shared_load(scan, index, &object);
    Frame *frame = frame_make(scan, view_of_ranges(scan), NULL, NULL);
    ReadRange found = {RANGE_KNOWN, INT64_MAX, INT64_MIN};
    if (load ? widen_by_block(frame, load, object, &found) : widen_by_own(frame, inst, &found))
      *range = found;
    ASSERT(range->state != RANGE_KNOWN || range->lo <= range->hi);
  }
  return range->state == RANGE_KNOWN ? range : NULL;
}

static bool is_any_value(const ReadRange *range, uint8_t width) {
  return width >= 64 ||
         (range->lo <= -((int64_t)1 << (width - 1)) && range->hi >= ((int64_t)1 << (width - 1)) - 1);
}

static void ranges_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  uint32_t object = 0;
  if (!leaf || frame->view->is_of_ranges || !shared_load(scan, index, &object)) return;
  const ReadRange *range = range_of(scan, index);
  uint8_t width = expr_width(pool, leaf);
  if (!range || is_any_value(range, width)) return;
  Kept *kept = kept_of(scan);
  while (kept->ranged.count <= leaf)
    vec_push(scan->arena, &kept->ranged, 0);
  if (kept->ranged.items[leaf]) return;
  kept->ranged.items[leaf] = 1;
  ExprRef inside = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, width, range->lo), leaf),
                            expr_binary(pool, EXPR_SLE, 0, leaf, expr_const(pool, width, range->hi)));
  vec_push(
      scan->arena, &scan->invariants,
      (Invariant){.leaf = leaf, .condition = inside, .is_lazy = true, .tag = TAG_GIVEN, .is_interval = true});
}

// Of an array of the thread's own.
static bool ranges_range(Scan *scan, uint32_t index, int64_t *lo, int64_t *hi) {
  uint32_t object = 0;
  const ReadRange *range = shared_load(scan, index, &object) ? NULL : range_of(scan, index);
  if (!range) return false;
  *lo = range->lo;
  *hi = range->hi;
  return true;
}

const ValueFacts ranges_facts = {.note = ranges_note, .is_of_givers = true, .range = ranges_range};
