// Which pointers does a copy or a fill put into an element of an array, and where does it begin? Asked of those in a loop that
// may write the array, round by round (contents/). Under-approximates: what is not followed, or of a length that is no
// whole number of pointers, is none.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/writes.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"

static bool read_transfer(HostScan *scan, HostFrame *frame, uint32_t inst, HostTransfer *transfer) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostCallKind kind = call->op == IR_CALL ? host_call(scan, call, NULL)->kind : CALL_QUIET;
  bool is_symbol = kind == CALL_COPY_SYMBOL, is_from_symbol = kind == CALL_COPY_FROM_SYMBOL;
  bool is_fill = kind == CALL_FILL || call->op == IR_MEMSET;
  bool is_copy = kind == CALL_COPY_LINEAR || kind == CALL_COPY_PLAIN || call->op == IR_MEMCPY;
  if (!is_symbol && !is_from_symbol && !is_fill && !is_copy) return false;
  if (call->op_count < (is_symbol || is_from_symbol ? 4u : 3u)) return false;
  if (call->op == IR_CALL && kind != CALL_COPY_PLAIN && host_is_captured_copy(scan, frame, call))
    return false;
  ExprRef second = host_value(scan, frame, call->ops[1]);
  *transfer = (HostTransfer){.to = host_value(scan, frame, call->ops[0]),
                             .length = host_value(scan, frame, call->ops[2])};
  if (is_fill)
    host_read_fill(scan, frame, inst, transfer);
  else
    transfer->from = second;
  if (!is_symbol && !is_from_symbol) return true;
  ExprRef variable = host_address_of_variable(scan, is_symbol ? transfer->to : transfer->from);
  if (variable) variable = host_add_offset(scan, variable, host_value(scan, frame, call->ops[3]));
  *(is_symbol ? &transfer->to : &transfer->from) = variable;
  return variable != 0;
}

// The address of what an allocation has made.
static bool allocated_pointer(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell,
                              HostCopied *out) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostTarget to;
  if (call->op != IR_CALL || host_call_class(host_call(scan, call, NULL)->kind) != CLASS_ALLOCATES)
    return false;
  if (!host_sole_target(scan, host_value(scan, frame, call->ops[0]), &to) || to.leaf != cell.base)
    return false;
  *out = (HostCopied){.offset = to.offset, .value = host_pointer_result(scan, frame, inst, 0), .bytes = 8};
  return out->value != 0;
}

bool host_copied_pointers(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell, HostCopied *out) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  HostWriter writer = {.frame = frame, .inst = inst, .kind = IR_BYTES};
  HostTransfer transfer = {0};
  HostTarget to, from;
  int64_t length = 0;
  if (cell.kind != IR_PTR) return false;
  if (allocated_pointer(scan, frame, inst, cell, out)) return true;
  if (!read_transfer(scan, frame, inst, &transfer)) return false;
  if (!host_sole_target(scan, transfer.to, &to) || to.leaf != cell.base) return false;
  ExprRef bytes = host_settle(scan, expr_resize_signed(scan->pool, transfer.length, 64));
  if (!expr_is_const(scan->pool, bytes, &length) || length < 8 || length % 8 != 0 || length > INT32_MAX)
    return false;
  if (!host_is_multiple(scan, to.offset, 8)) return false; // else it may cover the element in part
  ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, to.offset);
  apart = host_gather(scan, apart);
  ExprRef from_here =
      transfer.from && length > 8 ? host_add_offset(scan, transfer.from, apart) : transfer.from;
  *out = (HostCopied){.offset = to.offset, .bytes = (uint32_t)length};
  if (transfer.number) out->value = host_filled_word(scan, &transfer, 8);
  if (out->value) return true;
  if (!transfer.from || !host_sole_target(scan, transfer.from, &from))
    return true;
  else if (host_is_few_words(scan, &transfer, apart, cell))
    out->value = host_copied_words(scan, &writer, &transfer, apart, cell);
  else
    out->value = host_read_at(scan, &writer, from_here, cell, 0, 0);
  return true;
}
