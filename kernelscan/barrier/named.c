// Who takes part in a barrier with a number (`bar.sync id, count`, `bar.arrive`)? Method: the block's threads
// are enumerated, and for each one the conditions on the way to the barrier are evaluated that speak of the
// thread's number only; other conditions are dropped. Where as many threads are left as the barrier counts,
// all of these take part, since it lets nobody pass before. A number that is computed from the thread's is
// one barrier for each value: together a synchronisation point for those who have the same one. A number that goes with
// the rounds of a loop is left to the phases. A barrier whose one instruction is executed by all of them in the same rounds
// is a synchronisation point for this part of the block; two instructions of one number that complete each
// other are judged in named_order.c. Soundness: members are over-approximated; equality with the count makes
// them exact. Whatever is not understood orders nothing here.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/barrier.h"
#include "kernelscan/interval.h"
#include "kernelscan/kernel.h"
#include "kernelscan/operations.h"

enum { BLOCK_LIMIT = 1024, ROUNDS_SEEN = 2 * NAMED_NUMBERS };

// Who comes to a block of the kernel, if that is one thread alone.
typedef struct OnlyOne {
  enum { NOT_ASKED, IS_ASKED, IS_KNOWN } state;
  int64_t thread; // -1: several, or not known
} OnlyOne;

// What is kept of a scan.
typedef struct Kept {
  NamedBarriers named;
  int64_t threads; // of a block, if that is known; else 0
  OnlyOne *only;   // by block of the kernel; NULL: of none was asked
  uint32_t asked;  // of how many it is being found out
  uint32_t cycles; // how often it was asked of one of which it was being found out
} Kept;

static Kept *kept_of(const Scan *scan) {
  return SCAN_STATE_OF(scan, named, Kept);
}

const NamedBarriers *named_all(const Scan *scan) {
  ASSERT(scan->points.count); // after scan_collect
  return &kept_of(scan)->named;
}

int64_t named_threads(const Scan *scan) {
  ASSERT(kept_of(scan)->threads >= 0 && kept_of(scan)->threads <= BLOCK_LIMIT);
  return kept_of(scan)->threads;
}

typedef struct Enumeration {
  Scan *scan;
  Arena *arena; // what is told of threads
  Frame *frame;
  int64_t dims[3];
  int64_t *values; // by symbol
  uint32_t symbol_count;
  uint32_t thread_syms[3]; // symbol + 1 of each axis, 0 if constant
  uint32_t elected_sym;    // likewise, of the lane that is elected, if that is said; else 0
} Enumeration;

typedef struct OnlyThreads {
  const Enumeration *enumeration;
  bool holds;
} OnlyThreads;

static void visit(void *context, uint32_t sym) {
  OnlyThreads *search = context;
  bool is_own = false;
  for (int axis = 0; axis < 3; axis++)
    is_own |= search->enumeration->thread_syms[axis] == sym + 1;
  is_own |= search->enumeration->elected_sym == sym + 1;
  search->holds &= is_own;
}

static bool speaks_of_thread_only(const Enumeration *e, ExprRef ref) {
  OnlyThreads search = {e, true};
  expr_each_sym(e->scan->pool, ref, visit, &search);
  return search.holds;
}

// The parts of the condition that may rule a thread out. Those that speak of more than its number do not.
typedef VEC(ExprRef) Parts;
static void find_parts(const Enumeration *e, ExprRef condition, Parts *parts) {
  const ExprNode node = *expr_node(e->scan->pool, condition);
  if (node.op == EXPR_AND) {
    find_parts(e, node.a, parts);
    find_parts(e, node.b, parts);
  } else if (speaks_of_thread_only(e, condition)) {
    vec_push(e->arena, parts, condition);
  }
}

static bool may_hold(const Enumeration *e, const Parts *parts) {
  ExprEnv env = {e->values, e->symbol_count, NULL, NULL};
  for (uint32_t i = 0; i < parts->count; i++) {
    int64_t value = 1;
    if (expr_eval(e->scan->pool, parts->items[i], &env, &value) == EXPR_EVAL_OK && !value) return false;
  }
  return true;
}

static bool count_threads(Scan *scan, int64_t dims[3]) {
  Kept *kept = kept_of(scan);
  kept->threads = 1;
  for (int axis = 0; axis < 3; axis++) {
    if (!expr_is_const(scan->pool, scan->launch->block[axis], &dims[axis]) || dims[axis] < 1 ||
        dims[axis] > BLOCK_LIMIT)
      kept->threads = 0;
    kept->threads *= kept->threads ? dims[axis] : 0;
    if (kept->threads > BLOCK_LIMIT) kept->threads = 0;
  }
  return kept->threads > 0;
}

