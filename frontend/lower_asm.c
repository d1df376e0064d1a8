// What does a piece of inline PTX mean? The text is cut into statements. Text whose statements only compute
// is PURE; a single statement that is known (barrier, fence, load, store, atomic, asynchronous copy, lane
// exchange, special register) becomes its operation, with scope, order and width read from the suffixes (PTX
// ISA, chapter 9). Soundness: everything else, predicated statements included, stays ASM, which may do
// anything. On the host every piece of assembly stays ASM.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { STATEMENT_LIMIT = 64, OPERAND_LIMIT = 8, CONSTRAINT_LIMIT = 64 };

typedef struct Statement {
  const char *opcode; // "ld.acquire.gpu.u32"
  const char *operands[OPERAND_LIMIT];
  uint32_t operand_count;
  bool is_predicated;
} Statement;

typedef struct AsmText {
  Arena *scratch;
  Statement statements[STATEMENT_LIMIT];
  uint32_t count;
  bool is_cut; // too long
} AsmText;

// ---- reading the text -----------------------------------------------------------------------------------

static char *trim(char *text) {
  while (isspace((unsigned char)*text))
    text++;
  size_t length = strlen(text);
  while (length && isspace((unsigned char)text[length - 1]))
    text[--length] = '\0';
  return text;
}

static void split_operands(Statement *statement, char *text) {
  int depth = 0;
  for (char *start = text, *at = text;; at++) {
    if (*at == '[' || *at == '{' || *at == '(') depth++;
    if (*at == ']' || *at == '}' || *at == ')') depth--;
    bool is_end = *at == '\0';
    if (!is_end && !(*at == ',' && depth == 0)) continue;
    *at = '\0';
    char *operand = trim(start);
    if (*operand && statement->operand_count < OPERAND_LIMIT)
      statement->operands[statement->operand_count++] = operand;
    if (is_end) return;
    start = at + 1;
  }
}

static void read_statement(AsmText *text, char *part) {
  part = trim(part);
  Statement statement = {0};
  char *colon = strchr(part, ':');
  if (colon && colon[1] != ':') { // a label: a place to jump to
    statement.opcode = "label";
    statement.is_predicated = true;
    if (text->count < STATEMENT_LIMIT) text->statements[text->count++] = statement;
    part = trim(colon + 1);
    statement = (Statement){0};
  }
  if (*part == '\0') return;
  if (*part == '@') {
    statement.is_predicated = true;
    while (*part && !isspace((unsigned char)*part))
      part++;
    part = trim(part);
  }
  char *end = part;
  while (*end && !isspace((unsigned char)*end))
    end++;
  if (*end) *end++ = '\0';
  statement.opcode = part;
  split_operands(&statement, end);
  text->is_cut |= text->count == STATEMENT_LIMIT;
  if (text->count < STATEMENT_LIMIT) text->statements[text->count++] = statement;
}

// Comments become spaces; braces that open and close scopes vanish, those of vector operands stay.
static void clean(char *text) {
  bool starts_statement = true;
  for (char *at = text; *at; at++) {
    if (str_starts_with(at, "//"))
      while (*at && *at != '\n')
        *at++ = ' ';
    if (str_starts_with(at, "/*"))
      while (*at && !str_starts_with(at, "*/"))
        *at++ = ' ';
    if (!*at) return;
    if (str_starts_with(at, "*/")) at[0] = at[1] = ' ';
    if ((*at == '{' && starts_statement) || (*at == '}' && starts_statement)) *at = ' ';
    if (*at == ';')
      starts_statement = true;
    else if (!isspace((unsigned char)*at))
      starts_statement = false;
  }
}

static AsmText *read_asm(const char *source, size_t length, Arena *scratch) {
  AsmText *text = arena_new(scratch, AsmText);
  text->scratch = scratch;
  char *copy = arena_strndup(scratch, source, length);
  clean(copy);
  for (char *part = copy; part;) {
    char *end = strchr(part, ';');
    if (end) *end = '\0';
    read_statement(text, part);
    part = end ? end + 1 : NULL;
  }
  return text;
}

static bool has_part(const char *opcode, const char *part) { // ".gpu" in "ld.acquire.gpu.u32"
  size_t length = strlen(part);
  for (const char *at = strstr(opcode, part); at; at = strstr(at + 1, part))
    if (at[length] == '\0' || at[length] == '.' || at[length] == ':') return true;
  return false;
}

