// What does one instruction of PTX compute? LLVM has nearly all of them: integers of some width, floats, comparisons, chains of carries, and
// plain loads and stores of global memory, which are marked as accesses later. Rounding is to nearest but for conversions to integers,
// as in the machine's mathematics; approximate functions are exact ones.
// An instruction, a type or a modifier that is not known makes the whole text one that cannot be run.
// SPDX-License-Identifier: Apache-2.0
#include "run/assembly.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

typedef struct AsmOp {
  AsmBody *body;
  const AsmInstruction *instruction;
  LLVMBuilderRef b;
  const char *parts[ASM_PARTS]; // of the opcode, behind its name
  unsigned part_count;
  bool used[ASM_PARTS];
  const char *name;
  LLVMTypeRef type; // of the last type named
  char kind;        // u, s, b, f, p
  unsigned bits;
} AsmOp;

// ---- the opcode

static void split(AsmOp *op, Arena *arena) {
  char *text = (char *)arena_strdup(arena, op->instruction->opcode);
  op->name = text;
  for (char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
    *dot = '\0';
    if (op->part_count < ASM_PARTS) op->parts[op->part_count++] = dot + 1;
  }
}

static bool has(AsmOp *op, const char *part) {
  for (unsigned i = 0; i < op->part_count; i++)
    if (strcmp(op->parts[i], part) == 0) return op->used[i] = true;
  return false;
}

static LLVMTypeRef type_named(const Device *device, const char *part, char *kind, unsigned *bits) {
  LLVMContextRef context = device->context;
  if (strcmp(part, "pred") == 0) return *kind = 'p', *bits = 1, LLVMInt1TypeInContext(context);
  if (!part[0] || !strchr("usbf", part[0])) return NULL;
  char *end;
  unsigned long width = strtoul(part + 1, &end, 10);
  if (end == part + 1 || *end || (width != 8 && width != 16 && width != 32 && width != 64)) return NULL;
  *kind = part[0], *bits = (unsigned)width;
  if (part[0] != 'f') return LLVMIntTypeInContext(context, *bits);
  return width == 64   ? LLVMDoubleTypeInContext(context)
         : width == 32 ? LLVMFloatTypeInContext(context)
         : width == 16 ? LLVMHalfTypeInContext(context)
                       : NULL;
}

// The number-th part from the end that is a type.
static bool take_type(AsmOp *op, unsigned number, LLVMTypeRef *type, char *kind, unsigned *bits) {
  for (unsigned i = op->part_count; i-- > 0;) {
    *type = type_named(op->body->device, op->parts[i], kind, bits);
    if (*type && number-- == 0) return op->used[i] = true;
  }
  return false;
}

static void drop_parts(AsmOp *op, const char *const *parts, size_t count) {
  for (size_t i = 0; i < count; i++)
    (void)has(op, parts[i]);
}

static bool all_used(const AsmOp *op) {
  for (unsigned i = 0; i < op->part_count; i++)
    if (!op->used[i]) return false;
  return true;
}

// ---- operands

static LLVMValueRef operand(AsmOp *op, unsigned number, LLVMTypeRef type) {
  return number < op->instruction->count ? assembly_value(op->body, op->instruction->operands[number], type)
                                         : NULL;
}

static bool set(AsmOp *op, LLVMValueRef value) {
  return value && assembly_set(op->body, op->instruction->operands[0], value, op->kind == 's');
}

