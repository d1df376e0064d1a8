// Which barrier objects does each operation use, in which round of its loop? Method: the address is evaluated
// in the first rounds, which gives the objects that are used in turn (a channel); the solver is asked whether
// it goes on like that. Objects are set up once, with one number, before anything else is done to them.
// Soundness: what does not fit leaves the channel broken, or the whole kernel without phases (phases.c).
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/phases/phases.h"
#include "kernelscan/graph.h"
#include "kernelscan/operations.h"

enum { REPEAT_LIMIT = 24 }; // rounds in which all channels have come round

static const IrInst *inst_at(const Scan *scan, uint32_t inst) {
  return &scan->fn->insts.items[inst];
}

bool phases_dominates(const Scan *scan, uint32_t a, uint32_t b) {
  ASSERT(scan_has_inst(scan, a));
  ASSERT(scan_has_inst(scan, b));
  uint32_t block_a = inst_at(scan, a)->block, block_b = inst_at(scan, b)->block;
  return block_a == block_b ? a < b : cfg_dominates(scan->cfg, block_a, block_b);
}

int64_t phases_floor(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

int64_t phases_place(const Channel *channel, const Form *form, int64_t round) {
  int64_t at = round + form->rotation;
  return at - phases_floor(at, channel->period) * channel->period;
}

int64_t phases_phase(const Channel *channel, const Form *form, int64_t round) {
  return phases_floor(round + form->turn, channel->period) + form->shift;
}

bool phases_never(Phases *phases, ExprRef condition, const char *name) {
  ASSERT(scan_has_word(phases->scan, condition, 1));
  ASSERT(name);
  Goal goal = {0};
  goal_add(phases->scan, &goal, condition, GOAL_CONFLICT, 0);
  if (goal.is_false) return true;
  if (models_satisfy(phases->scan->pool, &phases->models, condition)) return false;
  goal_add_view(phases->scan, &goal, phases->anyone->view);
  goal_add_launch(phases->scan, &goal);
  if (goal.is_false) return true;
  SolverAnswer answer = goal_satisfiable(phases->scan, &goal, name);
  models_keep(&phases->models, &answer);
  return answer.verdict == VERDICT_SAFE;
}

// ---- rounds
Frame *phases_frame_at(const Phases *phases, uint32_t loop, int64_t round) {
  ASSERT(loop == CFG_NONE || scan_has_loop(phases->scan, loop));
  Scan *scan = phases->scan;
  if (loop == CFG_NONE) return phases->anyone;
  ExprRef *iteration = arena_array(scan->arena, scan->cfg->loops.count + 1, ExprRef);
  iteration[loop] = expr_const(scan->pool, 32, round);
  return frame_make(scan, phases->anyone->view, iteration, NULL);
}

bool phases_in_each_round(const Scan *scan, uint32_t loop, uint32_t inst) {
  ASSERT(scan_has_loop(scan, loop));
  ASSERT(scan_has_inst(scan, inst));
  const Cfg *cfg = scan->cfg;
  uint32_t header = cfg->loops.items[loop].header;
  for (uint32_t p = cfg->pred_first[header]; p < cfg->pred_first[header + 1]; p++)
    if (cfg->rpo_number[cfg->preds[p]] != CFG_NONE && cfg_loop_contains(cfg, loop, cfg->preds[p]) &&
        !cfg_dominates(cfg, inst_at(scan, inst)->block, cfg->preds[p]))
      return false;
  return true;
}

// The block by which alone the loop is left, and where control goes on inside.
static bool find_exit(const Scan *scan, uint32_t loop, CfgEdge *stays) {
  const Cfg *cfg = scan->cfg;
  bool is_found = false;
  for (uint32_t b = 0; b < cfg->block_count; b++) {
    if (cfg->rpo_number[b] == CFG_NONE || !cfg_loop_contains(cfg, loop, b)) continue;
    uint32_t inside = CFG_NONE;
    bool leaves = false;
    for (uint32_t s = cfg->succ_first[b]; s < cfg->succ_first[b + 1]; s++) {
      if (cfg_loop_contains(cfg, loop, cfg->succs[s]))
        inside = cfg->succs[s];
      else
        leaves = true;
    }
    if (!leaves) continue;
    if (is_found || inside == CFG_NONE) return false;
    is_found = true;
    *stays = (CfgEdge){b, inside};
  }
  return is_found;
}

bool phases_is_behind_loop(const Scan *scan, uint32_t loop, uint32_t inst) {
  ASSERT(scan_has_loop(scan, loop));
  ASSERT(scan_has_inst(scan, inst));
  const Cfg *cfg = scan->cfg;
  CfgEdge stays;
  uint32_t block = inst_at(scan, inst)->block, header = cfg->loops.items[loop].header;
  return cfg->loops.items[loop].parent == CFG_NONE && cfg->loop_of[block] == CFG_NONE &&
         cfg_dominates(cfg, header, block) && find_exit(scan, loop, &stays) && stays.from == header;
}

static uint32_t last_inst(const Scan *scan, uint32_t block) {
  return scan->fn->blocks.items[block].first + scan->fn->blocks.items[block].count - 1;
}

// In how many rounds the instruction is executed at most, if the loop is always gone round equally often; -1:
// not known.
static int64_t count_trips(const Phases *phases, uint32_t loop, uint32_t inst) {
  const Scan *scan = phases->scan;
  CfgEdge stays;
  if (loop == CFG_NONE) return 1;
  if (!find_exit(scan, loop, &stays) || !phases_in_each_round(scan, loop, last_inst(scan, stays.from)))
    return -1;
  uint32_t block = inst_at(scan, inst)->block;
  bool is_behind = block != stays.from && cfg_dominates(scan->cfg, stays.from, block);
  for (int64_t k = 0; k <= PHASES_TABLE; k++) {
    ExprRef condition = frame_edge_condition(phases_frame_at(phases, loop, k), stays.from, stays.to);
    if (!condition || (!expr_is_true(scan->pool, condition) && !expr_is_false(scan->pool, condition)))
      return -1;
    if (expr_is_false(scan->pool, condition)) return is_behind ? k : k + 1;
  }
  return -1;
}

// The head leads to the arrival whatever way is taken, and so does the copy, which lies between the two.
static bool is_bound_by(const Scan *scan, uint32_t copy, uint32_t arrival) {
  const IrInst *inst = inst_at(scan, arrival);
  if (inst->op != IR_MBARRIER || inst->imm != IR_MBARRIER_ARRIVE_COPIES ||
      scan->cfg->rpo_number[inst->block] == CFG_NONE)
    return false;
  uint32_t loop = scan->cfg->loop_of[inst->block], block = inst_at(scan, copy)->block;
  if (block == inst->block) return copy < arrival;
  if (loop != CFG_NONE && !cfg_loop_contains(scan->cfg, loop, block)) return false;
  bool is_behind = loop == CFG_NONE
                       ? graph_reaches(scan, copy, arrival) && !graph_reaches(scan, arrival, copy)
                       : graph_reaches_in_round(scan, loop, copy, arrival) &&
                             !graph_reaches_in_round(scan, loop, arrival, copy);
  return is_behind && cfg_dominates(scan->cfg, graph_head_of(scan, inst->block), block);
}

uint32_t phases_binding(const Scan *scan, uint32_t copy) {
  ASSERT(scan_has_inst(scan, copy));
  const IrInst *inst = inst_at(scan, copy);
  uint32_t found = CFG_NONE;
  if (!ir_inst_is(inst, IR_ASYNC) || (inst->flags & IR_FLAG_BULK)) return CFG_NONE;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (is_bound_by(scan, copy, i) && (found == CFG_NONE || phases_dominates(scan, i, found))) found = i;
  return found;
}

ExprRef phases_executed_in(const Phases *phases, uint32_t loop, uint32_t inst, ExprRef round) {
  ASSERT(scan_has_loop(phases->scan, loop));
  ASSERT(scan_has_inst(phases->scan, inst));
  ASSERT(scan_has_expr(phases->scan, round));
  const Scan *scan = phases->scan;
  Frame *frame = frame_of_round(phases->anyone, loop, round);
  return frame_exact_condition(frame, scan->cfg->loops.items[loop].header,
                               graph_head_of(scan, inst_at(scan, inst)->block));
}

// From which round on is it executed?
static int64_t find_first(const Phases *phases, const Site *site) {
  ExprPool *pool = phases->scan->pool;
  if (site->loop == CFG_NONE || phases_in_each_round(phases->scan, site->loop, site->inst)) return 0;
  for (int64_t k = 0; k < PHASES_PERIOD; k++) {
    ExprRef condition = phases_executed_in(phases, site->loop, site->inst, expr_const(pool, 32, k));
    if (!condition || !expr_is_false(pool, condition)) return k;
  }
  return 0;
}

// Executed in a round (behind the first one) only if it was in the one before.
static bool is_closed(Phases *phases, const Site *site) {
  Scan *scan = phases->scan;
  ExprPool *pool = scan->pool;
  if (site->loop == CFG_NONE || phases_in_each_round(scan, site->loop, site->inst)) return true;
  ExprRef round = frame_iteration(phases->anyone, site->loop),
          before = expr_binary(pool, EXPR_SUB, EXPR_NSW, round, expr_const(pool, 32, 1));
  ExprRef now = phases_executed_in(phases, site->loop, site->inst, round),
          earlier = phases_executed_in(phases, site->loop, site->inst, before);
  if (!now || !earlier) return false;
  ExprRef is_later = expr_binary(pool, EXPR_SLT, 0, expr_const(pool, 32, site->first), round);
  ExprRef gap = expr_and(pool, expr_and(pool, now, is_later), expr_not(pool, earlier));
  return phases_never(phases, gap, "a round without the operation on a barrier object");
}

// In how many rounds at most, where the loop may also end earlier.
static int64_t bound_trips(Phases *phases, const Site *site) {
  ExprPool *pool = phases->scan->pool;
  for (int64_t k = site->first; k <= PHASES_TABLE; k++) {
    ExprRef condition = phases_executed_in(phases, site->loop, site->inst, expr_const(pool, 32, k));
    if (!condition) return -1;
    if (expr_is_false(pool, condition)) return is_closed(phases, site) ? k : -1;
  }
  return -1;
}

// false: never executed, or it is not known when.
static bool read_rounds(Phases *phases, Site *site) {
  const Scan *scan = phases->scan;
  if (site->loop != CFG_NONE && scan->cfg->loops.items[site->loop].parent != CFG_NONE) return false;
  site->first = find_first(phases, site);
  site->trips = count_trips(phases, site->loop, site->inst);
  site->is_counted = site->trips >= 0;
  if (!site->is_counted) site->trips = bound_trips(phases, site);
  return site->trips != 0;
}

static void set_rounds(Phases *phases, const Site *site, Event *event) {
  event->loop = site->loop;
  event->trips = site->trips;
  event->first = site->first;
  event->is_counted = site->is_counted;
  event->is_closed = is_closed(phases, site);
}

bool phases_read_rounds(Phases *phases, Event *event) {
  ASSERT(scan_has_inst(phases->scan, event->inst));
  const Scan *scan = phases->scan;
  Site site = {.inst = event->inst, .loop = scan->cfg->loop_of[inst_at(scan, event->inst)->block]};
  if (!read_rounds(phases, &site)) return false;
  set_rounds(phases, &site, event);
  return true;
}

// The block before the loop, and the one from which it is gone round again, where there is one of each.
static bool find_ends(const Cfg *cfg, uint32_t loop, uint32_t *before, uint32_t *latch) {
  uint32_t header = cfg->loops.items[loop].header;
  *before = *latch = CFG_NONE;
  for (uint32_t p = cfg->pred_first[header]; p < cfg->pred_first[header + 1]; p++) {
    uint32_t from = cfg->preds[p];
    if (cfg->rpo_number[from] == CFG_NONE) continue;
    uint32_t *end = cfg_loop_contains(cfg, loop, from) ? latch : before;
    if (*end != CFG_NONE || cfg->succ_first[from + 1] - cfg->succ_first[from] != 1) return false;
    *end = from;
  }
  return *before != CFG_NONE && *latch != CFG_NONE;
}

bool phases_rounds_are_made(Phases *phases, const Event *event, uint32_t inst) {
  ASSERT(scan_has_inst(phases->scan, event->inst));
  ASSERT(scan_has_inst(phases->scan, inst));
  Scan *scan = phases->scan;
  ExprPool *pool = scan->pool;
  uint32_t before = CFG_NONE, latch = CFG_NONE, block = inst_at(scan, inst)->block;
  if (event->first || !find_ends(scan->cfg, event->loop, &before, &latch) ||
      !phases_is_made_before(phases, last_inst(scan, before), inst))
    return false;
  ExprRef all = expr_bool(pool, true);
  for (int64_t k = 0; k < event->trips; k++) {
    ExprRef round = expr_const(pool, 32, k),
            made = phases_executed_in(phases, event->loop, event->inst, round),
            goes_on = phases_executed_in(phases, event->loop, last_inst(scan, latch), round);
    if (!made || !goes_on) return false;
    all = expr_and(pool, all, expr_and(pool, made, goes_on));
  }
  ExprRef there = meeting_block_condition(phases->anyone, block);
  return phases_never(phases, expr_and(pool, there, expr_not(pool, all)),
                      "fewer rounds of an earlier loop with operations on barrier objects");
}

// ---- addresses
static ExprRef offset_word(Frame *frame, const Site *site) {
  ExprPool *pool = frame->scan->pool;
  if (site->object == PHASES_NUMBERS) {
    ExprRef number = frame_word(frame, site->address, 32);
    return number ? expr_binary(pool, EXPR_MUL, EXPR_ADDRESS, expr_resize_signed(pool, number, 64),
                                expr_const(pool, 64, 8))
                  : 0;
  }
  SymValue address = frame_value(frame, site->address);
  bool is_one = address.kind == SYM_POINTER && address.target_count == 1 && !address.targets[0].condition &&
                !address.targets[0].key && address.targets[0].object == site->object;
  return is_one ? address.targets[0].offset : 0;
}

static bool offset_in(const Phases *phases, const Site *site, int64_t round, int64_t *offset) {
  ExprRef word = offset_word(phases_frame_at(phases, site->loop, round), site);
  return word && expr_is_const(phases->scan->pool, word, offset);
}

// The places that the operation uses: low, low + stride, ...
static bool find_places(Site *site) {
  int64_t high = site->low = site->offsets[0];
  site->distinct = 0;
  site->stride = 8;
  for (int64_t i = 0; i < site->count; i++) {
    bool is_new = true;
    for (int64_t j = 0; j < i; j++)
      is_new &= site->offsets[j] != site->offsets[i];
    site->distinct += is_new;
    if (site->offsets[i] < site->low) site->low = site->offsets[i];
    if (site->offsets[i] > high) high = site->offsets[i];
  }
  if (site->distinct > PHASES_PERIOD) return false;
  if (site->distinct == 1) return true;
  site->stride = (high - site->low) / (site->distinct - 1);
  if (site->stride < 8) return false;
  for (int64_t i = 0; i < site->count; i++)
    if ((site->offsets[i] - site->low) % site->stride) return false;
  return true;
}

static bool has_object_in(const Scan *scan, uint32_t loop) {
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (inst_at(scan, i)->op == IR_MBARRIER && cfg_loop_contains(scan->cfg, loop, inst_at(scan, i)->block))
      return true;
  return false;
}

// A loop that only hands out the copies, all for one object, is none.
static uint32_t loop_of_copies(const Scan *scan, uint32_t inst, IrRef address) {
  const Cfg *cfg = scan->cfg;
  const IrInst *of = ir_inst(scan->fn, address);
  uint32_t loop = cfg->loop_of[inst_at(scan, inst)->block];
  while (loop != CFG_NONE && !(of && cfg_loop_contains(cfg, loop, of->block)) && !has_object_in(scan, loop))
    loop = cfg->loops.items[loop].parent;
  return loop;
}

static bool read_site(Phases *phases, uint32_t inst, IrRef address, Site *site) {
  const Scan *scan = phases->scan;
  bool is_copy = ir_inst_is(inst_at(scan, inst), IR_ASYNC) && !(inst_at(scan, inst)->flags & IR_FLAG_BULK);
  *site = (Site){.inst = inst, .address = address};
  site->loop = is_copy ? loop_of_copies(scan, inst, address) : scan->cfg->loop_of[inst_at(scan, inst)->block];
  site->object = arrivals_object(phases->scan, phases->anyone, address);
  return site->object && phases_read_site(phases, site);
}

bool phases_read_site(Phases *phases, Site *site) {
  ASSERT(scan_has_inst(phases->scan, site->inst));
  if (!read_rounds(phases, site)) return false;
  int64_t last = site->trips >= 0 && site->trips < PHASES_TABLE ? site->trips : PHASES_TABLE;
  for (int64_t k = site->first; k < last; k++)
    if (!offset_in(phases, site, k, &site->offsets[site->count++])) return false;
  return site->count > 0 && find_places(site);
}

// ---- channels
static bool is_inside(const Channel *channel, const Site *site) {
  int64_t at = site->low - channel->base, end = at + (site->distinct - 1) * site->stride;
  return channel->object == site->object && at >= 0 && at % channel->stride == 0 &&
         end / channel->stride < channel->period && (site->distinct == 1 || site->stride == channel->stride);
}

static bool is_apart(const Channel *channel, const Site *site) {
  if (channel->object != site->object) return true;
  for (int64_t i = 0; i < channel->period; i++)
    for (int64_t j = 0; j < site->distinct; j++) {
      int64_t distance = channel->base + i * channel->stride - (site->low + j * site->stride);
      if (distance > -8 && distance < 8) return false;
    }
  return true;
}

// Sites that use the most objects come first, so that the others find their channel.
static bool make_channels(Phases *phases, const Site *sites, uint32_t count) {
  Scan *scan = phases->scan;
  for (int64_t distinct = PHASES_PERIOD; distinct > 0; distinct--)
    for (uint32_t i = 0; i < count; i++) {
      bool is_known = false;
      if (sites[i].distinct != distinct) continue;
      for (uint32_t c = 0; c < phases->channels.count && !is_known; c++) {
        is_known = is_inside(&phases->channels.items[c], &sites[i]);
        if (!is_known && !is_apart(&phases->channels.items[c], &sites[i])) return false;
      }
      if (is_known) continue;
      Channel made = {
          .object = sites[i].object, .base = sites[i].low, .stride = sites[i].stride, .period = distinct};
      made.members = arena_array(scan->arena, (size_t)named_threads(scan) + 1, uint8_t);
      vec_push(scan->arena, &phases->channels, made);
    }
  return true;
}

// The place in each round, first by the table, then for all rounds.
static bool find_rotation(Phases *phases, const Site *site, Event *event) {
  Scan *scan = phases->scan;
  ExprPool *pool = scan->pool;
  const Channel *channel = &phases->channels.items[event->channel];
  int64_t place = (site->offsets[0] - channel->base) / channel->stride - site->first, n = channel->period;
  event->form.rotation = place - phases_floor(place, n) * n;
  for (int64_t i = 0; i < site->count; i++)
    if ((site->offsets[i] - channel->base) / channel->stride !=
        phases_place(channel, &event->form, site->first + i))
      return false;
  if (site->trips >= 0 && site->trips <= PHASES_TABLE) return true;
  ExprRef offset = offset_word(phases->anyone, site);
  if (!offset) return false;
  ExprRef round = expr_binary(pool, EXPR_ADD, EXPR_NSW, frame_iteration(phases->anyone, site->loop),
                              expr_const(pool, 32, event->form.rotation));
  ExprRef turn =
      expr_resize_signed(pool, expr_binary(pool, EXPR_SREM, 0, round, expr_const(pool, 32, n)), 64);
  ExprRef expected =
      expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, expr_const(pool, 64, channel->base),
                  expr_binary(pool, EXPR_MUL, EXPR_ADDRESS, turn, expr_const(pool, 64, channel->stride)));
  ExprRef differs = expr_ne(pool, offset, expected);
  ExprRef is_late = expr_binary(pool, EXPR_SLE, 0, expr_const(pool, 32, site->first),
                                frame_iteration(phases->anyone, site->loop));
  return phases_never(phases, expr_and(pool, differs, is_late), "another barrier object than in turn");
}