static bool is_op(const char *opcode, const char *name) {
  size_t length = strlen(name);
  return strncmp(opcode, name, length) == 0 && (opcode[length] == '\0' || opcode[length] == '.');
}

static bool is_one_of(const char *opcode, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is_op(opcode, names[i])) return true;
  return false;
}

static bool only_computes(const Statement *statement) {
  static const char *const names[] = {
      ".reg",     "mov",   "add",   "addc", "sub",   "subc",  "mul",   "mul24",    "mad",       "madc",
      "mad24",    "div",   "rem",   "abs",  "neg",   "min",   "max",   "popc",     "clz",       "bfind",
      "fns",      "brev",  "bfe",   "bfi",  "szext", "bmsk",  "dp4a",  "dp2a",     "sad",       "fma",
      "rcp",      "sqrt",  "rsqrt", "sin",  "cos",   "lg2",   "ex2",   "tanh",     "testp",     "copysign",
      "set",      "setp",  "selp",  "slct", "and",   "or",    "xor",   "not",      "cnot",      "lop3",
      "shf",      "shl",   "shr",   "cvt",  "cvta",  "prmt",  "pack",  "isspacep", "vadd",      "vsub",
      "vabsdiff", "vmin",  "vmax",  "vset", "vadd2", "vadd4", "vsub2", "vsub4",    "vabsdiff2", "vabsdiff4",
      "vmin4",    "vmax4", "vset4", "mapa"};
  return is_one_of(statement->opcode, names, sizeof names / sizeof *names);
}

static bool has_no_effect_here(const Statement *statement) {
  static const char *const names[] = {"prefetch", "prefetchu", "nanosleep",    "pmevent",
                                      "brkpt",    "discard",   "applypriority"};
  return is_one_of(statement->opcode, names, sizeof names / sizeof *names);
}

// ---- operands -------------------------------------------------------------------------------------------

typedef struct AsmCall {
  Lower *lower;
  LLVMValueRef call;
  uint32_t outputs, inputs;
  int tied[CONSTRAINT_LIMIT]; // input -> the output it starts as, or -1
  bool is_plain;              // no operands in memory
  LLVMTypeRef result;
} AsmCall;

static void read_constraints(AsmCall *site, const char *text, size_t length) {
  site->is_plain = true;
  const char *end = text + length;
  for (const char *at = text; at < end;) {
    const char *stop = memchr(at, ',', (size_t)(end - at));
    if (!stop) stop = end;
    if (memchr(at, '*', (size_t)(stop - at))) site->is_plain = false;
    if (*at == '=') {
      site->outputs++;
    } else if (*at != '~' && site->inputs < CONSTRAINT_LIMIT) {
      site->tied[site->inputs++] = isdigit((unsigned char)*at) ? atoi(at) : -1;
    }
    at = stop + 1;
  }
}

// The number in "$3" or "${3:x}", -1 if it is something else.
static int operand_number(const char *text) {
  if (text[0] != '$') return -1;
  text += text[1] == '{' ? 2 : 1;
  return isdigit((unsigned char)*text) ? atoi(text) : -1;
}

static LLVMValueRef input_value(const AsmCall *site, const char *text) {
  int number = operand_number(text);
  if (number < 0) return NULL;
  uint32_t index = (uint32_t)number;
  if (index >= site->outputs)
    return index - site->outputs < site->inputs ? LLVMGetOperand(site->call, index - site->outputs) : NULL;
  for (uint32_t i = 0; i < site->inputs; i++)
    if (site->tied[i] == number) return LLVMGetOperand(site->call, i);
  return NULL;
}

// A register operand or a number; 0 if neither.
static IrRef input_ref(const AsmCall *site, const char *text, uint8_t bits) {
  LLVMValueRef value = input_value(site, text);
  if (value) return lower_value(site->lower, value);
  char *end;
  long number = strtol(text, &end, 0);
  return end != text && (*end == '\0' || *end == 'U') ? emit_int(site->lower, bits, number) : 0;
}

