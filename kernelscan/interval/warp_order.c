// In which order do the lanes of a warp come through the kernel, where they go in lock step? Lanes that have
// parted at a branch go on together behind it: one that comes there first waits for the others. Method:
// blocks are numbered so that all edges lead to higher numbers but those back to a loop's head, and a loop's
// blocks have numbers side by side: depth first, ways that leave more loops before others, numbered
// backwards. A lane waits while another one is at a lower number ("min-PC", as in Collange, "Stack-less SIMT
// reconvergence at low cost", 2011). Soundness: it is an order of runs (core/team.h); where there is no such
// numbering, none is given.
// SPDX-License-Identifier: Apache-2.0
#include "kernelscan/interval.h"

static uint32_t loops_left(const Cfg *cfg, uint32_t from, uint32_t to) {
  uint32_t count = 0;
  for (uint32_t l = cfg->loop_of[from]; l != CFG_NONE && !cfg_loop_contains(cfg, l, to);
       l = cfg->loops.items[l].parent)
    count++;
  return count;
}

typedef struct Visit {
  uint32_t block;
  uint64_t done; // successors, by their place
} Visit;

// The successor that was not looked at and leaves most loops; CFG_NONE: none is left.
static uint32_t next_way(const Cfg *cfg, Visit *visit) {
  uint32_t best = CFG_NONE, most = 0, first = cfg->succ_first[visit->block];
  for (uint32_t s = first; s < cfg->succ_first[visit->block + 1]; s++) {
    uint32_t left = loops_left(cfg, visit->block, cfg->succs[s]);
    if ((visit->done >> (s - first) & 1) || (best != CFG_NONE && left <= most)) continue;
    best = s;
    most = left;
  }
  if (best == CFG_NONE) return CFG_NONE;
  visit->done |= (uint64_t)1 << (best - first);
  return cfg->succs[best];
}

static uint32_t *number_blocks(const Scan *scan) {
  const Cfg *cfg = scan->cfg;
  uint32_t *number = arena_array(scan->arena, cfg->block_count + 1, uint32_t), next = cfg->block_count;
  uint8_t *is_seen = arena_array(scan->arena, cfg->block_count + 1, uint8_t);
  Visit *stack = arena_array(scan->arena, cfg->block_count + 1, Visit);
  uint32_t depth = 1;
  is_seen[0] = 1;
  while (depth) {
    Visit *visit = &stack[depth - 1];
    uint32_t to = next_way(cfg, visit);
    if (to == CFG_NONE) {
      number[visit->block] = next--;
      depth--;
    } else if (!is_seen[to]) {
      is_seen[to] = 1;
      stack[depth++] = (Visit){.block = to};
    }
  }
  return number;
}

static bool loop_stands_together(const CfgLoop *loop, const uint32_t *number) {
  uint32_t low = UINT32_MAX, high = 0;
  for (uint32_t i = 0; i < loop->blocks.count; i++) {
    uint32_t at = number[loop->blocks.items[i]];
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  return low == number[loop->header] && high - low + 1 == loop->blocks.count;
}

static bool leads_forward(const Cfg *cfg, const uint32_t *number, uint32_t block) {
  for (uint32_t s = cfg->succ_first[block]; s < cfg->succ_first[block + 1]; s++)
    if (number[cfg->succs[s]] <= number[block] && !cfg_dominates(cfg, cfg->succs[s], block)) return false;
  return true;
}

const uint32_t *warp_order(const Scan *scan) {
  ASSERT(scan->cfg->is_reducible);
  enum { WAYS = 64 };
  const Cfg *cfg = scan->cfg;
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (cfg->succ_first[b + 1] - cfg->succ_first[b] > WAYS) return NULL;
  const uint32_t *number = number_blocks(scan);
  for (uint32_t l = 0; l < cfg->loops.count; l++)
    if (!loop_stands_together(&cfg->loops.items[l], number)) return NULL;
  for (uint32_t b = 0; b < cfg->block_count; b++)
    if (cfg->rpo_number[b] != CFG_NONE && !leads_forward(cfg, number, b)) return NULL;
  return number;
}
