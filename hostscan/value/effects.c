// What does one instruction do to a cell of host memory? Stores, copies and fills put something there; calls
// of functions with a body are gone into, calls of others, copies of the runtime and launches may write what
// they are given. Method: the targets of the address against the cell (object.c). An element of which it is
// not said which one (contents.c) gets what is written if the write covers it, and keeps what was there if
// the write lies beside it. Soundness: a write that may meet the cell in a way that is not understood gives
// an unknown value. A kernel writes only what it can reach through parameters that its stores go back to
// (kernels.c); library calls write only through the arguments that calls.c names.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/objects.h"
#include "hostscan/kernels.h"
#include "hostscan/program.h"
#include "hostscan/text.h"
#include "hostscan/series.h"
#include "hostscan/terms.h"

#include <string.h>

// ---- writes of known extent
typedef struct Writer { // `bytes` bytes at some target, by a STORE, MEMCPY, MEMSET, or a known value
  HostFrame *frame;
  uint32_t inst;
  uint64_t bytes;
  uint8_t kind;      // of the value
  ExprRef value;     // known value of `bytes` bytes, or 0
  bool is_handle;    // an address, or something like one, that the runtime made
  bool is_in_stream; // it is done when its turn in a stream comes
} Writer;

// No address lies where the program has a small number, by the rule about types that clang goes by as well.
static bool is_no_place_for_handles(HostCell cell) {
  return cell.kind == IR_FLOAT || (cell.kind == IR_INT && cell.bytes <= 4);
}

// What lies at the address just before the write; `origin`: an address in the program that it lies `behind`
// bytes behind, or 0.
static ExprRef read_at(HostScan *scan, const Writer *writer, ExprRef address, HostCell cell, IrRef origin,
                       int64_t behind) {
  return host_load(scan, (HostAccess){.frame = writer->frame,
                                      .inst = writer->inst,
                                      .address = address,
                                      .bytes = cell.bytes,
                                      .kind = cell.kind,
                                      .origin = origin,
                                      .behind = behind});
}

static ExprRef copied_piece(HostScan *scan, const Writer *writer, int64_t at, HostCell cell) {
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  ExprRef source = host_value(scan, writer->frame, inst->ops[1]);
  source = host_add_offset(scan, source, expr_const(scan->pool, 64, at));
  return read_at(scan, writer, source, cell, inst->ops[1], at);
}

static ExprRef filled_piece(HostScan *scan, const Writer *writer, HostCell cell) {
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  int64_t byte = 0;
  if (!expr_is_const(scan->pool, host_value(scan, writer->frame, inst->ops[1]), &byte)) return 0;
  uint64_t word = 0;
  for (uint32_t i = 0; i < cell.bytes; i++)
    word |= (uint64_t)(byte & 255) << (8 * i);
  return expr_const(scan->pool, (uint8_t)(cell.bytes * 8), (int64_t)word);
}

// The cell's bytes of what is written, `at` bytes behind its start; 0 if unknown.
static ExprRef written_piece(HostScan *scan, const Writer *writer, int64_t at, HostCell cell) {
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  if (writer->value) return host_bytes_of(scan, writer->value, (uint32_t)at, cell.bytes);
  switch ((int)inst->op) {
  case IR_STORE: return host_value_piece(scan, writer->frame, inst->ops[1], (uint32_t)at, cell.bytes);
  case IR_MEMCPY: return copied_piece(scan, writer, at, cell);
  case IR_MEMSET: return filled_piece(scan, writer, cell);
  default: return 0;
  }
}

static ExprRef place_bytes(HostScan *scan, ExprRef part, uint32_t at, uint8_t width) {
  part = expr_resize_unsigned(scan->pool, part, width);
  return at ? expr_binary(scan->pool, EXPR_SHL, 0, part, expr_const(scan->pool, width, at * 8)) : part;
}

// The write covers only bytes [from, to) of the cell: the rest is older.
static ExprRef partial_write(HostScan *scan, const Writer *writer, int64_t distance, HostCell cell) {
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

// Objects of one class are the same or apart, so that members meet only if they are the same member (A13).
typedef enum Meeting { MEET_SOMEHOW, MEET_NEVER, MEET_AS_ONE } Meeting;

static Meeting meeting_of(const HostScan *scan, const Writer *writer, HostCell cell) {
  const HostReader *reader = &scan->reader;
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  int64_t at = 0, asked = 0;
  if (!scan->members || inst->op != IR_STORE || !reader->function || cell.base != reader->base)
    return MEET_SOMEHOW;
  if (!expr_is_const(scan->pool, cell.offset, &at) || !expr_is_const(scan->pool, reader->offset, &asked))
    return MEET_SOMEHOW;
  const HostMemberList *a = host_members_of(scan->members, writer->frame->function, inst->ops[0]);
  const HostMemberList *b = host_members_of(scan->members, reader->function, reader->address);
  Meeting found = MEET_SOMEHOW;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < b->count; k++) {
      int64_t from = a->items[i].offset, to = b->items[k].offset + reader->behind + at - asked;
      if (a->items[i].owner != b->items[k].owner) continue;
      bool is_apart = from + (int64_t)writer->bytes <= to || to + cell.bytes <= from;
      bool is_same = from == to && writer->bytes == cell.bytes;
      Meeting here = is_apart ? MEET_NEVER : is_same ? MEET_AS_ONE : MEET_SOMEHOW;
      if (here == MEET_SOMEHOW || (found != MEET_SOMEHOW && found != here)) return MEET_SOMEHOW;
      found = here;
    }
  return found;
}

static ExprRef write_to_member(HostScan *scan, const Writer *writer, const HostTarget *target,
                               HostCell cell) {
  ExprRef is_same = expr_eq(scan->pool, host_add_offset(scan, target->leaf, target->offset),
                            host_add_offset(scan, cell.base, cell.offset));
  ExprRef written = written_piece(scan, writer, 0, cell);
  ExprRef before = host_cell_before(scan, writer->frame, writer->inst, cell);
  ExprRef value = written ? expr_ite(scan->pool, is_same, written, before) : 0;
  return value && host_weight(scan, value) <= HOST_HEAVY ? value : 0;
}

// ---- an element of which it is not said which one (contents.c)

static bool is_multiple(HostScan *scan, ExprRef value, uint64_t bytes) {
  uint64_t modulus = 0, rest = 0;
  host_residue(scan, host_settle(scan, value), &modulus, &rest);
  return modulus % bytes == 0 && rest % bytes == 0;
}

