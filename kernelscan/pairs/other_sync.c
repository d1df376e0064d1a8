// What else bears on a race that the solver has a model of, and which synchronisation was meant and misses it?
// Accesses through different proxies, asynchronous copies that are still going on, barrier objects, and barriers of
// groups: those of a wrong group, those whose mask is not known, those that some threads go round, waits for a phase
// that is not that of the arrival. Each may order the two accesses, may leave open whether they are ordered, or names
// the cause of the race. Soundness: what is said to order follows from the rooms asked (copies/, phases/, barrier/);
// what only may order leaves the pair undecided, never race-free.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/pairs/pairs.h"
#include "kernelscan/copies.h"
#include "kernelscan/facts.h"
#include "kernelscan/finding.h"
#include "kernelscan/proofs.h"
#include "kernelscan/kernel.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"
#include "kernelscan/order.h"
#include "kernelscan/phases.h"

// Barrier objects and shared pipelines that are not followed: the halves by which a thread says that it has
// come, and by which it waits.
static bool says_at_object(const IrInst *inst) {
  if (inst->op == IR_PIPELINE) return inst->imm != IR_PIPELINE_ACQUIRE && inst->imm != IR_PIPELINE_WAIT;
  if (inst->op == IR_BARRIER) return operation_is_arrival(inst);
  return inst->op == IR_MBARRIER && inst->imm != IR_MBARRIER_INIT &&
         (inst->imm < IR_MBARRIER_TEST || inst->imm > IR_MBARRIER_WAIT_PARITY);
}

static bool waits_at_object(const IrInst *inst) {
  if (inst->op == IR_PIPELINE)
    return inst->imm == IR_PIPELINE_INIT || inst->imm == IR_PIPELINE_ACQUIRE || inst->imm == IR_PIPELINE_WAIT;
  if (inst->op == IR_BARRIER) return operation_is_wait(inst);
  return inst->op == IR_MBARRIER && inst->imm >= IR_MBARRIER_TEST && inst->imm <= IR_MBARRIER_WAIT_PARITY;
}

// May one thread have said so behind its access, and the other one have waited for that before its own? A
// copy that the object waits for says so itself.
static bool may_meet_at_object(const Question *question, Extent extent, MeetState state, const char **text) {
  Scan *scan = question->pairs->scan;
  const Instance *sides[2] = {question->one, question->two};
  uint32_t told[2] = {async_told_object(scan, question->one->access),
                      async_told_object(scan, question->two->access)};
  bool says[2] = {false, false}, waits[2] = {false, false};
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool is_wide = inst->scope >= operation_scope_needed(extent) || !extent_is_between_blocks(extent);
    const Meet *meet = arrivals_meet_of(scan, i);
    bool is_open = inst->op == IR_PIPELINE && state == MEET_OPEN;
    if (!(meet ? meet->state == state : is_open) || !is_wide) continue;
    if (meet && meet->is_of_warp && extent != EXTENT_INTRA_WARP) continue;
    if (meet && meet->text) *text = meet->text;
    for (int t = 0; t < 2; t++) {
      says[t] |= (told[t] && meet && meet->object == told[t]) ||
                 (says_at_object(inst) && graph_reaches(scan, sides[t]->access->inst, i));
      waits[t] |= waits_at_object(inst) && graph_reaches(scan, i, sides[t]->access->inst);
    }
  }
  return (says[0] && waits[1]) || (says[1] && waits[0]);
}

static bool is_point(const Scan *scan, uint32_t inst) {
  for (uint32_t p = 1; p < scan->points.count; p++)
    if (scan->points.items[p].inst == inst) return true;
  return false;
}

// A barrier between the two that holds other threads together than these.
static const IrInst *narrow_barrier(const Question *question, Extent extent) {
  const Scan *scan = question->pairs->scan;
  Couple couple = meeting_couple(question->meeting, extent);
  uint32_t a = question->one->access->inst, b = question->two->access->inst;
  bool has_grid_barrier = scan->launch->is_cooperative;
  for (uint32_t p = 1; p < scan->points.count; p++)
    has_grid_barrier |= scan->points.items[p].scope == IR_SCOPE_DEVICE;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (!arrivals_is_barrier(scan, i) || scan->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    bool may_be_meant =
        inst->scope == IR_SCOPE_CLUSTER || (has_grid_barrier && inst->scope < IR_SCOPE_DEVICE);
    if (extent_is_between_blocks(extent) && !may_be_meant) continue;
    bool is_between = (order_reaches_in(scan, a, i, couple) && order_reaches_in(scan, i, b, couple)) ||
                      (order_reaches_in(scan, b, i, couple) && order_reaches_in(scan, i, a, couple));
    if (is_between && !order_separates(scan, i, couple)) return inst;
  }
  return NULL;
}

