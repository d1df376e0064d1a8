// Is there no thread that comes to both of two places, in whatever rounds of its loops? So it is where
// threads have roles: what those that fill do, those that take never do. Method: the conditions on the ways
// to both, each with round numbers of its own, become one question about one thread; it is asked once for two
// blocks of the graph, and not where each way to the one leads through the other, nor where the model of an
// earlier answer is one of this as well. Soundness: conditions that are not understood are dropped, so a yes
// is a proof; a no says nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/interval.h"
#include "kernelscan/graph.h"

typedef struct Exclusive {
  uint32_t one, two; // blocks of the graph
  bool holds;        // no thread comes to both
} Exclusive;

// What is kept of a scan.
typedef struct Exclusives {
  View *view;       // NULL: nothing was asked yet
  Frame *frames[2]; // of one thread, in any rounds
  Models models;    // of pairs that one thread comes to
  VEC(Exclusive) known;
} Exclusives;

static Exclusives *exclusives_of(Scan *scan) {
  Exclusives *all = SCAN_STATE_OF(scan, exclusive, Exclusives);
  if (all->view) return all;
  all->view = view_fresh(scan, NULL);
  for (int f = 0; f < 2; f++)
    all->frames[f] = frame_make(scan, all->view, NULL, NULL);
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++)
    all->frames[1]->iteration[l] = iteration_new(scan, l, "another round", OWNER_THREAD1, 0);
  return all;
}

static bool ask(Scan *scan, Exclusives *all, uint32_t one, uint32_t two) {
  ExprRef both = expr_and(scan->pool, meeting_block_condition(all->frames[0], one),
                          meeting_block_condition(all->frames[1], two));
  Goal goal = {0};
  goal_add(scan, &goal, both, GOAL_CONFLICT, 0);
  if (goal.is_false) return true;
  if (models_satisfy(scan->pool, &all->models, both)) return false;
  goal_add_view(scan, &goal, all->view);
  goal_add_launch(scan, &goal);
  if (goal.is_false) return true;
  SolverAnswer answer = goal_satisfiable(scan, &goal, "both places come to by one thread");
  models_keep(&all->models, &answer);
  return answer.verdict == VERDICT_SAFE;
}

bool exclusive_blocks(Scan *scan, uint32_t a, uint32_t b) {
  BUG_UNLESS(a < scan->cfg->block_count && b < scan->cfg->block_count);
  // Whoever comes to the head of a block's region comes to the block.
  uint32_t first = graph_head_of(scan, a), second = graph_head_of(scan, b);
  if (cfg_dominates(scan->cfg, first, second) || cfg_dominates(scan->cfg, second, first)) return false;
  uint32_t one = first < second ? first : second, two = first < second ? second : first;
  Exclusives *all = exclusives_of(scan);
  for (uint32_t i = 0; i < all->known.count; i++) {
    const Exclusive *known = &all->known.items[i];
    if (known->one == one && known->two == two) return known->holds;
  }
  Exclusive asked = {one, two, ask(scan, all, one, two)};
  vec_push(scan->arena, &all->known, asked);
  return asked.holds;
}