// A word or a pointer lies at a multiple of its size: what is as long as some covers it or lies beside it.
static bool is_in_words(HostScan *scan, ExprRef apart, ExprRef length, HostCell cell) {
  bool is_word = cell.kind == IR_PTR || cell.kind == IR_INT || cell.kind == IR_FLOAT;
  if (!is_word || (cell.bytes & (cell.bytes - 1)) != 0) return false;
  ExprRef start = host_replace(scan, host_settle(scan, apart), scan->element, expr_const(scan->pool, 64, 0));
  return is_multiple(scan, length, cell.bytes) && is_multiple(scan, start, cell.bytes);
}

// What a call of the runtime finds of this value, or leaves of it.
static ExprRef in_stream(HostScan *scan, const Writer *writer, HostAbout about, ExprRef value,
                         HostCell cell) {
  return host_ask(
      scan,
      &(HostQuestion){
          .about = about, .frame = writer->frame, .index = writer->inst, .cell = cell, .before = value});
}

// What a write of `length` bytes, which starts `apart` bytes before the element, leaves there: `piece` if it
// covers the element, what was there before if it lies beside it.
static ExprRef written_element(HostScan *scan, const Writer *writer, ExprRef apart, ExprRef length,
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
  if (host_is_uninitialised(scan, before) || is_in_words(scan, apart, length, cell))
    return expr_ite(pool, covers, piece, before);
  ExprRef beside =
      expr_or(pool, expr_binary(pool, EXPR_SLE, 0, end, zero), expr_binary(pool, EXPR_SLE, 0, length, apart));
  older = *expr_node(pool, before);
  if (older.op == EXPR_ITE && older.a == beside) before = older.b;
  ExprRef rest = expr_ite(pool, beside, before, host_after_write(scan, writer->frame, writer->inst, cell));
  return expr_ite(pool, covers, piece, rest);
}

// A store. Words of one size lie at multiples of it: they are the same or do not meet.
static ExprRef stored_element(HostScan *scan, const Writer *writer, ExprRef apart, HostCell cell) {
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
static ExprRef somewhere_effect(HostScan *scan, const Writer *writer, const HostTarget *target,
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
  return read_at(scan, writer, host_add_offset(scan, source, cell.offset), cell, 0, 0);
}

// A copy or a fill of any length; `from`: where it comes from, or 0 with the byte that all are filled with.
typedef struct Span {
  ExprRef to, from, byte, length;
  bool is_of_host; // host code does it, not the runtime
  bool is_library; // it is what the library is documented to leave
} Span;

enum { WORDS_LIMIT = 8 };

// Put together from shorter numbers: no pointer, to which C++ has no access by another type.
static bool is_of_parts(HostScan *scan, ExprRef word) {
  ExprNode node = *expr_node(scan->pool, host_settle(scan, word));
  if (node.op != EXPR_OR) return node.op == EXPR_ZEXT || node.op == EXPR_SHL;
  return is_of_parts(scan, node.a) || is_of_parts(scan, node.b);
}

// Of a few words each is asked for by itself: more is known of a cell than of an element.
static ExprRef copied_words(HostScan *scan, const Writer *writer, const Span *span, ExprRef apart,
                            HostCell cell) {
  ExprRef value = 0;
  int64_t length = 8;
  (void)expr_is_const(scan->pool, host_settle(scan, span->length), &length);
  for (int64_t at = length - 8; at >= 0; at -= 8) {
    ExprRef from = host_add_offset(scan, span->from, expr_const(scan->pool, 64, at));
    ExprRef word = read_at(scan, writer, from, cell, 0, 0);
    if (is_of_parts(scan, word)) word = expr_const(scan->pool, 64, 0);
    ExprRef is_here = expr_eq(scan->pool, apart, expr_const(scan->pool, 64, at));
    value = value ? expr_ite(scan->pool, is_here, word, value) : word;
  }
  return value;
}

// A copy by the host of a few pointers, or of a struct that holds some.
static bool is_few_words(HostScan *scan, const Span *span, ExprRef apart, HostCell cell) {
  HostTarget from;
  int64_t length = 0;
  return cell.kind == IR_PTR && is_in_words(scan, apart, span->length, cell) &&
         expr_is_const(scan->pool, host_settle(scan, span->length), &length) && length >= 8 &&
         length <= 8 * WORDS_LIMIT && host_sole_target(scan, span->from, &from) &&
         host_object_of(scan, from.leaf)->kind != HOST_DEVICE;
}

static ExprRef span_effect(HostScan *scan, const Writer *writer, const Span *span, HostCell cell) {
  HostTargets targets = {0};
  HostTarget to;
  int64_t byte = 0;
  bool is_known = host_targets(scan, span->to, &targets), may_meet = !is_known;
  bool out_of_reach = span->is_of_host && host_object_of(scan, cell.base)->is_out_of_reach;
  for (uint32_t i = 0; i < targets.count; i++) {
    ExprRef leaf = targets.items[i].leaf;
    may_meet |= leaf == cell.base || (!out_of_reach && !host_leaves_distinct(scan, leaf, cell.base));
  }
  if (!may_meet) return 0;
  if (!host_sole_target(scan, span->to, &to) || to.leaf != cell.base)
    return host_after_write(scan, writer->frame, writer->inst, cell);
  ExprRef apart = host_gather(scan, expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, to.offset));
  ExprRef piece = 0;
  HostSpan written = {apart, expr_resize_signed(scan->pool, span->length, 64)};
  if (span->is_library)
    piece = host_ask(scan, &(HostQuestion){.about = HOST_ABOUT_LIBRARY,
                                           .frame = writer->frame,
                                           .index = writer->inst,
                                           .cell = cell,
                                           .span = written});
  else if (span->from && is_few_words(scan, span, apart, cell))
    piece = copied_words(scan, writer, span, apart, cell);
  else if (span->from && host_sole_target(scan, span->from, &to)) // which makes it known as an object
    piece = read_at(scan, writer, host_add_offset(scan, span->from, apart), cell, 0, 0);
  else if (span->byte && expr_is_const(scan->pool, span->byte, &byte))
    piece = expr_const(scan->pool, (uint8_t)(cell.bytes * 8),
                       (int64_t)((uint64_t)(byte & 255) * 0x0101010101010101u));
  bool is_copied = piece && writer->is_in_stream && !span->is_library;
  if (is_copied) piece = in_stream(scan, writer, HOST_ABOUT_ORDER, piece, cell);
  if (is_copied && piece) piece = in_stream(scan, writer, HOST_ABOUT_COPY, piece, cell);
  if (!piece) piece = host_after_write(scan, writer->frame, writer->inst, cell);
  return written_element(scan, writer, apart, written.length, piece, cell);
}

