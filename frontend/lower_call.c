// What does a call mean in the IR? A recognised function becomes its operation (lower_known.c); memory
// intrinsics are accesses; markers vanish; an invoke ends in a branch to its normal edge or its handler. Every
// other call stays a CALL under its mangled name, a stub under "__device_stub__" and the name of its kernel.
// Soundness: intrinsics that are not known and touch memory are UNKNOWN.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/call_site.h"
#include "core/bug.h"

#include <stdlib.h>
#include <string.h>

static bool touches_no_memory(LLVMValueRef call, LLVMValueRef callee) {
  uint64_t effect = UINT64_MAX;
  return call_has_attribute(call, callee, "memory", &effect) && effect == 0;
}

static const Recognition *recognise_call(const Lower *lower, LLVMValueRef callee) {
  if (!callee || !LLVMIsAFunction(callee)) return NULL;
  if (LLVMGetIntrinsicID(callee)) return recognise_intrinsic(value_name(callee));
  return recognise_value(callee, lower->request->tools, lower->request->is_device, lower->module_scratch);
}

bool call_stops(const Lower *lower, LLVMValueRef call) {
  ASSERT(lower->request && lower->function);
  ASSERT(call);
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (call_has_attribute(call, callee, "noreturn", NULL)) return true;
  if (!lower->request->is_device || !callee) return false;
  if (LLVMIsAInlineAsm(callee)) return asm_stops(lower, callee);
  const Recognition *known = recognise_call(lower, callee);
  return known && (known->kind == REC_STOP || known->kind == REC_EXIT);
}

// ---- intrinsics of LLVM

typedef enum IntrinsicAction {
  DO_DROP,
  DO_FIRST, // is its first argument
  DO_ASSUME,
  DO_MEMCPY,
  DO_MEMSET,
  DO_OVERFLOW,
  DO_MINMAX,
  DO_ABS,
  DO_FALSE,
  DO_UNDEF
} IntrinsicAction;

typedef struct IntrinsicRule {
  const char *prefix; // without "llvm."
  IntrinsicAction action;
  uint8_t detail; // IrPred or IrOp
} IntrinsicRule;

static const IntrinsicRule intrinsic_rules[] = {
    {"dbg.", DO_DROP, 0},
    {"lifetime.", DO_DROP, 0},
    {"invariant.", DO_DROP, 0},
    {"experimental.noalias", DO_DROP, 0},
    {"var.annotation", DO_DROP, 0},
    {"prefetch", DO_DROP, 0},
    {"donothing", DO_DROP, 0},
    {"sideeffect", DO_DROP, 0},
    {"stackrestore", DO_DROP, 0},
    {"debugtrap", DO_DROP, 0},
    {"va_end", DO_DROP, 0},
    {"stacksave", DO_UNDEF, 0},
    {"expect", DO_FIRST, 0},
    {"launder.", DO_FIRST, 0},
    {"strip.", DO_FIRST, 0},
    {"ssa.copy", DO_FIRST, 0},
    {"annotation", DO_FIRST, 0},
    {"ptr.annotation", DO_FIRST, 0},
    {"threadlocal.address", DO_FIRST, 0},
    {"assume", DO_ASSUME, 0},
    {"memcpy", DO_MEMCPY, 0},
    {"memmove", DO_MEMCPY, 0},
    {"memset", DO_MEMSET, 0},
    {"sadd.with.overflow", DO_OVERFLOW, IR_ADD},
    {"uadd.with.overflow", DO_OVERFLOW, IR_ADD},
    {"ssub.with.overflow", DO_OVERFLOW, IR_SUB},
    {"usub.with.overflow", DO_OVERFLOW, IR_SUB},
    {"smul.with.overflow", DO_OVERFLOW, IR_MUL},
    {"umul.with.overflow", DO_OVERFLOW, IR_MUL},
    {"smin.", DO_MINMAX, IR_SLT},
    {"smax.", DO_MINMAX, IR_SGT},
    {"umin.", DO_MINMAX, IR_ULT},
    {"umax.", DO_MINMAX, IR_UGT},
    {"abs.", DO_ABS, 0},
    {"is.constant", DO_FALSE, 0},
};

