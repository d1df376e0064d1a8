// What do the registers of a piece of inline PTX hold? Operands of the assembly by number, registers that the
// text declares by name, special registers, numbers; addresses by looking through the conversions that PTX
// code makes of them (a shared address is a 32-bit number there). What a register holds after a predicated
// statement is a select. Soundness: a name that is not known has no value, and then the statement is not
// understood. An address that was a pointer to shared memory and was cut to 32 bits is that pointer (PTX ISA,
// "State spaces": a shared window has 32-bit addresses).
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void asm_read_constraints(AsmRun *run, const char *text, size_t length) {
  ASSERT(run->lower);
  ASSERT(text);
  run->is_plain = true;
  const char *end = text + length;
  for (const char *at = text; at < end;) {
    const char *stop = memchr(at, ',', (size_t)(end - at));
    if (!stop) stop = end;
    if (memchr(at, '*', (size_t)(stop - at))) run->is_plain = false;
    if (*at == '=') {
      run->outputs++;
    } else if (*at != '~' && run->inputs < CONSTRAINT_LIMIT) {
      run->tied[run->inputs++] = isdigit((unsigned char)*at) ? atoi(at) : -1;
    }
    at = stop + 1;
  }
  if (run->outputs > CONSTRAINT_LIMIT) run->is_plain = false;
}

// ---- values

int asm_operand_number(const char *text) {
  ASSERT(text);
  if (text[0] != '$') return -1;
  bool is_braced = text[1] == '{';
  const char *digits = text + (is_braced ? 2 : 1);
  size_t count = strspn(digits, "0123456789");
  const char *end = digits + count;
  if (is_braced) end += strcspn(end, "}") + (strchr(end, '}') != NULL);
  return count && *end == '\0' ? atoi(digits) : -1;
}

static AsmValue input_value(AsmRun *run, uint32_t index) {
  LLVMValueRef value = LLVMGetOperand(run->call, index);
  IrRef ref = lower_value(run->lower, value);
  return (AsmValue){ref, lower_type(run->lower, LLVMTypeOf(value))};
}

static AsmValue numbered_value(AsmRun *run, uint32_t number) {
  if (number >= run->outputs)
    return number - run->outputs < run->inputs ? input_value(run, number - run->outputs) : (AsmValue){0};
  if (run->written[number].ref) return run->written[number];
  for (uint32_t i = 0; i < run->inputs; i++)
    if (run->tied[i] == (int)number) return input_value(run, i);
  return (AsmValue){0};
}

static uint8_t special_register(const char *name) {
  static const struct {
    const char *name;
    uint8_t sreg;
  } table[] = {
      {"%tid.x", IR_SREG_TID_X},          {"%tid.y", IR_SREG_TID_Y},         {"%tid.z", IR_SREG_TID_Z},
      {"%ntid.x", IR_SREG_NTID_X},        {"%ntid.y", IR_SREG_NTID_Y},       {"%ntid.z", IR_SREG_NTID_Z},
      {"%ctaid.x", IR_SREG_CTAID_X},      {"%ctaid.y", IR_SREG_CTAID_Y},     {"%ctaid.z", IR_SREG_CTAID_Z},
      {"%nctaid.x", IR_SREG_NCTAID_X},    {"%nctaid.y", IR_SREG_NCTAID_Y},   {"%nctaid.z", IR_SREG_NCTAID_Z},
      {"%laneid", IR_SREG_LANEID},        {"%warpid", IR_SREG_WARPID},       {"%clock", IR_SREG_CLOCK},
      {"%clock64", IR_SREG_CLOCK},        {"%clock_hi", IR_SREG_CLOCK},      {"%globaltimer", IR_SREG_CLOCK},
      {"%globaltimer_lo", IR_SREG_CLOCK}, {"%globaltimer_hi", IR_SREG_CLOCK}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(name, table[i].name) == 0) return table[i].sreg;
  return IR_SREG_OTHER;
}

static AsmValue sreg_value(AsmRun *run, const char *name, uint8_t bits) {
  IrType type = ir_type_int(bits == 64 ? 64 : 32);
  IrRef number = type.bits == 32 ? lower_cluster_number(run->lower, name + 1) : 0;
  if (!number && type.bits == 32) number = lower_lane_mask(run->lower, name + 1);
  if (number) return (AsmValue){number, type};
  IrInst inst = {.op = IR_SREG, .type = type, .imm = special_register(name), .name = name};
  return (AsmValue){emit(run->lower, inst, 0, NULL), type};
}

