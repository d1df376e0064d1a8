// How does a thread make an access, after it left a synchronisation point? Its address and the condition
// under which it gets there, in the iterations in which its way executes them. Method: one frame for each
// phase of the way graph. Before a back edge is crossed, loops around the point are in the iteration k that
// both threads share; after it, in k + 1 where the loop cannot be gone round again, else in k + c with a
// private c >= 1; loops inside start anew and are private. Conditions are those of the dominator chain of the
// way graph, each a disjunction over the acyclic region between two links. Soundness: conditions that are not
// understood are dropped (over-approximation of ways).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/interval.h"

CarriedOver *carried_over(const Scan *scan) {
  ASSERT(scan->points.count); // after scan_collect
  return SCAN_STATE_OF(scan, instances, CarriedOver);
}

static ExprRef shared_iteration(Scan *scan, uint32_t loop, const View *view) {
  uint32_t key = scan->fn->insts.count + scan->cfg->loops.count + loop;
  const Leaves *leaves = leaves_all(scan);
  for (uint32_t i = 0; i < leaves->count; i++) {
    const Leaf *leaf = &leaves->items[i];
    if (leaf->inst == key && leaf->company == view->company) return leaf->value;
  }
  const char *name = iteration_name(scan, loop);
  ExprRef symbol = iteration_new(scan, loop, name, OWNER_UNIFORM, 0);
  leaves_add(scan, (Leaf){.inst = key, .company = view->company, .value = symbol});
  return symbol;
}

// How often the loop was gone round since the point.
static ExprRef further_iterations(Scan *scan, const View *view, uint32_t loop) {
  const char *name =
      arena_printf(scan->arena, "further iterations of the loop at line %u", loop_line(scan, loop));
  return iteration_new(scan, loop, name, view->owner, 1);
}

// A loop that the thread enters after the point, and cannot go round without passing another point of the
// extent, is in its first iteration.
static bool is_in_first_iteration(const WayGraph *graph, uint32_t loop, uint32_t phase) {
  const Scan *scan = graph->scan;
  uint32_t state = ways_state(graph, scan->node_first[scan->cfg->loops.items[loop].header], phase);
  if (state == CFG_NONE || state == 0) return false;
  const State *header = &graph->states.items[state];
  for (uint32_t e = 0; e < header->pred_count; e++)
    if (cfg_loop_contains(scan->cfg, loop, graph->edges.items[header->pred_first + e].from_block))
      return false;
  return true;
}

static Frame *frame_of_phase(Meeting *meeting, const View *view, uint32_t phase, uint32_t place) {
  Scan *scan = meeting->scan;
  const WayGraph *graph = meeting->graph;
  uint32_t loops = scan->cfg->loops.count;
  ExprRef *iteration = arena_array(scan->arena, loops + 1, ExprRef),
          *before = arena_array(scan->arena, loops + 1, ExprRef), since = 0;
  for (uint32_t i = 0; i < graph->loop_count; i++) {
    uint32_t loop = graph->loops[i];
    ExprRef k = shared_iteration(scan, loop, view);
    if (phase == 0 || i + 1 < phase) iteration[loop] = k;
    if (phase == 0 || i + 1 != phase) continue;
    if (graph->goes_round[phase]) since = further_iterations(scan, view, loop);
    iteration[loop] =
        expr_binary(scan->pool, EXPR_ADD, EXPR_NSW, k, since ? since : expr_const(scan->pool, 32, 1));
    if (!graph->goes_round[phase]) before[loop] = k;
  }
  uint8_t *is_entered_only = arena_array(scan->arena, loops + 1, uint8_t),
          *is_around = arena_array(scan->arena, loops + 1, uint8_t);
  for (uint32_t i = 0; i < graph->loop_count; i++)
    is_around[graph->loops[i]] = 1;
  for (uint32_t l = 0; l < loops; l++) {
    is_entered_only[l] = !iteration[l] && is_in_first_iteration(graph, l, phase);
    if (is_entered_only[l]) iteration[l] = expr_const(scan->pool, 32, 0);
  }
  Frame *frame = frame_make(scan, view, iteration, before);
  frame->is_entered_only = is_entered_only;
  frame->is_around = is_around;
  frame->graph = graph;
  frame->phase = phase;
  frame->rounds_since = since;
  frame->round_loop = since ? graph->loops[phase - 1] : CFG_NONE;
  exits_fix(frame, place);
  return frame;
}

// All phases of one place.
static Frame **frames_of_place(Meeting *meeting, int thread, uint32_t place) {
  uint32_t phases = meeting->graph->loop_count + 1;
  Frame ***slot = &meeting->frames[thread][place + 1]; // CFG_NONE + 1 is 0
  if (*slot) return *slot;
  *slot = arena_array(meeting->scan->arena, phases, Frame *);
  for (uint32_t p = 0; p < phases; p++)
    (*slot)[p] = frame_of_phase(meeting, meeting->views[thread], p, place);
  return *slot;
}

