// Which accesses does the machine see? Each load, store, copy and atomic of LLVM whose memory is not plainly the thread's own: a call
// stands in front of it, with its place. Memory of a local variable is known by the instruction that made it, followed through address
// arithmetic; what cannot be followed is watched, and the machine leaves out what lies on a stack. Constant memory is never written
// by kernels and is left out. Calls into the machine and into bundled headers note the place of the user's call first.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <string.h>

enum { SPACE_CONSTANT = 4, BASE_DEPTH = 32, WORD_BITS = 64 };

typedef struct Watch {
  Device *device;
  bool has_proofs; // for the function that is worked on
  LLVMValueRef load, store, store_wide, copy, fill, rmw, cas, count;
  LLVMTypeRef load_type, store_type, store_wide_type, copy_type, fill_type, rmw_type, cas_type, count_type;
  LLVMValueRef is_counted; // of the basic block that is worked on; NULL: none of its accesses was come to
  uint32_t steps;          // accesses of it
} Watch;

static LLVMValueRef declare(Device *device, const char *name, LLVMTypeRef result, unsigned count,
                            LLVMTypeRef *params, LLVMTypeRef *type) {
  *type = LLVMFunctionType(result, params, count, 0);
  return LLVMAddFunction(device->module, name, *type);
}

static void declare_all(Watch *watch) {
  Device *device = watch->device;
  LLVMTypeRef none = LLVMVoidTypeInContext(device->context), p = device->pointer, w = device->i32,
              l = device->i64;
  LLVMTypeRef type;
  LLVMValueRef load = declare(device, "hgrd_load", none, 5, (LLVMTypeRef[]){p, w, w, w, p}, &type);
  watch->load = guard_make(device, "hgrd_guarded_load", load, &watch->load_type);
  LLVMValueRef store = declare(device, "hgrd_store", none, 6, (LLVMTypeRef[]){p, w, w, w, l, p}, &type);
  watch->store = guard_make(device, "hgrd_guarded_store", store, &watch->store_type);
  LLVMValueRef wide = declare(device, "hgrd_store_wide", none, 6, (LLVMTypeRef[]){p, w, w, w, p, p}, &type);
  watch->store_wide = guard_make(device, "hgrd_guarded_store_wide", wide, &watch->store_wide_type);
  watch->count = count_make(device, "hgrd_count", &watch->count_type);
  watch->copy = declare(device, "hgrd_copy", none, 5, (LLVMTypeRef[]){p, p, l, w, w}, &watch->copy_type);
  watch->fill = declare(device, "hgrd_fill", none, 5, (LLVMTypeRef[]){p, w, l, w, w}, &watch->fill_type);
  watch->rmw = declare(device, "hgrd_rmw", l, 5, (LLVMTypeRef[]){p, w, w, l, w}, &watch->rmw_type);
  watch->cas = declare(device, "hgrd_cas", l, 5, (LLVMTypeRef[]){p, w, l, l, w}, &watch->cas_type);
}

static LLVMValueRef number(const Watch *watch, uint64_t value) {
  return LLVMConstInt(watch->device->i32, value, 0);
}

static LLVMValueRef place(const Watch *watch, LLVMValueRef instruction) {
  return number(watch, place_of(watch->device, instruction));
}

// ---- whose memory?

static bool is_own_argument(LLVMValueRef argument) {
  LLVMValueRef function = LLVMGetParamParent(argument);
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == argument)
      return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
  return false;
}

static LLVMValueRef base_of(LLVMValueRef address) {
  for (int depth = 0; depth < BASE_DEPTH; depth++) {
    LLVMOpcode opcode = LLVMIsAInstruction(address)    ? LLVMGetInstructionOpcode(address)
                        : LLVMIsAConstantExpr(address) ? LLVMGetConstOpcode(address)
                                                       : (LLVMOpcode)0;
    if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast) break;
    address = LLVMGetOperand(address, 0);
  }
  return address;
}

static bool is_own(LLVMValueRef address) {
  LLVMValueRef base = base_of(address);
  if (LLVMIsAAllocaInst(base)) return true;
  if (LLVMIsAArgument(base)) return is_own_argument(base);
  bool is_constant_space = LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == SPACE_CONSTANT;
  return LLVMIsAGlobalVariable(base) && (is_constant_space || LLVMIsGlobalConstant(base));
}

