// What is wrong with the synchronisation itself, whatever races come of it? A barrier of the whole grid in a
// launch that is not cooperative; a lock that is taken while it is held, kept at the end of the thread, or
// given back by somebody who cannot hold it; a barrier that expects more arrivals than can come; a warp
// operation whose mask leaves out a lane that executes it (masks.c). Method: the locksets of order_lock_discipline.c.
// Soundness: findings only, nothing is proved by them; each one holds on every way to the place that it
// names.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/finding/finding.h"
#include "kernelscan/graph.h"
#include "kernelscan/interval.h"
#include "kernelscan/operations.h"
#include "kernelscan/order.h"

void misuse_report(Scan *scan, const Misuse *misuse) {
  Finding finding = {.rule = misuse->rule,
                     .level = finding_rule_info(misuse->rule)->level,
                     .certainty = misuse->certainty,
                     .cause = misuse->cause,
                     .kernel = scan->fn->display,
                     .object = "synchronisation",
                     .message = misuse->message,
                     .launch = scan->launch->description,
                     .launch_loc = scan->launch->loc,
                     .count = 1};
  finding_name_rule(scan, &finding);
  finding_hint_of_cause(scan, &finding);
  const SrcLoc *at = ir_loc(scan->module, scan->fn->insts.items[misuse->inst].loc), *second = misuse->second;
  finding.accesses[0] = (FindingAccess){ACCESS_READ, *at, 0};
  finding.accesses[1] = (FindingAccess){ACCESS_READ, second && second->file ? *second : *at, 0};
  for (uint32_t i = 0; i < scan->result->findings.count; i++) {
    const Finding *old = &scan->result->findings.items[i];
    if (old->rule == misuse->rule && old->accesses[0].loc.line == at->line &&
        old->accesses[0].loc.column == at->column)
      return;
  }
  vec_push(scan->arena, &scan->result->findings, finding);
}

static void report(Scan *scan, FindingRule rule, const char *cause, uint32_t inst, const SrcLoc *second,
                   const char *message) {
  misuse_report(scan, &(Misuse){rule, CERTAINTY_DEFINITE, cause, inst, second, message});
}

// ---- barriers of the grid
void misuse_grid_barriers(Scan *scan) {
  if (scan->launch->is_cooperative || scan->launch->is_any) return;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (point->scope != IR_SCOPE_DEVICE) continue;
    report(scan, RULE_GRID_BARRIER, "not-cooperative", point->inst, &scan->launch->loc,
           "barrier of the whole grid in a launch that is not cooperative: blocks may not be resident "
           "together, and "
           "the barrier has no meaning");
  }
}

// ---- locks
static const SrcLoc *place_of(const Scan *scan, uint32_t inst) {
  return ir_loc(scan->module, scan->fn->insts.items[inst].loc);
}

// Does any thread of the launch go from the block to this successor (CFG_NONE: come to the block)? Where none
// does, nothing is held or missing.
static bool is_gone(Scan *scan, uint32_t block, uint32_t to) {
  View *view = view_fresh(scan, NULL);
  Frame *frame = frame_make(scan, view, NULL, NULL);
  ExprRef taken = to == CFG_NONE ? 0 : frame_edge_condition(frame, block, to);
  Goal goal = {0};
  goal_add(scan, &goal, meeting_block_condition(frame, block), GOAL_CONFLICT, 0);
  if (taken) goal_add(scan, &goal, taken, GOAL_CONFLICT, 0);
  goal_add_view(scan, &goal, view);
  goal_add_launch(scan, &goal);
  return !goal.is_false &&
         goal_satisfiable(scan, &goal, "a thread comes to what is done with a lock").verdict != VERDICT_SAFE;
}

static bool is_come_to(Scan *scan, uint32_t inst) {
  return is_gone(scan, scan->fn->insts.items[inst].block, CFG_NONE);
}

static void check_taken_twice(Order *order, const LockSite *site) {
  Scan *scan = order->scan;
  uint32_t held = 0;
  if (!site->is_fixed || site->is_shared || !order_holds_word(order, site->access, &held)) return;
  if (!is_come_to(scan, site->access->inst)) return;
  report(scan, RULE_LOCK_MISUSE, "taken-twice", site->access->inst, place_of(scan, held),
         arena_printf(
             scan->arena,
             "the lock that was taken at line %u is held here and taken again: the thread waits for itself",
             place_of(scan, held)->line));
}