// The pointer behind an address in a register: conversions to integers and address spaces are looked through.
static LLVMValueRef pointer_behind(LLVMValueRef value) {
  for (int depth = 0; depth < 8 && LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind; depth++) {
    bool is_cast = LLVMIsACastInst(value) || LLVMIsACallInst(value);
    if (LLVMIsACallInst(value) && !strstr(value_name(LLVMGetCalledValue(value)), "__cvta_generic_to"))
      return NULL;
    if (!is_cast) return NULL;
    value = LLVMGetOperand(value, 0);
  }
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind ? value : NULL;
}

static uint8_t space_of(const char *opcode) {
  if (strstr(opcode, ".shared")) return IR_SPACE_SHARED;
  if (has_part(opcode, ".global")) return IR_SPACE_GLOBAL;
  return IR_SPACE_GENERIC;
}

static IrRef address_ref(const AsmCall *site, const char *text, uint8_t space) {
  if (*text != '[') return 0;
  LLVMValueRef value = input_value(site, text + 1);
  if (!value) return 0;
  LLVMValueRef pointer = pointer_behind(value);
  IrRef base = lower_value(site->lower, pointer ? pointer : value);
  IrType type = pointer ? lower_type(site->lower, LLVMTypeOf(pointer)) : ir_type_ptr(space);
  if (!pointer) {
    uint8_t bits = lower_type(site->lower, LLVMTypeOf(value)).bits;
    if (bits < 64) base = emit_op(site->lower, IR_ZEXT, ir_type_int(64), 1, &base);
    base = emit_op(site->lower, IR_INTTOPTR, type, 1, &base);
  }
  const char *plus = strchr(text, '+');
  long offset = plus ? strtol(plus + 1, NULL, 0) : 0;
  if (offset == 0) return base;
  IrRef ops[] = {base, emit_int(site->lower, 64, offset)};
  return emit(site->lower, (IrInst){.op = IR_PTRADD, .type = type, .flags = IR_FLAG_ADDRESS}, 2, ops);
}

// ---- suffixes -------------------------------------------------------------------------------------------

typedef struct Suffix {
  const char *text;
  uint8_t value;
} Suffix;

static uint8_t suffix_value(const char *opcode, const Suffix *table, size_t count, uint8_t otherwise) {
  for (size_t i = 0; i < count; i++)
    if (has_part(opcode, table[i].text)) return table[i].value;
  return otherwise;
}
#define SUFFIX_VALUE(opcode, table, otherwise)                                                               \
  suffix_value((opcode), (table), sizeof(table) / sizeof *(table), (otherwise))

static uint8_t scope_of(const char *opcode, uint8_t otherwise) {
  static const Suffix table[] = {{".cta", IR_SCOPE_BLOCK},
                                 {".cluster", IR_SCOPE_CLUSTER},
                                 {".gpu", IR_SCOPE_DEVICE},
                                 {".gl", IR_SCOPE_DEVICE},
                                 {".sys", IR_SCOPE_SYSTEM}};
  return SUFFIX_VALUE(opcode, table, otherwise);
}

static uint8_t order_of(const char *opcode, uint8_t otherwise) {
  static const Suffix table[] = {{".volatile", IR_ORDER_VOLATILE}, {".relaxed", IR_ORDER_RELAXED},
                                 {".acquire", IR_ORDER_ACQUIRE},   {".release", IR_ORDER_RELEASE},
                                 {".acq_rel", IR_ORDER_ACQ_REL},   {".sc", IR_ORDER_SEQ_CST}};
  return SUFFIX_VALUE(opcode, table, otherwise);
}

// Bits of one element, from the type suffix; 0 if there is none that is known.
static uint8_t width_of(const char *opcode) {
  static const Suffix table[] = {{".b8", 8},   {".u8", 8},   {".s8", 8},   {".b16", 16}, {".u16", 16},
                                 {".s16", 16}, {".f16", 16}, {".b32", 32}, {".u32", 32}, {".s32", 32},
                                 {".f32", 32}, {".b64", 64}, {".u64", 64}, {".s64", 64}, {".f64", 64}};
  return SUFFIX_VALUE(opcode, table, 0);
}

static bool is_signed_type(const char *opcode) {
  return has_part(opcode, ".s8") || has_part(opcode, ".s16") || has_part(opcode, ".s32") ||
         has_part(opcode, ".s64");
}

static bool is_float_type(const char *opcode) {
  return has_part(opcode, ".f32") || has_part(opcode, ".f64");
}

