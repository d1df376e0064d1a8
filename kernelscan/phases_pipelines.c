// A pipeline that a block shares, as two barrier objects for each stage: "full", at which producers arrive by
// committing and which consumers wait for, and "empty", at which consumers arrive by releasing and which
// producers wait for by acquiring. Method: the stage of an operation is counted: how many stages its thread
// has handed over (or given back) before. Who produces and who consumes is said where the pipeline is made;
// the threads of the block are enumerated. Soundness: as in phases.c, which makes sure that nobody hands over
// a stage that is in use; what is not counted leaves the kernel without phases.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases.h"

enum { BASE_FULL = -1, BASE_EMPTY = -2 };

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

static bool is_pipeline(const Scan *scan, uint32_t inst) {
  return inst_at(scan, inst)->op == IR_PIPELINE &&
         scan->cfg->rpo_number[inst_at(scan, inst)->block] != CFG_NONE;
}

static IrPipelineKind kind_of(const Scan *scan, uint32_t inst) {
  return (IrPipelineKind)inst_at(scan, inst)->imm;
}

// ---- the pipeline
// ----------------------------------------------------------------------------------------------------
static bool add_channel(Phases *phases, uint32_t object, const IrInst *init, bool is_full) {
  Scan *scan = phases->scan;
  Channel made = {.object = object, .base = is_full ? BASE_FULL : BASE_EMPTY, .is_pipeline = true};
  made.members = arena_array(scan->arena, (size_t)scan->block_threads + 1, uint8_t);
  if (!ir_const_value(scan->fn, init->ops[1], &made.period) || made.period < 1 || made.period > PHASES_PERIOD)
    return false;
  if (init->op_count > 3) return false; // of a tile
  if (init->op_count > 2) {
    if (!named_where(scan, init->ops[2], is_full ? 0 : 1, made.members)) return false;
  } else {
    memset(made.members, 1, (size_t)scan->block_threads);
  }
  vec_push(scan->arena, &phases->channels, made);
  return true;
}

// The object holds one pipeline, made once.
static bool add_pipeline(Phases *phases, uint32_t init, uint32_t object) {
  const Scan *scan = phases->scan;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (!is_pipeline(scan, i)) continue;
    uint32_t other = arrivals_object(scan, phases->anyone, inst_at(scan, i)->ops[0]);
    if (!other) return false;
    if (other != object) continue;
    bool is_again = i != init && kind_of(scan, i) == IR_PIPELINE_INIT;
    if (is_again || inst_at(scan, i)->ops[0] != inst_at(scan, init)->ops[0] ||
        (kind_of(scan, i) == IR_PIPELINE_QUIT && !arrivals_is_last(scan, i)) ||
        (i != init && !phases_dominates(scan, init, i)))
      return false;
  }
  return scan->cfg->loop_of[inst_at(scan, init)->block] == CFG_NONE &&
         add_channel(phases, object, inst_at(scan, init), true) &&
         add_channel(phases, object, inst_at(scan, init), false);
}

static uint32_t channel_of(const Phases *phases, uint32_t object, bool is_full) {
  for (uint32_t c = 0; c < phases->channels.count; c++) {
    const Channel *channel = &phases->channels.items[c];
    if (channel->is_pipeline && channel->object == object &&
        channel->base == (is_full ? BASE_FULL : BASE_EMPTY))
      return c;
  }
  return CFG_NONE;
}

// Commits go on to the next stage of whoever fills, releases to that of whoever takes.
static bool is_counted_by(const Scan *scan, uint32_t inst, uint32_t counter) {
  bool fills = kind_of(scan, inst) == IR_PIPELINE_COMMIT || kind_of(scan, inst) == IR_PIPELINE_ACQUIRE;
  return kind_of(scan, counter) == (fills ? IR_PIPELINE_COMMIT : IR_PIPELINE_RELEASE) &&
         inst_at(scan, inst)->ops[0] == inst_at(scan, counter)->ops[0];
}

// ---- stages
// ----------------------------------------------------------------------------------------------------
// What is left in the pipeline when a loop ends is taken behind it: the stages go on from those of its
// rounds.
static void find_tail(Phases *phases, Event *event) {
  const Scan *scan = phases->scan;
  int64_t period = phases->channels.items[event->channel].period;
  if (event->loop != CFG_NONE) return;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (!is_pipeline(scan, i) || !is_counted_by(scan, event->inst, i)) continue;
    Event counter = {.inst = i};
    uint32_t loop = scan->cfg->loop_of[inst_at(scan, i)->block];
    if (loop == CFG_NONE || !phases_is_behind_loop(scan, loop, event->inst)) continue;
    // A few rounds can be counted one by one.
    if (phases_read_rounds(phases, &counter) && counter.is_counted && counter.trips <= period) continue;
    event->loop = loop;
    event->trips = -1;
    event->is_tail = true;
    event->is_closed = false;
  }
}