void sync_name_wrong_group(const Question *question, Extent extent, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const IrInst *barrier = ordered->cause ? NULL : narrow_barrier(question, extent);
  if (!barrier || question->one->access->inst == question->two->access->inst) return;
  static const char *const groups[] = {"the threads of one block", "the lanes of one warp",
                                       "a part of the lanes or threads", "the blocks of one cluster"};
  bool is_part = barrier->imm != IR_BARRIER_SYNC || barrier->op_count > 0;
  const char *group = groups[barrier->scope == IR_SCOPE_CLUSTER                                ? 3
                             : barrier->scope >= IR_SCOPE_BLOCK && !is_part                    ? 0
                             : extent == EXTENT_INTRA_BLOCK && barrier->imm == IR_BARRIER_SYNC ? 1
                                                                                               : 2];
  ordered->cause = "wrong-group";
  ordered->text = arena_printf(scan->arena, "the barrier at line %u between the two holds only %s together",
                               ir_loc(scan->module, barrier->loc)->line, group);
}

// Made between the two halves of a barrier: others may be behind it already.
static void say_loose(const Question *question, const Carried *carried, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const IrInst *insts = scan->fn->insts.items;
  if (ordered->verdict == ORDER_PROTECTED)
    *ordered =
        (OrderAnswer){.text = "what is done between arrival and wait, and what orders it, is not understood"};
  if (ordered->verdict != ORDER_UNPROTECTED) return;
  ordered->cause = "behind-arrival";
  ordered->text =
      arena_printf(scan->arena,
                   "the thread has already arrived at line %u: others may pass the barrier, whose wait is at "
                   "line %u, before it makes the access",
                   ir_loc(scan->module, insts[carried->arrival - 1].loc)->line,
                   ir_loc(scan->module, insts[scan->points.items[carried->point].inst].loc)->line);
}

// A write that bulk copies do not see yet, whatever orders the two; false: the question is about something
// else.
bool sync_consider_proxies(const Question *question, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const Instance *sides[2] = {question->one, question->two};
  for (int t = 0; t < 2; t++) {
    const Carried *carried = sides[t]->carried;
    if (!carried || !carried->is_unseen) continue;
    const char *text = proxies_text(scan, carried->copy, sides[1 - t]->access);
    bool is_open = carried->is_uncertain || proxies_fences_itself(scan, carried, sides[1 - t]->access);
    *ordered = is_open
                   ? (OrderAnswer){.text = "the fence.proxy.async between the two is made by the thread that "
                                           "issues the bulk copy, not by the one that wrote"}
                   : (OrderAnswer){ORDER_UNPROTECTED, .cause = "missing-proxy-fence", .text = text};
    return true;
  }
  if (ordered->verdict != ORDER_PROTECTED) return false;
  bool is_sure = false;
  const char *text = proxies_between(scan, sides[0]->access, sides[1]->access, &is_sure);
  if (!text) return false;
  *ordered = is_sure ? (OrderAnswer){ORDER_UNPROTECTED, .cause = "missing-proxy-fence", .text = text}
                     : (OrderAnswer){.text = text};
  return true;
}

// What flags and locks say of an access, they say of the place where it stands: a copy goes on behind it.
void sync_consider_copies(const Question *question, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const Instance *sides[2] = {question->one, question->two};
  if (ordered->is_of_copies) return;
  for (int t = 0; t < 2; t++) {
    if (sides[t]->carried && sides[t]->carried->arrival) say_loose(question, sides[t]->carried, ordered);
    if (!sides[t]->access->is_async) continue;
    if (ordered->verdict == ORDER_PROTECTED)
      *ordered = (OrderAnswer){.text = "an asynchronous copy, and what orders it, is not understood"};
    const Carried *carried = sides[t]->carried;
    if (!carried) {
      const char *text = async_not_awaited(scan, sides[t]->access, sides[1 - t]->access);
      if (text && ordered->verdict == ORDER_UNPROTECTED && !ordered->cause)
        *ordered = (OrderAnswer){ORDER_UNPROTECTED, .cause = "missing-async-wait", .text = text};
      continue;
    }
    const IrInst *insts = scan->fn->insts.items;
    uint32_t issued = ir_loc(scan->module, insts[carried->copy->inst].loc)->line,
             barrier = ir_loc(scan->module, insts[scan->points.items[carried->point].inst].loc)->line;
    if (carried->is_uncertain) {
      const char *what = operation_is_of_object(scan, carried->copy)
                             ? "a barrier object that is not followed"
                             : "the number of groups that a wait leaves";
      *ordered = (OrderAnswer){
          .text = arena_printf(scan->arena,
                               "whether the copy issued at line %u is done before the barrier at "
                               "line %u hangs on %s",
                               issued, barrier, what)};
      return;
    }
    ordered->cause = "missing-async-wait";
    ordered->text =
        arena_printf(scan->arena,
                     "the copy issued at line %u may still be going on behind the barrier at line %u: "
                     "no wait covers it before",
                     issued, barrier);
  }
}