// ---- set-up
// Whoever sets up an object there, in whatever round, sets up another one than those of the channel.
static bool is_never_of(Phases *phases, const Channel *channel, uint32_t init, IrRef of) {
  ExprPool *pool = phases->scan->pool;
  SymValue address = frame_value(phases->anyone, of);
  if (address.kind != SYM_POINTER || address.target_count != 1) return false;
  ExprRef any = expr_bool(pool, false);
  for (int64_t i = 0; i < channel->period; i++) {
    ExprRef place = expr_const(pool, 64, channel->base + i * channel->stride);
    any = expr_or(pool, any, goal_overlap(pool, address.targets[0].offset, 8, place, 8));
  }
  ExprRef there = meeting_block_condition(phases->anyone, inst_at(phases->scan, init)->block);
  return phases_never(phases, expr_and(pool, there, any), "the set-up of another barrier object");
}

static bool may_concern(Phases *phases, const Channel *channel, uint32_t init) {
  const Scan *scan = phases->scan;
  Site site = {
      .inst = init, .loop = scan->cfg->loop_of[inst_at(scan, init)->block], .object = channel->object};
  site.address = inst_at(scan, init)->ops[0];
  if (arrivals_object(scan, phases->anyone, site.address) != channel->object) return false;
  if (site.loop != CFG_NONE || !offset_in(phases, &site, 0, &site.low))
    return !is_never_of(phases, channel, init, site.address);
  site.distinct = 1;
  site.stride = 8;
  return !is_apart(channel, &site);
}

