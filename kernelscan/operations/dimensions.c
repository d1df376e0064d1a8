// Which dimensions of the launch does the kernel look at? Method: the special registers that it reads, and
// the axes of its clusters. Soundness: an axis that is not looked at makes no thread differ from another.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/operations.h"

// Does the kernel look along the axis of this dimension, or do its clusters lie along it?
bool launch_looks_along(const Scan *scan, int index) {
  ASSERT(index >= 0 && index < 6);
  int64_t blocks = 1;
  if (index < 3 && scan->launch->cluster[index] &&
      !(expr_is_const(scan->pool, scan->launch->cluster[index], &blocks) && blocks == 1))
    return true;
  static const IrSreg first[2][2] = {{IR_SREG_CTAID_X, IR_SREG_NCTAID_X}, {IR_SREG_TID_X, IR_SREG_NTID_X}};
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    for (int k = 0; k < 2 && inst->op == IR_SREG; k++)
      if (inst->imm == (int64_t)first[index / 3][k] + index % 3) return true;
  }
  return false;
}

bool launch_extent_is_free(const Scan *scan, int index) {
  ASSERT(index >= 0 && index < 6);
  ExprRef dimension = index < 3 ? scan->launch->grid[index] : scan->launch->block[index - 3];
  return scan->launch->is_any && !expr_is_const(scan->pool, dimension, NULL) &&
         !launch_looks_along(scan, index);
}

// Does the launch say something of this dimension, and does the kernel look along that axis?
bool launch_dimension_matters(const Scan *scan, int index) {
  ASSERT(index >= 0 && index < 6);
  return scan->launch->dimensions[index].text && launch_looks_along(scan, index);
}
