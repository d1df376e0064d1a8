// Between which values does a counter of a block lie when a thread draws a number from it, or reads it? `if
// (threadIdx.x == 0) n = 0; __syncthreads(); list[atomicAdd(&n, 1)] = x` stays below the number of threads.
// Method: all writes to the cell are resets to constants and additions of amounts that are constants not
// below zero. One reset R counts if thread 0 surely makes it before a barrier P that all threads pass on
// their way to the reading, and if no thread adds to the cell twice without P between: by paths in the graph
// of nodes, R stands between the same two barriers as no addition, P is the only barrier that comes next
// after R, and what comes to P again comes through the block that decides about R again. Then the number is
// at least the smallest reset, and at most the largest one and one amount per addition and thread. Soundness:
// all threads of a block pass the same barriers in the same order (a divergent one leaves the kernel
// undecided anyway), no thread leaves the kernel before P by a branch that is not uniform, and values are
// constants for all threads and iterations; else nothing is known.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/graph.h"
#include "kernelscan/barrier.h"

enum { SITE_LIMIT = 16, MOST_THREADS = 1024 };

// Between which values a counter of the block lies where an instruction reads it (counter_bounds.c).
typedef struct Bounds {
  bool is_asked, is_known;
  int64_t lo, hi, per_thread; // in [lo, hi + per_thread * threads of the block]
} Bounds;

// What is kept of a scan: both by instruction, of any thread (view_anyone).
typedef struct Kept {
  Bounds *bounds;
  uint32_t *last_write; // of a load: 0: not asked, 1: not known, or the store + 2
} Kept;

static Kept *kept_of(Scan *scan) {
  Kept *kept = SCAN_STATE_OF(scan, counter_bounds, Kept);
  if (kept->bounds) return kept;
  kept->bounds = arena_array(scan->arena, scan->fn->insts.count, Bounds);
  kept->last_write = arena_array(scan->arena, scan->fn->insts.count, uint32_t);
  return kept;
}

typedef struct Cell {
  uint32_t object;
  int64_t offset;
  uint32_t bytes;
} Cell;

typedef struct Writes {
  Cell cell;
  uint32_t resets[SITE_LIMIT], sites[SITE_LIMIT]; // instructions
  int64_t amounts[SITE_LIMIT];                    // of the sites: at most
  uint32_t reset_count, site_count;
  int64_t lo, hi; // of what is reset to
} Writes;

// ---- writes

// Where the address lies for all threads and iterations; false: not one place of shared memory.
static bool read_cell(Frame *any, IrRef address, uint32_t bytes, Cell *cell) {
  SymValue value = frame_value(any, address);
  if (value.kind != SYM_POINTER || value.target_count != 1) return false;
  const Target *target = &value.targets[0];
  *cell = (Cell){target->object, 0, bytes};
  return !target->condition && !target->key && any->scan->objects.items[target->object].kind == OBJ_SHARED &&
         expr_is_const(any->scan->pool, target->offset, &cell->offset);
}

typedef enum Touch { TOUCHES_NOT, TOUCHES_CELL, TOUCHES_SOMEHOW } Touch;

static Touch how_it_touches(Frame *any, const Access *access, const Cell *cell) {
  const Reach *reach = &any->scan->reaches[access - any->scan->accesses.items];
  bool may = !reach->is_complete;
  for (uint32_t i = 0; i < reach->count; i++)
    may |= reach->objects[i] == cell->object;
  if (!may) return TOUCHES_NOT;
  Cell other;
  if (!access->bytes || !read_cell(any, access->address, access->bytes, &other)) return TOUCHES_SOMEHOW;
  if (other.object != cell->object || other.offset + other.bytes <= cell->offset ||
      cell->offset + cell->bytes <= other.offset)
    return TOUCHES_NOT;
  return other.offset == cell->offset && other.bytes == cell->bytes ? TOUCHES_CELL : TOUCHES_SOMEHOW;
}

static bool value_range(Frame *any, IrRef value, int64_t *lo, int64_t *hi) {
  ExprRef word = frame_word(any, value, symeval_width(ir_ref_type(any->scan->module, any->scan->fn, value)));
  if (!word) return false;
  expr_range(any->scan->pool, word, lo, hi);
  return true;
}

