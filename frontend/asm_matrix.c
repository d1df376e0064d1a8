// What do the matrix operations of inline PTX access? A warp makes ldmatrix and stmatrix together: of matrix m
// (of 1, 2 or 4) lane 8m + r gives the address of row r, 16 bytes, and lane l has row l / 4 of each matrix,
// the four bytes at 4 * (l % 4) of it; with .trans it has column l / 4, two bytes, of rows 2 * (l % 4) and
// 2 * (l % 4) + 1 (PTX ISA, 9.7.14.5.15). So each lane gets addresses from others as by a shuffle, and accesses its part
// there; no memory is ordered by that. mma and movmatrix exchange registers, so what they give is any value.
// Soundness: addresses are handed on exactly: the offset in an array that is the same for all lanes, or a
// number. A pointer that may be into several arrays, and other shapes of matrices, are not understood.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

#include <string.h>

enum { MATRIX_LIMIT = 4, ROWS = 8, SEARCH_LIMIT = 64 };

static bool assign_open(AsmRun *run, const char *text, uint8_t bits) {
  const char *names[CONSTRAINT_LIMIT];
  uint32_t count = asm_list(text, names, CONSTRAINT_LIMIT, run->lower->scratch);
  IrType type = ir_type_int(bits);
  for (uint32_t i = 0; i < count; i++)
    if (!asm_assign(run, names[i], emit_op(run->lower, IR_UNDEF, type, 0, NULL), type, false)) return false;
  return true;
}

bool asm_exchange(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  if (!asm_has_part(statement->opcode, ".sync") || statement->operand_count < 2) return false;
  return assign_open(run, statement->operands[0], 32);
}

// ---- instructions

// Two operands of a word, the second a number.
static IrRef step(AsmRun *run, IrOp op, IrRef a, int64_t b) {
  return emit_op(run->lower, op, ir_type_int(32), 2, (IrRef[]){a, emit_int(run->lower, 32, b)});
}

static IrRef sum(AsmRun *run, IrOp op, IrRef a, IrRef b) {
  IrInst inst = {.op = (uint8_t)op, .type = ir_type_int(64), .flags = IR_FLAG_ADDRESS};
  return emit(run->lower, inst, 2, (IrRef[]){a, b});
}

static IrRef moved(AsmRun *run, IrRef pointer, IrRef offset) {
  IrInst inst = {.op = IR_PTRADD, .flags = IR_FLAG_ADDRESS};
  inst.type = ir_ref_type(run->lower->ir, run->lower->function, pointer);
  return emit(run->lower, inst, 2, (IrRef[]){pointer, offset});
}

static IrRef from_lane(AsmRun *run, IrRef value, IrRef lane) {
  Lower *lower = run->lower;
  IrInst inst = {.op = IR_SHUFFLE, .name = "idx", .scope = IR_SCOPE_WARP};
  inst.type = ir_ref_type(lower->ir, lower->function, value);
  return emit(lower, inst, 4, (IrRef[]){emit_int(lower, 32, -1), value, lane, emit_int(lower, 32, 32)});
}

// ---- which array

typedef struct Search {
  Lower *lower;
  IrRef array; // so far
  const void *seen[SEARCH_LIMIT];
  uint32_t count;
} Search;

static bool is_pending(IrRef ref) {
  return (unsigned)ir_ref_kind(ref) == REF_PENDING;
}

static bool is_seen(Search *search, const void *what) {
  for (uint32_t i = 0; i < search->count; i++)
    if (search->seen[i] == what) return true;
  return false;
}

static bool leads_to_one(Search *search, IrRef ref);

// Operands that the pointer may be, or is made of: from `first` on, `count` of them.
static bool all_lead_to_one(Search *search, LLVMValueRef value, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; i++)
    if (!leads_to_one(search, lower_value(search->lower, LLVMGetOperand(value, i)))) return false;
  return true;
}

