// Which of the facts that hold at a launch say something of it?
// Method: the facts on the way to the launch, down the dominator tree of each frame of the chain, hang on
// the symbols that they speak of. From one launch to the next the way stays as far as it is the same, so
// that a long function is not gone through for each launch in it. Facts are kept that share symbols with the
// launch, directly or through others, the nearest first where there are many; conditions that say nothing
// of it may still contradict each other.
// Soundness: all facts on the way hold whenever the launch happens (facts.c); dropping some is sound.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/facts/facts.h"
#include "core/bug.h"
#include "core/finding.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/objects.h"
#include "hostscan/terms.h"
#include "hostscan/value.h"

#include <stdlib.h>

// ---- the way to the launch
// The outermost loop around `above` that is over at `below`.
static uint32_t finished_loop(const Cfg *cfg, uint32_t above, uint32_t below) {
  uint32_t found = CFG_NONE, loop = cfg->loop_of[above];
  for (; loop != CFG_NONE && !cfg_loop_contains(cfg, loop, below); loop = cfg->loops.items[loop].parent)
    found = loop;
  return found;
}

// A fact about a loop that is over says something of the launch only through a value of that loop.
static bool speaks_of(const HostScan *scan, const HostFact *fact, uint32_t sym) {
  uint32_t loop = fact->loop;
  if (loop == CFG_NONE && fact->above != CFG_NONE)
    loop = finished_loop(fact->frame->function->cfg, fact->above, fact->frame->seen_from);
  return loop == CFG_NONE || host_sym_varies(scan, sym, fact->frame, loop);
}

static void link_to(HostScan *scan, uint32_t index, uint32_t sym, bool is_late) {
  HostFactLink link = {.fact = index, .next = host_sym(scan, sym)->facts, .sym = sym, .is_late = is_late};
  if (scan->fact_links.count == 0) vec_push(scan->arena, &scan->fact_links, (HostFactLink){0});
  host_sym(scan, sym)->facts = scan->fact_links.count;
  vec_push(scan->arena, &scan->fact_links, link);
}

static bool is_condition(const HostFact *fact) {
  return fact->fact.class == FACT_ASSERT || fact->fact.class == FACT_LOOP;
}

// One of several things of which one can always be, since nothing else speaks of it, says nothing: it counts
// only where that one does.
static void link_fact(HostScan *scan, uint32_t index) {
  HostFact *fact = &scan->facts.items[index];
  if (fact->is_linked) return; // listed twice
  bool is_free = fact->tested && host_sym(scan, fact->tested)->fact_count == 1;
  fact->is_linked = true;
  fact->is_free = is_free;
  fact->order = scan->linked_facts.count;
  vec_push(scan->arena, &scan->linked_facts, index);
  if (fact->is_closed) vec_push(scan->arena, &scan->closed_facts, index);
  if (scan->options && scan->options->prove && is_condition(fact) && !fact->is_unasked) {
    fact->is_unasked = true;
    vec_push(scan->arena, &scan->unasked_facts, index);
  }
  if (is_free) {
    host_sym(scan, fact->tested)->is_tested = true;
    vec_push(scan->arena, &scan->free_facts, index);
    link_to(scan, index, fact->tested, false);
    return;
  }
  for (uint32_t k = 0; k < fact->sym_count; k++) // a loop that is over here stays so on the way
    if (speaks_of(scan, fact, fact->syms[k])) link_to(scan, index, fact->syms[k], false);
}

// Since they were linked, something else may have come to speak of what they test.
static void link_unfreed(HostScan *scan) {
  if (!scan->has_unfreed) return;
  scan->has_unfreed = false;
  for (uint32_t i = 0; i < scan->free_facts.count; i++) {
    uint32_t index = scan->free_facts.items[i];
    HostFact *fact = &scan->facts.items[index];
    if (!fact->is_free || host_sym(scan, fact->tested)->fact_count == 1) continue;
    fact->is_free = false;
    for (uint32_t k = 0; k < fact->sym_count; k++)
      if (fact->syms[k] != fact->tested) link_to(scan, index, fact->syms[k], true);
  }
}

static void unlink_last(HostScan *scan) {
  HostFactLink link = vec_last(&scan->fact_links);
  scan->fact_links.count--;
  host_sym(scan, link.sym)->facts = link.next;
  if (!link.is_late) return;
  scan->facts.items[link.fact].is_free = true; // if that itself stays
  scan->has_unfreed = true;
}

