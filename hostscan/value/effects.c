// What does one instruction put into a cell of host memory? Stores, copies and fills put something there; calls
// of functions with a body are gone into, calls of others, copies of the runtime and launches may write what
// they are given (may_write.c, launched.c). Method: the targets of the address against the cell (objects/object.c, meets.c).
// An element of which it is not said which one (contents/) gets what is written if the write covers it, and keeps what
// was there if the write lies beside it. Soundness: a write that may meet the cell in a way that is not understood gives
// an unknown value.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/writes.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/syntax.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

#include <string.h>

// ---- writes of known extent

// What lies at the address just before the write; `origin`: an address in the program that it lies `behind`
// bytes behind, or 0.
ExprRef host_read_at(HostScan *scan, const HostWriter *writer, ExprRef address, HostCell cell, IrRef origin,
                     int64_t behind) {
  ASSERT(host_function_has_inst(writer->frame->function, writer->inst));
  ASSERT(host_has_cell(scan, cell));
  return host_load(scan, (HostAccess){.frame = writer->frame,
                                      .inst = writer->inst,
                                      .address = address,
                                      .bytes = cell.bytes,
                                      .kind = cell.kind,
                                      .origin = origin,
                                      .behind = behind});
}

static ExprRef copied_piece(HostScan *scan, const HostWriter *writer, int64_t at, HostCell cell) {
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  ExprRef source = host_value(scan, writer->frame, inst->ops[1]);
  source = host_add_offset(scan, source, expr_const(scan->pool, 64, at));
  return host_read_at(scan, writer, source, cell, inst->ops[1], at);
}

static ExprRef filled_piece(HostScan *scan, const HostWriter *writer, HostCell cell) {
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  int64_t byte = 0;
  if (!expr_is_const(scan->pool, host_value(scan, writer->frame, inst->ops[1]), &byte)) return 0;
  uint64_t word = 0;
  for (uint32_t i = 0; i < cell.bytes; i++)
    word |= (uint64_t)(byte & 255) << (8 * i);
  return expr_const(scan->pool, (uint8_t)(cell.bytes * 8), (int64_t)word);
}

// The cell's bytes of what is written, `at` bytes behind its start; 0 if unknown.
static ExprRef written_piece(HostScan *scan, const HostWriter *writer, int64_t at, HostCell cell) {
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  if (writer->value) return host_bytes_of(scan, writer->value, (uint32_t)at, cell.bytes);
  if (inst->op == IR_MEMCPY) return copied_piece(scan, writer, at, cell);
  if (inst->op == IR_MEMSET) return filled_piece(scan, writer, cell);
  bool is_store = inst->op == IR_STORE;
  return is_store ? host_value_piece(scan, writer->frame, inst->ops[1], (uint32_t)at, cell.bytes) : 0;
}

static ExprRef place_bytes(HostScan *scan, ExprRef part, uint32_t at, uint8_t width) {
  part = expr_resize_unsigned(scan->pool, part, width);
  return at ? expr_binary(scan->pool, EXPR_SHL, 0, part, expr_const(scan->pool, width, at * 8)) : part;
}

// The write covers only bytes [from, to) of the cell: the rest is older.
static ExprRef partial_write(HostScan *scan, const HostWriter *writer, int64_t distance, HostCell cell) {
  int64_t from = distance < 0 ? -distance : 0, to = (int64_t)writer->bytes - distance;
  if (to > cell.bytes) to = cell.bytes;
  struct {
    int64_t from, to;
  } parts[] = {{0, from}, {from, to}, {to, cell.bytes}};
  uint8_t width = (uint8_t)(cell.bytes * 8);
  ExprRef whole = expr_const(scan->pool, width, 0);
  for (uint32_t i = 0; i < 3; i++) {
    HostCell part = cell;
    part.bytes = (uint32_t)(parts[i].to - parts[i].from);
    part.offset = host_add_offset(scan, cell.offset, expr_const(scan->pool, 64, parts[i].from));
    if (part.bytes == 0) continue;
    if (!host_is_cell_size(part.bytes)) return 0;
    ExprRef value = i == 1 ? written_piece(scan, writer, distance + from, part)
                           : host_cell_before(scan, writer->frame, writer->inst, part);
    if (!value) return 0;
    value = place_bytes(scan, value, (uint32_t)parts[i].from, width);
    whole = expr_binary(scan->pool, EXPR_OR, 0, whole, value);
  }
  return whole;
}