static bool start(Scan *scan, Enumeration *e, Arena *arena) {
  *e = (Enumeration){.scan = scan, .arena = arena};
  View *view = view_fresh(scan, NULL);
  e->frame = frame_make(scan, view, NULL, NULL);
  for (int axis = 0; axis < 3; axis++) {
    const ExprNode *node = expr_node(scan->pool, view->thread_idx[axis]);
    if (node->op == EXPR_SYM) e->thread_syms[axis] = (uint32_t)node->value + 1;
    if (e->thread_syms[axis] > e->symbol_count) e->symbol_count = e->thread_syms[axis];
  }
  e->values = arena_array(arena, e->symbol_count + 1, int64_t);
  return count_threads(scan, e->dims);
}

static void name_thread(const Enumeration *e, int64_t t) {
  int64_t idx[3] = {t % e->dims[0], t / e->dims[0] % e->dims[1], t / e->dims[0] / e->dims[1]};
  for (int axis = 0; axis < 3; axis++)
    if (e->thread_syms[axis]) e->values[e->thread_syms[axis] - 1] = idx[axis];
}

static void enumerate(const Enumeration *e, ExprRef condition, Named *named) {
  Parts parts = {0};
  find_parts(e, condition, &parts);
  named->members = arena_array(e->arena, (size_t)kept_of(e->scan)->threads, uint8_t);
  for (int64_t t = 0; t < kept_of(e->scan)->threads; t++) {
    name_thread(e, t);
    named->members[t] = may_hold(e, &parts);
    named->member_count += named->members[t];
  }
}

// ---- numbers that threads compute
static bool number_of_thread(const Enumeration *e, ExprRef word, int64_t t, int64_t *number) {
  ExprEnv env = {e->values, e->symbol_count, NULL, NULL};
  name_thread(e, t);
  return expr_eval(e->scan->pool, word, &env, number) == EXPR_EVAL_OK && *number >= 0 &&
         *number < NAMED_NUMBERS;
}

// One entry for each number that threads which may come there have; false: not known.
static bool add_computed(Enumeration *e, const Named *named, ExprRef word) {
  Scan *scan = e->scan;
  Kept *kept = kept_of(scan);
  Named all = *named;
  uint32_t first = kept->named.count;
  if (!kept->threads || !speaks_of_thread_only(e, word)) return false;
  enumerate(e, meeting_block_condition(e->frame, scan->fn->insts.items[named->inst].block), &all);
  for (int64_t t = 0; t < kept->threads; t++) {
    Named *of = NULL;
    int64_t number = 0;
    if (!all.members[t]) continue;
    if (!number_of_thread(e, word, t, &number)) {
      kept->named.count = first;
      return false;
    }
    for (uint32_t i = first; i < kept->named.count; i++)
      if (kept->named.items[i].number == number) of = &kept->named.items[i];
    if (!of) {
      Named made = *named;
      made.number = number;
      made.computed = word;
      made.members = arena_array(scan->arena, (size_t)kept->threads, uint8_t);
      vec_push(scan->arena, &kept->named, made);
      of = &vec_last(&kept->named);
    }
    of->members[t] = 1;
    of->member_count++;
  }
  return kept->named.count > first;
}

// ---- numbers that go with the rounds of a loop
static bool number_in(const Scan *scan, const View *view, uint32_t loop, IrRef of, int64_t round,
                      int64_t *number) {
  ExprRef *iteration = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  iteration[loop] = expr_const(scan->pool, 32, round);
  ExprRef word = frame_word(frame_make((Scan *)scan, view, iteration, NULL), of, 32);
  return word && expr_is_const(scan->pool, word, number) && *number >= 0 && *number < NAMED_NUMBERS;
}

// One entry for each number of the first rounds, the same for all threads. Whether it goes on like that is asked by
// whoever tells rounds apart (phases_named.c); whoever does not, takes nothing of them.
static bool add_in_turn(Enumeration *e, const Named *named) {
  Scan *scan = e->scan;
  Kept *kept = kept_of(scan);
  const IrInst *barrier = &scan->fn->insts.items[named->inst];
  uint32_t loop = scan->cfg->loop_of[barrier->block], seen = 0;
  if (!kept->threads || loop == CFG_NONE) return false;
  int64_t rounds = exits_rounds(scan, loop);
  for (int64_t k = 0; k < (rounds && rounds < ROUNDS_SEEN ? rounds : ROUNDS_SEEN); k++) {
    int64_t number = 0;
    if (!number_in(scan, e->frame->view, loop, barrier->ops[0], k, &number)) return false;
    seen |= 1u << number;
  }
  Named made = *named;
  made.is_in_turn = true;
  enumerate(e, meeting_block_condition(e->frame, barrier->block), &made);
  for (made.number = 0; made.number < NAMED_NUMBERS; made.number++)
    if (seen >> made.number & 1) vec_push(scan->arena, &kept->named, made);
  return true;
}

