// Barrier objects in memory, asynchronous copies that complete on them or in groups, pipelines that a block
// shares. A copy is an access of its thread's engine, which has a clock of its own: entry count + t of each
// clock says how many copies of thread t are known to be over. Each engine works in order here (more is taken
// for ordered than need be where copies of one thread complete on several objects), and a copy is over at
// once, so that no wait for it lasts; under schedules with odd numbers bulk copies that an object is told of
// take as long as anybody can go on without them, or some of them. A pipeline is a pair of objects for each
// stage: full and empty. Soundness: any order will do (team.h).
// SPDX-License-Identifier: Apache-2.0
#include "core/team_internal.h"
#include "core/bug.h"

static const IrInst *waits_at(const Member *member) {
  return &member->run.function->insts.items[member->run.at];
}

static Value operand_of(Member *member, uint32_t index) {
  const IrInst *inst = waits_at(member);
  return index < inst->op_count ? interp_operand(&member->run, inst->ops[index]) : (Value){0};
}

// ---- barrier objects
static Gate *gate_at(Team *team, const Member *member, Value address) {
  uint32_t object = team_key(team, member, address.object);
  for (uint32_t i = 0; i < team->gates.count; i++)
    if (team->gates.items[i].object == object && team->gates.items[i].offset == address.word)
      return &team->gates.items[i];
  vec_push(team->arena, &team->gates, (Gate){.object = object, .offset = address.word});
  return &vec_last(&team->gates);
}

static bool is_open(const Gate *gate, bool is_parity, int64_t phase) {
  return is_parity ? (int64_t)(gate->phase & 1) != (phase & 1) : (int64_t)gate->phase > phase;
}

static void open_gate(Team *team, Gate *gate) {
  if (gate->pending || gate->bytes || !gate->expected) return;
  gate->phase++;
  gate->pending = gate->expected;
  gate->done = clock_join(team, gate->done, gate->arrived);
  uint32_t number = (uint32_t)(gate - team->gates.items) + 1;
  for (uint32_t i = 0; i < team->count; i++) {
    Member *member = &team->members[i];
    if (member->wait != WAIT_GATE || member->gate != number ||
        !is_open(gate, member->is_parity, member->wait_for))
      continue;
    member_learn(team, member, gate->done);
    member_resume(team, member, (Value){0});
  }
}

static bool arrive_at_gate(Team *team, Member *member, const IrInst *inst, Gate *gate) {
  Value number = operand_of(member, 1);
  int64_t count = inst->op_count < 2 ? 1 : number.word;
  if ((inst->op_count > 1 && number.kind != VALUE_WORD) || count <= 0 || count > gate->pending) return false;
  int64_t phase = (int64_t)gate->phase;
  gate->arrived = clock_join(team, gate->arrived, member_snapshot(team, member));
  if (inst->imm == IR_MBARRIER_ARRIVE_DROP) gate->expected -= count;
  gate->pending -= count;
  member_resume(team, member, inst->type.kind == IR_INT ? value_word(inst->type, phase) : (Value){0});
  open_gate(team, gate);
  return true;
}

// What the thread's engine has done so far.
static Clock engine_clock(Team *team, const Member *member) {
  uint32_t *clock = clock_make(team);
  clock[team->count + member->number] = member->copies;
  return clock;
}

// The copies are over at once; what the thread itself has done is not told.
static bool arrive_for_copies(Team *team, Member *member, const IrInst *inst, Gate *gate) {
  bool is_counted = inst->imm == IR_MBARRIER_ARRIVE_COPIES_COUNTED;
  if (!gate->pending) return false;
  gate->arrived = clock_join(team, gate->arrived, engine_clock(team, member));
  gate->pending -= is_counted;
  member_resume(team, member, (Value){0});
  open_gate(team, gate);
  return true;
}

static void wait_at(Team *team, Member *member, const Gate *gate, int64_t phase, bool is_parity) {
  member->state = MEMBER_WAITS;
  member->wait = WAIT_GATE;
  member->wait_for = phase;
  member->is_parity = is_parity;
  member->gate = (uint32_t)(gate - team->gates.items) + 1;
}

static bool come_to_wait(Team *team, Member *member, const IrInst *inst, Gate *gate) {
  Value phase = operand_of(member, 1);
  bool is_parity = inst->imm == IR_MBARRIER_TEST_PARITY || inst->imm == IR_MBARRIER_WAIT_PARITY;
  bool only_tests = inst->imm == IR_MBARRIER_TEST || inst->imm == IR_MBARRIER_TEST_PARITY;
  if (phase.kind != VALUE_WORD || !gate->expected) return false;
  bool open = is_open(gate, is_parity, phase.word);
  if (!open && only_tests && team_finish_copy(team)) open = is_open(gate, is_parity, phase.word);
  if (open) member_learn(team, member, gate->done);
  if (open || only_tests) {
    team->gives_turn |= !open;
    member_resume(team, member, only_tests ? value_word(inst->type, open) : (Value){0});
    return true;
  }
  wait_at(team, member, gate, phase.word, is_parity);
  return true;
}