static uint32_t vector_size(const char *opcode) {
  return has_part(opcode, ".v4") ? 4 : has_part(opcode, ".v2") ? 2 : 1;
}

// ---- values between registers and memory ----------------------------------------------------------------

// `value` of `bits` bits in memory as the type of a register.
static IrRef to_register(Lower *lower, IrRef value, uint8_t bits, bool is_signed, IrType type) {
  if (type.kind == IR_INT && type.bits == bits) return value;
  if (type.kind == IR_FLOAT && type.bits == bits) return emit_op(lower, IR_BITCAST, type, 1, &value);
  if (type.kind == IR_PTR && bits == 64) return emit_op(lower, IR_INTTOPTR, type, 1, &value);
  if (type.kind == IR_INT && type.bits > bits)
    return emit_op(lower, is_signed ? IR_SEXT : IR_ZEXT, type, 1, &value);
  if (type.kind == IR_INT) return emit_op(lower, IR_TRUNC, type, 1, &value);
  return emit_undef(lower, type);
}

static IrRef from_register(Lower *lower, LLVMValueRef value, uint8_t bits) {
  IrType type = lower_type(lower, LLVMTypeOf(value));
  IrRef ref = lower_value(lower, value);
  if (type.kind == IR_FLOAT && type.bits == bits) return ref;
  if (type.kind == IR_PTR && bits == 64) return ref;
  if (type.kind != IR_INT) return 0;
  if (type.bits == bits) return ref;
  return emit_op(lower, type.bits > bits ? IR_TRUNC : IR_ZEXT, ir_type_int(bits), 1, &ref);
}

// Registers of "{$0, $1}" or "$0".
static uint32_t register_list(const char *text, const char **registers, uint32_t limit, Arena *scratch) {
  char *copy = arena_strdup(scratch, text);
  uint32_t count = 0;
  for (char *at = copy; *at; at++)
    if (*at == '{' || *at == '}' || *at == ',') *at = ' ';
  for (char *at = trim(copy); *at && count < limit;) {
    registers[count++] = at;
    while (*at && !isspace((unsigned char)*at))
      at++;
    if (*at) *at++ = '\0';
    at = trim(at);
  }
  return count;
}

static LLVMTypeRef output_type(const AsmCall *site, uint32_t index) {
  return site->outputs == 1 ? site->result : LLVMStructGetTypeAtIndex(site->result, index);
}

static IrRef set_output(const AsmCall *site, IrRef whole, uint32_t index, IrRef value) {
  if (site->outputs == 1) return value;
  uint32_t offset = (uint32_t)LLVMOffsetOfElement(site->lower->layout, site->result, index);
  return emit_insert(site->lower, whole, value, offset, lower_type(site->lower, site->result));
}

static bool lower_asm_load(const AsmCall *site, const Statement *statement) {
  Lower *lower = site->lower;
  const char *registers[4];
  uint32_t size = vector_size(statement->opcode);
  uint8_t bits = width_of(statement->opcode);
  if (statement->operand_count != 2 || bits == 0) return false;
  if (register_list(statement->operands[0], registers, 4, lower->scratch) != size) return false;
  IrRef address = address_ref(site, statement->operands[1], space_of(statement->opcode));
  if (!address) return false;
  bool is_hinted = has_part(statement->opcode, ".nc");
  IrInst inst = {.op = IR_LOAD,
                 .order = order_of(statement->opcode, IR_ORDER_PLAIN),
                 .flags = is_hinted ? IR_FLAG_READONLY : 0};
  if (inst.order != IR_ORDER_PLAIN) inst.scope = scope_of(statement->opcode, IR_SCOPE_SYSTEM);
  inst.type = size == 1 ? ir_type_int(bits) : ir_type_bytes(size * bits / 8);
  IrRef loaded = emit(lower, inst, 1, &address);
  IrRef result = emit_undef(lower, lower_type(lower, site->result));
  for (uint32_t i = 0; i < size; i++) {
    int number = operand_number(registers[i]);
    if (number < 0 || (uint32_t)number >= site->outputs) return false;
    IrRef piece = size == 1 ? loaded : emit_extract(lower, loaded, i * bits / 8, ir_type_int(bits));
    IrType type = lower_type(lower, output_type(site, (uint32_t)number));
    piece = to_register(lower, piece, bits, is_signed_type(statement->opcode), type);
    result = set_output(site, result, (uint32_t)number, piece);
  }
  lower_set(lower, site->call, result);
  return true;
}

