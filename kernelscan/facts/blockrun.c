// What do the threads of a block compute from each other, whatever memory holds? Method: all threads of one
// block are run from the start of a basic block on, with their numbers, until they leave what that block
// dominates: from barrier to barrier one after the other, warps together through votes and shuffles; shared
// memory holds what they stored at known places, everything else that is read is an atom (blockrun.h). A
// branch that cannot be decided is passed over to where its ways meet, if no thread waits in between: what
// may be written there is forgotten, what comes out are atoms. Soundness: within a stretch between barriers
// the order does not matter unless there is a race, which is asked for as for any pair: up to the first race
// memory holds what is said here. What was begun but not followed (stuck threads, ways passed over) is marked
// as missed. Nothing is assumed of memory or of values at the start, so that it may be any round of a loop;
// that all threads come to a barrier together is asked for elsewhere.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/facts/blockrun.h"
#include "kernelscan/memory.h"

enum {
  VALUE_LIMIT = 1 << 20, // values kept at a time
  STEP_LIMIT = 1 << 21,  // instructions of a run
  SAMPLE_LIMIT = 1 << 17,
  DEPTH_LIMIT = 64
};

typedef enum Status { RUNS, WAITS, LEFT, ENDED, STUCK } Status;

typedef struct Thread {
  uint8_t status;
  bool came_anyhow;         // by one of several ways
  uint32_t block, from, at; // `at`: instruction
} Thread;

typedef struct Cell { // of shared memory
  uint32_t object, bytes;
  int64_t offset;
  RunValue value;
} Cell;

typedef struct Run {
  Runner base;
  uint32_t thread_count;
  Thread *threads;
  RunValue *values; // by thread and instruction
  uint32_t *rounds; // by thread and loop
  uint8_t *came;    // by thread and block: it was entered, and not only looked at
  VEC(Cell) cells;
  Table cell_table;       // index into cells + 1
  uint8_t *is_tainted;    // by variable of the module: written in ways that are not followed, for good
  const uint8_t *passing; // by block: between the branch that is being passed over and where its ways meet
  uint64_t steps;
} Run;

static const IrInst *inst_at(const Run *run, uint32_t index) {
  return &run->base.scan->fn->insts.items[index];
}

static RunValue *slot(const Run *run, uint32_t thread, uint32_t inst) {
  return &run->values[(size_t)thread * run->base.scan->fn->insts.count + inst];
}

// ---- loops
// The innermost loop around the block that begins behind the start; CFG_NONE: none.
static uint32_t inner_loop(const Run *run, uint32_t block) {
  const Cfg *cfg = run->base.scan->cfg;
  uint32_t loop = cfg->loop_of[block];
  return loop != CFG_NONE && !cfg_loop_contains(cfg, loop, run->base.run->start) ? loop : CFG_NONE;
}

static uint32_t *rounds_of(const Run *run, uint32_t thread, uint32_t loop) {
  return &run->rounds[(size_t)thread * run->base.scan->cfg->loops.count + loop];
}

// 1 + the round of the loop that the block is in; 0: it is in none, or the loop was left and its last round
// counts.
static uint32_t visit_of(const Run *run, uint32_t thread, uint32_t block) {
  const Cfg *cfg = run->base.scan->cfg;
  uint32_t loop = inner_loop(run, block);
  if (loop == CFG_NONE) return 0;
  if (run->passing && run->passing[cfg->loops.items[loop].header]) return RUN_VISIT_OTHER;
  uint32_t parent = cfg->loops.items[loop].parent;
  if (parent != CFG_NONE && !cfg_loop_contains(cfg, parent, run->base.run->start)) return RUN_VISIT_OTHER;
  return cfg_loop_contains(cfg, loop, run->threads[thread].block) ? 1 + *rounds_of(run, thread, loop) : 0;
}

// ---- memory
static uint32_t cell_hash(uint32_t object, int64_t offset) {
  uint64_t words[2] = {object, (uint64_t)offset};
  return (uint32_t)str_hash(words, sizeof words, 0);
}

static Cell *cell_find(const Run *run, uint32_t object, int64_t offset) {
  TableLook look = table_look(&run->cell_table, cell_hash(object, offset));
  for (uint32_t number; (number = table_next(&look)) != 0;) {
    Cell *cell = &run->cells.items[number - 1];
    if (cell->object == object && cell->offset == offset) return cell;
  }
  return NULL;
}

static void cell_insert(Run *run, Cell cell) {
  vec_push(run->base.arena, &run->cells, cell);
  table_add(run->base.arena, &run->cell_table, cell_hash(cell.object, cell.offset), run->cells.count);
}