static bool add_write(Frame *any, const Access *access, Writes *writes) {
  const IrInst *inst = &any->scan->fn->insts.items[access->inst];
  int64_t lo = 0, hi = 0;
  if (access->is_async || access->is_loose || writes->reset_count == SITE_LIMIT ||
      writes->site_count == SITE_LIMIT)
    return false;
  bool is_reset = inst->op == IR_STORE, is_site = inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_ADD;
  if ((!is_reset && !is_site) || !value_range(any, inst->ops[1], &lo, &hi)) return false;
  if (lo < -MOST_THREADS || hi > MOST_THREADS || (is_site && lo < 0)) return false;
  if (is_site) {
    writes->amounts[writes->site_count] = hi;
    writes->sites[writes->site_count++] = access->inst;
    return true;
  }
  if (writes->reset_count == 0 || lo < writes->lo) writes->lo = lo;
  if (writes->reset_count == 0 || hi > writes->hi) writes->hi = hi;
  writes->resets[writes->reset_count++] = access->inst;
  return true;
}

// ---- paths

// The barrier of the whole block at which the node ends; 0 (kernel entry): none.
static uint32_t barrier_of(const Scan *scan, uint32_t node) {
  const Node *at = &scan->nodes.items[node];
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (at->end > at->first && point->inst == at->end - 1 && !point->cover && !point->is_divergent &&
        point->scope >= IR_SCOPE_BLOCK)
      return p;
  }
  return 0;
}

// The nodes that come after `from`; ways end at barriers, at the node `without` and at the block `around`
// (CFG_NONE: no such).
static const uint8_t *after(Scan *scan, uint32_t from, bool stops, uint32_t without, uint32_t around) {
  NodeWalk walk = node_walk(scan);
  node_walk_next(&walk, from);
  while (walk.depth) {
    uint32_t node = walk.stack[--walk.depth];
    if (node == without || scan->nodes.items[node].block == around || (stops && barrier_of(scan, node)))
      continue;
    node_walk_next(&walk, node);
  }
  return node_walk_end(&walk);
}

static bool ends_kernel(const Scan *scan, uint32_t node) {
  uint32_t block = scan->nodes.items[node].block;
  return node == scan->node_first[block + 1] - 1 &&
         scan->cfg->succ_first[block] == scan->cfg->succ_first[block + 1];
}

// The one barrier that comes next after the node, on all ways: the node that ends with it; CFG_NONE: there is
// no such.
static uint32_t next_barrier(Scan *scan, uint32_t node) {
  const uint8_t *ways = after(scan, node, true, CFG_NONE, CFG_NONE);
  uint32_t found = CFG_NONE;
  if (barrier_of(scan, node)) return node;
  for (uint32_t n = 0; n < scan->nodes.count; n++) {
    if (!ways[n]) continue;
    if (ends_kernel(scan, n)) return CFG_NONE;
    if (!barrier_of(scan, n)) continue;
    if (found != CFG_NONE) return CFG_NONE;
    found = n;
  }
  return found;
}

// Do the two stand between the same two barriers, on some way?
static bool share_a_stretch(Scan *scan, uint32_t one, uint32_t other) {
  uint32_t entry = scan->node_first[0];
  if (one == other) return true;
  for (uint32_t n = 0; n < scan->nodes.count; n++) {
    bool is_barrier = barrier_of(scan, n) != 0;
    if (!is_barrier && n != entry) continue;
    const uint8_t *ways = after(scan, n, true, CFG_NONE, CFG_NONE);
    bool holds_itself = n == entry && !is_barrier; // the stretch from kernel entry begins with it
    if ((ways[one] || (holds_itself && one == n)) && (ways[other] || (holds_itself && other == n)))
      return true;
  }
  return false;
}

// By block: whether control comes to the block of the barrier hangs on the branch at its end.
static const uint8_t *branches_above(Scan *scan, uint32_t barrier) {
  uint8_t *seen = arena_array(scan->arena, scan->cfg->block_count, uint8_t);
  CfgEdges edges = cfg_all_control_deps(scan->cfg, scan->nodes.items[barrier].block, scan->arena);
  for (uint32_t e = 0; e < edges.count; e++)
    seen[edges.items[e].from] = 1;
  return seen;
}

