// When does an access need no call? Each has a site (rt/code.h) where the machine leaves the bytes that it may touch without being told: those of
// the object that it found there last. The test of it is a small function of the module that LLVM puts in line: it counts the step,
// notes the place, and goes to the machine for all else. So what is proved, and what nobody watches, costs some instructions.
// Sound as the machine alone fills a site, and empties all of them before anything changes that they stand for (rt/machine/sites.c).
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <string.h>

enum { MOST_PARAMS = 8, LIKELY = 1000 };

LLVMValueRef site_new(Device *device) {
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

static void build_test(Device *device, LLVMValueRef guard, LLVMValueRef site, LLVMValueRef lane,
                       LLVMBasicBlockRef slow) {
  LLVMBuilderRef builder = device->builder;
  LLVMBasicBlockRef fast = LLVMAppendBasicBlockInContext(device->context, guard, "fast");
  LLVMValueRef address = LLVMBuildPtrToInt(builder, LLVMGetParam(guard, 0), device->i64, "address");
  LLVMValueRef offset = LLVMBuildSub(builder, address, site_word(device, site, RT_SITE_LOW), "offset");
  LLVMValueRef is_free =
      LLVMBuildICmp(builder, LLVMIntULT, offset, site_word(device, site, RT_SITE_FREE), "free");
  LLVMValueRef budget = lane_field(device, lane, RT_FIELD_BUDGET);
  LLVMValueRef left = LLVMBuildSub(builder, LLVMBuildLoad2(builder, device->i32, budget, "budget"),
                                   LLVMConstInt(device->i32, 1, 0), "left");
  LLVMValueRef goes_on = LLVMBuildICmp(builder, LLVMIntNE, left, LLVMConstInt(device->i32, 0, 0), "goes_on");
  expect_first(device, LLVMBuildCondBr(builder, LLVMBuildAnd(builder, is_free, goes_on, "fast"), fast, slow));
  LLVMPositionBuilderAtEnd(builder, fast);
  LLVMBuildStore(builder, left, budget);
  LLVMBuildStore(builder, LLVMGetParam(guard, RT_PLACE_PARAM), lane_field(device, lane, RT_FIELD_LAST));
  LLVMBuildRetVoid(builder);
}

// A function with the parameters of `slow`, of which the last is the site, and the lane behind them.
LLVMValueRef guard_make(Device *device, const char *name, LLVMValueRef slow, LLVMTypeRef *type) {
  ASSERT(name);
  ASSERT(slow);
  LLVMTypeRef params[MOST_PARAMS], slow_type = LLVMGlobalGetValueType(slow);
  LLVMValueRef arguments[MOST_PARAMS];
  unsigned count = LLVMCountParamTypes(slow_type);
  LLVMGetParamTypes(slow_type, params);
  params[count] = device->pointer;
  *type = LLVMFunctionType(LLVMVoidTypeInContext(device->context), params, count + 1, 0);
  LLVMValueRef guard = LLVMAddFunction(device->module, name, *type);
  always_inline(device, guard);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetParam(guard, i);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(device->context, guard, "entry");
  LLVMBasicBlockRef call = LLVMAppendBasicBlockInContext(device->context, guard, "slow");
  LLVMPositionBuilderAtEnd(device->builder, entry);
  build_test(device, guard, arguments[count - 1], LLVMGetParam(guard, count), call);
  LLVMPositionBuilderAtEnd(device->builder, call);
  LLVMBuildCall2(device->builder, slow_type, slow, arguments, count, "");
  LLVMBuildRetVoid(device->builder);
  return guard;
}