static bool lower_asm_store(const AsmCall *site, const Statement *statement) {
  Lower *lower = site->lower;
  const char *registers[4];
  uint32_t size = vector_size(statement->opcode);
  uint8_t bits = width_of(statement->opcode);
  if (statement->operand_count != 2 || bits == 0) return false;
  if (register_list(statement->operands[1], registers, 4, lower->scratch) != size) return false;
  IrType whole = ir_type_bytes(size * bits / 8);
  IrRef stored = size > 1 ? emit_undef(lower, whole) : 0;
  for (uint32_t i = 0; i < size; i++) {
    LLVMValueRef value = input_value(site, registers[i]);
    IrRef piece = value ? from_register(lower, value, bits) : input_ref(site, registers[i], bits);
    if (!piece) return false;
    stored = size > 1 ? emit_insert(lower, stored, piece, i * bits / 8, whole) : piece;
  }
  IrRef address = address_ref(site, statement->operands[0], space_of(statement->opcode));
  if (!address) return false;
  IrInst inst = {.op = IR_STORE, .order = order_of(statement->opcode, IR_ORDER_PLAIN)};
  if (inst.order != IR_ORDER_PLAIN) inst.scope = scope_of(statement->opcode, IR_SCOPE_SYSTEM);
  emit(lower, inst, 2, (IrRef[]){address, stored});
  return true;
}

static uint8_t rmw_of(const char *opcode) {
  static const Suffix table[] = {{".add", IR_RMW_ADD}, {".inc", IR_RMW_INC}, {".dec", IR_RMW_DEC},
                                 {".min", IR_RMW_MIN}, {".max", IR_RMW_MAX}, {".and", IR_RMW_AND},
                                 {".or", IR_RMW_OR},   {".xor", IR_RMW_XOR}, {".exch", IR_RMW_XCHG}};
  uint8_t rmw = SUFFIX_VALUE(opcode, table, IR_RMW_NONE);
  if (is_float_type(opcode)) return rmw == IR_RMW_ADD ? IR_RMW_FADD : IR_RMW_NONE;
  if (rmw == IR_RMW_MIN && !is_signed_type(opcode)) return IR_RMW_UMIN;
  if (rmw == IR_RMW_MAX && !is_signed_type(opcode)) return IR_RMW_UMAX;
  return rmw;
}

// atom d, [a], b (, c) and red [a], b.
static bool lower_asm_atomic(const AsmCall *site, const Statement *statement) {
  Lower *lower = site->lower;
  const char *opcode = statement->opcode;
  bool has_result = is_op(opcode, "atom"), is_cas = has_part(opcode, ".cas");
  uint8_t bits = width_of(opcode), rmw = rmw_of(opcode);
  const char *const *operands = statement->operands + (has_result ? 1 : 0);
  uint32_t values = is_cas ? 2 : 1;
  if (statement->operand_count != (has_result ? 2 : 1) + values || bits == 0) return false;
  if ((!is_cas && rmw == IR_RMW_NONE) || vector_size(opcode) > 1) return false;
  if (has_result && (site->outputs != 1 || operand_number(statement->operands[0]) != 0)) return false;
  IrRef ops[3] = {address_ref(site, operands[0], space_of(opcode))};
  for (uint32_t i = 1; i <= values; i++)
    ops[i] = input_ref(site, operands[i], bits);
  if (!ops[0] || !ops[1] || (is_cas && !ops[2])) return false;
  IrInst inst = {.op = is_cas ? IR_CMPXCHG : IR_ATOMICRMW, .rmw = is_cas ? 0 : rmw};
  inst.type = is_float_type(opcode) ? ir_type_float(bits) : ir_type_int(bits);
  inst.order = order_of(opcode, IR_ORDER_RELAXED);
  inst.scope = scope_of(opcode, IR_SCOPE_DEVICE);
  IrRef old = emit(lower, inst, 1 + values, ops);
  if (!has_result) return true;
  IrType type = lower_type(lower, site->result);
  bool is_same = type.kind == inst.type.kind && type.bits == inst.type.bits;
  lower_set(lower, site->call, is_same ? old : to_register(lower, old, bits, false, type));
  return true;
}

