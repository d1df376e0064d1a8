// What does a kernel do with a parameter? The pieces that it reads of a struct, the integers that it reads at places that
// it computes, whether it asks if a pointer is null.
// Method: addresses back to the parameter. Soundness: what is read in another way is in no piece.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/kernels.h"
#include "core/bug.h"
#include "hostscan/program.h"

static bool parameter_offset(const IrFunction *kernel, IrRef address, uint32_t param, int64_t *offset) {
  *offset = 0;
  for (uint32_t depth = 0; depth < 64; depth++) {
    if (address == IR_REF(IR_REF_PARAM, param)) return true;
    const IrInst *inst = ir_inst(kernel, address);
    if (!inst || !ir_inst_is(inst, IR_SAME_OBJECT)) return false;
    int64_t step = 0;
    if (inst->op == IR_PTRADD && !ir_const_value(kernel, inst->ops[1], &step)) return false;
    *offset += step;
    address = inst->ops[0];
  }
  return false;
}

static bool is_in_parameter(const IrFunction *kernel, IrRef address, uint32_t param) {
  return ir_address_base(kernel, address) == IR_REF(IR_REF_PARAM, param);
}

static void add_piece(Arena *arena, HostPieces *pieces, HostPiece piece) {
  uint32_t at = 0;
  while (at < pieces->count && pieces->items[at].offset < piece.offset)
    at++;
  if (at < pieces->count && pieces->items[at].offset < piece.offset + piece.type.bytes) return;
  if (at > 0 && pieces->items[at - 1].offset + pieces->items[at - 1].type.bytes > piece.offset) return;
  vec_push(arena, pieces, piece);
  for (uint32_t i = pieces->count - 1; i > at; i--)
    pieces->items[i] = pieces->items[i - 1];
  pieces->items[at] = piece;
}

void host_kernel_pieces(Arena *arena, const IrFunction *kernel, uint32_t param, HostPieces *pieces) {
  ASSERT(param < kernel->params.count);
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    const IrInst *inst = &kernel->insts.items[i];
    int64_t offset = 0;
    bool is_word = inst->type.kind == IR_INT || inst->type.kind == IR_FLOAT || inst->type.kind == IR_PTR;
    if (inst->op != IR_LOAD || !is_word || !parameter_offset(kernel, inst->ops[0], param, &offset)) continue;
    if (offset < 0 || offset + inst->type.bytes > kernel->params.items[param].byval_bytes) continue;
    add_piece(arena, pieces, (HostPiece){(uint32_t)offset, inst->type, inst->place});
  }
}

// Is it this parameter, or may it be?
static bool may_be_parameter(const IrFunction *kernel, IrRef pointer, uint32_t param) {
  for (int depth = 0; depth < 32; depth++) {
    if (ir_ref_kind(pointer) == IR_REF_PARAM) return ir_ref_index(pointer) == param;
    const IrInst *inst = ir_inst(kernel, pointer);
    if (!inst) return false;
    if (!ir_inst_is(inst, IR_SAME_OBJECT)) return true;
    pointer = inst->ops[0];
  }
  return true;
}

// Does it read pointers that may lie in the parameter, but in a way in which it is not seen where?
static bool reads_unseen(const IrFunction *kernel, const IrInst *inst, uint32_t param) {
  if (inst->op == IR_MEMCPY) return may_be_parameter(kernel, inst->ops[1], param);
  return inst->op == IR_LOAD && inst->type.kind == IR_PTR && !is_in_parameter(kernel, inst->ops[0], param) &&
         may_be_parameter(kernel, inst->ops[0], param);
}

// Moves the bytes on by the steps from the parameter to the address; false: by one of which nothing is known.
static bool add_steps(const IrFunction *kernel, IrRef address, uint32_t param, int64_t *low, int64_t *high) {
  for (uint32_t depth = 0; depth < 64 && address != IR_REF(IR_REF_PARAM, param); depth++) {
    const IrInst *inst = ir_inst(kernel, address);
    if (!inst || !ir_inst_is(inst, IR_SAME_OBJECT)) return false;
    address = inst->ops[0];
    int64_t step = 0, way = 0;
    if (inst->op != IR_PTRADD) continue;
    bool is_constant = ir_const_value(kernel, inst->ops[1], &step);
    const IrInst *index = is_constant ? NULL : ir_inst(kernel, inst->ops[1]);
    bool is_element = index && index->op == IR_MUL && (index->flags & IR_FLAG_ADDRESS) && index->imm > 0 &&
                      ir_const_value(kernel, index->ops[1], &way) && way > 0;
    if (is_element && __builtin_mul_overflow(index->imm - 1, way, &way)) return false;
    if ((!is_constant && !is_element) || __builtin_add_overflow(*low, step, low) ||
        __builtin_add_overflow(*high, step + way, high))
      return false;
  }
  return true;
}

bool host_table_extent(const IrFunction *kernel, uint32_t param, int64_t *low, int64_t *high) {
  ASSERT(param < kernel->params.count);
  bool is_any = false;
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    const IrInst *inst = &kernel->insts.items[i];
    int64_t offset = 0, from = 0, to = 8;
    if (reads_unseen(kernel, inst, param)) return false;
    if (inst->op != IR_LOAD || inst->type.kind != IR_PTR || !is_in_parameter(kernel, inst->ops[0], param) ||
        parameter_offset(kernel, inst->ops[0], param, &offset))
      continue;
    if (!add_steps(kernel, inst->ops[0], param, &from, &to)) return false;
    *low = is_any && *low < from ? *low : from;
    *high = is_any && *high > to ? *high : to;
    is_any = true;
  }
  return is_any;
}

uint8_t host_reads_table(const IrFunction *kernel, uint32_t param) {
  ASSERT(param < kernel->params.count);
  uint8_t widths = 0;
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    const IrInst *inst = &kernel->insts.items[i];
    int64_t offset = 0;
    bool is_word = inst->type.kind == IR_INT || inst->type.kind == IR_PTR;
    IrRef base = inst->op == IR_LOAD && is_word ? inst->ops[0] : 0;
    if (!base || !host_is_cell_size(inst->type.bytes) || parameter_offset(kernel, base, param, &offset) ||
        !is_in_parameter(kernel, base, param))
      continue;
    widths |= inst->type.kind == IR_PTR ? HOST_READS_POINTERS : (uint8_t)inst->type.bytes;
  }
  return widths;
}

static bool tests_null(const IrFunction *kernel, uint32_t param) {
  for (uint32_t i = 0; i < kernel->insts.count; i++) {
    const IrInst *inst = &kernel->insts.items[i];
    for (uint32_t o = 0; inst->op == IR_ICMP && o < 2; o++)
      if (ir_is_null(kernel, inst->ops[o]) && may_be_parameter(kernel, inst->ops[1 - o], param)) return true;
  }
  return false;
}

bool host_tests_null(const IrFunction *kernel, uint32_t param) {
  ASSERT(param < kernel->params.count);
  return tests_null(kernel, param);
}

bool host_tests_null_read(const IrFunction *kernel) {
  ASSERT(kernel);
  return tests_null(kernel, CFG_NONE);
}

const IrFunction *host_find_kernel(const HostScan *scan, const char *name) {
  ASSERT(name);
  for (uint32_t i = 0; i < scan->device_count; i++) {
    const IrFunction *kernel = host_function_named(scan, i + 1, name);
    if (kernel && !kernel->is_declaration) return kernel;
  }
  return NULL;
}