static LLVMValueRef plain_address(const Watch *watch, LLVMValueRef address) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == 0) return address;
  return LLVMBuildAddrSpaceCast(watch->device->builder, address, watch->device->pointer, "address");
}

static uint32_t proved_flag(const Watch *watch, LLVMValueRef access) {
  return watch->has_proofs && proofs_cover(watch->device, place_of(watch->device, access)) ? RT_PROVED : 0;
}

static uint32_t flags_of(const Watch *watch, LLVMValueRef access) {
  uint32_t flags = LLVMGetVolatile(access) ? RT_VOLATILE : 0;
  if (LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic) flags |= RT_STRONG;
  return flags ? flags : proved_flag(watch, access);
}

// ---- values as words

static LLVMValueRef as_word(const Watch *watch, LLVMValueRef value, uint64_t bits) {
  LLVMBuilderRef builder = watch->device->builder;
  LLVMTypeRef exact = LLVMIntTypeInContext(watch->device->context, (unsigned)bits);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    value = LLVMBuildPtrToInt(builder, plain_address(watch, value), watch->device->i64, "word");
  else if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
    value = LLVMBuildBitCast(builder, value, exact, "word");
  return LLVMBuildIntCast2(builder, value, watch->device->i64, 0, "word");
}

static LLVMValueRef from_word(const Watch *watch, LLVMValueRef word, LLVMTypeRef type) {
  LLVMBuilderRef builder = watch->device->builder;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return LLVMBuildIntToPtr(builder, word, type, "value");
  uint64_t bits = LLVMSizeOfTypeInBits(watch->device->layout, type);
  LLVMTypeRef exact = LLVMIntTypeInContext(watch->device->context, (unsigned)bits);
  LLVMValueRef value = LLVMBuildIntCast2(builder, word, exact, 0, "value");
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? value
                                                      : LLVMBuildBitCast(builder, value, type, "value");
}

static bool is_word(const Watch *watch, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool is_aggregate = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
  return !is_aggregate && LLVMSizeOfTypeInBits(watch->device->layout, type) <= WORD_BITS;
}

// ---- each kind

static void call(const Watch *watch, LLVMTypeRef type, LLVMValueRef function, LLVMValueRef *arguments,
                 unsigned count) {
  LLVMBuildCall2(watch->device->builder, type, function, arguments, count, "");
}

// In front of the first access of a basic block: it holds for all of them.
static LLVMValueRef counted_here(Watch *watch) {
  if (watch->is_counted) return watch->is_counted;
  LLVMValueRef arguments[] = {lane_here(watch->device), number(watch, watch->steps)};
  watch->is_counted =
      LLVMBuildCall2(watch->device->builder, watch->count_type, watch->count, arguments, 2, "counted");
  return watch->is_counted;
}

static void watch_load(Watch *watch, LLVMValueRef load) {
  LLVMValueRef address = LLVMGetOperand(load, 0);
  if (is_own(address)) return;
  LLVMPositionBuilderBefore(watch->device->builder, load);
  uint64_t bytes = LLVMStoreSizeOfType(watch->device->layout, LLVMTypeOf(load));
  LLVMValueRef is_counted = counted_here(watch);
  LLVMValueRef arguments[] = {plain_address(watch, address),
                              number(watch, bytes),
                              place(watch, load),
                              number(watch, flags_of(watch, load)),
                              site_new(watch->device),
                              lane_here(watch->device),
                              is_counted};
  call(watch, watch->load_type, watch->load, arguments, sizeof arguments / sizeof *arguments);
}