static LLVMValueRef intrinsic(AsmOp *op, const char *name, LLVMTypeRef type, LLVMValueRef *arguments,
                              unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(op->body->device->module, id, &type, 1);
  return LLVMBuildCall2(op->b, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

static LLVMTypeRef twice(const AsmOp *op) {
  return LLVMIntTypeInContext(op->body->device->context, 2 * op->bits);
}

static LLVMValueRef widened(const AsmOp *op, LLVMValueRef value, LLVMTypeRef type) {
  return op->kind == 's' ? LLVMBuildSExt(op->b, value, type, "") : LLVMBuildZExt(op->b, value, type, "");
}

// ---- with a carry: the sum in twice the width has it in the bit behind

static bool uses_carry(const AsmOp *op) {
  return (strcmp(op->name, "addc") == 0 || strcmp(op->name, "subc") == 0 || strcmp(op->name, "madc") == 0);
}

static LLVMValueRef product(AsmOp *op, LLVMValueRef x, LLVMValueRef y) { // lo, hi or wide
  if (has(op, "lo")) return LLVMBuildMul(op->b, x, y, "");
  bool is_high = has(op, "hi");
  if (!is_high && !has(op, "wide")) return NULL;
  LLVMValueRef all = LLVMBuildMul(op->b, widened(op, x, twice(op)), widened(op, y, twice(op)), "");
  if (!is_high) return all;
  return LLVMBuildTrunc(op->b, LLVMBuildLShr(op->b, all, LLVMConstInt(twice(op), op->bits, 0), ""), op->type,
                        "");
}

static bool carried(AsmOp *op) {
  bool is_mad = op->name[0] == 'm', is_sub = op->name[0] == 's', sets = has(op, "cc");
  if (uses_carry(op) && !op->body->has_carry) return false; // of another text
  LLVMValueRef x = operand(op, 1, op->type), y = operand(op, 2, op->type),
               z = is_mad ? operand(op, 3, op->type) : NULL;
  if (!x || !y || (is_mad && !z) || op->kind == 'f') return false;
  if (is_mad && !(x = product(op, x, y))) return false;
  if (is_mad) y = z;
  LLVMTypeRef wide = twice(op);
  LLVMValueRef a = LLVMBuildZExt(op->b, x, wide, ""), c = LLVMBuildZExt(op->b, y, wide, "");
  LLVMValueRef sum = is_sub ? LLVMBuildSub(op->b, a, c, "") : LLVMBuildAdd(op->b, a, c, "");
  if (uses_carry(op)) {
    LLVMTypeRef bit = LLVMInt1TypeInContext(op->body->device->context);
    LLVMValueRef in = LLVMBuildZExt(op->b, LLVMBuildLoad2(op->b, bit, op->body->carry, ""), wide, "");
    sum = is_sub ? LLVMBuildSub(op->b, sum, in, "") : LLVMBuildAdd(op->b, sum, in, "");
  }
  if (sets) {
    LLVMValueRef out = LLVMBuildLShr(op->b, sum, LLVMConstInt(wide, op->bits, 0), "");
    LLVMBuildStore(op->b, LLVMBuildTrunc(op->b, out, LLVMInt1TypeInContext(op->body->device->context), ""),
                   op->body->carry);
    op->body->has_carry = true;
  }
  return all_used(op) && set(op, LLVMBuildTrunc(op->b, sum, op->type, ""));
}

// ---- two operands

static LLVMValueRef shifted(AsmOp *op, LLVMValueRef x) { // by more than the width gives nothing, or the sign
  LLVMTypeRef i32 = op->body->device->i32;
  LLVMValueRef by = operand(op, 2, i32);
  if (!by || op->kind == 'f') return NULL;
  bool is_left = strcmp(op->name, "shl") == 0, is_sign = !is_left && op->kind == 's';
  LLVMValueRef last = LLVMConstInt(i32, op->bits - 1, 0);
  LLVMValueRef is_far = LLVMBuildICmp(op->b, LLVMIntUGT, by, last, "");
  LLVMValueRef near = LLVMBuildSelect(op->b, is_far, last, by, "");
  LLVMValueRef amount = LLVMBuildIntCast2(op->b, near, op->type, 0, "");
  if (is_sign) return LLVMBuildAShr(op->b, x, amount, "");
  LLVMValueRef moved = is_left ? LLVMBuildShl(op->b, x, amount, "") : LLVMBuildLShr(op->b, x, amount, "");
  return LLVMBuildSelect(op->b, is_far, LLVMConstNull(op->type), moved, "");
}

static LLVMValueRef of_integers(AsmOp *op, LLVMValueRef x, LLVMValueRef y) {
  const char *name = op->name;
  bool is_signed = op->kind == 's';
  LLVMValueRef both[] = {x, y};
  if (strcmp(name, "add") == 0) return LLVMBuildAdd(op->b, x, y, "");
  if (strcmp(name, "sub") == 0) return LLVMBuildSub(op->b, x, y, "");
  if (strcmp(name, "mul") == 0) return product(op, x, y);
  if (strcmp(name, "and") == 0) return LLVMBuildAnd(op->b, x, y, "");
  if (strcmp(name, "or") == 0) return LLVMBuildOr(op->b, x, y, "");
  if (strcmp(name, "xor") == 0) return LLVMBuildXor(op->b, x, y, "");
  if (strcmp(name, "min") == 0)
    return intrinsic(op, is_signed ? "llvm.smin" : "llvm.umin", op->type, both, 2);
  if (strcmp(name, "max") == 0)
    return intrinsic(op, is_signed ? "llvm.smax" : "llvm.umax", op->type, both, 2);
  return NULL;
}

static LLVMValueRef of_floats(AsmOp *op, LLVMValueRef x, LLVMValueRef y) {
  const char *name = op->name;
  LLVMValueRef both[] = {x, y};
  if (strcmp(name, "add") == 0) return LLVMBuildFAdd(op->b, x, y, "");
  if (strcmp(name, "sub") == 0) return LLVMBuildFSub(op->b, x, y, "");
  if (strcmp(name, "mul") == 0) return LLVMBuildFMul(op->b, x, y, "");
  if (strcmp(name, "div") == 0) return LLVMBuildFDiv(op->b, x, y, "");
  if (strcmp(name, "min") == 0) return intrinsic(op, "llvm.minnum", op->type, both, 2);
  if (strcmp(name, "max") == 0) return intrinsic(op, "llvm.maxnum", op->type, both, 2);
  return NULL;
}

static LLVMValueRef of_two(AsmOp *op) {
  LLVMValueRef x = operand(op, 1, op->type);
  if (x && (strcmp(op->name, "shl") == 0 || strcmp(op->name, "shr") == 0)) return shifted(op, x);
  LLVMValueRef y = operand(op, 2, op->type);
  if (!x || !y) return NULL;
  return op->kind == 'f' ? of_floats(op, x, y) : of_integers(op, x, y);
}

// ---- one operand

static LLVMValueRef of_one(AsmOp *op) {
  static const char *const known[][2] = {
      {"sqrt", "llvm.sqrt"}, {"ex2", "llvm.exp2"},   {"lg2", "llvm.log2"},       {"sin", "llvm.sin"},
      {"cos", "llvm.cos"},   {"popc", "llvm.ctpop"}, {"brev", "llvm.bitreverse"}};
  LLVMValueRef x = operand(op, 1, op->type),
               two[] = {x, LLVMConstNull(LLVMInt1TypeInContext(op->body->device->context))};
  bool is_float = op->kind == 'f';
  if (!x) return NULL;
  if (strcmp(op->name, "mov") == 0 || strcmp(op->name, "cvta") == 0) return x;
  if (strcmp(op->name, "neg") == 0)
    return is_float ? LLVMBuildFNeg(op->b, x, "") : LLVMBuildNeg(op->b, x, "");
  if (strcmp(op->name, "not") == 0) return is_float ? NULL : LLVMBuildNot(op->b, x, "");
  if (strcmp(op->name, "abs") == 0)
    return intrinsic(op, is_float ? "llvm.fabs" : "llvm.abs", op->type, two, is_float ? 1 : 2);
  if (strcmp(op->name, "clz") == 0) return intrinsic(op, "llvm.ctlz", op->type, two, 2);
  if (strcmp(op->name, "rcp") == 0) return LLVMBuildFDiv(op->b, LLVMConstReal(op->type, 1), x, "");
  if (strcmp(op->name, "rsqrt") == 0)
    return LLVMBuildFDiv(op->b, LLVMConstReal(op->type, 1), intrinsic(op, "llvm.sqrt", op->type, two, 1), "");
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(op->name, known[i][0]) == 0) return intrinsic(op, known[i][1], op->type, two, 1);
  return NULL;
}

// ---- three operands

static LLVMValueRef of_three(AsmOp *op) {
  bool is_wide = has(op, "wide");
  LLVMTypeRef last = is_wide ? twice(op) : op->type;
  LLVMValueRef x = operand(op, 1, op->type), y = operand(op, 2, op->type);
  if (strcmp(op->name, "selp") == 0) {
    LLVMValueRef chosen = operand(op, 3, LLVMInt1TypeInContext(op->body->device->context));
    return x && y && chosen ? LLVMBuildSelect(op->b, chosen, x, y, "") : NULL;
  }
  LLVMValueRef z = operand(op, 3, last), all[] = {x, y, z};
  if (!x || !y || !z) return NULL;
  if (op->kind == 'f') return intrinsic(op, "llvm.fma", op->type, all, 3);
  LLVMValueRef made = strcmp(op->name, "mad") == 0 ? product(op, x, y) : NULL;
  return made ? LLVMBuildAdd(op->b, made, z, "") : NULL;
}

// ---- comparisons

static LLVMValueRef compared(AsmOp *op) {
  static const struct {
    const char *name;
    LLVMIntPredicate of_signed, of_unsigned;
    LLVMRealPredicate of_float;
  } known[] = {{"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},   {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
               {"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT}, {"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
               {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT}, {"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
               {"lo", LLVMIntULT, LLVMIntULT, LLVMRealOLT}, {"ls", LLVMIntULE, LLVMIntULE, LLVMRealOLE},
               {"hi", LLVMIntUGT, LLVMIntUGT, LLVMRealOGT}, {"hs", LLVMIntUGE, LLVMIntUGE, LLVMRealOGE}};
  LLVMValueRef x = operand(op, 1, op->type), y = operand(op, 2, op->type);
  for (size_t i = 0; x && y && i < sizeof known / sizeof *known; i++) {
    if (!has(op, known[i].name)) continue;
    if (op->kind == 'f') return LLVMBuildFCmp(op->b, known[i].of_float, x, y, "");
    return LLVMBuildICmp(op->b, op->kind == 's' ? known[i].of_signed : known[i].of_unsigned, x, y, "");
  }
  return NULL;
}

// ---- conversions: cvt.rounding.to.from

static LLVMValueRef to_whole(AsmOp *op, LLVMValueRef x, LLVMTypeRef type) {
  const char *how = has(op, "rni")   ? "llvm.rint"
                    : has(op, "rmi") ? "llvm.floor"
                    : has(op, "rpi") ? "llvm.ceil"
                                     : "llvm.trunc";
  return has(op, "rzi") || strcmp(how, "llvm.trunc") != 0 ? intrinsic(op, how, type, &x, 1) : NULL;
}

static LLVMValueRef saturated(AsmOp *op, LLVMValueRef whole, LLVMTypeRef from) {
  const char *name = op->kind == 's' ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  LLVMTypeRef types[] = {op->type, from};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(op->body->device->module, id, types, 2);
  return LLVMBuildCall2(op->b, LLVMGlobalGetValueType(function), function, &whole, 1, "");
}

static LLVMValueRef converted(AsmOp *op) {
  LLVMTypeRef from;
  char kind;
  unsigned bits;
  if (!take_type(op, 0, &from, &kind, &bits) || !take_type(op, 1, &op->type, &op->kind, &op->bits))
    return NULL;
  LLVMValueRef x = operand(op, 1, from), whole;
  if (!x) return NULL;
  if (kind == 'f' && op->kind == 'f') {
    whole = to_whole(op, x, from);
    return LLVMBuildFPCast(op->b, whole ? whole : x, op->type, "");
  }
  if (kind == 'f') return (whole = to_whole(op, x, from)) ? saturated(op, whole, from) : NULL;
  if (op->kind != 'f') return LLVMBuildIntCast2(op->b, x, op->type, kind == 's', "");
  return kind == 's' ? LLVMBuildSIToFP(op->b, x, op->type, "") : LLVMBuildUIToFP(op->b, x, op->type, "");
}

// ---- memory: "[$1]", "[$1+8]", and several elements as "{$0, $1}", one access after the other

static LLVMValueRef address_of(AsmOp *op, const char *text) {
  LLVMTypeRef i64 = op->body->device->i64;
  Arena *arena = op->body->device->arena;
  size_t length = strlen(text), plain;
  if (length < 3 || text[0] != '[' || text[length - 1] != ']') return NULL;
  char *inside = (char *)arena_strdup(arena, text + 1);
  inside[length - 2] = '\0';
  plain = strcspn(inside, "+");
  LLVMValueRef offset =
      inside[plain] ? assembly_value(op->body, inside + plain + 1 + strspn(inside + plain + 1, " "), i64)
                    : LLVMConstNull(i64);
  while (plain && inside[plain - 1] == ' ')
    plain--;
  inside[plain] = '\0';
  LLVMValueRef base = assembly_value(op->body, inside, i64);
  return base && offset ? LLVMBuildAdd(op->b, base, offset, "") : NULL;
}

static const char *element(AsmOp *op, const char *text, unsigned number, unsigned count) {
  if (count == 1) return text[0] == '{' ? NULL : text;
  if (text[0] != '{') return NULL;
  for (text++; number--; text++)
    if (!*(text += strcspn(text, ","))) return NULL;
  text += strspn(text, " ");
  size_t length = strcspn(text, ",} ");
  return arena_printf(op->body->device->arena, "%.*s", (int)length, text);
}

static bool accessed(AsmOp *op, bool is_store) {
  static const char *const ways[] = {"global", "nc", "ca", "cg", "cs", "cv", "lu", "wb", "wt", "weak"};
  unsigned count = has(op, "v4") ? 4 : has(op, "v2") ? 2 : 1;
  const AsmInstruction *given = op->instruction;
  bool is_volatile = has(op, "volatile");
  drop_parts(op, ways, sizeof ways / sizeof *ways);
  for (unsigned i = 0; i < op->part_count; i++)
    if (has_prefix(op->parts[i], "L1::") || has_prefix(op->parts[i], "L2::")) op->used[i] = true;
  LLVMValueRef base =
      all_used(op) && given->count == 2 ? address_of(op, given->operands[is_store ? 0 : 1]) : NULL;
  for (unsigned i = 0; base && i < count; i++) {
    LLVMValueRef at = LLVMBuildAdd(op->b, base, LLVMConstInt(op->body->device->i64, i * op->bits / 8, 0), "");
    LLVMValueRef place = LLVMBuildIntToPtr(op->b, at, op->body->device->pointer, ""), made;
    const char *text = element(op, given->operands[is_store ? 1 : 0], i, count);
    LLVMValueRef value = text && is_store ? assembly_value(op->body, text, op->type) : NULL;
    if (!text || (is_store && !value)) return false;
    made = is_store ? LLVMBuildStore(op->b, value, place) : LLVMBuildLoad2(op->b, op->type, place, "");
    LLVMSetVolatile(made, is_volatile);
    if (!is_store && !assembly_set(op->body, text, made, op->kind == 's')) return false;
  }
  return base != NULL;
}

// ---- all

static LLVMValueRef clamped(AsmOp *op, LLVMValueRef value) {
  if (!value || op->kind != 'f' || !has(op, "sat")) return value;
  LLVMValueRef low[] = {value, LLVMConstReal(op->type, 0)};
  LLVMValueRef high[] = {intrinsic(op, "llvm.maxnum", op->type, low, 2), LLVMConstReal(op->type, 1)};
  return intrinsic(op, "llvm.minnum", op->type, high, 2);
}

bool assembly_compute(AsmBody *body, const AsmInstruction *instruction) {
  ASSERT(body && body->device);
  ASSERT(instruction && instruction->opcode);
  ASSERT(instruction->count <= ASM_OPERANDS);
  static const char *const plain[] = {"rn", "rz", "rm", "rp", "ftz", "approx", "full"};
  static const char *const spaces[] = {"to", "global"};
  AsmOp op = {.body = body, .instruction = instruction, .b = body->device->builder};
  LLVMValueRef value;
  split(&op, body->device->arena);
  if (instruction->count < 2) return false;
  if (strcmp(op.name, "cvt") == 0) {
    value = converted(&op);
  } else {
    if (!take_type(&op, 0, &op.type, &op.kind, &op.bits)) return false;
    if (strcmp(op.name, "ld") == 0 || strcmp(op.name, "st") == 0) return accessed(&op, op.name[0] == 's');
    if (uses_carry(&op) || has(&op, "cc")) return carried(&op);
    if (strcmp(op.name, "cvta") == 0) drop_parts(&op, spaces, sizeof spaces / sizeof *spaces);
    value = strcmp(op.name, "setp") == 0 ? compared(&op)
            : instruction->count == 2    ? of_one(&op)
            : instruction->count == 3    ? of_two(&op)
            : instruction->count == 4    ? of_three(&op)
                                         : NULL;
  }
  value = clamped(&op, value);
  if (op.kind == 'f' || strcmp(op.name, "cvt") == 0) drop_parts(&op, plain, sizeof plain / sizeof *plain);
  return all_used(&op) && set(&op, value);
}