static ExprRef write_to_member(HostScan *scan, const HostWriter *writer, const HostTarget *target,
                               HostCell cell) {
  ExprRef is_same = expr_eq(scan->pool, host_add_offset(scan, target->leaf, target->offset),
                            host_add_offset(scan, cell.base, cell.offset));
  ExprRef written = written_piece(scan, writer, 0, cell);
  ExprRef before = host_cell_before(scan, writer->frame, writer->inst, cell);
  ExprRef value = written ? expr_ite(scan->pool, is_same, written, before) : 0;
  return value && host_weight(scan, value) <= HOST_HEAVY ? value : 0;
}

// ---- an element of which it is not said which one (contents.c)

// What a call of the runtime finds of this value, or leaves of it.
static ExprRef in_stream(HostScan *scan, const HostWriter *writer, HostAbout about, ExprRef value,
                         HostCell cell) {
  return host_ask(
      scan,
      &(HostQuestion){
          .about = about, .frame = writer->frame, .index = writer->inst, .cell = cell, .before = value});
}

// What a write of `length` bytes, which starts `apart` bytes before the element, leaves there: `piece` if it
// covers the element, what was there before if it lies beside it.
static ExprRef written_element(HostScan *scan, const HostWriter *writer, ExprRef apart, ExprRef length,
                               ExprRef piece, HostCell cell) {
  ExprPool *pool = scan->pool;
  ExprRef zero = expr_const(pool, 64, 0), bytes = expr_const(pool, 64, cell.bytes);
  ExprRef before = host_cell_before(scan, writer->frame, writer->inst, cell);
  if (writer->is_in_stream) before = in_stream(scan, writer, HOST_ABOUT_ORDER, before, cell);
  if (!before) return host_after_write(scan, writer->frame, writer->inst, cell);
  ExprRef end = expr_binary(pool, EXPR_ADD, EXPR_ADDRESS, apart, bytes);
  ExprRef covers = expr_and(pool, expr_binary(pool, EXPR_SLE, 0, zero, apart),
                            expr_binary(pool, EXPR_SLE, 0, end, length));
  ExprNode older = *expr_node(pool, before);
  if (older.op == EXPR_ITE && older.a == covers) before = older.c; // an earlier write of the same bytes
  if (host_is_uninitialised(scan, before) || host_is_in_words(scan, apart, length, cell))
    return expr_ite(pool, covers, piece, before);
  ExprRef beside =
      expr_or(pool, expr_binary(pool, EXPR_SLE, 0, end, zero), expr_binary(pool, EXPR_SLE, 0, length, apart));
  older = *expr_node(pool, before);
  if (older.op == EXPR_ITE && older.a == beside) before = older.b;
  ExprRef rest = expr_ite(pool, beside, before, host_after_write(scan, writer->frame, writer->inst, cell));
  return expr_ite(pool, covers, piece, rest);
}

// A store. Words of one size lie at multiples of it: they are the same or do not meet.
static ExprRef stored_element(HostScan *scan, const HostWriter *writer, ExprRef apart, HostCell cell) {
  ExprPool *pool = scan->pool;
  ExprRef zero = expr_const(pool, 64, 0);
  if (cell.kind == IR_PTR && writer->bytes < cell.bytes) return 0; // no access to a pointer by another type
  if (writer->bytes != cell.bytes)
    return written_element(scan, writer, apart, expr_const(pool, 64, (int64_t)writer->bytes),
                           host_after_write(scan, writer->frame, writer->inst, cell), cell);
  ExprRef piece = written_piece(scan, writer, 0, cell);
  if (!piece) return host_after_write(scan, writer->frame, writer->inst, cell);
  return expr_ite(pool, expr_eq(pool, apart, zero), piece,
                  host_cell_before(scan, writer->frame, writer->inst, cell));
}

