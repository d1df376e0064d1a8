// What are the constants and globals of LLVM in the IR, and what stands for one of its values? Constants that need
// code (addresses inside a global, structs that are not zero) are computed once, at the start of the function.
// Soundness: exact for integers and pointers. Data of globals is given only when every byte is a plain number or
// part of the address of a global or a function.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

#include <string.h>

enum { DATA_LIMIT = 1 << 20 }; // bytes of a global's initial value that are kept

// ---- constants

static IrRef lower_int(Lower *lower, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  IrType ir_type = lower_type(lower, type);
  bool is_plain = ir_type.kind == IR_INT && !int_is_odd(type) && LLVMGetIntTypeWidth(type) > 1;
  int64_t bits = is_plain ? LLVMConstIntGetSExtValue(value) : (int64_t)LLVMConstIntGetZExtValue(value);
  return ir_const_int(lower->ir, lower->function, ir_type.bits, bits);
}

// The bits of a float are those of the integer that it is as a bit pattern.
static bool float_bits(const Lower *lower, LLVMValueRef value, uint64_t *bits) {
  IrType type = lower_type(lower, LLVMTypeOf(value));
  if (type.kind != IR_FLOAT) return false;
  LLVMValueRef number = LLVMConstBitCast(value, LLVMIntTypeInContext(lower->context, type.bits));
  if (!LLVMIsAConstantInt(number)) return false;
  *bits = LLVMConstIntGetZExtValue(number);
  return true;
}

static IrRef lower_float(Lower *lower, LLVMValueRef value) {
  uint64_t bits = 0;
  IrType type = lower_type(lower, LLVMTypeOf(value));
  bool is_exact = float_bits(lower, value, &bits);
  return ir_const_typed(lower->ir, lower->function, type, (int64_t)bits, !is_exact);
}

// References that need no code; 0 if it takes instructions.
static IrRef lower_simple_constant(Lower *lower, LLVMValueRef value) {
  IrType type = lower_type(lower, LLVMTypeOf(value));
  uint32_t index = 0;
  if (ptr_map_get(&lower->globals, value, &index)) return IR_REF(IR_REF_GLOBAL, index - 1);
  if (ptr_map_get(&lower->functions, value, &index)) return IR_REF(IR_REF_FUNC, index - 1);
  if (LLVMIsAGlobalAlias(value)) return lower_simple_constant(lower, LLVMAliasGetAliasee(value));
  if (LLVMIsAConstantInt(value) && type.kind == IR_INT) return lower_int(lower, value);
  if (LLVMIsAConstantFP(value) && type.kind == IR_FLOAT) return lower_float(lower, value);
  if (LLVMIsUndef(value)) return emit_undef(lower, type);
  if (LLVMIsAConstantPointerNull(value) || LLVMIsAConstantAggregateZero(value) || LLVMIsNull(value))
    return ir_const_typed(lower->ir, lower->function, type, 0, false);
  if (LLVMIsAConstantFP(value)) return emit_undef(lower, type); // wider than the IR has
  return 0;
}

static uint32_t element_count(LLVMTypeRef type) {
  switch ((unsigned)LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind: return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind: return (uint32_t)LLVMGetArrayLength2(type);
  case LLVMVectorTypeKind: return LLVMGetVectorSize(type);
  default: return 0;
  }
}

static uint32_t element_offset(const Lower *lower, LLVMTypeRef type, uint32_t index) {
  switch ((unsigned)LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind: return (uint32_t)LLVMOffsetOfElement(lower->layout, type, index);
  case LLVMArrayTypeKind: return index * type_bytes(lower, LLVMGetElementType(type));
  case LLVMVectorTypeKind: return index * vector_stride(lower, LLVMGetElementType(type));
  default: return 0;
  }
}

