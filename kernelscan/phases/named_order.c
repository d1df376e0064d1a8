// Does a numbered barrier order two accesses that stand on two ways through it: the one before an arrival,
// the other one behind a wait (`bar.arrive 1, 96` of the producers, `bar.sync 1, 96` of the consumers)?
// Method: all instructions of the number are executed at most once by each thread, and as many threads may
// execute one of them as the barrier counts; then who waited knows that all of these have arrived. Where the number
// is computed (`1 + t / 64`), both have to be among the threads that compute this one. Soundness:
// members are over-approximated (named.c) and their number equals the count, so each of them has arrived; an
// access that no way leads to from an arrival came before it.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases.h"
#include "kernelscan/barrier.h"
#include "kernelscan/interval.h"
#include "kernelscan/proofs.h"
#include "kernelscan/graph.h"

// All threads that may come to a barrier of this number, if each does so at most once and all of them must;
// else NULL.
static const uint8_t *members_of(const Scan *scan, int64_t number, int64_t count) {
  const NamedBarriers *all_named = named_all(scan);
  uint8_t *members = arena_array(scan->arena, (size_t)named_threads(scan) + 1, uint8_t);
  int64_t total = 0;
  for (uint32_t i = 0; i < all_named->count; i++) {
    const Named *named = &all_named->items[i];
    if (!named->members) return NULL;
    if (named->number != number) continue;
    if (named->count != count) return NULL;
    for (uint32_t j = 0; j < all_named->count; j++)
      if (all_named->items[j].number == number && graph_reaches(scan, named->inst, all_named->items[j].inst))
        return NULL;
    for (int64_t t = 0; t < named_threads(scan); t++) {
      total += named->members[t] && !members[t];
      members[t] |= named->members[t];
    }
  }
  return total == count ? members : NULL;
}

static bool is_wait_of(const Scan *scan, uint32_t inst, int64_t number) {
  const NamedBarriers *all_named = named_all(scan);
  for (uint32_t i = 0; i < all_named->count; i++)
    if (all_named->items[i].inst == inst && all_named->items[i].number == number)
      return all_named->items[i].waits;
  return false;
}

// Is the number of one of its instructions computed, and another one for other threads? Then a way through the
// instruction says nothing of the thread that takes it.
static bool number_varies(const Scan *scan, int64_t number) {
  const NamedBarriers *all_named = named_all(scan);
  for (uint32_t i = 0; i < all_named->count; i++)
    for (uint32_t j = 0; j < all_named->count && all_named->items[i].number == number; j++)
      if (all_named->items[j].inst == all_named->items[i].inst && all_named->items[j].number != number)
        return true;
  return false;
}

typedef struct Avoided {
  uint32_t inst;
  int64_t number;
} Avoided;

static GraphStep visit(const Scan *scan, uint32_t inst, void *context) {
  const Avoided *avoided = context;
  if (inst == avoided->inst) return GRAPH_FOUND;
  return is_wait_of(scan, inst, avoided->number) ? GRAPH_STOPS : GRAPH_GOES_ON;
}

// Does every way from kernel entry to the access pass a wait of this number?
static bool has_waited(const Scan *scan, uint32_t inst, int64_t number) {
  return !graph_walk(scan,
                     &(GraphWalk){.from = CFG_NONE, .visit = visit, .context = &(Avoided){inst, number}});
}

static bool comes_behind(const Scan *scan, uint32_t inst, int64_t number) {
  const NamedBarriers *all_named = named_all(scan);
  for (uint32_t i = 0; i < all_named->count; i++)
    if (all_named->items[i].number == number && graph_reaches(scan, all_named->items[i].inst, inst))
      return true;
  return false;
}

static bool orders(Scan *scan, const OrderQuestion *question, const Named *named, int first) {
  uint32_t before = question->instances[first]->access->inst,
           behind = question->instances[1 - first]->access->inst;
  const uint8_t *members = members_of(scan, named->number, named->count);
  if (!members || comes_behind(scan, before, named->number) || !has_waited(scan, behind, named->number))
    return false;
  Goal goal = goal_copy(scan, question->goal);
  ExprRef takes_part = named_membership(scan, question->instances[first]->frame->view, members);
  if (number_varies(scan, named->number)) {
    const View *other = question->instances[1 - first]->frame->view;
    takes_part = expr_and(scan->pool, takes_part, named_membership(scan, other, members));
  }
  goal_add(scan, &goal, expr_not(scan->pool, takes_part), GOAL_CONFLICT, 0);
  if (goal.is_false) return true;
  const char *name = arena_printf(scan->arena, "%s, takes no part in barrier %lld", question->name,
                                  (long long)named->number);
  SolverAnswer answer = goal_satisfiable(scan, &goal, name);
  return proofs_is_refuted(scan, &answer);
}

// Where the first thread arrives behind its access, and where the second one has waited.
static OrderProof named_proof(const Scan *scan, const OrderQuestion *question, const Named *named,
                              int first) {
  const NamedBarriers *all_named = named_all(scan);
  OrderProof proof = {.rule = ORDER_RULE_NAMED_BARRIER};
  for (uint32_t i = 0; i < all_named->count; i++) {
    const Named *at = &all_named->items[i];
    if (at->number != named->number) continue;
    if (!proof.release && graph_reaches(scan, question->instances[first]->access->inst, at->inst))
      proof.release = at->inst + 1;
    if (!proof.acquire && at->waits &&
        graph_reaches(scan, at->inst, question->instances[1 - first]->access->inst))
      proof.acquire = at->inst + 1;
  }
  return proof;
}

bool named_order(Scan *scan, const OrderQuestion *question, OrderProof *proof) {
  ASSERT(scan_is_extent(question->extent) && question->instances[0] && question->instances[1]);
  ASSERT(proof);
  const NamedBarriers *all_named = named_all(scan);
  if (extent_is_between_blocks(question->extent)) return false;
  for (uint32_t i = 0; i < all_named->count; i++)
    for (int first = 0; first < 2 && all_named->items[i].waits; first++)
      if (orders(scan, question, &all_named->items[i], first)) {
        *proof = named_proof(scan, question, &all_named->items[i], first);
        return true;
      }
  return false;
}

static bool is_point(const Scan *scan, uint32_t inst) {
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].inst == inst) return true;
  return false;
}

const Named *named_between(const Scan *scan, const uint32_t at[2]) {
  ASSERT(scan_has_inst(scan, at[0]) && scan_has_inst(scan, at[1]));
  const NamedBarriers *all_named = named_all(scan);
  for (uint32_t i = 0; i < all_named->count; i++)
    for (uint32_t j = 0; j < all_named->count; j++) {
      const Named *here = &all_named->items[i], *there = &all_named->items[j];
      bool is_same = !here->members || !there->members || here->number == there->number;
      if (!is_same || !there->waits || (is_point(scan, here->inst) && is_point(scan, there->inst))) continue;
      for (int first = 0; first < 2; first++)
        if (graph_reaches(scan, at[first], here->inst) && graph_reaches(scan, there->inst, at[1 - first]))
          return there;
    }
  return NULL;
}
