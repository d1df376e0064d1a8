// Is a word of global memory touched by one block only? Arrays with an element for each block
// (`bases[blockIdx.x]`) serve blocks like shared memory. Method: all writes that may touch the object, and
// the access in question, have an address of the form base + stride * blockIdx.x with one base and one
// stride, which is read off the instructions; the grid has one dimension. Soundness: different blocks then
// touch different words, since the stride is not smaller than an access and is counted in 64 bits; anything
// else is "no".
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/ways/ways.h"
#include "kernelscan/memory.h"
#include "kernelscan/operations.h"

// base + stride * blockIdx.x
typedef struct OwnPlace {
  IrRef base;
  int64_t stride;
} OwnPlace;

static bool find_stride(const Scan *scan, IrRef offset, int64_t *stride) {
  *stride = 1;
  for (int depth = 0; depth < 8; depth++) {
    const IrInst *inst = ir_inst(scan->fn, offset);
    int64_t factor = 1;
    if (!inst) return false;
    if (inst->op == IR_SREG) return inst->imm == IR_SREG_CTAID_X;
    bool scales = inst->type.bits == 64 && (inst->op == IR_MUL || inst->op == IR_SHL) &&
                  ir_const_value(scan->fn, inst->ops[1], &factor);
    if (!scales && !ir_inst_is(inst, IR_EXTENDS)) return false;
    if (factor < 0 || factor > 4096 || (inst->op == IR_SHL && factor > 12)) return false;
    *stride *= inst->op == IR_SHL ? (int64_t)1 << factor : factor;
    if (*stride <= 0 || *stride > 1 << 20) return false;
    offset = inst->ops[0];
  }
  return false;
}

static bool find_place(const Scan *scan, const Access *access, OwnPlace *place) {
  IrRef address = access->address;
  const IrInst *inst = ir_inst(scan->fn, address);
  while (inst && inst->op == IR_BITCAST) {
    address = inst->ops[0];
    inst = ir_inst(scan->fn, address);
  }
  if (!inst || inst->op != IR_PTRADD) return false;
  place->base = inst->ops[0];
  bool is_fixed = ir_ref_kind(place->base) == IR_REF_PARAM || ir_ref_kind(place->base) == IR_REF_GLOBAL;
  return is_fixed && find_stride(scan, inst->ops[1], &place->stride) &&
         place->stride >= (int64_t)access->bytes && access->bytes > 0;
}

static bool has_one_row_of_blocks(const Scan *scan) {
  int64_t y = 0, z = 0;
  return expr_is_const(scan->pool, scan->launch->grid[1], &y) && y == 1 &&
         expr_is_const(scan->pool, scan->launch->grid[2], &z) && z == 1;
}

bool own_word_of_block(const Scan *scan, uint32_t access) {
  ASSERT(access < scan->accesses.count);
  const Reach *reach = &scan->reaches[access];
  OwnPlace place, other;
  if (!reach->is_complete || reach->count != 1 || !has_one_row_of_blocks(scan) ||
      !find_place(scan, &scan->accesses.items[access], &place))
    return false;
  for (uint32_t a = 0; a < scan->accesses.count; a++) {
    const Access *write = &scan->accesses.items[a];
    if (operation_is_only_read(scan, write) || !access_may_touch(scan, a, reach->objects[0])) continue;
    if (!find_place(scan, write, &other) || other.base != place.base || other.stride != place.stride)
      return false;
  }
  return true;
}