static const IntrinsicRule *intrinsic_rule(const char *name) {
  const char *rest = name + strlen("llvm.");
  for (size_t i = 0; i < sizeof intrinsic_rules / sizeof *intrinsic_rules; i++)
    if (str_starts_with(rest, intrinsic_rules[i].prefix)) return &intrinsic_rules[i];
  return NULL;
}

static IrRef lower_assume(Lower *lower, const CallSite *site) {
  int64_t number;
  if (constant_number(call_arg(site, 0), &number)) return 0;
  IrInst inst = {.op = IR_CALL, .flags = IR_FLAG_READONLY, .name = "llvm.assume"};
  emit(lower, inst, 1, site->args);
  return 0;
}

// The pair (result, whether it overflowed), taken apart by extractvalue.
static IrRef lower_overflow(Lower *lower, const CallSite *site, IrOp op) {
  IrType type = lower_type(lower, LLVMTypeOf(call_arg(site, 0)));
  if (type.kind != IR_INT || int_is_odd(LLVMTypeOf(call_arg(site, 0))))
    return emit_unknown(lower, site->name, site->call);
  IrRef result = emit_op(lower, op, type, 2, site->args);
  IrRef overflow = emit_pure(lower, site->name, ir_type_int(1), 2, site->args);
  ptr_map_put(&lower->second_parts, site->call, overflow);
  return result;
}

static IrRef lower_memory_intrinsic(Lower *lower, const CallSite *site, IrOp op) {
  IrRef ops[] = {site->args[0], site->args[1], call_length(lower, call_arg(site, 2), site->args[2])};
  return emit_op(lower, op, ir_type_void(), 3, ops);
}

// cp.async.ca.shared.global.16(destination, source): the size is in the name.
static IrRef lower_sized_async_copy(Lower *lower, const CallSite *site, const char *size) {
  IrRef ops[] = {site->args[0], site->args[1], emit_int(lower, 64, strtol(size, NULL, 10))};
  return emit_op(lower, IR_ASYNCCOPY, ir_type_void(), 3, ops);
}

static IrRef lower_other_intrinsic(Lower *lower, const CallSite *site) {
  const char *size = strstr(site->name, "shared.global.");
  if (size && str_starts_with(site->name, "llvm.nvvm.cp.async.c") && site->count >= 2)
    return lower_sized_async_copy(lower, site, size + strlen("shared.global."));
  bool is_pure = touches_no_memory(site->call, site->callee) &&
                 !call_has_attribute(site->call, site->callee, "convergent", NULL);
  bool is_exchange = strstr(site->name, ".mma.") != NULL; // depends on the operands of other lanes
  if (is_exchange) return emit_op(lower, IR_UNDEF, site->type, 0, NULL);
  if (!is_pure) return emit_unknown(lower, site->name, site->call);
  if (site->type.kind == IR_VOID) return 0;
  const char *name = call_name_as_rounded(lower, site, recognise_name_of_library(site->name));
  return emit_pure(lower, name, site->type, site->count, site->args);
}

static IrRef lower_intrinsic(Lower *lower, const CallSite *site) {
  const IntrinsicRule *rule = intrinsic_rule(site->name);
  bool is_vector = site->type.kind == IR_BYTES;
  if (!rule || (is_vector && (rule->action == DO_MINMAX || rule->action == DO_ABS)))
    return lower_other_intrinsic(lower, site);
  switch (rule->action) {
  case DO_DROP: return 0;
  case DO_FIRST: return site->args[0];
  case DO_ASSUME: return lower_assume(lower, site);
  case DO_MEMCPY: return lower_memory_intrinsic(lower, site, IR_MEMCPY);
  case DO_MEMSET: return lower_memory_intrinsic(lower, site, IR_MEMSET);
  case DO_OVERFLOW: return lower_overflow(lower, site, (IrOp)rule->detail);
  case DO_MINMAX: return lower_min_max(lower, site, (IrPred)rule->detail);
  case DO_ABS: return lower_abs(lower, site);
  case DO_FALSE: return emit_int(lower, 1, 0);
  case DO_UNDEF: break;
  }
  return emit_op(lower, IR_UNDEF, site->type, 0, NULL);
}

// ---- calls

