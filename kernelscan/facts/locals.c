// What is stored in an array of the thread's own? Method: the array is never named but as the address of loads
// and stores, all of one size and at multiples of it, or filled as a whole with zeros or from a constant
// variable; so what is read is one of the values stored (an element that was never written has no value).
// Soundness: an array that is used in any other way says nothing.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/facts/facts.h"
#include "kernelscan/memory.h"

static bool is_multiple(ExprPool *pool, ExprRef ref, int64_t bytes, int depth) {
  ExprNode node = *expr_node(pool, ref);
  int64_t value = 0;
  if (expr_is_const(pool, ref, &value)) return value % bytes == 0;
  if (depth == 0) return false;
  if (node.op == EXPR_MUL)
    return is_multiple(pool, node.a, bytes, depth - 1) || is_multiple(pool, node.b, bytes, depth - 1);
  if (node.op == EXPR_ADD || node.op == EXPR_SUB)
    return is_multiple(pool, node.a, bytes, depth - 1) && is_multiple(pool, node.b, bytes, depth - 1);
  return bytes == 1;
}

// At a multiple of its size from the start of the array.
static bool is_aligned(Frame *frame, IrRef address, uint32_t bytes) {
  SymValue value = frame_value(frame, address);
  return value.kind == SYM_POINTER && value.target_count == 1 && !value.targets[0].condition &&
         is_multiple(frame->scan->pool, value.targets[0].offset, bytes, 6);
}

bool locals_fill(Scan *scan, const IrInst *inst, Fill *fill) {
  ASSERT(ir_has_inst(scan->fn, inst));
  int64_t length = 0, byte = 0;
  if ((inst->op != IR_MEMCPY && inst->op != IR_MEMSET) || !ir_const_value(scan->fn, inst->ops[2], &length))
    return false;
  const IrInst *array = ir_inst(scan->fn, inst->ops[0]);
  if (!array || array->op != IR_ALLOCA || length < 0) return false;
  *fill = (Fill){.bytes = length};
  if (inst->op == IR_MEMSET) return ir_const_value(scan->fn, inst->ops[1], &byte) && byte == 0;
  if (ir_ref_kind(inst->ops[1]) != IR_REF_GLOBAL) return false;
  fill->table = object_of_global(scan, ir_ref_index(inst->ops[1])).targets[0].object;
  return true;
}

ExprRef locals_fill_word(Scan *scan, const Fill *fill, ExprRef offset, uint32_t bytes) {
  ASSERT(scan_has_word(scan, offset, 64));
  if (!fill->table) return expr_const(scan->pool, (uint8_t)(8 * bytes), 0);
  return table_word(scan, &(Target){.object = fill->table, .offset = offset}, bytes);
}

// What the instruction does with the array; false: something else than to load, store, or form an address.
static bool is_plain_use(Frame *frame, const IrInst *inst, IrRef array, IrType type) {
  const Scan *scan = frame->scan;
  bool is_used = false;
  for (uint32_t o = 0; o < inst->op_count; o++)
    is_used |= object_address_base(scan, inst->ops[o]) == array;
  if (!is_used || ir_inst_is(inst, IR_SAME_OBJECT)) return true;
  Fill fill;
  if (locals_fill(frame->scan, inst, &fill) && inst->ops[0] == array) return true;
  bool is_load = inst->op == IR_LOAD, is_store = inst->op == IR_STORE;
  if ((!is_load && !is_store) || object_address_base(scan, inst->ops[0]) != array) return false;
  IrType given = is_load ? inst->type : ir_ref_type(scan->module, scan->fn, inst->ops[1]);
  return given.kind == type.kind && given.bits == type.bits && given.bytes == type.bytes &&
         (is_load || object_address_base(scan, inst->ops[1]) != array) &&
         is_aligned(frame, inst->ops[0], type.bytes);
}

// Loads, copies out of it, and what forms addresses; else it may be written, or its address handed on.
static bool only_reads(const Scan *scan, const IrInst *inst, IrRef array) {
  for (uint32_t o = 0; o < inst->op_count; o++) {
    if (object_address_base(scan, inst->ops[o]) != array) continue;
    bool is_address = (inst->op == IR_PTRADD || inst->op == IR_BITCAST || inst->op == IR_LOAD) && o == 0;
    if (!is_address && !(inst->op == IR_MEMCPY && o == 1)) return false;
  }
  return true;
}

uint32_t locals_only_table(Scan *scan, uint32_t array) {
  ASSERT(scan_has_inst(scan, array) && scan->fn->insts.items[array].op == IR_ALLOCA);
  IrRef ref = IR_REF(IR_REF_INST, array);
  Fill fill = {0};
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (scan->cfg->rpo_number[inst->block] == CFG_NONE || only_reads(scan, inst, ref)) continue;
    if (fill.table || inst->ops[0] != ref || !locals_fill(scan, inst, &fill) || !fill.table ||
        scan->cfg->loop_of[inst->block] != scan->cfg->loop_of[scan->fn->insts.items[array].block])
      return 0;
  }
  return fill.table;
}

bool locals_stores(Frame *frame, const IrInst *load, LocalStores *stores) {
  ASSERT(frame->view);
  ASSERT(ir_has_inst(frame->scan->fn, load));
  Scan *scan = frame->scan;
  stores->count = 0;
  if (load->op != IR_LOAD || load->type.kind != IR_INT || load->type.bits < 8) return false;
  IrRef array = object_address_base(scan, load->ops[0]);
  const IrInst *base = ir_inst(scan->fn, array);
  if (!base || base->op != IR_ALLOCA) return false;
  for (uint32_t i = 0; i < scan->fn->insts.count; i++) {
    const IrInst *inst = &scan->fn->insts.items[i];
    if (scan->cfg->rpo_number[inst->block] == CFG_NONE) continue;
    if (!is_plain_use(frame, inst, array, load->type)) return false;
    if (!ir_inst_is(inst, IR_WRITES) || object_address_base(scan, inst->ops[0]) != array) continue;
    if (stores->count == LOCAL_STORE_LIMIT) return false;
    stores->insts[stores->count++] = i;
  }
  return stores->count > 0;
}
