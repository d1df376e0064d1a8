// What does an arithmetic statement of inline PTX compute? Integer moves, sums, products, logic, shifts,
// conversions, compares and selects become the operations of the IR that they are, since addresses are made
// of them; every other statement that only computes is PURE under its opcode. Soundness: a statement counts
// as computing only if its result is a function of its operands (PTX ISA, 9.7.1 to 9.7.8); the carry flag is
// an operand that the text does not show, and such a text is taken as a whole.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

#include <string.h>

static bool is_one_of(const char *opcode, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (asm_is_op(opcode, names[i])) return true;
  return false;
}

bool asm_only_computes(const Statement *statement) {
  ASSERT(statement->opcode);
  static const char *const names[] = {
      "mov",   "add",   "addc",     "sub",   "subc",      "mul",       "mul24", "mad",    "madc",
      "mad24", "div",   "rem",      "abs",   "neg",       "min",       "max",   "popc",   "clz",
      "bfind", "fns",   "brev",     "bfe",   "bfi",       "szext",     "bmsk",  "dp4a",   "dp2a",
      "sad",   "fma",   "rcp",      "sqrt",  "rsqrt",     "sin",       "cos",   "lg2",    "ex2",
      "tanh",  "testp", "copysign", "set",   "setp",      "selp",      "slct",  "and",    "or",
      "xor",   "not",   "cnot",     "lop3",  "shf",       "shl",       "shr",   "cvt",    "cvta",
      "prmt",  "pack",  "isspacep", "vadd",  "vsub",      "vabsdiff",  "vmin",  "vmax",   "vset",
      "vadd2", "vadd4", "vsub2",    "vsub4", "vabsdiff2", "vabsdiff4", "vmin4", "vmax4",  "vset4",
      "mapa",  "vshr",  "vshl",     "vmad",  "vmin2",     "vmax2",     "vset2", "vavrg2", "vavrg4"};
  return asm_is_mark(statement) || is_one_of(statement->opcode, names, sizeof names / sizeof *names);
}

bool asm_takes_carry(const Statement *statement) {
  ASSERT(statement->opcode);
  static const char *const names[] = {"addc", "subc", "madc"};
  return is_one_of(statement->opcode, names, sizeof names / sizeof *names);
}

// ---- exact operations

typedef struct Exact {
  const char *name;
  uint8_t op, op_signed; // IrOp for unsigned and signed types
} Exact;

static const Exact two_operands[] = {
    {"add", IR_ADD, IR_ADD}, {"sub", IR_SUB, IR_SUB}, {"mul.lo", IR_MUL, IR_MUL},
    {"and", IR_AND, IR_AND}, {"or", IR_OR, IR_OR},    {"xor", IR_XOR, IR_XOR},
};

static bool is_saturated(const char *opcode) {
  return asm_has_part(opcode, ".sat") || asm_has_part(opcode, ".cc");
}

// mul.wide and mad.wide: operands half as wide as the result.
static IrRef product(AsmRun *run, const Statement *statement, uint8_t bits, bool is_signed) {
  bool is_wide = asm_has_part(statement->opcode, ".wide");
  uint8_t result = is_wide ? (uint8_t)(2 * bits) : bits;
  IrRef factors[2];
  for (uint32_t i = 0; i < 2; i++) {
    factors[i] = asm_int(run, statement->operands[1 + i], bits, is_signed);
    if (factors[i])
      factors[i] = asm_as_int(run, (AsmValue){factors[i], ir_type_int(bits)}, result, is_signed);
  }
  return asm_two(run, IR_MUL, result, factors[0], factors[1]);
}