// A cell somewhere in a small array: a store may be to that element, a copy of the whole array is to it.
enum { SMALL_ARRAY = 512 };
static ExprRef somewhere_effect(HostScan *scan, const HostWriter *writer, const HostTarget *target,
                                HostCell cell) {
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  ExprRef bytes = host_object_size(scan, cell.base);
  int64_t size = 0, start = 0;
  if (!bytes || !expr_is_const(scan->pool, bytes, &size) || size > SMALL_ARRAY) return 0;
  if (!expr_is_const(scan->pool, target->offset, &start)) return 0;
  if (inst->op == IR_STORE && writer->bytes == cell.bytes) { // words of one size are the same or do not meet
    ExprRef piece = written_piece(scan, writer, 0, cell);
    ExprRef before = host_settle(scan, host_cell_before(scan, writer->frame, writer->inst, cell));
    if (!piece || host_is_uninitialised(scan, before)) return piece;
    return expr_ite(scan->pool, host_is_at(scan, cell.offset, start), piece, before);
  }
  if (start != 0 || writer->bytes < (uint64_t)size) return 0;
  if (inst->op == IR_MEMSET) return filled_piece(scan, writer, cell);
  if (inst->op != IR_MEMCPY) return 0;
  ExprRef source = host_value(scan, writer->frame, inst->ops[1]);
  return host_read_at(scan, writer, host_add_offset(scan, source, cell.offset), cell, 0, 0);
}

enum { WORDS_LIMIT = 8 };

// Of a few words each is asked for by itself: more is known of a cell than of an element.
ExprRef host_copied_words(HostScan *scan, const HostWriter *writer, const HostTransfer *transfer,
                          ExprRef apart, HostCell cell) {
  ExprRef value = 0;
  int64_t length = 8;
  (void)expr_is_const(scan->pool, host_settle(scan, transfer->length), &length);
  for (int64_t at = length - 8; at >= 0; at -= 8) {
    ExprRef from = host_add_offset(scan, transfer->from, expr_const(scan->pool, 64, at));
    ExprRef word = host_read_at(scan, writer, from, cell, 0, 0);
    if (host_is_of_parts(scan, word)) word = expr_const(scan->pool, 64, 0);
    ExprRef is_here = expr_eq(scan->pool, apart, expr_const(scan->pool, 64, at));
    value = value ? expr_ite(scan->pool, is_here, word, value) : word;
  }
  return value;
}

// A copy by the host of a few pointers, or of a struct that holds some.
bool host_is_few_words(HostScan *scan, const HostTransfer *transfer, ExprRef apart, HostCell cell) {
  HostTarget from;
  int64_t length = 0;
  return cell.kind == IR_PTR && host_is_in_words(scan, apart, transfer->length, cell) &&
         expr_is_const(scan->pool, host_settle(scan, transfer->length), &length) && length >= 8 &&
         length <= 8 * WORDS_LIMIT && host_sole_target(scan, transfer->from, &from) &&
         host_object_of(scan, from.leaf)->kind != HOST_DEVICE;
}

// May a copy to the one fill memory of the other? Two arrays from outside do not overlap (A2).
static bool may_be_filled(HostScan *scan, ExprRef to, ExprRef base, bool is_out_of_reach) {
  if (to == base) return true;
  if (is_out_of_reach || host_leaves_distinct(scan, to, base)) return false;
  if (!host_are_from_outside(scan, to, base)) return true;
  host_object_of(scan, base)->is_apart = true;
  return false;
}

ExprRef host_filled_word(HostScan *scan, const HostTransfer *transfer, uint32_t bytes) {
  int64_t number = 0;
  if (!expr_is_const(scan->pool, transfer->number, &number)) return 0;
  uint64_t word = 0;
  for (uint32_t i = 0; i < 8; i++)
    word |= ((uint64_t)number >> (8 * (i % transfer->unit)) & 255) << (8 * i);
  for (uint32_t at = bytes; at < transfer->unit; at += bytes)
    if (memcmp((const char *)&word + at, &word, bytes) != 0) return 0;
  return expr_const(scan->pool, (uint8_t)(bytes * 8), (int64_t)word);
}

