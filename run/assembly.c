// What becomes of PTX in line? A function: its parameters are what the text reads, its results what it writes, registers that the text declares lie in
// memory of its own, and a guard (@p) is a branch. It is put in place of the text, with the text's place in the source. An instruction is one of
// assembly_compute.c, or a function of the machine, by name: the opcode with what is no operand, and how many operands are read: "bar.sync 0;" and
// "bar.sync $0;" are asm_bar_sync_1, "mov.u32 $0, %laneid;" is asm_mov_u32_laneid_0.
// What is not read, such as labels or a register that is declared twice, makes the text one that cannot be run, and is told.
// SPDX-License-Identifier: Apache-2.0
#include "run/assembly.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- the text: statements, each a declaration or an instruction

static const char blanks[] = " \t\n\r";

static char *trimmed(char *text) {
  text += strspn(text, blanks);
  size_t length = strlen(text);
  while (length && strchr(blanks, text[length - 1]))
    text[--length] = '\0';
  return text;
}

// Comments become blanks, and so do braces that stand where a statement begins or ends: what they enclose has names of its own, which are
// not to be declared twice here.
static char *without_comments(Arena *arena, const char *given) {
  char *text = (char *)arena_strdup(arena, given);
  bool is_first = true;
  for (char *at = text; *at; at++) {
    char *end = NULL;
    if (at[0] == '/' && at[1] == '/') end = at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') end = (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (end) {
      memset(at, ' ', (size_t)(end - at));
      at = end - 1;
    } else if (is_first && (*at == '{' || *at == '}')) {
      *at = ' ';
    } else if (!strchr(blanks, *at)) {
      is_first = *at == ';';
    }
  }
  return text;
}

static const AsmRegister *register_of(const AsmBody *body, const char *name) {
  for (uint32_t i = 0; i < body->registers.count; i++)
    if (strcmp(body->registers.items[i].name, name) == 0) return &body->registers.items[i];
  return NULL;
}

static bool add_register(AsmBody *body, const char *name, LLVMTypeRef type) {
  Device *device = body->device;
  if (register_of(body, name)) return false;
  LLVMValueRef slot = LLVMBuildAlloca(device->builder, type, "");
  vec_push(device->arena, &body->registers, (AsmRegister){arena_strdup(device->arena, name), slot, type});
  return true;
}

// ".reg .u32 a, b;" and ".reg .u32 t<4>;", which are t0 to t3.
static bool declare(AsmBody *body, char *text) {
  LLVMContextRef context = body->device->context;
  text = trimmed(text + strlen(".reg"));
  size_t length = strcspn(text, blanks);
  if (!text[length]) return false;
  text[length] = '\0';
  unsigned bits = strcmp(text, ".pred") == 0 ? 1 : length > 2 ? (unsigned)strtoul(text + 2, NULL, 10) : 0;
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64) return false;
  LLVMTypeRef type = LLVMIntTypeInContext(context, bits);
  for (char *name = strtok(text + length + 1, ","); name; name = strtok(NULL, ",")) {
    name = trimmed(name);
    char *many = strchr(name, '<');
    unsigned long count = many ? strtoul(many + 1, NULL, 10) : 0;
    if (count > 256) return false;
    if (many) *many = '\0';
    if (!many && !add_register(body, name, type)) return false;
    for (unsigned long i = 0; i < count; i++)
      if (!add_register(body, arena_printf(body->device->arena, "%s%lu", name, i), type)) return false;
  }
  return true;
}

// Up to a comma outside of braces and brackets.
static char *operand_end(char *text) {
  int depth = 0;
  for (; *text && (*text != ',' || depth); text++)
    depth += (*text == '{' || *text == '[') - (*text == '}' || *text == ']');
  return text;
}

static bool has_label(const char *opcode) { // "L2::128B" has none
  const char *at = strchr(opcode, ':');
  while (at && at[1] == ':')
    at = strchr(at + 2, ':');
  return at != NULL;
}

static bool read_instruction(char *text, AsmInstruction *out) {
  *out = (AsmInstruction){.count = 0};
  if (*text == '@') {
    out->is_negated = text[1] == '!';
    out->guard = text + 1 + out->is_negated;
    text += strcspn(text, blanks);
    if (!*text) return false;
    *text++ = '\0';
    text = trimmed(text);
  }
  out->opcode = text;
  text += strcspn(text, blanks);
  if (strchr(out->opcode, '{') && strchr(out->opcode, '{') < text) return false;
  if (*text) *text++ = '\0';
  for (text = trimmed(text); *text;) {
    char *end = operand_end(text);
    bool is_last = !*end;
    *end = '\0';
    if (out->count == ASM_OPERANDS) return false;
    out->operands[out->count++] = trimmed(text);
    text = is_last ? end : trimmed(end + 1);
  }
  return *out->opcode && !has_label(out->opcode);
}