// In the first block, so that the stack does not grow in a loop.
static LLVMValueRef room_for(const Watch *watch, LLVMValueRef instruction, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  LLVMPositionBuilderBefore(watch->device->builder,
                            LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  return LLVMBuildAlloca(watch->device->builder, type, "room");
}

static void watch_store(Watch *watch, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
  LLVMTypeRef type = LLVMTypeOf(value);
  if (is_own(address)) return;
  bool is_small = is_word(watch, type);
  LLVMValueRef room = is_small ? NULL : room_for(watch, store, type);
  LLVMPositionBuilderBefore(watch->device->builder, store);
  if (room) LLVMBuildStore(watch->device->builder, value, room);
  LLVMValueRef given = room ? room : as_word(watch, value, LLVMSizeOfTypeInBits(watch->device->layout, type));
  LLVMValueRef is_counted = counted_here(watch);
  LLVMValueRef arguments[] = {plain_address(watch, address),
                              number(watch, LLVMStoreSizeOfType(watch->device->layout, type)),
                              place(watch, store),
                              number(watch, flags_of(watch, store)),
                              given,
                              site_new(watch->device),
                              lane_here(watch->device),
                              is_counted};
  call(watch, room ? watch->store_wide_type : watch->store_type, room ? watch->store_wide : watch->store,
       arguments, sizeof arguments / sizeof *arguments);
}

static uint32_t rmw_number(LLVMAtomicRMWBinOp operation) {
  switch ((int)operation) {
  case LLVMAtomicRMWBinOpXchg: return RT_RMW_XCHG;
  case LLVMAtomicRMWBinOpAdd: return RT_RMW_ADD;
  case LLVMAtomicRMWBinOpSub: return RT_RMW_SUB;
  case LLVMAtomicRMWBinOpAnd: return RT_RMW_AND;
  case LLVMAtomicRMWBinOpOr: return RT_RMW_OR;
  case LLVMAtomicRMWBinOpXor: return RT_RMW_XOR;
  case LLVMAtomicRMWBinOpMax: return RT_RMW_MAX;
  case LLVMAtomicRMWBinOpMin: return RT_RMW_MIN;
  case LLVMAtomicRMWBinOpUMax: return RT_RMW_UMAX;
  case LLVMAtomicRMWBinOpUMin: return RT_RMW_UMIN;
  case LLVMAtomicRMWBinOpFAdd: return RT_RMW_FADD;
  case LLVMAtomicRMWBinOpFSub: return RT_RMW_FSUB;
  case LLVMAtomicRMWBinOpFMax: return RT_RMW_FMAX;
  case LLVMAtomicRMWBinOpFMin: return RT_RMW_FMIN;
  default: return 0;
  }
}

static void watch_rmw(const Watch *watch, LLVMValueRef rmw) {
  LLVMValueRef address = LLVMGetOperand(rmw, 0), operand = LLVMGetOperand(rmw, 1);
  LLVMTypeRef type = LLVMTypeOf(rmw);
  uint32_t operation = rmw_number(LLVMGetAtomicRMWBinOp(rmw));
  if (is_own(address) || !operation || !is_word(watch, type)) return;
  LLVMPositionBuilderBefore(watch->device->builder, rmw);
  LLVMValueRef arguments[] = {plain_address(watch, address), number(watch, operation),
                              number(watch, LLVMStoreSizeOfType(watch->device->layout, type)),
                              as_word(watch, operand, LLVMSizeOfTypeInBits(watch->device->layout, type)),
                              place(watch, rmw)};
  LLVMValueRef word =
      LLVMBuildCall2(watch->device->builder, watch->rmw_type, watch->rmw, arguments, 5, "old");
  LLVMReplaceAllUsesWith(rmw, from_word(watch, word, type));
  LLVMInstructionEraseFromParent(rmw);
}

static void watch_cas(const Watch *watch, LLVMValueRef cas) {
  LLVMBuilderRef builder = watch->device->builder;
  LLVMValueRef address = LLVMGetOperand(cas, 0), expected = LLVMGetOperand(cas, 1),
               desired = LLVMGetOperand(cas, 2);
  LLVMTypeRef type = LLVMTypeOf(expected);
  if (is_own(address) || !is_word(watch, type)) return;
  uint64_t bits = LLVMSizeOfTypeInBits(watch->device->layout, type);
  LLVMPositionBuilderBefore(builder, cas);
  LLVMValueRef wanted = as_word(watch, expected, bits);
  LLVMValueRef arguments[] = {plain_address(watch, address),
                              number(watch, LLVMStoreSizeOfType(watch->device->layout, type)), wanted,
                              as_word(watch, desired, bits), place(watch, cas)};
  LLVMValueRef word = LLVMBuildCall2(builder, watch->cas_type, watch->cas, arguments, 5, "old");
  LLVMValueRef is_same = LLVMBuildICmp(builder, LLVMIntEQ, word, wanted, "same");
  LLVMValueRef pair =
      LLVMBuildInsertValue(builder, LLVMGetUndef(LLVMTypeOf(cas)), from_word(watch, word, type), 0, "pair");
  pair = LLVMBuildInsertValue(builder, pair, is_same, 1, "pair");
  LLVMReplaceAllUsesWith(cas, pair);
  LLVMInstructionEraseFromParent(cas);
}

static bool is_intrinsic(LLVMValueRef function, const char *prefix) {
  return has_prefix(value_text(function), prefix);
}

// llvm.memcpy, memmove and memset.
static bool watch_memory(const Watch *watch, LLVMValueRef user, LLVMValueRef callee) {
  bool is_copy = is_intrinsic(callee, "llvm.memcpy.") || is_intrinsic(callee, "llvm.memmove.");
  if (!is_copy && !is_intrinsic(callee, "llvm.memset.")) return false;
  LLVMValueRef to = LLVMGetOperand(user, 0), from = LLVMGetOperand(user, 1), bytes = LLVMGetOperand(user, 2);
  if (is_own(to) && (!is_copy || is_own(from))) return true;
  LLVMBuilderRef builder = watch->device->builder;
  LLVMPositionBuilderBefore(builder, user);
  bytes = LLVMBuildIntCast2(builder, bytes, watch->device->i64, 0, "bytes");
  LLVMValueRef given =
      is_copy ? plain_address(watch, from) : LLVMBuildIntCast2(builder, from, watch->device->i32, 0, "byte");
  LLVMValueRef arguments[] = {plain_address(watch, to), given, bytes, place(watch, user),
                              number(watch, proved_flag(watch, user))};
  call(watch, is_copy ? watch->copy_type : watch->fill_type, is_copy ? watch->copy : watch->fill, arguments,
       5);
  LLVMInstructionEraseFromParent(user);
  return true;
}

static bool is_ours(const Watch *watch, LLVMValueRef callee) {
  if (!LLVMIsDeclaration(callee)) return is_system_function(watch->device, callee);
  return has_prefix(value_text(callee), RT_LIBRARY_PREFIX);
}

static void watch_call(const Watch *watch, LLVMValueRef user) {
  LLVMValueRef callee = LLVMGetCalledValue(user);
  if (!callee || !LLVMIsAFunction(callee) || watch_memory(watch, user, callee) || !is_ours(watch, callee))
    return;
  uint32_t at = place_of(watch->device, user);
  if (!at) return;
  LLVMPositionBuilderBefore(watch->device->builder, user);
  lane_set_place(watch->device, at);
}

static void watch_instruction(Watch *watch, LLVMValueRef instruction) {
  switch ((int)LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad: watch_load(watch, instruction); break;
  case LLVMStore: watch_store(watch, instruction); break;
  case LLVMAtomicRMW: watch_rmw(watch, instruction); break;
  case LLVMAtomicCmpXchg: watch_cas(watch, instruction); break;
  case LLVMCall: watch_call(watch, instruction); break;
  default: break;
  }
}

// The reads of hgrd_lane itself are no accesses of the program.
static bool is_of_lane(const Watch *watch, LLVMValueRef instruction) {
  if (LLVMGetInstructionOpcode(instruction) != LLVMLoad) return false;
  LLVMValueRef base = base_of(LLVMGetOperand(instruction, 0));
  if (base == watch->device->lane) return true;
  return LLVMIsAInstruction(base) && LLVMGetInstructionOpcode(base) == LLVMLoad &&
         LLVMGetOperand(base, 0) == watch->device->lane;
}

static bool is_step(const Watch *watch, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode == LLVMStore) return !is_own(LLVMGetOperand(instruction, 1));
  return opcode == LLVMLoad && !is_of_lane(watch, instruction) && !is_own(LLVMGetOperand(instruction, 0));
}

static void watch_block(Watch *watch, LLVMBasicBlockRef block) {
  watch->is_counted = NULL;
  watch->steps = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    watch->steps += is_step(watch, i);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!is_of_lane(watch, i)) watch_instruction(watch, i);
  }
}

void watch_accesses(Device *device) {
  ASSERT(device && device->module);
  ASSERT(device->lane);
  Watch watch = {.device = device};
  declare_all(&watch);
  for (LLVMValueRef f = LLVMGetFirstFunction(device->module); f; f = LLVMGetNextFunction(f)) {
    if (f == watch.load || f == watch.store || f == watch.store_wide || f == watch.count) continue;
    watch.has_proofs = proofs_are_for(device, f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      watch_block(&watch, b);
  }
}