static ExprRef transfer_effect(HostScan *scan, const HostWriter *writer, const HostTransfer *transfer,
                               HostCell cell) {
  HostTargets targets = {0};
  HostTarget to;
  bool is_known = host_targets(scan, transfer->to, &targets), may_meet = !is_known;
  bool out_of_reach = transfer->is_of_host && host_object_of(scan, cell.base)->is_out_of_reach;
  for (uint32_t i = 0; i < targets.count; i++)
    may_meet |= may_be_filled(scan, targets.items[i].leaf, cell.base, out_of_reach);
  if (!may_meet) return 0;
  if (!host_sole_target(scan, transfer->to, &to) || to.leaf != cell.base)
    return host_after_write(scan, writer->frame, writer->inst, cell);
  ExprRef apart = host_gather(scan, expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, to.offset));
  ExprRef piece = 0;
  HostSpan written = {apart, expr_resize_signed(scan->pool, transfer->length, 64)};
  if (transfer->is_library)
    piece = host_ask(scan, &(HostQuestion){.about = HOST_ABOUT_LIBRARY,
                                           .frame = writer->frame,
                                           .index = writer->inst,
                                           .cell = cell,
                                           .span = written});
  else if (transfer->from && host_is_few_words(scan, transfer, apart, cell))
    piece = host_copied_words(scan, writer, transfer, apart, cell);
  else if (transfer->from && host_sole_target(scan, transfer->from, &to)) // which makes it known as an object
    piece = host_read_at(scan, writer, host_add_offset(scan, transfer->from, apart), cell, 0, 0);
  else if (transfer->number)
    piece = host_filled_word(scan, transfer, cell.bytes);
  bool is_copied = piece && writer->is_in_stream && !transfer->is_library;
  if (is_copied) piece = in_stream(scan, writer, HOST_ABOUT_ORDER, piece, cell);
  if (is_copied && piece) piece = in_stream(scan, writer, HOST_ABOUT_COPY, piece, cell);
  if (!piece) piece = host_after_write(scan, writer->frame, writer->inst, cell);
  return written_element(scan, writer, apart, written.length, piece, cell);
}

static ExprRef write_to_target(HostScan *scan, const HostWriter *writer, const HostTarget *target,
                               HostCell cell) {
  if (!target->leaf) return 0;
  if (target->leaf != cell.base) {
    if (host_leaves_distinct(scan, target->leaf, cell.base) ||
        host_object_of(scan, cell.base)->is_out_of_reach)
      return 0; // host code stores through a pointer that may be any of the host's
    HostMeeting meeting = host_meeting_of(scan, writer, cell);
    if (meeting == HOST_MEET_NEVER) return 0;
    ExprRef value = meeting == HOST_MEET_AS_ONE ? write_to_member(scan, writer, target, cell) : 0;
    if (value) return value;
    return host_kinds_distinct(writer->kind, cell.kind)
               ? 0
               : host_after_write(scan, writer->frame, writer->inst, cell);
  }
  ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, target->offset);
  int64_t lo = 0, hi = 0, distance = 0;
  expr_range(scan->pool, apart, &lo, &hi);
  if (lo >= (int64_t)writer->bytes || hi <= -(int64_t)cell.bytes) return 0;
  if (host_is_beside(scan, apart, writer->bytes, cell.bytes)) return 0;
  bool is_fixed = expr_is_const(scan->pool, apart, NULL);
  if (writer->is_handle && !is_fixed && host_is_no_place_for_handles(cell)) {
    host_object_of(scan, cell.base)->is_trusted = true;
    return 0;
  }
  ExprRef value = 0;
  if (host_is_element(scan, cell) && !expr_is_const(scan->pool, apart, NULL))
    return stored_element(scan, writer, apart, cell);
  if (expr_is_const(scan->pool, apart, &distance)) {
    bool covers = distance >= 0 && distance + cell.bytes <= (int64_t)writer->bytes;
    value =
        covers ? written_piece(scan, writer, distance, cell) : partial_write(scan, writer, distance, cell);
  } else {
    value = somewhere_effect(scan, writer, target, cell);
  }
  return value ? value : host_after_write(scan, writer->frame, writer->inst, cell);
}