static void add_named(Enumeration *e, uint32_t inst) {
  Scan *scan = e->scan;
  Kept *kept = kept_of(scan);
  const IrInst *barrier = &scan->fn->insts.items[inst];
  Named named = {.inst = inst, .waits = barrier->imm == IR_BARRIER_NAMED, .count = kept->threads};
  SymValue number = frame_value(e->frame, barrier->ops[0]);
  bool is_known = number.kind == SYM_WORD && expr_is_const(scan->pool, number.word, &named.number);
  bool is_count = kept->threads > 0;
  if (barrier->op_count > 1) {
    SymValue count = frame_value(e->frame, barrier->ops[1]);
    is_count = count.kind == SYM_WORD && expr_is_const(scan->pool, count.word, &named.count);
  }
  is_known &= is_count;
  if (!is_known && is_count && number.kind == SYM_WORD &&
      (add_computed(e, &named, number.word) || add_in_turn(e, &named)))
    return;
  if (is_known && kept->threads)
    enumerate(e, meeting_block_condition(e->frame, barrier->block), &named);
  else
    scan_undecided(scan, barrier->loc, "who takes part in this barrier is not known");
  vec_push(scan->arena, &kept->named, named);
}

// ---- barriers that are one instruction
// Do all threads that the condition lets through take the same way at the branch, whenever they come there
// together?
static bool turns_together(const Enumeration *e, uint32_t branch, uint32_t to) {
  const IrInst *end = ir_terminator(e->scan->fn, branch);
  if (uniform_ref(e->scan, end->ops[0])) return true;
  ExprRef condition = frame_edge_condition(e->frame, branch, to);
  return condition && speaks_of_thread_only(e, condition);
}

// All members execute the instruction equally often: every branch that decides is uniform, or decides who is
// a member.
static bool is_executed_together(const Enumeration *e, uint32_t inst) {
  Scan *scan = e->scan;
  const Cfg *cfg = scan->cfg;
  uint32_t block = scan->fn->insts.items[inst].block;
  for (uint32_t l = cfg->loop_of[block]; l != CFG_NONE; l = cfg->loops.items[l].parent)
    if (scan->alike.exits_diverge[l]) return false;
  CfgEdges deps = cfg_all_control_deps(cfg, block, scan->arena);
  for (uint32_t d = 0; d < deps.count; d++)
    if (!turns_together(e, deps.items[d].from, deps.items[d].to)) return false;
  return true;
}

static bool same_members(const Scan *scan, const Named *a, const Named *b) {
  return memcmp(a->members, b->members, (size_t)kept_of(scan)->threads) == 0;
}

// Nobody else can arrive in place of a member: all instructions of this number have the same members.
static bool is_self_contained(const Enumeration *e, const Named *named) {
  const Scan *scan = e->scan;
  Kept *kept = kept_of(scan);
  if (!named->waits || !named->members || named->member_count != named->count || named->is_in_turn)
    return false;
  for (uint32_t i = 0; i < kept->named.count; i++) {
    const Named *other = &kept->named.items[i];
    if (!other->members) return false;
    if (other->number != named->number) continue;
    if (other->is_in_turn || !other->waits || other->count != named->count ||
        !same_members(scan, named, other))
      return false;
    if (!is_executed_together(e, other->inst)) return false;
  }
  return true;
}

static bool find_range(const Scan *scan, const uint8_t *members, Cover *cover) {
  uint32_t count = 0;
  cover->value = cover->end = 0;
  for (uint32_t t = 0; t < kept_of(scan)->threads; t++) {
    if (!members[t]) continue;
    if (cover->end == 0) cover->value = t;
    cover->end = t + 1;
    count++;
  }
  return cover->end - cover->value == count;
}

static const Named *first_of(const Scan *scan, uint32_t inst) {
  const NamedBarriers *all = named_all(scan);
  for (uint32_t i = 0; i < all->count; i++)
    if (all->items[i].inst == inst) return &all->items[i];
  BUG("an instruction that is no barrier with a number");
}

