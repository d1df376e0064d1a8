// What does a piece of inline PTX mean? Its statements are taken in order: those that compute fill registers
// (asm_compute.c), those of the table below become the operations of the IR that they are, with scope, order
// and width from the suffixes. Text that only computes and is not understood in detail is PURE as a whole.
// Soundness: if one statement is not understood, jumps and predicates included where they matter, the whole
// text is ASM, which may do anything; what was made of the statements before it stays and does no harm. On
// the host every piece of assembly stays ASM.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

#include <string.h>

// name, handler, detail, whether it may stand under a predicate. The longest name that fits counts.
static const AsmRule rules[] = {
    {"ld", asm_load, 0, true},
    {"ldu", asm_load, 0, true},
    {"st", asm_store, 0, true},
    {"st.async", asm_async_value, IR_ASYNCCOPY, false},
    {"st.bulk", asm_fill, 0, true},
    {"discard", asm_fill, 1, true},
    {"red.async", asm_async_value, IR_ASYNCREDUCE, false},
    {"multimem.ld_reduce", asm_load, 0, true},
    {"multimem.st", asm_store, 0, true},
    {"multimem.red", asm_atomic, 0, true},
    {"atom", asm_atomic, 1, true},
    {"red", asm_atomic, 0, true},
    {"bar.sync", asm_barrier, IR_BARRIER_NAMED, false},
    {"bar.arrive", asm_barrier, IR_BARRIER_NAMED_ARRIVE, false},
    {"bar.red", asm_barrier, IR_BARRIER_REDUCE_COUNT, false},
    {"bar.cta.sync", asm_barrier, IR_BARRIER_NAMED, false},
    {"bar.cta.arrive", asm_barrier, IR_BARRIER_NAMED_ARRIVE, false},
    {"bar.cta.red", asm_barrier, IR_BARRIER_REDUCE_COUNT, false},
    {"bar.warp.sync", asm_barrier, IR_BARRIER_SYNC, false},
    {"barrier.sync", asm_barrier, IR_BARRIER_NAMED, false},
    {"barrier.arrive", asm_barrier, IR_BARRIER_NAMED_ARRIVE, false},
    {"barrier.red", asm_barrier, IR_BARRIER_REDUCE_COUNT, false},
    {"barrier.cta.sync", asm_barrier, IR_BARRIER_NAMED, false},
    {"barrier.cta.arrive", asm_barrier, IR_BARRIER_NAMED_ARRIVE, false},
    {"barrier.cta.red", asm_barrier, IR_BARRIER_REDUCE_COUNT, false},
    {"barrier.cluster.arrive", asm_cluster_barrier, IR_BARRIER_ARRIVAL, false},
    {"barrier.cluster.wait", asm_cluster_barrier, IR_BARRIER_AWAIT, false},
    {"membar", asm_fence, IR_ORDER_SEQ_CST, false},
    {"membar.proxy", asm_nothing, 0, true},
    {"fence", asm_fence, IR_ORDER_ACQ_REL, false},
    {"fence.proxy", asm_nothing, 0, true},
    {"fence.proxy.async", asm_proxy_fence, 0, false},
    {"fence.mbarrier_init", asm_nothing, 0, true},
    {"cp.async", asm_async_copy, 0, true},
    {"cp.async.commit_group", asm_async_commit, 0, false},
    {"cp.async.wait_group", asm_async_wait, 0, false},
    {"cp.async.wait_all", asm_async_wait, 0, false},
    {"cp.async.mbarrier.arrive", asm_mbarrier, IR_MBARRIER_ARRIVE_COPIES, false},
    {"cp.async.bulk", asm_async_bulk, IR_ASYNCCOPY, true},
    {"cp.reduce.async.bulk", asm_async_bulk, IR_ASYNCREDUCE, true},
    {"cp.async.bulk.commit_group", asm_async_commit, IR_FLAG_BULK, false},
    {"cp.async.bulk.wait_group", asm_async_wait, IR_FLAG_BULK, false},
    {"cp.async.bulk.prefetch", asm_nothing, 0, true},
    {"mbarrier.init", asm_mbarrier, IR_MBARRIER_INIT, false},
    {"mbarrier.inval", asm_mbarrier, IR_MBARRIER_INVALIDATE, false},
    {"mbarrier.expect_tx", asm_mbarrier, IR_MBARRIER_EXPECT, false},
    {"mbarrier.complete_tx", asm_mbarrier, IR_MBARRIER_COMPLETE, false},
    {"mbarrier.arrive", asm_mbarrier, IR_MBARRIER_ARRIVE, false},
    {"mbarrier.arrive_drop", asm_mbarrier, IR_MBARRIER_ARRIVE_DROP, false},
    {"mbarrier.test_wait", asm_mbarrier, IR_MBARRIER_TEST, false},
    {"mbarrier.try_wait", asm_mbarrier, IR_MBARRIER_TEST, false},
    {"activemask", asm_vote, 0, false},
    {"vote", asm_vote, 1, false},
    {"match", asm_vote, 2, false},
    {"redux", asm_vote, 3, false},
    {"shfl", asm_shuffle, 0, false},
    {"elect", asm_elect, 0, false},
    {"mma", asm_exchange, 0, false},
    {"movmatrix", asm_exchange, 0, false},
    {"ldmatrix", asm_matrix, IR_LOAD, true},
    {"stmatrix", asm_matrix, IR_STORE, true},
    {"createpolicy", asm_hint, 0, true},
    // no effect on memory that two threads of a grid share, and no order between them
    {"prefetch", asm_nothing, 0, true},
    {"prefetchu", asm_nothing, 0, true},
    {"nanosleep", asm_nothing, 0, true},
    {"pmevent", asm_nothing, 0, true},
    {"brkpt", asm_nothing, 0, true},
    {"applypriority", asm_nothing, 0, true},
    {"setmaxnreg", asm_nothing, 0, true},
    {"label", asm_nothing, 0, true}, // a text with jumps is not taken in order
    {"griddepcontrol", asm_nothing, 0, true},
};

