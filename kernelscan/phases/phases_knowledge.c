// Who knows at a wait that the phase before is over, so that the wait awaits the phase that it is meant for? Method: by
// induction over time (phases.c): a thread knows of a phase when it, or another thread whose arrival it has waited for
// elsewhere, has waited for that phase before; knowledge is spread over waits and arrivals until nothing changes.
// All numbers go up by one as all objects of a channel were used, so it is enough to look at the first rounds.
// Soundness: what is known is known on all ways; a wait that nobody shows to be meant for its phase breaks the channel,
// and a broken channel orders nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases/phases.h"
#include "kernelscan/graph.h"
#include "kernelscan/kernel.h"

enum {
  CHECKED_ROUNDS = 240, // behind the first few everything repeats itself
  RUN_LIMIT = 3
};

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

// ---- waits
// A barrier with a number waits for the phase that it arrived for.
static bool read_own_arrival(Phases *phases, Event *wait) {
  for (uint32_t i = 0; i < phases->events.count; i++) {
    const Event *arrival = &phases->events.items[i];
    if (arrival->kind != EVENT_ARRIVAL || arrival->inst != wait->inst) continue;
    wait->form = arrival->form;
    return true;
  }
  return false;
}

// By the token of an arrival at the same place, in the same round.
static bool read_token(Phases *phases, Event *wait) {
  const Scan *scan = phases->scan;
  const IrInst *inst = inst_at(scan, wait->inst), *token = ir_inst(scan->fn, inst->ops[1]);
  bool is_phi = token && token->op == IR_PHI, is_found = false;
  if (!token || (is_phi && scan->cfg->loop_of[token->block] != wait->loop)) return false;
  if (is_phi && wait->loop != CFG_NONE && token->block == scan->cfg->loops.items[wait->loop].header)
    return false;
  for (uint32_t o = 0; o < (is_phi ? token->op_count : 1u); o++) {
    IrRef ref = is_phi ? token->ops[o] : inst->ops[1];
    const Event *arrival = NULL;
    for (uint32_t i = 0; i < phases->events.count; i++)
      if (ref == IR_REF(IR_REF_INST, phases->events.items[i].inst)) arrival = &phases->events.items[i];
    if (!arrival || arrival->kind != EVENT_ARRIVAL || !phases_same_rounds(arrival, wait)) return false;
    bool is_same = arrival->form.turn == wait->form.turn && arrival->form.shift == wait->form.shift;
    if (is_found && !is_same) return false;
    wait->form = arrival->form;
    is_found = true;
  }
  return is_found;
}

static bool parity_in(const Phases *phases, const Event *wait, int64_t round, int64_t *parity) {
  const Scan *scan = phases->scan;
  ExprRef word =
      frame_word(phases_frame_at(phases, wait->loop, round), inst_at(scan, wait->inst)->ops[1], 32);
  if (!word || !expr_is_const(scan->pool, word, parity)) return false;
  *parity &= 1;
  return true;
}