// What is lowered later, in a loop.
static bool later_leads_to_one(Search *search, LLVMValueRef value) {
  if (is_seen(search, value)) return true;
  if (search->count == SEARCH_LIMIT || !LLVMIsAInstruction(value)) return false;
  search->seen[search->count++] = value;
  LLVMOpcode op = LLVMGetInstructionOpcode(value);
  if (op == LLVMPHI) return all_lead_to_one(search, value, 0, LLVMCountIncoming(value));
  if (op == LLVMSelect) return all_lead_to_one(search, value, 1, 2);
  bool is_same = op == LLVMGetElementPtr || op == LLVMBitCast || op == LLVMAddrSpaceCast;
  return is_same && all_lead_to_one(search, value, 0, 1);
}

// Is there one array into which the pointer surely is?
static bool leads_to_one(Search *search, IrRef ref) {
  const Lower *lower = search->lower;
  if (is_pending(ref)) return later_leads_to_one(search, lower->pending.items[ir_ref_index(ref)].value);
  if (ir_ref_kind(ref) == IR_REF_GLOBAL) {
    bool is_other = search->array && search->array != ref;
    search->array = ref;
    return !is_other;
  }
  const IrInst *inst = ir_inst(lower->function, ref);
  if (!inst) return false;
  bool is_chosen = inst->op == IR_PHI || inst->op == IR_SELECT;
  if (!is_chosen && !ir_inst_is(inst, IR_SAME_OBJECT)) return false;
  const IrRef *ops = inst->ops;
  if (is_seen(search, ops)) return true;
  if (search->count == SEARCH_LIMIT) return false;
  search->seen[search->count++] = ops;
  uint32_t first = inst->op == IR_SELECT, end = is_chosen ? inst->op_count : 1;
  for (uint32_t i = first; i < end; i++)
    if (!leads_to_one(search, ops[i])) return false;
  return true;
}

// ---- addresses of other lanes

// A pointer: the array that it is into (or 0: it is made of a number) and the bytes to add.
typedef struct Place {
  IrRef array, offset;
  IrType type;
} Place;

// Of which the pointer is a step, or a cast.
static IrRef root_of(AsmRun *run, IrRef pointer, IrRef *offset) {
  const IrFunction *function = run->lower->function;
  *offset = 0;
  for (const IrInst *inst; (inst = ir_inst(function, pointer)) && ir_inst_is(inst, IR_SAME_OBJECT);) {
    const IrInst made = *inst;
    if (made.op == IR_PTRADD) *offset = *offset ? sum(run, IR_ADD, made.ops[1], *offset) : made.ops[1];
    pointer = made.ops[0];
  }
  return pointer;
}

static bool place_of(AsmRun *run, IrRef pointer, Place *place) {
  Lower *lower = run->lower;
  if (is_pending(pointer)) return false;
  *place = (Place){.type = ir_ref_type(lower->ir, lower->function, pointer)};
  IrRef offset = 0, root = root_of(run, pointer, &offset);
  const IrInst *made = ir_inst(lower->function, root);
  Search search = {.lower = lower};
  if (made && made->op == IR_INTTOPTR && !is_pending(made->ops[0])) {
    AsmValue source = {made->ops[0], ir_ref_type(lower->ir, lower->function, made->ops[0])};
    IrRef number = asm_as_int(run, source, 64, false);
    place->offset = offset ? sum(run, IR_ADD, number, offset) : number;
    return true;
  }
  if (!leads_to_one(&search, root)) return false;
  place->array = search.array;
  place->offset = offset ? offset : emit_int(lower, 64, 0);
  if (root != search.array)
    place->offset = sum(run, IR_SUB, asm_as_int(run, (AsmValue){pointer, place->type}, 64, false),
                        asm_as_int(run, (AsmValue){search.array, place->type}, 64, false));
  return true;
}