// ---- copies in groups
static bool close_group(Team *team, Member *member, const IrInst *inst) {
  vec_push(team->arena, &member->groups[(inst->flags & IR_FLAG_BULK) != 0], member->copies);
  member_resume(team, member, (Value){0});
  return true;
}

static bool wait_for_groups(Team *team, Member *member, const IrInst *inst) {
  Value left = inst->op_count ? operand_of(member, 0) : value_word(ir_type_int(32), inst->imm);
  if (left.kind != VALUE_WORD || left.word < 0) return false;
  uint32_t count = member->groups[(inst->flags & IR_FLAG_BULK) != 0].count;
  if (left.word < count) {
    uint32_t *done = clock_make(team);
    done[team->count + member->number] =
        member->groups[(inst->flags & IR_FLAG_BULK) != 0].items[count - 1 - left.word];
    member_learn(team, member, done);
  }
  member_resume(team, member, (Value){0});
  return true;
}

static void finish_copy(Team *team, const UnderWay *copy) {
  Gate *gate = &team->gates.items[copy->gate];
  gate->arrived = clock_join(team, gate->arrived, copy->clock);
  gate->bytes -= copy->bytes;
  open_gate(team, gate);
}

bool team_begin_copy(Team *team, Member *member, const IrInst *inst) {
  ASSERT(member->number < team->count);
  Value object = operand_of(member, 3), bytes = operand_of(member, 2);
  member->copies++;
  if (object.kind != VALUE_POINTER) return true;
  if (bytes.kind != VALUE_WORD || object.object >= team->request->base.first_private_object) {
    member_stop(team, member);
    return false;
  }
  Gate *gate = gate_at(team, member, object);
  UnderWay copy = {(uint32_t)(gate - team->gates.items), 0, engine_clock(team, member)};
  bool is_bulk = inst->flags & IR_FLAG_BULK;
  if (is_bulk) copy.bytes = bytes.word;
  if (is_bulk && team->request->schedule % 2) {
    while (team->request->schedule > 1 && team_flip(team) && team_finish_copy(team))
      ;
    vec_push(team->arena, &team->under_way, copy);
  } else {
    finish_copy(team, &copy);
  }
  return true;
}

bool team_finish_copy(Team *team) {
  if (team->finished == team->under_way.count) return false;
  finish_copy(team, &team->under_way.items[team->finished++]);
  return true;
}

bool team_use_gate(Team *team, Member *member, const IrInst *inst) {
  ASSERT(member->number < team->count);
  if (inst->op == IR_ASYNCCOMMIT) return close_group(team, member, inst);
  if (inst->op == IR_ASYNCWAIT) return wait_for_groups(team, member, inst);
  Value address = operand_of(member, 0), count = operand_of(member, 1);
  if (address.kind != VALUE_POINTER || address.object >= team->request->base.first_private_object)
    return false;
  Gate *gate = gate_at(team, member, address);
  bool sets_up = inst->imm == IR_MBARRIER_INIT;
  if (sets_up && count.kind != VALUE_WORD) return false;
  member->run.inst = member->run.at;
  team_touch(&member->run, (Place){address.object, address.word}, 8, true);
  switch ((IrMbarrierKind)inst->imm) {
  case IR_MBARRIER_INIT:
    *gate =
        (Gate){.object = gate->object, .offset = gate->offset, .expected = count.word, .pending = count.word};
    member_resume(team, member, (Value){0});
    return true;
  case IR_MBARRIER_ARRIVE:
  case IR_MBARRIER_ARRIVE_DROP: return arrive_at_gate(team, member, inst, gate);
  case IR_MBARRIER_TEST:
  case IR_MBARRIER_TEST_PARITY:
  case IR_MBARRIER_WAIT:
  case IR_MBARRIER_WAIT_PARITY: return come_to_wait(team, member, inst, gate);
  case IR_MBARRIER_EXPECT:
  case IR_MBARRIER_COMPLETE:
    if (count.kind != VALUE_WORD) return false;
    gate->bytes += inst->imm == IR_MBARRIER_EXPECT ? count.word : -count.word;
    member_resume(team, member, (Value){0});
    open_gate(team, gate);
    return true;
  case IR_MBARRIER_ARRIVE_COPIES:
  case IR_MBARRIER_ARRIVE_COPIES_COUNTED: return arrive_for_copies(team, member, inst, gate);
  case IR_MBARRIER_INVALIDATE:
  case IR_MBARRIER_KIND_COUNT: break;
  }
  return false;
}

