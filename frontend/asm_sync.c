// Whom does a statement of inline PTX wait for, and what does it order? Barriers, fences, mbarriers, votes
// and shuffles (PTX ISA, 9.7.12 and 9.7.13), and the one loop that PTX programs write by hand: trying an
// mbarrier until its phase is complete. Soundness: operations under a predicate, and forms that are not
// listed, are not understood. Of fences between proxies only those for bulk copies say something here.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

#include <string.h>

bool asm_nothing(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)run, (void)statement, (void)rule;
  return true;
}

// ---- barriers

// bar.red.popc.u32 d, a, (b,) p: a barrier of the whole block gives back what the scan knows.
static bool reduce(AsmRun *run, const Statement *statement) {
  const char *opcode = statement->opcode;
  int64_t number;
  if (statement->operand_count != 3) return false;
  IrRef id = asm_int(run, statement->operands[1], 32, false), value = asm_truth(run, statement->operands[2]);
  bool is_first = id && ir_const_value(run->lower->function, id, &number) && number == 0;
  if (!is_first || !value) return false;
  bool is_count = asm_has_part(opcode, ".popc");
  IrInst inst = {.op = IR_BARRIER, .scope = IR_SCOPE_BLOCK, .type = ir_type_int(32)};
  inst.imm = is_count                       ? IR_BARRIER_REDUCE_COUNT
             : asm_has_part(opcode, ".and") ? IR_BARRIER_REDUCE_AND
                                            : IR_BARRIER_REDUCE_OR;
  value = asm_as_int(run, (AsmValue){value, ir_type_int(1)}, 32, false);
  IrRef result = emit(run->lower, inst, 1, &value);
  if (is_count) return asm_assign(run, statement->operands[0], result, inst.type, false);
  IrRef truth = emit_icmp(run->lower, IR_NE, result, emit_int(run->lower, 32, 0));
  return asm_assign(run, statement->operands[0], truth, ir_type_int(1), false);
}

// detail: IrBarrierKind; SYNC stands for bar.warp.sync.
bool asm_barrier(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  Lower *lower = run->lower;
  IrInst inst = {.op = IR_BARRIER, .scope = IR_SCOPE_BLOCK, .imm = rule->detail};
  IrRef ops[2] = {0};
  if (rule->detail == IR_BARRIER_REDUCE_COUNT) return reduce(run, statement);
  if (statement->operand_count > 2) return false;
  for (uint32_t i = 0; i < statement->operand_count; i++)
    if (!(ops[i] = asm_int(run, statement->operands[i], 32, false))) return false;
  if (rule->detail == IR_BARRIER_SYNC) {
    inst.scope = IR_SCOPE_WARP;
    if (statement->operand_count != 1) return false;
  } else if (statement->operand_count < 2) {
    if (rule->detail != IR_BARRIER_NAMED) return false;
    lower_barrier_of_all(lower, statement->operand_count ? ops[0] : 0);
    return true;
  }
  emit(lower, inst, statement->operand_count, ops);
  return true;
}

bool asm_cluster_barrier(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  IrInst inst = {.op = IR_BARRIER, .scope = IR_SCOPE_CLUSTER, .imm = rule->detail};
  if (asm_has_part(statement->opcode, ".relaxed")) inst.order = IR_ORDER_RELAXED;
  if (statement->operand_count) return false;
  emit(run->lower, inst, 0, NULL);
  return true;
}

bool asm_fence(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  IrInst inst = {.op = IR_FENCE, .order = asm_order(statement->opcode, rule->detail)};
  inst.scope = asm_scope(statement->opcode, IR_SCOPE_THREAD);
  emit(run->lower, inst, 0, NULL);
  return true;
}

// Without a state space it is for all of them.
bool asm_proxy_fence(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  bool is_shared = strstr(statement->opcode, "shared::") != NULL,
       is_global = asm_has_part(statement->opcode, ".global");
  IrInst inst = {.op = IR_PROXYFENCE,
                 .imm = is_shared   ? IR_PROXY_SHARED
                        : is_global ? IR_PROXY_GLOBAL
                                    : IR_PROXY_SHARED | IR_PROXY_GLOBAL};
  if (statement->operand_count) return false;
  emit(run->lower, inst, 0, NULL);
  return true;
}