// The phases that have these parities, if the first one of a place is phase 0, or the one that counts as over
// before it.
static bool read_parity(Phases *phases, Event *wait) {
  Scan *scan = phases->scan;
  ExprPool *pool = scan->pool;
  const Channel *channel = &phases->channels.items[wait->channel];
  int64_t n = channel->period, first = 0, parity = 0, turn = 0;
  if (!parity_in(phases, wait, wait->first, &first)) return false;
  int64_t end = wait->trips >= 0 && wait->trips < PHASES_TABLE ? wait->trips : PHASES_TABLE;
  for (int64_t i = 1; i < n && wait->first + i < end && !turn; i++) {
    if (!parity_in(phases, wait, wait->first + i, &parity)) return false;
    if (parity != first) turn = n - i;
  }
  int64_t least = turn - wait->first;
  wait->form.turn = least - phases_floor(least, n) * n;
  wait->form.shift = (first ? -1 : 0) + phases_floor(least, n);
  for (int64_t k = wait->first; k < end; k++)
    if (!parity_in(phases, wait, k, &parity) || (phases_phase(channel, &wait->form, k) & 1) != parity)
      return false;
  if (wait->trips >= 0 && wait->trips <= PHASES_TABLE) return true;
  ExprRef round = frame_iteration(phases->anyone, wait->loop),
          word = frame_word(phases->anyone, inst_at(scan, wait->inst)->ops[1], 32);
  if (!word) return false;
  ExprRef at = expr_binary(pool, EXPR_ADD, EXPR_NSW, round, expr_const(pool, 32, wait->form.turn));
  ExprRef phase =
      expr_binary(pool, EXPR_ADD, EXPR_NSW, expr_binary(pool, EXPR_SDIV, 0, at, expr_const(pool, 32, n)),
                  expr_const(pool, 32, wait->form.shift));
  ExprRef one = expr_const(pool, 32, 1);
  ExprRef differs =
      expr_ne(pool, expr_binary(pool, EXPR_AND, 0, word, one), expr_binary(pool, EXPR_AND, 0, phase, one));
  ExprRef is_late = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, wait->first), round);
  return phases_never(phases, expr_and(pool, differs, is_late), "the parity of another phase");
}

// ---- who knows what
// Whoever comes to the place in a round has passed the wait in it, from its first round on: the conditions on
// the way to the place entail those on the way to the wait.
static bool entails(Phases *phases, const Event *wait, uint32_t place) {
  Scan *scan = phases->scan;
  ExprPool *pool = scan->pool;
  uint32_t loop = wait->loop;
  if (loop == CFG_NONE || !cfg_loop_contains(scan->cfg, loop, inst_at(scan, place)->block) ||
      !graph_reaches_in_round(scan, loop, wait->place, place) ||
      graph_reaches_in_round(scan, loop, place, wait->place))
    return false;
  ExprRef round = frame_iteration(phases->anyone, loop),
          passed = phases_executed_in(phases, loop, wait->place, round);
  if (!passed || phases_exclude(phases, wait->place, place)) return false;
  ExprRef there =
      frame_chain_condition(phases->anyone, scan->cfg->loops.items[loop].header, inst_at(scan, place)->block);
  ExprRef is_late = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, wait->first), round);
  return phases_never(phases, expr_and(pool, expr_and(pool, there, is_late), expr_not(pool, passed)),
                      "a way round the wait for a barrier object");
}

static bool is_behind(Phases *phases, const Event *wait, uint32_t place) {
  if (phases_dominates(phases->scan, wait->place, place)) return true;
  for (uint32_t i = 0; i < phases->entailed.count; i++) {
    const Entailed *known = &phases->entailed.items[i];
    if (known->wait == wait->place && known->place == place && known->first == wait->first)
      return known->holds;
  }
  Entailed asked = {wait->place, place, wait->first, 0, entails(phases, wait, place)};
  vec_push(phases->scan->arena, &phases->entailed, asked);
  return asked.holds;
}

// Whoever comes to the place in a round has passed the wait so many rounds before, if that is one of its
// rounds: the conditions of the two rounds are those of one thread. Together with a wait that leaves out no
// round between two of its own, this holds for all earlier rounds.
static bool was_passed_before(Phases *phases, const Event *wait, uint32_t place, int64_t back) {
  Scan *scan = phases->scan;
  ExprPool *pool = scan->pool;
  uint32_t loop = wait->loop, block = inst_at(scan, place)->block;
  if (loop == CFG_NONE ||
      !(cfg_loop_contains(scan->cfg, loop, block) || phases_is_behind_loop(scan, loop, place)))
    return false;
  Entailed asked = {inst_at(scan, wait->place)->block, block, wait->first, back, false};
  for (uint32_t i = 0; i < phases->entailed_before.count; i++) {
    const Entailed *known = &phases->entailed_before.items[i];
    if (known->wait == asked.wait && known->place == block && known->first == wait->first &&
        known->back == back)
      return known->holds;
  }
  ExprRef round = frame_iteration(phases->anyone, loop),
          before = expr_binary(pool, EXPR_SUB, EXPR_NSW, round, expr_const(pool, 32, back)),
          passed = phases_executed_in(phases, loop, wait->place, before),
          there = frame_chain_condition(phases->anyone, scan->cfg->loops.items[loop].header, block);
  ExprRef is_late = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, wait->first + back), round);
  asked.holds = passed && !exclusive_blocks(scan, asked.wait, block) &&
                phases_never(phases, expr_and(pool, expr_and(pool, there, is_late), expr_not(pool, passed)),
                             "a way round the wait for a barrier object in an earlier round");
  vec_push(scan->arena, &phases->entailed_before, asked);
  return asked.holds;
}

