// Is the place of an access plainly no multiple of its width? `*(long long *)(out + threadIdx.x)`, with an `int *out`, is none in every
// second thread. Method: the address is a sum of products; a number that goes through all values (a thread's or block's, a lane's, a loop's
// that steps by a constant) times a constant which is no multiple of the width says so. Soundness: places of accesses that are said to be
// aligned are taken to meet as a whole (interval/conflict.c), which is assumed of the others (A7); where the answer is yes they are asked
// about byte for byte, which is right whatever they are.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/kernel/kernel.h"

enum { ADDRESS_DEPTH = 12 };

// A sum that is looked through, each value of it times `factor` bytes.
typedef struct Sum {
  const Scan *scan;
  uint32_t bytes;
  bool is_step;    // what a loop adds in a round: constants count
  bool is_divided; // afterwards: factors below say nothing
} Sum;

static bool is_off(const Sum *sum, int64_t factor) {
  return factor % (int64_t)sum->bytes != 0;
}

static int64_t times(int64_t factor, int64_t by) {
  int64_t product = 0;
  return __builtin_mul_overflow(factor, by, &product) ? 0 : product;
}

static int64_t lowest_bit(int64_t value) {
  return (int64_t)((uint64_t)value & -(uint64_t)value);
}

static bool is_odd(const Sum *sum, IrRef ref, int64_t factor, int depth);

static bool any_is_odd(const Sum *sum, const IrInst *inst, int64_t factor, int depth) {
  for (uint32_t i = 0; i < inst->op_count; i++)
    if (is_odd(sum, inst->ops[i], factor, depth - 1)) return true;
  return false;
}

static bool goes_through_all(int64_t sreg) {
  return (sreg >= IR_SREG_TID_X && sreg <= IR_SREG_TID_Z) ||
         (sreg >= IR_SREG_CTAID_X && sreg <= IR_SREG_CTAID_Z) || sreg == IR_SREG_LANEID ||
         sreg == IR_SREG_WARPID;
}

static bool arithmetic_is_odd(const Sum *sum, const IrInst *inst, int64_t factor, int depth) {
  int64_t value = 0;
  if (ir_inst_is(inst, IR_SUMS)) return any_is_odd(sum, inst, factor, depth);
  if (inst->op_count < 2 || !ir_const_value(sum->scan->fn, inst->ops[1], &value)) return false;
  Sum below = *sum;
  below.is_divided |= ir_inst_is(inst, IR_DIVIDES) || ir_inst_is(inst, IR_HALVES);
  int64_t by = inst->op == IR_MUL                               ? value
               : inst->op == IR_SHL && value >= 0 && value < 32 ? (int64_t)1 << value
                                                                : 1;
  if (inst->op == IR_AND && !sum->is_divided && !is_off(sum, times(factor, lowest_bit(value)))) return false;
  return is_odd(&below, inst->ops[0], sum->is_divided ? factor : times(factor, by), depth - 1);
}

static bool is_odd(const Sum *sum, IrRef ref, int64_t factor, int depth) {
  int64_t value = 0;
  if (!is_off(sum, factor) || depth <= 0) return false;
  if (ir_const_value(sum->scan->fn, ref, &value)) return sum->is_step && is_off(sum, times(factor, value));
  const IrInst *inst = ir_inst(sum->scan->fn, ref);
  if (!inst) return false;
  IrStep step = ir_op_step((IrOp)inst->op);
  if (step == IR_STEP_SREG) return goes_through_all(inst->imm);
  if (step == IR_STEP_ARITH) return arithmetic_is_odd(sum, inst, factor, depth);
  if (ir_inst_is(inst, IR_RESIZES)) return is_odd(sum, inst->ops[0], factor, depth - 1);
  if (step == IR_STEP_PTRADD) return any_is_odd(sum, inst, factor, depth);
  Sum round = *sum;
  round.is_step = true;
  return step == IR_STEP_PHI && any_is_odd(&round, inst, factor, depth / 2);
}

bool alignment_is_plainly_off(const Scan *scan, IrRef address, uint32_t bytes) {
  ASSERT(bytes > 0);
  Sum sum = {.scan = scan, .bytes = bytes};
  return bytes > 1 && is_odd(&sum, address, 1, ADDRESS_DEPTH);
}