// Cells stay in the table; of kind NONE they hold nothing that is known.
static void forget_overlapping(Run *run, uint32_t object, int64_t offset, uint32_t bytes) {
  for (int64_t at = offset - 7; at < offset + bytes; at++) {
    Cell *cell = cell_find(run, object, at);
    if (cell && at + cell->bytes > offset) cell->value.kind = RUN_NONE;
  }
}

static void forget_object(Run *run, uint32_t object) { // 0: all
  for (uint32_t i = 0; i < run->cells.count; i++)
    if (!object || run->cells.items[i].object == object) run->cells.items[i].value.kind = RUN_NONE;
}

static bool is_shared_variable(const Run *run, uint32_t global) {
  return run->base.scan->module->globals.items[global].space == IR_SPACE_SHARED;
}

// All that is declared `extern __shared__` is one.
static uint32_t object_of(const Run *run, uint32_t global) {
  const IrModule *module = run->base.scan->module;
  for (uint32_t g = 0; g < global && module->globals.items[global].is_dynamic_shared; g++)
    if (module->globals.items[g].is_dynamic_shared) return g + 1;
  return global + 1;
}

// ---- values
static RunValue value_of(Run *run, uint32_t thread, IrRef ref, int depth);

static RunValue special(Run *run, uint32_t thread, uint32_t index) {
  int64_t sreg = inst_at(run, index)->imm, *dims = run->base.dims, t = thread;
  switch (sreg) {
  case IR_SREG_TID_X: return run_number(t % dims[0]);
  case IR_SREG_TID_Y: return run_number(t / dims[0] % dims[1]);
  case IR_SREG_TID_Z: return run_number(t / dims[0] / dims[1]);
  case IR_SREG_NTID_X:
  case IR_SREG_NTID_Y:
  case IR_SREG_NTID_Z: return run_number(dims[sreg - IR_SREG_NTID_X]);
  case IR_SREG_WARPSIZE: return run_number(32);
  case IR_SREG_LANEID: return run_number(t % 32);
  default:
    return run_atom(&run->base, index, thread, visit_of(run, thread, inst_at(run, index)->block), false);
  }
}

static RunValue atom_at(Run *run, uint32_t thread, uint32_t index) {
  return run_atom(&run->base, index, thread, visit_of(run, thread, inst_at(run, index)->block), false);
}

static RunValue pure_at(Run *run, uint32_t thread, uint32_t index, int depth) {
  const IrInst *inst = inst_at(run, index);
  RunValue operands[8];
  if (inst->op_count > 8) return atom_at(run, thread, index);
  for (uint32_t i = 0; i < inst->op_count; i++)
    operands[i] = value_of(run, thread, inst->ops[i], depth);
  return run_pure(&run->base, index, thread, visit_of(run, thread, inst->block), operands);
}

static bool is_computed(const IrInst *inst) {
  return symeval_is_symbolic((IrOp)inst->op) || inst->op == IR_PTRADD;
}

// What was computed before the start, or where nobody followed, is made of what is known of the thread.
static RunValue from_before(Run *run, uint32_t thread, uint32_t index, int depth) {
  const IrInst *inst = inst_at(run, index);
  if (inst->op == IR_SREG) return special(run, thread, index);
  if (depth > 0 && is_computed(inst)) return pure_at(run, thread, index, depth - 1);
  return atom_at(run, thread, index);
}

static RunValue of_parameter(const Run *run, uint32_t param) {
  Scan *scan = run->base.scan;
  const IrParam *info = &scan->fn->params.items[param];
  if (info->type.kind == IR_PTR) return (RunValue){.kind = RUN_POINTER, .is_somewhere = true};
  int64_t number = 0;
  if (info->type.kind == IR_INT && !info->byval_bytes) {
    SymValue value = object_param_piece(scan, param, 0, info->type);
    if (value.kind == SYM_WORD && expr_is_const(scan->pool, value.word, &number)) return run_number(number);
  }
  return (RunValue){.kind = RUN_UNKNOWN};
}

static RunValue value_of(Run *run, uint32_t thread, IrRef ref, int depth) {
  uint32_t index = ir_ref_index(ref);
  const IrFunction *fn = run->base.scan->fn;
  switch (ir_ref_kind(ref)) {
  case IR_REF_CONST: {
    const IrConst *constant = &fn->consts.items[index];
    bool is_number = constant->type.kind == IR_INT && !constant->is_undef;
    return is_number ? run_number(constant->bits) : (RunValue){.kind = RUN_UNKNOWN};
  }
  case IR_REF_PARAM: return of_parameter(run, index);
  case IR_REF_GLOBAL:
    return (RunValue){.kind = RUN_POINTER,
                      .object = is_shared_variable(run, index) ? object_of(run, index) : 0};
  case IR_REF_FUNC:
  case IR_REF_NONE: return (RunValue){.kind = RUN_UNKNOWN};
  case IR_REF_INST: break;
  }
  RunValue *known = slot(run, thread, index);
  if (known->kind == RUN_NONE) *known = from_before(run, thread, index, depth);
  return *known;
}

