// Which bits does a statement of inline PTX pick? Fields that are taken out and put in (bfe, bfi) at places that the text
// says, any function of three bits by its table (lop3), words shifted out of two (shf): operations of the IR, since addresses
// are made of them. Method: a table is taken apart by its first input (Shannon's expansion); halves that are equal, opposite, empty or full leave
// one operation. Soundness: exact (PTX ISA, 9.7.1 and 9.7.8); 0 for fields whose place or length is computed or that go beyond the word.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/asm.h"
#include "core/bug.h"

static IrRef number(AsmRun *run, uint8_t bits, uint64_t value) {
  return emit_int(run->lower, bits, (int64_t)value);
}

static IrRef inverse(AsmRun *run, uint8_t bits, IrRef a) {
  return asm_two(run, IR_XOR, bits, a, number(run, bits, UINT64_MAX));
}

// ---- functions of bits

// Of `count` inputs, the first of which chooses the half of the table.
static IrRef by_table(AsmRun *run, uint32_t table, uint32_t count, const IrRef *inputs, uint8_t bits) {
  if (count == 0) return number(run, bits, table ? UINT64_MAX : 0);
  uint32_t half = 1u << (count - 1), full = (1u << half) - 1;
  uint32_t on = table >> half & full, off = table & full;
  IrRef x = inputs[0];
  if (on == off) return by_table(run, on, count - 1, inputs + 1, bits);
  if (on == full && off == 0) return x;
  if (on == 0 && off == full) return inverse(run, bits, x);
  IrRef when_off = off == 0 || off == full ? 0 : by_table(run, off, count - 1, inputs + 1, bits);
  if (on == (~off & full)) return asm_two(run, IR_XOR, bits, x, when_off);
  if (on == full) return asm_two(run, IR_OR, bits, x, when_off);
  if (on == 0) return asm_two(run, IR_AND, bits, inverse(run, bits, x), when_off);
  IrRef when_on = by_table(run, on, count - 1, inputs + 1, bits);
  if (off == full) return asm_two(run, IR_OR, bits, inverse(run, bits, x), when_on);
  IrRef chosen = asm_two(run, IR_AND, bits, x, when_on);
  if (off == 0) return chosen;
  return asm_two(run, IR_OR, bits, chosen, asm_two(run, IR_AND, bits, inverse(run, bits, x), when_off));
}

// lop3.b32 d, a, b, c, table
static IrRef logic_of_three(AsmRun *run, const Statement *statement, uint8_t bits) {
  IrRef inputs[3];
  int64_t table;
  if (statement->operand_count != 5) return 0;
  for (uint32_t i = 0; i < 3; i++)
    if (!(inputs[i] = asm_int(run, statement->operands[1 + i], bits, false))) return 0;
  IrRef last = asm_int(run, statement->operands[4], 32, false);
  bool is_table = last && ir_const_value(run->lower->function, last, &table) && table >= 0 && table <= 0xff;
  return is_table ? by_table(run, (uint32_t)table, 3, inputs, bits) : 0;
}

// ---- fields

// The two operands from `first` on: at which bit the field begins, and how many it has.
static bool field_of(AsmRun *run, const Statement *statement, uint32_t first, uint8_t bits, int64_t *at,
                     int64_t *length) {
  IrRef begin = asm_int(run, statement->operands[first], 32, false),
        extent = asm_int(run, statement->operands[first + 1], 32, false);
  if (!begin || !extent || !ir_const_value(run->lower->function, begin, at) ||
      !ir_const_value(run->lower->function, extent, length))
    return false;
  *at &= 0xff;
  *length &= 0xff;
  return *length > 0 && *at + *length <= bits;
}

static uint64_t ones(int64_t count) {
  return count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

// bfe.type d, a, at, length
static IrRef field(AsmRun *run, const Statement *statement, uint8_t bits, bool is_signed) {
  int64_t at, length;
  if (statement->operand_count != 4 || !field_of(run, statement, 2, bits, &at, &length)) return 0;
  IrRef word = asm_int(run, statement->operands[1], bits, is_signed);
  if (!is_signed)
    return asm_two(run, IR_AND, bits, asm_two(run, IR_LSHR, bits, word, number(run, bits, (uint64_t)at)),
                   number(run, bits, ones(length)));
  IrRef top = asm_two(run, IR_SHL, bits, word, number(run, bits, (uint64_t)(bits - at - length)));
  return asm_two(run, IR_ASHR, bits, top, number(run, bits, (uint64_t)(bits - length)));
}

// bfi.type d, a, b, at, length: a into b
static IrRef with_field(AsmRun *run, const Statement *statement, uint8_t bits) {
  int64_t at, length;
  if (statement->operand_count != 5 || !field_of(run, statement, 3, bits, &at, &length)) return 0;
  IrRef part = asm_int(run, statement->operands[1], bits, false),
        word = asm_int(run, statement->operands[2], bits, false);
  IrRef moved = asm_two(run, IR_SHL, bits, asm_two(run, IR_AND, bits, part, number(run, bits, ones(length))),
                        number(run, bits, (uint64_t)at));
  return asm_two(run, IR_OR, bits, asm_two(run, IR_AND, bits, word, number(run, bits, ~(ones(length) << at))),
                 moved);
}

IrRef asm_picked_bits(AsmRun *run, const Statement *statement, uint8_t bits, bool is_signed) {
  ASSERT(run->lower);
  ASSERT(statement->opcode);
  if (bits != 32 && bits != 64) return 0;
  if (asm_is_op(statement->opcode, "lop3")) return logic_of_three(run, statement, bits);
  if (asm_is_op(statement->opcode, "bfe")) return field(run, statement, bits, is_signed);
  return asm_is_op(statement->opcode, "bfi") ? with_field(run, statement, bits) : 0;
}