// Is the wait over in round `round - back` for a thread at the place in round `round`? Both in one loop.
bool phases_is_passed(Phases *phases, const Event *wait, uint32_t place, int64_t back) {
  ASSERT(scan_has_inst(phases->scan, wait->inst));
  bool is_before = wait->loop == CFG_NONE ? phases_is_made_before(phases, wait->place, place)
                                          : is_behind(phases, wait, place);
  if (!back) return is_before;
  if ((is_before && wait->is_closed) ||
      (wait->loop != CFG_NONE && phases_in_each_round(phases->scan, wait->loop, wait->place)))
    return true;
  for (int64_t rounds = 1; rounds <= back && wait->is_closed; rounds++)
    if (was_passed_before(phases, wait, place, rounds)) return true;
  return false;
}

// Does a thread at this place, in that round of the loop, know that the phase is over?
static bool knows(Phases *phases, const Event *at, uint32_t channel, int64_t round, int64_t place,
                  int64_t phase) {
  if (phase < 0) return true;
  for (uint32_t i = 0; i < phases->knowledge.count; i++) {
    const Event *wait = &phases->knowledge.items[i];
    const Channel *of = &phases->channels.items[wait->channel];
    if (wait->channel != channel || of->is_broken) continue;
    if (wait->loop == at->loop && wait->loop != CFG_NONE) {
      for (int64_t back = 0; back <= of->period && round - back >= wait->first; back++)
        if ((!wait->last || round - back < wait->last) &&
            phases_place(of, &wait->form, round - back) == place &&
            phases_phase(of, &wait->form, round - back) >= phase &&
            phases_is_passed(phases, wait, at->inst, back))
          return true;
    } else if (wait->trips >= 0 && !wait->first && phases_is_over_before(phases, wait, at->inst)) {
      for (int64_t k = wait->first; k < wait->trips && (!wait->last || k < wait->last); k++)
        if (phases_place(of, &wait->form, k) == place && phases_phase(of, &wait->form, k) >= phase)
          return true;
    }
  }
  return false;
}

// In each round the thread knows, where it does this, that the phase before is over.
static bool knows_phase_before(Phases *phases, const Event *event) {
  const Channel *channel = &phases->channels.items[event->channel];
  int64_t end = event->trips >= 0 ? event->trips : CHECKED_ROUNDS;
  for (int64_t k = event->first; k < end && k < event->first + CHECKED_ROUNDS; k++)
    if (!knows(phases, event, event->channel, k, phases_place(channel, &event->form, k),
               phases_phase(channel, &event->form, k) - 1))
      return false;
  return true;
}

