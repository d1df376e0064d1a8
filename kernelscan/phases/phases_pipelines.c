// A pipeline that a block shares, as two barrier objects for each stage: "full", at which producers arrive by
// committing and which consumers wait for, and "empty", at which consumers arrive by releasing and which
// producers wait for by acquiring. Method: the stage of an operation is counted: how many stages its thread
// has handed over (or given back) before. Where each round takes several stages, as many in each loop, every
// such one counts as a pipeline of its own, with so many fewer stages. Who produces and who consumes is said
// where the pipeline is made; the threads of the block are enumerated. Soundness: as in phases.c, which makes
// sure that nobody hands over a stage that is in use; what is not counted leaves the kernel without phases.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases/phases.h"
#include "kernelscan/graph.h"

enum { BASE_FULL = -1, BASE_EMPTY = -2, SHARE_LIMIT = 8 };

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
// Of the stages with numbers that leave this rest.
static int64_t base_of(bool is_full, int64_t rest) {
  return (is_full ? BASE_FULL : BASE_EMPTY) - 2 * rest;
}

static bool add_channel(Phases *phases, uint32_t object, const IrInst *init, bool is_full, int64_t rest,
                        int64_t shares) {
  Scan *scan = phases->scan;
  Channel made = {.object = object, .base = base_of(is_full, rest), .is_pipeline = true};
  made.members = arena_array(scan->arena, (size_t)named_threads(scan) + 1, uint8_t);
  if (!ir_const_value(scan->fn, init->ops[1], &made.period) || made.period < 1 || made.period > PHASES_PERIOD)
    return false;
  made.period /= shares;
  if (init->op_count > 3) return false; // of a tile
  if (init->op_count > 2) {
    if (!named_where(scan, init->ops[2], is_full ? 0 : 1, made.members)) return false;
  } else {
    memset(made.members, 1, (size_t)named_threads(scan));
  }
  vec_push(scan->arena, &phases->channels, made);
  return true;
}

// Of those that one thread may come to.
static int64_t count_in_loop(const Phases *phases, uint32_t loop, IrRef state, IrPipelineKind kind) {
  const Scan *scan = phases->scan;
  uint32_t first = CFG_NONE;
  int64_t count = 0;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (!is_pipeline(scan, i) || kind_of(scan, i) != kind || inst_at(scan, i)->ops[0] != state ||
        scan->cfg->loop_of[inst_at(scan, i)->block] != loop)
      continue;
    if (first == CFG_NONE) first = i;
    count += !phases_exclude(phases, first, i);
  }
  return count;
}

// How many stages each round of each loop hands over, or gives back, if that is one number that divides the
// number of stages; else 1.
static int64_t find_shares(const Phases *phases, const IrInst *init) {
  const Scan *scan = phases->scan;
  int64_t shares = 0, stages = 0;
  for (uint32_t l = 0; l < scan->cfg->loops.count; l++)
    for (int gives_back = 0; gives_back < 2; gives_back++) {
      int64_t count =
          count_in_loop(phases, l, init->ops[0], gives_back ? IR_PIPELINE_RELEASE : IR_PIPELINE_COMMIT);
      if (!count) continue;
      if (shares && count != shares) return 1;
      shares = count;
    }
  bool divides = shares > 0 && shares <= SHARE_LIMIT && ir_const_value(scan->fn, init->ops[1], &stages) &&
                 stages % shares == 0;
  return divides ? shares : 1;
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
  int64_t shares = find_shares(phases, inst_at(scan, init));
  for (int64_t rest = 0; rest < shares; rest++)
    if (!add_channel(phases, object, inst_at(scan, init), true, rest, shares) ||
        !add_channel(phases, object, inst_at(scan, init), false, rest, shares))
      return false;
  return scan->cfg->loop_of[inst_at(scan, init)->block] == CFG_NONE;
}

static uint32_t channel_of(const Phases *phases, uint32_t object, bool is_full, int64_t rest) {
  for (uint32_t c = 0; c < phases->channels.count; c++) {
    const Channel *channel = &phases->channels.items[c];
    if (channel->is_pipeline && channel->object == object && channel->base == base_of(is_full, rest))
      return c;
  }
  return CFG_NONE;
}

static int64_t shares_of(const Phases *phases, uint32_t object) {
  int64_t shares = 1;
  while (channel_of(phases, object, true, shares) != CFG_NONE)
    shares++;
  return shares;
}

// Commits go on to the next stage of whoever fills, releases to that of whoever takes.
static bool is_counted_by(const Scan *scan, uint32_t inst, uint32_t counter) {
  bool fills = kind_of(scan, inst) == IR_PIPELINE_COMMIT || kind_of(scan, inst) == IR_PIPELINE_ACQUIRE;
  return kind_of(scan, counter) == (fills ? IR_PIPELINE_COMMIT : IR_PIPELINE_RELEASE) &&
         inst_at(scan, inst)->ops[0] == inst_at(scan, counter)->ops[0];
}

