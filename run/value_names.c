// What is a value of LLVM called? Names are read in many places, here in one form: without a name, the empty text. Soundness: no bearing.
// SPDX-License-Identifier: Apache-2.0
#include "run/internal.h"
#include "core/bug.h"

const char *value_text(LLVMValueRef value) {
  ASSERT(value);
  size_t length = 0;
  const char *name = LLVMGetValueName2(value, &length);
  return name ? name : "";
}

bool has_prefix(const char *text, const char *prefix) {
  ASSERT(text);
  ASSERT(prefix);
  return str_starts_with(text, prefix);
}