AsmRegister *asm_register(const AsmRun *run, const char *name) {
  ASSERT(run->lower);
  ASSERT(name);
  for (uint32_t i = run->registers.count; i > 0; i--)
    if (strcmp(run->registers.items[i - 1].name, name) == 0) return &run->registers.items[i - 1];
  return NULL;
}

// "12", "-1", "0x20", "32U", "0f3f800000", "0d3ff0000000000000".
static AsmValue number_value(AsmRun *run, const char *text, uint8_t bits) {
  char *end;
  bool is_single = text[0] == '0' && (text[1] == 'f' || text[1] == 'F');
  bool is_double = text[0] == '0' && (text[1] == 'd' || text[1] == 'D');
  bool has_bits = is_single || is_double; // strtoull takes a sign and all 64 bits
  long long number = (long long)strtoull(text + (has_bits ? 2 : 0), &end, has_bits ? 16 : 0);
  if (end == text || (*end && strcmp(end, "U") != 0)) return (AsmValue){0};
  IrType type = ir_type_int(is_single ? 32 : is_double ? 64 : bits ? bits : 32);
  return (AsmValue){emit_int(run->lower, type.bits, number), type};
}

AsmValue asm_value(AsmRun *run, const char *text, uint8_t bits) {
  ASSERT(run->lower);
  ASSERT(text);
  ASSERT(bits > 0);
  int number = asm_operand_number(text);
  if (number >= 0) return numbered_value(run, (uint32_t)number);
  AsmRegister *known = asm_register(run, text);
  if (known) return known->value;
  while (text[0] == '%' && text[1] == '%')
    text++;
  if (*text == '%') return sreg_value(run, text, bits);
  if (strcmp(text, "WARP_SZ") == 0) return number_value(run, "32", bits);
  return number_value(run, text, bits);
}

IrRef asm_as_int(AsmRun *run, AsmValue value, uint8_t bits, bool is_signed) {
  ASSERT(run->lower);
  ASSERT(bits > 0);
  Lower *lower = run->lower;
  IrRef ref = value.ref;
  int64_t number;
  if (!ref) return 0;
  if (value.type.kind == IR_INT && value.type.bits != bits && ir_const_value(lower->function, ref, &number)) {
    bool is_widened = value.type.bits < bits && (!is_signed || value.type.bits == 1);
    return emit_int(lower, bits,
                    is_widened ? number & (int64_t)((UINT64_C(1) << value.type.bits) - 1) : number);
  }
  if (value.type.kind == IR_FLOAT) ref = emit_op(lower, IR_BITCAST, ir_type_int(value.type.bits), 1, &ref);
  if (value.type.kind == IR_PTR) ref = emit_op(lower, IR_PTRTOINT, ir_type_int(64), 1, &ref);
  if (value.type.kind == IR_BYTES || value.type.kind == IR_VOID) return 0;
  if (value.type.bits == bits) return ref;
  IrOp op = value.type.bits > bits ? IR_TRUNC : is_signed && value.type.bits > 1 ? IR_SEXT : IR_ZEXT;
  return emit_op(lower, op, ir_type_int(bits), 1, &ref);
}

IrRef asm_as_float(AsmRun *run, AsmValue value, uint8_t bits) {
  ASSERT(run->lower);
  ASSERT(bits > 0);
  if (value.type.kind == IR_FLOAT && value.type.bits == bits) return value.ref;
  if (value.type.kind != IR_INT || value.type.bits != bits) return 0;
  return emit_op(run->lower, IR_BITCAST, ir_type_float(bits), 1, &value.ref);
}

IrRef asm_int(AsmRun *run, const char *text, uint8_t bits, bool is_signed) {
  ASSERT(run->lower);
  ASSERT(text);
  ASSERT(bits > 0);
  return asm_as_int(run, asm_value(run, text, bits), bits, is_signed);
}

IrRef asm_two(AsmRun *run, IrOp op, uint8_t bits, IrRef a, IrRef b) {
  ASSERT(run->lower);
  ASSERT(bits > 0);
  return a && b ? emit_op(run->lower, op, ir_type_int(bits), 2, (IrRef[]){a, b}) : 0;
}