static ExprRef write_effect(HostScan *scan, const HostWriter *writer, ExprRef address, HostCell cell) {
  HostTargets targets = {0};
  if (!host_targets(scan, address, &targets))
    return host_after_write(scan, writer->frame, writer->inst, cell);
  ExprRef result = 0;
  for (uint32_t i = 0; i < targets.count; i++) {
    ExprRef value = write_to_target(scan, writer, &targets.items[i], cell);
    if (!value) continue;
    if (targets.count == 1) return value;
    if (!result) result = host_cell_before(scan, writer->frame, writer->inst, cell);
    result = expr_ite(scan->pool, targets.items[i].condition, value, result);
  }
  return result;
}

// ---- calls

static ExprRef body_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostFunction *callee,
                           HostCell cell) {
  uint32_t limit =
      scan->members ? HOST_LARGE_CALLEE_SIZE : HOST_CALLEE_SIZE; // for proofs about members it may be more
  if (host_function_size(scan, callee) > limit) return host_after_write(scan, frame, inst, cell);
  HostFrame *child = host_frame_child_of(scan, frame, inst, callee);
  if (!child || child->function->returns.count == 0 || scan->depth > HOST_MEMORY_DEPTH)
    return host_after_write(scan, frame, inst, cell);
  ExprRef value = 0;
  for (uint32_t i = 0; i < child->function->returns.count; i++) {
    ExprRef here =
        host_settle(scan, host_cell_at_end(scan, child, child->function->returns.items[i], CFG_NONE, cell));
    if (value && here != value) return host_after_write(scan, frame, inst, cell);
    value = here;
  }
  return value;
}

static ExprRef defined_call(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  HostFunction *callee = NULL;
  (void)host_call(scan, &frame->function->ir->insts.items[inst], &callee);
  // In a loop the value before a call is another in each round: what leaves the cell alone need not be gone through.
  if (!host_body_touches(scan, frame, inst, callee, cell)) return 0;
  return body_effect(scan, frame, inst, callee, cell);
}

// A call without a body: it may know of what it is not given.
static ExprRef after_unseen(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ExprRef value = host_after_write(scan, frame, inst, cell);
  if (!host_is_given(scan, frame, inst, UINT32_MAX, cell)) host_note_doubt(scan, frame, inst, cell, value);
  return value;
}

// Through a pointer: what each of the functions does that it is seen to be.
static ExprRef unknown_call(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  HostTargets targets = {0};
  ExprRef result = 0;
  if (!host_call_reaches(scan, frame, inst, cell)) return 0;
  if (!host_called_functions(scan, frame, inst, &targets)) return after_unseen(scan, frame, inst, cell);
  for (uint32_t i = 0; i < targets.count; i++) {
    HostFunction *callee = &scan->functions[host_object_of(scan, targets.items[i].leaf)->index];
    if (!host_writes_by_pointer(scan, frame, inst, callee, cell)) continue;
    if (callee->ir->blocks.count == 0) return after_unseen(scan, frame, inst, cell);
    ExprRef value = body_effect(scan, frame, inst, callee, cell);
    if (!value || targets.count == 1) {
      result = value ? value : result;
      continue;
    }
    if (!result) result = host_cell_before(scan, frame, inst, cell);
    result = expr_ite(scan->pool, targets.items[i].condition, value, result);
  }
  return result;
}

ExprRef host_pointer_result(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t which) {
  ASSERT(host_function_has_inst(frame->function, inst));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostCallKind kind = host_call(scan, call, NULL)->kind;
  if (which == 1) return host_pitch(scan, frame, inst).pitch;
  if (kind == CALL_HOST_POINTER) return host_value(scan, frame, call->ops[1]);
  if (kind != CALL_SYMBOL_ADDRESS) return host_leaf(scan, host_allocation(scan, frame, inst));
  HostTargets targets = {0};
  if (!host_targets(scan, host_value(scan, frame, call->ops[1]), &targets) || targets.count != 1) return 0;
  ExprRef leaf = targets.items[0].leaf;
  if (!leaf || host_object_of(scan, leaf)->kind != HOST_GLOBAL) return 0;
  uint32_t object = host_fixed_object(scan, HOST_DEVICE_VARIABLE, host_object_of(scan, leaf)->index);
  return host_add_offset(scan, scan->objects.items[object].leaf, targets.items[0].offset);
}