// Members of structs in an array: do the strides keep a write and a cell that is so far from it apart?
static bool is_beside(HostScan *scan, ExprRef apart, uint64_t written, uint32_t asked) {
  uint64_t modulus = 0, rest = 0;
  host_residue(scan, apart, &modulus, &rest);
  return modulus > 1 && rest >= written && modulus - rest >= asked;
}

static ExprRef write_to_target(HostScan *scan, const Writer *writer, const HostTarget *target,
                               HostCell cell) {
  if (!target->leaf) return 0;
  if (target->leaf != cell.base) {
    if (host_leaves_distinct(scan, target->leaf, cell.base) ||
        host_object_of(scan, cell.base)->is_out_of_reach)
      return 0; // host code stores through a pointer that may be any of the host's
    Meeting meeting = meeting_of(scan, writer, cell);
    if (meeting == MEET_NEVER) return 0;
    ExprRef value = meeting == MEET_AS_ONE ? write_to_member(scan, writer, target, cell) : 0;
    if (value) return value;
    return host_kinds_distinct(writer->kind, cell.kind)
               ? 0
               : host_after_write(scan, writer->frame, writer->inst, cell);
  }
  ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, target->offset);
  int64_t lo = 0, hi = 0, distance = 0;
  expr_range(scan->pool, apart, &lo, &hi);
  if (lo >= (int64_t)writer->bytes || hi <= -(int64_t)cell.bytes) return 0;
  if (is_beside(scan, apart, writer->bytes, cell.bytes)) return 0;
  bool is_fixed = expr_is_const(scan->pool, apart, NULL);
  if (writer->is_handle && !is_fixed && is_no_place_for_handles(cell)) {
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

static ExprRef write_effect(HostScan *scan, const Writer *writer, ExprRef address, HostCell cell) {
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

const char *host_text_argument(HostScan *scan, HostFrame *frame, const IrInst *call, uint32_t index) {
  HostTarget target;
  int64_t offset = 0;
  if (index >= host_argument_count(call)) return NULL;
  ExprRef address = host_settle(scan, host_value(scan, frame, call->ops[index]));
  if (!host_sole_target(scan, address, &target) || !target.leaf ||
      !expr_is_const(scan->pool, target.offset, &offset))
    return NULL;
  const HostObject *object = host_object_of(scan, target.leaf);
  if (object->kind != HOST_GLOBAL || !host_is_constant_global(scan, object->index)) return NULL;
  const IrGlobal *text = &scan->module->globals.items[object->index];
  bool is_whole = text->data && offset >= 0 && (uint64_t)offset < text->bytes &&
                  memchr(text->data + offset, '\0', text->bytes - (uint64_t)offset);
  return is_whole ? (const char *)text->data + offset : NULL;
}

// Bytes that the call writes behind the argument at most; 0: any number.
static uint32_t bytes_behind(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t argument) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const HostCall *known = host_call(scan, call, NULL);
  if (known->kind != CALL_WRITES) return 0;
  size_t length = strlen(known->name);
  bool scans = length >= 5 && strcmp(known->name + length - 5, "scanf") == 0;
  uint32_t format = 0;
  while (scans && format < 31 && !(known->outputs >> (format + 1) & 1))
    format++;
  const char *text = scans ? host_text_argument(scan, frame, call, format) : NULL;
  return text ? host_scanned_bytes(text, format, argument) : known->size;
}

// The driver takes addresses as numbers.
static bool is_number(IrType type) {
  return type.kind == IR_INT && type.bits >= 64;
}

// How far does one reach from an address?
typedef enum Reach {
  REACH_OBJECT,  // whoever has a pointer into an array may count it down as well as up
  REACH_FORWARD, // from there on
  REACH_BYTES    // likewise, so many bytes
} Reach;

// The address at which a member begins that the operand points into: the rest of its class is not reached by it. The
// operand itself if it points into no member.
static IrRef member_start(const IrFunction *ir, IrRef ref, bool *is_member) {
  IrRef at = ref;
  for (const IrInst *inst = ir_inst(ir, at); inst && inst->op == IR_PTRADD; inst = ir_inst(ir, at)) {
    *is_member = inst->owner && inst->imm > 0;
    if (*is_member) return at;
    at = inst->ops[0];
  }
  return ref;
}

// Does some byte of the cell lie in what is reached from the address; of REACH_BYTES, in the `bytes` (0: any number)
// behind it?
static bool is_reached(HostScan *scan, ExprRef address, bool is_pointer, Reach reach, uint32_t bytes,
                       HostCell cell) {
  HostTargets targets = {0};
  ExprNode base = *expr_node(scan->pool, cell.base);
  if (!host_targets(scan, address, &targets))
    return is_pointer || base.op != EXPR_SYM ||
           host_mentions(scan, host_settle(scan, address), (uint32_t)base.value);
  for (uint32_t i = 0; i < targets.count; i++) {
    if (targets.items[i].leaf && host_is_any_address(scan, targets.items[i].leaf)) return true;
    if (targets.items[i].leaf != cell.base) continue;
    if (reach == REACH_OBJECT) return true;
    int64_t lo = 0, hi = 0;
    ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, targets.items[i].offset);
    expr_range(scan->pool, apart, &lo, &hi);
    if (hi > -(int64_t)cell.bytes && (bytes == 0 || lo < (int64_t)bytes)) return true;
  }
  return false;
}

// Is one of the arguments an address from which the cell is reached?
typedef struct Given {
  uint32_t mask; // of arguments: bit i, or the last one for all behind
  Reach reach;   // REACH_BYTES: what the call is said to write there
} Given;

static bool is_reached_from(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t argument, Reach reach,
                            HostCell cell) {
  const IrFunction *ir = frame->function->ir;
  IrRef ref = ir->insts.items[inst].ops[argument];
  uint32_t bytes = reach == REACH_BYTES ? bytes_behind(scan, frame, inst, argument) : 0;
  bool is_member = false;
  if (reach == REACH_OBJECT) ref = member_start(ir, ref, &is_member);
  return is_reached(scan, host_value(scan, frame, ref), ir_ref_type(scan->module, ir, ref).kind == IR_PTR,
                    is_member ? REACH_FORWARD : reach, bytes, cell);
}

