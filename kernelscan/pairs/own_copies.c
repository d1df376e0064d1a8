// Does a thread touch what its own asynchronous copy is still moving? Method: the copy and each access that
// the same thread makes before the wait (async.c finds them) become one goal about one thread. Soundness: as
// in pairs.c; where it is uncertain whether a wait covers the copy, nothing is called a race.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs.h"
#include "kernelscan/copies.h"
#include "kernelscan/finding.h"
#include "kernelscan/interval.h"
#include "kernelscan/operations.h"
#include "kernelscan/witness.h"

static void report_own(Scan *scan, const Instance *copy, const Instance *other, const Target *targets[2],
                       const Goal *goal, const SolverAnswer *answer) {
  const View *view = copy->frame->view;
  RaceFacts race = {.accesses = {copy->access, other->access},
                    .object = targets[0]->object,
                    .extent = EXTENT_INTRA_WARP,
                    .answer = answer,
                    .cause = copy->carried->is_unseen ? "missing-proxy-fence" : "missing-async-wait"};
  race.explanation =
      copy->carried->is_unseen
          ? proxies_text(scan, copy->access, other->access)
          : arena_printf(
                scan->arena,
                "the thread's own copy, issued at line %u, may still be going on: no wait covers it before",
                ir_loc(scan->module, scan->fn->insts.items[copy->access->inst].loc)->line);
  ReplayQuery query = {.accesses = {copy->access, other->access},
                       .couple = couple_of(EXTENT_COUNT),
                       .answer = answer,
                       .views = {view, view},
                       .offsets = {targets[0]->offset, targets[1]->offset},
                       .goal = goal};
  race.replay =
      scan->request->options.without_replay ? REPLAY_IMPOSSIBLE : replay_check(scan, &query, &race.witness);
  if (race.replay != REPLAY_DIFFERS)
    finding_report_race(scan, &race);
  else
    scan_undecided(scan, scan->fn->insts.items[other->access->inst].loc,
                   "whether this access comes while an asynchronous copy of the same thread goes on");
}

static void check_own_targets(Scan *scan, const Instance *copy, const Instance *other,
                              const Target *targets[2]) {
  const OwnAsked asked = own_ask(scan, copy, other, targets);
  if (asked.is_apart) return;
  if (asked.answer.verdict == VERDICT_RACE && !copy->carried->is_uncertain)
    report_own(scan, copy, other, targets, &asked.goal,
               arena_copy(scan->arena, &asked.answer, sizeof asked.answer));
  else
    scan_undecided(
        scan, scan->fn->insts.items[other->access->inst].loc,
        "could not decide whether an asynchronous copy of the same thread, issued at line %u, is done here",
        ir_loc(scan->module, scan->fn->insts.items[copy->access->inst].loc)->line);
}

void own_copies_check(Scan *scan, const Instance *copy, const Instance *other) {
  ASSERT(scan_has_access(scan, copy->access) && copy->frame);
  ASSERT(scan_has_access(scan, other->access) && other->frame);
  // Addresses that are not understood leave a reason where pairs are asked.
  for (uint32_t i = 0; i < copy->address.target_count; i++)
    for (uint32_t j = 0; j < other->address.target_count; j++) {
      const Target *targets[2] = {&copy->address.targets[i], &other->address.targets[j]};
      if (own_concerns(scan, copy, other, i, j)) check_own_targets(scan, copy, other, targets);
    }
}