// Writes 8 bytes `offset` behind argument `argument`.
static ExprRef output_word(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t argument, int64_t offset,
                           ExprRef value, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostWriter writer = {frame, inst, 8, IR_BYTES, value, argument == 0 && offset == 0, false};
  ExprRef address = host_value(scan, frame, call->ops[argument]);
  if (offset) address = host_add_offset(scan, address, expr_const(scan->pool, 64, offset));
  return write_effect(scan, &writer, address, cell);
}

static ExprRef allocation_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                                 HostCell cell) {
  ExprRef effect = output_word(scan, frame, inst, 0, 0, host_pointer_result(scan, frame, inst, 0), cell);
  if (effect || (kind != CALL_ALLOCATE_PITCH && kind != CALL_ALLOCATE_3D)) return effect;
  HostPitch made = host_pitch(scan, frame, inst);
  if (kind == CALL_ALLOCATE_PITCH) return output_word(scan, frame, inst, 1, 0, made.pitch, cell);
  ExprRef fields[] = {made.pitch, made.width, made.height}; // cudaPitchedPtr
  for (uint32_t i = 0; i < 3 && !effect; i++)
    effect = output_word(scan, frame, inst, 0, 8 + 8 * (int64_t)i, fields[i], cell);
  return effect;
}

static ExprRef launch_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                             HostCell cell) {
  if (!host_launch_touches(scan, frame, inst, kind, cell)) return 0;
  HostQuestion question = {
      .about = HOST_ABOUT_LAUNCH, .frame = frame, .index = inst, .cell = cell, .kind = kind};
  ExprRef value = host_is_element(scan, cell) ? host_ask(scan, &question) : 0;
  return value ? value : host_after_write(scan, frame, inst, cell);
}

static ExprRef copy_call(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  int64_t length = 0;
  if (call->op_count >= 3 && host_is_element(scan, cell)) {
    HostWriter writer = {.frame = frame, .inst = inst, .kind = IR_BYTES};
    HostTransfer transfer = {.to = host_value(scan, frame, call->ops[0]),
                             .from = host_value(scan, frame, call->ops[1]),
                             .length = host_value(scan, frame, call->ops[2]),
                             .is_of_host = true};
    return transfer_effect(scan, &writer, &transfer, cell);
  }
  if (call->op_count < 3 || !expr_is_const(scan->pool, host_value(scan, frame, call->ops[2]), &length))
    return host_is_filled(scan, frame, inst, cell) ? host_after_write(scan, frame, inst, cell) : 0;
  HostWriter writer = {frame, inst, length > 0 ? (uint64_t)length : 0, IR_BYTES, 0, false, false};
  return write_effect(scan, &writer, host_value(scan, frame, call->ops[0]), cell);
}

bool host_is_captured_copy(HostScan *scan, HostFrame *frame, const IrInst *call) {
  uint32_t count = host_argument_count(call);
  const char *name = host_callee_name(scan, call);
  return count && name && strstr(name, "Async") &&
         host_may_be_captured(scan, host_settle(scan, host_value(scan, frame, call->ops[count - 1])));
}

void host_read_fill(HostScan *scan, HostFrame *frame, uint32_t inst, HostTransfer *transfer) {
  const IrInst *fill = &frame->function->ir->insts.items[inst];
  transfer->unit = fill->op == IR_CALL ? host_call(scan, fill, NULL)->size : 1;
  transfer->number = host_value(scan, frame, fill->ops[1]);
  ExprRef unit = expr_const(scan->pool, 64, transfer->unit);
  transfer->length = expr_resize_signed(scan->pool, host_value(scan, frame, fill->ops[2]), 64);
  if (transfer->unit > 1)
    transfer->length = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, transfer->length, unit);
}

