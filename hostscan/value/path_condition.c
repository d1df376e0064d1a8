// Under which condition does control come from a block to a later one? Conditions of edges, their
// disjunction over an acyclic region, and the value of a merge as if-then-else over them (conditions.c puts two
// together).
// Method: the region between a block and a dominator of it is walked once in reverse post-order (no
// enumeration of paths); back edges are left out, since whoever is in a loop entered it. Where a block
// post-dominates its immediate dominator within the region, its condition is that of the dominator, unless
// a loop ends between them: then one of its exits was taken.
// Soundness: exact for the last way from the dominator to the block: at the point where two such ways
// part, a branch was executed whose condition tells them apart. Symbols in parts that were not executed
// may have any value.
// SPDX-License-Identifier: Apache-2.0
#include "hostscan/value/value.h"
#include "core/bug.h"
#include "hostscan/syntax.h"
#include "hostscan/terms.h"

enum { REGION_BLOCKS = 40, MERGE_VALUES = 6, LONG_MERGE = 24, SHORT_CONDITION = 8 };

// ---- edges
static ExprRef switch_condition(HostScan *scan, ExprRef value, const IrInst *last, uint32_t to) {
  uint8_t width = expr_width(scan->pool, value);
  ExprRef into = expr_bool(scan->pool, false), out = expr_bool(scan->pool, true);
  for (uint32_t i = 1; i < last->block_count; i++) {
    ExprRef match = expr_eq(scan->pool, value, expr_const(scan->pool, width, last->case_values[i - 1]));
    if (last->blocks[i] == to)
      into = expr_or(scan->pool, into, match);
    else
      out = expr_and(scan->pool, out, expr_not(scan->pool, match));
  }
  // The default edge is taken unless a case leads elsewhere.
  return last->blocks[0] == to ? out : into;
}

// Unsigned comparisons with zero are equalities.
static ExprRef plain_condition(HostScan *scan, ExprRef condition) {
  ExprNode node = *expr_node(scan->pool, condition);
  int64_t bound = 0;
  if (node.op == EXPR_ULE && expr_is_const(scan->pool, node.b, &bound) && bound == 0)
    return expr_eq(scan->pool, node.a, node.b);
  if (node.op == EXPR_ULT && expr_is_const(scan->pool, node.a, &bound) && bound == 0)
    return expr_ne(scan->pool, node.a, node.b);
  return condition;
}

ExprRef host_edge_condition(HostScan *scan, HostFrame *frame, uint32_t from, uint32_t to) {
  ASSERT(frame->function);
  ASSERT(host_function_has_block(frame->function, from));
  ASSERT(host_function_has_block(frame->function, to));
  const IrInst *last = ir_terminator(frame->function->ir, from);
  if (last->op == IR_CONDBR && last->blocks[0] != last->blocks[1]) {
    ExprRef condition = host_value(scan, frame, last->ops[0]);
    if (expr_width(scan->pool, condition) != 1) return expr_bool(scan->pool, true);
    return plain_condition(scan, last->blocks[0] == to ? condition : expr_not(scan->pool, condition));
  }
  if (last->op == IR_SWITCH) return switch_condition(scan, host_value(scan, frame, last->ops[0]), last, to);
  return expr_bool(scan->pool, true);
}

// ---- regions
typedef struct Region {
  uint32_t count;
  uint32_t blocks[REGION_BLOCKS]; // reverse post-order; [0] is the dominator
  ExprRef conditions[REGION_BLOCKS];
} Region;

static uint32_t region_position(const Region *region, uint32_t block) {
  for (uint32_t i = 0; i < region->count; i++)
    if (region->blocks[i] == block) return i;
  return CFG_NONE;
}

static bool is_forward(const Cfg *cfg, uint32_t from, uint32_t to) {
  return cfg->rpo_number[from] != CFG_NONE && cfg->rpo_number[from] < cfg->rpo_number[to];
}

