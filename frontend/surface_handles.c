// Which numbers are handles of surfaces? A surface is written through a number that the host got from
// cudaCreateSurfaceObject, which names memory as a pointer does. Method: a parameter or a word of memory that
// is used for nothing but as such a handle becomes a pointer in the IR of the device, to memory in which the
// declarations give each place of a surface its own bytes (hgrd_surface.h); from there on all that is said of
// pointers whose origin is not visible is said of it (A2, A8). A number that is used otherwise as well stays
// one, and what is written through it an unknown place. Soundness: handles that are different numbers are
// different surfaces only as far as pointers from such places are different objects.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower.h"

#include <string.h>

static bool is_memory_of_handle(const IrInst *inst) {
  return inst->op == IR_PURE && inst->name && strcmp(inst->name, "__hgrd_pure_surface_memory") == 0;
}

static bool is_used_otherwise(const IrFunction *fn, IrRef handle) {
  for (uint32_t i = 0; i < fn->insts.count; i++) {
    const IrInst *inst = &fn->insts.items[i];
    for (uint32_t o = 0; o < inst->op_count && !is_memory_of_handle(inst); o++)
      if (inst->ops[o] == handle) return true;
  }
  return false;
}

// The type of the parameter or loaded word; NULL: it is made in another way.
static IrType *type_of_handle(IrFunction *fn, IrRef handle) {
  bool is_param = ir_ref_kind(handle) == IR_REF_PARAM;
  const IrInst *inst = ir_inst(fn, handle);
  if (is_param && fn->is_kernel) return &fn->params.items[ir_ref_index(handle)].type;
  return inst && inst->op == IR_LOAD ? &fn->insts.items[ir_ref_index(handle)].type : NULL;
}

void handles_settle(IrFunction *fn) {
  for (uint32_t i = 0; i < fn->insts.count; i++) {
    IrInst *inst = &fn->insts.items[i];
    if (!is_memory_of_handle(inst)) continue;
    IrType *type = type_of_handle(fn, inst->ops[0]);
    if (!type || (type->kind != IR_PTR && is_used_otherwise(fn, inst->ops[0]))) continue;
    *type = inst->type;
    inst->op = IR_BITCAST;
    inst->name = IR_SURFACE;
  }
}
