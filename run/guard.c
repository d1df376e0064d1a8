// When does an access need no call? Each has a site (rt/code.h) where the machine leaves the bytes that it may touch without being told: those of
// the object that it found there last. The test of it is a small function of the module that LLVM puts in line: it notes the place, and
// goes to the machine for all else. Steps are counted for all accesses of a basic block at once, in front of the first; where so many are
// not left, none is, and the machine counts each. So what is proved, and what nobody watches, costs some instructions.
// Sound as the machine alone fills a site, and empties all of them before anything changes that they stand for (rt/machine/sites.c).
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <string.h>

enum { MOST_PARAMS = 9, LIKELY = 1000 };

LLVMValueRef site_new(Device *device) {
  ASSERT(device && device->module);
  LLVMTypeRef fields[] = {device->i64, device->i64, device->i64};
  LLVMTypeRef type = LLVMStructTypeInContext(device->context, fields, sizeof fields / sizeof *fields, 0);
  LLVMValueRef site = LLVMAddGlobal(device->module, type, "hgrd_site");
  LLVMSetInitializer(site, LLVMConstNull(type));
  LLVMSetLinkage(site, LLVMPrivateLinkage);
  return site;
}

static LLVMValueRef site_word(Device *device, LLVMValueRef site, uint32_t field) {
  LLVMValueRef at = LLVMConstInt(device->i64, field, 0);
  LLVMValueRef address = LLVMBuildInBoundsGEP2(device->builder, device->i64, site, &at, 1, "at");
  return LLVMBuildLoad2(device->builder, device->i64, address, "word");
}

static void always_inline(Device *device, LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", strlen("alwaysinline"));
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(device->context, kind, 0));
}

static void expect_first(Device *device, LLVMValueRef branch) {
  LLVMMetadataRef operands[] = {LLVMMDStringInContext2(device->context, "branch_weights", 14),
                                LLVMValueAsMetadata(LLVMConstInt(device->i32, LIKELY, 0)),
                                LLVMValueAsMetadata(LLVMConstInt(device->i32, 1, 0))};
  LLVMMetadataRef node = LLVMMDNodeInContext2(device->context, operands, 3);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(device->context, "prof", 4),
                  LLVMMetadataAsValue(device->context, node));
}

// i1 (lane, steps): are so many steps left, and one more? Then they are taken.
LLVMValueRef count_make(Device *device, const char *name, LLVMTypeRef *type) {
  ASSERT(name);
  LLVMBuilderRef builder = device->builder;
  LLVMTypeRef params[] = {device->pointer, device->i32}, bit = LLVMInt1TypeInContext(device->context);
  *type = LLVMFunctionType(bit, params, 2, 0);
  LLVMValueRef count = LLVMAddFunction(device->module, name, *type);
  always_inline(device, count);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(device->context, count, "entry");
  LLVMBasicBlockRef taken = LLVMAppendBasicBlockInContext(device->context, count, "taken");
  LLVMBasicBlockRef few = LLVMAppendBasicBlockInContext(device->context, count, "few");
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMValueRef field = lane_field(device, LLVMGetParam(count, 0), RT_FIELD_BUDGET);
  LLVMValueRef budget = LLVMBuildLoad2(builder, device->i32, field, "budget"), steps = LLVMGetParam(count, 1);
  LLVMValueRef is_enough = LLVMBuildICmp(builder, LLVMIntUGT, budget, steps, "enough");
  expect_first(device, LLVMBuildCondBr(builder, is_enough, taken, few));
  LLVMPositionBuilderAtEnd(builder, taken);
  LLVMBuildStore(builder, LLVMBuildSub(builder, budget, steps, "left"), field);
  LLVMBuildRet(builder, LLVMConstInt(bit, 1, 0));
  LLVMPositionBuilderAtEnd(builder, few);
  LLVMBuildRet(builder, LLVMConstInt(bit, 0, 0));
  return count;
}

static void build_test(Device *device, LLVMValueRef guard, LLVMValueRef site, LLVMValueRef lane,
                       LLVMValueRef is_counted, LLVMBasicBlockRef slow) {
  LLVMBuilderRef builder = device->builder;
  LLVMBasicBlockRef fast = LLVMAppendBasicBlockInContext(device->context, guard, "fast");
  LLVMValueRef address = LLVMBuildPtrToInt(builder, LLVMGetParam(guard, 0), device->i64, "address");
  LLVMValueRef offset = LLVMBuildSub(builder, address, site_word(device, site, RT_SITE_LOW), "offset");
  LLVMValueRef is_free =
      LLVMBuildICmp(builder, LLVMIntULT, offset, site_word(device, site, RT_SITE_FREE), "free");
  LLVMValueRef goes_on = LLVMBuildSelect(builder, is_counted, is_free, is_counted, "goes_on");
  expect_first(device, LLVMBuildCondBr(builder, goes_on, fast, slow));
  LLVMPositionBuilderAtEnd(builder, fast);
  LLVMBuildStore(builder, LLVMGetParam(guard, RT_PLACE_PARAM), lane_field(device, lane, RT_FIELD_LAST));
  LLVMBuildRetVoid(builder);
}

static LLVMValueRef flags_with(Device *device, LLVMValueRef flags, LLVMValueRef is_counted) {
  LLVMValueRef counted = LLVMConstInt(device->i32, RT_COUNTED, 0);
  LLVMValueRef more = LLVMBuildOr(device->builder, flags, counted, "more");
  return LLVMBuildSelect(device->builder, is_counted, more, flags, "flags");
}

// A function with the parameters of `slow`, of which the last is the site, and behind them the lane and whether the step is counted.
LLVMValueRef guard_make(Device *device, const char *name, LLVMValueRef slow, LLVMTypeRef *type) {
  ASSERT(name);
  ASSERT(slow);
  LLVMTypeRef params[MOST_PARAMS], slow_type = LLVMGlobalGetValueType(slow);
  LLVMValueRef arguments[MOST_PARAMS];
  unsigned count = LLVMCountParamTypes(slow_type);
  LLVMGetParamTypes(slow_type, params);
  params[count] = device->pointer;
  params[count + 1] = LLVMInt1TypeInContext(device->context);
  *type = LLVMFunctionType(LLVMVoidTypeInContext(device->context), params, count + 2, 0);
  LLVMValueRef guard = LLVMAddFunction(device->module, name, *type);
  always_inline(device, guard);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetParam(guard, i);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(device->context, guard, "entry");
  LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(device->context, guard, "slow");
  LLVMPositionBuilderAtEnd(device->builder, entry);
  LLVMValueRef is_counted = LLVMGetParam(guard, count + 1);
  build_test(device, guard, arguments[count - 1], LLVMGetParam(guard, count), is_counted, call);
  LLVMPositionBuilderAtEnd(device->builder, call);
  arguments[RT_FLAGS_PARAM] = flags_with(device, arguments[RT_FLAGS_PARAM], is_counted);
  LLVMBuildCall2(device->builder, slow_type, slow, arguments, count, "");
  LLVMBuildRetVoid(device->builder);
  return guard;
}