static bool is_among(HostScan *scan, HostFrame *frame, uint32_t inst, Given given, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    bool counts = i < 32 ? given.mask >> i & 1 : given.mask >> 31;
    IrType type = ir_ref_type(scan->module, frame->function->ir, call->ops[i]);
    if (!counts || (type.kind != IR_PTR && !is_number(type))) continue;
    if (is_reached_from(scan, frame, inst, i, given.reach, cell)) return true;
  }
  return false;
}

static bool is_given(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t mask, HostCell cell) {
  return is_among(scan, frame, inst, (Given){mask, REACH_OBJECT}, cell);
}

// Likewise, of a call that writes from there on.
static bool is_filled(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  return is_among(scan, frame, inst, (Given){1, REACH_FORWARD}, cell);
}

// Likewise, and the call is said to write so far behind it.
static bool is_written_behind(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t mask, HostCell cell) {
  return is_among(scan, frame, inst, (Given){mask, REACH_BYTES}, cell);
}

// The driver's calls are given addresses as numbers.
static bool is_address_as_number(HostScan *scan, HostFrame *frame, IrRef ref, HostCell cell) {
  IrType type = ir_ref_type(scan->module, frame->function->ir, ref);
  if (type.kind != IR_INT || type.bits < 64) return false;
  ExprNode base = *expr_node(scan->pool, cell.base);
  return base.op == EXPR_SYM &&
         host_mentions(scan, host_settle(scan, host_value(scan, frame, ref)), (uint32_t)base.value);
}

// Is a call without a body given a pointer to the array, or one to memory in which such a pointer may lie?
static bool is_handed_over(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  if (is_given(scan, frame, inst, UINT32_MAX, cell)) return true;
  for (uint32_t i = 0; i < host_argument_count(call); i++) {
    HostTargets targets = {0};
    if (is_address_as_number(scan, frame, call->ops[i], cell)) return true;
    if (ir_ref_type(scan->module, frame->function->ir, call->ops[i]).kind != IR_PTR) continue;
    if (!host_targets(scan, host_value(scan, frame, call->ops[i]), &targets)) return true;
    for (uint32_t k = 0; k < targets.count; k++) {
      if (!targets.items[k].leaf) continue;
      const HostObject *object = host_object_of(scan, targets.items[k].leaf);
      bool is_text = object->kind == HOST_GLOBAL && scan->module->globals.items[object->index].is_constant;
      int64_t size = 8;
      bool is_small = object->size_bytes && expr_is_const(scan->pool, object->size_bytes, &size) && size < 8;
      if (!is_text && !is_small && object->kind != HOST_DEVICE) return true;
    }
  }
  return false;
}

// ---- arrays of the device whose address code that is not seen has got: it may write there whenever it is called

// May code that is not seen read what lies there?
static bool is_open(HostScan *scan, ExprRef address) {
  HostTargets targets = {0};
  if (!host_targets(scan, address, &targets)) return true;
  for (uint32_t i = 0; i < targets.count; i++) {
    if (!targets.items[i].leaf) continue;
    HostObject *object = host_object_of(scan, targets.items[i].leaf);
    bool is_own = object->kind == HOST_LOCAL || object->kind == HOST_HEAP;
    bool is_named = object->kind == HOST_GLOBAL && scan->module->globals.items[object->index].is_static &&
                    host_is_unaliased_global(scan, object->index);
    if (!is_named && (!is_own || host_is_captured(scan, object))) return true;
  }
  return false;
}

static bool may_point_to(HostScan *scan, ExprRef address, HostCell cell) {
  HostTargets targets = {0};
  if (!host_targets(scan, address, &targets)) return true;
  for (uint32_t i = 0; i < targets.count; i++)
    if (targets.items[i].leaf &&
        (host_is_any_address(scan, targets.items[i].leaf) ||
         host_object_of(scan, targets.items[i].leaf) == host_object_of(scan, cell.base)))
      return true;
  return false;
}

static bool store_lets_out(HostScan *scan, HostFrame *frame, const IrInst *store, HostCell cell) {
  IrRef stored = store->ops[store->op == IR_CMPXCHG ? 2 : 1];
  IrType type = ir_ref_type(scan->module, frame->function->ir, stored);
  bool is_whole = type.kind == IR_BYTES && type.bytes >= 8;
  if (type.kind != IR_PTR && !is_number(type) && !is_whole) return false;
  return (is_whole || may_point_to(scan, host_value(scan, frame, stored), cell)) &&
         is_open(scan, host_value(scan, frame, store->ops[0]));
}

static const IndexList *ways_out_of(HostScan *scan, HostFrame *frame, HostCell cell);

enum { CALLEE_SIZE = 3000, LARGE_CALLEE_SIZE = 40000 }; // instructions, with all that it calls

static bool call_lets_out(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostFunction *callee = NULL;
  HostCallKind kind = host_call(scan, call, &callee)->kind;
  if (kind == CALL_UNKNOWN)
    return !host_is_launch(scan, frame->function, inst, &kind) && is_handed_over(scan, frame, inst, cell);
  if (host_call_class(kind) == CLASS_ALLOCATES) {
    const HostObject *object = host_object_of(scan, cell.base);
    return object->frame == frame && object->inst == inst &&
           is_open(scan, host_value(scan, frame, call->ops[0]));
  }
  if (kind == CALL_COPY_PLAIN) return is_open(scan, host_value(scan, frame, call->ops[0]));
  if (kind != CALL_DEFINED) return false;
  HostFrame *child =
      host_function_size(scan, callee) > CALLEE_SIZE ? NULL : host_frame_child(scan, frame, inst);
  if (!child) return true;
  const IndexList *ways = ways_out_of(scan, child, cell);
  return !ways || ways->count > 0;
}

static bool lets_out(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *at = &frame->function->ir->insts.items[inst];
  if (at->op == IR_CALL) return call_lets_out(scan, frame, inst, cell);
  if (at->op == IR_STORE || ir_inst_is(at, IR_ATOMIC)) return store_lets_out(scan, frame, at, cell);
  return at->op == IR_MEMCPY && is_open(scan, host_value(scan, frame, at->ops[0]));
}

// Where in the activation, or in what it calls, the array is made; CFG_NONE: it was there before.
static uint32_t made_at(const HostFrame *frame, const HostObject *object) {
  if (!object->frame || !host_frame_is_above(frame, object->frame)) return CFG_NONE;
  const HostFrame *below = object->frame;
  uint32_t inst = object->inst;
  for (; below != frame; below = below->parent)
    inst = below->call;
  return inst;
}

static bool is_made_before(HostScan *scan, HostFrame *frame, uint32_t made, uint32_t inst) {
  return made == CFG_NONE || made == inst || host_comes_behind(scan, frame->function, &made, 1, inst);
}

