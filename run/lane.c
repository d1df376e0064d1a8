// How does code know which thread it is? By hgrd_lane, a pointer to the fields of rt/code.h; the machine sets it when it goes on with
// a thread, which happens only inside calls of the machine.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"

void lane_declare(Device *device) {
  device->i8 = LLVMInt8TypeInContext(device->context);
  device->i32 = LLVMInt32TypeInContext(device->context);
  device->i64 = LLVMInt64TypeInContext(device->context);
  device->pointer = LLVMPointerTypeInContext(device->context, 0);
  LLVMTypeRef three = LLVMArrayType2(device->i32, 3);
  LLVMTypeRef fields[] = {device->pointer, device->pointer, three, three, three, three, device->i32};
  device->lane_type = LLVMStructTypeInContext(device->context, fields, sizeof fields / sizeof *fields, 0);
  device->lane = LLVMAddGlobal(device->module, device->pointer, "hgrd_lane");
}

static LLVMValueRef field_address(Device *device, uint32_t field, uint32_t index) {
  LLVMValueRef lane = LLVMBuildLoad2(device->builder, device->pointer, device->lane, "lane");
  LLVMValueRef at[] = {LLVMConstInt(device->i32, 0, 0), LLVMConstInt(device->i32, field, 0),
                       LLVMConstInt(device->i32, index, 0)};
  bool is_array = field >= RT_FIELD_THREAD && field <= RT_FIELD_GRID_SIZE;
  return LLVMBuildInBoundsGEP2(device->builder, device->lane_type, lane, at, is_array ? 3 : 2, "field");
}

LLVMValueRef lane_word(Device *device, uint32_t field, uint32_t index) {
  return LLVMBuildLoad2(device->builder, device->i32, field_address(device, field, index), "word");
}

LLVMValueRef lane_pointer(Device *device, uint32_t field) {
  return LLVMBuildLoad2(device->builder, device->pointer, field_address(device, field, 0), "base");
}

void lane_set_place(Device *device, uint32_t place) {
  LLVMBuildStore(device->builder, LLVMConstInt(device->i32, place, 0),
                 field_address(device, RT_FIELD_PLACE, 0));
}