// ---- mbarriers

static IrInst mbarrier_inst(const char *opcode, IrMbarrierKind kind) {
  IrInst inst = {.op = IR_MBARRIER, .imm = kind};
  bool arrives = kind == IR_MBARRIER_ARRIVE || kind == IR_MBARRIER_ARRIVE_DROP;
  bool waits = kind >= IR_MBARRIER_TEST && kind <= IR_MBARRIER_WAIT_PARITY;
  if (!arrives && !waits) return inst;
  inst.order = asm_order(opcode, arrives ? IR_ORDER_RELEASE : IR_ORDER_ACQUIRE);
  inst.scope = asm_scope(opcode, IR_SCOPE_BLOCK);
  return inst;
}

static bool object_and_number(AsmRun *run, const Statement *statement, uint32_t first, uint8_t bits,
                              IrRef ops[2]) {
  bool has_number = first + 1 < statement->operand_count;
  if (first >= statement->operand_count) return false;
  ops[0] = asm_address(run, statement->operands[first], IR_SPACE_SHARED);
  ops[1] =
      has_number ? asm_int(run, statement->operands[first + 1], bits, false) : emit_int(run->lower, bits, 1);
  return ops[0] && ops[1];
}

// mbarrier.arrive (state,) [a] (, count), with .expect_tx also the bytes first.
static bool arrive(AsmRun *run, const Statement *statement, IrMbarrierKind kind) {
  uint32_t first = statement->operands[0][0] == '[' ? 0 : 1;
  bool expects = asm_has_part(statement->opcode, ".expect_tx");
  IrRef ops[2];
  if (statement->operand_count > first + 2 || !object_and_number(run, statement, first, 32, ops))
    return false;
  if (expects) {
    if (statement->operand_count != first + 2) return false;
    emit(run->lower, mbarrier_inst(statement->opcode, IR_MBARRIER_EXPECT), 2, ops);
    ops[1] = emit_int(run->lower, 32, 1);
  }
  IrInst inst = mbarrier_inst(statement->opcode, kind);
  bool is_used = first == 1 && strcmp(statement->operands[0], "_") != 0;
  if (is_used) inst.type = ir_type_int(64);
  IrRef token = emit(run->lower, inst, 2, ops);
  return !is_used || asm_assign(run, statement->operands[0], token, inst.type, false);
}

// The kind with ".parity" follows the one without.
static IrMbarrierKind with_parity(const Statement *statement, IrMbarrierKind kind) {
  return asm_has_part(statement->opcode, ".parity") ? (IrMbarrierKind)(kind + 1) : kind;
}

// mbarrier.test_wait p, [a], state; try_wait may have a time limit behind.
static bool wait_operands(AsmRun *run, const Statement *statement, IrRef ops[2]) {
  bool is_parity = asm_has_part(statement->opcode, ".parity");
  if (statement->operand_count < 3 || statement->operand_count > 4) return false;
  return object_and_number(run, statement, 1, is_parity ? 32 : 64, ops);
}

static bool test(AsmRun *run, const Statement *statement) {
  IrRef ops[2];
  if (!wait_operands(run, statement, ops)) return false;
  IrInst inst = mbarrier_inst(statement->opcode, with_parity(statement, IR_MBARRIER_TEST));
  inst.type = ir_type_int(1);
  IrRef done = emit(run->lower, inst, 2, ops);
  return asm_assign(run, statement->operands[0], done, inst.type, false);
}

bool asm_mbarrier(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  IrMbarrierKind kind = (IrMbarrierKind)rule->detail;
  bool is_alone = kind == IR_MBARRIER_INVALIDATE || kind == IR_MBARRIER_ARRIVE_COPIES;
  IrRef ops[2];
  if (statement->operand_count == 0) return false;
  if (kind == IR_MBARRIER_TEST) return test(run, statement);
  if (kind == IR_MBARRIER_ARRIVE || kind == IR_MBARRIER_ARRIVE_DROP) return arrive(run, statement, kind);
  if (statement->operand_count != (is_alone ? 1u : 2u) || !object_and_number(run, statement, 0, 32, ops))
    return false;
  if (kind == IR_MBARRIER_ARRIVE_COPIES && asm_has_part(statement->opcode, ".noinc"))
    kind = IR_MBARRIER_ARRIVE_COPIES_COUNTED;
  emit(run->lower, mbarrier_inst(statement->opcode, kind), is_alone ? 1 : 2, ops);
  return true;
}