// ---- synchronisation ------------------------------------------------------------------------------------

static bool lower_asm_barrier(const AsmCall *site, const Statement *statement) {
  Lower *lower = site->lower;
  const char *opcode = statement->opcode;
  IrInst inst = {.op = IR_BARRIER, .scope = IR_SCOPE_BLOCK, .imm = IR_BARRIER_SYNC};
  IrRef ops[2] = {0};
  for (uint32_t i = 0; i < statement->operand_count && i < 2; i++)
    ops[i] = input_ref(site, statement->operands[i], 32);
  if (has_part(opcode, ".warp")) {
    inst.scope = IR_SCOPE_WARP;
    if (statement->operand_count != 1 || !ops[0]) return false;
    emit(lower, inst, 1, ops);
    return true;
  }
  if (has_part(opcode, ".red") || has_part(opcode, ".cluster")) return false;
  bool is_arrive = has_part(opcode, ".arrive");
  if (!is_arrive && statement->operand_count <= 1) {
    emit(lower, inst, 0, NULL);
    return true;
  }
  if (statement->operand_count != 2 || !ops[0] || !ops[1]) return false;
  inst.imm = is_arrive ? IR_BARRIER_NAMED_ARRIVE : IR_BARRIER_NAMED;
  emit(lower, inst, 2, ops);
  return true;
}

static bool lower_asm_fence(const AsmCall *site, const Statement *statement) {
  const char *opcode = statement->opcode;
  if (has_part(opcode, ".proxy") || strstr(opcode, "mbarrier_init")) return false;
  IrInst inst = {.op = IR_FENCE};
  inst.order = order_of(opcode, is_op(opcode, "membar") ? IR_ORDER_SEQ_CST : IR_ORDER_ACQ_REL);
  inst.scope = scope_of(opcode, IR_SCOPE_THREAD);
  emit(site->lower, inst, 0, NULL);
  return true;
}

static bool lower_asm_async(const AsmCall *site, const Statement *statement) {
  Lower *lower = site->lower;
  const char *opcode = statement->opcode;
  int64_t number;
  if (has_part(opcode, ".bulk") || has_part(opcode, ".mbarrier")) return false;
  if (has_part(opcode, ".commit_group")) {
    emit(lower, (IrInst){.op = IR_ASYNCCOMMIT}, 0, NULL);
    return true;
  }
  if (has_part(opcode, ".wait_all") || has_part(opcode, ".wait_group")) {
    // Of all copies, in a group or not.
    if (has_part(opcode, ".wait_all")) emit(lower, (IrInst){.op = IR_ASYNCCOMMIT}, 0, NULL);
    IrRef left =
        statement->operand_count ? input_ref(site, statement->operands[0], 32) : emit_int(lower, 32, 0);
    if (!left || !ir_const_value(lower->function, left, &number)) return false;
    emit(lower, (IrInst){.op = IR_ASYNCWAIT, .imm = number}, 0, NULL);
    return true;
  }
  if (statement->operand_count < 3) return false;
  IrRef size = input_ref(site, statement->operands[2], 64);
  if (!size || !ir_const_value(lower->function, size, &number)) return false;
  IrRef ops[] = {address_ref(site, statement->operands[0], IR_SPACE_SHARED),
                 address_ref(site, statement->operands[1], IR_SPACE_GLOBAL), emit_int(lower, 64, number)};
  if (!ops[0] || !ops[1]) return false;
  emit_op(lower, IR_ASYNCCOPY, ir_type_void(), 3, ops);
  return true;
}

static bool lower_asm_vote(const AsmCall *site, const Statement *statement) {
  Lower *lower = site->lower;
  IrInst inst = {.op = IR_VOTE, .scope = IR_SCOPE_WARP, .type = lower_type(lower, site->result)};
  if (site->outputs != 1 || inst.type.kind != IR_INT || !is_op(statement->opcode, "activemask")) return false;
  inst.name = "activemask";
  lower_set(lower, site->call, emit(lower, inst, 0, NULL));
  return true;
}

// ---- special registers ----------------------------------------------------------------------------------

