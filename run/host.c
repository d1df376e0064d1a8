// Where does the host side launch? In front of each call that begins a launch stands one that says file and line, taken from the debug
// location, of the user's text. The rest of the host side stays as clang made it. main itself is left alone: the machine starts with the
// program, by a constructor. Managed variables become the device's.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <string.h>

static bool begins_launch(const char *name) {
  static const char *const names[] = {"__cudaPushCallConfiguration",
                                      "cudaLaunchKernel",
                                      "cudaLaunchCooperativeKernel",
                                      "cudaLaunchKernelExC",
                                      "cudaGraphLaunch",
                                      "cuLaunchKernel",
                                      "cudaLaunchCooperativeKernelMultiDevice"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

typedef struct HostMarks {
  Device *device;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef mark;
  LLVMTypeRef mark_type;
} HostMarks;

static void mark_launch(HostMarks *marks, LLVMValueRef call) {
  uint32_t number = place_of(marks->device, call);
  if (!number) return;
  const DevicePlace *place = &marks->device->places.items[number];
  LLVMPositionBuilderBefore(marks->builder, call);
  LLVMValueRef arguments[] = {LLVMBuildGlobalStringPtr(marks->builder, place->file, ".file"),
                              LLVMConstInt(LLVMInt32TypeInContext(marks->device->context), place->line, 0)};
  LLVMValueRef made = LLVMBuildCall2(marks->builder, marks->mark_type, marks->mark, arguments, 2, "");
  LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(call));
}

static void mark_launches(Device *device, LLVMModuleRef module) {
  LLVMTypeRef params[] = {LLVMPointerTypeInContext(device->context, 0),
                          LLVMInt32TypeInContext(device->context)};
  HostMarks marks = {.device = device, .module = module, .builder = device->builder};
  marks.mark_type = LLVMFunctionType(LLVMVoidTypeInContext(device->context), params, 2, 0);
  marks.mark = LLVMAddFunction(module, "hgrd_launch_from", marks.mark_type);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    bool is_stub = strstr(value_text(f), "__device_stub__") != NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && !is_stub; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        bool is_call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
        LLVMValueRef callee = is_call ? LLVMGetCalledValue(i) : NULL;
        if (callee && LLVMIsAFunction(callee) && begins_launch(value_text(callee))) mark_launch(&marks, i);
      }
  }
}

// A __managed__ variable is one for both sides: the device's, whose name the host's takes. Weak, with the bytes that it had, for the
// case that no device code has it.
static void share_managed(Device *device, LLVMModuleRef module, uint32_t unit) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g) || !is_managed(g)) continue;
    const char *linked = managed_name(device, g, unit);
    LLVMSetValueName2(g, linked, strlen(linked));
    LLVMSetSection(g, "");
    LLVMSetLinkage(g, LLVMWeakAnyLinkage);
    if (LLVMIsUndef(LLVMGetInitializer(g))) LLVMSetInitializer(g, LLVMConstNull(LLVMGlobalGetValueType(g)));
  }
}

static bool defines(LLVMModuleRef module, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  return function && !LLVMIsDeclaration(function);
}

bool host_prepare(Device *device, uint32_t unit, const StrBuf *bitcode, const char *path,
                  const char *out_path, bool *defines_main) {
  ASSERT(path);
  ASSERT(out_path);
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRange(strbuf_text(bitcode), bitcode->length, path, 0);
  LLVMModuleRef module = NULL;
  bool failed = LLVMParseBitcodeInContext2(device->context, buffer, &module);
  LLVMDisposeMemoryBuffer(buffer);
  if (failed) {
    diag_report(device->sink, DIAG_ERROR, NULL, "%s: the bitcode of clang cannot be read (%s)", path,
                strbuf_text(&device->messages));
    return false;
  }
  device->host_triple = arena_strdup(device->arena, LLVMGetTarget(module));
  device->host_layout = arena_strdup(device->arena, LLVMGetDataLayoutStr(module));
  if (defines(module, "main")) *defines_main = true;
  mark_launches(device, module);
  share_managed(device, module, unit);
  failed = LLVMWriteBitcodeToFile(module, out_path) != 0;
  LLVMDisposeModule(module);
  if (failed) diag_report(device->sink, DIAG_ERROR, NULL, "cannot write %s: is there room?", out_path);
  return !failed;
}
