// Which arrival at a barrier object is for which phase? For objects at which a part of the block arrives and
// others wait, as producers and consumers do that hand buffers round ("full" and "empty" objects, used in
// turn; phases_sites.c finds which). Method: the number of the arrival among those of its thread at the
// object is counted. The claim that the arrival with number j of every thread is for phase j is proved by
// induction over time: as many threads may arrive as a phase takes, and none of them arrives for the next
// phase before it has waited for this one, itself or over what another thread has waited for before it
// arrived elsewhere. All numbers go up by one as all objects of a channel were used, so it is enough to look
// at the first rounds. A wait for a parity awaits the phase that it is meant for if the thread knows that the
// one before is over. Soundness: whatever does not fit breaks the channel, and a broken channel orders
// nothing. Reference: Shirako et al., "Phasers", ICS 2008.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases/phases.h"
#include "kernelscan/graph.h"
#include "kernelscan/kernel.h"

enum { SHIFT_LIMIT = 3, WARP_LANES = 32 };

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

// ---- numbers of arrivals
bool phases_exclude(const Phases *phases, uint32_t a, uint32_t b) {
  return exclusive_blocks(phases->scan, inst_at(phases->scan, a)->block, inst_at(phases->scan, b)->block);
}

// Whoever comes to the instruction has the place behind it, which is executed once: the conditions on the way
// to the one entail those on the way to the other.
bool phases_is_made_before(Phases *phases, uint32_t place, uint32_t inst) {
  ASSERT(scan_has_inst(phases->scan, inst));
  Scan *scan = phases->scan;
  if (phases_dominates(scan, place, inst)) return true;
  if (scan->cfg->loop_of[inst_at(scan, place)->block] != CFG_NONE || graph_reaches(scan, inst, place) ||
      !graph_reaches(scan, place, inst))
    return false;
  Entailed asked = {.wait = inst_at(scan, place)->block, .place = inst_at(scan, inst)->block};
  for (uint32_t i = 0; i < phases->made_before.count; i++) {
    const Entailed *known = &phases->made_before.items[i];
    if (known->wait == asked.wait && known->place == asked.place) return known->holds;
  }
  ExprRef made = frame_exact_condition(phases->anyone, 0, graph_head_of(scan, asked.wait)),
          there = meeting_block_condition(phases->anyone, asked.place);
  asked.holds = made && phases_never(phases, expr_and(scan->pool, there, expr_not(scan->pool, made)),
                                     "a way round an earlier operation on a barrier object");
  vec_push(scan->arena, &phases->made_before, asked);
  return asked.holds;
}

bool phases_is_over_before(Phases *phases, const Event *event, uint32_t inst) {
  ASSERT(scan_has_inst(phases->scan, event->inst));
  ASSERT(scan_has_inst(phases->scan, inst));
  const Scan *scan = phases->scan;
  if (event->loop == CFG_NONE) return phases_is_made_before(phases, event->inst, inst);
  uint32_t header = scan->cfg->loops.items[event->loop].header, block = inst_at(scan, inst)->block;
  if (event->trips < 0 || cfg_loop_contains(scan->cfg, event->loop, block)) return false;
  if (event->is_counted && phases_in_each_round(scan, event->loop, event->inst) &&
      cfg_dominates(scan->cfg, header, block))
    return true;
  for (uint32_t i = 0; i < phases->rounds_made.count; i++) {
    const Entailed *known = &phases->rounds_made.items[i];
    if (known->wait == event->inst && known->place == block) return known->holds;
  }
  Entailed asked = {.wait = event->inst, .place = block};
  asked.holds = phases_rounds_are_made(phases, event, inst);
  vec_push(phases->scan->arena, &phases->rounds_made, asked);
  return asked.holds;
}

// What one thread did at the places of the channel before it came to the event; false: not known.
static bool count_before(Phases *phases, const Event *event, int64_t *before) {
  const Scan *scan = phases->scan;
  const Channel *channel = &phases->channels.items[event->channel];
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *other = &phases->events.items[i];
    if (other == event || other->kind != EVENT_ARRIVAL || other->channel != event->channel) continue;
    bool comes_before = graph_reaches(scan, other->inst, event->inst);
    bool is_beside = event->loop != CFG_NONE && other->loop == event->loop;
    if (!comes_before && !is_beside) continue;
    if (phases_exclude(phases, other->inst, event->inst)) continue;
    if (is_beside || other->trips < 0 || other->first || !phases_is_over_before(phases, other, event->inst))
      return false;
    for (int64_t k = 0; k < other->trips; k++)
      before[phases_place(channel, &other->form, k)]++;
  }
  return true;
}