// ---- pipelines
static Parties *parties_at(Team *team, const Member *member, Value state) {
  uint32_t object = team_key(team, member, state.object);
  for (uint32_t i = 0; i < team->parties.count; i++)
    if (team->parties.items[i].object == object && team->parties.items[i].offset == state.word)
      return &team->parties.items[i];
  vec_push(team->arena, &team->parties, (Parties){.object = object, .offset = state.word});
  return &vec_last(&team->parties);
}

static Stages *stages_at(Team *team, Member *member, Value state) {
  uint32_t object = team_key(team, member, state.object);
  for (uint32_t i = 0; i < member->stages.count; i++)
    if (member->stages.items[i].object == object && member->stages.items[i].offset == state.word)
      return &member->stages.items[i];
  vec_push(team->arena, &member->stages, (Stages){.object = object, .offset = state.word});
  return &vec_last(&member->stages);
}

// The thread says what it does; false: not known.
bool team_join_pipeline(Team *team, Member *member, const IrInst *inst) {
  ASSERT(member->number < team->count);
  Value state = operand_of(member, 0), role = operand_of(member, 2);
  bool has_role = inst->op_count > 2, is_of_tile = inst->op_count > 3;
  if (is_of_tile) return false; // its barrier is one of the tile
  if (state.kind != VALUE_POINTER || (has_role && role.kind != VALUE_WORD)) return false;
  Parties *parties = parties_at(team, member, state);
  parties->producers += !has_role || !role.word;
  parties->consumers += !has_role || role.word;
  return true;
}

// The number of stages is said where the pipeline is made.
static int64_t count_stages(const Member *member, IrRef state) {
  const IrFunction *fn = member->run.function;
  int64_t count = 0, found = 0;
  for (uint32_t i = 0; i < fn->insts.count; i++) {
    const IrInst *inst = &fn->insts.items[i];
    if (inst->op != IR_PIPELINE || inst->imm != IR_PIPELINE_INIT) continue;
    if (inst->ops[0] != state || !ir_const_value(fn, inst->ops[1], &count) || found) return 0;
    found = count;
  }
  return found;
}

static Gate *gate_of_stage(Team *team, const Member *member, Value state, int64_t place, bool is_full) {
  Value address = state;
  address.word += 16 * place + (is_full ? 0 : 8);
  Gate *gate = gate_at(team, member, address);
  const Parties *parties = parties_at(team, member, state);
  if (!gate->expected) gate->expected = gate->pending = is_full ? parties->producers : parties->consumers;
  return gate;
}

static bool wait_for_stage(Team *team, Member *member, Gate *gate, int64_t phase) {
  if ((int64_t)gate->phase <= phase) {
    wait_at(team, member, gate, phase, false);
    return true;
  }
  member_learn(team, member, gate->done);
  member_resume(team, member, (Value){0});
  return true;
}

static bool say_at_stage(Team *team, Member *member, Gate *gate, bool with_copies) {
  if (!gate->pending) return false;
  if (with_copies) gate->arrived = clock_join(team, gate->arrived, engine_clock(team, member));
  gate->arrived = clock_join(team, gate->arrived, member_snapshot(team, member));
  gate->pending--;
  member_resume(team, member, (Value){0});
  open_gate(team, gate);
  return true;
}

bool team_use_pipeline(Team *team, Member *member, const IrInst *inst) {
  ASSERT(member->number < team->count);
  Value state = operand_of(member, 0);
  int64_t count = count_stages(member, inst->ops[0]);
  if (state.kind != VALUE_POINTER || count <= 0) return false;
  Stages *stages = stages_at(team, member, state);
  int64_t filled = stages->filled, taken = stages->taken;
  switch ((IrPipelineKind)inst->imm) {
  case IR_PIPELINE_ACQUIRE:
    return wait_for_stage(team, member, gate_of_stage(team, member, state, filled % count, false),
                          filled / count - 1);
  case IR_PIPELINE_COMMIT:
    stages->filled++;
    return say_at_stage(team, member, gate_of_stage(team, member, state, filled % count, true), true);
  case IR_PIPELINE_WAIT:
    return wait_for_stage(team, member, gate_of_stage(team, member, state, taken % count, true),
                          taken / count);
  case IR_PIPELINE_RELEASE:
    stages->taken++;
    return say_at_stage(team, member, gate_of_stage(team, member, state, taken % count, false), false);
  case IR_PIPELINE_INIT:
  case IR_PIPELINE_QUIT:
  case IR_PIPELINE_KIND_COUNT: break;
  }
  return false;
}