static void shorten_path(HostScan *scan, uint32_t count) {
  while (scan->fact_path.count > count) {
    HostFactStep step = vec_last(&scan->fact_path);
    while (scan->fact_links.count > step.links)
      unlink_last(scan);
    while (scan->linked_facts.count > step.facts)
      scan->facts.items[scan->linked_facts.items[--scan->linked_facts.count]].is_linked = false;
    scan->free_facts.count = step.free;
    scan->closed_facts.count = step.closed;
    if (step.inst == CFG_NONE) step.frame->path_at[step.block] = 0;
    scan->fact_path.count--;
  }
}

// One step: into a frame or block (`inst` CFG_NONE), or past a call in the last block.
static void add_step(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t inst) {
  const IndexList *found = NULL;
  HostFactStep step = {frame,
                       block,
                       inst,
                       scan->fact_links.count,
                       scan->linked_facts.count,
                       scan->free_facts.count,
                       scan->closed_facts.count};
  if (step.links == 0) step.links = 1;
  if (inst != CFG_NONE)
    found = host_facts_of_call(scan, frame, inst);
  else if (frame->function->cfg->idom[block] != block)
    found = host_facts_of_step(scan, frame, block);
  else if (frame->condition)
    found = host_facts_of_frame(scan, frame);
  if (inst == CFG_NONE) frame->path_at[block] = scan->fact_path.count + 1;
  vec_push(scan->arena, &scan->fact_path, step);
  for (uint32_t i = found ? found->count : 0; i-- > 0;) // they are listed from below
    link_fact(scan, found->items[i]);
}

static void make_facts_in(HostScan *scan, HostFrame *frame, uint32_t block, uint32_t limit) {
  const HostFunction *function = frame->function;
  for (uint32_t i = function->fact_first[block + 1]; i-- > function->fact_first[block];)
    if (function->facts[i] < limit) (void)host_facts_of_call(scan, frame, function->facts[i]);
}

// Facts are made from the launch upwards: what is near says first how it is put.
static void make_facts(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t block = frame->function->ir->insts.items[inst].block;
  if (cfg->rpo_number[block] != CFG_NONE) {
    frame->seen_from = block;
    make_facts_in(scan, frame, block, inst);
    for (; cfg->idom[block] != block && !(frame->path_at && frame->path_at[block]);
         block = cfg->idom[block]) {
      uint32_t above = cfg->idom[block];
      (void)host_facts_of_step(scan, frame, block);
      make_facts_in(scan, frame, above, host_facts_limit(frame, above, block));
    }
  }
  if (frame->condition) (void)host_facts_of_frame(scan, frame);
  if (frame->parent) make_facts(scan, frame->parent, frame->call);
}

static bool is_step(const HostScan *scan, uint32_t at, const HostFrame *frame, uint32_t block,
                    uint32_t inst) {
  if (at >= scan->fact_path.count) return false;
  const HostFactStep *step = &scan->fact_path.items[at];
  return step->frame == frame && step->block == block && step->inst == inst;
}

// Goes on with this step: that of the launch before, if it went the same way.
static uint32_t take_step(HostScan *scan, uint32_t count, HostFrame *frame, uint32_t block, uint32_t inst) {
  if (!is_step(scan, count, frame, block, inst)) {
    shorten_path(scan, count);
    add_step(scan, frame, block, inst);
  }
  return count + 1;
}

static uint32_t pass_calls(HostScan *scan, uint32_t count, HostFrame *frame, uint32_t block, uint32_t limit) {
  const HostFunction *function = frame->function;
  for (uint32_t i = function->fact_first[block]; i < function->fact_first[block + 1]; i++)
    if (function->facts[i] < limit) count = take_step(scan, count, frame, block, function->facts[i]);
  return count;
}