// All threads that come to an instruction whose number is computed, in whichever of its barriers.
static bool find_range_of_all(const Scan *scan, uint32_t inst, Cover *cover) {
  const Kept *kept = kept_of(scan);
  uint8_t *members = arena_array(scan->arena, (size_t)kept->threads + 1, uint8_t);
  for (uint32_t i = 0; i < kept->named.count; i++)
    for (int64_t t = 0; t < kept->threads && kept->named.items[i].inst == inst; t++)
      members[t] |= kept->named.items[i].members[t];
  return find_range(scan, members, cover);
}

// The number of the first instruction that computes it so: those of one number are one cover.
static IrRef number_of(const Scan *scan, const Named *named) {
  const NamedBarriers *all = named_all(scan);
  uint32_t i = 0;
  while (all->items[i].computed != named->computed)
    i++;
  return scan->fn->insts.items[all->items[i].inst].ops[0];
}

static void add_point(Scan *scan, const Named *named) {
  Point point = {.inst = named->inst,
                 .node = scan_node_behind(scan, named->inst),
                 .block = scan->fn->insts.items[named->inst].block,
                 .scope = IR_SCOPE_BLOCK};
  if (named->count != kept_of(scan)->threads) {
    Cover cover = {.kind = named->computed ? COVER_NUMBER : COVER_RANGE, .is_of_block = true};
    if (named->computed) cover.predicate = number_of(scan, named);
    if (named->computed ? !find_range_of_all(scan, named->inst, &cover)
                        : !find_range(scan, named->members, &cover))
      return;
    point.cover = scan_add_cover(scan, cover);
    if (!point.cover) return;
  }
  vec_push(scan->arena, &scan->points, point);
}

// A computed number counts only if each of the barriers that it stands for holds its own threads together.
static void settle_computed(const Enumeration *e, uint32_t inst) {
  Scan *scan = e->scan;
  Kept *kept = kept_of(scan);
  Cover all;
  bool are_points = find_range_of_all(scan, inst, &all);
  for (uint32_t i = 0; i < kept->named.count; i++) {
    const Named *named = &kept->named.items[i];
    if (named->inst == inst) are_points &= is_self_contained(e, named);
  }
  for (uint32_t i = 0; i < kept->named.count && !are_points; i++)
    if (kept->named.items[i].inst == inst) kept->named.items[i].members = NULL;
  if (!are_points)
    scan_undecided(scan, scan->fn->insts.items[inst].loc, "who takes part in this barrier is not known");
}

// Warps come as a whole, as the instruction is an aligned one, and a count that is given is one of whole warps; else what it does is undefined.
static bool is_of_whole_warps(const Scan *scan, const Named *named) {
  int64_t threads = kept_of(scan)->threads;
  for (int64_t t = 1; t < threads; t++)
    if (t % 32 != 0 && named->members[t] != named->members[t - 1]) return false;
  return named->count % 32 == 0 || named->count == threads;
}

static void drop_parts_of_warps(Scan *scan) {
  Kept *kept = kept_of(scan);
  for (uint32_t i = 0; i < kept->named.count; i++) {
    Named *named = &kept->named.items[i];
    if (!named->members || is_of_whole_warps(scan, named)) continue;
    named->members = NULL;
    scan_undecided(scan, scan->fn->insts.items[named->inst].loc,
                   "this barrier is for parts of warps, of which it is not defined what they do");
  }
}

void named_find(Scan *scan) {
  ASSERT(scan->points.count && !kept_of(scan)->named.count); // after scan_collect, once
  Kept *kept = kept_of(scan);
  if (!scan_text(scan)->has_named_barrier) return;
  Enumeration e;
  start(scan, &e, scan->arena);
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool is_named =
        inst->op == IR_BARRIER && (inst->imm == IR_BARRIER_NAMED || inst->imm == IR_BARRIER_NAMED_ARRIVE);
    if (is_named && scan->cfg->rpo_number[inst->block] != CFG_NONE) add_named(&e, i);
  }
  drop_parts_of_warps(scan);
  for (uint32_t i = 0; i < kept->named.count; i++) {
    const Named *named = &kept->named.items[i];
    if (named->computed && named == first_of(scan, named->inst) && named->members)
      settle_computed(&e, named->inst);
  }
  for (uint32_t i = 0; i < kept->named.count; i++) {
    const Named *named = &kept->named.items[i];
    if (named == first_of(scan, named->inst) && is_self_contained(&e, named)) add_point(scan, named);
  }
}