// The words of a wide constant, by folding shifts of it.
static IrRef lower_wide_int(Lower *lower, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value), word = LLVMInt64TypeInContext(lower->context);
  IrType bytes = lower_type(lower, type);
  LLVMBuilderRef folder = LLVMCreateBuilderInContext(lower->context);
  IrRef result = ir_const_typed(lower->ir, lower->function, bytes, 0, false);
  for (uint32_t at = 0; at < bytes.bytes && bytes.bytes % 8 == 0; at += 8) {
    LLVMValueRef shifted = LLVMBuildLShr(folder, value, LLVMConstInt(type, at * 8u, 0), "");
    result = emit_insert(lower, result, lower_value(lower, LLVMConstTrunc(shifted, word)), at, bytes);
  }
  LLVMDisposeBuilder(folder);
  return bytes.bytes % 8 == 0 ? result : emit_undef(lower, bytes);
}

static IrRef lower_aggregate(Lower *lower, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  IrType bytes = lower_type(lower, type);
  IrRef result = ir_const_typed(lower->ir, lower->function, bytes, 0, false);
  for (uint32_t i = 0; i < element_count(type); i++) {
    IrRef piece = lower_value(lower, LLVMGetAggregateElement(value, i));
    if (piece) result = emit_insert(lower, result, piece, element_offset(lower, type, i), bytes);
  }
  return result;
}

static IrRef lower_expression(Lower *lower, LLVMValueRef value) {
  LLVMOpcode opcode = LLVMGetConstOpcode(value);
  LLVMTypeRef type = LLVMTypeOf(value);
  if (opcode == LLVMGetElementPtr) return lower_address(lower, value);
  LLVMValueRef first = LLVMGetOperand(value, 0);
  if (cast_op(opcode)) return lower_cast(lower, opcode, LLVMTypeOf(first), type, lower_value(lower, first));
  if (binary_op(opcode)) {
    IrRef ops[] = {lower_value(lower, first), lower_value(lower, LLVMGetOperand(value, 1))};
    return emit_op(lower, binary_op(opcode), lower_type(lower, type), 2, ops);
  }
  return emit_undef(lower, lower_type(lower, type));
}

static bool needs_code(LLVMValueRef value) {
  return LLVMIsAConstantExpr(value) || LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value) ||
         LLVMIsAConstantVector(value) || LLVMIsAConstantDataArray(value) ||
         LLVMGetValueKind(value) == LLVMConstantDataVectorValueKind ||
         (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64);
}

static IrRef lower_constant(Lower *lower, LLVMValueRef value) {
  IrRef simple = lower_simple_constant(lower, value);
  if (simple) return simple;
  uint32_t known;
  if (ptr_map_get(&lower->values, value, &known)) return known;
  IrRef ref;
  if (LLVMIsAConstantExpr(value)) {
    ref = lower_expression(lower, value);
  } else if (LLVMIsAConstantInt(value)) {
    ref = lower_wide_int(lower, value);
  } else if (needs_code(value)) {
    ref = lower_aggregate(lower, value);
  } else {
    ref = emit_undef(lower, lower_type(lower, LLVMTypeOf(value)));
  }
  ptr_map_put(&lower->values, value, ref);
  return ref;
}

static bool block_is_lowered(const Lower *lower, LLVMBasicBlockRef block) {
  return ptr_map_get(&lower->blocks, block, NULL);
}

// Every constant that takes instructions, before the first instruction of the function, so that it dominates
// all uses.
void lower_function_constants(Lower *lower) {
  ASSERT(lower->request && lower->function);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(lower->llvm_function); b; b = LLVMGetNextBasicBlock(b)) {
    if (!block_is_lowered(lower, b)) continue;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      int count = LLVMGetNumOperands(i);
      for (int k = 0; k < count; k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        if (operand && LLVMIsAConstant(operand) && needs_code(operand)) lower_constant(lower, operand);
      }
    }
  }
}

// ---- references