// Set up once, with one number, before all that is done to the object.
static bool find_expected(Phases *phases, Channel *channel) {
  Scan *scan = phases->scan;
  const Meets *meets = arrivals_all(scan);
  bool is_found = false;
  for (uint32_t i = 0; i < meets->count; i++) {
    uint32_t init = meets->items[i].inst;
    const IrInst *inst = inst_at(scan, init);
    if (inst->op != IR_MBARRIER) continue;
    bool ends = inst->imm == IR_MBARRIER_INVALIDATE;
    if ((!ends && inst->imm != IR_MBARRIER_INIT) || !may_concern(phases, channel, init)) continue;
    for (uint32_t j = 0; j < meets->count; j++) {
      const Meet *use = &meets->items[j];
      bool is_other = use->object == channel->object && inst_at(scan, use->inst)->imm != IR_MBARRIER_INIT &&
                      inst_at(scan, use->inst)->imm != IR_MBARRIER_INVALIDATE;
      if (is_other && (ends ? graph_reaches(scan, init, use->inst) : graph_reaches(scan, use->inst, init)))
        return false;
    }
    if (ends) continue;
    ExprRef count = frame_word(phases->anyone, inst->ops[1], 32);
    int64_t expected = 0;
    if (!count || !expr_is_const(scan->pool, count, &expected) || expected <= 0) return false;
    if (is_found && expected != channel->expected) return false;
    channel->expected = expected;
    is_found = true;
  }
  return is_found;
}