int64_t named_count_threads(Scan *scan) {
  int64_t dims[3];
  count_threads(scan, dims);
  ASSERT(kept_of(scan)->threads >= 0 && kept_of(scan)->threads <= BLOCK_LIMIT);
  return kept_of(scan)->threads;
}

// `elected`: the lane that is, or -1 where that is not said.
static bool find_members(Scan *scan, uint32_t block, int64_t elected, uint8_t *members) {
  Enumeration e;
  Named named = {0};
  Arena *scratch = arena_open();
  bool is_known = start(scan, &e, scratch);
  const ExprNode *node =
      elected >= 0 && e.frame->view->elected ? expr_node(scan->pool, e.frame->view->elected) : NULL;
  if (is_known && node) {
    e.elected_sym = (uint32_t)node->value + 1;
    if (e.symbol_count < e.elected_sym) e.symbol_count = e.elected_sym;
    e.values = arena_array(scratch, e.symbol_count + 1, int64_t);
    e.values[e.elected_sym - 1] = elected;
  }
  if (is_known) {
    enumerate(&e, meeting_block_condition(e.frame, block), &named);
    memcpy(members, named.members, (size_t)kept_of(scan)->threads);
  }
  arena_close(scratch);
  return is_known;
}

bool named_may_execute(Scan *scan, uint32_t block, uint8_t *members) {
  ASSERT(scan_has_block(scan, block));
  return find_members(scan, block, -1, members);
}

static int64_t find_only_one(Scan *scan, uint32_t block) {
  int64_t threads = named_count_threads(scan), one = -1, count = 0;
  Arena *scratch = arena_open();
  uint8_t *members = arena_array(scratch, (size_t)threads + 1, uint8_t);
  if (threads && find_members(scan, block, -1, members))
    for (int64_t t = 0; t < threads; t++) {
      count += members[t];
      if (members[t]) one = t;
    }
  arena_close(scratch);
  return count == 1 ? one : -1;
}

// On the way to the answer the same may be asked again, of which nothing is known then. What leaned on that is kept only for the
// question that all others came from.
int64_t named_only_one(Scan *scan, uint32_t block) {
  ASSERT(scan_has_block(scan, block));
  Kept *kept = kept_of(scan);
  if (!kept->only) kept->only = arena_array(scan->arena, scan->fn->blocks.count, OnlyOne);
  OnlyOne *only = &kept->only[block];
  if (only->state == IS_KNOWN) return only->thread;
  if (only->state == IS_ASKED) {
    kept->cycles++;
    return -1;
  }
  uint32_t cycles = kept->cycles;
  only->state = IS_ASKED;
  kept->asked++;
  int64_t thread = find_only_one(scan, block);
  bool is_whole = --kept->asked == 0 || kept->cycles == cycles || thread >= 0;
  *only = (OnlyOne){is_whole ? IS_KNOWN : NOT_ASKED, thread};
  return thread;
}

bool named_may_execute_if(Scan *scan, uint32_t block, int64_t elected, uint8_t *members) {
  ASSERT(scan_has_block(scan, block));
  return find_members(scan, block, elected, members);
}

bool named_where(Scan *scan, IrRef ref, int64_t value, uint8_t *members) {
  ASSERT(scan_has_ref(scan, ref));
  Enumeration e;
  if (!start(scan, &e, scan->arena)) return false;
  ExprRef word = frame_word(e.frame, ref, 32);
  ExprEnv env = {e.values, e.symbol_count, NULL, NULL};
  for (int64_t t = 0; t < kept_of(scan)->threads; t++) {
    int64_t of_thread = 0;
    name_thread(&e, t);
    if (!word || expr_eval(scan->pool, word, &env, &of_thread) != EXPR_EVAL_OK) return false;
    members[t] = of_thread == value;
  }
  return true;
}

ExprRef named_membership(Scan *scan, const View *view, const uint8_t *members) {
  ASSERT(view_is_made(view));
  Kept *kept = kept_of(scan);
  ExprPool *pool = scan->pool;
  ExprRef any = expr_bool(pool, false);
  for (int64_t t = 0; t < kept->threads;) {
    int64_t end = t;
    while (end < kept->threads && members[end])
      end++;
    if (end > t) {
      ExprRef from = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, t), view->linear),
              to = expr_binary(pool, EXPR_SLT, 0, view->linear, expr_const(pool, 32, end));
      any = expr_or(pool, any, expr_and(pool, from, to));
    }
    t = end + 1;
  }
  return any;
}