IrRef lower_value(Lower *lower, LLVMValueRef value) {
  ASSERT(lower->request && lower->function);
  ASSERT(value);
  uint32_t known;
  if (ptr_map_get(&lower->values, value, &known)) return known;
  if (LLVMGetValueKind(value) == LLVMMetadataAsValueValueKind || LLVMIsABasicBlock(value) ||
      LLVMIsAInlineAsm(value))
    return 0;
  if (LLVMIsAConstant(value)) return lower_constant(lower, value);
  vec_push(lower->scratch, &lower->pending, (Pending){value, 0});
  return IR_REF(REF_PENDING, lower->pending.count - 1);
}

void lower_set(Lower *lower, LLVMValueRef value, IrRef ref) {
  ASSERT(lower->request && lower->function);
  ASSERT(value);
  ptr_map_put(&lower->values, value, ref);
}

IrRef emit_unknown(Lower *lower, const char *name, LLVMValueRef instruction) {
  ASSERT(lower->request && lower->function);
  ASSERT(name);
  ASSERT(instruction);
  uint32_t count = (uint32_t)LLVMGetNumOperands(instruction), used = 0;
  IrRef *ops = arena_array(lower->scratch, count + 1, IrRef);
  for (uint32_t i = 0; i < count; i++) {
    IrRef ref = lower_value(lower, LLVMGetOperand(instruction, i));
    if (ref) ops[used++] = ref;
  }
  IrType type = lower_type(lower, LLVMTypeOf(instruction));
  return emit(lower, (IrInst){.op = IR_UNKNOWN, .type = type, .name = name}, used, ops);
}

// ---- globals

static bool write_bits(uint8_t *to, uint64_t bits, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes && i < 8; i++)
    to[i] = (uint8_t)(bits >> (8 * i));
  return bytes <= 8;
}

// Bytes that an address computation with constant indices goes.
static bool constant_distance(const Lower *lower, LLVMValueRef element, int64_t *bytes) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
  int64_t index = 0;
  for (int i = 1; i < LLVMGetNumOperands(element); i++) {
    if (!constant_number(LLVMGetOperand(element, (unsigned)i), &index)) return false;
    if (i == 1) {
      *bytes += index * type_bytes(lower, type);
      continue;
    }
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    if (!is_struct && LLVMGetTypeKind(type) != LLVMArrayTypeKind) return false;
    *bytes += element_offset(lower, type, (uint32_t)index);
    type = is_struct ? LLVMStructGetTypeAtIndex(type, (unsigned)index) : LLVMGetElementType(type);
  }
  return true;
}

// A global or function and a constant distance behind it: 0 if the constant is none of these.
static IrRef constant_target(const Lower *lower, LLVMValueRef value, int64_t *offset) {
  uint32_t index = 0;
  for (int depth = 0; depth < 8; depth++) {
    if (ptr_map_get(&lower->globals, value, &index)) return IR_REF(IR_REF_GLOBAL, index - 1);
    if (ptr_map_get(&lower->functions, value, &index)) return IR_REF(IR_REF_FUNC, index - 1);
    if (LLVMIsAGlobalAlias(value)) {
      value = LLVMAliasGetAliasee(value);
    } else if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMAddrSpaceCast) {
      value = LLVMGetOperand(value, 0); // a name of one memory, as a pointer to any
    } else if (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr) {
      if (!constant_distance(lower, value, offset)) return 0;
      value = LLVMGetOperand(value, 0);
    } else {
      return 0;
    }
  }
  return 0;
}