// Where the lane's pointer points.
static IrRef place_at(AsmRun *run, const Place *place, IrRef lane) {
  IrRef offset = from_lane(run, place->offset, lane);
  if (place->array) return moved(run, place->array, offset);
  return emit_op(run->lower, IR_INTTOPTR, place->type, 1, &offset);
}

// ---- the lane's part

typedef struct Matrices {
  Place rows; // as the lane gives them
  IrRef lane;
  uint32_t count;
  bool is_transposed;
  uint8_t access; // IR_LOAD, IR_STORE
} Matrices;

// Bytes `at` of row `row` of matrix m.
static IrRef access_part(AsmRun *run, const Matrices *all, uint32_t m, IrRef row, IrRef at, IrType type) {
  Lower *lower = run->lower;
  IrRef start = place_at(run, &all->rows, step(run, IR_ADD, row, (int64_t)ROWS * m));
  IrRef address = moved(run, start, asm_as_int(run, (AsmValue){at, ir_type_int(32)}, 64, false));
  address = asm_guarded(run, address, ir_ref_type(lower->ir, lower->function, address));
  if (all->access == IR_LOAD) return emit(lower, (IrInst){.op = IR_LOAD, .type = type}, 1, &address);
  IrRef stored = emit_op(lower, IR_UNDEF, type, 0, NULL);
  emit(lower, (IrInst){.op = IR_STORE}, 2, (IrRef[]){address, stored});
  return stored;
}

// What the lane has of matrix m.
static IrRef access_matrix(AsmRun *run, const Matrices *all, uint32_t m) {
  IrRef fourth = step(run, IR_LSHR, all->lane, 2), rest = step(run, IR_AND, all->lane, 3);
  if (!all->is_transposed)
    return access_part(run, all, m, fourth, step(run, IR_SHL, rest, 2), ir_type_int(32));
  IrRef row = step(run, IR_SHL, rest, 1), column = step(run, IR_SHL, fourth, 1);
  for (uint32_t half = 0; half < 2; half++)
    access_part(run, all, m, step(run, IR_ADD, row, half), column, ir_type_int(16));
  return emit_op(run->lower, IR_UNDEF, ir_type_int(32), 0, NULL);
}

static uint32_t matrix_count(const char *opcode) {
  return asm_has_part(opcode, ".x4") ? 4 : asm_has_part(opcode, ".x2") ? 2 : asm_has_part(opcode, ".x1");
}

// ldmatrix {d, ...}, [a]; stmatrix [a], {d, ...}. detail: IR_LOAD or IR_STORE.
bool asm_matrix(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  const char *opcode = statement->opcode, *names[MATRIX_LIMIT];
  bool is_load = rule->detail == IR_LOAD;
  Matrices all = {.count = matrix_count(opcode), .access = rule->detail};
  all.is_transposed = asm_has_part(opcode, ".trans");
  bool is_known = all.count && asm_has_part(opcode, ".sync") && asm_has_part(opcode, ".m8n8") &&
                  asm_has_part(opcode, ".b16") && statement->operand_count == 2;
  if (!is_known ||
      asm_list(statement->operands[!is_load], names, MATRIX_LIMIT, run->lower->scratch) != all.count)
    return false;
  AsmValue condition = run->condition;
  run->condition = (AsmValue){0}; // of the access, not of where it is
  IrRef address = asm_address(run, statement->operands[is_load], IR_SPACE_SHARED);
  run->condition = condition;
  if (!address || !place_of(run, address, &all.rows)) return false;
  IrInst own = {.op = IR_SREG, .type = ir_type_int(32), .imm = IR_SREG_LANEID, .name = "%laneid"};
  all.lane = emit(run->lower, own, 0, NULL);
  for (uint32_t m = 0; m < all.count; m++) {
    IrRef part = access_matrix(run, &all, m);
    if (is_load && !asm_assign(run, names[m], part, ir_type_int(32), false)) return false;
  }
  return true;
}