Frame *meeting_frame(Meeting *meeting, int thread, uint32_t phase, uint32_t block) {
  ASSERT(thread == 0 || thread == 1);
  ASSERT(scan_has_block(meeting->scan, block));
  uint32_t place = exits_place(meeting->scan, meeting->graph->couple.extent, block);
  Frame ***slot = &meeting->ends[thread][place + 1];
  if (!*slot) *slot = arena_array(meeting->scan->arena, meeting->graph->loop_count + 1, Frame *);
  if (!(*slot)[phase]) (*slot)[phase] = exits_at_end(frames_of_place(meeting, thread, place)[phase], place);
  return (*slot)[phase];
}

ExprRef meeting_block_condition(Frame *frame, uint32_t block) {
  ASSERT(frame->view);
  ASSERT(scan_has_block(frame->scan, block));
  return frame_chain_condition(frame, 0, block);
}

Meeting *meeting_make(Scan *scan, const Point *point, Couple couple, const View *one, const View *two) {
  ASSERT(scan_has_block(scan, point->block));
  ASSERT(couple.extent <= EXTENT_NONE);
  ASSERT(view_is_made(one));
  ASSERT(view_is_made(two));
  BUG_UNLESS(one->company == two->company && one->thread != two->thread && one->extent == couple.extent);
  Meeting *meeting = arena_new(scan->arena, Meeting);
  meeting->scan = scan;
  meeting->graph = ways_make(scan, point, couple);
  meeting->views[0] = one;
  meeting->views[1] = two;
  uint32_t phases = meeting->graph->loop_count + 1, places = scan->cfg->loops.count + 1;
  for (int t = 0; t < 2; t++) {
    meeting->frames[t] = arena_array(scan->arena, places, Frame **);
    meeting->ends[t] = arena_array(scan->arena, places, Frame **);
    meeting->instances[t] = arena_array(scan->arena, (size_t)scan->accesses.count * phases + 1, Instance *);
    meeting->carried[t] = arena_array(scan->arena, carried_over(scan)->points.count + 1, Instance *);
    meeting->links[t] = arena_array(scan->arena, places, ExprRef *);
    bool is_entry = point->inst == CFG_NONE;
    meeting->reached[t] =
        is_entry ? expr_bool(scan->pool, true)
                 : meeting_block_condition(meeting_frame(meeting, t, 0, point->block), point->block);
  }
  return meeting;
}

// ---- conditions along the way
// From the immediate dominator to the state.
static ExprRef link_condition(Meeting *meeting, int thread, uint32_t state, uint32_t place) {
  ExprRef **links = &meeting->links[thread][place + 1];
  if (!*links) *links = arena_array(meeting->scan->arena, meeting->graph->states.count + 1, ExprRef);
  ExprRef *known = &(*links)[state];
  if (*known) return *known;
  StateRegion region = {.graph = meeting->graph,
                        .frames = frames_of_place(meeting, thread, place),
                        .from = meeting->graph->states.items[state].idom,
                        .is_exact = true};
  ExprRef link = ways_state_condition(&region, state);
  return *known = region.is_exact ? link : expr_bool(meeting->scan->pool, true);
}

ExprRef meeting_condition(Meeting *meeting, int thread, uint32_t state, uint32_t block) {
  ASSERT(thread == 0 || thread == 1);
  ASSERT(scan_has_block(meeting->scan, block));
  ExprPool *pool = meeting->scan->pool;
  uint32_t place = exits_place(meeting->scan, meeting->graph->couple.extent, block);
  ExprRef condition = expr_bool(pool, true);
  for (uint32_t at = state; at != 0; at = meeting->graph->states.items[at].idom)
    condition = expr_and(pool, link_condition(meeting, thread, at, place), condition);
  Frame *at_end = meeting_frame(meeting, thread, meeting->graph->states.items[state].phase, block);
  if (at_end->is_at_end) condition = expr_and(pool, at_end->is_at_end, condition);
  return expr_and(pool, meeting->reached[thread], condition);
}

static void find_place(Instance *instance) {
  Scan *scan = instance->frame->scan;
  const Access *info = instance->access;
  instance->address = frame_value(instance->frame, info->address);
  instance->length = info->bytes ? expr_const(scan->pool, 64, info->bytes) : 0;
  if (instance->length) return;
  SymValue length = frame_value(instance->frame, info->length);
  if (length.kind == SYM_WORD) instance->length = expr_resize_unsigned(scan->pool, length.word, 64);
}

Instance instance_in(Frame *frame, const Access *access) {
  ASSERT(frame->view);
  ASSERT(scan_has_access(frame->scan, access));
  Instance instance = {.access = access, .frame = frame};
  instance.condition = meeting_block_condition(frame, frame->scan->fn->insts.items[access->inst].block);
  find_place(&instance);
  return instance;
}