// The bytes of a constant; false if they are neither plain numbers nor addresses.
static bool write_constant(const Lower *lower, LLVMValueRef value, IrGlobal *out, uint8_t *data,
                           uint64_t at) {
  LLVMTypeRef type = LLVMTypeOf(value);
  uint8_t *to = data + at;
  uint64_t bits = 0;
  if (LLVMIsNull(value)) return true;
  if (LLVMIsUndef(value)) return false;
  if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(type) <= 64)
    return write_bits(to, LLVMConstIntGetZExtValue(value),
                      (uint32_t)LLVMStoreSizeOfType(lower->layout, type));
  if (LLVMIsAConstantFP(value))
    return float_bits(lower, value, &bits) && write_bits(to, bits, lower_type(lower, type).bytes);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && lower_type(lower, type).bytes == 8) {
    IrAddress address = {.at = at};
    address.target = constant_target(lower, value, &address.offset);
    if (address.target) vec_push(lower->arena, &out->addresses, address);
    return address.target != 0;
  }
  uint32_t count = element_count(type);
  if (count == 0) return false;
  for (uint32_t i = 0; i < count; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(value, i);
    if (!element || !write_constant(lower, element, out, data, at + element_offset(lower, type, i)))
      return false;
  }
  return true;
}

static void initial_data(Lower *lower, LLVMValueRef global, IrGlobal *out) {
  LLVMValueRef value = LLVMIsDeclaration(global) ? NULL : LLVMGetInitializer(global);
  if (!value || out->bytes == 0 || out->bytes > DATA_LIMIT) return;
  ArenaMark mark = arena_mark(lower->arena);
  uint8_t *data = arena_alloc(lower->arena, out->bytes);
  if (write_constant(lower, value, out, data, 0)) {
    out->data = data;
    return;
  }
  out->addresses.items = NULL;
  out->addresses.count = out->addresses.capacity = 0;
  arena_release(lower->arena, mark);
}

static IrGlobal lower_global(Lower *lower, LLVMValueRef global) {
  const LowerRequest *request = lower->request;
  Demangled name = demangle(value_name(global), lower->module_scratch);
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  uint32_t space = request->is_device ? LLVMGetPointerAddressSpace(LLVMTypeOf(global)) : IR_SPACE_GENERIC;
  IrGlobal out = {.name = str_intern(request->strings, value_name(global)),
                  .display = str_intern(request->strings, name.base),
                  .space = (uint8_t)space,
                  .is_constant = LLVMIsGlobalConstant(global),
                  .is_external = LLVMIsDeclaration(global),
                  .bytes = LLVMTypeIsSized(type) ? LLVMABISizeOfType(lower->layout, type) : 0,
                  .align = LLVMGetAlignment(global)};
  LLVMLinkage linkage = LLVMGetLinkage(global);
  out.is_managed = global_is_managed(global);
  out.is_static = !request->is_device && !out.is_constant &&
                  (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage);
  out.is_dynamic_shared = space == IR_SPACE_SHARED && out.is_external && out.bytes == 0;
  if (out.is_dynamic_shared) out.is_external = false;
  out.loc = lower_global_place(lower, global);
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  out.owner = lower_class_name(lower, type);
  if (out.owner && LLVMTypeIsSized(type)) out.owner_bytes = LLVMABISizeOfType(lower->layout, type);
  return out;
}

// Once functions have their numbers: initial data may hold their addresses.
void lower_initial_data(Lower *lower) {
  ASSERT(lower->request);
  for (LLVMValueRef g = LLVMGetFirstGlobal(lower->request->module); g; g = LLVMGetNextGlobal(g)) {
    uint32_t index = 0;
    if (ptr_map_get(&lower->globals, g, &index)) initial_data(lower, g, &lower->ir->globals.items[index - 1]);
  }
}

void lower_globals(Lower *lower) {
  ASSERT(lower->request);
  for (LLVMValueRef g = LLVMGetFirstGlobal(lower->request->module); g; g = LLVMGetNextGlobal(g)) {
    const char *section = LLVMGetSection(g); // of annotations: no memory of the program
    if (str_starts_with(value_name(g), "llvm.") || (section && strcmp(section, "llvm.metadata") == 0))
      continue;
    ptr_map_put(&lower->globals, g, lower->ir->globals.count + 1);
    vec_push(lower->arena, &lower->ir->globals, lower_global(lower, g));
  }
}
