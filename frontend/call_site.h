// A call that is being lowered, and what lower_call.c and lower_known.c share of it.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_CALL_SITE_H
#define HGRD_FRONTEND_CALL_SITE_H

#include "frontend/lower.h"

typedef struct CallSite {
  LLVMValueRef call, callee;
  const char *name; // of the callee, "" if it is a value
  uint32_t count;   // arguments
  IrRef *args;
  IrType type;
} CallSite;

static inline LLVMValueRef call_arg(const CallSite *site, uint32_t index) {
  return LLVMGetOperand(site->call, index);
}

// lower_known.c
// An attribute of the call or of the function that it calls; `value` may be NULL.
bool call_has_attribute(LLVMValueRef call, LLVMValueRef callee, const char *name, uint64_t *value);
IrRef call_length(Lower *lower, LLVMValueRef value, IrRef ref); // of a copy, in 64 bits
const char *call_name_as_rounded(Lower *lower, const CallSite *site, const char *name);
IrRef emit_plain_call(Lower *lower, const CallSite *site); // a call of the name that the callee has in the IR
IrRef lower_min_max(Lower *lower, const CallSite *site, IrPred pred);
IrRef lower_abs(Lower *lower, const CallSite *site);
IrRef lower_recognised(Lower *lower, const CallSite *site, const Recognition *known);

#endif
