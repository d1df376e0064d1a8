// Which accesses does a statement of inline PTX make? Loads, stores, atomics and asynchronous copies, with
// width, order and scope from the suffixes (PTX ISA, 9.7.9); those of matrices are in asm_matrix.c. Under a
// predicate that does not hold an access goes to memory that nobody sees, an asynchronous copy has no length.
// Soundness: what is not plain (tensors, multicast) is not understood and stays assembly.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

#include <string.h>

static uint8_t space_of(const char *opcode) {
  if (strstr(opcode, ".shared")) return IR_SPACE_SHARED;
  if (asm_has_part(opcode, ".global")) return IR_SPACE_GLOBAL;
  return IR_SPACE_GENERIC;
}

static uint32_t vector_size(const char *opcode) {
  return asm_has_part(opcode, ".v8")   ? 8
         : asm_has_part(opcode, ".v4") ? 4
         : asm_has_part(opcode, ".v2") ? 2
                                       : 1;
}

static IrType memory_type(uint32_t size, uint8_t bits) {
  return size == 1 ? ir_type_int(bits) : ir_type_bytes(size * bits / 8);
}

// Does it go to each of the places that a multicast address stands for (PTX ISA, 9.7.9.14)?
static bool is_multicast(const char *opcode) {
  return str_starts_with(opcode, "multimem.");
}

static uint16_t access_flags(const char *opcode) {
  return is_multicast(opcode) ? IR_FLAG_MULTICAST : 0;
}

static IrInst ordered(const char *opcode, IrOp op) {
  IrInst inst = {
      .op = (uint8_t)op, .order = asm_order(opcode, IR_ORDER_PLAIN), .flags = access_flags(opcode)};
  if (inst.order != IR_ORDER_PLAIN) inst.scope = asm_scope(opcode, IR_SCOPE_SYSTEM);
  return inst;
}

static IrRef piece_of(AsmRun *run, const char *name, uint8_t bits) {
  AsmValue value = asm_value(run, name, bits);
  bool is_word = value.type.bits == bits && (value.type.kind == IR_FLOAT || value.type.kind == IR_PTR);
  return is_word ? value.ref : asm_as_int(run, value, bits, false);
}

// The last operand may be a hint for the cache.
static uint32_t count_without_hint(const Statement *statement) {
  bool has_hint = statement->operand_count && strstr(statement->opcode, "cache_hint");
  return statement->operand_count - (has_hint ? 1 : 0);
}

// Of a copy or what is filled: nothing where the predicate does not hold.
static IrRef guarded_length(AsmRun *run, IrRef length) {
  if (!length || !run->condition.ref) return length;
  IrRef ops[] = {run->condition.ref, length, emit_int(run->lower, 64, 0)};
  return emit_op(run->lower, IR_SELECT, ir_type_int(64), 3, ops);
}

// Where that is: the predicate says how much, not where.
static IrRef unguarded_address(AsmRun *run, const char *text, uint8_t space) {
  AsmValue condition = run->condition;
  run->condition = (AsmValue){0};
  IrRef address = asm_address(run, text, space);
  run->condition = condition;
  return address;
}

bool asm_load(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  Lower *lower = run->lower;
  enum { WIDEST = 8 };
  const char *names[WIDEST];
  uint32_t size = vector_size(statement->opcode);
  uint8_t bits = asm_width(statement->opcode);
  if (count_without_hint(statement) != 2 || bits < 8 || size * bits > 256) return false;
  if (asm_list(statement->operands[0], names, WIDEST, lower->scratch) != size) return false;
  IrRef address = asm_address(run, statement->operands[1], space_of(statement->opcode));
  if (!address) return false;
  IrInst inst = ordered(statement->opcode, IR_LOAD);
  if (asm_has_part(statement->opcode, ".nc")) inst.flags |= IR_FLAG_READONLY;
  inst.type = memory_type(size, bits);
  IrRef loaded = emit(lower, inst, 1, &address);
  if (is_multicast(statement->opcode))
    loaded = emit_undef(lower, inst.type); // out of what all the places hold
  for (uint32_t i = 0; i < size; i++) {
    IrRef piece = size == 1 ? loaded : emit_extract(lower, loaded, i * bits / 8, ir_type_int(bits));
    if (!asm_assign(run, names[i], piece, ir_type_int(bits), asm_is_signed(statement->opcode))) return false;
  }
  return true;
}