// The first round in which each place is come to goes on from what was done before.
static bool number_arrival(Phases *phases, Event *event) {
  const Channel *channel = &phases->channels.items[event->channel];
  int64_t before[PHASES_PERIOD] = {0}, n = channel->period, later = 0;
  int64_t rounds = event->trips >= 0 && event->trips - event->first < n ? event->trips - event->first : n;
  if (!event->is_closed || rounds <= 0 || !count_before(phases, event, before)) return false;
  int64_t least = before[phases_place(channel, &event->form, event->first)];
  for (int64_t i = 0; i < rounds; i++) {
    int64_t number = before[phases_place(channel, &event->form, event->first + i)];
    if (number == least + 1)
      later++;
    else if (number != least || later)
      return false;
  }
  // phase (k - first + later) / n + least
  int64_t turn = later - event->first;
  event->form.turn = turn - phases_floor(turn, n) * n;
  event->form.shift = least + phases_floor(turn, n);
  if (event->form.shift > SHIFT_LIMIT || event->form.shift < -SHIFT_LIMIT) return false;
  return rounds == n || !later || phases_phase(channel, &event->form, event->first) == least;
}

// Whoever is elected, the same warps arrive with one lane each: then it does not matter which one. Members
// are those if the first lanes are elected; false: who arrives hangs on who is elected in another way.
static bool find_members(Phases *phases, Event *event) {
  Scan *scan = phases->scan;
  uint32_t block = inst_at(scan, event->inst)->block;
  int64_t threads = named_threads(scan);
  if (!scan_text(scan)->has_elected) return named_may_execute(scan, block, event->members);
  if (!named_may_execute_if(scan, block, 0, event->members)) return false;
  uint8_t *other = arena_array(scan->arena, (size_t)threads + 1, uint8_t);
  bool is_same = true, is_elected = true;
  for (int64_t lane = 1; lane < WARP_LANES && (is_same || is_elected); lane++) {
    if (!named_may_execute_if(scan, block, lane, other)) return false;
    for (int64_t t = 0; t < threads; t++) {
      is_same &= other[t] == event->members[t];
      bool has_warp = event->members[t / WARP_LANES * WARP_LANES];
      is_elected &= other[t] == (has_warp && t % WARP_LANES == lane);
    }
  }
  for (int64_t t = 0; t < threads; t++)
    is_elected &= !event->members[t] || t % WARP_LANES == 0;
  event->is_elected = is_elected && !is_same;
  return is_same || is_elected;
}

static bool number_arrivals(Phases *phases) {
  for (uint32_t i = 0; i < phases->events.count; i++) {
    Event *event = &phases->events.items[i];
    Channel *channel = &phases->channels.items[event->channel];
    if (event->kind != EVENT_ARRIVAL || channel->is_broken) continue;
    event->members = arena_array(phases->scan->arena, (size_t)named_threads(phases->scan) + 1, uint8_t);
    if ((!channel->is_pipeline && !number_arrival(phases, event)) || !find_members(phases, event)) {
      channel->is_broken = true;
      continue;
    }
    if (event->is_elected) channel->is_elected = true;
    for (int64_t t = 0; t < named_threads(phases->scan) && !channel->is_pipeline; t++) {
      if (!event->members[t]) continue; // whoever arrives counts for the same number each time
      channel->is_broken |= channel->members[t] && channel->members[t] != event->counts_for;
      channel->members[t] = event->counts_for;
    }
  }
  for (uint32_t i = 0; i < phases->events.count; i++) { // elected lanes and others may be the same threads
    const Event *event = &phases->events.items[i];
    Channel *channel = &phases->channels.items[event->channel];
    bool is_mixed = channel->is_elected && (!event->is_elected || channel->is_pipeline);
    channel->is_broken |= event->kind == EVENT_ARRIVAL && is_mixed;
  }
  for (uint32_t c = 0; c < phases->channels.count; c++) {
    Channel *channel = &phases->channels.items[c];
    int64_t count = 0;
    for (int64_t t = 0; t < named_threads(phases->scan); t++)
      count += channel->members[t];
    channel->is_broken |= !channel->is_pipeline && count != channel->expected;
  }
  return true;
}