// Can a branch that is not uniform decide whether a thread leaves the kernel without passing the barrier?
static bool may_leave_before(Scan *scan, uint32_t barrier) {
  const uint8_t *above = branches_above(scan, barrier);
  for (uint32_t block = 0; block < scan->fn->blocks.count; block++) {
    const IrInst *end = ir_terminator(scan->fn, block);
    if (scan->cfg->rpo_number[block] == CFG_NONE || !end || !ir_inst_is(end, IR_FORKS)) continue;
    if (!above[block] || uniform_ref(scan, end->ops[0])) continue;
    const uint8_t *ways = after(scan, scan->node_first[block + 1] - 1, false, barrier, CFG_NONE);
    if (!ways[barrier]) continue;
    for (uint32_t n = 0; n < scan->nodes.count; n++)
      if (ways[n] && n != barrier && ends_kernel(scan, n)) return true;
  }
  return false;
}

// Can the write have been made when the cell is read or drawn from, by whichever thread?
static bool may_precede(Frame *any, const Access *write, uint32_t reading) {
  Scan *scan = any->scan;
  uint32_t node = node_of_inst(scan, reading);
  if (write->inst == reading || resets_is_behind_reading(any, write, reading)) return write->inst == reading;
  return share_a_stretch(scan, write->node, node) || node_later(scan, write->node)[node];
}

static bool find_writes(Frame *any, uint32_t reading, Writes *writes) {
  const Scan *scan = any->scan;
  if (scan->has_opaque) return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *access = &scan->accesses.items[a];
    if (access->kind == ACCESS_READ) continue;
    Touch touch = how_it_touches(any, access, &writes->cell);
    if (touch == TOUCHES_NOT || !may_precede(any, access, reading)) continue;
    if (touch == TOUCHES_SOMEHOW || !add_write(any, access, writes)) return false;
  }
  return writes->reset_count > 0;
}

// ---- the reset

// Thread 0 of the block goes from the one block to the other.
static bool is_passed_by_first(Frame *any, uint32_t from, uint32_t to) {
  Scan *scan = any->scan;
  if (from == to) return true;
  ExprRef passes = frame_exact_condition(any, from, to);
  if (!passes) return false;
  Goal goal = {0};
  for (int axis = 0; axis < 3; axis++)
    goal_add(scan, &goal, expr_eq(scan->pool, any->view->thread_idx[axis], expr_const(scan->pool, 32, 0)),
             GOAL_CONTEXT, 0);
  goal_add(scan, &goal, expr_not(scan->pool, passes), GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, any->view);
  goal_add_launch(scan, &goal);
  return goal.is_false ||
         goal_satisfiable(scan, &goal, "the first thread does not set the counter").verdict == VERDICT_SAFE;
}

// The node with the barrier between this reset and all that is added; CFG_NONE: the reset does not count.
static uint32_t barrier_behind(Frame *any, const Writes *writes, uint32_t reset) {
  Scan *scan = any->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[reset].block, node = node_of_inst(scan, reset),
           barrier = next_barrier(scan, node);
  if (barrier == CFG_NONE) return CFG_NONE;
  uint32_t behind = scan->nodes.items[barrier].block;
  uint32_t from = block; // where it is decided, perhaps by several tests
  while (!cfg_dominates(cfg, from, behind) && cfg->idom[from] != from)
    from = cfg->idom[from];
  bool is_in_one_round =
      cfg->loop_of[from] == cfg->loop_of[block] && cfg->loop_of[from] == cfg->loop_of[behind];
  bool is_before = behind == from ? block == from && reset < scan->nodes.items[barrier].end
                                  : cfg_dominates(cfg, from, behind);
  if (!is_in_one_round || !is_before) return CFG_NONE;
  for (uint32_t s = 0; s < writes->site_count; s++) {
    uint32_t site = node_of_inst(scan, writes->sites[s]);
    if (site == barrier || share_a_stretch(scan, node, site)) return CFG_NONE;
    if (after(scan, site, false, barrier, CFG_NONE)[site]) return CFG_NONE; // added to twice
  }
  if (behind != from && after(scan, barrier, false, CFG_NONE, from)[barrier]) return CFG_NONE;
  if (may_leave_before(scan, barrier) || !is_passed_by_first(any, from, block)) return CFG_NONE;
  return barrier;
}