// What is stored out of one register, or of several that lie beside each other then; 0: not understood.
static IrRef stored_value(AsmRun *run, const char *opcode, const char *operand) {
  Lower *lower = run->lower;
  enum { WIDEST = 8 };
  const char *names[WIDEST];
  uint32_t size = vector_size(opcode);
  uint8_t bits = asm_width(opcode);
  if (bits < 8 || size * bits > 256 || asm_list(operand, names, WIDEST, lower->scratch) != size) return 0;
  IrType whole = memory_type(size, bits);
  IrRef stored = size > 1 ? emit_undef(lower, whole) : 0;
  for (uint32_t i = 0; i < size; i++) {
    IrRef piece = piece_of(run, names[i], bits);
    if (!piece) return 0;
    stored = size > 1 ? emit_insert(lower, stored, piece, i * bits / 8, whole) : piece;
  }
  return stored;
}

bool asm_store(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  const char *opcode = statement->opcode;
  if (count_without_hint(statement) != 2) return false;
  IrRef stored = stored_value(run, opcode, statement->operands[1]);
  IrRef address = stored ? asm_address(run, statement->operands[0], space_of(opcode)) : 0;
  if (!address) return false;
  emit(run->lower, ordered(opcode, IR_STORE), 2, (IrRef[]){address, stored});
  return true;
}

// ---- atomics

static uint8_t rmw_of(const char *opcode) {
  static const struct {
    const char *part;
    uint8_t rmw;
  } table[] = {{".add", IR_RMW_ADD}, {".inc", IR_RMW_INC}, {".dec", IR_RMW_DEC},
               {".min", IR_RMW_MIN}, {".max", IR_RMW_MAX}, {".and", IR_RMW_AND},
               {".or", IR_RMW_OR},   {".xor", IR_RMW_XOR}, {".exch", IR_RMW_XCHG}};
  uint8_t rmw = IR_RMW_NONE;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (asm_has_part(opcode, table[i].part)) rmw = table[i].rmw;
  if (asm_is_float(opcode)) return rmw == IR_RMW_ADD ? IR_RMW_FADD : IR_RMW_NONE;
  if (rmw == IR_RMW_MIN && !asm_is_signed(opcode)) return IR_RMW_UMIN;
  if (rmw == IR_RMW_MAX && !asm_is_signed(opcode)) return IR_RMW_UMAX;
  return rmw;
}

static IrInst atomic_inst(const char *opcode, IrOp op, uint8_t rmw, IrType type) {
  return (IrInst){.op = (uint8_t)op,
                  .rmw = rmw,
                  .flags = access_flags(opcode),
                  .type = type,
                  .order = asm_order(opcode, IR_ORDER_RELAXED),
                  .scope = asm_scope(opcode, IR_SCOPE_DEVICE)};
}

// The atomic operation of the statement on one number; `offset`: bytes behind the address.
static IrRef atomic_at(AsmRun *run, const char *opcode, IrRef address, uint32_t offset, uint8_t rmw,
                       IrRef value) {
  Lower *lower = run->lower;
  IrType pointer = ir_ref_type(lower->ir, lower->function, address);
  IrInst step = {.op = IR_PTRADD, .type = pointer, .flags = IR_FLAG_ADDRESS};
  IrInst inst = atomic_inst(opcode, IR_ATOMICRMW, rmw, ir_ref_type(lower->ir, lower->function, value));
  IrRef place = offset ? emit(lower, step, 2, (IrRef[]){address, emit_int(lower, 64, offset)}) : address;
  return emit(lower, inst, 2, (IrRef[]){place, value});
}