// ---- values

static LLVMTypeRef integer_like(const Device *device, LLVMTypeRef type) {
  return LLVMIntTypeInContext(device->context, (unsigned)LLVMSizeOfTypeInBits(device->layout, type));
}

static LLVMValueRef as_type(Device *device, LLVMValueRef value, LLVMTypeRef type, bool is_signed) {
  LLVMBuilderRef b = device->builder;
  LLVMTypeRef from = LLVMTypeOf(value);
  if (from == type) return value;
  LLVMValueRef bits = LLVMGetTypeKind(from) == LLVMPointerTypeKind
                          ? LLVMBuildPtrToInt(b, value, device->i64, "")
                          : LLVMBuildBitCast(b, value, integer_like(device, from), "");
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(b, LLVMBuildIntCast2(b, bits, device->i64, 0, ""), type, "");
  return LLVMBuildBitCast(b, LLVMBuildIntCast2(b, bits, integer_like(device, type), is_signed, ""), type, "");
}

static LLVMValueRef literal(Device *device, const char *text, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool is_float = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind;
  bool is_bits = text[0] == '0' && strchr("fFdD", text[1]) && text[1];
  char *end;
  if (is_bits) { // 0f3F800000
    uint64_t bits = strtoull(text + 2, &end, 16);
    LLVMTypeRef whole = tolower((unsigned char)text[1]) == 'f' ? device->i32 : device->i64;
    return *end ? NULL : as_type(device, LLVMConstInt(whole, bits, 0), type, false);
  }
  if (is_float) {
    double value = strtod(text, &end);
    return end == text || *end ? NULL : LLVMConstReal(type, value);
  }
  bool is_negative = text[0] == '-';
  uint64_t value = strtoull(text + is_negative, &end, 0);
  if (end == text + is_negative || (*end && strcmp(end, "U") != 0)) return NULL;
  return LLVMConstInt(type, is_negative ? 0 - value : value, 0);
}

// As it is, of the type that it has; NULL for literals.
static LLVMValueRef raw_value(AsmBody *body, const char *text) {
  const AsmRegister *found = register_of(body, text);
  if (found) return LLVMBuildLoad2(body->device->builder, found->type, found->slot, "");
  if (text[0] == '%') return library_register(body->device, text + 1);
  if (text[0] != '$') return NULL;
  char *end;
  unsigned long number = strtoul(text + 1, &end, 10) - body->results;
  return *end || number >= LLVMCountParams(body->function) ? NULL
                                                           : LLVMGetParam(body->function, (unsigned)number);
}

LLVMValueRef assembly_value(AsmBody *body, const char *text, LLVMTypeRef type) {
  ASSERT(body && body->function);
  ASSERT(text && type);
  LLVMValueRef value = raw_value(body, text);
  return value                                               ? as_type(body->device, value, type, false)
         : isdigit((unsigned char)text[0]) || text[0] == '-' ? literal(body->device, text, type)
                                                             : NULL;
}

bool assembly_set(AsmBody *body, const char *text, LLVMValueRef value, bool is_signed) {
  ASSERT(text && value);
  const AsmRegister *found = register_of(body, text);
  if (!found) return false;
  LLVMBuildStore(body->device->builder, as_type(body->device, value, found->type, is_signed), found->slot);
  return true;
}

// ---- an instruction that is a function of the machine

static void add_name(StrBuf *name, const char *text) {
  for (size_t i = 0; text[i]; i++) {
    bool is_word = isalnum((unsigned char)text[i]) || text[i] == '_',
         is_double = text[i] == ':' && i > 0 && text[i - 1] == ':';
    if (!is_double) strbuf_add_n(name, is_word ? &text[i] : "_", 1);
  }
}

typedef struct MachineCall {
  StrBuf name;
  LLVMValueRef arguments[ASM_OPERANDS];
  LLVMTypeRef types[ASM_OPERANDS];
  unsigned count;
} MachineCall;

// Floats as their bits, and what is narrower as 32 bits: so a name means one type.
static LLVMTypeRef passed_type(const Device *device, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return type;
  LLVMTypeRef bits = integer_like(device, type);
  return LLVMGetIntTypeWidth(bits) < 32 ? device->i32 : bits;
}

