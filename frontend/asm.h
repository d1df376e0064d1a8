// What the files share that read inline PTX: asm_text.c cuts the text into statements, asm_values.c knows
// what the registers hold, asm_compute.c, asm_memory.c, asm_matrix.c and asm_sync.c lower one statement each, lower_asm.c
// has the table of what is known and takes the statements in order.
// SPDX-License-Identifier: Apache-2.0
#ifndef HGRD_FRONTEND_ASM_H
#define HGRD_FRONTEND_ASM_H

#include "frontend/lower.h"

enum { STATEMENT_LIMIT = 96, OPERAND_LIMIT = 8, CONSTRAINT_LIMIT = 64 };

// ---- asm_text.c
typedef struct Statement {
  const char *opcode; // "ld.acquire.gpu.u32"; "label" for a label, whose name is operand 0; "{", "}": a scope
  const char *operands[OPERAND_LIMIT];
  uint32_t operand_count;
  const char *predicate; // "p" of "@!p", NULL if there is none
  bool is_negated;
} Statement;

typedef struct AsmText {
  Statement statements[STATEMENT_LIMIT];
  uint32_t count;
  bool is_cut; // too long
} AsmText;

AsmText *asm_text_read(const char *source, size_t length, Arena *scratch);
bool asm_has_part(const char *opcode, const char *part); // ".gpu" in "ld.acquire.gpu.u32"
bool asm_is_op(const char *opcode, const char *name);    // "ld" in "ld.acquire.gpu.u32"
// Names between braces and commas: "{$0, $1}" or "$0".
uint32_t asm_list(const char *text, const char **names, uint32_t limit, Arena *scratch);
uint8_t asm_width(const char *opcode); // bits of one element, from the last type suffix; 0 if there is none
bool asm_is_signed(const char *opcode);
bool asm_is_float(const char *opcode);
uint8_t asm_order(const char *opcode, uint8_t otherwise);
uint8_t asm_scope(const char *opcode, uint8_t otherwise);

// ---- asm_values.c
typedef struct AsmValue {
  IrRef ref; // 0: none
  IrType type;
} AsmValue;

typedef struct AsmRegister {
  const char *name;
  AsmValue value;
} AsmRegister;

typedef struct AsmRun {
  Lower *lower;
  LLVMValueRef call;
  LLVMTypeRef result;
  uint32_t outputs, inputs;
  int tied[CONSTRAINT_LIMIT];         // input -> the output it starts as, or -1
  bool is_plain;                      // no operands in memory
  AsmValue written[CONSTRAINT_LIMIT]; // outputs so far
  VEC(AsmRegister) registers;         // that the text declares itself or fills, those of inner scopes last
  VEC(uint32_t) scopes;               // that are open: how many registers there were before
  const Statement *statement;
  AsmValue condition; // of the statement at hand, if it is predicated
} AsmRun;

int asm_operand_number(const char *text); // in "$3" or "${3:x}"; -1 if it is something else
AsmRegister *asm_register(const AsmRun *run, const char *name); // that the name stands for; NULL: not known
void asm_read_constraints(AsmRun *run, const char *text, size_t length);
AsmValue asm_value(AsmRun *run, const char *text, uint8_t bits); // bits: of a number
// The operand as an integer, as a condition; 0 if it is not known.
IrRef asm_int(AsmRun *run, const char *text, uint8_t bits, bool is_signed);
IrRef asm_truth(AsmRun *run, const char *text);
IrRef asm_as_int(AsmRun *run, AsmValue value, uint8_t bits, bool is_signed);
IrRef asm_as_float(AsmRun *run, AsmValue value, uint8_t bits);
// An operation on two integers of so many bits; 0 if one of them is.
IrRef asm_two(AsmRun *run, IrOp op, uint8_t bits, IrRef a, IrRef b);
IrRef asm_address(AsmRun *run, const char *text, uint8_t space); // of "[a+8]"; 0 if it is not known
// Where there is a predicate, the address of nothing that others see if it does not hold.
IrRef asm_guarded(AsmRun *run, IrRef address, IrType type);
// Under a predicate that does not hold, the register keeps its value. False if there is no such register.
bool asm_assign(AsmRun *run, const char *text, IrRef ref, IrType type, bool is_signed);
void asm_finish(AsmRun *run); // the result of the whole

// ---- asm_scopes.c
bool asm_is_mark(const Statement *statement);           // a declaration of registers, a brace
bool asm_mark(AsmRun *run, const Statement *statement); // false: too many registers
// Is what the text computes, of which every statement only computes, a function of its operands? It reads nothing
// else: no register that it has not filled before, which another text may have, no special one, no carry.
bool asm_reads_operands_only(const AsmRun *run, const AsmText *text);

// ---- one statement: false if it is not understood
typedef struct AsmRule AsmRule;
typedef bool AsmHandler(AsmRun *run, const Statement *statement, const AsmRule *rule);
struct AsmRule {
  const char *name;    // as many parts of the opcode as matter
  AsmHandler *handler; // NULL: known to be something else
  uint8_t detail;
  bool takes_predicate; // the handler respects run->condition
};

bool asm_only_computes(const Statement *statement);
bool asm_takes_carry(const Statement *statement);
uint32_t asm_result_count(const Statement *statement); // how many of the operands come first and are results
AsmHandler asm_compute, asm_load, asm_store, asm_atomic, asm_fill, asm_hint, asm_async_copy, asm_async_bulk,
    asm_async_value, asm_async_commit, asm_async_wait, asm_matrix, asm_exchange, asm_barrier,
    asm_cluster_barrier, asm_fence, asm_proxy_fence, asm_mbarrier, asm_vote, asm_shuffle, asm_elect,
    asm_nothing;
bool asm_wait_loop(AsmRun *run,
                   const AsmText *text); // a whole text that tries again until a phase is complete

// asm_bits.c: what a statement makes of the bits of its operands, in so many bits; 0: that is not followed.
IrRef asm_picked_bits(AsmRun *run, const Statement *statement, uint8_t bits, bool is_signed);

#endif
