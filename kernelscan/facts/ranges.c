// In what interval does a number lie that a thread reads from an array? What it reads is what some thread
// stored there, in some iteration: the thread itself, if the array is its own (locals.c); any thread of the
// block, if it is in shared memory, which nothing else fills (A12). So `next[i] = in[i] & 7` bounds all that is
// ever read of `next`, also where that goes round a loop and comes back as an index. Method: the interval of
// all values that are stored, found with a thread whose own leaves have none. What is stored out of such arrays (`next[i] &= mask`, a swap)
// takes a fixed point: each load of the group has the interval of what the stores leave there if what they read lies in the intervals so far,
// from none at all upwards, widened to all numbers of so many bits and then to any value (Cousot, Cousot, "Abstract Interpretation: A Unified
// Lattice Model", 1977). Soundness: by induction over the stores in the order in which they happen; each write that may touch a shared array must be a plain store of as
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
  VEC(uint32_t) loads; // by symbol: the load that gives it to the thread that intervals are found with, + 1
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

// ---- loads whose intervals hang together
enum { TOGETHER_LIMIT = 24, EXACT_CHANGES = 2, CHANGES_LIMIT = 5 };

typedef struct Asked {
  uint32_t inst;
  int64_t lo, hi; // so far; lo > hi: nothing is stored there
  uint32_t changes;
  bool is_any;
} Asked;

typedef struct Group {
  Scan *scan;
  Frame *frame;
  uint32_t count;
  Asked loads[TOGETHER_LIMIT];
  int64_t lo, hi; // of what is stored where the load in hand reads
} Group;

static const Asked *asked_of(Group *group, uint32_t inst) {
  for (uint32_t i = 0; i < group->count; i++)
    if (group->loads[i].inst == inst) return &group->loads[i];
  if (group->count == TOGETHER_LIMIT) return NULL;
  group->loads[group->count] = (Asked){.inst = inst, .lo = INT64_MAX, .hi = INT64_MIN};
  return &group->loads[group->count++];
}

static ExprRef any_between(ExprPool *pool, const Asked *asked, uint8_t width) {
  if (asked->lo == asked->hi) return expr_const(pool, width, asked->lo);
  ExprSym symbol = {.name = "value stored", .width = width, .kind = SYM_UNKNOWN, .owner = OWNER_THREAD1};
  symbol.lo = asked->lo;
  symbol.hi = asked->hi;
  return expr_new_sym(pool, symbol);
}

typedef struct Reads { // of a value: symbols of loads
  const Kept *kept;
  uint32_t count, syms[TOGETHER_LIMIT];
} Reads;

static void add_read(void *context, uint32_t sym) {
  Reads *reads = context;
  bool is_read = sym < reads->kept->loads.count && reads->kept->loads.items[sym];
  if (is_read && reads->count < TOGETHER_LIMIT) reads->syms[reads->count++] = sym;
}

// Is the loop left at its header only? Then nothing else of it happens in the iteration in which it is left.
static bool is_left_at_header(const Scan *scan, const CfgLoop *loop, uint32_t index) {
  for (uint32_t i = 1; i < loop->blocks.count; i++) { // [0] is the header
    const IrInst *last = ir_terminator(scan->fn, loop->blocks.items[i]);
    for (uint32_t k = 0; k < last->block_count; k++)
      if (!cfg_loop_contains(scan->cfg, index, last->blocks[k])) return false;
  }
  return true;
}

// The value, stored in the block, with intervals for the numbers of iterations of loops of so many rounds.
static ExprRef with_rounds(Group *group, ExprRef value, uint32_t block) {
  Scan *scan = group->scan;
  for (uint32_t l = scan->cfg->loop_of[block]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent) {
    const CfgLoop *loop = &scan->cfg->loops.items[l];
    uint32_t rounds = exits_rounds(scan, l);
    bool is_less = block != loop->header && is_left_at_header(scan, loop, l);
    if (rounds == 0 || rounds > INT32_MAX / 2 || rounds < 1u + is_less) continue;
    Asked numbers = {.lo = 0, .hi = (int64_t)rounds - 1 - is_less};
    ExprRef iteration = frame_iteration(group->frame, l), between = any_between(scan->pool, &numbers, 32);
    value = expr_replace(scan->pool, value, &iteration, &between, 1);
  }
  return value;
}