static bool add_argument(AsmBody *body, const char *text, MachineCall *call) {
  Device *device = body->device;
  size_t length = strlen(text);
  bool is_address = length > 2 && text[0] == '[' && text[length - 1] == ']';
  if (is_address) text = trimmed(arena_printf(device->arena, "%.*s", (int)length - 2, text + 1));
  if (text[0] == '%' && !register_of(body, text)) {
    strbuf_add(&call->name, "_");
    add_name(&call->name, text + 1);
    return true;
  }
  LLVMValueRef value = raw_value(body, text);
  if (!value) value = assembly_value(body, text, device->i32);
  if (!value) return false;
  value = as_type(device, value, passed_type(device, LLVMTypeOf(value)), false);
  call->types[call->count] = LLVMTypeOf(value);
  call->arguments[call->count++] = value;
  return true;
}

static bool call_machine(AsmBody *body, const AsmInstruction *instruction, bool has_result) {
  Device *device = body->device;
  MachineCall call = {.name = {.arena = device->arena}};
  const AsmRegister *result =
      has_result && instruction->count ? register_of(body, instruction->operands[0]) : NULL;
  if (has_result && !result) return false;
  strbuf_add(&call.name, "asm_");
  add_name(&call.name, instruction->opcode);
  for (unsigned i = has_result; i < instruction->count; i++)
    if (!add_argument(body, instruction->operands[i], &call)) return false;
  strbuf_printf(&call.name, "_%u", call.count);
  if (!library_has(device, strbuf_text(&call.name))) return false;
  const char *bound = arena_printf(device->arena, "%s%s", RT_LIBRARY_PREFIX, strbuf_text(&call.name));
  LLVMTypeRef type =
      LLVMFunctionType(result ? passed_type(device, result->type) : LLVMVoidTypeInContext(device->context),
                       call.types, call.count, 0);
  LLVMValueRef function = LLVMGetNamedFunction(device->module, bound);
  if (!function) function = LLVMAddFunction(device->module, bound, type);
  LLVMValueRef made = LLVMBuildCall2(device->builder, type, function, call.arguments, call.count, "");
  return !result || assembly_set(body, instruction->operands[0], made, false);
}

static bool make_instruction(AsmBody *body, const AsmInstruction *instruction) {
  return call_machine(body, instruction, false) || call_machine(body, instruction, true) ||
         assembly_compute(body, instruction);
}

// ---- the function

static bool make_guarded(AsmBody *body, const AsmInstruction *instruction) {
  Device *device = body->device;
  if (!instruction->guard) return make_instruction(body, instruction);
  LLVMValueRef holds = assembly_value(body, instruction->guard, LLVMInt1TypeInContext(device->context));
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(device->context, body->function, ""),
                    behind = LLVMAppendBasicBlockInContext(device->context, body->function, "");
  if (!holds || strchr(instruction->guard, '$')) return false;
  if (instruction->is_negated)
    LLVMBuildCondBr(device->builder, holds, behind, then);
  else
    LLVMBuildCondBr(device->builder, holds, then, behind);
  LLVMPositionBuilderAtEnd(device->builder, then);
  bool is_good = make_instruction(body, instruction);
  LLVMBuildBr(device->builder, behind);
  LLVMPositionBuilderAtEnd(device->builder, behind);
  return is_good;
}

static bool make_statements(AsmBody *body, char *text) {
  for (char *at = text, *end; *at; at = end) {
    end = at + strcspn(at, ";");
    if (*end) *end++ = '\0';
    AsmInstruction instruction;
    char *statement = trimmed(at);
    if (!*statement) continue;
    bool is_declaration = has_prefix(statement, ".reg") && strchr(blanks, statement[4]);
    if (is_declaration ? !declare(body, statement)
                       : !read_instruction(statement, &instruction) || !make_guarded(body, &instruction))
      return false;
  }
  return true;
}

// Of "=r,=r,r,0,~{memory}" the fourth one is the second result's first value. False for what is no register.
static bool set_first_values(AsmBody *body, const char *constraints) {
  unsigned parameter = 0;
  for (const char *at = constraints; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    if (*at == '~') continue;
    if (strchr(at, '*') && strchr(at, '*') < at + strcspn(at, ",")) return false;
    if (*at == '=') continue;
    if (isdigit((unsigned char)*at) &&
        !assembly_set(body, arena_printf(body->device->arena, "$%lu", strtoul(at, NULL, 10)),
                      LLVMGetParam(body->function, parameter), false))
      return false;
    parameter++;
  }
  return parameter == LLVMCountParams(body->function);
}

