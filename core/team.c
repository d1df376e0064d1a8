// In which order do the threads of a team go on? One of them runs until it waits, reads the same word over
// and over, or has had its turn; then the next one in the order of the schedule. Mixed schedules change at
// accesses to memory as well, eager ones after strong writes. Soundness: any order will do (team.h).
// SPDX-License-Identifier: Apache-2.0
#include "core/team_internal.h"
#include "core/bug.h"

enum {
  TURN_STEPS = 4000,
  UNPARK_LIMIT = 64,
  PATIENCE = 200,
  LONG_PATIENCE = 2000,
  INSISTING = 4,          // threads
  CLOCK_LIMIT = 24 << 20, // words of clocks
  MEMBER_LIMIT = 2048
};

void member_stop(Team *team, Member *member) {
  ASSERT(member->number < team->count);
  (void)team;
  member->state = MEMBER_STOPPED;
  member->wait = WAIT_NONE;
}

void member_resume(Team *team, Member *member, Value result) {
  ASSERT(member->number < team->count);
  (void)team;
  member->wait = WAIT_NONE;
  member->gate = 0;
  if (member->state == MEMBER_WAITS) member->state = MEMBER_RUNS;
  interp_pass(&member->run, result);
}

static bool concerns_others(const IrInst *inst) {
  return (ir_op_flags((IrOp)inst->op) & (IR_READS | IR_WRITES | IR_SYNCS)) != 0;
}

static uint64_t next_random(Team *team) {
  team->random ^= team->random << 13;
  team->random ^= team->random >> 7;
  return team->random ^= team->random << 17;
}

bool team_flip(Team *team) {
  return next_random(team) % 2;
}

static void note_end(Team *team, Member *member) {
  if (!member->run.is_stopped) return;
  if (member->state == MEMBER_PARKED) team->parked--;
  if (member->run.stop == INTERP_DONE)
    team_left(team, member);
  else
    member_stop(team, member);
}

// Schedules 2 and 6: after each strong write it is another one's turn, so that who is told too early goes on
// before the teller does.
static bool is_eager(const Team *team) {
  return team->request->schedule == 2 || team->request->schedule == 6;
}

static bool tells_others(const IrInst *inst) {
  bool is_strong = ir_inst_is(inst, IR_ATOMIC) || inst->order != IR_ORDER_PLAIN;
  return is_strong && (ir_op_flags((IrOp)inst->op) & IR_WRITES);
}

// Schedules from this one on go by ranks; the first few keep back the block of that number. The last one
// keeps back the thread that is the first to have told others something: it may hold a lock, and perhaps
// others give up waiting for it.
enum { RANKED = 10, KEPT_BACK = 4, KEPT_LATE = 16 };

static bool is_ranked(const Team *team) {
  return team->request->schedule >= RANKED;
}

static void draw_ranks(Team *team) {
  uint32_t number = team->request->schedule - RANKED;
  bool is_late = team->request->schedule == KEPT_LATE, by_block = number % 2 || is_late,
       keeps_back = number < KEPT_BACK && number < team->block_count;
  uint32_t *of_block = arena_array(team->arena, team->block_count + 1, uint32_t);
  team->rank = arena_array(team->arena, team->count + 1, uint32_t);
  team->worst = 1 << 16;
  for (uint32_t b = 0; b < team->block_count; b++)
    of_block[b] = is_late ? b : keeps_back ? b == number : (uint32_t)(next_random(team) % team->worst);
  for (uint32_t i = 0; i < team->count; i++)
    team->rank[i] = keeps_back || by_block ? of_block[team->members[i].block]
                                           : (uint32_t)(next_random(team) % team->worst);
  team->kept_late = team->count;
}

// Who has told others something: they go on, if they are before it in rank, and at times in any case.
static void consider_rank(Team *team, const Member *member) {
  team->gives_turn = true;
  if (team->request->schedule == KEPT_LATE) {
    if (team->kept_late < team->count) return;
    team->kept_late = member->number;
    team->rank[member->number] = UINT32_MAX;
  } else if (team->request->schedule >= RANKED + KEPT_BACK && next_random(team) % 8 == 0)
    team->rank[member->number] = ++team->worst;
}

// ---- lanes in lock step
static int compare_numbers(uint32_t a, uint32_t b) {
  return a < b ? -1 : a > b;
}

// Rounds of the loop and those around it, the outermost first.
static int compare_rounds(const Cfg *cfg, uint32_t loop, const Member *a, const Member *b) {
  if (loop == CFG_NONE) return 0;
  int outer = compare_rounds(cfg, cfg->loops.items[loop].parent, a, b);
  return outer ? outer : compare_numbers(a->rounds[loop], b->rounds[loop]);
}

