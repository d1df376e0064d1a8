// Which functions of the C++ library are seen with a text that nobody will compile again? The members of std::string and of streams
// of characters are instantiated in the library itself; clang keeps their text to have something to inline. They work on memory of
// their own by addresses out of their objects, which to the host scan might lead anywhere. So they become calls without a text,
// of which hostscan/syntax/calls.c says what the library promises. Method: by linkage, of functions whose names are in std.
// Soundness: as of every function of the library that is known by its name. How long a string is, and what is in it, is not known then.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/internal.h"
#include "core/bug.h"

#include <string.h>

// Strings, their streams and buffers: a const member of a facet (`num_get::get`) writes to what it is given.
static bool is_const_of_strings(const char *name) {
  static const char class_name[] = "_ZNKSt7__cxx11"; // and the length of the class's name, two digits
  return str_starts_with(name, class_name) && strlen(name) > sizeof class_name + 1 &&
         str_starts_with(name + sizeof class_name + 1, "basic_");
}

static bool is_compiled_already(LLVMValueRef function) {
  const char *name = value_name(function);
  bool is_std = str_starts_with(name, "_ZNSt") || is_const_of_strings(name) ||
                str_starts_with(name, "_ZSt") || str_starts_with(name, "_ZNSi") ||
                str_starts_with(name, "_ZNSo");
  return is_std && LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

// A function without a text of the same name in its place.
static void take_text(LLVMModuleRef module, LLVMValueRef function, Arena *scratch) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  name = arena_strndup(scratch, name, length);
  LLVMValueRef made = LLVMAddFunction(module, "", LLVMGlobalGetValueType(function));
  LLVMReplaceAllUsesWith(function, made);
  LLVMDeleteFunction(function);
  LLVMSetValueName2(made, name, length);
}

void compiled_functions_are_calls(LLVMModuleRef module) {
  ASSERT(module);
  Arena *scratch = arena_open();
  LLVMValueRef next = NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!LLVMIsDeclaration(f) && is_compiled_already(f)) take_text(module, f, scratch);
  }
  arena_close(scratch);
}
