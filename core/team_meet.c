// Who waits for whom? Barriers of block, grid and lanes, and those with numbers (team_gates.c has those that
// are objects in memory); what is exchanged between lanes. A member stands at its instruction until all that
// it waits for are there; then they know of each other what each of them knew. Soundness: whoever left counts
// as having come, with all that it did, as the hardware has it; a member that was stopped does not, so
// whoever waits for it stays where it is.
// SPDX-License-Identifier: Apache-2.0
#include "core/team_internal.h"
#include "core/bug.h"

#include <string.h>

static Member *in_block(Team *team, const Block *block, uint32_t i) {
  return &team->members[block->first + i];
}

static const IrInst *waits_at(const Member *member) {
  return &member->run.function->insts.items[member->run.at];
}

static bool truth(Member *member, bool *is_known) {
  const IrInst *inst = waits_at(member);
  Value value = inst->op_count ? interp_operand(&member->run, inst->ops[0]) : (Value){0};
  *is_known &= value.kind == VALUE_WORD;
  return value.kind == VALUE_WORD && value.word;
}

// Whoever returned has come to all barriers behind that: those who meet there know what it has done.
static void learn_of_left(Team *team, Member *first, const Member *other) {
  if (other->state == MEMBER_LEFT) member_learn_of_left(team, first, other);
}

// They stand at the barrier yet. What was passed before is not changed: accesses were noted with it.
static void note_passed(Team *team, Member *const *met, uint32_t count, TeamReach reach, uint32_t lanes) {
  for (uint32_t i = 0; i < count; i++) {
    TeamPassed *passed = arena_new(team->arena, TeamPassed);
    if (met[i]->passed) *passed = *met[i]->passed;
    passed->count[reach]++;
    passed->inst[reach] = met[i]->run.at;
    passed->ordinal[reach] = passed->count[TEAM_LANES] + passed->count[TEAM_BLOCK] + passed->count[TEAM_GRID];
    if (reach == TEAM_LANES) passed->lanes = lanes;
    passed->of_some += reach == TEAM_LANES && lanes != UINT32_MAX;
    met[i]->passed = passed;
  }
}

// ---- the block, the grid
static Value reduced(Member *const *met, uint32_t count) {
  const IrInst *inst = waits_at(met[0]);
  bool is_known = inst->imm != IR_BARRIER_SYNC, all = true, any = false;
  int64_t number = 0;
  for (uint32_t i = 0; i < count && is_known; i++) {
    bool holds = truth(met[i], &is_known);
    number += holds;
    all &= holds;
    any |= holds;
  }
  if (!is_known) return value_unknown(&met[0]->run, CAUSE_MEMORY);
  int64_t word = inst->imm == IR_BARRIER_REDUCE_COUNT ? number
                 : inst->imm == IR_BARRIER_REDUCE_AND ? all
                                                      : any;
  return value_word(inst->type, word);
}

static void let_go(Team *team, Member **met, uint32_t count) {
  Value value = reduced(met, count);
  note_passed(team, met, count, met[0]->wait == WAIT_GRID ? TEAM_GRID : TEAM_BLOCK, 0);
  members_meet(team, met, count);
  for (uint32_t i = 0; i < count; i++)
    member_resume(team, met[i], value);
}

static void check_block(Team *team, Block *block) {
  if (!block->waiting || block->waiting + block->left < block->count) return;
  Member **met = arena_array(team->arena, block->count + 1, Member *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < block->count; i++)
    if (in_block(team, block, i)->wait == WAIT_BLOCK) met[count++] = in_block(team, block, i);
  for (uint32_t i = 0; i < block->count && block->left; i++)
    learn_of_left(team, met[0], in_block(team, block, i));
  block->waiting = 0;
  let_go(team, met, count);
}

static void check_grid(Team *team) {
  if (!team->request->is_whole_grid || !team->grid_waiting || team->grid_waiting + team->left < team->count)
    return;
  Member **met = arena_array(team->arena, team->count + 1, Member *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < team->count; i++)
    if (team->members[i].wait == WAIT_GRID) met[count++] = &team->members[i];
  for (uint32_t i = 0; i < team->count && team->left; i++)
    learn_of_left(team, met[0], &team->members[i]);
  team->grid_waiting = 0;
  let_go(team, met, count);
}

// ---- lanes
static Member *lane_of(Team *team, const Member *member, uint32_t lane) {
  const Block *block = &team->blocks[member->block];
  uint32_t at = member->lane / WARP * WARP + lane;
  return at < block->count ? in_block(team, block, at) : NULL;
}