IrRef asm_truth(AsmRun *run, const char *text) {
  ASSERT(run->lower);
  ASSERT(text);
  Lower *lower = run->lower;
  bool is_negated = *text == '!';
  AsmValue value = asm_value(run, text + (is_negated ? 1 : 0), 32);
  if (!value.ref || value.type.kind != IR_INT) return 0;
  IrRef ref = value.ref;
  if (value.type.bits != 1) ref = emit_icmp(lower, IR_NE, ref, emit_int(lower, value.type.bits, 0));
  return is_negated ? emit_op(lower, IR_XOR, ir_type_int(1), 2, (IrRef[]){ref, emit_int(lower, 1, 1)}) : ref;
}

// ---- addresses

static bool is_pending(IrRef ref) {
  return (unsigned)ir_ref_kind(ref) == REF_PENDING;
}

// The pointer that a number was made of, with what was added to it since; 0 if there is none.
static IrRef pointer_behind(AsmRun *run, IrRef ref, int depth) {
  Lower *lower = run->lower;
  if (is_pending(ref) || depth == 0) return 0;
  if (ir_ref_type(lower->ir, lower->function, ref).kind == IR_PTR) return ref;
  const IrInst *inst = ir_inst(lower->function, ref);
  if (!inst) return 0;
  const IrInst made = *inst;
  if (made.op == IR_PTRTOINT || made.op == IR_TRUNC || made.op == IR_ZEXT || made.op == IR_BITCAST)
    return pointer_behind(run, made.ops[0], depth - 1);
  if (ir_is_mapa(&made)) {
    IrRef own = pointer_behind(run, made.ops[0], depth - 1);
    if (!own || is_pending(own) || is_pending(made.ops[1])) return 0;
    return emit_pure(lower, made.name, ir_type_ptr(IR_SPACE_GENERIC), 2, (IrRef[]){own, made.ops[1]});
  }
  if (made.op != IR_ADD) return 0;
  for (uint32_t i = 0; i < 2; i++) {
    IrRef base = pointer_behind(run, made.ops[i], depth - 1);
    if (!base || is_pending(base) || is_pending(made.ops[1 - i])) continue;
    IrRef offset = asm_as_int(run, (AsmValue){made.ops[1 - i], made.type}, 64, true);
    IrType type = ir_ref_type(lower->ir, lower->function, base);
    return emit(lower, (IrInst){.op = IR_PTRADD, .type = type, .flags = IR_FLAG_ADDRESS}, 2,
                (IrRef[]){base, offset});
  }
  return 0;
}

static AsmValue base_address(AsmRun *run, AsmValue value, uint8_t space) {
  Lower *lower = run->lower;
  if (!value.ref || value.type.kind == IR_PTR) return value;
  if (value.type.kind != IR_INT) return (AsmValue){0};
  IrRef pointer = pointer_behind(run, value.ref, 16);
  if (pointer) return (AsmValue){pointer, ir_ref_type(lower->ir, lower->function, pointer)};
  IrRef wide = asm_as_int(run, value, 64, false);
  IrType type = ir_type_ptr(space);
  return (AsmValue){emit_op(lower, IR_INTTOPTR, type, 1, &wide), type};
}

IrRef asm_guarded(AsmRun *run, IrRef address, IrType type) {
  ASSERT(run->lower);
  ASSERT(address);
  Lower *lower = run->lower;
  enum { WIDEST_ACCESS = 32 };
  if (!run->condition.ref) return address;
  IrInst room = {.op = IR_ALLOCA, .type = type, .imm = WIDEST_ACCESS, .name = "not accessed"};
  IrRef ops[] = {run->condition.ref, address, emit(lower, room, 0, NULL)};
  return emit_op(lower, IR_SELECT, type, 3, ops);
}