static IrRef lower_function_call(Lower *lower, const CallSite *site) {
  const Recognition *known = recognise_call(lower, site->callee);
  if (known) return lower_recognised(lower, site, known);
  bool is_function = site->callee && LLVMIsAFunction(site->callee);
  if (is_function && LLVMGetIntrinsicID(site->callee)) return lower_intrinsic(lower, site);
  bool is_pure = is_function && LLVMIsDeclaration(site->callee) && site->type.kind != IR_VOID &&
                 touches_no_memory(site->call, site->callee) &&
                 !call_has_attribute(site->call, site->callee, "convergent", NULL);
  if (is_pure) return emit_pure(lower, site->name, site->type, site->count, site->args);
  return emit_plain_call(lower, site);
}

static void jump_to(Lower *lower, LLVMBasicBlockRef target) {
  uint32_t next = 0;
  BUG_UNLESS(ptr_map_get(&lower->blocks, target, &next));
  emit(lower, (IrInst){.op = IR_BR, .block_count = 1, .blocks = &next}, 0, NULL);
}

// The handler of a call, if exceptions are followed there.
static LLVMBasicBlockRef handler_of(const Lower *lower, LLVMValueRef call) {
  if (LLVMGetInstructionOpcode(call) != LLVMInvoke) return NULL;
  LLVMBasicBlockRef handler = LLVMGetUnwindDest(call);
  return ptr_map_get(&lower->blocks, handler, NULL) ? handler : NULL;
}

// On to the next block, or to the handler: nothing says which.
static void end_invoke(Lower *lower, LLVMValueRef call) {
  LLVMBasicBlockRef handler = handler_of(lower, call);
  uint32_t targets[2] = {0};
  if (!handler) {
    jump_to(lower, LLVMGetNormalDest(call));
    return;
  }
  BUG_UNLESS(ptr_map_get(&lower->blocks, LLVMGetNormalDest(call), &targets[0]) &&
             ptr_map_get(&lower->blocks, handler, &targets[1]));
  IrRef way = emit_op(lower, IR_UNDEF, ir_type_int(1), 0, NULL);
  emit(lower, (IrInst){.op = IR_CONDBR, .block_count = 2, .blocks = targets}, 1, &way);
}

static void end_block(Lower *lower, const CallSite *site) {
  LLVMBasicBlockRef handler = handler_of(lower, site->call);
  lower->ended = true;
  if (handler) {
    jump_to(lower, handler);
    return;
  }
  const Recognition *known = lower->request->is_device ? recognise_call(lower, site->callee) : NULL;
  bool exits = known ? known->kind == REC_EXIT
                     : site->callee && LLVMIsAInlineAsm(site->callee) && asm_exits(lower, site->callee);
  bool is_return = exits && lower->function->result.kind == IR_VOID;
  emit_op(lower, is_return ? IR_RET : IR_UNREACHABLE, ir_type_void(), 0, NULL);
}

static bool is_marker(LLVMValueRef callee) { // of debug information: has no operands that are values
  return LLVMIsAFunction(callee) && str_starts_with(value_name(callee), "llvm.dbg.");
}

void lower_call(Lower *lower, LLVMValueRef call) {
  ASSERT(lower->request && lower->function);
  ASSERT(call);
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (is_marker(callee)) return;
  if (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee);
  CallSite site = {.call = call, .callee = callee, .count = LLVMGetNumArgOperands(call)};
  site.name = LLVMIsAFunction(callee) ? value_name(callee) : "";
  site.type = lower_type(lower, LLVMTypeOf(call));
  site.args = arena_array(lower->scratch, site.count + 1, IrRef);
  bool stops = call_stops(lower, call);
  bool is_silent = stops && lower->request->is_device;
  for (uint32_t i = 0; i < site.count && !is_silent; i++)
    site.args[i] = lower_value(lower, call_arg(&site, i));
  if (LLVMIsAInlineAsm(callee) && !is_silent) {
    lower_asm(lower, call);
  } else if (!is_silent) {
    IrRef result = lower_function_call(lower, &site);
    if (result) lower_set(lower, call, result);
  }
  if (stops) {
    end_block(lower, &site);
  } else if (LLVMGetInstructionOpcode(call) == LLVMInvoke) {
    end_invoke(lower, call);
  }
}