// ---- trying until it is done

static bool is_try(const Statement *statement) {
  return asm_is_op(statement->opcode, "mbarrier.try_wait") ||
         asm_is_op(statement->opcode, "mbarrier.test_wait");
}

static uint32_t label_at(const AsmText *text, const char *name) {
  for (uint32_t i = 0; i < text->count; i++)
    if (strcmp(text->statements[i].opcode, "label") == 0 &&
        strcmp(text->statements[i].operands[0], name) == 0)
      return i;
  return UINT32_MAX;
}

// Is this jump taken only before, or only after, the phase is complete, as its direction says?
static bool jump_fits(const AsmText *text, uint32_t at, uint32_t attempt, bool *goes_back) {
  const Statement *jump = &text->statements[at];
  uint32_t target = jump->operand_count == 1 ? label_at(text, jump->operands[0]) : UINT32_MAX;
  bool is_back = target < attempt,
       is_about_result =
           jump->predicate && strcmp(jump->predicate, text->statements[attempt].operands[0]) == 0;
  if (target == UINT32_MAX || at < attempt) return false;
  *goes_back |= is_back;
  if (is_back) return !jump->predicate || (is_about_result && jump->is_negated);
  return is_about_result && !jump->is_negated && target > at;
}

bool asm_wait_loop(AsmRun *run, const AsmText *text) {
  ASSERT(run->lower);
  uint32_t attempt = UINT32_MAX;
  bool goes_back = false;
  for (uint32_t i = 0; i < text->count; i++) {
    if (!is_try(&text->statements[i])) continue;
    if (attempt != UINT32_MAX || text->statements[i].operand_count < 3 || text->statements[i].predicate)
      return false;
    attempt = i;
  }
  if (attempt == UINT32_MAX || text->is_cut) return false;
  bool is_same_scope = true; // as that of the attempt
  for (uint32_t i = 0; i < text->count; i++) {
    const Statement *statement = &text->statements[i];
    bool is_mark = asm_is_mark(statement);
    is_same_scope &= i < attempt || !is_mark;
    bool is_harmless = i == attempt || is_mark || strcmp(statement->opcode, "label") == 0 ||
                       asm_is_op(statement->opcode, "nanosleep");
    bool is_jump = asm_is_op(statement->opcode, "bra");
    if (is_jump ? !is_same_scope || !jump_fits(text, i, attempt, &goes_back) : !is_harmless) return false;
  }
  IrRef ops[2];
  const Statement *statement = &text->statements[attempt];
  if (!goes_back || !wait_operands(run, statement, ops)) return false;
  emit(run->lower, mbarrier_inst(statement->opcode, with_parity(statement, IR_MBARRIER_WAIT)), 2, ops);
  return true;
}

// ---- lanes

// vote.sync.all.pred d, p, mask; match.any.sync.b32 d, a, mask; redux.sync.add.s32 d, a, mask; activemask.b32
// d
bool asm_vote(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  static const char *const votes[] = {"all", "any", "uni", "ballot"};
  static const char *const sums[] = {"add", "min", "max", "and", "or", "xor"};
  Lower *lower = run->lower;
  const char *opcode = statement->opcode;
  bool is_active = rule->detail == 0, is_vote = rule->detail == 1, is_match = rule->detail == 2;
  IrInst inst = {.op = IR_VOTE, .scope = IR_SCOPE_WARP, .type = ir_type_int(32), .name = "activemask"};
  if (is_active) {
    if (statement->operand_count != 1) return false;
    return asm_assign(run, statement->operands[0], emit(lower, inst, 0, NULL), inst.type, false);
  }
  if (statement->operand_count != 3 || !asm_has_part(opcode, ".sync") || asm_is_float(opcode)) return false;
  inst.name = is_match ? asm_has_part(opcode, ".any") ? "match_any" : NULL : NULL;
  for (size_t i = 0; is_vote && i < sizeof votes / sizeof *votes; i++)
    if (asm_has_part(opcode, arena_printf(lower->scratch, ".%s", votes[i]))) inst.name = votes[i];
  for (size_t i = 0; !is_vote && !is_match && i < sizeof sums / sizeof *sums; i++)
    if (asm_has_part(opcode, arena_printf(lower->scratch, ".%s", sums[i])))
      inst.name = arena_printf(lower->scratch, "reduce_%s", sums[i]);
  if (!inst.name) return false;
  uint8_t bits = is_match ? asm_width(opcode) : 32;
  IrRef mask = asm_int(run, statement->operands[2], 32, false);
  IrRef value =
      is_vote ? asm_truth(run, statement->operands[1]) : asm_int(run, statement->operands[1], bits, false);
  if (!mask || !value) return false;
  IrRef result = emit(lower, inst, 2, (IrRef[]){mask, value});
  bool is_truth = is_vote && asm_has_part(opcode, ".pred");
  if (is_truth) result = emit_icmp(lower, IR_NE, result, emit_int(lower, 32, 0));
  return asm_assign(run, statement->operands[0], result, is_truth ? ir_type_int(1) : inst.type, false);
}