// ---- samples
// What a short word holds is looked at where it becomes a longer one, without a sign.
static bool is_short_word_read(const Scan *scan, const IrInst *inst) {
  const IrInst *from = inst->op == IR_ZEXT ? ir_inst(scan->fn, inst->ops[0]) : NULL;
  return from && from->op == IR_LOAD && symeval_width(from->type) > 1;
}

bool blockrun_is_sampled(const Scan *scan, const IrInst *inst) {
  ASSERT(ir_has_inst(scan->fn, inst));
  bool is_count = inst->op == IR_PURE && inst->name && strcmp(inst->name, "__popc") == 0;
  return inst->type.kind == IR_INT && (inst->op == IR_LOAD || inst->op == IR_SHUFFLE || inst->op == IR_PHI ||
                                       is_count || is_short_word_read(scan, inst));
}

static void set(Run *run, uint32_t thread, uint32_t index, RunValue value) {
  *slot(run, thread, index) = value;
  if (!blockrun_is_sampled(run->base.scan, inst_at(run, index))) return;
  BlockRun *out = run->base.run;
  uint32_t block = inst_at(run, index)->block, visit = visit_of(run, thread, block);
  // In a loop that is passed over it is the same in each round, since what changes there is unknown.
  bool is_any_round = run->passing && run->passing[block] && visit == RUN_VISIT_OTHER;
  if ((visit == RUN_VISIT_OTHER && !is_any_round) || out->samples.count == SAMPLE_LIMIT) {
    out->is_missed[index] = 1;
    return;
  }
  if (value.kind == RUN_SUM) { // outlives the run
    RunSum *kept = arena_new(run->base.scan->arena, RunSum);
    *kept = *value.sum;
    kept->pieces = arena_copy(run->base.scan->arena, kept->pieces, kept->count * sizeof(RunPiece));
    value.sum = kept;
  }
  vec_push(run->base.scan->arena, &out->samples,
           (Sample){index, (uint16_t)thread,
                    is_any_round ? CFG_NONE
                    : visit      ? visit - 1
                                 : 0,
                    value});
}

// ---- instructions
static void load(Run *run, uint32_t thread, uint32_t index) {
  const IrInst *inst = inst_at(run, index);
  RunValue address = value_of(run, thread, inst->ops[0], DEPTH_LIMIT), value = {0};
  bool is_known = address.kind == RUN_POINTER && address.object && !address.is_somewhere &&
                  !run->is_tainted[address.object - 1] && inst->type.kind == IR_INT &&
                  (inst->order == IR_ORDER_PLAIN || inst->order == IR_ORDER_VOLATILE);
  Cell *cell = is_known ? cell_find(run, address.object, address.number) : NULL;
  if (cell && cell->bytes == inst->type.bytes) value = cell->value;
  bool is_number = value.kind == RUN_NUMBER || value.kind == RUN_SUM;
  set(run, thread, index, is_number ? value : atom_at(run, thread, index));
}

static void store(Run *run, RunValue address, uint32_t bytes, RunValue value) {
  if (address.kind != RUN_POINTER) {
    forget_object(run, 0);
    return;
  }
  if (!address.object) return; // of another memory
  if (address.is_somewhere) {
    forget_object(run, address.object);
    return;
  }
  forget_overlapping(run, address.object, address.number, bytes);
  if (value.kind != RUN_NUMBER && value.kind != RUN_SUM) return;
  Cell *cell = cell_find(run, address.object, address.number);
  if (!cell) {
    cell_insert(run, (Cell){address.object, bytes, address.number, value});
    return;
  }
  cell->bytes = bytes;
  cell->value = value;
}

// Shared memory whose accesses need not be ordered to be none of a race.
static void taint_volatile(Run *run) {
  Scan *scan = run->base.scan;
  for (uint32_t g = 0; g < scan->module->globals.count; g++) {
    if (!is_shared_variable(run, g)) continue;
    uint32_t object = object_of_global(scan, g).targets[0].object;
    if (scan->objects.items[object].is_volatile) run->is_tainted[object_of(run, g) - 1] = 1;
  }
}