static uint8_t sreg_of(const char *name) {
  static const Suffix table[] = {
      {"%tid.x", IR_SREG_TID_X},       {"%tid.y", IR_SREG_TID_Y},       {"%tid.z", IR_SREG_TID_Z},
      {"%ntid.x", IR_SREG_NTID_X},     {"%ntid.y", IR_SREG_NTID_Y},     {"%ntid.z", IR_SREG_NTID_Z},
      {"%ctaid.x", IR_SREG_CTAID_X},   {"%ctaid.y", IR_SREG_CTAID_Y},   {"%ctaid.z", IR_SREG_CTAID_Z},
      {"%nctaid.x", IR_SREG_NCTAID_X}, {"%nctaid.y", IR_SREG_NCTAID_Y}, {"%nctaid.z", IR_SREG_NCTAID_Z},
      {"%laneid", IR_SREG_LANEID},     {"%warpid", IR_SREG_WARPID},     {"%clock", IR_SREG_CLOCK},
      {"%clock64", IR_SREG_CLOCK},     {"%globaltimer", IR_SREG_CLOCK}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(name, table[i].text) == 0) return table[i].value;
  return IR_SREG_OTHER;
}

static bool reads_register(const Statement *statement, const char **name) {
  if (!is_op(statement->opcode, "mov") || statement->operand_count != 2) return false;
  const char *source = statement->operands[1];
  while (*source == '%' && source[1] == '%')
    source++;
  *name = source;
  return *source == '%' && operand_number(statement->operands[0]) == 0;
}

static bool str_has_prefix_of(const char *operand, const char *name, size_t length) {
  const char *percent = strchr(operand, '%');
  return percent && strncmp(percent, name, length) == 0;
}

// Registers that the text declares itself: ".reg .u32 %r<3>, t".
static bool is_declared(const AsmText *text, const char *name) {
  size_t length = strcspn(name, "0123456789.");
  for (uint32_t i = 0; i < text->count; i++) {
    const Statement *statement = &text->statements[i];
    for (uint32_t k = 0; is_op(statement->opcode, ".reg") && k < statement->operand_count; k++)
      if (strstr(statement->operands[k], name) || (length > 1 && strstr(statement->operands[k], "<") &&
                                                   str_has_prefix_of(statement->operands[k], name, length)))
        return true;
  }
  return false;
}

// "%laneid" and the like differ between threads, so text that reads one is no function of its operands.
static bool reads_special(const AsmText *text) {
  for (uint32_t i = 0; i < text->count; i++)
    for (uint32_t k = 1; k < text->statements[i].operand_count; k++) {
      const char *operand = text->statements[i].operands[k];
      if (strchr(operand, '%') && !is_op(text->statements[i].opcode, ".reg") &&
          !is_declared(text, strchr(operand, '%')))
        return true;
    }
  return false;
}

static bool lower_asm_register(const AsmCall *site, const char *name) {
  IrInst inst = {
      .op = IR_SREG, .type = lower_type(site->lower, site->result), .imm = sreg_of(name), .name = name};
  if (site->outputs != 1 || inst.type.kind != IR_INT) return false;
  lower_set(site->lower, site->call, emit(site->lower, inst, 0, NULL));
  return true;
}

// ---- all together ---------------------------------------------------------------------------------------

static const char *asm_string(LLVMValueRef text, size_t *length) {
  return LLVMGetInlineAsmAsmString(text, length);
}

bool asm_exits(LLVMValueRef text) {
  size_t length = 0;
  const char *string = asm_string(text, &length);
  return length >= 4 && memcmp(string, "exit", 4) == 0;
}

bool asm_stops(LLVMValueRef text) {
  size_t length = 0;
  const char *string = asm_string(text, &length);
  return asm_exits(text) || (length >= 4 && memcmp(string, "trap", 4) == 0);
}

static bool asm_result_is_open(const AsmCall *site) {
  IrType type = lower_type(site->lower, site->result);
  if (type.kind != IR_VOID) lower_set(site->lower, site->call, emit_op(site->lower, IR_UNDEF, type, 0, NULL));
  return true;
}