// The value with intervals for what it reads of such arrays; 0: it reads where nothing is stored so far.
static ExprRef with_ranges(Group *group, ExprRef value) {
  Reads reads = {.kept = kept_of(group->scan)};
  ExprPool *pool = group->scan->pool;
  ExprRef from[TOGETHER_LIMIT], to[TOGETHER_LIMIT];
  uint32_t count = 0;
  expr_each_sym(pool, value, add_read, &reads);
  for (uint32_t i = 0; i < reads.count; i++) {
    const Asked *asked = asked_of(group, reads.kept->loads.items[reads.syms[i]] - 1);
    if (!asked || asked->is_any) continue;
    if (asked->lo > asked->hi) return 0;
    from[count] = expr_sym(pool, reads.syms[i]);
    to[count] = any_between(pool, asked, expr_width(pool, from[count]));
    count++;
  }
  return expr_replace(pool, value, from, to, count);
}

// ---- what is stored

static void widen_to(Group *group, int64_t lo, int64_t hi) {
  if (lo < group->lo) group->lo = lo;
  if (hi > group->hi) group->hi = hi;
}

static bool widen(Group *group, const IrInst *store, uint8_t width) {
  ExprRef value = frame_word(group->frame, store->ops[1], width);
  int64_t lo = 0, hi = 0;
  if (!value) return false;
  value = with_ranges(group, with_rounds(group, value, store->block));
  if (!value) return true;
  expr_range(group->scan->pool, value, &lo, &hi);
  widen_to(group, lo, hi);
  return true;
}

static bool widen_by_fill(Group *group, const IrInst *inst, uint32_t bytes) {
  Scan *scan = group->scan;
  Fill fill;
  if (!locals_fill(scan, inst, &fill)) return false;
  for (int64_t at = 0; at + bytes <= fill.bytes; at += bytes) {
    int64_t word = 0;
    ExprRef value = locals_fill_word(scan, &fill, expr_const(scan->pool, 64, at), bytes);
    if (!value || !expr_is_const(scan->pool, value, &word)) return false;
    widen_to(group, word, word);
  }
  return true;
}