static int compare_ways(const TeamRequest *request, const Member *a, const Member *b) {
  const Cfg *cfg = request->cfg;
  uint32_t loop = cfg->loop_of[a->run.block];
  while (loop != CFG_NONE && !cfg_loop_contains(cfg, loop, b->run.block))
    loop = cfg->loops.items[loop].parent;
  int rounds = compare_rounds(cfg, loop, a, b);
  if (rounds) return rounds;
  int blocks = compare_numbers(request->warp_order[a->run.block], request->warp_order[b->run.block]);
  return blocks ? blocks : compare_numbers(a->run.at, b->run.at);
}

static void count_rounds(const TeamRequest *request, Member *member, uint32_t from) {
  const Cfg *cfg = request->cfg;
  uint32_t to = member->run.block, loop = cfg->loop_of[to];
  if (loop == CFG_NONE || cfg->loops.items[loop].header != to) return;
  bool is_back = request->warp_order[to] <= request->warp_order[from];
  member->rounds[loop] = is_back ? member->rounds[loop] + 1 : 0;
}

// Is a lane of its warp behind this one, on its way to what others see?
static bool is_ahead(const Team *team, const Member *member) {
  if (!team->request->warp_order || !concerns_others(&member->run.function->insts.items[member->run.at]))
    return false;
  uint32_t first = member->number - member->lane % WARP;
  for (uint32_t i = first; i < first + WARP && i < team->count; i++) {
    const Member *other = &team->members[i];
    bool goes_on = other->state == MEMBER_RUNS || other->state == MEMBER_PARKED;
    if (other->block == member->block && goes_on && compare_ways(team->request, other, member) < 0)
      return true;
  }
  return false;
}

static void step(Team *team, Member *member) {
  uint32_t from = member->run.block, at = member->run.at;
  interp_next(&member->run);
  bool jumps = ir_op_class((IrOp)member->run.function->insts.items[at].op) == IR_CLASS_TERM;
  if (team->request->warp_order && jumps && !member->run.is_stopped)
    count_rounds(team->request, member, from);
}

static void take_turn(Team *team, Member *member) {
  bool is_mixed = team->request->schedule >= 2 && !is_eager(team) && !is_ranked(team);
  team->gives_turn = false;
  note_end(team, member); // while it waited
  uint32_t steps = 0;
  for (; steps < TURN_STEPS && member->state == MEMBER_RUNS && !team->gives_turn && !is_ahead(team, member);
       steps++) {
    const IrInst *inst = &member->run.function->insts.items[member->run.at];
    bool may_change = is_mixed && concerns_others(inst);
    if (!team_meet(team, member, inst)) step(team, member);
    note_end(team, member);
    team->steps++;
    if (team->request->in_step && concerns_others(inst)) team->gives_turn = true;
    if (may_change && next_random(team) % 8 == 0) team->gives_turn = true;
    if (is_eager(team) && tells_others(inst)) team->gives_turn = true;
    if (is_ranked(team) && tells_others(inst)) consider_rank(team, member);
  }
  if (is_ranked(team) && steps == TURN_STEPS && !member->patience) team->rank[member->number] = ++team->worst;
}

// Perhaps they were not waiting for anything.
static bool unpark(Team *team, uint32_t patience) {
  if (!team->parked) return false;
  for (uint32_t i = 0; i < team->count; i++) {
    Member *member = &team->members[i];
    if (member->state != MEMBER_PARKED) continue;
    member->state = MEMBER_RUNS;
    member->patience = patience;
  }
  team->parked = 0;
  return true;
}

// While a block is kept back, a few others may wait for long: perhaps they give up some time (`i < 1000 &&`).
static bool insist(Team *team, const Member *best) {
  uint32_t number = team->request->schedule - RANKED;
  bool is_kept_back = best && (number < KEPT_BACK ? best->block == number : best->number == team->kept_late);
  if (!is_kept_back || team->has_insisted || !team->parked || team->parked > INSISTING) return false;
  team->has_insisted = true;
  return unpark(team, LONG_PATIENCE);
}

static Member *choose_by_rank(Team *team) {
  Member *best = NULL;
  for (uint32_t i = 0; i < team->count; i++)
    if (team->members[i].state == MEMBER_RUNS && (!best || team->rank[i] < team->rank[best->number]) &&
        !is_ahead(team, &team->members[i]))
      best = &team->members[i];
  return insist(team, best) ? choose_by_rank(team) : best;
}

// The next one that can run; NULL: none.
static Member *choose(Team *team) {
  if (is_ranked(team)) return choose_by_rank(team);
  bool is_backward = team->request->schedule == 1 || team->request->schedule == 6;
  uint32_t from = team->request->schedule >= 2 && !is_eager(team)
                      ? (uint32_t)(next_random(team) % team->count)
                      : team->turn;
  for (uint32_t i = 0; i < team->count; i++) {
    uint32_t at = is_backward ? (from + team->count - i) % team->count : (from + i) % team->count;
    if (team->members[at].state != MEMBER_RUNS || is_ahead(team, &team->members[at])) continue;
    team->turn = is_backward ? (at + team->count - 1) % team->count : (at + 1) % team->count;
    return &team->members[at];
  }
  return NULL;
}