static void taint(Run *run, RunValue address) {
  const IrModule *module = run->base.scan->module;
  for (uint32_t g = 0; g < module->globals.count; g++)
    if (address.kind != RUN_POINTER || address.object == g + 1) run->is_tainted[g] = 1;
}

// The variable that the address lies in, as far as that is plain from how it is made.
static RunValue base_of(Run *run, IrRef address) {
  const IrFunction *fn = run->base.scan->fn;
  for (const IrInst *inst = ir_inst(fn, address); inst && ir_inst_is(inst, IR_SAME_OBJECT);
       inst = ir_inst(fn, address))
    address = inst->ops[0];
  const IrInst *inst = ir_inst(fn, address);
  if (inst && inst->op == IR_ALLOCA) return (RunValue){.kind = RUN_POINTER};
  if (inst || ir_ref_kind(address) == IR_REF_CONST) return (RunValue){.kind = RUN_UNKNOWN};
  RunValue base = value_of(run, 0, address, 0);
  base.is_somewhere = true;
  return base;
}

static void write_somehow(Run *run, const IrInst *inst) {
  if (!(ir_op_flags((IrOp)inst->op) & IR_WRITES)) return;
  RunValue base = base_of(run, inst->ops[0]);
  store(run, base, 0, (RunValue){0});
  if (ir_inst_is(inst, IR_ASYNC)) taint(run, base);
}

typedef enum Step { GOES_ON, HAS_TO_WAIT, CANNOT } Step;

static Step step(Run *run, uint32_t thread, uint32_t index) {
  const IrInst *inst = inst_at(run, index);
  switch (ir_op_class((IrOp)inst->op)) {
  case IR_CLASS_ARITH:
  case IR_CLASS_COMPARE:
  case IR_CLASS_CAST:
  case IR_CLASS_VALUE:
    if (inst->op == IR_PHI) return GOES_ON; // read on entry
    if (inst->op == IR_SREG)
      set(run, thread, index, special(run, thread, index));
    else
      set(run, thread, index,
          is_computed(inst) ? pure_at(run, thread, index, DEPTH_LIMIT) : atom_at(run, thread, index));
    return GOES_ON;
  case IR_CLASS_MEMORY:
    if (inst->op == IR_LOAD) {
      load(run, thread, index);
      return GOES_ON;
    }
    if (inst->op == IR_ALLOCA) {
      *slot(run, thread, index) = (RunValue){.kind = RUN_POINTER, .is_somewhere = true};
      return GOES_ON;
    }
    if (inst->op == IR_STORE) {
      store(run, value_of(run, thread, inst->ops[0], DEPTH_LIMIT),
            ir_ref_type(run->base.scan->module, run->base.scan->fn, inst->ops[1]).bytes,
            value_of(run, thread, inst->ops[1], DEPTH_LIMIT));
      return GOES_ON;
    }
    write_somehow(run, inst);
    *slot(run, thread, index) = atom_at(run, thread, index);
    return GOES_ON;
  case IR_CLASS_SYNC:
    if (inst->op == IR_BARRIER || ir_inst_is(inst, IR_LANES)) return HAS_TO_WAIT;
    return inst->op == IR_FENCE || ir_inst_is(inst, IR_GROUPS) ? GOES_ON : CANNOT;
  case IR_CLASS_CALL: return CANNOT;
  case IR_CLASS_TERM: return GOES_ON;
  }
  return CANNOT;
}

// ---- control
static void read_phis(Run *run, uint32_t thread, uint32_t block, uint32_t from, bool anyhow) {
  const IrFunction *fn = run->base.scan->fn;
  const IrBlock *info = &fn->blocks.items[block];
  RunValue read[32];
  uint32_t count = 0;
  for (; count < info->count && inst_at(run, info->first + count)->op == IR_PHI; count++) {
    uint32_t index = info->first + count;
    const IrInst *phi = inst_at(run, index);
    RunValue value = {0};
    bool is_known = false;
    for (uint32_t i = 0; i < phi->op_count && !anyhow; i++)
      if (phi->blocks[i] == from) {
        value = value_of(run, thread, phi->ops[i], DEPTH_LIMIT);
        is_known = true;
      }
    if (count < 32) read[count] = is_known ? value : atom_at(run, thread, index);
  }
  for (uint32_t i = 0; i < count; i++)
    set(run, thread, info->first + i, i < 32 ? read[i] : atom_at(run, thread, info->first + i));
}