// The members that meet the one that waits, by lane; false: not all are there.
static bool lanes_met(Team *team, const Member *member, Member **by_lane) {
  const IrInst *inst = waits_at(member);
  for (uint32_t l = 0; l < WARP; l++) {
    by_lane[l] = NULL;
    Member *other = member->wait_for >> l & 1 ? lane_of(team, member, l) : NULL;
    if (!other || other->state == MEMBER_LEFT) continue;
    bool is_here = other->wait == WAIT_LANES && other->wait_for == member->wait_for;
    bool is_same =
        is_here && (inst->op == IR_BARRIER ? waits_at(other)->op == IR_BARRIER : waits_at(other) == inst);
    if (!is_same) return false;
    by_lane[l] = other;
  }
  return true;
}

static Value operand_of(Member *member, uint32_t index) {
  const IrInst *inst = waits_at(member);
  return index < inst->op_count ? interp_operand(&member->run, inst->ops[index]) : (Value){0};
}

static Value shuffled(Member *const *by_lane, Member *member) {
  const IrInst *inst = waits_at(member);
  int64_t self = member->lane % WARP, width = 32;
  Value by = operand_of(member, 2), of = operand_of(member, 3),
        unknown = value_unknown(&member->run, CAUSE_MEMORY);
  if (inst->op_count > 3 && of.kind == VALUE_WORD) width = of.word;
  if (!inst->name || by.kind != VALUE_WORD || (inst->op_count > 3 && of.kind != VALUE_WORD) || width <= 0 ||
      width > 32 || (width & (width - 1)))
    return unknown;
  int64_t base = self & ~(width - 1), from = self;
  if (strcmp(inst->name, "idx") == 0)
    from = base + (by.word & (width - 1));
  else if (strcmp(inst->name, "up") == 0)
    from = self - by.word < base ? self : self - by.word;
  else if (strcmp(inst->name, "down") == 0)
    from = self + by.word >= base + width ? self : self + by.word;
  else if (strcmp(inst->name, "xor") == 0)
    from = (self ^ by.word) >= base + width ? self : self ^ by.word;
  else
    return unknown;
  return from >= 0 && from < WARP && by_lane[from] ? operand_of(by_lane[from], 1) : unknown;
}

static bool add_vote(const char *name, int64_t value, int64_t lane, bool is_first, int64_t *word) {
  if (strcmp(name, "ballot") == 0)
    *word |= (int64_t)(value != 0) << lane;
  else if (strcmp(name, "any") == 0)
    *word |= value != 0;
  else if (strcmp(name, "all") == 0)
    *word = (is_first || *word) && value;
  else if (strcmp(name, "reduce_add") == 0)
    *word += value;
  else if (strcmp(name, "reduce_or") == 0)
    *word |= value;
  else if (strcmp(name, "reduce_and") == 0)
    *word = is_first ? value : *word & value;
  else
    return false;
  return true;
}

// The lanes that gave the same value.
static Value matched(Member *const *by_lane, Member *member) {
  Value own = operand_of(member, 1);
  int64_t word = 0;
  for (int64_t l = 0; l < WARP; l++) {
    if (!by_lane[l]) continue;
    Value value = operand_of(by_lane[l], 1);
    if (value.kind != VALUE_WORD || own.kind != VALUE_WORD) return value_unknown(&member->run, CAUSE_MEMORY);
    word |= (int64_t)(value.word == own.word) << l;
  }
  return value_word(waits_at(member)->type, word);
}

static Value voted(Member *const *by_lane, Member *member) {
  const IrInst *inst = waits_at(member);
  int64_t word = 0;
  bool is_first = true;
  if (inst->name && strcmp(inst->name, "match_any") == 0) return matched(by_lane, member);
  for (int64_t l = 0; l < WARP; l++) {
    if (!by_lane[l]) continue;
    Value value = operand_of(by_lane[l], 1);
    if (value.kind != VALUE_WORD || !inst->name || !add_vote(inst->name, value.word, l, is_first, &word))
      return value_unknown(&member->run, CAUSE_MEMORY);
    is_first = false;
  }
  return value_word(inst->type, word);
}