// The instructions of the activation that let the address of the array out; NULL: they are being looked for.
static const IndexList *ways_out_of(HostScan *scan, HostFrame *frame, HostCell cell) {
  const HostFunction *function = frame->function;
  uint32_t object = (uint32_t)(host_object_of(scan, cell.base) - scan->objects.items);
  HostKey key = {{MEMO_WAYS_OUT, frame->id, object}};
  uint32_t known = host_map_get(&scan->memo, key);
  if (known) return scan->ways_out.items[known - 1];
  vec_push(scan->arena, &scan->ways_out, NULL);
  known = scan->ways_out.count;
  host_map_put(&scan->memo, key, known);
  IndexList *ways = arena_new(scan->arena, IndexList);
  uint32_t made = made_at(frame, &scan->objects.items[object]);
  for (uint32_t b = 0; b < function->ir->blocks.count; b++)
    for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1]; e++)
      if (is_made_before(scan, frame, made, function->effects[e]) &&
          lets_out(scan, frame, function->effects[e], cell))
        vec_push(scan->arena, ways, function->effects[e]);
  scan->ways_out.items[known - 1] = ways;
  return ways;
}

static bool is_let_out_before(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  for (; frame; inst = frame->call, frame = frame->parent) {
    const IndexList *ways = scan->depth > HOST_MEMORY_DEPTH ? NULL : ways_out_of(scan, frame, cell);
    if (!ways || host_comes_behind(scan, frame->function, ways->items, ways->count, inst)) return true;
  }
  return false;
}

// A call that is given no pointer to it may know the array if some call, or some memory, has got one earlier.
bool host_is_handed_on(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostFunction *callee = NULL;
  if (call->op != IR_CALL || host_call(scan, call, &callee)->kind == CALL_DEFINED) return true;
  return is_handed_over(scan, frame, inst, cell) || is_let_out_before(scan, frame, inst, cell);
}

bool host_call_reaches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  HostObject *object = host_object_of(scan, cell.base);
  if (object->kind == HOST_GLOBAL &&
      host_is_settled_global(scan, frame, &frame->function->ir->insts.items[inst], object->index))
    return false;
  if (object->kind == HOST_POINTER && host_is_unrelated_call(scan, object, frame, inst) &&
      !is_given(scan, frame, inst, UINT32_MAX, cell)) {
    host_object_of(scan, cell.base)->is_trusted = true;
    return false;
  }
  if (object->kind == HOST_DEVICE && host_is_element(scan, cell))
    return host_is_handed_on(scan, frame, inst, cell);
  if (object->kind != HOST_LOCAL && object->kind != HOST_HEAP) return true;
  return host_is_captured_before(scan, object, frame, inst) || is_given(scan, frame, inst, UINT32_MAX, cell);
}

// cudaStreamCreate(&streams[d][s]): a handle goes to a place that is not known, and the cell holds a number.
static bool is_handle_elsewhere(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const char *name = host_call(scan, call, NULL)->name;
  HostTargets targets = {0};
  bool is_handle = str_starts_with(name, "cudaStreamCreate") || str_starts_with(name, "cudaEventCreate");
  if (!is_handle || !is_no_place_for_handles(cell) || host_argument_count(call) == 0) return false;
  if (!host_targets(scan, host_value(scan, frame, call->ops[0]), &targets)) return false;
  for (uint32_t i = 0; i < targets.count; i++) {
    const HostTarget *target = &targets.items[i];
    if (target->leaf && host_is_any_address(scan, target->leaf)) return false;
    ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, target->offset);
    if (target->leaf == cell.base && expr_is_const(scan->pool, apart, NULL)) return false;
  }
  host_object_of(scan, cell.base)->is_trusted = true;
  return true;
}

// The launch of a graph, or a call that is told where by a struct: may it write the memory through what was handed over
// before?
static bool is_far(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  HostObject *object = host_object_of(scan, cell.base);
  if (object->kind == HOST_LOCAL ||
      object->kind == HOST_GLOBAL) // pointers among them are arguments of kernels, as a rule
    return cell.kind != IR_PTR && host_is_handed_before(scan, object, frame, inst);
  return object->kind == HOST_DEVICE || object->kind == HOST_DEVICE_VARIABLE || object->kind == HOST_HEAP;
}

// Does a call of the runtime or a library write the cell, through its arguments or through what it was given
// before?
static bool is_output(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const HostCall *call = host_call(scan, &frame->function->ir->insts.items[inst], NULL);
  if (is_handle_elsewhere(scan, frame, inst, cell)) return false;
  return (call->kind == CALL_WRITES_FAR && is_far(scan, frame, inst, cell)) ||
         is_written_behind(scan, frame, inst, host_call_outputs(call), cell);
}

static ExprRef body_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostFunction *callee,
                           HostCell cell) {
  uint32_t limit = scan->members ? LARGE_CALLEE_SIZE : CALLEE_SIZE; // for proofs about members it may be more
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

static bool body_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell);

// What leaves the cell as it is, wherever in its object that is, need not be gone through: in a loop the
// value before a call is another in each round.
static bool leaves_alone(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  HostKey key = {{MEMO_TOUCHED, frame->id, inst, cell.base, cell.kind, host_is_element(scan, cell)}};
  uint32_t known = host_map_get(&scan->memo, key);
  if (!known) {
    known = body_touches(scan, frame, inst, cell) ? TRI_YES : TRI_NO;
    host_map_put(&scan->memo, key, known);
  }
  return known == TRI_NO;
}

static ExprRef defined_call(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  HostFunction *callee = NULL;
  (void)host_call(scan, &frame->function->ir->insts.items[inst], &callee);
  if (!host_call_reaches(scan, frame, inst, cell) || leaves_alone(scan, frame, inst, cell)) return 0;
  return body_effect(scan, frame, inst, callee, cell);
}