static void enter(Run *run, uint32_t thread, uint32_t block, bool anyhow) {
  Thread *state = &run->threads[thread];
  const Cfg *cfg = run->base.scan->cfg;
  uint32_t from = state->block, loop = cfg->loop_of[block];
  if (!cfg_dominates(cfg, run->base.run->start, block) || block == run->base.run->start) {
    state->status = LEFT;
    return;
  }
  if (loop != CFG_NONE && cfg->loops.items[loop].header == block) {
    uint32_t *rounds = rounds_of(run, thread, loop);
    *rounds = cfg_loop_contains(cfg, loop, from) ? *rounds + 1 : 0;
  }
  state->block = block;
  state->at = run->base.scan->fn->blocks.items[block].first;
  run->came[(size_t)thread * cfg->block_count + block] = 1;
  read_phis(run, thread, block, from, anyhow);
}

static bool may_wait(const IrInst *inst) {
  IrOpClass class = ir_op_class((IrOp)inst->op);
  return class == IR_CLASS_CALL || (class == IR_CLASS_SYNC && inst->op != IR_FENCE);
}

static void miss_block(Run *run, uint32_t block, uint32_t first) {
  const IrBlock *info = &run->base.scan->fn->blocks.items[block];
  for (uint32_t i = first; i < info->first + info->count; i++)
    run->base.run->is_missed[i] = 1;
}

// Whatever is computed there is not known any more.
static void forget_values(Run *run, uint32_t thread, uint32_t block) {
  const IrBlock *info = &run->base.scan->fn->blocks.items[block];
  for (uint32_t i = info->first; i < info->first + info->count; i++)
    slot(run, thread, i)->kind = RUN_NONE;
}

// The blocks between the branch and the place where its ways meet; NULL: it cannot be passed over.
static const uint8_t *blocks_between(Run *run, uint32_t branch, uint32_t end) {
  const Cfg *cfg = run->base.scan->cfg;
  uint8_t *seen = arena_array(run->base.arena, cfg->block_count, uint8_t);
  VEC(uint32_t) stack = {0};
  vec_push(run->base.arena, &stack, branch);
  while (stack.count) {
    uint32_t block = stack.items[--stack.count];
    for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++) {
      uint32_t to = cfg->succs[s];
      if (to == end || seen[to]) continue;
      if (!cfg_dominates(cfg, run->base.run->start, to) || to == run->base.run->start) return NULL;
      const IrBlock *info = &run->base.scan->fn->blocks.items[to];
      for (uint32_t i = info->first; i < info->first + info->count; i++)
        if (may_wait(inst_at(run, i))) return NULL;
      seen[to] = 1;
      vec_push(run->base.arena, &stack, to);
    }
  }
  return seen;
}

// What the thread computes there if it comes there at all, where all that is written there is unknown.
static void look_at(Run *run, uint32_t thread, uint32_t block) {
  const IrBlock *info = &run->base.scan->fn->blocks.items[block];
  for (uint32_t i = info->first; i < info->first + info->count; i++) {
    const IrInst *inst = inst_at(run, i);
    if (inst->op == IR_PHI)
      set(run, thread, i, atom_at(run, thread, i));
    else if (inst->type.kind != IR_VOID && !(ir_op_flags((IrOp)inst->op) & IR_WRITES))
      (void)step(run, thread, i);
  }
}

// Passes over what lies between the branch and the place where its ways meet; false: it cannot.
static bool pass_over(Run *run, uint32_t thread) {
  Scan *scan = run->base.scan;
  const Cfg *cfg = scan->cfg;
  uint32_t branch = run->threads[thread].block, end = cfg->ipdom[branch];
  const uint8_t *between = end == CFG_NONE ? NULL : blocks_between(run, branch, end);
  if (!between) return false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++)
    if (between[inst_at(run, i)->block]) write_somehow(run, inst_at(run, i));
  run->passing = between;
  for (uint32_t n = 0; n < cfg->rpo_count; n++)
    if (between[cfg->rpo[n]]) look_at(run, thread, cfg->rpo[n]);
  run->passing = NULL;
  for (uint32_t block = 0; block < cfg->block_count; block++)
    if (between[block]) forget_values(run, thread, block);
  if (between[branch]) miss_block(run, branch, scan->fn->blocks.items[branch].first); // more rounds of a loop
  enter(run, thread, end, true);
  return true;
}

static void stick(Run *run, uint32_t thread) {
  Thread *state = &run->threads[thread];
  state->status = STUCK;
  for (uint32_t i = 0; i < run->base.run->stuck.count; i++)
    if (run->base.run->stuck.items[i] == state->block) return;
  vec_push(run->base.scan->arena, &run->base.run->stuck, state->block);
}