// ---- events
static bool orders_nothing(const IrInst *inst, bool arrives) {
  if (arrives) return inst->order < IR_ORDER_RELEASE;
  return inst->order != IR_ORDER_ACQUIRE && inst->order < IR_ORDER_ACQ_REL;
}

// What kind of event the instruction is; false: none. `breaks`: an operation after which nothing holds.
static bool classify(const Phases *phases, uint32_t index, Event *event, IrRef *address, bool *breaks) {
  const Scan *scan = phases->scan;
  const IrInst *inst = inst_at(scan, index);
  int64_t count = 0;
  *event = (Event){.inst = index, .place = index};
  if (ir_inst_is(inst, IR_ASYNC) && inst->op_count > 3 &&
      ir_ref_type(scan->module, scan->fn, inst->ops[3]).kind == IR_PTR) {
    event->kind = inst->flags & IR_FLAG_BULK ? EVENT_BYTES : EVENT_COPY;
    *address = inst->ops[3];
    return true;
  }
  if (inst->op != IR_MBARRIER) return false;
  *address = inst->ops[0];
  switch ((IrMbarrierKind)inst->imm) {
  case IR_MBARRIER_INIT:
  case IR_MBARRIER_INVALIDATE:
  case IR_MBARRIER_TEST:
  case IR_MBARRIER_TEST_PARITY: return false;
  case IR_MBARRIER_ARRIVE:
    event->kind = EVENT_ARRIVAL;
    *breaks |= !ir_const_value(scan->fn, inst->ops[1], &count) || count < 1 || count > UINT8_MAX ||
               orders_nothing(inst, true);
    event->counts_for = (uint8_t)count;
    return true;
  case IR_MBARRIER_ARRIVE_COPIES_COUNTED:
    event->kind = EVENT_ARRIVAL;
    event->takes_copies = event->only_copies = true;
    event->counts_for = 1;
    return true;
  case IR_MBARRIER_WAIT:
  case IR_MBARRIER_WAIT_PARITY: event->kind = EVENT_WAIT; return !orders_nothing(inst, false);
  case IR_MBARRIER_EXPECT: event->kind = EVENT_BYTES; return true;
  case IR_MBARRIER_ARRIVE_COPIES: event->kind = EVENT_COPY; return true;
  case IR_MBARRIER_ARRIVE_DROP:
  case IR_MBARRIER_COMPLETE:
  case IR_MBARRIER_KIND_COUNT: break;
  }
  *breaks = true;
  return false;
}