// A call without a body: it may know of what it is not given.
static ExprRef after_unseen(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ExprRef value = host_after_write(scan, frame, inst, cell);
  if (!is_given(scan, frame, inst, UINT32_MAX, cell)) host_note_doubt(scan, frame, inst, cell, value);
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

static ExprRef pointer_result(HostScan *scan, HostFrame *frame, uint32_t inst, uint32_t which) {
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
  Writer writer = {frame, inst, 8, IR_BYTES, value, argument == 0 && offset == 0, false};
  ExprRef address = host_value(scan, frame, call->ops[argument]);
  if (offset) address = host_add_offset(scan, address, expr_const(scan->pool, 64, offset));
  return write_effect(scan, &writer, address, cell);
}

static ExprRef allocation_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                                 HostCell cell) {
  ExprRef effect = output_word(scan, frame, inst, 0, 0, pointer_result(scan, frame, inst, 0), cell);
  if (effect || (kind != CALL_ALLOCATE_PITCH && kind != CALL_ALLOCATE_3D)) return effect;
  HostPitch made = host_pitch(scan, frame, inst);
  if (kind == CALL_ALLOCATE_PITCH) return output_word(scan, frame, inst, 1, 0, made.pitch, cell);
  ExprRef fields[] = {made.pitch, made.width, made.height}; // cudaPitchedPtr
  for (uint32_t i = 0; i < 3 && !effect; i++)
    effect = output_word(scan, frame, inst, 0, 8 + 8 * (int64_t)i, fields[i], cell);
  return effect;
}

// A launch with an array of argument addresses: is the object of the cell among what they point to?
static bool is_launched_on(HostScan *scan, HostFrame *frame, uint32_t inst, ExprRef array,
                           const HostKernelUse *use, HostCell cell) {
  int64_t size = 0;
  HostTargets targets = {0};
  if (!host_targets(scan, array, &targets) || targets.count != 1 || !targets.items[0].leaf) return true;
  if (targets.items[0].leaf == cell.base) return false; // kernels do not write the array itself
  ExprRef bytes = host_object_of(scan, targets.items[0].leaf)->size_bytes;
  if (!bytes || !expr_is_const(scan->pool, bytes, &size) || size > 512) return true;
  for (int64_t at = 0; at + 8 <= size; at += 8) {
    if (use && at / 8 < use->kernel->params.count && !use->writes[at / 8]) continue;
    HostAccess access = {.frame = frame, .inst = inst, .bytes = 8, .kind = IR_PTR};
    access.address = host_add_offset(scan, array, expr_const(scan->pool, 64, at));
    access.address = host_load(scan, access);
    HostTargets values = {0};
    if (!host_targets(scan, host_load(scan, access), &values)) return true;
    for (uint32_t i = 0; i < values.count; i++)
      if (values.items[i].leaf == cell.base) return true;
  }
  return false;
}

// The parameters of a stub through which its kernel may write; all of them if operands and parameters do not
// match.
static uint32_t written_operands(const HostKernelUse *use, const IrInst *call) {
  uint32_t mask = 0;
  if (!use || use->kernel->params.count != host_argument_count(call)) return UINT32_MAX;
  for (uint32_t i = 0; i < use->kernel->params.count; i++)
    if (use->writes[i]) mask |= 1u << (i < 31 ? i : 31);
  return mask;
}

static bool writes_variable(const HostScan *scan, const HostKernelUse *use, const HostObject *object) {
  const char *name = scan->module->globals.items[object->index].name;
  for (uint32_t i = 0; i < use->globals.count; i++)
    if (strcmp(use->globals.items[i].name, name) == 0 && use->globals.items[i].is_written) return true;
  return false;
}

// Pointers in a struct that is passed by value are not followed.
static bool writes_through_struct(const HostKernelUse *use) {
  for (uint32_t i = 0; i < use->kernel->params.count; i++)
    if (use->writes[i] && use->kernel->params.items[i].byval_bytes) return true;
  return false;
}

static bool launch_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                           HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const HostObject *object = host_object_of(scan, cell.base);
  HostObjectKind base = object->kind;
  if (base == HOST_LOCAL && kind != CALL_STUB) return false;
  if (kind == CALL_LAUNCH_BLIND) return true;
  const IrFunction *kernel = host_launched_kernel(scan, frame, inst, kind);
  const HostKernelUse *use = kernel ? host_kernel_use(scan, kernel) : NULL;
  if (use && cell.kind == IR_PTR && !use->writes_pointers) return false;
  if (use && use->writes_anything) use = NULL;
  object = host_object_of(scan, cell.base); // asking may have made others
  if (base == HOST_DEVICE_VARIABLE && (!use || writes_variable(scan, use, object))) return true;
  if (base == HOST_DEVICE && (!use || writes_through_struct(use))) return true;
  if (kind == CALL_STUB) return is_given(scan, frame, inst, written_operands(use, call), cell);
  bool has_config = kind == CALL_LAUNCH_EX || kind == CALL_LAUNCH_DRIVER_EX;
  uint32_t array = has_config ? 2 : kind == CALL_LAUNCH_DRIVER ? 9 : 5;
  return array >= host_argument_count(call) ||
         is_launched_on(scan, frame, inst, host_value(scan, frame, call->ops[array]), use, cell);
}

static ExprRef launch_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                             HostCell cell) {
  if (!launch_touches(scan, frame, inst, kind, cell)) return 0;
  HostQuestion question = {
      .about = HOST_ABOUT_LAUNCH, .frame = frame, .index = inst, .cell = cell, .kind = kind};
  ExprRef value = host_is_element(scan, cell) ? host_ask(scan, &question) : 0;
  return value ? value : host_after_write(scan, frame, inst, cell);
}

static ExprRef copy_call(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  int64_t length = 0;
  if (call->op_count >= 3 && host_is_element(scan, cell)) {
    Writer writer = {.frame = frame, .inst = inst, .kind = IR_BYTES};
    Span span = {.to = host_value(scan, frame, call->ops[0]),
                 .from = host_value(scan, frame, call->ops[1]),
                 .length = host_value(scan, frame, call->ops[2]),
                 .is_of_host = true};
    return span_effect(scan, &writer, &span, cell);
  }
  if (call->op_count < 3 || !expr_is_const(scan->pool, host_value(scan, frame, call->ops[2]), &length))
    return is_filled(scan, frame, inst, cell) ? host_after_write(scan, frame, inst, cell) : 0;
  Writer writer = {frame, inst, length > 0 ? (uint64_t)length : 0, IR_BYTES, 0, false, false};
  return write_effect(scan, &writer, host_value(scan, frame, call->ops[0]), cell);
}

static bool is_captured_copy(HostScan *scan, HostFrame *frame, const IrInst *call) {
  uint32_t count = host_argument_count(call);
  const char *name = host_callee_name(scan, call);
  return count && name && strstr(name, "Async") &&
         host_may_be_captured(scan, host_settle(scan, host_value(scan, frame, call->ops[count - 1])));
}