// Operations of tensor cores: what comes back depends on other lanes. ldmatrix reads and stmatrix writes rows
// of 16 bytes at the addresses that the lanes give.
static bool lower_asm_matrix(const AsmCall *site, const Statement *statement) {
  Lower *lower = site->lower;
  bool is_load = is_op(statement->opcode, "ldmatrix"), is_store = is_op(statement->opcode, "stmatrix");
  IrType row = ir_type_bytes(16);
  if (is_load || is_store) {
    uint32_t place = is_load ? 1 : 0;
    IrRef address =
        statement->operand_count == 2 ? address_ref(site, statement->operands[place], IR_SPACE_SHARED) : 0;
    if (!address) return false;
    if (is_load)
      emit(lower, (IrInst){.op = IR_LOAD, .type = row}, 1, &address);
    else
      emit(lower, (IrInst){.op = IR_STORE}, 2, (IrRef[]){address, emit_op(lower, IR_UNDEF, row, 0, NULL)});
  }
  return asm_result_is_open(site);
}

static bool lower_known_asm(const AsmCall *site, const Statement *statement) {
  const char *opcode = statement->opcode, *name;
  if (has_part(opcode, ".async") && !str_starts_with(opcode, "cp.async")) return false;
  if (has_part(opcode, ".bulk") || str_starts_with(opcode, "multimem")) return false;
  static const char *const matrix[] = {"mma", "ldmatrix", "stmatrix", "movmatrix"};
  if (is_one_of(opcode, matrix, sizeof matrix / sizeof *matrix) && has_part(opcode, ".sync"))
    return lower_asm_matrix(site, statement);
  if (is_op(opcode, "bar") || is_op(opcode, "barrier")) return lower_asm_barrier(site, statement);
  if (is_op(opcode, "membar") || is_op(opcode, "fence")) return lower_asm_fence(site, statement);
  if (is_op(opcode, "ld") || is_op(opcode, "ldu")) return lower_asm_load(site, statement);
  if (is_op(opcode, "st")) return lower_asm_store(site, statement);
  if (is_op(opcode, "atom") || is_op(opcode, "red")) return lower_asm_atomic(site, statement);
  if (str_starts_with(opcode, "cp.async")) return lower_asm_async(site, statement);
  if (is_op(opcode, "activemask")) return lower_asm_vote(site, statement);
  if (has_no_effect_here(statement)) return true;
  return reads_register(statement, &name) && lower_asm_register(site, name);
}

static IrRef emit_asm(const AsmCall *site, IrOp op, const char *text) {
  Lower *lower = site->lower;
  uint32_t used = 0;
  IrRef *ops = arena_array(lower->scratch, site->inputs + 1, IrRef);
  for (uint32_t i = 0; i < site->inputs && i < LLVMGetNumArgOperands(site->call); i++) {
    IrRef ref = lower_value(lower, LLVMGetOperand(site->call, i));
    if (ref) ops[used++] = ref;
  }
  return emit(lower, (IrInst){.op = (uint8_t)op, .type = lower_type(lower, site->result), .name = text}, used,
              ops);
}

static bool all_compute(const AsmText *text) {
  const char *name;
  for (uint32_t i = 0; i < text->count; i++)
    if (!only_computes(&text->statements[i]) || reads_register(&text->statements[i], &name) ||
        strcmp(text->statements[i].opcode, "label") == 0)
      return false;
  return !text->is_cut;
}

void lower_asm(Lower *lower, LLVMValueRef call) {
  LLVMValueRef source = LLVMGetCalledValue(call);
  size_t length = 0, constraint_length = 0;
  const char *string = asm_string(source, &length);
  const char *constraints = LLVMGetInlineAsmConstraintString(source, &constraint_length);
  AsmCall site = {.lower = lower, .call = call, .result = LLVMTypeOf(call)};
  read_constraints(&site, constraints, constraint_length);
  AsmText *text = read_asm(string, length, lower->scratch);
  const char *shown = arena_strndup(lower->scratch, string, length);
  if (!lower->request->is_device || !site.is_plain) {
    bool is_empty = text->count == 0 && site.outputs == 0; // a barrier for the compiler alone
    if (!is_empty) lower_set(lower, call, emit_asm(&site, IR_ASM, shown));
    return;
  }
  bool has_result = lower_type(lower, site.result).kind != IR_VOID;
  if (all_compute(text) && reads_special(text)) {
    asm_result_is_open(&site);
    return;
  }
  if (all_compute(text)) {
    if (has_result) lower_set(lower, call, emit_asm(&site, IR_PURE, shown));
    return;
  }
  if (text->count == 1 && !text->statements[0].is_predicated && lower_known_asm(&site, &text->statements[0]))
    return;
  lower_set(lower, call, emit_asm(&site, IR_ASM, shown));
}
