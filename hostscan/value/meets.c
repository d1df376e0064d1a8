// Do the bytes of a write and those of a cell lie in one place, as far as their distance, their sizes and the members that
// they are of say? Method: the distance as a number with a known rest in division (terms.h); members of classes by their
// owners (A13). Over-approximates: somehow, where it is not seen.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/writes.h"
#include "core/bug.h"
#include "hostscan/program.h"
#include "hostscan/terms.h"

// No address lies where the program has a small number, by the rule about types that clang goes by as well.
bool host_is_no_place_for_handles(HostCell cell) {
  return cell.kind == IR_FLOAT || (cell.kind == IR_INT && cell.bytes <= 4);
}

HostMeeting host_meeting_of(const HostScan *scan, const HostWriter *writer, HostCell cell) {
  ASSERT(host_function_has_inst(writer->frame->function, writer->inst));
  ASSERT(host_has_cell(scan, cell));
  const HostReader *reader = &scan->reader;
  const IrInst *inst = &writer->frame->function->ir->insts.items[writer->inst];
  int64_t at = 0, asked = 0;
  if (!scan->members || inst->op != IR_STORE || !reader->function || cell.base != reader->base)
    return HOST_MEET_SOMEHOW;
  if (!expr_is_const(scan->pool, cell.offset, &at) || !expr_is_const(scan->pool, reader->offset, &asked))
    return HOST_MEET_SOMEHOW;
  const HostMemberList *a = host_members_of(scan->members, writer->frame->function, inst->ops[0]);
  const HostMemberList *b = host_members_of(scan->members, reader->function, reader->address);
  HostMeeting found = HOST_MEET_SOMEHOW;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t k = 0; k < b->count; k++) {
      int64_t from = a->items[i].offset, to = b->items[k].offset + reader->behind + at - asked;
      if (a->items[i].owner != b->items[k].owner) continue;
      if (!a->items[i].is_sure || !b->items[k].is_sure) return HOST_MEET_SOMEHOW;
      bool is_apart = from + (int64_t)writer->bytes <= to || to + cell.bytes <= from;
      bool is_same = from == to && writer->bytes == cell.bytes;
      HostMeeting here = is_apart ? HOST_MEET_NEVER : is_same ? HOST_MEET_AS_ONE : HOST_MEET_SOMEHOW;
      if (here == HOST_MEET_SOMEHOW || (found != HOST_MEET_SOMEHOW && found != here))
        return HOST_MEET_SOMEHOW;
      found = here;
    }
  return found;
}

bool host_is_multiple(HostScan *scan, ExprRef value, uint64_t bytes) {
  ASSERT(bytes > 0);
  uint64_t modulus = 0, rest = 0;
  host_residue(scan, host_settle(scan, value), &modulus, &rest);
  return modulus % bytes == 0 && rest % bytes == 0;
}

// A word or a pointer lies at a multiple of its size: what is as long as some covers it or lies beside it.
bool host_is_in_words(HostScan *scan, ExprRef apart, ExprRef length, HostCell cell) {
  bool is_word = cell.kind == IR_PTR || cell.kind == IR_INT || cell.kind == IR_FLOAT;
  if (!is_word || (cell.bytes & (cell.bytes - 1)) != 0) return false;
  ExprRef start = host_replace(scan, host_settle(scan, apart), scan->element, expr_const(scan->pool, 64, 0));
  return host_is_multiple(scan, length, cell.bytes) && host_is_multiple(scan, start, cell.bytes);
}

// Put together from shorter numbers: no pointer, to which C++ has no access by another type.
bool host_is_of_parts(HostScan *scan, ExprRef word) {
  ExprNode node = *expr_node(scan->pool, host_settle(scan, word));
  if (node.op != EXPR_OR) return node.op == EXPR_ZEXT || node.op == EXPR_SHL;
  return host_is_of_parts(scan, node.a) || host_is_of_parts(scan, node.b);
}

// Members of structs in an array: do the strides keep a write and a cell that is so far from it apart?
bool host_is_beside(HostScan *scan, ExprRef apart, uint64_t written, uint32_t asked) {
  ASSERT(expr_is_of(scan->pool, apart));
  uint64_t modulus = 0, rest = 0;
  host_residue(scan, apart, &modulus, &rest);
  return modulus > 1 && rest >= written && modulus - rest >= asked;
}
