// Shared by ir_verify.c (modules, functions, blocks, uses) and ir_verify_inst.c (one instruction).
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_CORE_IR_VERIFY_H
#define HGRD_CORE_IR_VERIFY_H

#include "core/cfg.h"
#include "core/diag.h"
#include "core/ir.h"

typedef struct Verifier {
  const IrModule *module;
  DiagSink *sink;
  Arena *scratch;
  uint32_t error_count;
  const IrFunction *function;
  const Cfg *cfg;
} Verifier;

// Reports, and is always false.
bool verify_fail_inst(Verifier *v, uint32_t index, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *verify_type_text(Verifier *v, IrType type);
bool verify_type_is_sound(IrType type);
bool verify_const_is_sound(const IrConst *constant);
// Of an operand whose reference is sound.
IrType verify_operand_type(Verifier *v, const IrInst *inst, uint32_t place);
bool verify_inst(Verifier *v, uint32_t index); // in a block, the tables of the function being sound

#endif