static uint32_t channel_of(const Phases *phases, const Site *site) {
  for (uint32_t c = 0; c < phases->channels.count; c++)
    if (is_inside(&phases->channels.items[c], site)) return c;
  return CFG_NONE;
}

// Of several objects in one array, which all are barriers of the block, it is not known on which one a copy
// completes but by the rounds.
bool phases_is_open(Scan *scan, const Meet *meet) {
  if (meet->state != MEET_WHOLE) return true;
  if (meet->is_single || !meet->object || inst_at(scan, meet->inst)->op != IR_MBARRIER) return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *copy = &scan->accesses.items[a];
    if (operation_is_of_object(scan, copy) &&
        arrivals_object(scan, arrivals_frame(scan), inst_at(scan, copy->inst)->ops[3]) == meet->object)
      return true;
    if (inst_at(scan, copy->inst)->op == IR_MBARRIER &&
        inst_at(scan, copy->inst)->imm == IR_MBARRIER_ARRIVE_COPIES &&
        arrivals_object(scan, arrivals_frame(scan), inst_at(scan, copy->inst)->ops[0]) == meet->object)
      return true;
  }
  return false;
}

static bool is_followed_otherwise(Scan *scan, uint32_t object) {
  const Meets *meets = arrivals_all(scan);
  for (uint32_t i = 0; i < meets->count; i++)
    if (meets->items[i].object == object) return !phases_is_open(scan, &meets->items[i]);
  return false;
}