static void branch(Run *run, uint32_t thread) {
  Thread *state = &run->threads[thread];
  const IrInst *end = inst_at(run, state->at);
  if (end->op == IR_RET) {
    state->status = ENDED;
    return;
  }
  if (end->op == IR_UNREACHABLE) {
    stick(run, thread);
    return;
  }
  if (end->op == IR_BR) {
    enter(run, thread, end->blocks[0], false);
    return;
  }
  RunValue value = value_of(run, thread, end->ops[0], DEPTH_LIMIT);
  if (value.kind != RUN_NUMBER) {
    if (!pass_over(run, thread)) stick(run, thread);
    return;
  }
  uint32_t to = end->op == IR_CONDBR ? end->blocks[value.number ? 0 : 1] : end->blocks[0];
  for (uint32_t c = 1; end->op == IR_SWITCH && c < end->block_count; c++)
    if (end->case_values[c - 1] == value.number) to = end->blocks[c];
  enter(run, thread, to, false);
}

// Up to where the thread has to wait for others.
static void run_on(Run *run, uint32_t thread) {
  Thread *state = &run->threads[thread];
  while (state->status == RUNS) {
    if (run->steps++ > STEP_LIMIT) {
      stick(run, thread);
      return;
    }
    uint32_t index = state->at;
    if (ir_op_class((IrOp)inst_at(run, index)->op) == IR_CLASS_TERM) {
      branch(run, thread);
      continue;
    }
    Step how = step(run, thread, index);
    if (how == CANNOT) {
      stick(run, thread);
      return;
    }
    if (how == HAS_TO_WAIT) {
      state->status = WAITS;
      return;
    }
    state->at++;
  }
}

// ---- together
static uint32_t warp_end(const Run *run, uint32_t first) {
  return first + 32 < run->thread_count ? first + 32 : run->thread_count;
}

static bool is_full_mask(const Run *run, const IrInst *inst) {
  int64_t mask = 0;
  return inst->op_count && ir_const_value(run->base.scan->fn, inst->ops[0], &mask) &&
         (uint32_t)mask == UINT32_MAX;
}

static RunValue truth_of(Run *run, uint32_t thread, uint32_t vote) {
  RunValue value = value_of(run, thread, inst_at(run, vote)->ops[1], DEPTH_LIMIT);
  if (value.kind == RUN_NUMBER) return run_number(value.number != 0);
  if (value.kind == RUN_SUM && value.sum->least >= 0 && value.sum->most <= 1) return value;
  return run_atom(&run->base, vote, thread, visit_of(run, thread, inst_at(run, vote)->block), true);
}

static void ballot(Run *run, uint32_t first, uint32_t index) {
  const RunSum **bits = arena_array(run->base.arena, 32, const RunSum *);
  uint32_t constant = 0;
  for (uint32_t t = first; t < warp_end(run, first); t++) {
    if (run->threads[t].status != WAITS) continue;
    RunValue truth = truth_of(run, t, index);
    if (truth.kind == RUN_NUMBER) constant |= (uint32_t)truth.number << (t - first);
    if (truth.kind == RUN_SUM) bits[t - first] = truth.sum;
  }
  for (uint32_t t = first; t < warp_end(run, first); t++)
    if (run->threads[t].status == WAITS)
      set(run, t, index, (RunValue){.kind = RUN_BITS, .number = constant, .bits = bits});
}

// How many lanes a shuffle takes as one part of the warp; 0: not known.
static int64_t part_width(const Run *run, const IrInst *inst) {
  int64_t width = 0;
  if (!ir_const_value(run->base.scan->fn, inst->ops[3], &width)) return 0;
  return width > 0 && width <= 32 && (width & (width - 1)) == 0 ? width : 0;
}

// The lane that is read; -1: not known.
static int64_t source_of(Run *run, uint32_t thread, const IrInst *inst) {
  int64_t width = part_width(run, inst), lane = thread % 32;
  RunValue by = value_of(run, thread, inst->ops[2], DEPTH_LIMIT);
  if (!width || by.kind != RUN_NUMBER) return -1;
  int64_t first = lane / width * width, last = first + width - 1;
  if (strcmp(inst->name, "idx") == 0) return first + (by.number & (width - 1));
  if (by.number < 0 || by.number > 31) return -1;
  if (strcmp(inst->name, "xor") == 0) return (lane ^ by.number) <= last ? lane ^ by.number : lane;
  if (strcmp(inst->name, "up") == 0) return lane - by.number < first ? lane : lane - by.number;
  if (strcmp(inst->name, "down") == 0) return lane + by.number > last ? lane : lane + by.number;
  return -1;
}