static void check_lanes(Team *team, const Member *member) {
  Member *by_lane[WARP], *met[WARP];
  Value results[WARP];
  uint32_t count = 0;
  if (!lanes_met(team, member, by_lane)) return;
  for (uint32_t l = 0; l < WARP; l++) {
    if (!by_lane[l]) continue;
    IrOp op = (IrOp)waits_at(by_lane[l])->op;
    results[count] = op == IR_SHUFFLE ? shuffled(by_lane, by_lane[l])
                     : op == IR_VOTE  ? voted(by_lane, by_lane[l])
                                      : (Value){0};
    met[count++] = by_lane[l];
  }
  bool is_barrier = waits_at(met[0])->op == IR_BARRIER; // values tell nobody of memory
  for (uint32_t l = 0; l < WARP && is_barrier; l++) {
    const Member *other = member->wait_for >> l & 1 ? lane_of(team, member, l) : NULL;
    if (other) learn_of_left(team, met[0], other);
  }
  if (is_barrier) note_passed(team, met, count, TEAM_LANES, (uint32_t)member->wait_for);
  if (is_barrier) members_meet(team, met, count);
  for (uint32_t i = 0; i < count; i++)
    member_resume(team, met[i], results[i]);
}

static void wait_for_lanes(Team *team, Member *member, Value mask) {
  if (mask.kind != VALUE_WORD || !((uint64_t)mask.word >> member->lane % WARP & 1)) {
    member_stop(team, member);
    return;
  }
  member->state = MEMBER_WAITS;
  member->wait = WAIT_LANES;
  member->wait_for = mask.word & UINT32_MAX;
  check_lanes(team, member);
}

// Which lanes run together is up to the hardware: here all that come to the instruction while the others
// wait. That tells none of them what another one has done.
static void let_go_together(Team *team, Member *member) {
  uint32_t at = member->run.at;
  Member *met[WARP];
  int64_t mask = 0;
  for (uint32_t l = 0; l < WARP; l++) {
    Member *other = lane_of(team, member, l);
    bool is_here = other && other->wait == WAIT_COMPANY && other->run.at == at &&
                   other->run.function == member->run.function;
    met[l] = is_here ? other : NULL;
    if (is_here) mask |= (int64_t)1 << l;
  }
  Value together = value_word(waits_at(member)->type, mask);
  for (uint32_t l = 0; l < WARP; l++)
    if (met[l]) member_resume(team, met[l], together);
}

bool team_come_by(Team *team) {
  bool found = false;
  for (uint32_t i = 0; i < team->count; i++) {
    if (team->members[i].wait != WAIT_COMPANY) continue;
    let_go_together(team, &team->members[i]);
    found = true;
  }
  return found;
}

static void wait_for_company(Member *member) {
  member->state = MEMBER_WAITS;
  member->wait = WAIT_COMPANY;
}

// ---- barriers with a number
static void check_number(Team *team, Block *block, int64_t number, int64_t expected) {
  NumberedBarrier *barrier = &block->numbered[number];
  if (barrier->arrived < expected) return;
  Member **met = arena_array(team->arena, block->count + 1, Member *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < block->count; i++) {
    Member *member = in_block(team, block, i);
    if (member->wait != WAIT_NUMBER || member->wait_for != number) continue;
    member_learn(team, member, barrier->clock);
    met[count++] = member;
  }
  *barrier = (NumberedBarrier){0};
  members_meet(team, met, count);
  for (uint32_t i = 0; i < count; i++)
    member_resume(team, met[i], (Value){0});
}

static void come_to_number(Team *team, Member *member, bool only_arrives) {
  Value number = operand_of(member, 0), expected = operand_of(member, 1);
  Block *block = &team->blocks[member->block];
  int64_t all = (int64_t)(block->count + WARP - 1) / WARP * WARP;
  bool is_known = number.kind == VALUE_WORD && number.word >= 0 && number.word < BARRIER_NUMBERS &&
                  (waits_at(member)->op_count < 2 || expected.kind == VALUE_WORD);
  if (!is_known || block->count % WARP) {
    member_stop(team, member);
    return;
  }
  int64_t awaited = waits_at(member)->op_count < 2 ? all : expected.word;
  NumberedBarrier *barrier = &block->numbered[number.word];
  barrier->arrived++;
  barrier->clock = clock_join(team, barrier->clock, member_snapshot(team, member));
  if (only_arrives) {
    member_resume(team, member, (Value){0});
  } else {
    member->state = MEMBER_WAITS;
    member->wait = WAIT_NUMBER;
    member->wait_for = number.word;
  }
  check_number(team, block, number.word, awaited);
}

// ---- all of them
static void come_to_block(Team *team, Member *member) {
  Block *block = &team->blocks[member->block];
  member->state = MEMBER_WAITS;
  member->wait = WAIT_BLOCK;
  block->waiting++;
  check_block(team, block);
}