static bool comes_after(const Scan *scan, uint32_t barrier, uint32_t inst) {
  uint32_t block = scan->nodes.items[barrier].block, at = scan->fn->insts.items[inst].block;
  return block == at ? scan->nodes.items[barrier].end <= inst : cfg_dominates(scan->cfg, block, at);
}

bool counter_bounds_is_set_before(Frame *any, uint32_t reset, uint32_t site) {
  ASSERT(any->view);
  ASSERT(scan_has_inst(any->scan, reset));
  ASSERT(scan_has_inst(any->scan, site));
  uint32_t barrier = barrier_behind(any, &(Writes){0}, reset);
  return barrier != CFG_NONE && comes_after(any->scan, barrier, site);
}

uint32_t counter_bounds_period(Frame *any, const uint32_t *sites, uint32_t count, uint32_t reset) {
  ASSERT(any->view);
  ASSERT(scan_has_inst(any->scan, reset));
  Scan *scan = any->scan;
  Writes writes = {.site_count = count};
  if (count > SITE_LIMIT) return CFG_NONE;
  memcpy(writes.sites, sites, count * sizeof *sites);
  uint32_t barrier = barrier_behind(any, &writes, reset);
  for (uint32_t s = 0; s < count && barrier != CFG_NONE; s++) {
    uint32_t node = node_of_inst(scan, sites[s]);
    const uint8_t *later = after(scan, node, false, barrier, CFG_NONE);
    for (uint32_t other = 0; other < count; other++) {
      uint32_t next = node_of_inst(scan, sites[other]);
      if (other != s && (next == node || later[next])) return CFG_NONE;
    }
  }
  return barrier;
}

// ---- the last write

// No other write to the cell stands between the same two barriers as the store, or comes after it.
static bool is_last(Frame *any, const Access *store, const Cell *cell) {
  Scan *scan = any->scan;
  if (after(scan, store->node, false, CFG_NONE, CFG_NONE)[store->node]) return false;
  const uint8_t *later = node_later(scan, store->node);
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *other = &scan->accesses.items[a];
    if (other == store || other->kind == ACCESS_READ || how_it_touches(any, other, cell) == TOUCHES_NOT)
      continue;
    if (other->is_async || later[other->node] || share_a_stretch(scan, store->node, other->node))
      return false;
  }
  return true;
}

static uint32_t find_last_write(Frame *any, uint32_t load) {
  Scan *scan = any->scan;
  const IrInst *inst = &scan->fn->insts.items[load];
  Cell cell;
  if (scan->has_opaque || !read_cell(any, inst->ops[0], inst->type.bytes, &cell)) return CFG_NONE;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *store = &scan->accesses.items[a];
    if (scan->fn->insts.items[store->inst].op != IR_STORE || store->is_async || store->is_loose ||
        how_it_touches(any, store, &cell) != TOUCHES_CELL || !is_last(any, store, &cell))
      continue;
    uint32_t barrier = barrier_behind(any, &(Writes){.cell = cell}, store->inst);
    if (barrier != CFG_NONE && comes_after(scan, barrier, load)) return store->inst;
  }
  return CFG_NONE;
}

uint32_t counter_bounds_last_write(Scan *scan, uint32_t load) {
  BUG_UNLESS(load < scan->fn->insts.count);
  uint32_t *known = &kept_of(scan)->last_write[load];
  if (*known) return *known == 1 ? CFG_NONE : *known - 2;
  *known = 1; // also while it is asked
  uint32_t found = find_last_write(frame_make(scan, view_anyone(scan), NULL, NULL), load);
  if (found != CFG_NONE) *known = found + 2;
  return found;
}

// ---- bounds