// The runtime's copies and fills. What they put down stands for itself once they are known to be over (HOST_ABOUT_COPY). Who
// changes the source before that has a race of another kind.
static ExprRef runtime_copy(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                            HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  bool is_symbol = kind == CALL_COPY_SYMBOL, is_from_symbol = kind == CALL_COPY_FROM_SYMBOL;
  const HostObject *object = host_object_of(scan, cell.base);
  if (is_symbol && host_is_managed(scan, cell.base)) return host_after_write(scan, frame, inst, cell);
  if (is_symbol && object->kind != HOST_DEVICE_VARIABLE) return 0;
  // Of single cells only pointers are followed: numbers that come back were computed there.
  bool is_followed = host_is_element(scan, cell) || (cell.kind == IR_PTR && kind != CALL_FILL);
  if (!is_followed || host_argument_count(call) < (is_symbol || is_from_symbol ? 4u : 3u) ||
      host_is_captured_copy(scan, frame, call))
    return is_symbol || host_is_filled(scan, frame, inst, cell) ? host_after_write(scan, frame, inst, cell)
                                                                : 0;
  HostWriter writer = {.frame = frame, .inst = inst, .kind = IR_BYTES, .is_in_stream = true};
  ExprRef second = host_value(scan, frame, call->ops[1]);
  HostTransfer transfer = {.to = host_value(scan, frame, call->ops[0]),
                           .length = host_value(scan, frame, call->ops[2])};
  if (kind == CALL_FILL)
    host_read_fill(scan, frame, inst, &transfer);
  else
    transfer.from = second;
  if (is_symbol || is_from_symbol) {
    ExprRef variable = host_address_of_variable(scan, is_symbol ? transfer.to : transfer.from);
    if (!variable) return host_after_write(scan, frame, inst, cell);
    variable = host_add_offset(scan, variable, host_value(scan, frame, call->ops[3]));
    *(is_symbol ? &transfer.to : &transfer.from) = variable;
  }
  return transfer_effect(scan, &writer, &transfer, cell);
}

// Rows without gaps between them, in both places, or only one row, are copied as one piece.
static ExprRef rows_copy(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  enum { TO, TO_PITCH, FROM, FROM_PITCH, WIDTH, HEIGHT, ARGUMENTS };
  const IrInst *call = &frame->function->ir->insts.items[inst];
  bool is_followed = host_is_element(scan, cell) && host_argument_count(call) > ARGUMENTS &&
                     !host_is_captured_copy(scan, frame, call);
  ExprRef args[ARGUMENTS];
  for (uint32_t i = 0; i < ARGUMENTS && is_followed; i++)
    args[i] = host_settle(scan, host_value(scan, frame, call->ops[i]));
  int64_t rows = 0;
  if (is_followed && !(expr_is_const(scan->pool, args[HEIGHT], &rows) && rows == 1))
    is_followed = args[TO_PITCH] == args[WIDTH] && args[FROM_PITCH] == args[WIDTH];
  if (!is_followed)
    return host_is_output(scan, frame, inst, cell) ? host_after_write(scan, frame, inst, cell) : 0;
  HostWriter writer = {.frame = frame, .inst = inst, .kind = IR_BYTES, .is_in_stream = true};
  ExprRef bytes = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, args[WIDTH], args[HEIGHT]);
  HostTransfer transfer = {.to = args[TO], .from = args[FROM], .length = bytes};
  return transfer_effect(scan, &writer, &transfer, cell);
}

static ExprRef library_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  if (!host_is_element(scan, cell) || host_argument_count(call) < 4)
    return host_is_filled(scan, frame, inst, cell) ? host_after_write(scan, frame, inst, cell) : 0;
  HostWriter writer = {.frame = frame, .inst = inst, .kind = IR_BYTES, .is_in_stream = true};
  ExprRef count = expr_resize_signed(scan->pool, host_value(scan, frame, call->ops[1]), 64);
  ExprRef bytes = expr_resize_signed(scan->pool, host_value(scan, frame, call->ops[2]), 64);
  HostTransfer transfer = {.to = host_value(scan, frame, call->ops[0]),
                           .length = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, count, bytes),
                           .is_library = true};
  return transfer_effect(scan, &writer, &transfer, cell);
}