static void come_to_barrier(Team *team, Member *member, const IrInst *inst) {
  uint32_t lane = member->lane % WARP;
  bool is_of_lanes = inst->scope == IR_SCOPE_WARP;
  if (inst->imm == IR_BARRIER_NAMED || inst->imm == IR_BARRIER_NAMED_ARRIVE) {
    come_to_number(team, member, inst->imm == IR_BARRIER_NAMED_ARRIVE);
  } else if (inst->imm == IR_BARRIER_SYNC && is_of_lanes) {
    wait_for_lanes(team, member, inst->op_count ? operand_of(member, 0) : value_word(ir_type_int(32), -1));
  } else if (is_of_lanes &&
             (inst->imm == IR_BARRIER_TILE || (inst->imm == IR_BARRIER_COALESCED && inst->op_count == 1))) {
    Value tile = operand_of(member, 0);
    bool is_tile = tile.kind == VALUE_WORD && tile.word > 0 && tile.word <= 32;
    uint64_t lanes =
        is_tile ? (((uint64_t)1 << tile.word) - 1) << (lane / (uint32_t)tile.word * (uint32_t)tile.word) : 0;
    wait_for_lanes(team, member, value_word(ir_type_int(64), (int64_t)lanes));
  } else if (inst->imm <= IR_BARRIER_REDUCE_OR && inst->scope == IR_SCOPE_BLOCK) {
    come_to_block(team, member);
  } else if (inst->imm == IR_BARRIER_SYNC && inst->scope == IR_SCOPE_DEVICE) {
    member->state = MEMBER_WAITS;
    member->wait = WAIT_GRID;
    team->grid_waiting++;
    check_grid(team);
  } else {
    member_stop(team, member);
  }
}

void team_left(Team *team, Member *member) {
  ASSERT(member->number < team->count);
  Block *block = &team->blocks[member->block];
  member->state = MEMBER_LEFT;
  block->left++;
  team->left++;
  check_block(team, block);
  check_grid(team);
  for (uint32_t l = 0; l < WARP; l++) {
    const Member *other = lane_of(team, member, l);
    if (other && other->wait == WAIT_LANES) check_lanes(team, other);
  }
}

static bool come_to_lanes(Team *team, Member *member, const IrInst *inst) {
  if (inst->op != IR_VOTE || inst->op_count >= 2) {
    wait_for_lanes(team, member, operand_of(member, 0));
    return true;
  }
  if (!inst->name || strcmp(inst->name, "activemask") != 0) return false;
  wait_for_company(member);
  return true;
}

static void come_to_pipeline(Team *team, Member *member, const IrInst *inst) {
  if (inst->imm == IR_PIPELINE_INIT && team_join_pipeline(team, member, inst))
    come_to_block(team, member);
  else if (inst->imm == IR_PIPELINE_INIT || !team_use_pipeline(team, member, inst))
    member_stop(team, member);
}

static void come_to_fence(Team *team, Member *member, const IrInst *inst) {
  if (memory_is_fence(inst, SIDE_ACQUIRE)) member_acquire(team, member, (IrScope)inst->scope);
  if (memory_is_fence(inst, SIDE_RELEASE)) member_release(team, member, (IrScope)inst->scope);
  member_resume(team, member, (Value){0});
}

bool team_meet(Team *team, Member *member, const IrInst *inst) {
  ASSERT(member->number < team->count);
  switch (ir_op_step((IrOp)inst->op)) {
  case IR_STEP_BARRIER: come_to_barrier(team, member, inst); return true;
  case IR_STEP_LANES: return come_to_lanes(team, member, inst);
  case IR_STEP_OBJECT:
    if (inst->op == IR_PIPELINE)
      come_to_pipeline(team, member, inst);
    else if (!team_use_gate(team, member, inst))
      member_stop(team, member);
    return true;
  case IR_STEP_COPIES:
    if (!ir_inst_is(inst, IR_GROUPS)) // which way a write goes makes no difference here
      member_resume(team, member, (Value){0});
    else if (!team_use_gate(team, member, inst))
      member_stop(team, member);
    return true;
  case IR_STEP_ACCESS: return ir_inst_is(inst, IR_ASYNC) && !team_begin_copy(team, member, inst);
  case IR_STEP_FENCE: come_to_fence(team, member, inst); return true;
  case IR_STEP_CALL: member_stop(team, member); return true;
  case IR_STEPS_COMPUTED: // nobody else is concerned
  case IR_STEP_BR:
  case IR_STEP_CONDBR:
  case IR_STEP_SWITCH:
  case IR_STEP_RET:
  case IR_STEP_UNREACHABLE: return false;
  }
  return false;
}
