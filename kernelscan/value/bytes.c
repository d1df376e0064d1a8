// Are the bytes that a barrier object is told of those that the bulk copies beside it bring? Method: both are
// read as terms of one thread in one round and compared, the copies' lengths added up, modulo 2^32.
// Soundness: the caller sees to it that the announcement and the copies are made by the same threads in the
// same rounds. PTX bounds what an object may wait for by 2^20 - 1 bytes, so that sums do not wrap. Terms that
// differ count as different numbers of bytes.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/value.h"

enum { BYTE_WIDTH = 32 };

static ExprRef bytes_of(Frame *frame, IrRef ref) {
  SymValue value = frame_value(frame, ref);
  return value.kind == SYM_WORD ? expr_resize_unsigned(frame->scan->pool, value.word, BYTE_WIDTH) : 0;
}

bool bytes_add(Frame *frame, ExprRef *sum, IrRef length) {
  ASSERT(frame->view);
  ASSERT(scan_has_ref(frame->scan, length));
  ExprRef more = bytes_of(frame, length);
  if (!more) return false;
  *sum = *sum ? expr_binary(frame->scan->pool, EXPR_ADD, 0, *sum, more) : more;
  return true;
}

bool bytes_are_all(Frame *frame, ExprRef sum, IrRef announced) {
  ASSERT(frame->view);
  ASSERT(!sum || scan_has_expr(frame->scan, sum));
  ASSERT(scan_has_ref(frame->scan, announced));
  int64_t same = 0;
  ExprRef expected = bytes_of(frame, announced);
  ExprPool *pool = frame->scan->pool;
  return sum && expected && expr_is_const(pool, expr_eq(pool, sum, expected), &same) && same != 0;
}