// Where a variable of the device lies, which a call names by its host address; 0: it is not seen which.
static ExprRef address_of_variable(HostScan *scan, ExprRef name) {
  HostTargets targets = {0};
  if (!host_targets(scan, name, &targets) || targets.count != 1 || !targets.items[0].leaf ||
      host_object_of(scan, targets.items[0].leaf)->kind != HOST_GLOBAL)
    return 0;
  uint32_t global = host_object_of(scan, targets.items[0].leaf)->index;
  return host_leaf(scan, host_fixed_object(scan, HOST_DEVICE_VARIABLE, global));
}

// The runtime's copies and fills. What they put down stands for itself once they are known to be over (HOST_ABOUT_COPY). Who
// changes the source before that has a race of another kind.
static ExprRef runtime_copy(HostScan *scan, HostFrame *frame, uint32_t inst, HostCallKind kind,
                            HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  bool is_symbol = kind == CALL_COPY_SYMBOL, is_from_symbol = kind == CALL_COPY_FROM_SYMBOL;
  const HostObject *object = host_object_of(scan, cell.base);
  if (is_symbol && object->kind != HOST_DEVICE_VARIABLE) return 0;
  // Of single cells only pointers are followed: numbers that come back were computed there.
  bool is_followed = host_is_element(scan, cell) || (cell.kind == IR_PTR && kind != CALL_FILL);
  if (!is_followed || host_argument_count(call) < (is_symbol || is_from_symbol ? 4u : 3u) ||
      is_captured_copy(scan, frame, call))
    return is_symbol || is_filled(scan, frame, inst, cell) ? host_after_write(scan, frame, inst, cell) : 0;
  Writer writer = {.frame = frame, .inst = inst, .kind = IR_BYTES, .is_in_stream = true};
  ExprRef second = host_value(scan, frame, call->ops[1]);
  Span span = {.to = host_value(scan, frame, call->ops[0]), .length = host_value(scan, frame, call->ops[2])};
  if (kind == CALL_FILL)
    span.byte = second;
  else
    span.from = second;
  if (is_symbol || is_from_symbol) {
    ExprRef variable = address_of_variable(scan, is_symbol ? span.to : span.from);
    if (!variable) return host_after_write(scan, frame, inst, cell);
    variable = host_add_offset(scan, variable, host_value(scan, frame, call->ops[3]));
    *(is_symbol ? &span.to : &span.from) = variable;
  }
  return span_effect(scan, &writer, &span, cell);
}

// ---- what a copy or a fill in a loop puts into an element
static bool read_span(HostScan *scan, HostFrame *frame, uint32_t inst, Span *span) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  HostCallKind kind = call->op == IR_CALL ? host_call(scan, call, NULL)->kind : CALL_QUIET;
  bool is_symbol = kind == CALL_COPY_SYMBOL, is_from_symbol = kind == CALL_COPY_FROM_SYMBOL;
  bool is_fill = kind == CALL_FILL || call->op == IR_MEMSET;
  bool is_copy = kind == CALL_COPY_LINEAR || kind == CALL_COPY_PLAIN || call->op == IR_MEMCPY;
  if (!is_symbol && !is_from_symbol && !is_fill && !is_copy) return false;
  if (call->op_count < (is_symbol || is_from_symbol ? 4u : 3u)) return false;
  if (call->op == IR_CALL && kind != CALL_COPY_PLAIN && is_captured_copy(scan, frame, call)) return false;
  ExprRef second = host_value(scan, frame, call->ops[1]);
  *span =
      (Span){.to = host_value(scan, frame, call->ops[0]), .length = host_value(scan, frame, call->ops[2])};
  *(is_fill ? &span->byte : &span->from) = second;
  if (!is_symbol && !is_from_symbol) return true;
  ExprRef variable = address_of_variable(scan, is_symbol ? span->to : span->from);
  if (variable) variable = host_add_offset(scan, variable, host_value(scan, frame, call->ops[3]));
  *(is_symbol ? &span->to : &span->from) = variable;
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
  *out = (HostCopied){.offset = to.offset, .value = pointer_result(scan, frame, inst, 0), .bytes = 8};
  return out->value != 0;
}

bool host_copied_pointers(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell, HostCopied *out) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  Writer writer = {.frame = frame, .inst = inst, .kind = IR_BYTES};
  Span span = {0};
  HostTarget to, from;
  int64_t length = 0, byte = 0;
  if (cell.kind != IR_PTR) return false;
  if (allocated_pointer(scan, frame, inst, cell, out)) return true;
  if (!read_span(scan, frame, inst, &span)) return false;
  if (!host_sole_target(scan, span.to, &to) || to.leaf != cell.base) return false;
  ExprRef bytes = host_settle(scan, expr_resize_signed(scan->pool, span.length, 64));
  if (!expr_is_const(scan->pool, bytes, &length) || length < 8 || length % 8 != 0 || length > INT32_MAX)
    return false;
  if (!is_multiple(scan, to.offset, 8)) return false; // else it may cover the element in part
  ExprRef apart = expr_binary(scan->pool, EXPR_SUB, EXPR_ADDRESS, cell.offset, to.offset);
  apart = host_gather(scan, apart);
  ExprRef from_here = span.from && length > 8 ? host_add_offset(scan, span.from, apart) : span.from;
  *out = (HostCopied){.offset = to.offset, .bytes = (uint32_t)length};
  if (span.byte && expr_is_const(scan->pool, span.byte, &byte))
    out->value = expr_const(scan->pool, 64, (int64_t)((uint64_t)(byte & 255) * 0x0101010101010101u));
  else if (!span.from || !host_sole_target(scan, span.from, &from))
    return true;
  else if (is_few_words(scan, &span, apart, cell))
    out->value = copied_words(scan, &writer, &span, apart, cell);
  else
    out->value = read_at(scan, &writer, from_here, cell, 0, 0);
  return true;
}

static ExprRef library_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  if (!host_is_element(scan, cell) || host_argument_count(call) < 4)
    return is_filled(scan, frame, inst, cell) ? host_after_write(scan, frame, inst, cell) : 0;
  Writer writer = {.frame = frame, .inst = inst, .kind = IR_BYTES, .is_in_stream = true};
  ExprRef count = expr_resize_signed(scan->pool, host_value(scan, frame, call->ops[1]), 64);
  ExprRef bytes = expr_resize_signed(scan->pool, host_value(scan, frame, call->ops[2]), 64);
  Span span = {.to = host_value(scan, frame, call->ops[0]),
               .length = expr_binary(scan->pool, EXPR_MUL, EXPR_NSW, count, bytes),
               .is_library = true};
  return span_effect(scan, &writer, &span, cell);
}