static bool same_block(const InterpThread *a, const InterpThread *b) {
  for (int axis = 0; axis < 3; axis++)
    if (a->block_idx[axis] != b->block_idx[axis]) return false;
  return true;
}

static void make_blocks(Team *team) {
  const InterpThread *threads = team->request->threads;
  team->blocks = arena_array(team->arena, team->count + 1, Block);
  for (uint32_t i = 0; i < team->count; i++) {
    if (!i || !same_block(&threads[i], &threads[i - 1])) team->blocks[team->block_count++].first = i;
    team->blocks[team->block_count - 1].count++;
  }
}

static void mark_shared(Team *team) {
  const InterpRequest *base = &team->request->base;
  team->is_shared = arena_array(team->arena, base->first_private_object + 2, bool);
  for (uint32_t g = 0; g < base->module->globals.count; g++)
    if (base->module->globals.items[g].space == IR_SPACE_SHARED)
      team->is_shared[base->global_objects[g]] = true;
}

static bool has_copies(const IrFunction *fn) {
  for (uint32_t i = 0; i < fn->insts.count; i++)
    if (ir_inst_is(&fn->insts.items[i], IR_ASYNC)) return true;
  return false;
}

static void make_members(Team *team) {
  const TeamRequest *request = team->request;
  InterpRequest *requests = arena_array(team->arena, team->count + 1, InterpRequest);
  team->members = arena_array(team->arena, team->count + 1, Member);
  uint32_t block = 0;
  for (uint32_t i = 0; i < team->count; i++) {
    if (i >= team->blocks[block].first + team->blocks[block].count) block++;
    requests[i] = (InterpRequest){.module = request->base.module,
                                  .kernel = request->base.kernel,
                                  .thread = request->threads[i],
                                  .arg_count = request->base.arg_count,
                                  .args = request->base.args,
                                  .global_objects = request->base.global_objects,
                                  .first_private_object = request->base.first_private_object,
                                  .chooses_any = request->base.chooses_any,
                                  .step_limit = request->step_limit};
    Member *member = &team->members[i];
    *member = (Member){.number = i, .block = block, .first = team->blocks[block].first};
    member->lane = i - member->first;
    bool is_with_first = request->warp_order && member->lane % WARP != 0;
    member->clock = is_with_first ? team->members[i - member->lane % WARP].clock
                                  : arena_array(team->arena, team->clock_size + 1, uint32_t);
    member->clock[i] = 1;
    if (request->warp_order)
      member->rounds = arena_array(team->arena, request->cfg->loops.count + 1, uint32_t);
    member->run = (Interp){.request = &requests[i],
                           .module = request->base.module,
                           .function = request->base.kernel,
                           .arena = team->arena,
                           .inst = NO_INST,
                           .source = NO_INST,
                           .stop = INTERP_UNSUPPORTED,
                           .team = team,
                           .number = i};
    interp_begin(&member->run);
    note_end(team, member);
  }
}

uint64_t team_run(const TeamRequest *request, Arena *scratch) {
  ASSERT(request->threads || !request->thread_count);
  ASSERT(!request->warp_order || request->cfg);
  ASSERT(request->base.module && request->base.kernel && request->race);
  if (!request->thread_count || request->thread_count > MEMBER_LIMIT) return 0;
  ArenaMark mark = arena_mark(scratch);
  Team team = {.request = request, .arena = scratch, .count = request->thread_count};
  team.clock_size = has_copies(request->base.kernel) ? team.count * 2 : team.count;
  team.random = 0x9e3779b97f4a7c15u * (request->schedule + 1);
  team.memory = (Interp){.request = &request->base, .module = request->base.module, .arena = scratch};
  team.turn = request->schedule == 1 || request->schedule == 6 ? team.count - 1 : 0;
  make_blocks(&team);
  mark_shared(&team);
  make_members(&team);
  if (is_ranked(&team)) draw_ranks(&team);
  for (uint32_t unparked = 0; team.steps < request->step_limit && team.clock_words < CLOCK_LIMIT;) {
    Member *member = choose(&team);
    if (member)
      take_turn(&team, member);
    else if (team_come_by(&team) || team_finish_copy(&team))
      continue;
    else if (unparked++ >= UNPARK_LIMIT || !unpark(&team, PATIENCE))
      break;
  }
  for (uint32_t i = 0; i < team.count && request->left_standing; i++)
    *request->left_standing |= team.members[i].state != MEMBER_LEFT;
  arena_release(scratch, mark);
  return team.steps;
}