static bool region_fill(const Cfg *cfg, uint32_t dominator, uint32_t block, Region *region) {
  region->blocks[0] = dominator;
  region->count = 1;
  if (block != dominator) region->blocks[region->count++] = block;
  for (uint32_t i = 1; i < region->count; i++) {
    uint32_t at = region->blocks[i];
    for (uint32_t e = cfg->pred_first[at]; e < cfg->pred_first[at + 1]; e++) {
      uint32_t pred = cfg->preds[e];
      if (!is_forward(cfg, pred, at) || region_position(region, pred) != CFG_NONE) continue;
      if (region->count == REGION_BLOCKS) return false;
      region->blocks[region->count++] = pred;
    }
  }
  for (uint32_t i = 1; i < region->count; i++) // insertion sort: it is small
    for (uint32_t k = i; k > 1; k--) {
      uint32_t here = region->blocks[k], before = region->blocks[k - 1];
      if (cfg->rpo_number[before] < cfg->rpo_number[here]) break;
      region->blocks[k] = before;
      region->blocks[k - 1] = here;
    }
  return true;
}

bool host_leaves_loop(const Cfg *cfg, uint32_t above, uint32_t block) {
  ASSERT(above < cfg->block_count && block < cfg->block_count);
  return cfg->loop_of[above] != CFG_NONE && !cfg_loop_contains(cfg, cfg->loop_of[above], block);
}

static ExprRef block_condition(HostScan *scan, HostFrame *frame, const Region *region, uint32_t at) {
  const Cfg *cfg = frame->function->cfg;
  uint32_t block = region->blocks[at], above = region_position(region, cfg->idom[block]);
  bool is_sure = above != CFG_NONE && cfg_post_dominates(cfg, block, cfg->idom[block]);
  if (is_sure && !host_leaves_loop(cfg, cfg->idom[block], block)) return region->conditions[above];
  ExprRef condition = expr_bool(scan->pool, false);
  uint32_t last = CFG_NONE;
  for (uint32_t e = cfg->pred_first[block]; e < cfg->pred_first[block + 1]; e++) {
    uint32_t pred = cfg->preds[e], from = region_position(region, pred);
    if (pred == last || from == CFG_NONE || !is_forward(cfg, pred, block)) continue;
    last = pred; // double edges stand next to each other
    ExprRef way =
        expr_and(scan->pool, region->conditions[from], host_edge_condition(scan, frame, pred, block));
    condition = host_or(scan, condition, way);
  }
  return condition;
}

ExprRef host_reach_condition(HostScan *scan, HostFrame *frame, uint32_t dominator, uint32_t block) {
  ASSERT(frame->function);
  ASSERT(host_function_has_block(frame->function, block));
  HostKey key = {{MEMO_REACH, frame->id, dominator, block}};
  uint32_t known = host_map_get(&scan->memo, key);
  if (known) return known - 1;
  Region region = {0};
  ExprRef result = 0;
  // In a loop with two entries a way may go round, and no edge of it is a back edge.
  if (frame->function->cfg->is_reducible && region_fill(frame->function->cfg, dominator, block, &region)) {
    region.conditions[0] = expr_bool(scan->pool, true);
    for (uint32_t i = 1; i < region.count; i++)
      region.conditions[i] = block_condition(scan, frame, &region, i);
    result = region.conditions[region_position(&region, block)];
    if (host_weight(scan, result) > HOST_HEAVY) result = 0;
  }
  host_map_put(&scan->memo, key, result + 1);
  return result;
}

// ---- merges
static bool all_equal(HostScan *scan, uint32_t count, const ExprRef *values, ExprRef *settled) {
  for (uint32_t i = 0; i < count; i++)
    settled[i] = host_settle(scan, values[i]);
  for (uint32_t i = 1; i < count; i++)
    if (settled[i] != settled[0]) return false;
  return count > 0;
}

