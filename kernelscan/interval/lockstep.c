// Below sm_70 the lanes of a warp run in lock step: which two instructions of one warp are ordered by that?
// Method: lanes that part at a branch are run one side after the other, and come together where all ways from
// it meet again, at its immediate post-dominator (Fung, Sham, Yuan, Aamodt, MICRO 2007); so two instructions
// are in no known order if some branch leads one lane to the first of them and another lane, on another of
// its edges, to the second, both before that place. Soundness: exact on the graph for hardware that
// reconverges there; which of two sides is run first is not known, nor is anything said of one instruction
// that two lanes execute together.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/interval.h"

enum { BLOCK_LIMIT = 4096 }; // kernels with more: nothing is ordered

static uint32_t row_words(const Scan *scan) {
  return (scan->cfg->block_count + 63) / 64;
}

static bool has_bit(const uint64_t *row, uint32_t at) {
  return row[at / 64] >> (at % 64) & 1;
}

// All blocks on the ways from `from` before `stop`.
static void reach(const Scan *scan, uint32_t from, uint32_t stop, uint64_t *row, uint32_t *stack) {
  const Cfg *cfg = scan->cfg;
  uint32_t depth = 0;
  memset(row, 0, row_words(scan) * sizeof *row);
  stack[depth++] = from;
  while (depth) {
    uint32_t at = stack[--depth];
    if (at == stop || has_bit(row, at)) continue;
    row[at / 64] |= (uint64_t)1 << (at % 64);
    for (uint32_t s = cfg->succ_first[at]; s < cfg->succ_first[at + 1]; s++)
      if (!has_bit(row, cfg->succs[s])) stack[depth++] = cfg->succs[s];
  }
}

// What is kept of a scan.
typedef struct Kept {
  uint64_t *parted; // by block, a row of bits, from the graph alone; NULL until asked
} Kept;

static Kept *kept_of(Scan *scan) {
  return SCAN_STATE_OF(scan, lockstep, Kept);
}

static void part(Scan *scan, const uint64_t *one, const uint64_t *two) {
  uint32_t words = row_words(scan);
  uint64_t *parted = kept_of(scan)->parted;
  for (uint32_t b = 0; b < scan->cfg->block_count; b++)
    for (uint32_t w = 0; has_bit(one, b) && w < words; w++)
      parted[(size_t)b * words + w] |= two[w];
}

static void part_at(Scan *scan, uint32_t branch, uint64_t *rows[2], uint32_t *stack) {
  const Cfg *cfg = scan->cfg;
  uint32_t first = cfg->succ_first[branch], end = cfg->succ_first[branch + 1], stop = cfg->ipdom[branch];
  for (uint32_t s = first; s + 1 < end; s++) {
    reach(scan, cfg->succs[s], stop, rows[0], stack);
    for (uint32_t t = s + 1; t < end; t++) {
      if (cfg->succs[s] == cfg->succs[t]) continue;
      reach(scan, cfg->succs[t], stop, rows[1], stack);
      part(scan, rows[0], rows[1]);
      part(scan, rows[1], rows[0]);
    }
  }
}

static void find_parted(Scan *scan) {
  const Cfg *cfg = scan->cfg;
  uint32_t words = row_words(scan);
  kept_of(scan)->parted = arena_array(scan->arena, (size_t)cfg->block_count * words + 1, uint64_t);
  uint64_t *rows[2] = {arena_array(scan->arena, words, uint64_t), arena_array(scan->arena, words, uint64_t)};
  uint32_t *stack =
      arena_array(scan->arena, cfg->succ_first[cfg->block_count] + cfg->block_count + 1, uint32_t);
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (cfg->rpo_number[b] != CFG_NONE) part_at(scan, b, rows, stack);
}

bool lockstep_parts(Scan *scan, uint32_t one, uint32_t two) {
  BUG_UNLESS(one < scan->cfg->block_count && two < scan->cfg->block_count);
  if (scan->cfg->block_count > BLOCK_LIMIT) return true;
  Kept *kept = kept_of(scan);
  if (!kept->parted) find_parted(scan);
  return has_bit(kept->parted + (size_t)one * row_words(scan), two);
}

bool lockstep_orders(Scan *scan, const Access *one, const Access *two) {
  ASSERT(scan_has_access(scan, one));
  ASSERT(scan_has_access(scan, two));
  if (one == two || one->is_async || two->is_async) return false;
  return !lockstep_parts(scan, scan->fn->insts.items[one->inst].block,
                         scan->fn->insts.items[two->inst].block);
}
