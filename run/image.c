// What does the host side find of the device side? Writes hgrd_image (rt/machine.h): a function for each kernel that takes its arguments
// from an array of addresses, the tables of kernels and variables by unit and name, and the places that code speaks of by number.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "rt/machine.h"
#include "core/bug.h"

#include <string.h>

static LLVMValueRef text(Device *device, const char *string) {
  if (!string) return LLVMConstNull(device->pointer);
  LLVMValueRef bytes = LLVMConstStringInContext2(device->context, string, strlen(string), 0);
  LLVMValueRef global = LLVMAddGlobal(device->module, LLVMTypeOf(bytes), "hgrd_text");
  LLVMSetInitializer(global, bytes);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return global;
}

// The same text once: places have few.
typedef struct TextMemo {
  VEC(const char *) keys;
  VEC(LLVMValueRef) values;
} TextMemo;

static LLVMValueRef text_once(Device *device, TextMemo *memo, const char *string) {
  for (uint32_t i = 0; string && i < memo->keys.count; i++)
    if (memo->keys.items[i] == string) return memo->values.items[i];
  LLVMValueRef made = text(device, string);
  if (string) {
    vec_push(device->arena, &memo->keys, string);
    vec_push(device->arena, &memo->values, made);
  }
  return made;
}

static LLVMValueRef word(Device *device, uint64_t value) {
  return LLVMConstInt(device->i32, value, 0);
}

static LLVMValueRef row(Device *device, LLVMValueRef *fields, unsigned count) {
  return LLVMConstStructInContext(device->context, fields, count, 0);
}

static LLVMValueRef table(Device *device, const char *name, LLVMValueRef *rows, uint32_t count) {
  if (count == 0) return LLVMConstNull(device->pointer);
  LLVMValueRef array = LLVMConstArray2(LLVMTypeOf(rows[0]), rows, count);
  LLVMValueRef global = LLVMAddGlobal(device->module, LLVMTypeOf(array), name);
  LLVMSetInitializer(global, array);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  return global;
}

// ---- kernels

static LLVMAttributeRef by_value(LLVMValueRef function, unsigned index) {
  return LLVMGetEnumAttributeAtIndex(function, index + 1,
                                     LLVMGetEnumAttributeKindForName("byval", strlen("byval")));
}

static LLVMTypeRef argument_type(LLVMValueRef function, unsigned index) {
  LLVMAttributeRef attribute = by_value(function, index);
  return attribute ? LLVMGetTypeAttributeValue(attribute) : LLVMTypeOf(LLVMGetParam(function, index));
}

static LLVMValueRef argument_value(Device *device, LLVMValueRef kernel, unsigned index, LLVMValueRef list) {
  LLVMValueRef at = LLVMConstInt(device->i64, index, 0);
  LLVMValueRef slot = LLVMBuildInBoundsGEP2(device->builder, device->pointer, list, &at, 1, "slot");
  LLVMValueRef address = LLVMBuildLoad2(device->builder, device->pointer, slot, "address");
  if (by_value(kernel, index)) return address;
  LLVMValueRef value = LLVMBuildLoad2(device->builder, argument_type(kernel, index), address, "argument");
  LLVMSetAlignment(value, 1);
  return value;
}

static void copy_by_value(LLVMValueRef kernel, LLVMValueRef call, unsigned index) {
  static const char *const names[] = {"byval", "align"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
        kernel, index + 1, LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])));
    if (attribute && by_value(kernel, index)) LLVMAddCallSiteAttribute(call, index + 1, attribute);
  }
}

static LLVMValueRef entry_of(Device *device, LLVMValueRef kernel) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(device->context), &device->pointer, 1, 0);
  LLVMValueRef entry =
      LLVMAddFunction(device->module, arena_printf(device->arena, "hgrd_run.%s", value_text(kernel)), type);
  LLVMPositionBuilderAtEnd(device->builder, LLVMAppendBasicBlockInContext(device->context, entry, "entry"));
  unsigned count = LLVMCountParams(kernel);
  LLVMValueRef *arguments = arena_array(device->arena, count + 1, LLVMValueRef);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = argument_value(device, kernel, i, LLVMGetParam(entry, 0));
  LLVMValueRef call =
      LLVMBuildCall2(device->builder, LLVMGlobalGetValueType(kernel), kernel, arguments, count, "");
  for (unsigned i = 0; i < count; i++)
    copy_by_value(kernel, call, i);
  LLVMBuildRetVoid(device->builder);
  return entry;
}