// ---- stages
// What is left in the pipeline when a loop ends is taken behind it: the stages go on from those of its
// rounds.
static void find_tail(Phases *phases, Event *event) {
  const Scan *scan = phases->scan;
  const Channel *channel = &phases->channels.items[event->channel];
  int64_t stages = channel->period * shares_of(phases, channel->object);
  if (event->loop != CFG_NONE) return;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    if (!is_pipeline(scan, i) || !is_counted_by(scan, event->inst, i)) continue;
    Event counter = {.inst = i};
    uint32_t loop = scan->cfg->loop_of[inst_at(scan, i)->block];
    if (loop == CFG_NONE || !phases_is_behind_loop(scan, loop, event->inst)) continue;
    // A few rounds can be counted one by one.
    if (phases_read_rounds(phases, &counter) && counter.is_counted && counter.trips <= stages) continue;
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
  Event event = {.inst = inst, .place = inst, .channel = channel_of(phases, object, is_full, 0)};
  event.kind = kind == IR_PIPELINE_COMMIT || kind == IR_PIPELINE_RELEASE ? EVENT_ARRIVAL : EVENT_WAIT;
  event.takes_copies = kind == IR_PIPELINE_COMMIT;
  if (event.channel == CFG_NONE || !phases_read_rounds(phases, &event)) return false;
  find_tail(phases, &event);
  if (!event.is_closed && !event.is_tail) return false;
  vec_push(scan->arena, &phases->events, event);
  return true;
}

// One comes to the second behind the first, in the same rounds.
static bool comes_next(const Scan *scan, const Event *first, const Event *second) {
  uint32_t a = inst_at(scan, first->inst)->block, b = inst_at(scan, second->inst)->block;
  return first->loop == second->loop && first->first == second->first &&
         phases_dominates(scan, first->inst, second->inst) && (a == b || cfg_post_dominates(scan->cfg, b, a));
}

// How many stages its thread goes on in each round before it comes to the event; -1: not known.
static int64_t count_in_round(const Phases *phases, const Event *event, int64_t shares) {
  const Scan *scan = phases->scan;
  int64_t before = 0, behind = event->kind == EVENT_ARRIVAL ? 1 : 0;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *other = &phases->events.items[i];
    if (!is_pipeline(scan, other->inst) || !is_counted_by(scan, event->inst, other->inst) || other == event ||
        other->is_tail || other->loop != event->loop || phases_exclude(phases, other->inst, event->inst))
      continue;
    if (comes_next(scan, other, event))
      before++;
    else if (comes_next(scan, event, other))
      behind++;
    else
      return -1;
  }
  bool has_next = behind > 0; // a wait stands before what goes on from its stage
  return has_next && before + behind == shares ? before : -1;
}

// Behind the loop: those of each round, and those that were taken behind it before.
static bool count_in_tail(const Phases *phases, const Event *event, const Event *other, int64_t *before,
                          uint32_t *each_round) {
  const Scan *scan = phases->scan;
  if (other->is_tail) {
    if (!graph_reaches(scan, other->inst, event->inst)) return true;
    ++*before;
    return phases_dominates(scan, other->inst, event->inst);
  }
  ++*each_round;
  return phases_in_each_round(scan, other->loop, other->inst);
}

// How many stages its thread has gone on before the first round of the event; -1: not known.
static int64_t count_before(Phases *phases, const Event *event, int64_t shares) {
  const Scan *scan = phases->scan;
  bool is_in_loop = event->loop != CFG_NONE && !event->is_tail;
  int64_t before = is_in_loop ? count_in_round(phases, event, shares) : 0;
  uint32_t each_round = 0;
  if (before < 0) return -1;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *other = &phases->events.items[i];
    if (!is_pipeline(scan, other->inst) || !is_counted_by(scan, event->inst, other->inst) || other == event)
      continue;
    bool is_beside = event->loop != CFG_NONE && other->loop == event->loop;
    if (other->is_tail && !event->is_tail) continue; // comes later
    if (!is_beside && !graph_reaches(scan, other->inst, event->inst)) continue;
    if (phases_exclude(phases, other->inst, event->inst)) continue;
    if (is_beside && is_in_loop) continue; // counted
    if (is_beside) {
      if (!count_in_tail(phases, event, other, &before, &each_round)) return -1;
      continue;
    }
    if (other->trips < 0) return -1;
    if (!phases_is_over_before(phases, other, event->inst)) return -1;
    before += other->trips - other->first;
  }
  return each_round == (event->is_tail ? shares : 0) ? before : -1;
}

static bool number_event(Phases *phases, Event *event) {
  uint32_t object = phases->channels.items[event->channel].object;
  int64_t shares = shares_of(phases, object), before = count_before(phases, event, shares),
          n = phases->channels.items[event->channel].period;
  IrPipelineKind kind = kind_of(phases->scan, event->inst);
  if (before < 0 || before > 3 * n * shares) return false;
  event->channel =
      channel_of(phases, object, kind == IR_PIPELINE_COMMIT || kind == IR_PIPELINE_WAIT, before % shares);
  int64_t at = before / shares - event->first;
  event->form.rotation = event->form.turn = at - phases_floor(at, n) * n;
  event->form.shift = phases_floor(at, n) - (kind == IR_PIPELINE_ACQUIRE);
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