static void check_given_back(Order *order, const LockSite *site) {
  Scan *scan = order->scan;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    int64_t stored = 0;
    // What counts readers down, or up, may leave the lock taken.
    bool frees = operation_stored_constant(scan, write, &stored) && stored == site->free_value;
    if (write->kind != ACCESS_ATOMIC || !frees || !order_gives_back(order, site, write->inst) ||
        order_may_hold(order, site, write) || order_starts_taken(order, site) ||
        !is_come_to(scan, write->inst)) // what is taken at the start is handed on by who opens it
      continue;
    report(
        scan, RULE_LOCK_MISUSE, "not-held", write->inst, place_of(scan, site->access->inst),
        arena_printf(scan->arena,
                     "the lock that is taken at line %u is given back here by a thread that does not hold it",
                     place_of(scan, site->access->inst)->line));
  }
}

static bool ends_the_thread(const Scan *scan, uint32_t block) {
  const IrBlock *info = &scan->fn->blocks.items[block];
  for (uint32_t i = info->first; i + 1 < info->first + info->count; i++)
    if (scan->fn->insts.items[i].op != IR_PHI) return false; // may give it back
  return ir_terminator(scan->fn, block)->op == IR_RET;
}

static void check_kept(Order *order, uint32_t s) {
  Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  const LockSite *site = &order->locks[s];
  if (!site->is_released) return; // won once, and kept for good
  for (uint32_t b = 0; b < cfg->block_count; b++) {
    if (cfg->rpo_number[b] == CFG_NONE) continue;
    uint32_t end = scan->fn->blocks.items[b].first + scan->fn->blocks.items[b].count - 1;
    bool leaves = scan->fn->insts.items[end].op == IR_RET;
    for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1]; e++)
      leaves |= cfg->succ_first[b + 1] - cfg->succ_first[b] == 1 && ends_the_thread(scan, cfg->succs[e]);
    if (!leaves || !order_must_hold_at(order, s, end) || !is_come_to(scan, end)) continue;
    uint32_t at = scan->fn->insts.items[end].loc ? end : site->access->inst;
    report(scan, RULE_LOCK_MISUSE, "never-given-back", at, place_of(scan, site->access->inst),
           arena_printf(scan->arena, "the thread ends here and still holds the lock that it took at line %u",
                        place_of(scan, site->access->inst)->line));
  }
}

// From where it holds the lock.
typedef struct Onward {
  const Order *order;
  uint32_t site;
  bool goes_on; // to the end of the thread, or to where it takes the lock
} Onward;

// Finds where it may give the lock back.
static GraphStep visit_holder(const Scan *scan, uint32_t inst, void *context) {
  Onward *onward = context;
  bool takes = inst == onward->order->locks[onward->site].access->inst;
  onward->goes_on |= takes || scan->fn->insts.items[inst].op == IR_RET;
  if (takes) return GRAPH_STOPS;
  return onward->order->may_end[inst] >> onward->site & 1 ? GRAPH_FOUND : GRAPH_GOES_ON;
}

// Does a later place on the way from this block tell of the lock that is kept?
static bool is_told_later(Order *order, uint32_t s, uint32_t block) {
  const Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  for (uint32_t steps = 0; steps < cfg->block_count; steps++) {
    const IrBlock *info = &scan->fn->blocks.items[block];
    if (steps && ends_the_thread(scan, block)) return true;
    if (!order_must_hold_at(order, s, info->first + info->count - 1)) return false;
    if (cfg->succ_first[block + 1] - cfg->succ_first[block] != 1) return true;
    block = cfg->succs[cfg->succ_first[block]];
  }
  return false;
}

static bool stays_in_loop(const Scan *scan, uint32_t loop, IrRef ref, int depth) {
  const IrInst *inst = ir_inst(scan->fn, ref);
  if (!inst || !cfg_loop_contains(scan->cfg, loop, inst->block)) return true;
  if (depth == 0 || inst->op == IR_PHI || (ir_op_flags((IrOp)inst->op) & (IR_READS | IR_WRITES)))
    return false;
  for (uint32_t o = 0; o < inst->op_count; o++)
    if (!stays_in_loop(scan, loop, inst->ops[o], depth - 1)) return false;
  return true;
}