static LLVMValueRef argument_table(Device *device, LLVMValueRef kernel) {
  unsigned count = LLVMCountParams(kernel);
  LLVMValueRef *rows = arena_array(device->arena, count + 1, LLVMValueRef);
  for (unsigned i = 0; i < count; i++)
    rows[i] = word(device, LLVMABISizeOfType(device->layout, argument_type(kernel, i)));
  return table(device, "hgrd_arguments", rows, count);
}

static LLVMValueRef kernel_row(Device *device, uint32_t which) {
  const DeviceKernel *kernel = &device->kernels.items[which];
  LLVMValueRef function = LLVMGetNamedFunction(device->module, kernel->linked);
  const char *file;
  uint32_t line;
  function_place(device, function, &file, &line);
  LLVMValueRef fields[] = {text(device, kernel->name),
                           text(device, function_text(device, function)),
                           word(device, kernel->unit),
                           word(device, LLVMCountParams(function)),
                           argument_table(device, function),
                           LLVMConstInt(device->i64, device->kernel_shared.items[which], 0),
                           word(device, kernel->max_threads),
                           word(device, line),
                           text(device, file),
                           entry_of(device, function)};
  return row(device, fields, sizeof fields / sizeof *fields);
}

static LLVMValueRef kernels(Device *device) {
  LLVMValueRef *rows = arena_array(device->arena, device->kernels.count + 1, LLVMValueRef);
  for (uint32_t i = 0; i < device->kernels.count; i++)
    rows[i] = kernel_row(device, i);
  return table(device, "hgrd_kernels", rows, device->kernels.count);
}

// ---- variables

static LLVMValueRef variables(Device *device, uint32_t *count) {
  enum { SPACE_CONSTANT = 4 };
  LLVMValueRef *rows = arena_array(device->arena, device->variables.count + 1, LLVMValueRef);
  *count = 0;
  for (uint32_t i = 0; i < device->variables.count; i++) {
    const DeviceVariable *variable = &device->variables.items[i];
    LLVMValueRef global = LLVMGetNamedGlobal(device->module, variable->linked);
    if (!global || LLVMIsDeclaration(global)) continue;
    bool is_constant = LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == SPACE_CONSTANT;
    if (is_constant) LLVMSetGlobalConstant(global, 0); // the host writes it
    LLVMValueRef address = LLVMConstAddrSpaceCast(global, device->pointer);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 0) address = global;
    LLVMSetExternallyInitialized(global, 0);
    LLVMValueRef fields[] = {
        text(device, variable->name), word(device, variable->unit), LLVMConstInt(device->i8, is_constant, 0),
        address,
        LLVMConstInt(device->i64, LLVMABISizeOfType(device->layout, LLVMGlobalGetValueType(global)), 0)};
    rows[(*count)++] = row(device, fields, sizeof fields / sizeof *fields);
  }
  return table(device, "hgrd_variables", rows, *count);
}

// ---- places

static LLVMValueRef places(Device *device) {
  TextMemo memo = {0};
  LLVMValueRef *rows = arena_array(device->arena, device->places.count + 1, LLVMValueRef);
  for (uint32_t i = 0; i < device->places.count; i++) {
    const DevicePlace *place = &device->places.items[i];
    LLVMValueRef fields[] = {text_once(device, &memo, place->file), text_once(device, &memo, place->function),
                             text_once(device, &memo, place->path), word(device, place->line),
                             word(device, place->column)};
    rows[i] = row(device, fields, sizeof fields / sizeof *fields);
  }
  return table(device, "hgrd_places", rows, device->places.count);
}

void image_write(Device *device) {
  ASSERT(device && device->module);
  ASSERT(device->kernel_shared.count == device->kernels.count);
  uint32_t variable_count;
  LLVMValueRef kernel_table = kernels(device), variable_table = variables(device, &variable_count),
               place_table = places(device);
  LLVMValueRef fields[] = {word(device, RT_IMAGE_VERSION),
                           word(device, device->kernels.count),
                           word(device, variable_count),
                           word(device, device->places.count),
                           kernel_table,
                           variable_table,
                           place_table};
  LLVMValueRef value = row(device, fields, sizeof fields / sizeof *fields);
  LLVMValueRef image = LLVMAddGlobal(device->module, LLVMTypeOf(value), "hgrd_image");
  LLVMSetInitializer(image, value);
  LLVMSetGlobalConstant(image, 1);
}