// .f16 and .f16x2, which adds two numbers, each in one step; 0: not understood.
static IrRef add_halves(AsmRun *run, const char *opcode, IrRef address, uint32_t offset, const char *name) {
  Lower *lower = run->lower;
  uint8_t bits = asm_width(opcode);
  IrType half = ir_type_float(16), word = ir_type_int(bits);
  IrRef whole = asm_int(run, name, bits, false), old = 0;
  for (uint8_t at = 0; whole && at < bits; at = (uint8_t)(at + 16)) {
    IrRef moved = at ? emit_op(lower, IR_LSHR, word, 2, (IrRef[]){whole, emit_int(lower, bits, at)}) : whole;
    IrRef piece = asm_as_float(
        run, (AsmValue){asm_as_int(run, (AsmValue){moved, word}, 16, false), ir_type_int(16)}, 16);
    IrRef was = atomic_at(run, opcode, address, offset + at / 8, IR_RMW_FADD, piece);
    IrRef before = asm_as_int(run, (AsmValue){was, half}, 16, false);
    before = asm_as_int(run, (AsmValue){before, ir_type_int(16)}, bits, false);
    if (at) before = emit_op(lower, IR_SHL, word, 2, (IrRef[]){before, emit_int(lower, bits, at)});
    old = at ? emit_op(lower, IR_OR, word, 2, (IrRef[]){old, before}) : before;
  }
  return old;
}

// Sums of several numbers that lie beside each other, `atom.add.v4.f32 {a, b, c, d}, [p], {e, f, g, h}`: each of them in one step.
static bool add_several(AsmRun *run, const Statement *statement, bool has_result) {
  enum { WIDEST = 8 };
  Lower *lower = run->lower;
  const char *opcode = statement->opcode, *values[WIDEST], *results[WIDEST];
  const char *const *operands = statement->operands + (has_result ? 1 : 0);
  uint8_t bits = asm_width(opcode);
  bool is_of_halves = strstr(opcode, "f16") && (bits == 16 || bits == 32);
  uint32_t size = vector_size(opcode);
  if (!asm_has_part(opcode, ".add") || (!is_of_halves && (!asm_is_float(opcode) || bits < 32)) ||
      count_without_hint(statement) != (has_result ? 3 : 2) ||
      asm_list(operands[1], values, WIDEST, lower->scratch) != size ||
      (has_result && asm_list(statement->operands[0], results, WIDEST, lower->scratch) != size))
    return false;
  IrRef address = asm_address(run, operands[0], space_of(opcode));
  IrType type = is_of_halves ? ir_type_int(bits) : ir_type_float(bits);
  for (uint32_t i = 0; address && i < size; i++) {
    IrRef number = is_of_halves ? 0 : asm_as_float(run, asm_value(run, values[i], bits), bits), old = 0;
    if (is_of_halves) old = add_halves(run, opcode, address, i * bits / 8, values[i]);
    if (number) old = atomic_at(run, opcode, address, i * bits / 8, IR_RMW_FADD, number);
    if (!old || (has_result && !asm_assign(run, results[i], old, type, false))) return false;
  }
  return address != 0;
}