// Does the mask of the thread name the lane?
static bool mask_names(Run *run, uint32_t thread, const IrInst *inst, int64_t lane) {
  RunValue mask = value_of(run, thread, inst->ops[0], DEPTH_LIMIT);
  return mask.kind == RUN_NUMBER && (uint32_t)mask.number >> lane & 1;
}

// A lane gets what another one gives where both are here and name each other.
static void shuffle(Run *run, uint32_t first, uint32_t index) {
  const IrInst *inst = inst_at(run, index);
  RunValue given[32];
  for (uint32_t t = first; t < warp_end(run, first); t++)
    if (run->threads[t].status == WAITS)
      given[t - first] = inst->op_count == 4 ? value_of(run, t, inst->ops[1], DEPTH_LIMIT) : (RunValue){0};
  for (uint32_t t = first; t < warp_end(run, first); t++) {
    if (run->threads[t].status != WAITS) continue;
    int64_t source = inst->op_count == 4 && inst->name ? source_of(run, t, inst) : -1;
    bool is_there = source >= 0 && first + (uint64_t)source < warp_end(run, first) &&
                    run->threads[first + (uint64_t)source].status == WAITS &&
                    mask_names(run, t, inst, source) && mask_names(run, t, inst, t - first) &&
                    mask_names(run, first + (uint32_t)source, inst, t - first);
    RunValue value = is_there ? given[source] : (RunValue){0};
    bool is_number = value.kind == RUN_NUMBER || value.kind == RUN_SUM;
    set(run, t, index, is_number ? value : atom_at(run, t, index));
  }
}

static void go_past(Run *run, uint32_t thread) {
  run->threads[thread].at++;
  run->threads[thread].status = RUNS;
}

static bool is_of_warp(const IrInst *inst) {
  return inst->op != IR_BARRIER || inst->scope == IR_SCOPE_WARP;
}

// All lanes that are left wait at one operation of the warp.
static bool is_warp_together(const Run *run, uint32_t first, uint32_t *index) {
  *index = CFG_NONE;
  for (uint32_t t = first; t < warp_end(run, first); t++) {
    if (run->threads[t].status == ENDED) continue;
    if (run->threads[t].status != WAITS || (*index != CFG_NONE && run->threads[t].at != *index)) return false;
    *index = run->threads[t].at;
  }
  return *index != CFG_NONE && is_of_warp(inst_at(run, *index));
}

static void meet_warp(Run *run, uint32_t first, uint32_t index) {
  const IrInst *inst = inst_at(run, index);
  bool is_full = is_full_mask(run, inst);
  if (inst->op == IR_VOTE && is_full && strcmp(inst->name, "ballot") == 0 && inst->op_count == 2)
    ballot(run, first, index);
  else if (inst->op == IR_SHUFFLE)
    shuffle(run, first, index);
  else
    for (uint32_t t = first; t < warp_end(run, first); t++)
      if (run->threads[t].status == WAITS && inst->type.kind != IR_VOID)
        set(run, t, index, atom_at(run, t, index));
  for (uint32_t t = first; t < warp_end(run, first); t++)
    if (run->threads[t].status == WAITS) go_past(run, t);
}

// Operations of a part of the warp: no more is known than that they are passed.
static bool pass_alone(Run *run) {
  bool has_passed = false;
  for (uint32_t t = 0; t < run->thread_count; t++) {
    uint32_t index = run->threads[t].at;
    if (run->threads[t].status != WAITS || !is_of_warp(inst_at(run, index))) continue;
    if (inst_at(run, index)->type.kind != IR_VOID) set(run, t, index, atom_at(run, t, index));
    go_past(run, t);
    has_passed = true;
  }
  return has_passed;
}

static bool meet_block(Run *run) {
  uint32_t index = CFG_NONE;
  for (uint32_t t = 0; t < run->thread_count; t++) {
    const Thread *state = &run->threads[t];
    if (state->status == ENDED) continue;
    if (state->status != WAITS || (index != CFG_NONE && state->at != index)) return false;
    index = state->at;
  }
  if (index == CFG_NONE) return false;
  const IrInst *barrier = inst_at(run, index);
  bool is_plain = barrier->imm == IR_BARRIER_SYNC ||
                  (barrier->imm >= IR_BARRIER_REDUCE_COUNT && barrier->imm <= IR_BARRIER_REDUCE_OR);
  if (!is_plain || barrier->scope < IR_SCOPE_BLOCK) return false;
  for (uint32_t t = 0; t < run->thread_count; t++) {
    if (run->threads[t].status != WAITS) continue;
    if (barrier->type.kind != IR_VOID) set(run, t, index, atom_at(run, t, index));
    go_past(run, t);
  }
  return true;
}