static IrPred compare_of(const char *opcode, bool is_signed) {
  static const struct {
    const char *part;
    uint8_t pred, pred_signed;
  } table[] = {{".eq", IR_EQ, IR_EQ},   {".ne", IR_NE, IR_NE},   {".lt", IR_ULT, IR_SLT},
               {".le", IR_ULE, IR_SLE}, {".gt", IR_UGT, IR_SGT}, {".ge", IR_UGE, IR_SGE},
               {".lo", IR_ULT, IR_ULT}, {".ls", IR_ULE, IR_ULE}, {".hi", IR_UGT, IR_UGT},
               {".hs", IR_UGE, IR_UGE}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (asm_has_part(opcode, table[i].part))
      return (IrPred)(is_signed ? table[i].pred_signed : table[i].pred);
  return IR_PRED_NONE;
}

static IrRef bits_of(AsmRun *run, const char *text, uint8_t bits, bool is_signed) {
  return bits == 1 ? asm_truth(run, text) : asm_int(run, text, bits, is_signed);
}

// 0: not one of those that are exact.
static IrRef exact_two(AsmRun *run, const Statement *statement, uint8_t bits, bool is_signed) {
  for (size_t i = 0; i < sizeof two_operands / sizeof *two_operands; i++) {
    const Exact *exact = &two_operands[i];
    if (!asm_is_op(statement->opcode, exact->name) || statement->operand_count != 3) continue;
    return asm_two(run, (IrOp)(is_signed ? exact->op_signed : exact->op), bits,
                   bits_of(run, statement->operands[1], bits, is_signed),
                   bits_of(run, statement->operands[2], bits, is_signed));
  }
  return 0;
}

static IrRef exact_shift(AsmRun *run, const Statement *statement, uint8_t bits, bool is_signed) {
  int64_t amount;
  IrRef by = asm_int(run, statement->operands[2], bits, false);
  bool is_plain = by && ir_const_value(run->lower->function, by, &amount) && amount >= 0 && amount < bits;
  if (!is_plain) return 0; // PTX clamps the amount, the IR does not
  IrOp op = asm_is_op(statement->opcode, "shl") ? IR_SHL : is_signed ? IR_ASHR : IR_LSHR;
  return asm_two(run, op, bits, asm_int(run, statement->operands[1], bits, is_signed), by);
}

static bool is_conversion_of_integers(const char *opcode) {
  return asm_is_op(opcode, "cvt") && !strstr(opcode, "f16") && !strstr(opcode, "f32") &&
         !strstr(opcode, "f64") && !strstr(opcode, "f8") && !strstr(opcode, ".e") &&
         !strstr(opcode, ".pack") && !asm_has_part(opcode, ".sat");
}

// "cvt.u32.u64 d, a": the first type is that of the result.
static bool convert(AsmRun *run, const Statement *statement) {
  const char *from = strrchr(statement->opcode, '.');
  if (!from || statement->operand_count != 2) return false;
  const char *to = arena_strndup(run->lower->scratch, statement->opcode, (size_t)(from - statement->opcode));
  uint8_t from_bits = asm_width(from), to_bits = asm_width(to);
  if (from_bits < 8 || to_bits < 8) return false;
  AsmValue source = asm_value(run, statement->operands[1], from_bits);
  if (source.type.kind == IR_PTR && to_bits == 64)
    return asm_assign(run, statement->operands[0], source.ref, source.type, false);
  IrRef value = asm_as_int(run, source, from_bits, asm_is_signed(from));
  value =
      value ? asm_as_int(run, (AsmValue){value, ir_type_int(from_bits)}, to_bits, asm_is_signed(from)) : 0;
  return value && asm_assign(run, statement->operands[0], value, ir_type_int(to_bits), asm_is_signed(to));
}

// The value itself, whatever it is: numbers take the width of the type, vectors are taken apart or put
// together by nobody.
static bool move(AsmRun *run, const Statement *statement) {
  if (statement->operand_count != 2 || strchr(statement->operands[0], '{') ||
      strchr(statement->operands[1], '{'))
    return false;
  uint8_t bits = asm_width(statement->opcode);
  AsmValue value = asm_value(run, statement->operands[1], bits);
  if (bits == 1) value = (AsmValue){asm_truth(run, statement->operands[1]), ir_type_int(1)};
  return value.ref &&
         asm_assign(run, statement->operands[0], value.ref, value.type, asm_is_signed(statement->opcode));
}

static bool compare(AsmRun *run, const Statement *statement, uint8_t bits, bool is_signed) {
  IrPred pred = compare_of(statement->opcode, is_signed);
  if (statement->operand_count != 3 || pred == IR_PRED_NONE || asm_is_float(statement->opcode) || bits < 8)
    return false;
  IrRef a = asm_int(run, statement->operands[1], bits, is_signed);
  IrRef b = asm_int(run, statement->operands[2], bits, is_signed);
  return a && b &&
         asm_assign(run, statement->operands[0], emit_icmp(run->lower, pred, a, b), ir_type_int(1), false);
}

static bool choose(AsmRun *run, const Statement *statement, uint8_t bits, bool is_signed) {
  if (statement->operand_count != 4 || asm_is_float(statement->opcode)) return false;
  IrRef ops[] = {asm_truth(run, statement->operands[3]),
                 asm_int(run, statement->operands[1], bits, is_signed),
                 asm_int(run, statement->operands[2], bits, is_signed)};
  if (!ops[0] || !ops[1] || !ops[2]) return false;
  IrType type = ir_type_int(bits);
  return asm_assign(run, statement->operands[0], emit_op(run->lower, IR_SELECT, type, 3, ops), type,
                    is_signed);
}

static bool compute_exactly(AsmRun *run, const Statement *statement) {
  const char *opcode = statement->opcode;
  uint8_t bits = asm_width(opcode);
  bool is_signed = asm_is_signed(opcode), is_float = asm_is_float(opcode) || strstr(opcode, "f16");
  if (asm_is_op(opcode, "mov") || asm_is_op(opcode, "cvta")) return move(run, statement);
  if (is_conversion_of_integers(opcode)) return convert(run, statement);
  if (bits == 0 || is_float || is_saturated(opcode)) return false;
  if (asm_is_op(opcode, "setp")) return compare(run, statement, bits, is_signed);
  if (asm_is_op(opcode, "selp")) return choose(run, statement, bits, is_signed);
  IrRef result = exact_two(run, statement, bits, is_signed);
  uint8_t result_bits = bits;
  bool is_product =
      asm_is_op(opcode, "mul.wide") || asm_is_op(opcode, "mad.lo") || asm_is_op(opcode, "mad.wide");
  if (is_product && statement->operand_count >= 3 && bits >= 8 &&
      bits <= 32 + 32 * !asm_has_part(opcode, ".wide")) {
    result_bits = asm_has_part(opcode, ".wide") ? (uint8_t)(2 * bits) : bits;
    result = product(run, statement, bits, is_signed);
    if (asm_is_op(opcode, "mad") && statement->operand_count == 4)
      result = asm_two(run, IR_ADD, result_bits, result,
                       asm_int(run, statement->operands[3], result_bits, is_signed));
  }
  bool is_shift = (asm_is_op(opcode, "shl") || asm_is_op(opcode, "shr")) && statement->operand_count == 3;
  if (is_shift) result = exact_shift(run, statement, bits, is_signed);
  if (!result) result = asm_picked_bits(run, statement, bits, is_signed);
  return result && asm_assign(run, statement->operands[0], result, ir_type_int(result_bits), is_signed);
}

// ---- everything else

// How many of the operands are results: "setp.lt.s32 p|q, a, b", "{a, b}" of a mov.
uint32_t asm_result_count(const Statement *statement) {
  ASSERT(statement->opcode);
  bool is_combined = asm_has_part(statement->opcode, ".and") || asm_has_part(statement->opcode, ".or") ||
                     asm_has_part(statement->opcode, ".xor");
  bool has_two = asm_is_op(statement->opcode, "setp") && statement->operand_count > (is_combined ? 4u : 3u);
  return has_two ? 2 : 1;
}

static IrType result_type(const Statement *statement) {
  uint8_t bits = asm_width(statement->opcode);
  if (asm_is_op(statement->opcode, "setp") || asm_is_op(statement->opcode, "testp") ||
      asm_is_op(statement->opcode, "isspacep"))
    return ir_type_int(1);
  if (asm_is_float(statement->opcode)) return ir_type_float(bits);
  if (asm_has_part(statement->opcode, ".wide")) bits = (uint8_t)(2 * bits);
  if (asm_is_op(statement->opcode, "popc") || asm_is_op(statement->opcode, "clz")) bits = 32;
  return ir_type_int(bits < 8 ? 32 : bits);
}

// What says how the result is: of two types the first is that of the result, and the last that of what is converted, compared
// or asked for its sign.
static Statement of_result(AsmRun *run, const Statement *statement) {
  const char *opcode = statement->opcode;
  if (!asm_is_op(opcode, "cvt") && !asm_is_op(opcode, "set") && !asm_is_op(opcode, "slct")) return *statement;
  const char *last = strrchr(opcode, '.');
  Statement result = *statement;
  result.opcode = asm_has_part(opcode, ".pack")
                      ? "cvt.b32"
                      : arena_strndup(run->lower->scratch, opcode, (size_t)(last - opcode));
  return asm_width(result.opcode) ? result : *statement;
}

bool asm_compute(AsmRun *run, const Statement *statement, const AsmRule *rule) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  (void)rule;
  Lower *lower = run->lower;
  if (asm_is_mark(statement)) return asm_mark(run, statement);
  if (statement->operand_count < 2 || asm_takes_carry(statement) || asm_has_part(statement->opcode, ".cc"))
    return false;
  if (asm_is_op(statement->opcode, "lop3") && statement->operand_count != 5) return false; // d|p
  if (compute_exactly(run, statement)) return true;
  IrRef ops[CONSTRAINT_LIMIT];
  uint32_t used = 0, results = asm_result_count(statement);
  for (uint32_t i = results; i < statement->operand_count; i++) {
    const char *names[OPERAND_LIMIT];
    uint32_t count = asm_list(statement->operands[i], names, OPERAND_LIMIT, lower->scratch);
    for (uint32_t k = 0; k < count; k++) {
      IrRef ref = *names[k] == '!' ? asm_truth(run, names[k])
                                   : asm_value(run, names[k], asm_width(statement->opcode)).ref;
      if (!ref || used == CONSTRAINT_LIMIT) return false;
      ops[used++] = ref;
    }
  }
  Statement result = of_result(run, statement);
  IrType type = result_type(&result);
  for (uint32_t i = 0; i < results; i++) {
    const char *names[OPERAND_LIMIT];
    uint32_t count = asm_list(statement->operands[i], names, OPERAND_LIMIT, lower->scratch);
    if (count > 1) type = ir_type_int((uint8_t)(asm_width(statement->opcode) / count));
    if (type.bits < 8 && type.bits != 1) return false;
    for (uint32_t k = 0; k < count; k++) {
      const char *name = arena_printf(lower->scratch, "%s%s%u", statement->opcode, i || k ? "#" : "", i + k);
      IrRef made = emit_pure(lower, i || k ? name : statement->opcode, type, used, ops);
      if (!asm_assign(run, names[k], made, type, asm_is_signed(result.opcode))) return false;
    }
  }
  return true;
}
