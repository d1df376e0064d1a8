// What LLVM 18's C API lacks that LLVM 19's has; nothing with LLVM 19. Debug information is in calls there,
// which is what the lowering reads. Its C API has no names for the two operations that wrap (uinc_wrap,
// udec_wrap) and must not be asked for them: the text of the instruction says what it is, and it is not
// understood.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_LLVM_BEFORE_H
#define HGRD_FRONTEND_LLVM_BEFORE_H

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>
#include <stdbool.h>
#include <string.h>

#if LLVM_VERSION_MAJOR < 19
static inline void LLVMSetIsNewDbgInfoFormat(LLVMModuleRef module, LLVMBool is_new) {
  (void)module;
  (void)is_new;
}
static inline bool has_nameless_operation(LLVMValueRef instruction) {
  char *text = LLVMPrintValueToString(instruction);
  bool is_nameless = strstr(text, " uinc_wrap ") || strstr(text, " udec_wrap ");
  LLVMDisposeMessage(text);
  return is_nameless;
}
#else
static inline bool has_nameless_operation(LLVMValueRef instruction) {
  (void)instruction;
  return false;
}
#endif

#endif