// The steps to the instruction; those of the launch before that lead the same way stay. Their number.
static uint32_t walk_to(HostScan *scan, HostFrame *frame, uint32_t inst) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t count = frame->parent ? walk_to(scan, frame->parent, frame->call) : 0;
  uint32_t last = frame->function->ir->insts.items[inst].block;
  if (!frame->path_at) frame->path_at = arena_array(scan->arena, cfg->block_count + 1u, uint32_t);
  count = take_step(scan, count, frame, cfg->rpo[0], CFG_NONE);
  if (cfg->rpo_number[last] == CFG_NONE) return count;
  frame->seen_from = last;
  IndexList below = {0};
  uint32_t block = last;
  for (; frame->path_at[block] == 0; block = cfg->idom[block])
    vec_push(scan->arena, &below, block);
  for (count = frame->path_at[block]; below.count; block = vec_last(&below), below.count--) {
    uint32_t next = vec_last(&below);
    count = pass_calls(scan, count, frame, block, host_facts_limit(frame, block, next));
    count = take_step(scan, count, frame, next, CFG_NONE);
  }
  return pass_calls(scan, count, frame, last, inst);
}

// ---- relevance
enum { FACT_LIMIT = 200 };

typedef struct Relevance {
  HostScan *scan;
  uint32_t active; // round of the launch
  uint32_t round;  // of the facts that are gathered now
  uint32_t kept;
  IndexList *members; // those, if somebody wants them
  IndexList *side;    // those that hold anywhere, likewise
  bool is_of_before;  // only of what variables held before a call that may have changed them
} Relevance;

static bool mark_sym(void *context, uint32_t sym) {
  Relevance *r = context;
  uint32_t *round = &host_sym(r->scan, sym)->round;
  if (*round != r->round) vec_push(r->scan->arena, &r->scan->fact_work, sym);
  *round = r->round;
  return true;
}

static void mark(Relevance *r, ExprRef ref) {
  if (ref) host_each_sym(r->scan, ref, mark_sym, r);
}

static void mark_launch(Relevance *r, const LaunchContext *launch) {
  for (uint32_t i = 0; i < 3; i++) {
    mark(r, launch->grid[i]);
    if (launch->cluster[i]) mark(r, launch->cluster[i]);
    mark(r, launch->block[i]);
  }
  mark(r, launch->shared_bytes);
  for (uint32_t i = 1; i < launch->objects.count; i++)
    mark(r, launch->objects.items[i].size_bytes);
  for (uint32_t i = 0; i < launch->facts.count; i++)
    mark(r, launch->facts.items[i].condition);
  for (uint32_t i = 0; i < launch->contents.count; i++) {
    const LaunchContent *content = &launch->contents.items[i];
    mark(r, content->value);
    mark(r, content->is_written);
    for (uint32_t k = 0; k < content->conditions.count; k++)
      mark(r, content->conditions.items[k]);
  }
  for (uint32_t a = 0; a < launch->args.count; a++)
    for (uint32_t p = 0; p < launch->args.items[a].pieces.count; p++) {
      const ArgPiece *piece = &launch->args.items[a].pieces.items[p];
      mark(r, piece->word);
      for (uint32_t t = 0; t < piece->target_count; t++) {
        mark(r, piece->targets[t].condition);
        mark(r, piece->targets[t].offset);
      }
    }
}

static void mark_fact(Relevance *r, const HostFact *fact) {
  for (uint32_t i = 0; i < fact->sym_count; i++)
    (void)mark_sym(r, fact->syms[i]);
}

static bool keep(Relevance *r, uint32_t index, uint32_t sym) {
  HostFact *fact = &r->scan->facts.items[index];
  if (fact->kept >= r->active || !speaks_of(r->scan, fact, sym)) return false;
  fact->kept = r->round;
  fact->is_of_before = r->is_of_before;
  r->kept++;
  if (r->members) vec_push(r->scan->arena, r->members, index);
  mark_fact(r, fact);
  return true;
}

// A contradiction by itself, whatever it speaks of.
static void keep_closed(Relevance *r, uint32_t index) {
  r->scan->facts.items[index].kept = r->round;
  vec_push(r->scan->arena, r->members, index);
}

static void keep_facts_of(Relevance *r, uint32_t sym) {
  HostScan *scan = r->scan;
  const HostSym info = *host_sym(scan, sym);
  uint32_t link = info.facts;
  for (; link && r->kept < FACT_LIMIT; link = scan->fact_links.items[link].next)
    (void)keep(r, scan->fact_links.items[link].fact, sym);
  for (link = info.side_facts; link && r->kept < FACT_LIMIT; link = scan->side_links.items[link].next) {
    uint32_t index = scan->side_links.items[link].fact;
    if (keep(r, index, sym) && r->side) vec_push(scan->arena, r->side, index);
  }
}