IrRef asm_address(AsmRun *run, const char *text, uint8_t space) {
  ASSERT(run->lower);
  ASSERT(text);
  if (*text != '[') return 0;
  char *inside = arena_strdup(run->lower->scratch, text + 1);
  inside[strcspn(inside, "]")] = '\0';
  char *plus = strpbrk(inside, "+-");
  const char *more = plus ? arena_strdup(run->lower->scratch, plus + (*plus == '+')) : NULL;
  if (plus) *plus = '\0';
  const char *names[2] = {0};
  if (asm_list(inside, names, 2, run->lower->scratch) != 1) return 0;
  AsmValue base = base_address(run, asm_value(run, names[0], 64), space);
  if (!base.ref) return 0;
  if (more) {
    if (asm_list(more, names, 2, run->lower->scratch) != 1) return 0;
    IrRef offset = asm_int(run, names[0], 64, true);
    if (!offset) return 0;
    base.ref = emit(run->lower, (IrInst){.op = IR_PTRADD, .type = base.type, .flags = IR_FLAG_ADDRESS}, 2,
                    (IrRef[]){base.ref, offset});
  }
  return asm_guarded(run, base.ref, base.type);
}

// ---- results

static LLVMTypeRef output_type(const AsmRun *run, uint32_t index) {
  return run->outputs == 1 ? run->result : LLVMStructGetTypeAtIndex(run->result, index);
}

static IrRef to_type(AsmRun *run, AsmValue value, IrType type, bool is_signed) {
  Lower *lower = run->lower;
  if (value.type.kind == type.kind && value.type.bits == type.bits) return value.ref;
  if (type.kind == IR_PTR && value.type.kind == IR_PTR)
    return emit_op(lower, IR_BITCAST, type, 1, &value.ref);
  if (type.kind == IR_FLOAT) {
    IrRef made = asm_as_float(run, value, type.bits);
    return made ? made : emit_undef(lower, type);
  }
  IrRef number = asm_as_int(run, value, type.kind == IR_PTR ? 64 : type.bits, is_signed);
  if (!number || (type.kind != IR_INT && type.kind != IR_PTR)) return emit_undef(lower, type);
  return type.kind == IR_PTR ? emit_op(lower, IR_INTTOPTR, type, 1, &number) : number;
}

// The new value, or what was there if the predicate does not hold.
static AsmValue chosen(AsmRun *run, AsmValue made, AsmValue before, bool is_signed) {
  if (!run->condition.ref) return made;
  Lower *lower = run->lower;
  IrRef old =
      before.ref ? to_type(run, before, made.type, is_signed) : emit_op(lower, IR_UNDEF, made.type, 0, NULL);
  IrRef ops[] = {run->condition.ref, made.ref, old};
  return (AsmValue){emit_op(lower, IR_SELECT, made.type, 3, ops), made.type};
}

bool asm_assign(AsmRun *run, const char *text, IrRef ref, IrType type, bool is_signed) {
  ASSERT(run->lower);
  ASSERT(text);
  int number = asm_operand_number(text);
  AsmValue value = {ref, type};
  if (strcmp(text, "_") == 0) return true;
  if (number >= 0) {
    if ((uint32_t)number >= run->outputs) return false;
    IrType wanted = lower_type(run->lower, output_type(run, (uint32_t)number));
    value = (AsmValue){to_type(run, value, wanted, is_signed), wanted};
    run->written[number] = chosen(run, value, numbered_value(run, (uint32_t)number), is_signed);
    return true;
  }
  AsmRegister *known = asm_register(run, text);
  value = chosen(run, value, known ? known->value : (AsmValue){0}, is_signed);
  if (known)
    known->value = value;
  else
    vec_push(run->lower->scratch, &run->registers, (AsmRegister){text, value});
  return true;
}

void asm_finish(AsmRun *run) {
  ASSERT(run->lower);
  Lower *lower = run->lower;
  IrType whole = lower_type(lower, run->result);
  if (whole.kind == IR_VOID) return;
  IrRef result = run->outputs == 1 ? 0 : emit_undef(lower, whole);
  for (uint32_t i = 0; i < run->outputs; i++) {
    IrType type = lower_type(lower, output_type(run, i));
    AsmValue value = numbered_value(run, i);
    IrRef piece = value.ref ? to_type(run, value, type, false) : emit_op(lower, IR_UNDEF, type, 0, NULL);
    if (run->outputs == 1) {
      result = piece;
      break;
    }
    result = emit_insert(lower, result, piece, (uint32_t)LLVMOffsetOfElement(lower->layout, run->result, i),
                         whole);
  }
  lower_set(lower, run->call, result);
}