Instance *meeting_instance(Meeting *meeting, int thread, uint32_t access, uint32_t phase) {
  BUG_UNLESS((thread == 0 || thread == 1) && access < meeting->scan->accesses.count);
  Scan *scan = meeting->scan;
  const Access *info = &scan->accesses.items[access];
  uint32_t state = ways_state(meeting->graph, info->node, phase);
  if (state == CFG_NONE) return NULL;
  ASSERT(phase <= meeting->graph->loop_count && state < meeting->graph->states.count);
  Instance **slot = &meeting->instances[thread][access * (meeting->graph->loop_count + 1) + phase];
  if (*slot) return *slot;
  Instance *instance = arena_new(scan->arena, Instance);
  uint32_t block = scan->nodes.items[info->node].block;
  Frame *frame = meeting_frame(meeting, thread, phase, block);
  *instance = (Instance){.access = info, .phase = phase, .frame = frame};
  instance->condition = meeting_condition(meeting, thread, state, block);
  find_place(instance);
  ASSERT(scan_has_word(scan, instance->condition, 1));
  return *slot = instance;
}

// A number of the thread's own for the iteration in which the copy was issued.
static ExprRef own_iteration(Scan *scan, const View *view, uint32_t loop) {
  const char *name =
      arena_printf(scan->arena, "iteration of the loop at line %u with the copy", loop_line(scan, loop));
  return iteration_new(scan, loop, name, view->owner, 0);
}

static ExprRef rounds_before(Scan *scan, const View *view, const Carried *carried, ExprRef k) {
  uint32_t loop = carried->loop, rounds = carried->rounds;
  const char *name =
      arena_printf(scan->arena, "rounds of the loop at line %u since the copy", loop_line(scan, loop));
  ExprRef steps = rounds < CARRIED_ROUNDS && !carried->or_more
                      ? expr_const(scan->pool, 32, rounds)
                      : iteration_new(scan, loop, name, view->owner, rounds);
  return expr_binary(scan->pool, EXPR_SUB, EXPR_NSW, k, steps);
}

// Loops outside the one that was gone round since are in the same iteration now, or were left in it; that one
// was some rounds earlier; those inside it were entered anew.
Frame *carried_frame(Frame *now, const Carried *carried, ExprRef *condition) {
  ASSERT(now->view);
  Scan *scan = now->scan;
  ExprRef *iteration = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  uint32_t block = scan->fn->insts.items[carried->copy->inst].block;
  *condition = expr_bool(scan->pool, true);
  bool is_inside = carried->loop != CFG_NONE;
  for (uint32_t l = scan->cfg->loop_of[block]; l != CFG_NONE; l = scan->cfg->loops.items[l].parent) {
    if (l == carried->loop) {
      iteration[l] = rounds_before(scan, now->view, carried, frame_iteration(now, l));
      *condition = expr_binary(scan->pool, EXPR_SLE, 0, expr_const(scan->pool, 32, 0), iteration[l]);
      is_inside = false;
    } else {
      iteration[l] = is_inside ? own_iteration(scan, now->view, l) : frame_iteration(now, l);
    }
  }
  return frame_make(scan, now->view, iteration, NULL);
}

ExprRef carried_turns(Frame *now, uint32_t loop, uint32_t turns) {
  ASSERT(now->view);
  ASSERT(scan_has_loop(now->scan, loop));
  ExprPool *pool = now->scan->pool;
  ExprRef k = frame_iteration(now, loop), number = expr_const(pool, 32, turns);
  return turns < CARRIED_ROUNDS ? expr_eq(pool, k, number) : expr_binary(pool, EXPR_SLE, 0, number, k);
}

Instance *meeting_carried(Meeting *meeting, int thread, uint32_t index) {
  BUG_UNLESS((thread == 0 || thread == 1) && index < carried_over(meeting->scan)->points.count);
  Scan *scan = meeting->scan;
  const Carried *carried = &carried_over(scan)->points.items[index];
  Instance **slot = &meeting->carried[thread][index];
  if (*slot) return *slot;
  ExprPool *pool = scan->pool;
  Frame *now = meeting_frame(meeting, thread, 0, meeting->graph->point->block);
  ExprRef is_earlier = 0, condition = meeting->reached[thread];
  Instance *instance = arena_new(scan->arena, Instance);
  *instance = instance_in(carried_frame(now, carried, &is_earlier), carried->copy);
  condition = expr_and(pool, condition, is_earlier);
  if (carried->entered != CFG_NONE)
    condition = expr_and(pool, condition, carried_turns(now, carried->entered, carried->turns));
  if (carried->left)
    condition = expr_and(pool, condition, carried_turns(now, carried->left - 1, carried->left_turns));
  instance->condition = expr_and(pool, condition, instance->condition);
  instance->carried = carried;
  return *slot = instance;
}