static ExprRef way_in(HostScan *scan, const HostWays *ways, uint32_t pred) {
  ExprRef reach = host_reach_condition(scan, ways->frame, ways->dominator, pred);
  return reach ? host_and(scan, reach, host_edge_condition(scan, ways->frame, pred, ways->block)) : 0;
}

// Whether control came by this way, where that cannot be said: an unknown of its own, the same for all values
// that merge there. Where nothing is long, only for proofs about members; a reader could make nothing of it.
static ExprRef unknown_way(HostScan *scan, const HostWays *ways, uint32_t pred, bool is_wanted) {
  HostKey key = {{MEMO_WAY, ways->frame->id, ways->block, pred}};
  ExprRef way = host_map_get(&scan->memo, key);
  if (way || !(scan->members || is_wanted)) return way;
  way = host_unknown(scan, (HostUnknown){.frame = ways->frame,
                                         .loop = ways->frame->function->cfg->loop_of[ways->block],
                                         .width = 1,
                                         .name = "way",
                                         .is_nameless = true});
  host_map_put(&scan->memo, key, way);
  return way;
}

// Short: conditions of some length are unknowns as well.
static ExprRef merge(HostScan *scan, const HostWays *ways, bool is_short) {
  ExprRef settled[64], distinct[MERGE_VALUES], conditions[MERGE_VALUES];
  uint32_t kinds = 0;
  if (ways->count == 0) return 0;
  if (all_equal(scan, ways->count, ways->values, settled)) return settled[0];
  for (uint32_t i = 0; i < ways->count; i++) {
    ExprRef way = way_in(scan, ways, ways->preds[i]);
    if (is_short && way && host_weight(scan, way) > SHORT_CONDITION) way = 0;
    uint32_t k = 0;
    while (k < kinds && distinct[k] != settled[i])
      k++;
    if (!way) way = unknown_way(scan, ways, ways->preds[i], is_short);
    if (!way || k == MERGE_VALUES) return 0;
    conditions[k] = k < kinds ? host_or(scan, conditions[k], way) : way;
    distinct[k] = settled[i];
    if (k == kinds) kinds++;
  }
  ExprRef value = distinct[kinds - 1];
  for (uint32_t k = kinds - 1; k > 0; k--)
    value = host_choose(scan, conditions[k - 1], distinct[k - 1], value);
  if (host_weight(scan, value) > HOST_HEAVY) return 0;
  return value;
}

// Behind long tests (a file is looked for in many places, its head is read in a loop) two values would grow until each
// is unknown by itself. For what they have in common, a width and the stride that was made of it, the ways are unknown
// instead. In a loop with two entries a value may be one of another round, and nothing is said.
ExprRef host_merge(HostScan *scan, const HostWays *ways) {
  ExprRef value = merge(scan, ways, false);
  bool is_short = value && host_weight(scan, value) <= LONG_MERGE;
  if (is_short || !ways->frame->function->cfg->is_reducible) return value;
  ExprRef shorter = merge(scan, ways, true);
  return shorter ? shorter : value;
}

bool host_ways_in(HostFrame *frame, uint32_t block, bool is_back, HostWays *ways) {
  ASSERT(frame->function);
  ASSERT(host_function_has_block(frame->function, block));
  const Cfg *cfg = frame->function->cfg;
  *ways = (HostWays){.frame = frame, .block = block, .dominator = is_back ? block : cfg->idom[block]};
  for (uint32_t e = cfg->pred_first[block]; e < cfg->pred_first[block + 1]; e++) {
    uint32_t pred = cfg->preds[e];
    bool is_double = ways->count && ways->preds[ways->count - 1] == pred;
    if (cfg->rpo_number[pred] == CFG_NONE || is_double || host_is_back_edge(cfg, pred, block) != is_back)
      continue;
    if (ways->count == sizeof ways->preds / sizeof *ways->preds) return false;
    ways->preds[ways->count++] = pred;
  }
  return ways->count > 0;
}