// Equal conditions from several places: the one nearest to the root stays.
static bool is_repeated(const Relevance *r, ExprRef condition) {
  HostScan *scan = r->scan;
  while (scan->said.count <= condition)
    vec_push(scan->arena, &scan->said, 0);
  bool is_known = scan->said.items[condition] == r->active;
  scan->said.items[condition] = r->active;
  return is_known;
}

// ---- facts that say nothing of the launch's values

// They can still contradict each other: then the launch never happens. Asked for each group of facts that
// share symbols, once.
enum { GROUP_LIMIT = 60 };

static bool group_contradicts(HostScan *scan, const IndexList *group) {
  ExprRef conditions[GROUP_LIMIT];
  uint32_t count = 0, asserts = 0;
  HostKey key = {{MEMO_GROUP}};
  for (uint32_t i = 0; i < group->count; i++)
    asserts += is_condition(&scan->facts.items[group->items[i]]);
  if (asserts < 2 || group->count > GROUP_LIMIT) return false;
  for (uint32_t i = 0; i < group->count; i++) {
    conditions[count++] = host_settle(scan, scan->facts.items[group->items[i]].fact.condition);
    uint64_t hash = str_hash((const char *)&group->items[i], sizeof group->items[i],
                             (uint64_t)key.word[2] << 32 | key.word[1]);
    key.word[1] = (uint32_t)hash;
    key.word[2] = (uint32_t)(hash >> 32);
  }
  key.word[3] = group->items[0];
  key.word[4] = group->count;
  uint32_t known = host_map_get(&scan->memo, key);
  if (known) return known == TRI_YES;
  bool holds = scan->options->prove(scan->options->prove_context, scan->pool, count, conditions,
                                    expr_bool(scan->pool, false));
  host_map_put(&scan->memo, key, holds ? TRI_YES : TRI_NO);
  return holds;
}

static bool is_contradicted(const Relevance *launch_facts, uint32_t index) {
  HostScan *scan = launch_facts->scan;
  HostFact *first = &scan->facts.items[index];
  IndexList group = {0};
  Relevance r = {scan, launch_facts->active, ++scan->fact_round, 0, &group, NULL, false};
  scan->fact_work.count = 0;
  first->kept = r.round;
  vec_push(scan->arena, &group, index);
  mark_fact(&r, first);
  for (uint32_t k = 0; k < scan->fact_work.count; k++)
    keep_facts_of(&r, scan->fact_work.items[k]);
  return group_contradicts(scan, &group);
}

// The nearest first. What was asked about, and does not contradict, is not asked about again below.
static void add_contradiction(const Relevance *launch_facts, LaunchContext *launch) {
  HostScan *scan = launch_facts->scan;
  IndexList *open = &scan->unasked_facts;
  bool is_found = false;
  uint32_t left = open->count;
  for (uint32_t i = open->count; i-- > 0;) {
    uint32_t index = open->items[i];
    HostFact *fact = &scan->facts.items[index];
    fact->is_unasked = false;
    if (!fact->is_linked || fact->kept > launch_facts->active) continue;
    bool is_kept = is_found || fact->kept == launch_facts->active;
    if (!is_kept && is_contradicted(launch_facts, index)) {
      Fact dead = {.condition = expr_bool(scan->pool, false),
                   .class = FACT_ASSERT,
                   .loc = fact->fact.loc,
                   .text = "the conditions on the way to the launch contradict each other"};
      vec_push(scan->arena, &launch->facts, dead);
      is_kept = is_found = true;
    }
    if (!is_kept) continue;
    scan->facts.items[index].is_unasked = true;
    open->items[--left] = index; // towards the end, in order
  }
  uint32_t count = open->count - left;
  for (uint32_t i = 0; i < count; i++)
    open->items[i] = open->items[left + i];
  open->count = count;
}

static bool is_about_sign(const HostScan *scan, const HostFact *fact, ExprOp op, ExprRef *what) {
  const ExprNode *node = expr_node(scan->pool, fact->fact.condition);
  int64_t zero = 1;
  *what = node->b;
  return node->op == op && expr_is_const(scan->pool, node->a, &zero) && zero == 0;
}