bool phases_join_channels(Phases *phases, const Site *sites, uint32_t count, uint32_t first) {
  ASSERT(first + count <= phases->events.count);
  if (!make_channels(phases, sites, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    Event *event = &phases->events.items[first + i];
    set_rounds(phases, &sites[i], event);
    event->channel = channel_of(phases, &sites[i]);
    if (event->channel == CFG_NONE || !find_rotation(phases, &sites[i], event)) return false;
  }
  int64_t repeat = 1;
  for (uint32_t c = 0; c < phases->channels.count; c++) {
    int64_t n = phases->channels.items[c].period;
    repeat = repeat / common_divisor(repeat, n) * n;
  }
  return repeat <= REPEAT_LIMIT;
}

bool phases_collect(Phases *phases) {
  Scan *scan = phases->scan;
  Site sites[PHASES_EVENTS];
  uint32_t count = 0;
  bool breaks = false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    Event event;
    IrRef address = 0;
    if (scan->cfg->rpo_number[inst_at(scan, i)->block] == CFG_NONE) continue;
    bool is_event = classify(phases, i, &event, &address, &breaks);
    if (breaks || count == PHASES_EVENTS) return false;
    if (!is_event) continue;
    uint32_t object = arrivals_object(scan, phases->anyone, address);
    if (object && is_followed_otherwise(scan, object)) continue;
    if (!read_site(phases, i, address, &sites[count])) return false;
    vec_push(scan->arena, &phases->events, event);
    count++;
  }
  if (!phases_join_channels(phases, sites, count, 0)) return false;
  for (uint32_t c = 0; c < phases->channels.count; c++)
    if (!phases->channels.items[c].is_pipeline)
      phases->channels.items[c].is_broken = !find_expected(phases, &phases->channels.items[c]);
  return true;
}
