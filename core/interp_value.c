// What is a value of the interpreted thread, and how does it lie in memory? Values are words, pointers,
// aggregates or unknown; in memory each byte is a cell that holds a number, a byte of a pointer, or nothing
// known.
// Soundness: exact; what cannot be put together again (half a pointer, a word half of which is unknown) is
// unknown. A private pointer that disappears in an unknown value counts as escaped.
// SPDX-License-Identifier: Apache-2.0
#include "core/interp_internal.h"
#include "core/bug.h"

#include "core/expr.h"

#include <string.h>

Value value_unknown(const Interp *run, Cause cause) {
  return (Value){.kind = VALUE_UNKNOWN, .cause = cause, .source = run->inst};
}

Value value_word(IrType type, int64_t word) {
  return (Value){.kind = VALUE_WORD, .word = expr_signed_reading(word, type.bits ? type.bits : 64)};
}

Value value_pointer(uint32_t object, int64_t offset) {
  return (Value){.kind = VALUE_POINTER, .object = object, .word = offset};
}

static void lose_object(Interp *run, uint32_t object) {
  if (memory_is_private(run, object)) memory_private(run, object)->is_escaped = true;
}

void value_lose(Interp *run, Value value) {
  if (value.kind == VALUE_POINTER || (value.kind == VALUE_UNKNOWN && value.has_object))
    lose_object(run, value.object);
}

Value value_poisoned(Interp *run, uint32_t count, const Value *operands) {
  ASSERT(operands);
  Value out = {.kind = VALUE_UNKNOWN, .cause = CAUSE_MEMORY, .source = NO_INST};
  for (uint32_t i = 0; i < count; i++) {
    value_lose(run, operands[i]);
    if (operands[i].kind != VALUE_UNKNOWN) continue;
    if (out.source == NO_INST || operands[i].cause > out.cause) out.source = operands[i].source;
    if (operands[i].cause > out.cause) out.cause = operands[i].cause;
  }
  return out;
}

Value value_opaque(Interp *run, uint32_t count, const Value *operands) {
  ASSERT(operands);
  for (uint32_t i = 0; i < count; i++)
    value_lose(run, operands[i]);
  return value_unknown(run, CAUSE_UNSUPPORTED);
}

bool value_same(Value a, Value b) {
  if (a.kind != b.kind || a.word != b.word) return false;
  return a.kind == VALUE_WORD || (a.kind == VALUE_POINTER && a.object == b.object);
}

static Cell cell_unknown(uint8_t cause, uint32_t source) {
  return (Cell){.kind = CELL_UNKNOWN, .cause = cause, .object = source};
}

static Cell cell_byte(uint8_t byte) {
  return (Cell){.kind = CELL_BYTE, .byte = byte};
}

static void word_to_cells(int64_t word, uint32_t bytes, Cell *out) {
  for (uint32_t i = 0; i < bytes; i++)
    out[i] = cell_byte(i < 8 ? (uint8_t)((uint64_t)word >> (8 * i)) : (uint8_t)(word < 0 ? 0xff : 0));
}

static void pointer_to_cells(uint32_t object, int64_t offset, uint32_t bytes, Cell *out) {
  for (uint32_t i = 0; i < bytes; i++)
    out[i] = (Cell){.kind = CELL_POINTER, .byte = (uint8_t)i, .object = object, .word = offset};
}

void value_to_cells(Interp *run, Value value, uint32_t bytes, Cell *out) {
  ASSERT(out);
  switch ((ValueKind)value.kind) {
  case VALUE_UNKNOWN:
    value_lose(run, value);
    for (uint32_t i = 0; i < bytes; i++)
      out[i] = cell_unknown(value.cause, value.source);
    return;
  case VALUE_WORD: word_to_cells(value.word, bytes, out); return;
  case VALUE_POINTER: pointer_to_cells(value.object, value.word, bytes, out); return;
  case VALUE_BYTES:
    if (value.cells)
      memmove(out, value.cells, bytes * sizeof *out);
    else
      word_to_cells(0, bytes, out);
    return;
  }
}

void value_given_to_cells(InterpValue given, uint32_t bytes, Cell *out) {
  ASSERT(out);
  switch (given.kind) {
  case INTERP_UNKNOWN:
    for (uint32_t i = 0; i < bytes; i++)
      out[i] = cell_unknown(CAUSE_MEMORY, NO_INST);
    return;
  case INTERP_WORD: word_to_cells(given.word, bytes, out); return;
  case INTERP_POINTER: pointer_to_cells(given.object, given.word, bytes, out); return;
  case INTERP_AGGREGATE: break;
  }
  for (uint32_t i = 0; i < bytes; i++)
    out[i] = cell_byte(given.bytes ? given.bytes[i] : 0);
  for (uint32_t i = 0; i < given.piece_count; i++) {
    const InterpPiece *piece = &given.pieces[i];
    if (piece->offset < bytes && piece->bytes <= bytes - piece->offset &&
        piece->value.kind != INTERP_AGGREGATE)
      value_given_to_cells(piece->value, piece->bytes, out + piece->offset);
  }
}

// A pointer in `bytes` cells, all of them or (32-bit shared addresses) the low half.
static bool cells_are_pointer(const Cell *cells, uint32_t bytes) {
  if (bytes != 8 && bytes != 4) return false;
  for (uint32_t i = 0; i < bytes; i++)
    if (cells[i].kind != CELL_POINTER || cells[i].byte != i || cells[i].object != cells[0].object ||
        cells[i].word != cells[0].word)
      return false;
  return true;
}

// Why the cells do not make a value: the worst cause of an unknown cell; mixed pointers are not supported.
static Value cells_unknown(Interp *run, const Cell *cells, uint32_t bytes) {
  Value out = {.kind = VALUE_UNKNOWN, .cause = CAUSE_MEMORY, .source = run->inst};
  bool is_found = false;
  for (uint32_t i = 0; i < bytes; i++) {
    uint8_t cause = cells[i].kind == CELL_UNKNOWN ? cells[i].cause : (uint8_t)CAUSE_MEMORY;
    if (cells[i].kind == CELL_POINTER) {
      cause = CAUSE_UNSUPPORTED;
      lose_object(run, cells[i].object);
    }
    if (cells[i].kind == CELL_BYTE || (is_found && cause <= out.cause)) continue;
    is_found = true;
    out.cause = cause;
    out.source = cells[i].kind == CELL_UNKNOWN ? cells[i].object : run->inst;
  }
  return out;
}

Value value_from_cells(Interp *run, const Cell *cells, IrType type) {
  ASSERT(cells);
  if (type.kind == IR_BYTES) return (Value){.kind = VALUE_BYTES, .cells = cells};
  uint32_t bytes = type.bytes;
  if (bytes == 0 || bytes > 8) return value_unknown(run, CAUSE_UNSUPPORTED);
  uint64_t bits = 0;
  uint32_t known = 0;
  for (uint32_t i = 0; i < bytes && cells[i].kind == CELL_BYTE; i++, known++)
    bits |= (uint64_t)cells[i].byte << (8 * i);
  if (known == bytes) return value_word(type, (int64_t)bits);
  if (cells_are_pointer(cells, bytes) && (bytes == 8 || interp_is_shared(run, cells[0].object)))
    return value_pointer(cells[0].object, cells[0].word);
  return cells_unknown(run, cells, bytes);
}