// 0 <= n where 0 < n is known as well.
static void drop_weaker(Relevance *r, const IndexList *kept) {
  HostScan *scan = r->scan;
  ExprRef what = 0;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < kept->count; i++) {
      HostFact *fact = &scan->facts.items[kept->items[i]];
      if (!is_about_sign(scan, fact, pass ? EXPR_SLE : EXPR_SLT, &what)) continue;
      while (scan->positive.count <= what)
        vec_push(scan->arena, &scan->positive, 0);
      if (pass == 0) scan->positive.items[what] = r->active;
      if (pass == 1 && scan->positive.items[what] == r->active) fact->kept = 0;
    }
}

static int compare_down(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static int compare_later(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return *x > *y ? -1 : *x < *y;
}

// From the root to the launch, then those that hold anywhere.
static IndexList in_order(HostScan *scan, const IndexList *kept, IndexList *side) {
  IndexList result = {0};
  VEC(uint64_t) own = {0};
  for (uint32_t i = 0; i < kept->count; i++) {
    const HostFact *fact = &scan->facts.items[kept->items[i]];
    if (fact->is_linked) vec_push(scan->arena, &own, (uint64_t)fact->order << 32 | kept->items[i]);
  }
  if (own.count) qsort(own.items, own.count, sizeof *own.items, compare_down);
  for (uint32_t i = 0; i < own.count; i++)
    vec_push(scan->arena, &result, (uint32_t)own.items[i]);
  if (side->count) qsort(side->items, side->count, sizeof *side->items, compare_later);
  for (uint32_t i = 0; i < side->count; i++)
    vec_push(scan->arena, &result, side->items[i]);
  return result;
}

// What is known of the symbols that were marked since the last time.
static void follow(Relevance *r, LaunchContext *launch, uint32_t *followed) {
  HostScan *scan = r->scan;
  const IndexList *work = &scan->fact_work;
  for (; *followed < work->count; ++*followed) {
    uint32_t sym = work->items[*followed], holder = host_sym(scan, sym)->holder;
    host_loop_checks_say(scan, sym);
    keep_facts_of(r, sym);
    if (holder && scan->objects.items[holder].is_trusted) launch->assumptions |= ASSUME_HOST_MEMORY;
    if (holder && scan->objects.items[holder].is_apart) launch->assumptions |= ASSUME_NO_ALIAS;
    if (host_sym(scan, sym)->cell)
      vec_push(scan->arena, &scan->content_syms, sym);
    else if (holder)
      vec_push(scan->arena, &scan->element_syms, sym);
  }
}

void host_facts_collect(HostScan *scan, HostFrame *frame, uint32_t inst, LaunchContext *launch) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(launch);
  IndexList *work = &scan->fact_work, kept = {0}, side = {0};
  make_facts(scan, frame, inst);
  shorten_path(scan, walk_to(scan, frame, inst));
  link_unfreed(scan);
  work->count = scan->content_syms.count = scan->element_syms.count = 0;
  Relevance r = {.scan = scan, .active = ++scan->fact_round, .round = scan->fact_round};
  r.members = &kept;
  r.side = &side;
  for (uint32_t i = 0; i < scan->closed_facts.count; i++)
    keep_closed(&r, scan->closed_facts.items[i]);
  mark_launch(&r, launch);
  uint32_t followed = 0;
  follow(&r, launch, &followed);
  r.is_of_before = true;
  for (uint32_t i = 0; i < work->count; i++) {
    mark(&r, host_doubts_say(scan, frame, inst, work->items[i], launch));
    follow(&r, launch, &followed);
  }
  host_doubts_of_functions(scan, launch);
  drop_weaker(&r, &kept);
  IndexList facts = in_order(scan, &kept, &side);
  for (uint32_t i = 0; i < facts.count; i++) {
    HostFact *fact = &scan->facts.items[facts.items[i]];
    if (fact->kept != r.round || is_repeated(&r, fact->fact.condition)) continue;
    if (!fact->fact.text) fact->fact.text = host_text(scan->pool, scan->arena, fact->fact.condition);
    Fact known = fact->fact;
    known.condition = host_settle(scan, known.condition);
    known.is_of_before = fact->is_of_before;
    vec_push(scan->arena, &launch->facts, known);
  }
  if (scan->options && scan->options->prove) add_contradiction(&r, launch);
}
