// How does code know which thread it is? By hgrd_lane, a pointer to the fields of rt/code.h; the machine sets it when it goes on with
// a thread, which happens only inside calls of the machine. A function reads it once: all of a call is one thread's.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

void lane_declare(Device *device) {
  ASSERT(device && device->module);
  ASSERT(!device->lane);
  device->i8 = LLVMInt8TypeInContext(device->context);
  device->i32 = LLVMInt32TypeInContext(device->context);
  device->i64 = LLVMInt64TypeInContext(device->context);
  device->pointer = LLVMPointerTypeInContext(device->context, 0);
  LLVMTypeRef three = LLVMArrayType2(device->i32, 3);
  LLVMTypeRef fields[] = {device->pointer, device->pointer, three,       three,      three,
                          three,           device->i32,     device->i32, device->i32};
  device->lane_type = LLVMStructTypeInContext(device->context, fields, sizeof fields / sizeof *fields, 0);
  device->lane = LLVMAddGlobal(device->module, device->pointer, "hgrd_lane");
}

static bool is_lane(const Device *device, LLVMValueRef instruction) {
  return LLVMGetInstructionOpcode(instruction) == LLVMLoad && LLVMGetOperand(instruction, 0) == device->lane;
}

// Behind the locals of the function, which may grow in number.
LLVMValueRef lane_here(Device *device) {
  ASSERT(device && device->lane);
  LLVMBasicBlockRef here = LLVMGetInsertBlock(device->builder);
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here)));
  while (at && LLVMIsAAllocaInst(at))
    at = LLVMGetNextInstruction(at);
  if (at && is_lane(device, at)) return at;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(device->context);
  LLVMPositionBuilderBefore(builder, at);
  LLVMValueRef lane = LLVMBuildLoad2(builder, device->pointer, device->lane, "lane");
  LLVMDisposeBuilder(builder);
  return lane;
}

LLVMValueRef lane_field(Device *device, LLVMValueRef lane, uint32_t field) {
  ASSERT(lane);
  return LLVMBuildStructGEP2(device->builder, device->lane_type, lane, field, "field");
}

// What is of the thread as long as it lives: no store of its changes it.
static LLVMValueRef fixed(Device *device, LLVMValueRef load) {
  LLVMMetadataRef none = LLVMMDNodeInContext2(device->context, NULL, 0);
  LLVMSetMetadata(load, LLVMGetMDKindIDInContext(device->context, "invariant.load", 14),
                  LLVMMetadataAsValue(device->context, none));
  return load;
}

LLVMValueRef lane_word(Device *device, uint32_t field, uint32_t index) {
  ASSERT(device && device->lane_type);
  LLVMValueRef at = LLVMConstInt(device->i64, index, 0);
  LLVMValueRef words = lane_field(device, lane_here(device), field);
  LLVMValueRef word = LLVMBuildInBoundsGEP2(device->builder, device->i32, words, &at, 1, "at");
  return fixed(device, LLVMBuildLoad2(device->builder, device->i32, word, "word"));
}

LLVMValueRef lane_pointer(Device *device, uint32_t field) {
  ASSERT(device && device->lane_type);
  LLVMValueRef address = lane_field(device, lane_here(device), field);
  return fixed(device, LLVMBuildLoad2(device->builder, device->pointer, address, "base"));
}

void lane_set_place(Device *device, uint32_t place) {
  ASSERT(device);
  ASSERT(place < device->places.count);
  LLVMBuildStore(device->builder, LLVMConstInt(device->i32, place, 0),
                 lane_field(device, lane_here(device), RT_FIELD_PLACE));
}