static bool add_event(Phases *phases, uint32_t inst) {
  const Scan *scan = phases->scan;
  IrPipelineKind kind = kind_of(scan, inst);
  uint32_t object = arrivals_object(scan, phases->anyone, inst_at(scan, inst)->ops[0]);
  bool is_full = kind == IR_PIPELINE_COMMIT || kind == IR_PIPELINE_WAIT;
  Event event = {.inst = inst, .place = inst, .channel = channel_of(phases, object, is_full)};
  event.kind = kind == IR_PIPELINE_COMMIT || kind == IR_PIPELINE_RELEASE ? EVENT_ARRIVAL : EVENT_WAIT;
  event.takes_copies = kind == IR_PIPELINE_COMMIT;
  if (event.channel == CFG_NONE || !phases_read_rounds(phases, &event)) return false;
  find_tail(phases, &event);
  if (!event.is_closed && !event.is_tail) return false;
  vec_push(scan->arena, &phases->events, event);
  return true;
}

// The wait stands beside what goes on from its stage, before it, in the same rounds.
static bool belongs_to(const Scan *scan, const Event *wait, const Event *counter) {
  uint32_t a = inst_at(scan, wait->inst)->block, b = inst_at(scan, counter->inst)->block;
  return wait->loop == counter->loop && wait->first == counter->first &&
         phases_dominates(scan, wait->inst, counter->inst) && (a == b || cfg_post_dominates(scan->cfg, b, a));
}

// Behind the loop: one stage for each round, and those that were taken behind it before.
static bool count_in_tail(const Phases *phases, const Event *event, const Event *other, int64_t *before,
                          uint32_t *each_round) {
  const Scan *scan = phases->scan;
  if (other->is_tail) {
    if (!order_reaches(scan, other->inst, event->inst)) return true;
    ++*before;
    return phases_dominates(scan, other->inst, event->inst);
  }
  ++*each_round;
  return phases_in_each_round(scan, other->loop, other->inst);
}

// How many stages its thread has gone on before the first round of the event; -1: not known.
static int64_t count_before(Phases *phases, const Event *event) {
  const Scan *scan = phases->scan;
  int64_t before = 0;
  uint32_t each_round = 0;
  bool has_counter = event->kind == EVENT_ARRIVAL || event->loop == CFG_NONE || event->is_tail;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *other = &phases->events.items[i];
    if (!is_pipeline(scan, other->inst) || !is_counted_by(scan, event->inst, other->inst) || other == event)
      continue;
    bool is_beside = event->loop != CFG_NONE && other->loop == event->loop;
    if (other->is_tail && !event->is_tail) continue; // comes later
    if (!is_beside && !order_reaches(scan, other->inst, event->inst)) continue;
    if (phases_exclude(phases, other->inst, event->inst)) continue;
    if (event->is_tail && is_beside) {
      if (!count_in_tail(phases, event, other, &before, &each_round)) return -1;
      continue;
    }
    if (is_beside) {
      if (has_counter || !belongs_to(scan, event, other)) return -1;
      has_counter = true;
      continue;
    }
    if (other->trips < 0) return -1;
    if (!phases_is_over_before(phases, other, event->inst)) return -1;
    before += other->trips - other->first;
  }
  return has_counter && each_round == event->is_tail ? before : -1;
}

static bool number_event(Phases *phases, Event *event) {
  const Channel *channel = &phases->channels.items[event->channel];
  int64_t before = count_before(phases, event), n = channel->period;
  if (before < 0 || before > 3 * n) return false;
  int64_t at = before - event->first;
  event->form.rotation = event->form.turn = at - phases_floor(at, n) * n;
  event->form.shift = phases_floor(at, n) - (kind_of(phases->scan, event->inst) == IR_PIPELINE_ACQUIRE);
  return true;
}

bool phases_collect_pipelines(Phases *phases) {
  const Scan *scan = phases->scan;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (!is_pipeline(scan, i) || kind_of(scan, i) != IR_PIPELINE_INIT) continue;
    uint32_t object = arrivals_object(scan, phases->anyone, inst_at(scan, i)->ops[0]);
    if (!object || !add_pipeline(phases, i, object)) return false;
  }
  uint32_t first = phases->events.count;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (is_pipeline(scan, i) && kind_of(scan, i) != IR_PIPELINE_INIT &&
        kind_of(scan, i) != IR_PIPELINE_QUIT && !add_event(phases, i))
      return false;
  for (uint32_t e = first; e < phases->events.count; e++)
    if (!number_event(phases, &phases->events.items[e])) return false;
  return true;
}
