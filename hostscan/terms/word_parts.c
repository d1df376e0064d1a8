// What is a part of a word? Pieces that were packed side by side are found again, through masks, shifts and choices.
// Method: a half of a sum whose other half has no bits there; a mask that keeps all that is asked for.
// Soundness: exact.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/terms.h"
#include "core/bug.h"

// Does `ref` lie in [0, 2^bits)? Is it a multiple of 2^bits?
static bool fits_below(HostScan *scan, ExprRef ref, uint32_t bits) {
  int64_t lo = 0, hi = 0;
  expr_range(scan->pool, ref, &lo, &hi);
  return lo >= 0 && bits < 63 && hi < (int64_t)1 << bits;
}

static bool is_multiple(HostScan *scan, ExprRef ref, uint32_t bits) {
  ExprNode node = *expr_node(scan->pool, ref);
  int64_t value = 0;
  if ((node.op == EXPR_MUL || node.op == EXPR_AND) && expr_is_const(scan->pool, node.b, &value)) ref = node.b;
  return expr_is_const(scan->pool, ref, &value) && ((uint64_t)value & (((uint64_t)1 << bits) - 1)) == 0;
}

ExprRef host_packed_half(HostScan *scan, ExprRef word, uint32_t bits, bool want_high) {
  ASSERT(expr_is_of(scan->pool, word));
  ExprNode node = *expr_node(scan->pool, word);
  if (node.op != EXPR_ADD && node.op != EXPR_OR) return 0;
  if (fits_below(scan, node.a, bits) && is_multiple(scan, node.b, bits)) return want_high ? node.b : node.a;
  if (fits_below(scan, node.b, bits) && is_multiple(scan, node.a, bits)) return want_high ? node.a : node.b;
  return 0;
}

// A mask that keeps all bits that are asked for.
static ExprRef unmasked(HostScan *scan, ExprRef word, uint32_t first, uint32_t end) {
  ExprNode node = *expr_node(scan->pool, word);
  int64_t mask = 0;
  if (node.op != EXPR_AND || !expr_is_const(scan->pool, node.b, &mask)) return 0;
  uint64_t wanted = (end == 64 ? 0 : (uint64_t)1 << end) - ((uint64_t)1 << first);
  return ((uint64_t)mask & wanted) == wanted ? node.a : 0;
}

static ExprRef clearer_word(HostScan *scan, ExprRef word, uint32_t first, uint32_t end) {
  uint8_t width = expr_width(scan->pool, word);
  ExprRef half = first ? host_packed_half(scan, word, first, true) : 0;
  if (!half && end < width) half = host_packed_half(scan, word, end, false);
  return half ? half : unmasked(scan, word, first, end);
}

// A choice between words of which at least one is clearer in parts.
static bool is_choice_of_parts(HostScan *scan, ExprRef word, uint32_t first, uint32_t end) {
  ExprNode node = *expr_node(scan->pool, word);
  if (node.op != EXPR_ITE || end - first >= node.width || end > node.width) return false;
  for (int side = 0; side < 2; side++) {
    ExprRef part = side ? node.c : node.b;
    if (clearer_word(scan, part, first, end) || is_choice_of_parts(scan, part, first, end)) return true;
  }
  return false;
}

ExprRef host_bytes_of(HostScan *scan, ExprRef word, uint32_t offset, uint32_t bytes) {
  ASSERT(expr_is_of(scan->pool, word));
  ASSERT(bytes > 0);
  uint8_t width = expr_width(scan->pool, word);
  uint32_t first = offset * 8, end = first + bytes * 8;
  for (ExprRef clearer = word; clearer && end <= width; clearer = clearer_word(scan, word, first, end))
    word = clearer;
  if (host_weight(scan, word) <= HOST_HEAVY && is_choice_of_parts(scan, word, first, end)) {
    ExprNode node = *expr_node(scan->pool, word);
    ExprRef taken = host_bytes_of(scan, node.b, offset, bytes);
    return expr_ite(scan->pool, node.a, taken, host_bytes_of(scan, node.c, offset, bytes));
  }
  if (offset) word = expr_binary(scan->pool, EXPR_LSHR, 0, word, expr_const(scan->pool, width, first));
  return expr_resize_unsigned(scan->pool, word, (uint8_t)(bytes * 8));
}

// A truncation made again after the word below became clearer.
ExprRef host_narrowed(HostScan *scan, ExprRef word, uint8_t width) {
  ASSERT(expr_is_of(scan->pool, word));
  ExprNode node = *expr_node(scan->pool, word);
  int64_t shift = 0;
  if (width < 8) return expr_unary(scan->pool, EXPR_TRUNC, width, word);
  bool is_shifted =
      (node.op == EXPR_LSHR || node.op == EXPR_ASHR) && expr_is_const(scan->pool, node.b, &shift);
  if (is_shifted && shift % 8 == 0 && shift + width <= node.width)
    return host_bytes_of(scan, node.a, (uint32_t)shift / 8, width / 8u);
  return host_bytes_of(scan, word, 0, width / 8u);
}