// ---- what belongs to an arrival
bool phases_same_rounds(const Event *a, const Event *b) {
  return a->loop == b->loop && a->channel == b->channel && a->form.rotation == b->form.rotation;
}

static bool is_control_equivalent(const Scan *scan, uint32_t a, uint32_t b) {
  uint32_t block_a = inst_at(scan, a)->block, block_b = inst_at(scan, b)->block;
  if (block_a == block_b) return true;
  return (cfg_dominates(scan->cfg, block_a, block_b) && cfg_post_dominates(scan->cfg, block_b, block_a)) ||
         (cfg_dominates(scan->cfg, block_b, block_a) && cfg_post_dominates(scan->cfg, block_a, block_b));
}

// An object that is waited for by bytes: each announcement is made before its arrival, and is for just the
// bytes of the copies beside it.
static bool bytes_add_up(const Phases *phases, const Event *expect) {
  const Scan *scan = phases->scan;
  ExprRef sum = 0;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *copy = &phases->events.items[i];
    if (copy->kind != EVENT_BYTES || !ir_inst_is(inst_at(scan, copy->inst), IR_ASYNC) ||
        !phases_same_rounds(copy, expect) || copy->beside != expect->beside)
      continue;
    if (!is_control_equivalent(scan, copy->inst, expect->inst) ||
        !bytes_add(phases->anyone, &sum, inst_at(scan, copy->inst)->ops[2]))
      return false;
  }
  return bytes_are_all(phases->anyone, sum, inst_at(scan, expect->inst)->ops[1]);
}

// A copy that completes on an object belongs at the latest to the phase for which its thread arrives there
// next: in the round in which that object has its turn again.
static void find_next_arrival(const Phases *phases, Event *copy) {
  const Scan *scan = phases->scan;
  const Channel *channel = &phases->channels.items[copy->channel];
  const Event *arrival = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *other = &phases->events.items[i];
    if (other->kind != EVENT_ARRIVAL || other->channel != copy->channel) continue;
    arrival = other;
    copy->beside = i + 1;
    count++;
  }
  bool is_same_loop = arrival && arrival->loop == copy->loop,
       is_followed = count == 1 && arrival->loop != CFG_NONE && !arrival->only_copies && !arrival->first &&
                     phases_in_each_round(scan, arrival->loop, arrival->inst);
  if (is_followed && !is_same_loop) { // whoever copies comes to the loop
    uint32_t header = scan->cfg->loops.items[arrival->loop].header, block = inst_at(scan, copy->inst)->block;
    is_followed = copy->loop == CFG_NONE && cfg_post_dominates(scan->cfg, header, block);
  }
  if (!is_followed) {
    copy->beside = 0;
    return;
  }
  int64_t n = channel->period, later = copy->form.rotation - arrival->form.rotation;
  later -= phases_floor(later, n) * n;
  if (is_same_loop) {
    if (!later && !graph_reaches_in_round(scan, copy->loop, copy->inst, arrival->inst)) later = n;
    int64_t turn = arrival->form.turn + later;
    copy->form.turn = turn - phases_floor(turn, n) * n;
    copy->form.shift = arrival->form.shift + phases_floor(turn, n);
  } else { // once, before the loop
    copy->form.turn = 0;
    copy->form.shift = phases_phase(channel, &arrival->form, later);
  }
}

static void find_beside(Phases *phases, Event *event) {
  const Scan *scan = phases->scan;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *arrival = &phases->events.items[i];
    if (arrival->kind != EVENT_ARRIVAL || !phases_same_rounds(arrival, event) || arrival->only_copies)
      continue;
    bool is_copy = ir_inst_is(inst_at(scan, event->inst), IR_ASYNC) && event->kind == EVENT_BYTES;
    bool is_before = phases_dominates(scan, event->inst, arrival->inst);
    bool belongs = event->kind == EVENT_COPY
                       ? graph_reaches(scan, event->inst, arrival->inst) &&
                             cfg_post_dominates(scan->cfg, inst_at(scan, arrival->inst)->block,
                                                inst_at(scan, event->inst)->block)
                       : is_control_equivalent(scan, event->inst, arrival->inst) && (is_copy || is_before);
    if (belongs && event->kind == EVENT_COPY &&
        inst_at(scan, event->inst)->block == inst_at(scan, arrival->inst)->block)
      belongs = event->inst < arrival->inst;
    if (!belongs) continue;
    event->beside = i + 1;
    event->form = arrival->form;
  }
  if (!event->beside && event->kind == EVENT_COPY) find_next_arrival(phases, event);
}