static void run_threads(Run *run) {
  for (;;) {
    for (uint32_t t = 0; t < run->thread_count; t++)
      run_on(run, t);
    bool has_met = false;
    for (uint32_t first = 0; first < run->thread_count; first += 32) {
      uint32_t index = 0;
      if (!is_warp_together(run, first, &index)) continue;
      meet_warp(run, first, index);
      has_met = true;
    }
    if (!has_met && !pass_alone(run) && !meet_block(run)) return;
  }
}

// What threads that have not come to an end may still execute.
static void miss_the_rest(Run *run) {
  const Cfg *cfg = run->base.scan->cfg;
  uint8_t *seen = arena_array(run->base.arena, cfg->block_count, uint8_t);
  VEC(uint32_t) stack = {0};
  for (uint32_t t = 0; t < run->thread_count; t++) {
    const Thread *state = &run->threads[t];
    if (state->status == LEFT || state->status == ENDED) continue;
    miss_block(run, state->block, state->at);
    vec_push(run->base.arena, &stack, state->block);
    for (uint32_t next; stack.count;) {
      next = stack.items[--stack.count];
      for (uint32_t s = cfg->succ_first[next]; s < cfg->succ_first[next + 1]; s++) {
        uint32_t to = cfg->succs[s];
        if (seen[to] || to == run->base.run->start || !cfg_dominates(cfg, run->base.run->start, to)) continue;
        seen[to] = 1;
        miss_block(run, to, run->base.scan->fn->blocks.items[to].first);
        vec_push(run->base.arena, &stack, to);
      }
    }
  }
}

// Ways that were passed over, and those of threads that are stuck, are marked as missed.
static void list_comers(Run *run) {
  const Scan *scan = run->base.scan;
  uint32_t blocks = scan->cfg->block_count;
  run->base.run->comers = arena_array(scan->arena, blocks + 1, uint32_t);
  for (uint32_t block = 0; block < blocks; block++) {
    uint32_t count = 0, last = 0;
    for (uint32_t t = 0; t < run->thread_count; t++)
      if (run->came[(size_t)t * blocks + block]) {
        count++;
        last = t + 1;
      }
    run->base.run->comers[block] = count == last ? count : CFG_NONE;
  }
}

int64_t blockrun_threads(const Scan *scan) {
  int64_t count = 1;
  for (int axis = 0; axis < 3; axis++) {
    int64_t dim = 0;
    if (!expr_is_const(scan->pool, scan->launch->block[axis], &dim) || dim < 1 || dim > RUN_THREADS) return 0;
    count *= dim;
  }
  return count <= RUN_THREADS ? count : 0;
}

BlockRun *blockrun_make(Scan *scan, uint32_t start) {
  int64_t threads = blockrun_threads(scan);
  uint32_t insts = scan->fn->insts.count;
  if (!threads || (uint64_t)threads * (insts + scan->cfg->loops.count) > VALUE_LIMIT) return NULL;
  Arena *arena = arena_open();
  Run run = {.base = {.scan = scan, .arena = arena, .run = arena_new(scan->arena, BlockRun)},
             .thread_count = (uint32_t)threads};
  ExprRef shared[3] = {0};
  run.base.any = frame_make(scan, view_make(scan, EXTENT_INTRA_BLOCK, OWNER_THREAD1, shared), NULL, NULL);
  run.base.alike = arena_array(arena, insts + 1, uint32_t);
  run.base.run->start = start;
  run.base.run->is_missed = arena_array(scan->arena, insts + 1, uint8_t);
  for (int axis = 0; axis < 3; axis++)
    expr_is_const(scan->pool, scan->launch->block[axis], &run.base.dims[axis]);
  run.threads = arena_array(arena, run.thread_count, Thread);
  run.values = arena_array(arena, (size_t)run.thread_count * insts, RunValue);
  run.rounds = arena_array(arena, (size_t)run.thread_count * (scan->cfg->loops.count + 1u), uint32_t);
  run.came = arena_array(arena, (size_t)run.thread_count * (scan->cfg->block_count + 1u), uint8_t);
  run.is_tainted = arena_array(arena, scan->module->globals.count + 1, uint8_t);
  taint_volatile(&run);
  for (uint32_t t = 0; t < run.thread_count; t++) {
    run.threads[t] = (Thread){.block = start, .at = scan->fn->blocks.items[start].first};
    read_phis(&run, t, start, 0, true);
  }
  run_threads(&run);
  miss_the_rest(&run);
  list_comers(&run);
  arena_close(arena);
  return run.base.run;
}