// atom d, [a], b (, c) and red [a], b.
bool asm_atomic(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  Lower *lower = run->lower;
  const char *opcode = statement->opcode;
  bool has_result = rule->detail, is_cas = asm_has_part(opcode, ".cas"), is_float = asm_is_float(opcode);
  if (strstr(opcode, "f16") || vector_size(opcode) > 1) return add_several(run, statement, has_result);
  uint8_t bits = asm_width(opcode), rmw = rmw_of(opcode);
  const char *const *operands = statement->operands + (has_result ? 1 : 0);
  uint32_t values = is_cas ? 2 : 1;
  if (count_without_hint(statement) != (has_result ? 2 : 1) + values || bits < 16) return false;
  if (!is_cas && rmw == IR_RMW_NONE) return false;
  IrRef ops[3] = {asm_address(run, operands[0], space_of(opcode))};
  for (uint32_t i = 1; i <= values; i++)
    ops[i] = is_float ? asm_as_float(run, asm_value(run, operands[i], bits), bits)
                      : asm_int(run, operands[i], bits, asm_is_signed(opcode));
  if (!ops[0] || !ops[1] || (is_cas && !ops[2])) return false;
  IrInst inst = atomic_inst(opcode, is_cas ? IR_CMPXCHG : IR_ATOMICRMW, is_cas ? 0 : rmw,
                            is_float ? ir_type_float(bits) : ir_type_int(bits));
  IrRef old = emit(lower, inst, 1 + values, ops);
  return !has_result || asm_assign(run, statement->operands[0], old, inst.type, asm_is_signed(opcode));
}

// ---- what is filled

// st.bulk [a], size, 0 (zeros), and discard.L2 [a], 128, a weak write of no particular value (PTX ISA, 9.7.9).
bool asm_fill(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  Lower *lower = run->lower;
  bool is_discarded = rule->detail;
  if (statement->operand_count != (is_discarded ? 2 : 3)) return false;
  IrRef address = unguarded_address(run, statement->operands[0], space_of(statement->opcode));
  IrRef length = guarded_length(run, asm_int(run, statement->operands[1], 64, false)),
        value = is_discarded ? emit_undef(lower, ir_type_int(8)) : emit_int(lower, 8, 0);
  if (!address || !length) return false;
  emit(lower, (IrInst){.op = IR_MEMSET}, 3, (IrRef[]){address, value, length});
  return true;
}

// createpolicy...: a hint for the cache, which is given to accesses and says nothing of what they do.
bool asm_hint(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  IrType word = ir_type_int(64);
  return statement->operand_count &&
         asm_assign(run, statement->operands[0], emit_undef(run->lower, word), word, false);
}

// ---- asynchronous copies

// The fourth operand of a copy: how many bytes are read, or a predicate under which none are.
static IrRef bytes_read(AsmRun *run, const char *text, IrRef length) {
  AsmValue value = asm_value(run, text[0] == '!' ? text + 1 : text, 32);
  if (value.type.kind == IR_INT && value.type.bits > 1 && text[0] != '!')
    return asm_as_int(run, value, 64, false);
  IrRef ignores = asm_truth(run, text);
  if (!ignores) return 0;
  IrRef ops[] = {ignores, emit_int(run->lower, 64, 0), length};
  return emit_op(run->lower, IR_SELECT, ir_type_int(64), 3, ops);
}

// cp.async.ca.shared.global [destination], [source], size (, bytes read) (, cache policy)
bool asm_async_copy(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  uint32_t count = count_without_hint(statement);
  if (count < 3 || count > 4) return false;
  IrRef ops[4] = {unguarded_address(run, statement->operands[0], IR_SPACE_SHARED),
                  unguarded_address(run, statement->operands[1], IR_SPACE_GLOBAL)};
  IrRef length = asm_int(run, statement->operands[2], 64, false);
  ops[2] = guarded_length(run, length);
  ops[3] = count == 4 && length ? guarded_length(run, bytes_read(run, statement->operands[3], length)) : 0;
  if (!ops[0] || !ops[1] || !ops[2] || (count == 4 && !ops[3])) return false;
  emit_op(run->lower, IR_ASYNCCOPY, ir_type_void(), count, ops);
  return true;
}

static bool is_plain_bulk(const char *opcode) {
  static const char *const parts[] = {".tensor", ".multicast", ".cp_mask"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(opcode, parts[i])) return false;
  return true;
}

// "cp.async.bulk.DESTINATION.SOURCE...", "cp.reduce.async.bulk...": one of them is shared memory.
static uint8_t bulk_space(const char *opcode, bool is_source) {
  const char *at = strstr(opcode, ".bulk.") + strlen(".bulk.");
  if (is_source) at += strcspn(at, ".") + 1;
  return str_starts_with(at, "shared") ? IR_SPACE_SHARED : IR_SPACE_GLOBAL;
}