static bool tie_copies(Phases *phases) {
  const Scan *scan = phases->scan;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    Event *event = &phases->events.items[i];
    if (event->kind == EVENT_BYTES || event->kind == EVENT_COPY) find_beside(phases, event);
  }
  for (uint32_t i = 0; i < phases->events.count; i++) {
    Event *event = &phases->events.items[i];
    if (event->kind != EVENT_BYTES && event->kind != EVENT_COPY) continue;
    bool is_told = event->kind == EVENT_COPY;
    for (uint32_t j = 0; j < phases->events.count && !is_told; j++) {
      const Event *expect = &phases->events.items[j];
      is_told = expect->kind == EVENT_BYTES && inst_at(scan, expect->inst)->op == IR_MBARRIER &&
                expect->beside == event->beside && bytes_add_up(phases, expect);
    }
    if (!event->beside || !is_told) phases->channels.items[event->channel].is_broken = true;
  }
  return true;
}

bool phases_copy_is_over(Scan *scan, uint32_t copy, uint32_t wait, uint32_t loop, int64_t later) {
  ASSERT(scan_has_inst(scan, wait));
  ASSERT(loop == CFG_NONE || scan_has_loop(scan, loop));
  Phases *phases = phases_get(scan);
  const Event *issued = NULL, *awaited = NULL;
  for (uint32_t i = 0; phases && i < phases->events.count; i++) {
    const Event *event = &phases->events.items[i];
    if (event->inst == copy && event->kind != EVENT_ARRIVAL && event->kind != EVENT_WAIT) issued = event;
    if (event->inst == wait && event->kind == EVENT_WAIT) awaited = event;
  }
  if (!issued || !awaited || !issued->beside || !awaited->is_valid || issued->channel != awaited->channel ||
      issued->loop != awaited->loop)
    return false;
  bool is_inner = loop != CFG_NONE && loop != issued->loop &&
                  (issued->loop == CFG_NONE ||
                   cfg_loop_contains(scan->cfg, issued->loop, scan->cfg->loops.items[loop].header));
  if (is_inner) later = 0; // it only hands out the copies
  if (loop != CFG_NONE && !is_inner && (loop != issued->loop || later >= CARRIED_ROUNDS)) return false;
  const Channel *channel = &phases->channels.items[issued->channel];
  if (channel->is_broken) return false;
  for (int64_t k = 0; k < channel->period; k++) // then everything repeats itself
    if (phases_place(channel, &issued->form, k) != phases_place(channel, &awaited->form, k + later) ||
        phases_phase(channel, &issued->form, k) > phases_phase(channel, &awaited->form, k + later))
      return false;
  return true;
}

static bool has_whole_channel(const Phases *phases) {
  for (uint32_t c = 0; c < phases->channels.count; c++)
    if (!phases->channels.items[c].is_broken) return true;
  return false;
}

Phases *phases_get(Scan *scan) {
  const Meets *meets = arrivals_all(scan);
  Phases *phases = SCAN_STATE_OF(scan, phases, Phases);
  if (phases->is_asked) return phases->scan ? phases : NULL;
  phases->is_asked = true;
  bool is_open = false;
  for (uint32_t i = 0; i < meets->count; i++)
    is_open |= phases_is_open(scan, &meets->items[i]);
  is_open |= phases_has_named(scan);
  if (!is_open || !named_count_threads(scan)) return NULL;
  for (uint32_t i = 0; i < meets->count; i++)
    if (meets->items[i].state != MEET_WHOLE && !meets->items[i].is_kept) return NULL;
  phases->anyone = frame_make(scan, view_fresh(scan, NULL), NULL, NULL);
  phases->scan = scan;
  bool is_understood = phases_collect(phases) && phases_collect_pipelines(phases);
  if (is_understood) phases_collect_named(phases);
  if (!is_understood || !phases->events.count || !number_arrivals(phases) || !tie_copies(phases)) {
    phases->scan = NULL;
    return NULL;
  }
  phases_settle(phases);
  if (has_whole_channel(phases)) return phases;
  phases->scan = NULL;
  return NULL;
}