static const AsmRule *rule_of(const char *opcode) {
  const AsmRule *best = NULL;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (asm_is_op(opcode, rules[i].name) && (!best || strlen(best->name) < strlen(rules[i].name)))
      best = &rules[i];
  return best;
}

static const char *asm_string(LLVMValueRef text, size_t *length) {
  return LLVMGetInlineAsmAsmString(text, length);
}

// Is it, before all else, this operation, whatever holds?
static bool begins_with(const Lower *lower, LLVMValueRef source, const char *opcode) {
  size_t length = 0;
  const char *string = asm_string(source, &length);
  const AsmText *text = asm_text_read(string, length, lower->scratch);
  uint32_t first = 0;
  while (first < text->count && asm_is_mark(&text->statements[first]))
    first++;
  const Statement *statement = &text->statements[first];
  return first < text->count && !statement->predicate && strcmp(statement->opcode, opcode) == 0;
}

bool asm_exits(const Lower *lower, LLVMValueRef source) {
  ASSERT(lower->scratch);
  ASSERT(source);
  return begins_with(lower, source, "exit");
}

bool asm_stops(const Lower *lower, LLVMValueRef source) {
  ASSERT(lower->scratch);
  ASSERT(source);
  return asm_exits(lower, source) || begins_with(lower, source, "trap");
}

// ---- statements in order

static bool take_predicate(AsmRun *run, const Statement *statement) {
  run->condition = (AsmValue){0};
  if (!statement->predicate) return true;
  const char *text = statement->is_negated ? arena_printf(run->lower->scratch, "!%s", statement->predicate)
                                           : statement->predicate;
  run->condition = (AsmValue){asm_truth(run, text), ir_type_int(1)};
  return run->condition.ref != 0;
}

static bool take_statement(AsmRun *run, const Statement *statement) {
  if (!take_predicate(run, statement)) return false;
  if (asm_only_computes(statement)) return asm_compute(run, statement, NULL);
  const AsmRule *rule = rule_of(statement->opcode);
  if (!rule || !rule->handler || (statement->predicate && !rule->takes_predicate)) return false;
  return rule->handler(run, statement, rule);
}

static bool has_jump(const AsmText *text) {
  for (uint32_t i = 0; i < text->count; i++)
    if (asm_is_op(text->statements[i].opcode, "bra") || asm_is_op(text->statements[i].opcode, "brx"))
      return true;
  return false;
}

static bool take_all(AsmRun *run, const AsmText *text) {
  if (text->is_cut) return false;
  bool is_wait = asm_wait_loop(run, text);
  if (!is_wait && has_jump(text)) return false;
  for (uint32_t i = 0; i < text->count && !is_wait; i++)
    if (!take_statement(run, &text->statements[i])) return false;
  asm_finish(run);
  return true;
}

// ---- text as a whole

static bool all_compute(const AsmText *text) {
  for (uint32_t i = 0; i < text->count; i++)
    if (!asm_only_computes(&text->statements[i])) return false;
  return !text->is_cut;
}

static IrRef emit_asm(const AsmRun *run, IrOp op, const char *text) {
  Lower *lower = run->lower;
  uint32_t used = 0, count = LLVMGetNumArgOperands(run->call); // places that it writes ("=m") among them
  IrRef *ops = arena_array(lower->scratch, count + 1, IrRef);
  for (uint32_t i = 0; i < count; i++) {
    IrRef ref = lower_value(lower, LLVMGetOperand(run->call, i));
    if (ref) ops[used++] = ref;
  }
  return emit(lower, (IrInst){.op = (uint8_t)op, .type = lower_type(lower, run->result), .name = text}, used,
              ops);
}

static void take_as_whole(AsmRun *run, const AsmText *text, const char *shown) {
  Lower *lower = run->lower;
  IrType type = lower_type(lower, run->result);
  bool has_result = type.kind != IR_VOID;
  if (!all_compute(text))
    lower_set(lower, run->call, emit_asm(run, IR_ASM, shown));
  else if (has_result && !asm_reads_operands_only(run, text))
    lower_set(lower, run->call, emit_op(lower, IR_UNDEF, type, 0, NULL));
  else if (has_result)
    lower_set(lower, run->call, emit_asm(run, IR_PURE, shown));
}

void lower_asm(Lower *lower, LLVMValueRef call) {
  ASSERT(lower->request && lower->function);
  ASSERT(call);
  LLVMValueRef source = LLVMGetCalledValue(call);
  size_t length = 0, constraint_length = 0;
  const char *string = asm_string(source, &length);
  const char *constraints = LLVMGetInlineAsmConstraintString(source, &constraint_length);
  AsmRun run = {.lower = lower, .call = call, .result = LLVMTypeOf(call)};
  asm_read_constraints(&run, constraints, constraint_length);
  AsmText *text = asm_text_read(string, length, lower->scratch);
  const char *shown = arena_strndup(lower->scratch, string, length);
  if (!lower->request->is_device || !run.is_plain) {
    bool is_empty = text->count == 0 && run.outputs == 0; // a barrier for the compiler alone
    if (!is_empty) lower_set(lower, call, emit_asm(&run, IR_ASM, shown));
    return;
  }
  if (!take_all(&run, text)) take_as_whole(&run, text, shown);
}
