// Which registers of a piece of inline PTX are its own, and does it read others? A register that is declared in braces
// is another one than that of the same name around them, and over behind them (PTX ISA, 5.4 and "Scopes"). What a text
// reads that it has neither been given nor filled before, another text may have filled (a register, the carry), or the
// hardware (%laneid): then what the text computes is no function of its operands.
// Soundness: a name that is not known counts as filled by others.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- scopes

bool asm_is_mark(const Statement *statement) {
  ASSERT(statement->opcode);
  return asm_is_op(statement->opcode, ".reg") || strcmp(statement->opcode, "{") == 0 ||
         strcmp(statement->opcode, "}") == 0;
}

// ".u32 a", "b", "%r<3>": the name is the last word; the last one stands for %r0, %r1 and %r2.
static bool declare(AsmRun *run, const char *text) {
  enum { FAMILY_LIMIT = 1024 };
  Arena *scratch = run->lower->scratch;
  const char *name = text + strlen(text), *family = strchr(text, '<');
  if (family) name = family;
  while (name > text && !isspace((unsigned char)name[-1]))
    name--;
  long count = family ? strtol(family + 1, NULL, 0) : 1;
  if (count < 0 || count > FAMILY_LIMIT) return false;
  for (long i = 0; i < count; i++) {
    const char *member = arena_strdup(scratch, name);
    if (family) member = arena_printf(scratch, "%.*s%ld", (int)(family - name), name, i);
    vec_push(scratch, &run->registers, (AsmRegister){.name = member});
  }
  return true;
}

bool asm_mark(AsmRun *run, const Statement *statement) {
  ASSERT(run->lower);
  ASSERT(asm_is_mark(statement));
  if (*statement->opcode == '{') vec_push(run->lower->scratch, &run->scopes, run->registers.count);
  // A scope that another text has opened: its registers are not those behind it.
  if (*statement->opcode == '}')
    run->registers.count = run->scopes.count ? run->scopes.items[--run->scopes.count] : 0;
  for (uint32_t i = 0; i < statement->operand_count; i++)
    if (!declare(run, statement->operands[i])) return false;
  return true;
}

// ---- what is read

static bool is_number(const char *text) {
  return isdigit((unsigned char)text[*text == '-']) || strcmp(text, "WARP_SZ") == 0;
}

static bool is_filled(const AsmRun *run, const char *name) {
  int number = asm_operand_number(name);
  const AsmRegister *known = asm_register(run, name);
  if (number < 0) return known ? known->value.ref != 0 : is_number(name);
  if ((uint32_t)number >= run->outputs) return (uint32_t)number - run->outputs < run->inputs;
  bool is_tied = false;
  for (uint32_t i = 0; i < run->inputs; i++)
    is_tied |= run->tied[i] == number;
  return is_tied || run->written[number].ref;
}

// Under a predicate the register keeps what it held, which another text may have put there.
static void fill(AsmRun *run, const char *name, bool is_predicated) {
  const AsmValue filled = {.ref = 1};
  int number = asm_operand_number(name);
  AsmRegister *known = asm_register(run, name);
  if (number >= 0 && (uint32_t)number < run->outputs)
    run->written[number] = filled;
  else if (known)
    known->value = filled;
  else if (!is_predicated)
    vec_push(run->lower->scratch, &run->registers, (AsmRegister){name, filled});
}

static const char *const carry = ".cc";

static bool reads_filled(AsmRun *run, const Statement *statement) {
  const char *names[CONSTRAINT_LIMIT];
  if (asm_takes_carry(statement) && !is_filled(run, carry)) return false;
  if (statement->predicate && !is_filled(run, statement->predicate)) return false;
  for (uint32_t i = asm_result_count(statement); i < statement->operand_count; i++) {
    uint32_t count = asm_list(statement->operands[i], names, CONSTRAINT_LIMIT, run->lower->scratch);
    for (uint32_t k = 0; k < count; k++)
      if (!is_filled(run, names[k] + (*names[k] == '!'))) return false;
  }
  return true;
}

bool asm_reads_operands_only(const AsmRun *run, const AsmText *text) {
  ASSERT(run->lower);
  ASSERT(text);
  AsmRun dry = {.lower = run->lower, .call = run->call, .outputs = run->outputs, .inputs = run->inputs};
  memcpy(dry.tied, run->tied, sizeof dry.tied);
  for (uint32_t i = 0; i < text->count; i++) {
    const Statement *statement = &text->statements[i];
    const char *names[CONSTRAINT_LIMIT];
    if (asm_is_mark(statement)) {
      if (!asm_mark(&dry, statement)) return false;
      continue;
    }
    if (!reads_filled(&dry, statement)) return false;
    for (uint32_t k = 0; k < asm_result_count(statement) && k < statement->operand_count; k++) {
      uint32_t count = asm_list(statement->operands[k], names, CONSTRAINT_LIMIT, dry.lower->scratch);
      for (uint32_t n = 0; n < count; n++)
        fill(&dry, names[n], statement->predicate != NULL);
    }
    if (asm_has_part(statement->opcode, ".cc")) fill(&dry, carry, statement->predicate != NULL);
  }
  return true;
}