// A wait that does not stand in each round: what it waited for last is one turn before.
static bool follows_itself(Phases *phases, const Event *wait) {
  Scan *scan = phases->scan;
  ExprPool *pool = scan->pool;
  const Channel *channel = &phases->channels.items[wait->channel];
  int64_t n = channel->period;
  for (int64_t k = wait->first; k < wait->first + n;
       k++) // what came before the first turn is known otherwise
    if (!knows(phases, wait, wait->channel, k, phases_place(channel, &wait->form, k),
               phases_phase(channel, &wait->form, k) - 1))
      return false;
  if (wait->loop == CFG_NONE || wait->is_closed) return true;
  if (wait->is_tail) return false;
  ExprRef round = frame_iteration(phases->anyone, wait->loop), turn = expr_const(pool, 32, n);
  ExprRef now = phases_executed_in(phases, wait->loop, wait->inst, round),
          earlier = phases_executed_in(phases, wait->loop, wait->inst,
                                       expr_binary(pool, EXPR_SUB, EXPR_NSW, round, turn));
  if (!now || !earlier) return false;
  ExprRef is_later = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, wait->first + n), round);
  ExprRef gap = expr_and(pool, expr_and(pool, now, is_later), expr_not(pool, earlier));
  return phases_never(phases, gap, "a turn without waiting for the barrier object");
}

static bool is_token(const Scan *scan, const Event *wait) {
  return inst_at(scan, wait->inst)->op == IR_MBARRIER && inst_at(scan, wait->inst)->imm == IR_MBARRIER_WAIT;
}

static bool is_known_wait(Phases *phases, Event *wait) {
  if (is_token(phases->scan, wait)) return true; // the token says which phase
  if (phases->channels.items[wait->channel].is_named) return true;
  return follows_itself(phases, wait) || knows_phase_before(phases, wait);
}

static void read_waits(Phases *phases) {
  const Scan *scan = phases->scan;
  for (uint32_t i = 0; i < phases->events.count; i++) {
    Event *wait = &phases->events.items[i];
    if (wait->kind != EVENT_WAIT || phases->channels.items[wait->channel].is_broken) continue;
    const Channel *channel = &phases->channels.items[wait->channel];
    bool is_read = channel->is_pipeline   ? true
                   : channel->is_named    ? read_own_arrival(phases, wait)
                   : is_token(scan, wait) ? read_token(phases, wait)
                                          : read_parity(phases, wait);
    wait->is_valid = is_read && is_known_wait(phases, wait);
    if (wait->is_valid) vec_push(scan->arena, &phases->knowledge, *wait);
  }
}

// The round in which the arrival was made that has this place and number; -1: none.
static int64_t round_of(const Channel *channel, const Event *arrival, int64_t place, int64_t number) {
  int64_t end =
      arrival->trips >= 0 && arrival->trips < CHECKED_ROUNDS * 2 ? arrival->trips : CHECKED_ROUNDS * 2;
  for (int64_t k = arrival->first; k < end; k++)
    if (phases_place(channel, &arrival->form, k) == place &&
        phases_phase(channel, &arrival->form, k) == number)
      return k;
  return -1;
}

typedef struct Run { // in these rounds of the wait, what was made `distance` rounds later in the arrival's
                     // loop
  int64_t from, to, distance;
} Run;

static int64_t end_of(const Event *wait) {
  return wait->trips >= 0 && wait->trips < CHECKED_ROUNDS ? wait->trips : CHECKED_ROUNDS;
}

// A thread of whose arrivals at the channel this one alone has the places and numbers that are waited for.
static bool has_own_thread(Phases *phases, const Event *wait, const Event *arrival, const Run *run) {
  const Channel *channel = &phases->channels.items[arrival->channel];
  for (int64_t t = 0; t < named_threads(phases->scan); t++) {
    bool is_own = arrival->members[t] && channel->members[t];
    for (uint32_t i = 0; i < phases->events.count && is_own; i++) {
      const Event *other = &phases->events.items[i];
      if (other->kind != EVENT_ARRIVAL || other->channel != arrival->channel || other == arrival ||
          !other->members[t] || phases_is_over_before(phases, other, arrival->inst)) // it has smaller numbers
        continue;
      for (int64_t k = run->from; k <= run->to && is_own; k++)
        is_own = round_of(channel, other, phases_place(channel, &wait->form, k),
                          phases_phase(channel, &wait->form, k)) < 0;
    }
    if (is_own) return true;
  }
  return false;
}

