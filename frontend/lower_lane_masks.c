// Which lanes are below a lane, or above it? The special registers %lanemask_lt, _le, _eq, _ge, _gt are no
// registers of the IR: each follows from the number of the lane (PTX ISA, "Special Registers"), and so is
// what knows of ranks and leaders told in the words that it knows.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"
#include "core/bug.h"

#include <string.h>

static IrRef op_of(Lower *lower, IrOp op, IrRef a, IrRef b) {
  return emit_op(lower, op, ir_type_int(32), 2, (IrRef[]){a, b});
}

// "lanemask.lt" of LLVM is "lanemask_lt" of PTX.
IrRef lower_lane_mask(Lower *lower, const char *name) {
  ASSERT(lower->request && lower->function);
  ASSERT(name);
  static const char prefix[] = "lanemask";
  static const char *const kinds[] = {"lt", "le", "eq", "ge", "gt"};
  size_t length = strlen(prefix), kind = 0, count = sizeof kinds / sizeof *kinds;
  if (strncmp(name, prefix, length) != 0 || (name[length] != '.' && name[length] != '_')) return 0;
  while (kind < count && strcmp(name + length + 1, kinds[kind]) != 0)
    kind++;
  if (kind == count) return 0;
  IrInst own = {.op = IR_SREG, .type = ir_type_int(32), .imm = IR_SREG_LANEID};
  IrRef lane = emit(lower, own, 0, NULL), one = emit_int(lower, 32, 1);
  if (kind >= 3) return op_of(lower, IR_SHL, emit_int(lower, 32, kind == 3 ? -1 : -2), lane);
  IrRef bit = op_of(lower, IR_SHL, one, lane);
  if (kind == 2) return bit;
  IrRef below = op_of(lower, IR_SUB, bit, one);
  return kind == 0 ? below : op_of(lower, IR_OR, below, bit);
}