static ExprRef call_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const HostCall *known = host_call(scan, call, NULL);
  HostCallKind kind = known->kind;
  bool given = false;
  if (kind == CALL_UNKNOWN && cell.kind == HOST_VIRTUAL_TABLE) return 0;
  if (kind == CALL_UNKNOWN && host_is_launch(scan, frame->function, inst, &kind))
    return launch_effect(scan, frame, inst, kind, cell);
  if (host_is_beside_copy(scan, frame, inst, cell)) return 0;
  if (kind == CALL_COPY_LINEAR || kind == CALL_COPY_SYMBOL || kind == CALL_COPY_FROM_SYMBOL ||
      kind == CALL_FILL)
    return runtime_copy(scan, frame, inst, kind, cell);
  if (kind == CALL_COPY_ROWS) return rows_copy(scan, frame, inst, cell);
  if (kind == CALL_LIBRARY) return library_effect(scan, frame, inst, cell);
  if (kind == CALL_COPY_PLAIN) return copy_call(scan, frame, inst, cell);
  switch (host_call_class(kind)) {
  case CLASS_DEFINED: return defined_call(scan, frame, inst, cell);
  case CLASS_UNKNOWN: return unknown_call(scan, frame, inst, cell);
  case CLASS_OUTPUTS: given = host_is_output(scan, frame, inst, cell); break;
  case CLASS_ALLOCATES: return allocation_effect(scan, frame, inst, kind, cell);
  case CLASS_LAUNCHES: return launch_effect(scan, frame, inst, kind, cell);
  case CLASS_QUIET: break;
  }
  return given ? host_after_write(scan, frame, inst, cell) : 0;
}

// ---- instructions
static ExprRef memory_effect(HostScan *scan, HostFrame *frame, uint32_t index, HostCell cell) {
  const IrInst *inst = &frame->function->ir->insts.items[index];
  IrType type =
      inst->op_count > 1 ? ir_ref_type(scan->module, frame->function->ir, inst->ops[1]) : inst->type;
  HostWriter writer = {.frame = frame, .inst = index, .bytes = type.bytes, .kind = type.kind};
  if (ir_inst_is(inst, IR_SPANS)) {
    int64_t length = 0;
    ExprRef bytes = host_value(scan, frame, inst->ops[2]);
    writer.kind = IR_BYTES;
    if (host_is_element(scan, cell)) {
      ExprRef second = host_value(scan, frame, inst->ops[1]);
      bool is_copy = inst->op == IR_MEMCPY;
      HostTransfer transfer = {.to = host_value(scan, frame, inst->ops[0]),
                               .from = is_copy ? second : 0,
                               .number = is_copy ? 0 : second,
                               .unit = 1,
                               .length = bytes,
                               .is_of_host = true};
      return transfer_effect(scan, &writer, &transfer, cell);
    }
    writer.bytes = INT32_MAX;
    if (!expr_is_const(scan->pool, bytes, &length)) { // of any length from its start on
      writer.inst = index;
      HostTargets targets = {0};
      if (!host_targets(scan, host_value(scan, frame, inst->ops[0]), &targets))
        return host_after_write(scan, frame, index, cell);
      for (uint32_t i = 0; i < targets.count; i++)
        if (targets.items[i].leaf && !host_leaves_distinct(scan, targets.items[i].leaf, cell.base))
          return host_after_write(scan, frame, index, cell);
      return 0;
    }
    writer.bytes = length > 0 ? (uint64_t)length : 0;
  }
  return write_effect(scan, &writer, host_value(scan, frame, inst->ops[0]), cell);
}

ExprRef host_effect(HostScan *scan, HostFrame *frame, uint32_t index, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  ASSERT(host_has_cell(scan, cell));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  if (inst->op == IR_CALL) return call_effect(scan, frame, index, cell);
  if (ir_inst_writes_there(inst)) return memory_effect(scan, frame, index, cell);
  return host_call_reaches(scan, frame, index, cell) ? host_after_write(scan, frame, index, cell) : 0;
}
