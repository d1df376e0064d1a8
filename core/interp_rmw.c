// What does an atomic operation leave in a word? Exact on the bits of the word's width; floats by the host's
// C arithmetic. Unknown operands make the result unknown.
// SPDX-License-Identifier: Apache-2.0
#include "core/interp_internal.h"
#include "core/bug.h"

static uint64_t bits_of(int64_t word, uint8_t width) {
  return width >= 64 ? (uint64_t)word : (uint64_t)word & (((uint64_t)1 << width) - 1);
}

static bool integer_rmw(const IrInst *inst, uint8_t width, int64_t old, int64_t by, int64_t *out) {
  uint64_t a = bits_of(old, width), b = bits_of(by, width);
  switch ((IrRmw)inst->rmw) {
  case IR_RMW_XCHG: *out = by; return true;
  case IR_RMW_ADD: *out = (int64_t)(a + b); return true;
  case IR_RMW_SUB: *out = (int64_t)(a - b); return true;
  case IR_RMW_AND: *out = (int64_t)(a & b); return true;
  case IR_RMW_OR: *out = (int64_t)(a | b); return true;
  case IR_RMW_XOR: *out = (int64_t)(a ^ b); return true;
  case IR_RMW_MAX: *out = old > by ? old : by; return true;
  case IR_RMW_MIN: *out = old < by ? old : by; return true;
  case IR_RMW_UMAX: *out = a > b ? old : by; return true;
  case IR_RMW_UMIN: *out = a < b ? old : by; return true;
  case IR_RMW_INC: *out = a >= b ? 0 : (int64_t)(a + 1); return true;
  case IR_RMW_DEC: *out = a == 0 || a > b ? by : (int64_t)(a - 1); return true;
  case IR_RMW_FADD: return float_arith(IR_FADD, width, old, by, out);
  case IR_RMW_FMAX: // of not-a-number and signed zeros nothing is promised
  case IR_RMW_FMIN:
  case IR_RMW_NONE:
  case IR_RMW_COUNT: break;
  }
  return false;
}

Value interp_rmw(Interp *run, const IrInst *inst, Value old, const Value *v) {
  ASSERT(ir_has_inst(run->function, inst));
  ASSERT(v);
  IrType type = inst->type;
  bool is_exchange = inst->op == IR_ATOMICRMW && inst->rmw == IR_RMW_XCHG;
  if (is_exchange) return v[1];
  Value unknown = value_unknown(run, CAUSE_MEMORY);
  if (old.kind != VALUE_WORD || v[1].kind != VALUE_WORD) return unknown;
  if (inst->op == IR_CMPXCHG) return old.word == v[1].word ? v[2] : old;
  int64_t result = 0;
  return integer_rmw(inst, type.bits, old.word, v[1].word, &result) ? value_word(type, result) : unknown;
}