// What a reduction does to each element, and how wide that is. False: not understood.
static bool reduces(const char *opcode, IrInst *inst) {
  uint8_t bits = asm_width(opcode);
  inst->rmw = strstr(opcode, "f16") ? IR_RMW_FADD : rmw_of(opcode);
  inst->imm = bits / 8;
  inst->scope = asm_scope(opcode, IR_SCOPE_DEVICE);
  return inst->rmw != IR_RMW_NONE && bits >= 16;
}

// rule->detail: the operation.
bool asm_async_bulk(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  const char *opcode = statement->opcode;
  bool has_barrier = strstr(opcode, ".mbarrier") != NULL, has_group = asm_has_part(opcode, ".bulk_group");
  uint32_t count = count_without_hint(statement);
  if (!is_plain_bulk(opcode) || has_barrier == has_group || count != (has_barrier ? 4u : 3u)) return false;
  IrRef ops[4] = {unguarded_address(run, statement->operands[0], bulk_space(opcode, false)),
                  unguarded_address(run, statement->operands[1], bulk_space(opcode, true)), 0,
                  has_barrier ? unguarded_address(run, statement->operands[3], IR_SPACE_SHARED) : 0};
  ops[2] = guarded_length(run, asm_int(run, statement->operands[2], 64, false));
  if (!ops[0] || !ops[1] || !ops[2] || (has_barrier && !ops[3])) return false;
  IrInst inst = {.op = (uint8_t)rule->detail, .flags = IR_FLAG_BULK};
  if (ir_inst_is(&inst, IR_FOLDS) && !reduces(opcode, &inst)) return false;
  emit(run->lower, inst, has_barrier ? 4 : 3, ops);
  return true;
}

// red.async.relaxed.cluster... [destination], value, [mbarrier] and st.async...: what registers hold goes there, and completes on the barrier
// object by bytes, as bulk copies do.
bool asm_async_value(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  const char *opcode = statement->opcode;
  IrInst inst = {.op = (uint8_t)rule->detail, .flags = IR_FLAG_BULK};
  if (statement->operand_count != 3 || !strstr(opcode, ".mbarrier") ||
      (ir_inst_is(&inst, IR_FOLDS) && !reduces(opcode, &inst)))
    return false;
  IrRef ops[] = {asm_address(run, statement->operands[0], IR_SPACE_SHARED),
                 stored_value(run, opcode, statement->operands[1]),
                 emit_int(run->lower, 64, vector_size(opcode) * asm_width(opcode) / 8),
                 asm_address(run, statement->operands[2], IR_SPACE_SHARED)};
  if (!ops[0] || !ops[1] || !ops[3]) return false;
  emit(run->lower, inst, 4, ops);
  return true;
}

// rule->detail: flags of the instruction.
bool asm_async_commit(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  if (statement->operand_count) return false;
  emit(run->lower, (IrInst){.op = IR_ASYNCCOMMIT, .flags = rule->detail}, 0, NULL);
  return true;
}

bool asm_async_wait(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  Lower *lower = run->lower;
  IrInst inst = {.op = IR_ASYNCWAIT, .flags = rule->detail};
  if (asm_has_part(statement->opcode, ".read")) inst.flags |= IR_FLAG_SOURCES;
  IrRef left =
      statement->operand_count ? asm_int(run, statement->operands[0], 32, false) : emit_int(lower, 32, 0);
  if (!left || !ir_const_value(lower->function, left, &inst.imm)) return false;
  // wait_all is for all copies, in a group or not.
  if (asm_has_part(statement->opcode, ".wait_all")) emit(lower, (IrInst){.op = IR_ASYNCCOMMIT}, 0, NULL);
  emit(lower, inst, 0, NULL);
  return true;
}