// By the thread itself.
static bool widen_by_own(Group *group, const IrInst *load) {
  LocalStores stores;
  if (!locals_stores(group->frame, load, &stores)) return false;
  for (uint32_t i = 0; i < stores.count; i++) {
    const IrInst *store = &group->scan->fn->insts.items[stores.insts[i]];
    bool is_known = store->op == IR_STORE ? widen(group, store, symeval_width(load->type))
                                          : widen_by_fill(group, store, load->type.bytes);
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
static bool widen_by_block(Group *group, const Access *load, uint32_t object) {
  const Scan *scan = group->scan;
  uint8_t width = symeval_width(scan->fn->insts.items[load->inst].type);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (write->kind == ACCESS_READ || !access_may_touch(scan, a, object) ||
        access_is_apart(scan, load, write))
      continue;
    if (!is_store_of(scan, write, load) || !widen(group, &scan->fn->insts.items[write->inst], width))
      return false;
  }
  return true;
}

// ---- the fixed point
static int64_t all_bits_up_to(int64_t number) {
  uint64_t bits = (uint64_t)number;
  for (uint32_t by = 1; by < 64; by *= 2)
    bits |= bits >> by;
  return (int64_t)bits;
}

// To what is stored as well; in the end to all numbers of so many bits, and to anything. false: it was there already.
static bool grow(Asked *asked, int64_t lo, int64_t hi) {
  if (lo >= asked->lo && hi <= asked->hi) return false;
  asked->lo = lo < asked->lo ? lo : asked->lo;
  asked->hi = hi > asked->hi ? hi : asked->hi;
  asked->is_any = ++asked->changes > CHANGES_LIMIT;
  if (asked->changes <= EXACT_CHANGES) return true;
  int64_t lowest = asked->lo < 0 ? ~asked->lo : 0, highest = asked->hi < 0 ? ~asked->hi : asked->hi;
  int64_t most = all_bits_up_to(lowest > highest ? lowest : highest);
  asked->hi = asked->hi < 0 ? -1 : most;
  asked->lo = asked->lo < 0 ? ~most : 0;
  return true;
}

static bool step(Group *group, uint32_t index) {
  Asked *asked = &group->loads[index];
  uint32_t object = 0;
  if (asked->is_any) return false;
  const Access *load = shared_load(group->scan, asked->inst, &object);
  group->lo = INT64_MAX;
  group->hi = INT64_MIN;
  bool is_known = load ? widen_by_block(group, load, object)
                       : widen_by_own(group, &group->scan->fn->insts.items[asked->inst]);
  if (is_known) return grow(asked, group->lo, group->hi);
  asked->is_any = true;
  return true;
}

// What is nowhere stored to is not known.
static bool drop_unset(Group *group) {
  bool has_any = false;
  for (uint32_t i = 0; i < group->count; i++) {
    Asked *asked = &group->loads[i];
    bool is_unset = !asked->is_any && asked->lo > asked->hi;
    asked->is_any |= is_unset;
    has_any |= is_unset;
  }
  return has_any;
}

static void find_ranges(Scan *scan, uint32_t index) {
  Group group = {.scan = scan, .frame = frame_make(scan, view_of_ranges(scan), NULL, NULL)};
  (void)asked_of(&group, index);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (uint32_t i = 0; i < group.count; i++) // which may add to them
      has_changed |= step(&group, i);
    if (!has_changed) has_changed = drop_unset(&group);
  }
  for (uint32_t i = 0; i < group.count; i++) {
    Asked asked = group.loads[i];
    kept_of(scan)->ranges[asked.inst] =
        (ReadRange){asked.is_any ? RANGE_UNKNOWN : RANGE_KNOWN, asked.lo, asked.hi};
  }
}

// Of the instruction's values, whichever thread has them, in any iteration of any loop; NULL: not known.
// While it is asked, nothing is.
static const ReadRange *range_of(Scan *scan, uint32_t index) {
  ASSERT(scan_has_inst(scan, index));
  if (scan->fn->insts.items[index].op != IR_LOAD) return NULL;
  Kept *kept = kept_of(scan);
  if (!kept->ranges) kept->ranges = arena_array(scan->arena, scan->fn->insts.count + 1, ReadRange);
  ReadRange *range = &kept->ranges[index];
  if (range->state == RANGE_NOT_ASKED) {
    range->state = RANGE_UNKNOWN;
    find_ranges(scan, index);
  }
  ASSERT(range->state != RANGE_NOT_ASKED && (range->state != RANGE_KNOWN || range->lo <= range->hi));
  return range->state == RANGE_KNOWN ? range : NULL;
}

static bool is_any_value(const ReadRange *range, uint8_t width) {
  return width >= 64 ||
         (range->lo <= -((int64_t)1 << (width - 1)) && range->hi >= ((int64_t)1 << (width - 1)) - 1);
}

// What the thread that intervals are found with reads.
static void note_load(Scan *scan, uint32_t index, ExprRef leaf) {
  ASSERT(scan_has_inst(scan, index));
  const ExprNode *node = expr_node(scan->pool, leaf);
  if (scan->fn->insts.items[index].op != IR_LOAD || node->op != EXPR_SYM) return;
  Kept *kept = kept_of(scan);
  while (kept->loads.count <= node->value)
    vec_push(scan->arena, &kept->loads, 0);
  kept->loads.items[node->value] = index + 1;
}

static void ranges_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  ASSERT(scan_has_inst(scan, index) && (!leaf || scan_has_expr(scan, leaf)));
  ExprPool *pool = scan->pool;
  uint32_t object = 0;
  if (leaf && frame->view->is_of_ranges) note_load(scan, index, leaf);
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

const ValueFacts ranges_facts = {.note = ranges_note, .is_of_third = true, .range = ranges_range};