// shfl.sync.idx.b32 d(|p), a, b, c, mask, where c holds (32 - width) << 8, and the last lane of a part, or
// the first one for .up; with any other bounds nothing is known of the result.
bool asm_shuffle(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  static const struct {
    const char *part, *name;
  } kinds[] = {{".idx", "idx"}, {".up", "up"}, {".down", "down"}, {".bfly", "xor"}};
  Lower *lower = run->lower;
  IrInst inst = {.op = IR_SHUFFLE, .scope = IR_SCOPE_WARP, .type = ir_type_int(32)};
  uint32_t results = statement->operand_count == 6 ? 2 : 1;
  int64_t packed;
  if (statement->operand_count != results + 4 || !asm_has_part(statement->opcode, ".sync")) return false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (asm_has_part(statement->opcode, kinds[i].part)) inst.name = kinds[i].name;
  const char *const *from = statement->operands + results;
  IrRef ops[4] = {asm_int(run, from[3], 32, false), asm_int(run, from[0], 32, false),
                  asm_int(run, from[1], 32, false)};
  IrRef bound = asm_int(run, from[2], 32, false);
  if (!bound || !ir_const_value(lower->function, bound, &packed)) return false;
  int64_t width = 32 - (packed >> 8);
  ops[3] = emit_int(lower, 32, width);
  bool cuts_evenly = width > 0 && width <= 32 && (width & (width - 1)) == 0;
  bool is_usual = cuts_evenly && inst.name && (packed & 31) == (strcmp(inst.name, "up") == 0 ? 0 : 31);
  if (!inst.name || !ops[0] || !ops[1] || !ops[2]) return false;
  if (results == 2 && !asm_assign(run, statement->operands[1],
                                  emit_op(lower, IR_UNDEF, ir_type_int(1), 0, NULL), ir_type_int(1), false))
    return false;
  IrRef result = is_usual ? emit(lower, inst, 4, ops) : emit_op(lower, IR_UNDEF, inst.type, 0, NULL);
  return asm_assign(run, statement->operands[0], result, inst.type, false);
}

// elect.sync d|p, mask: one lane is chosen, which may be any, the same for all of the warp, and each time.
// Nothing is known of who is chosen out of a part of it.
bool asm_elect(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  Lower *lower = run->lower;
  IrType word = ir_type_int(32), truth = ir_type_int(1);
  int64_t lanes = 0;
  if (statement->operand_count != 3) return false;
  IrRef mask = asm_int(run, statement->operands[2], 32, false);
  if (!mask || !ir_const_value(lower->function, mask, &lanes) || (uint32_t)lanes != UINT32_MAX) return false;
  IrInst any = {.op = IR_SREG, .type = word, .imm = IR_SREG_ELECTED, .name = "%elected"},
         own = {.op = IR_SREG, .type = word, .imm = IR_SREG_LANEID, .name = "%laneid"};
  IrRef chosen = emit(lower, any, 0, NULL);
  IrRef is_it = emit_icmp(lower, IR_EQ, emit(lower, own, 0, NULL), chosen);
  return asm_assign(run, statement->operands[0], chosen, word, false) &&
         asm_assign(run, statement->operands[1], is_it, truth, false);
}