// Who has waited for the phase knows what the thread that arrived for it had waited for: in round k, what the
// other one knew in round k + distance. The next such rounds, from `run->from` on; false: there are none.
static bool find_run(const Phases *phases, const Event *wait, const Event *arrival, Run *run) {
  const Channel *channel = &phases->channels.items[wait->channel];
  bool is_found = false;
  for (int64_t k = run->from; k < end_of(wait); k++) {
    int64_t at = round_of(channel, arrival, phases_place(channel, &wait->form, k),
                          phases_phase(channel, &wait->form, k));
    if (is_found && (at < 0 || at - k != run->distance)) break;
    if (at < 0) continue;
    if (!is_found) *run = (Run){k, k, at - k};
    run->to = k;
    is_found = true;
  }
  return is_found;
}

static Form shifted(const Channel *channel, Form form, int64_t distance) {
  int64_t n = channel->period, turn = form.turn + distance, rotation = form.rotation + distance;
  return (Form){.rotation = rotation - phases_floor(rotation, n) * n,
                .turn = turn - phases_floor(turn, n) * n,
                .shift = form.shift + phases_floor(turn, n)};
}

// An arrival for copies tells nothing else; but it is made behind what its thread has waited for.
static void add_knowledge(Phases *phases, const Event *wait, const Event *arrival, const Event *heard,
                          const Run *run) {
  if (heard->loop != arrival->loop || wait->channel == heard->channel) return;
  const Channel *channel = &phases->channels.items[heard->channel];
  bool is_for_good = run->to == end_of(wait) - 1;
  for (int64_t back = 0; back <= (heard->loop == CFG_NONE ? 0 : channel->period); back++) {
    if (!phases_is_passed(phases, heard, arrival->inst, back)) continue;
    Event made = *wait;
    made.only_in_time = arrival->only_copies;
    made.channel = heard->channel;
    made.form = shifted(channel, heard->form, run->distance - back);
    made.first = run->from;
    made.last = is_for_good ? 0 : run->to + 1;
    while (made.first + run->distance - back < heard->first)
      made.first++;
    if (!made.last || made.first < made.last) vec_push(phases->scan->arena, &phases->knowledge, made);
  }
}

static void add_further(Phases *phases) {
  uint32_t direct = phases->knowledge.count;
  for (uint32_t w = 0; w < direct; w++)
    for (uint32_t i = 0; i < phases->events.count; i++) {
      const Event *arrival = &phases->events.items[i];
      Event wait = phases->knowledge.items[w];
      Run run = {.from = wait.first};
      if (arrival->kind != EVENT_ARRIVAL || arrival->channel != wait.channel ||
          phases->channels.items[arrival->channel].is_broken)
        continue;
      for (int runs = 0; runs < RUN_LIMIT && find_run(phases, &wait, arrival, &run); runs++) {
        bool is_own = has_own_thread(phases, &wait, arrival, &run);
        for (uint32_t h = 0; h < direct && is_own; h++) {
          Event heard = phases->knowledge.items[h];
          add_knowledge(phases, &wait, arrival, &heard, &run);
        }
        run.from = run.to + 1;
      }
    }
}

// Breaks what rests on nothing, until nothing more breaks: what is left holds by induction over time.
void phases_settle(Phases *phases) {
  for (bool changed = true; changed;) {
    changed = false;
    phases->knowledge.count = 0;
    read_waits(phases);
    add_further(phases);
    for (uint32_t i = 0; i < phases->events.count && !changed; i++) {
      const Event *event = &phases->events.items[i];
      Channel *channel = &phases->channels.items[event->channel];
      if (channel->is_broken || (event->kind != EVENT_ARRIVAL && event->kind != EVENT_BYTES)) continue;
      if (knows_phase_before(phases, event)) continue;
      channel->is_broken = changed = true;
    }
  }
}