static void return_results(AsmBody *body, LLVMTypeRef type) {
  LLVMBuilderRef b = body->device->builder;
  bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  LLVMValueRef all = is_struct ? LLVMGetUndef(type) : NULL;
  for (unsigned i = 0; i < body->results; i++) {
    const AsmRegister *result = &body->registers.items[i];
    LLVMValueRef value = LLVMBuildLoad2(b, result->type, result->slot, "");
    all = is_struct ? LLVMBuildInsertValue(b, all, value, i, "") : value;
  }
  if (all)
    LLVMBuildRet(b, all);
  else
    LLVMBuildRetVoid(b);
}

static bool make_function(AsmBody *body, LLVMTypeRef type, const char *text, const char *constraints) {
  Device *device = body->device;
  LLVMTypeRef result = LLVMGetReturnType(type);
  bool is_struct = LLVMGetTypeKind(result) == LLVMStructTypeKind;
  body->results =
      is_struct ? LLVMCountStructElementTypes(result) : LLVMGetTypeKind(result) != LLVMVoidTypeKind;
  LLVMPositionBuilderAtEnd(device->builder,
                           LLVMAppendBasicBlockInContext(device->context, body->function, ""));
  LLVMSetCurrentDebugLocation2(device->builder, NULL); // what is put in line has the place of the text
  for (unsigned i = 0; i < body->results; i++)
    if (!add_register(body, arena_printf(device->arena, "$%u", i),
                      is_struct ? LLVMStructGetTypeAtIndex(result, i) : result))
      return false;
  body->carry = LLVMBuildAlloca(device->builder, LLVMInt1TypeInContext(device->context), "");
  if (!set_first_values(body, constraints)) return false;
  if (!make_statements(body, without_comments(device->arena, text))) return false;
  return_results(body, result);
  return true;
}

static void set_inlined(Device *device, LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(device->context, kind, 0));
}

static void call_instead(Device *device, LLVMValueRef call, LLVMValueRef function, LLVMTypeRef type) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments = arena_array(device->arena, count + 1, LLVMValueRef);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  LLVMPositionBuilderBefore(device->builder, call);
  LLVMValueRef made = LLVMBuildCall2(device->builder, type, function, arguments, count, "");
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(call));
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

static void report(Device *device, LLVMValueRef call, const char *text) {
  uint32_t number = place_of(device, call);
  SrcLoc at = {0};
  if (number)
    at = (SrcLoc){.file = device->places.items[number].file,
                  .line = device->places.items[number].line,
                  .column = device->places.items[number].column};
  text += strspn(text, blanks);
  bool is_block = *text == '{' && strchr(blanks, text[1]) && text[1];
  if (is_block) text += 1 + strspn(text + 1, blanks);
  diag_report(device->sink, DIAG_ERROR, number ? &at : NULL, "PTX assembly cannot be run: \"%.*s%s\"",
              (int)strcspn(text, "\n"), text, is_block ? " ..." : "");
}

static bool bind_text(Device *device, LLVMValueRef call, LLVMValueRef assembly) {
  size_t length = 0, constraint_length = 0;
  const char *text = arena_strdup(device->arena, LLVMGetInlineAsmAsmString(assembly, &length));
  const char *constraints =
      arena_strdup(device->arena, LLVMGetInlineAsmConstraintString(assembly, &constraint_length));
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  if (!text[strspn(text, blanks)] &&
      LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind) { // a fence of the compiler alone
    LLVMInstructionEraseFromParent(call);
    return true;
  }
  AsmBody body = {.device = device, .function = LLVMAddFunction(device->module, "hgrd_asm", type)};
  if (make_function(&body, type, text, constraints)) {
    set_inlined(device, body.function);
    call_instead(device, call, body.function, type);
    return true;
  }
  LLVMDeleteFunction(body.function);
  report(device, call, text);
  return false;
}

bool assembly_bind(Device *device) {
  ASSERT(device && device->module);
  bool is_good = true, is_any = false;
  LLVMValueRef last = LLVMGetLastFunction(device->module), next_function;
  for (LLVMValueRef f = LLVMGetFirstFunction(device->module); f; f = f == last ? NULL : next_function) {
    next_function = LLVMGetNextFunction(f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        if (!callee || !LLVMIsAInlineAsm(callee)) continue;
        is_any = true;
        if (!bind_text(device, i, callee)) is_good = false;
      }
  }
  return is_good &&
         (!is_any || device_passes(device, "always-inline,function(sroa,instsimplify,simplifycfg)"));
}