// Amounts that one thread may have added since the barrier behind the last reset. What is not added between
// the same barriers as the reading, and comes to it only by way of that barrier, is gone: the reset lies
// between.
static int64_t added_since(Scan *scan, const Writes *writes, uint32_t barrier, uint32_t reading) {
  uint32_t node = node_of_inst(scan, reading);
  int64_t sum = 0;
  for (uint32_t s = 0; s < writes->site_count; s++) {
    uint32_t site = node_of_inst(scan, writes->sites[s]);
    if (site == node || share_a_stretch(scan, site, node) || node_may_leave(scan, site) ||
        after(scan, site, false, barrier, CFG_NONE)[node])
      sum += writes->amounts[s];
  }
  return sum;
}

static Bounds find_bounds(Frame *any, uint32_t index) {
  Scan *scan = any->scan;
  const IrInst *inst = &scan->fn->insts.items[index];
  Writes writes = {0};
  Bounds bounds = {0};
  if (!read_cell(any, inst->ops[0], inst->type.bytes, &writes.cell) || !find_writes(any, index, &writes))
    return bounds;
  for (uint32_t r = 0; r < writes.reset_count; r++) {
    uint32_t barrier = barrier_behind(any, &writes, writes.resets[r]);
    if (barrier == CFG_NONE || !comes_after(scan, barrier, index)) continue;
    int64_t added = added_since(scan, &writes, barrier, index);
    if (!bounds.is_known || added < bounds.per_thread) bounds.per_thread = added;
    bounds.is_known = true;
  }
  bounds.lo = writes.lo;
  bounds.hi = writes.hi;
  for (uint32_t s = 0; s < writes.site_count; s++)
    if (writes.sites[s] == index)
      bounds.hi -= writes.amounts[s]; // what it adds itself comes after what it draws
  return bounds;
}

// The number of threads, 64 bits; a constant where only that is of use.
static ExprRef thread_count(Scan *scan) {
  ExprPool *pool = scan->pool;
  ExprRef count = 0;
  int64_t size = 0;
  for (int axis = 0; axis < 3; axis++) {
    ExprRef dim = expr_resize_unsigned(pool, scan->launch->block[axis], 64);
    if (expr_is_const(pool, dim, &size) && size == 1) continue;
    if (count) return expr_const(pool, 64, named_threads(scan) ? named_threads(scan) : MOST_THREADS);
    count = dim;
  }
  return count ? count : expr_const(pool, 64, 1);
}

static void counter_bounds_note(Frame *frame, uint32_t index, ExprRef leaf) {
  Scan *scan = frame->scan;
  ExprPool *pool = scan->pool;
  const IrInst *inst = &scan->fn->insts.items[index];
  bool is_drawn = inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_ADD,
       is_vote = inst->op == IR_BARRIER && inst->imm == IR_BARRIER_REDUCE_COUNT;
  if (!leaf || (!is_drawn && !is_vote && inst->op != IR_LOAD) || inst->type.kind != IR_INT ||
      inst->type.bits < 32)
    return;
  Bounds *known = &kept_of(scan)->bounds[index];
  if (!known->is_asked) {
    *known = (Bounds){.is_asked = true}; // what its own address leads back to knows nothing
    *known = is_vote ? (Bounds){.is_known = true, .per_thread = 1}
                     : find_bounds(frame_make(scan, view_anyone(scan), NULL, NULL), index);
    known->is_asked = true;
  }
  if (!known->is_known) return;
  ExprRef wide = expr_resize_signed(pool, leaf, 64);
  ExprRef most =
      expr_binary(pool, EXPR_MUL, EXPR_NSW, expr_const(pool, 64, known->per_thread), thread_count(scan));
  most = expr_binary(pool, EXPR_ADD, EXPR_NSW, most, expr_const(pool, 64, known->hi));
  ExprRef within = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 64, known->lo), wide),
                            expr_binary(pool, EXPR_SLE, 0, wide, most));
  if (invariants_say(scan, within)) return;
  vec_push(scan->arena, &scan->invariants, (Invariant){.leaf = leaf, .condition = within});
}

const ValueFacts counter_bounds_facts = {.note = counter_bounds_note,
                                         .last_write = counter_bounds_last_write};