// A warp barrier between the two whose mask is not understood; what activemask returns is taken for nobody.
static const IrInst *unknown_mask(const Question *question, Extent extent) {
  const Scan *scan = question->pairs->scan;
  uint32_t a = question->one->access->inst, b = question->two->access->inst;
  for (uint32_t i = 0; i < scan->fn->insts.count && extent == EXTENT_INTRA_WARP; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    bool has_mask = inst->op == IR_BARRIER && inst->imm == IR_BARRIER_SYNC && inst->scope == IR_SCOPE_WARP &&
                    inst->op_count;
    if (!has_mask || scan->cfg->rpo_number[inst->block] == CFG_NONE || is_point(scan, i)) continue;
    const IrInst *vote = ir_inst(scan->fn, inst->ops[0]);
    if (vote && vote->op == IR_VOTE && vote->name && strcmp(vote->name, "activemask") == 0) continue;
    if ((graph_reaches(scan, a, i) && graph_reaches(scan, i, b)) ||
        (graph_reaches(scan, b, i) && graph_reaches(scan, i, a)))
      return inst;
  }
  return NULL;
}

// A barrier between the two that some go round of those that it holds together.
static const IrInst *divergent_barrier(const Question *question, Extent extent) {
  const Scan *scan = question->pairs->scan;
  Couple couple = meeting_couple(question->meeting, extent);
  uint32_t a = question->one->access->inst, b = question->two->access->inst;
  for (uint32_t p = 1; p < scan->points.count; p++) {
    const Point *point = &scan->points.items[p];
    if (!point->is_divergent || !point_would_order(point, couple)) continue;
    if ((graph_reaches(scan, a, point->inst) && graph_reaches(scan, point->inst, b)) ||
        (graph_reaches(scan, b, point->inst) && graph_reaches(scan, point->inst, a)))
      return &scan->fn->insts.items[point->inst];
  }
  return NULL;
}

// A copy that completes on a barrier object, and an access behind it with no way back: only the wait for that
// phase could order them, whatever other barriers there are.
static void name_missing_phase(const Question *question, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const Instance *sides[2] = {question->one, question->two};
  for (int t = 0; t < 2 && !ordered->cause && !ordered->text; t++) {
    uint32_t copy = sides[t]->access->inst, other = sides[1 - t]->access->inst;
    if (!operation_is_of_object(scan, sides[t]->access) || !graph_reaches(scan, copy, other) ||
        graph_reaches(scan, other, copy))
      continue;
    ordered->cause = "missing-async-wait";
    ordered->text =
        arena_printf(scan->arena,
                     "the copy issued at line %u is done with the phase of its barrier object that "
                     "waits for it, and nothing shows a wait for that phase before the other access",
                     ir_loc(scan->module, scan->fn->insts.items[copy].loc)->line);
  }
}

// What barrier objects say that are no barriers of the whole block.
void sync_consider_objects(const Question *question, Extent extent, OrderAnswer *ordered) {
  Scan *scan = question->pairs->scan;
  const char *text = NULL;
  if (ordered->verdict != ORDER_UNPROTECTED) return;
  const IrInst *unknown = unknown_mask(question, extent);
  if (unknown) {
    *ordered =
        (OrderAnswer){.text = arena_printf(
                          scan->arena, "the warp barrier at line %u, whose mask is not known, may order them",
                          ir_loc(scan->module, unknown->loc)->line)};
    return;
  }
  const IrInst *divergent = divergent_barrier(question, extent);
  if (divergent) {
    *ordered =
        (OrderAnswer){.text = arena_printf(
                          scan->arena,
                          "the barrier at line %u may order them, but not all threads that it holds together "
                          "were proved to come to it",
                          ir_loc(scan->module, divergent->loc)->line)};
    return;
  }
  uint32_t at[2] = {question->one->access->inst, question->two->access->inst};
  const Named *named = extent_is_between_blocks(extent) ? NULL : named_between(scan, at);
  if (named) {
    *ordered = (OrderAnswer){
        .text = arena_printf(scan->arena, "the barrier with a number at line %u may order them",
                             ir_loc(scan->module, scan->fn->insts.items[named->inst].loc)->line)};
    return;
  }
  if (may_meet_at_object(question, extent, MEET_OPEN, &text)) {
    *ordered = (OrderAnswer){.text = text ? arena_printf(scan->arena, "a barrier may order them; %s", text)
                                          : "a pipeline that the block shares may order them"};
  } else if (!ordered->cause && may_meet_at_object(question, extent, MEET_EARLY, &text)) {
    ordered->cause = "incomplete-arrival";
    ordered->text = text;
  } else {
    name_missing_phase(question, ordered);
  }
}