static ExprRef call_effect(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const HostCall *known = host_call(scan, call, NULL);
  HostCallKind kind = known->kind;
  bool given = false;
  if (kind == CALL_UNKNOWN && cell.kind == HOST_VIRTUAL_TABLE) return 0;
  if (kind == CALL_UNKNOWN && host_is_launch(scan, frame->function, inst, &kind))
    return launch_effect(scan, frame, inst, kind, cell);
  if (kind == CALL_COPY_LINEAR || kind == CALL_COPY_SYMBOL || kind == CALL_COPY_FROM_SYMBOL ||
      kind == CALL_FILL)
    return runtime_copy(scan, frame, inst, kind, cell);
  if (kind == CALL_LIBRARY) return library_effect(scan, frame, inst, cell);
  if (kind == CALL_COPY_PLAIN) return copy_call(scan, frame, inst, cell);
  switch (host_call_class(kind)) {
  case CLASS_DEFINED: return defined_call(scan, frame, inst, cell);
  case CLASS_UNKNOWN: return unknown_call(scan, frame, inst, cell);
  case CLASS_OUTPUTS: given = is_output(scan, frame, inst, cell); break;
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
  Writer writer = {.frame = frame, .inst = index, .bytes = type.bytes, .kind = type.kind};
  if (ir_inst_is(inst, IR_SPANS)) {
    int64_t length = 0;
    ExprRef bytes = host_value(scan, frame, inst->ops[2]);
    writer.kind = IR_BYTES;
    if (host_is_element(scan, cell)) {
      ExprRef second = host_value(scan, frame, inst->ops[1]);
      bool is_copy = inst->op == IR_MEMCPY;
      Span span = {.to = host_value(scan, frame, inst->ops[0]),
                   .from = is_copy ? second : 0,
                   .byte = is_copy ? 0 : second,
                   .length = bytes,
                   .is_of_host = true};
      return span_effect(scan, &writer, &span, cell);
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

// By itself, at its first operand.
static bool writes_memory(const IrInst *inst) {
  return ir_inst_writes_there(inst);
}

ExprRef host_effect(HostScan *scan, HostFrame *frame, uint32_t index, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  ASSERT(host_has_cell(scan, cell));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  if (inst->op == IR_CALL) return call_effect(scan, frame, index, cell);
  if (writes_memory(inst)) return memory_effect(scan, frame, index, cell);
  return host_call_reaches(scan, frame, index, cell) ? host_after_write(scan, frame, index, cell) : 0;
}

// ---- does it touch the cell?
static bool may_be_in(HostScan *scan, ExprRef address, HostCell cell, uint8_t kind) {
  HostTargets targets = {0};
  if (!host_targets(scan, address, &targets)) return true;
  for (uint32_t i = 0; i < targets.count; i++) {
    ExprRef leaf = targets.items[i].leaf;
    if (leaf == cell.base) return true;
    if (leaf && !host_object_of(scan, cell.base)->is_out_of_reach &&
        !host_leaves_distinct(scan, leaf, cell.base) && !host_kinds_distinct(kind, cell.kind))
      return true;
  }
  return false;
}

// A function with a body: some instruction of it does.
static bool body_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  HostFunction *callee = NULL;
  (void)host_call(scan, &frame->function->ir->insts.items[inst], &callee);
  if (!host_call_reaches(scan, frame, inst, cell)) return false;
  HostFrame *child =
      host_function_size(scan, callee) > CALLEE_SIZE ? NULL : host_frame_child(scan, frame, inst);
  if (!child || scan->depth > HOST_MEMORY_DEPTH) return true;
  const HostFunction *function = child->function;
  bool touches = false;
  scan->depth += 64;
  for (uint32_t b = 0; b < function->ir->blocks.count && !touches; b++)
    for (uint32_t e = function->effect_first[b]; e < function->effect_first[b + 1] && !touches; e++)
      touches = host_touches(scan, child, function->effects[e], cell);
  scan->depth -= 64;
  return touches;
}

bool host_makes_array(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, inst));
  ASSERT(host_has_cell(scan, cell));
  const HostObject *object = host_object_of(scan, cell.base);
  return (object->kind == HOST_DEVICE || object->kind == HOST_HEAP) && !object->is_parameter &&
         object->frame == frame && object->inst == inst && cell.base == object->leaf &&
         host_is_element(scan, cell);
}

static bool call_touches(HostScan *scan, HostFrame *frame, uint32_t inst, HostCell cell) {
  const IrInst *call = &frame->function->ir->insts.items[inst];
  const HostCall *known = host_call(scan, call, NULL);
  HostCallKind kind = known->kind;
  if (host_makes_array(scan, frame, inst, cell)) return true;
  if (kind == CALL_UNKNOWN && host_is_launch(scan, frame->function, inst, &kind))
    return launch_touches(scan, frame, inst, kind, cell);
  if (kind == CALL_COPY_SYMBOL) {
    if (host_object_of(scan, cell.base)->kind != HOST_DEVICE_VARIABLE) return false;
    ExprRef variable = address_of_variable(scan, host_value(scan, frame, call->ops[0]));
    return !variable || variable == cell.base;
  }
  switch (host_call_class(kind)) {
  case CLASS_DEFINED: return body_touches(scan, frame, inst, cell);
  case CLASS_UNKNOWN: return host_call_reaches(scan, frame, inst, cell);
  case CLASS_OUTPUTS: return is_output(scan, frame, inst, cell);
  case CLASS_ALLOCATES:
    return may_be_in(scan, host_value(scan, frame, call->ops[0]), cell, IR_PTR) ||
           (kind == CALL_ALLOCATE_PITCH &&
            may_be_in(scan, host_value(scan, frame, call->ops[1]), cell, IR_INT));
  case CLASS_LAUNCHES: return launch_touches(scan, frame, inst, kind, cell);
  case CLASS_QUIET: break;
  }
  return false;
}

bool host_touches(HostScan *scan, HostFrame *frame, uint32_t index, HostCell cell) {
  ASSERT(frame->function);
  ASSERT(host_function_has_inst(frame->function, index));
  ASSERT(host_has_cell(scan, cell));
  const IrInst *inst = &frame->function->ir->insts.items[index];
  if (inst->op == IR_CALL) return call_touches(scan, frame, index, cell);
  if (!writes_memory(inst)) return host_call_reaches(scan, frame, index, cell);
  uint8_t kind = inst->op == IR_STORE
                     ? (uint8_t)ir_ref_type(scan->module, frame->function->ir, inst->ops[1]).kind
                     : IR_BYTES;
  return may_be_in(scan, host_value(scan, frame, inst->ops[0]), cell, kind);
}
