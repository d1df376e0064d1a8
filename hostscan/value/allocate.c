// What does an allocation call of the CUDA runtime make? The object with its size, and the pitch.
// Method: one object for each (instruction, frame, iteration numbers of the loops around it).
// Soundness: a pitch is an unknown number that is at least the width asked for (the documentation's
// promise).
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/names.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"

#include <string.h>

static ExprRef wide_argument(HostScan *scan, HostFrame *frame, const IrInst *inst, uint32_t index) {
  if (index >= host_argument_count(inst)) return 0;
  if (ir_ref_type(scan->module, frame->function->ir, inst->ops[index]).kind == IR_BYTES) return 0;
  return expr_resize_unsigned(scan->pool, host_value(scan, frame, inst->ops[index]), 64);
}

ExprRef host_word_behind(HostScan *scan, HostFrame *frame, uint32_t index, uint32_t at, uint32_t behind) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  if (at >= host_argument_count(inst) ||
      ir_ref_type(scan->module, frame->function->ir, inst->ops[at]).kind != IR_PTR)
    return 0;
  ExprRef address = host_value(scan, frame, inst->ops[at]);
  address = host_add_offset(scan, address, expr_const(scan->pool, 64, behind));
  return host_load(
      scan, (HostAccess){.frame = frame, .inst = index, .address = address, .bytes = 8, .kind = IR_INT});
}

// cudaExtent is three words; it comes in memory, or as one or more arguments.
ExprRef host_extent_part(HostScan *scan, HostFrame *frame, uint32_t index, HostExtent extent, uint32_t part) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  uint32_t count = host_argument_count(inst);
  if (count == extent.others + 3) return wide_argument(scan, frame, inst, extent.at + part);
  if (count != extent.others + 1) return 0;
  IrType type = ir_ref_type(scan->module, frame->function->ir, inst->ops[extent.at]);
  if (type.kind == IR_BYTES && type.bytes >= 24)
    return host_value_piece(scan, frame, inst->ops[extent.at], part * 8, 8);
  return host_word_behind(scan, frame, index, extent.at, part * 8);
}

static void add_pitch_facts(HostScan *scan, const HostPitch *made, SrcLoc loc) {
  ExprRef zero = expr_const(scan->pool, 64, 0);
  ExprRef facts[] = {expr_binary(scan->pool, EXPR_SLT, 0, zero, made->pitch),
                     made->width ? expr_binary(scan->pool, EXPR_SLE, 0, made->width, made->pitch) : 0};
  for (uint32_t i = 0; i < 2; i++)
    if (facts[i]) host_side_fact(scan, made->pitch, facts[i], FACT_ALLOCATION, loc);
}

static ExprRef pitch_symbol(HostScan *scan, HostFrame *frame, uint32_t index, bool *is_new) {
  const IrInst *inst = &frame->function->ir->insts.items[index];
  HostKey key = {{MEMO_PIECE, frame->id, index, UINT32_MAX}};
  ExprRef pitch = host_map_get(&scan->memo, key);
  *is_new = !pitch;
  if (pitch) return pitch;
  bool is_3d = host_call(scan, inst, NULL)->kind == CALL_ALLOCATE_3D;
  const char *name =
      is_3d ? arena_printf(scan->arena, "%s.pitch", host_name_of_content(scan, frame, inst->ops[0]))
            : host_name_of_content(scan, frame, inst->ops[1]);
  pitch = host_unknown(scan, (HostUnknown){.frame = frame,
                                           .loop = frame->function->cfg->loop_of[inst->block],
                                           .width = 64,
                                           .name = name,
                                           .loc = host_loc(scan, frame, inst),
                                           .lo = 1,
                                           .hi = (int64_t)1 << 62});
  host_map_put(&scan->memo, key, pitch);
  return pitch;
}

HostPitch host_pitch(HostScan *scan, HostFrame *frame, uint32_t index) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  bool is_new = false, is_3d = host_call(scan, inst, NULL)->kind == CALL_ALLOCATE_3D;
  HostPitch made = {.pitch = pitch_symbol(scan, frame, index, &is_new)};
  made.width = is_3d ? host_extent_part(scan, frame, index, (HostExtent){1, 1}, 0)
                     : wide_argument(scan, frame, inst, 2);
  made.height = is_3d ? host_extent_part(scan, frame, index, (HostExtent){1, 1}, 1)
                      : wide_argument(scan, frame, inst, 3);
  made.depth = is_3d ? host_extent_part(scan, frame, index, (HostExtent){1, 1}, 2) : 0;
  if (is_new) add_pitch_facts(scan, &made, host_loc(scan, frame, inst));
  return made;
}

HostPitch host_image(HostScan *scan, HostFrame *frame, uint32_t index) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  size_t length = 0;
  const char *name = host_base_name(host_callee_name(scan, inst), &length);
  HostPitch made = {0};
  if (strncmp(name, "cudaMallocArray", length) == 0) {
    made.width = wide_argument(scan, frame, inst, 2);
    made.height = wide_argument(scan, frame, inst, 3);
    return made;
  }
  uint32_t others = strncmp(name, "cudaMalloc3DArray", length) == 0 ? 3 : 4;
  made.width = host_extent_part(scan, frame, index, (HostExtent){2, others}, 0);
  made.height = host_extent_part(scan, frame, index, (HostExtent){2, others}, 1);
  made.depth = host_extent_part(scan, frame, index, (HostExtent){2, others}, 2);
  return made;
}

static ExprRef allocated_size(HostScan *scan, HostFrame *frame, uint32_t index, const HostCall *call) {
  const IrInst *inst = &frame->function->ir->insts.items[index];
  if (call->kind == CALL_ALLOCATE) return wide_argument(scan, frame, inst, call->size);
  HostPitch made = host_pitch(scan, frame, index);
  if (!made.height || (call->kind == CALL_ALLOCATE_3D && !made.depth)) return 0;
  ExprRef rows =
      made.depth ? expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, made.height, made.depth) : made.height;
  return expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, made.pitch, rows);
}

uint32_t host_allocation(HostScan *scan, HostFrame *frame, uint32_t index) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  const HostCall *call = host_call(scan, inst, NULL);
  HostObject info = {.kind = HOST_DEVICE,
                     .name = host_name_of_allocation(scan, frame, inst),
                     .loc = host_loc(scan, frame, inst)};
  if (!call->is_device) info.kind = HOST_HEAP;
  info.is_out_of_reach = call->is_device && strcmp(call->name, "cudaMallocManaged") != 0;
  uint32_t object = host_site(scan, frame, index, 0, info);
  if (!scan->objects.items[object].size_bytes) {
    ExprRef size = allocated_size(scan, frame, index, call);
    scan->objects.items[object].size_bytes = size;
  }
  return object;
}
