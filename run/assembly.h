// PTX assembly as a function: what assembly.c, which reads the text, and assembly_compute.c, which makes single instructions, share.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_RUN_ASSEMBLY_H
#define HGRD_RUN_ASSEMBLY_H

#include "run/internal.h"

enum { ASM_OPERANDS = 8, ASM_PARTS = 10 };

typedef struct AsmRegister {
  const char *name;
  LLVMValueRef slot; // where it lies; LLVM takes it out of memory again
  LLVMTypeRef type;
} AsmRegister;

typedef struct AsmBody {
  Device *device;
  LLVMValueRef function;      // its parameters are what the text reads
  unsigned results;           // of so many registers, the first ones
  VEC(AsmRegister) registers; // "$0" for a result, else by their names
  LLVMValueRef carry;         // of one bit
  bool has_carry;             // an instruction before this one has set it
} AsmBody;

typedef struct AsmInstruction {
  const char *opcode; // "mul.lo.u32"
  const char *guard;  // the register behind @, or NULL
  bool is_negated;
  const char *operands[ASM_OPERANDS];
  unsigned count;
} AsmInstruction;

// Of an operand: a register, a parameter or a literal, as a value of that type; NULL if it is none of these.
LLVMValueRef assembly_value(AsmBody *body, const char *text, LLVMTypeRef type);
// False if it cannot be written. A narrower value is extended.
MUST_USE bool assembly_set(AsmBody *body, const char *text, LLVMValueRef value, bool is_signed);
// Arithmetic, and weak loads and stores of global memory. False if it is something else, or has a modifier that is not known.
MUST_USE bool assembly_compute(AsmBody *body, const AsmInstruction *instruction);

#endif
