// How is an instruction of the IR made, and of which type? Integers take the next of the IR's widths; one of an
// odd width is kept zero-extended in it, whatever its operations (lower_arith.c normalises). Wider integers,
// aggregates and vectors are BYTES with their layout in memory; an element of a vector takes whole bytes. What
// is a constant, or a piece that was just put in, is not computed again. Soundness: exact.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

// ---- types

bool int_is_odd(LLVMTypeRef type) {
  ASSERT(type);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return false;
  unsigned bits = LLVMGetIntTypeWidth(type);
  return bits < 64 && bits != 1 && bits != 8 && bits != 16 && bits != 32;
}

static uint8_t round_up_width(unsigned bits) {
  if (bits == 1) return 1;
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

uint32_t vector_stride(const Lower *lower, LLVMTypeRef element) {
  ASSERT(lower->request);
  ASSERT(element);
  return lower_type(lower, element).bytes;
}

uint32_t type_bytes(const Lower *lower, LLVMTypeRef type) {
  ASSERT(lower->request);
  ASSERT(type);
  if (!LLVMTypeIsSized(type)) return 0;
  uint64_t bytes = LLVMABISizeOfType(lower->layout, type);
  return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

IrType lower_type(const Lower *lower, LLVMTypeRef type) {
  ASSERT(lower->request);
  ASSERT(type);
  switch (LLVMGetTypeKind(type)) {
  case LLVMVoidTypeKind: return ir_type_void();
  case LLVMIntegerTypeKind: {
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits > 64 ? ir_type_bytes((bits + 7) / 8) : ir_type_int(round_up_width(bits));
  }
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind: return ir_type_float(16);
  case LLVMFloatTypeKind: return ir_type_float(32);
  case LLVMDoubleTypeKind: return ir_type_float(64);
  case LLVMPointerTypeKind:
    return ir_type_ptr(lower->ir->is_device ? (uint8_t)LLVMGetPointerAddressSpace(type) : 0);
  case LLVMVectorTypeKind:
    return ir_type_bytes(LLVMGetVectorSize(type) * vector_stride(lower, LLVMGetElementType(type)));
  case LLVMX86_FP80TypeKind:
  case LLVMFP128TypeKind:
  case LLVMPPC_FP128TypeKind:
  case LLVMLabelTypeKind:
  case LLVMFunctionTypeKind:
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind:
  case LLVMMetadataTypeKind:
#if HGRD_LLVM < 20
  case LLVMX86_MMXTypeKind:
#endif
  case LLVMTokenTypeKind:
  case LLVMScalableVectorTypeKind:
  case LLVMX86_AMXTypeKind:
  case LLVMTargetExtTypeKind: return ir_type_bytes(type_bytes(lower, type));
  }
  return ir_type_bytes(type_bytes(lower, type));
}

// ---- instructions

// Sums and conversions of constants: counts of groups and lengths come out of inlining so. 0: not one of
// them.
static IrRef folded(Lower *lower, const IrInst *inst, uint32_t count, const IrRef *ops) {
  int64_t a = 0, b = 0;
  bool is_cast = ir_inst_is(inst, IR_RESIZES);
  bool is_sum = inst->op == IR_ADD || inst->op == IR_SUB || inst->op == IR_MUL || inst->op == IR_AND;
  if (inst->type.kind != IR_INT || count != (is_cast ? 1u : 2u) || (!is_cast && !is_sum)) return 0;
  if (!ir_const_value(lower->function, ops[0], &a)) return 0;
  if (is_sum && !ir_const_value(lower->function, ops[1], &b)) return 0;
  uint8_t from = ir_ref_type(lower->ir, lower->function, ops[0]).bits;
  if (inst->op == IR_ZEXT && from < 64) a &= (int64_t)((UINT64_C(1) << from) - 1);
  if (inst->op == IR_SEXT && from == 1) a = -a;
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  uint64_t value = inst->op == IR_ADD   ? x + y
                   : inst->op == IR_SUB ? x - y
                   : inst->op == IR_MUL ? x * y
                   : inst->op == IR_AND ? (x & y)
                                        : x;
  return emit_int(lower, inst->type.bits, (int64_t)value);
}

IrRef emit(Lower *lower, IrInst inst, uint32_t count, const IrRef *ops) {
  ASSERT(lower->request && lower->function);
  IrRef constant = folded(lower, &inst, count, ops);
  if (constant) return constant;
  inst.loc = lower->loc;
  inst.op_count = (uint16_t)count;
  inst.ops = ops;
  return ir_inst_add(lower->ir, lower->function, inst);
}

IrRef emit_op(Lower *lower, IrOp op, IrType type, uint32_t count, const IrRef *ops) {
  ASSERT(lower->request && lower->function);
  return emit(lower, (IrInst){.op = (uint8_t)op, .type = type}, count, ops);
}

IrRef emit_pure(Lower *lower, const char *name, IrType type, uint32_t count, const IrRef *ops) {
  ASSERT(lower->request && lower->function);
  ASSERT(name);
  return emit(lower, (IrInst){.op = IR_PURE, .type = type, .name = name}, count, ops);
}

static bool is_pending(IrRef ref) {
  return (unsigned)ir_ref_kind(ref) == REF_PENDING;
}

// A piece that was put in as a whole is that piece, so that structs returned by value leave no trace; also of a part that
// was taken out, as structs in structs are.
static IrRef piece_put_in(const Lower *lower, IrRef aggregate, uint32_t offset, IrType type) {
  for (const IrInst *at = ir_inst(lower->function, aggregate);
       at && (at->op == IR_INSERT || at->op == IR_EXTRACT); at = ir_inst(lower->function, aggregate)) {
    if (is_pending(at->ops[0])) return 0;
    if (at->op == IR_EXTRACT) {
      offset += (uint32_t)at->imm;
    } else {
      if (is_pending(at->ops[1])) return 0;
      IrType piece = ir_ref_type(lower->ir, lower->function, at->ops[1]);
      bool is_same = at->imm == offset && piece.kind == type.kind && piece.bits == type.bits &&
                     piece.space == type.space && piece.bytes == type.bytes;
      bool is_apart = at->imm + piece.bytes <= offset || offset + type.bytes <= at->imm;
      if (is_same) return at->ops[1];
      if (!is_apart) return 0;
    }
    aggregate = at->ops[0];
  }
  return 0;
}

IrRef emit_extract(Lower *lower, IrRef aggregate, uint32_t offset, IrType type) {
  ASSERT(lower->request && lower->function);
  if (!is_pending(aggregate)) {
    IrType whole = ir_ref_type(lower->ir, lower->function, aggregate);
    if (whole.kind == IR_BYTES && type.kind == IR_BYTES && whole.bytes == type.bytes && offset == 0)
      return aggregate;
    IrRef piece = piece_put_in(lower, aggregate, offset, type);
    if (piece) return piece;
  }
  return emit(lower, (IrInst){.op = IR_EXTRACT, .type = type, .imm = offset}, 1, &aggregate);
}

IrRef emit_insert(Lower *lower, IrRef aggregate, IrRef piece, uint32_t offset, IrType type) {
  ASSERT(lower->request && lower->function);
  return emit(lower, (IrInst){.op = IR_INSERT, .type = type, .imm = offset}, 2, (IrRef[]){aggregate, piece});
}

IrRef emit_int(Lower *lower, uint8_t bits, int64_t value) {
  ASSERT(lower->request && lower->function);
  ASSERT(bits > 0);
  return ir_const_int(lower->ir, lower->function, bits, value);
}

IrRef emit_undef(Lower *lower, IrType type) {
  ASSERT(lower->request && lower->function);
  return ir_const_typed(lower->ir, lower->function, type, 0, true);
}

IrRef emit_icmp(Lower *lower, IrPred pred, IrRef a, IrRef b) {
  ASSERT(lower->request && lower->function);
  return emit(lower, (IrInst){.op = IR_ICMP, .pred = (uint8_t)pred, .type = ir_type_int(1)}, 2,
              (IrRef[]){a, b});
}

// A value of an odd width takes fewer bytes in memory than in the IR: it is read and written as those bytes.
IrRef emit_load(Lower *lower, LLVMTypeRef type, IrRef address, IrInst base) {
  ASSERT(lower->request && lower->function);
  ASSERT(type);
  base.op = IR_LOAD;
  base.type = lower_type(lower, type);
  uint32_t stored = (uint32_t)LLVMStoreSizeOfType(lower->layout, type);
  if (!int_is_odd(type) || stored == base.type.bytes) return emit(lower, base, 1, &address);
  IrType whole = base.type, room = ir_type_bytes(whole.bytes);
  base.type = ir_type_bytes(stored);
  IrRef bytes = emit(lower, base, 1, &address);
  IrRef filled =
      emit_insert(lower, ir_const_typed(lower->ir, lower->function, room, 0, false), bytes, 0, room);
  return emit_extract(lower, filled, 0, whole);
}

void emit_store(Lower *lower, LLVMTypeRef type, IrRef address, IrRef value, IrInst base) {
  ASSERT(lower->request && lower->function);
  ASSERT(type);
  base.op = IR_STORE;
  base.type = ir_type_void();
  IrType whole = lower_type(lower, type);
  uint32_t stored = (uint32_t)LLVMStoreSizeOfType(lower->layout, type);
  if (int_is_odd(type) && stored != whole.bytes) {
    IrType room = ir_type_bytes(whole.bytes);
    IrRef filled =
        emit_insert(lower, ir_const_typed(lower->ir, lower->function, room, 0, false), value, 0, room);
    value = emit_extract(lower, filled, 0, ir_type_bytes(stored));
  }
  emit(lower, base, 2, (IrRef[]){address, value});
}

// ---- numbers and parts of types

bool constant_number(LLVMValueRef value, int64_t *number) {
  ASSERT(value);
  ASSERT(number);
  if (!LLVMIsAConstantInt(value) || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64) return false;
  *number = LLVMConstIntGetSExtValue(value);
  return true;
}

LLVMTypeRef type_step_into(const Lower *lower, LLVMTypeRef type, uint32_t index, uint32_t *offset) {
  ASSERT(lower->request && lower->function);
  ASSERT(type);
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    *offset += (uint32_t)LLVMOffsetOfElement(lower->layout, type, index);
    return LLVMStructGetTypeAtIndex(type, index);
  }
  LLVMTypeRef element = LLVMGetElementType(type);
  *offset += index * type_bytes(lower, element);
  return element;
}