// Whoever does not get the lock tries again: it is not won once, which may be kept.
static bool is_waited_for(const Scan *scan, const LockSite *site) {
  const IrInst *take = &scan->fn->insts.items[site->access->inst];
  uint32_t loop = scan->cfg->loop_of[take->block];
  return loop != CFG_NONE && stays_in_loop(scan, loop, take->ops[0], 16);
}

// One way out of a branch gives the lock back, another one does not.
static void check_forgotten(Order *order, uint32_t s) {
  Scan *scan = order->scan;
  const Cfg *cfg = scan->cfg;
  const LockSite *site = &order->locks[s];
  if (!site->is_released || !is_waited_for(scan, site)) return;
  for (uint32_t b = 0; b < cfg->block_count; b++) {
    uint32_t end = scan->fn->blocks.items[b].first + scan->fn->blocks.items[b].count - 1;
    bool is_branch = cfg->rpo_number[b] != CFG_NONE && cfg->succ_first[b + 1] - cfg->succ_first[b] > 1;
    if (!is_branch || !order_must_hold_at(order, s, end)) continue;
    bool forgets = false, remembers = false;
    for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1]; e++) {
      Onward onward = {order, s, false};
      bool gives_back = graph_walk(
          scan,
          &(GraphWalk){.from = CFG_NONE, .block = cfg->succs[e], .visit = visit_holder, .context = &onward});
      remembers |= gives_back;
      forgets |= !gives_back && onward.goes_on && !is_told_later(order, s, cfg->succs[e]) &&
                 is_gone(scan, b, cfg->succs[e]);
    }
    if (!forgets || !remembers) continue;
    report(scan, RULE_LOCK_MISUSE, "never-given-back", end, place_of(scan, site->access->inst),
           arena_printf(scan->arena,
                        "one of the two ways from here never gives back the lock that was taken at line %u",
                        place_of(scan, site->access->inst)->line));
  }
}

void misuse_locks(Scan *scan) {
  Order *order = order_get(scan);
  if (!order->has_strong_access) return;
  for (uint32_t s = 0; s < order->lock_count; s++) {
    if (order->locks[s].is_turn || order->locks[s].is_asked || order->locks[s].is_counted) continue;
    check_taken_twice(order, &order->locks[s]);
    check_given_back(order, &order->locks[s]);
    check_kept(order, s);
    check_forgotten(order, s);
  }
}

// ---- barriers that wait for ever
static void report_endless(Scan *scan, uint32_t inst, const SrcLoc *wait, const char *what) {
  report(scan, RULE_ENDLESS_WAIT, "too-many-expected", inst, wait,
         arena_printf(scan->arena, "%s: each of them arrives once, and nobody comes past the wait", what));
}

void misuse_objects(Scan *scan) {
  const Meets *meets = arrivals_all(scan);
  for (uint32_t i = 0; i < meets->count; i++) {
    const Meet *meet = &meets->items[i];
    if (meet->endless && operation_is_wait(&scan->fn->insts.items[meet->inst]))
      report_endless(scan, meet->endless, place_of(scan, meet->inst),
                     "the barrier object expects more arrivals than the block has threads");
  }
}

// No thread comes to the barrier again without having waited, so in a phase each counts once.
static bool arrives_once(const Scan *scan, const Named *named) {
  return named->waits || scan->cfg->loop_of[scan->fn->insts.items[named->inst].block] == CFG_NONE;
}

void misuse_named(Scan *scan) {
  const NamedBarriers *all_named = named_all(scan);
  for (uint32_t i = 0; i < all_named->count; i++) {
    const Named *named = &all_named->items[i];
    int64_t arrivals = 0;
    bool is_known = named->waits && named->members && named->member_count > 0;
    for (uint32_t j = 0; j < all_named->count; j++) {
      const Named *other = &all_named->items[j];
      is_known &= other->members != NULL;
      if (other->number != named->number) continue;
      is_known &= other->count == named->count && arrives_once(scan, other);
      arrivals += other->member_count;
    }
    if (is_known && arrivals < named->count)
      report_endless(
          scan, named->inst, NULL,
          arena_printf(scan->arena,
                       "the barrier with the number %lld waits for %lld threads, and %lld can come",
                       (long long)named->number, (long long)named->count, (long long)arrivals));
  }
}
